//! Reliability diagram: observed frequency over mean predicted probability.
//!
//! With data, the rows are those of the data. Without data, they are the out-of-fold predictions of
//! the calibration, before and after, which the model file contains.

use super::parts::{pale, short};
use super::{Fact, Files, Target};
use crate::data::{ReadArgs, ScoreArgs, name_of};
use crate::evaluation::Evaluation;
use crate::failure::Failure;
use crate::output::{Output, print_notes};
use clap::Args;
use linsep::ModelFile;
use linsep::metric::{calibration_error, share_interval};
use linsep::validate::{BinRecord, PostProcessingRecord, Quality};
use linsep_plot::{Axis, Chart, Mark, SeriesStyle};
use linsep_report::number::number;
use serde_json::json;
use std::path::PathBuf;

#[derive(Args)]
pub struct ReliabilityArgs {
    /// Model file
    model: PathBuf,

    /// Data files with known classes [default: the out-of-fold predictions of the calibration]
    data: Vec<PathBuf>,

    #[command(flatten)]
    target: Target,

    #[command(flatten)]
    scoring: ScoreArgs,

    #[command(flatten)]
    reading: ReadArgs,
}

impl ReliabilityArgs {
    /// Returns the files read and written.
    pub(super) fn files(&self) -> Files<'_> {
        self.target
            .files("calibration")
            .reads([&self.model])
            .reads(&self.data)
            .reads(self.scoring.weights_file())
    }
}

pub fn run(args: &ReliabilityArgs, out: &Output) -> Result<(), Failure> {
    let model_file = ModelFile::load(&args.model)?;
    let model = args.model.display();
    if args.data.is_empty() {
        let trust = model_file.header.training.trust.as_ref();
        let Some((chart, after)) = trust.and_then(|t| Some((held_out(t)?, t.after.as_ref()?)))
        else {
            return Err(Failure::Usage(format!(
                "{model}: expected a calibrated model or data, found a model without out-of-fold predictions. Give data with \
                 known classes."
            )));
        };
        let error = after.calibration_error;
        let before = trust.and_then(|t| t.before.as_ref()).map(|q| q.calibration_error);
        let text = before.map_or_else(String::new, |b| format!("{} before, ", number(b)));
        let text = format!("expected calibration error {text}{} after", number(error));
        let value = json!({ "before": before, "after": error });
        let fact = Fact { key: "error", label: "ECE", value, text };
        return args.target.write_with("calibration", &chart, &[fact], out);
    }
    let name = name_of(&args.data);
    let (evaluation, notes) = args.scoring.evaluate(&model_file, &args.data, &args.reading, out)?;
    print_notes(&notes);
    let (chart, error) = diagram(&evaluation, &name).ok_or_else(|| {
        Failure::Refused(format!(
            "{model}: expected a model with probabilities. Fit one with --method logistic or gaussian, or with --calibrate \
             platt."
        ))
    })?;
    let meaning = evaluation.probability_meaning();
    let value = json!([{ "class": meaning, "value": error }]);
    let text = format!("expected calibration error {} ({meaning})", number(error));
    let fact = Fact { key: "error", label: "ECE", value, text };
    args.target.write_with("calibration", &chart, &[fact], out)
}

/// Returns the diagram of rows with known classes and its expected calibration error; `None` if the
/// model has no probabilities.
pub fn diagram(evaluation: &Evaluation<'_>, name: &str) -> Option<(Chart, f64)> {
    let bins = evaluation.bins()?;
    let error = calibration_error(bins)?;
    let kept = bins.iter().map(|bin| BinRecord {
        weight: bin.weight,
        probability: bin.probability,
        happened: bin.observed,
    });
    let meaning = evaluation.probability_meaning();
    let subtitle = format!("{}: {meaning}; expected calibration error {error:.4}", short(name));
    Some((drawn(empty(&subtitle), &kept.collect::<Vec<_>>(), "observed", 0), error))
}

/// Returns the diagram of the out-of-fold predictions of a calibration; `None` without calibration.
pub fn held_out(trust: &PostProcessingRecord) -> Option<Chart> {
    let (method, after) = (trust.calibrated.as_ref()?, trust.after.as_ref()?);
    let error = |quality: &Quality| format!("{:.4}", quality.calibration_error);
    let errors = match &trust.before {
        Some(before) => format!("{} before, {} after", error(before), error(after)),
        None => error(after),
    };
    let mut chart = empty(&format!(
        "{method}, out-of-fold ({} folds); expected calibration error {errors}",
        trust.folds
    ));
    if let Some(before) = &trust.before {
        let points: Vec<_> =
            before.bins.iter().map(|bin| (bin.probability, bin.happened)).collect();
        let look = SeriesStyle { width: 1.4, ..SeriesStyle::nth(1) };
        chart = chart.layer(Mark::Line(points.clone()), look).named(
            "before",
            Mark::Points(points),
            SeriesStyle::nth(1),
        );
    }
    Some(drawn(chart, &after.bins, "after", 0))
}

/// Returns the axes and the line of perfect calibration.
fn empty(subtitle: &str) -> Chart {
    let (x, y) = (
        Axis::new("mean predicted probability").range(-0.02, 1.02),
        Axis::new("observed frequency").range(-0.02, 1.02),
    );
    Chart::new("Reliability diagram", x, y)
        .size(660.0, 520.0)
        .subtitle(subtitle)
        .describe("Observed frequency over mean predicted probability, in bins of equal width with 95 % confidence intervals.")
        .named("perfect calibration", Mark::Line(vec![(0.0, 0.0), (1.0, 1.0)]), pale())
}

/// Adds the bins as points with confidence intervals, and bars in proportion to their rows.
fn drawn(chart: Chart, bins: &[BinRecord], name: &str, series: usize) -> Chart {
    let points: Vec<(f64, f64)> = bins.iter().map(|bin| (bin.probability, bin.happened)).collect();
    let intervals = bins.iter().filter_map(|bin| {
        let (low, high) = share_interval(bin.happened, bin.weight)?;
        Some([(bin.probability, low), (bin.probability, high)])
    });
    let most = bins.iter().map(|bin| bin.weight).fold(0.0, f64::max);
    let bar = |bin: &BinRecord| {
        let (x, high) = (bin.probability, 0.08 * bin.weight / most);
        vec![(x - 0.012, 0.0), (x + 0.012, 0.0), (x + 0.012, high), (x - 0.012, high)]
    };
    let own = SeriesStyle::nth(series);
    let bar_style = SeriesStyle { opacity: 0.18, ..SeriesStyle::reference() };
    let interval_style = SeriesStyle { width: 1.6, dash: &[], ..own };
    chart
        .named("rows in the bin", Mark::Areas(bins.iter().map(bar).collect()), bar_style)
        .named("95 % CI", Mark::Segments(intervals.collect()), interval_style)
        .layer(Mark::Line(points.clone()), SeriesStyle { width: 1.2, ..own })
        .named(name, Mark::Points(points), own)
}
