//! How far probabilities can be believed: how often what is called likely happens.
//!
//! On rows with known classes as the model has them now; or, without any, on the rows that were
//! held out when the model was calibrated: before and after, as the model file keeps them.

use super::parts::{pale, short};
use super::{Files, Target};
use crate::data::{ReadArgs, ScoreArgs, name_of};
use crate::evaluation::Evaluation;
use crate::failure::Failure;
use crate::output::{Output, note};
use crate::text::number;
use clap::Args;
use linsep::metric::{calibration_error, share_interval};
use linsep_io::ModelFile;
use linsep_io::validate::{BinRecord, PostProcessingRecord, Quality};
use linsep_plot::{Axis, Chart, Mark, SeriesStyle};
use serde_json::json;
use std::path::PathBuf;

#[derive(Args)]
pub struct ReliabilityArgs {
    /// The model
    model: PathBuf,

    /// The data, with known classes [default: what was held out when the model was calibrated]
    data: Vec<PathBuf>,

    #[command(flatten)]
    target: Target,

    #[command(flatten)]
    scoring: ScoreArgs,

    #[command(flatten)]
    reading: ReadArgs,
}

impl ReliabilityArgs {
    /// What it reads and writes.
    pub(super) fn files(&self) -> Files<'_> {
        self.target
            .files("calibration")
            .reads([&self.model])
            .reads(&self.data)
            .reads(self.scoring.weights_file())
    }
}

pub fn run(args: &ReliabilityArgs, out: &Output) -> Result<(), Failure> {
    let bundle = ModelFile::load(&args.model)?;
    let model = args.model.display();
    if args.data.is_empty() {
        let trust = bundle.header.training.trust.as_ref();
        let Some((chart, after)) = trust.and_then(|t| Some((held_out(t)?, t.after.as_ref()?)))
        else {
            return Err(Failure::Usage(format!(
                "{model} was not calibrated, so there are no held-out rows to draw: name data with known classes"
            )));
        };
        let error = after.calibration_error;
        let before = trust.and_then(|t| t.before.as_ref()).map(|q| q.calibration_error);
        let words = before.map_or_else(String::new, |b| format!("{} before, ", number(b)));
        let words = format!("expected calibration error {words}{} after", number(error));
        let more = [("error", json!({ "before": before, "after": error }), words)];
        return args.target.write_with("calibration", &chart, &more, out);
    }
    let name = name_of(&args.data);
    let (evaluation, notes) = args.scoring.evaluate(&bundle, &args.data, &args.reading, out)?;
    notes.iter().for_each(|text| note(text));
    let (chart, error) = diagram(&evaluation, &name).ok_or_else(|| {
        Failure::Refused(format!(
            "{model} has no probabilities to draw: fit with --method logistic or gaussian, or with --calibrate platt"
        ))
    })?;
    let what = evaluation.what_is_likely();
    let values = json!([{ "class": what, "value": error }]);
    let words = format!("expected calibration error {} ({what})", number(error));
    args.target.write_with("calibration", &chart, &[("error", values, words)], out)
}

/// The picture of rows with known classes, and the error; none where the model has no
/// probabilities.
pub fn diagram(evaluation: &Evaluation<'_>, name: &str) -> Option<(Chart, f64)> {
    let bins = evaluation.bins()?;
    let error = calibration_error(bins)?;
    let kept = bins.iter().map(|bin| BinRecord {
        weight: bin.weight,
        probability: bin.probability,
        happened: bin.observed,
    });
    let what = evaluation.what_is_likely();
    let subtitle = format!("{}: {what}; expected calibration error {error:.4}", short(name));
    Some((drawn(empty(&subtitle), &kept.collect::<Vec<_>>(), "happened", 0), error))
}

/// The picture of what was held out for a calibration; none where there was none.
pub fn held_out(trust: &PostProcessingRecord) -> Option<Chart> {
    let (way, after) = (trust.calibrated.as_ref()?, trust.after.as_ref()?);
    let error = |quality: &Quality| format!("{:.4}", quality.calibration_error);
    let errors = match &trust.before {
        Some(before) => format!("{} before, {} after", error(before), error(after)),
        None => error(after),
    };
    let mut chart = empty(&format!(
        "{way}, on held-out rows ({} folds); expected calibration error {errors}",
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

/// Axes, and the line on which what is said happens.
fn empty(subtitle: &str) -> Chart {
    let (x, y) = (
        Axis::new("probability").range(-0.02, 1.02),
        Axis::new("share that happened").range(-0.02, 1.02),
    );
    Chart::new("Reliability", x, y)
        .size(660.0, 520.0)
        .subtitle(subtitle)
        .describe("How often what has a probability happens, over that probability, in bins of equal width with 95 % intervals.")
        .named("as it should be", Mark::Line(vec![(0.0, 0.0), (1.0, 1.0)]), pale())
}

/// Bins as points with their intervals, above heaps as high as their rows are many.
fn drawn(chart: Chart, bins: &[BinRecord], name: &str, series: usize) -> Chart {
    let points: Vec<(f64, f64)> = bins.iter().map(|bin| (bin.probability, bin.happened)).collect();
    let intervals = bins.iter().filter_map(|bin| {
        let (low, high) = share_interval(bin.happened, bin.weight)?;
        Some([(bin.probability, low), (bin.probability, high)])
    });
    let most = bins.iter().map(|bin| bin.weight).fold(0.0, f64::max);
    let heap = |bin: &BinRecord| {
        let (x, high) = (bin.probability, 0.08 * bin.weight / most);
        vec![(x - 0.012, 0.0), (x + 0.012, 0.0), (x + 0.012, high), (x - 0.012, high)]
    };
    let own = SeriesStyle::nth(series);
    let heaps = SeriesStyle { opacity: 0.18, ..SeriesStyle::reference() };
    let bars = SeriesStyle { width: 1.6, dash: &[], ..own };
    chart
        .named("rows in the bin", Mark::Areas(bins.iter().map(heap).collect()), heaps)
        .named("95 % interval", Mark::Segments(intervals.collect()), bars)
        .layer(Mark::Line(points.clone()), SeriesStyle { width: 1.2, ..own })
        .named(name, Mark::Points(points), own)
}
