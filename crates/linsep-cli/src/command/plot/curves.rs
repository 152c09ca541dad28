//! Curves over all thresholds, and how far probabilities can be believed: what `roc`, `pr` and `calibration` have in common.
//!
//! Of two classes there is one curve. Of more there is one for each class against the rest, by its own score.

use super::parts::{JudgedArgs, short};
use crate::data::name_of;
use crate::evaluation::Evaluation;
use crate::failure::Failure;
use crate::output::{Output, note};
use crate::text::{number, percent};
use linsep::metric::{auc, average_precision, calibration_error, precision_recall, roc};
use linsep_io::Bundle;
use linsep_plot::{Axis, Chart, Colour, Look, Mark};
use serde_json::{Value, json};

/// Which curve.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Curve {
    Roc,
    PrecisionRecall,
    Calibration,
}

impl Curve {
    fn name(self) -> &'static str {
        match self {
            Self::Roc => "roc",
            Self::PrecisionRecall => "pr",
            Self::Calibration => "calibration",
        }
    }
}

/// A picture, and the numbers below its curves, by class.
pub struct Drawn {
    pub chart: Chart,
    numbers: Vec<(String, f64)>,
}

/// Classes whose curves can be told apart.
const MOST: usize = 8;

pub fn run(args: &JudgedArgs, curve: Curve, out: &Output) -> Result<(), Failure> {
    let bundle = Bundle::load(&args.model)?;
    let name = name_of(&args.data);
    let (evaluation, notes) = args.scoring.evaluate(&bundle, &args.data, &args.reading, out)?;
    notes.iter().for_each(|text| note(text));
    let drawn =
        draw(&evaluation, curve, &name).ok_or_else(|| refusal(&args.model, curve, &name))?;
    let (key, what) = match curve {
        Curve::Roc => ("auc", "area under the curve"),
        Curve::PrecisionRecall => ("precision", "average precision"),
        Curve::Calibration => ("error", "expected calibration error"),
    };
    let values: Vec<Value> =
        drawn.numbers.iter().map(|(class, v)| json!({ "class": class, "value": v })).collect();
    let words: Vec<String> =
        drawn.numbers.iter().map(|(class, v)| format!("{class} {}", number(*v))).collect();
    let more = [(key, Value::from(values), format!("{what}: {}", words.join(", ")))];
    args.target.write_with(curve.name(), &drawn.chart, &more, out)
}

fn refusal(model: &std::path::Path, curve: Curve, name: &str) -> Failure {
    let model = model.display();
    Failure::Refused(match curve {
        Curve::Calibration => format!(
            "{model} has no probabilities to draw: fit with --method logistic or gaussian, or with --calibrate platt"
        ),
        Curve::Roc | Curve::PrecisionRecall => format!(
            "{name}: a curve takes rows of both kinds, and a model whose classes have scores of their own (not pairs, \
             nor one plane fewer than classes)"
        ),
    })
}

/// The picture; none where there is nothing to draw.
pub fn draw(evaluation: &Evaluation<'_>, curve: Curve, name: &str) -> Option<Drawn> {
    let name = short(name);
    match curve {
        Curve::Roc => roc_curve(evaluation, name),
        Curve::PrecisionRecall => pr_curve(evaluation, name),
        Curve::Calibration => reliability_diagram(evaluation, name),
    }
}

fn roc_curve(evaluation: &Evaluation<'_>, name: &str) -> Option<Drawn> {
    let (x, y) = (
        Axis::new("false positives: share of other rows").range(-0.02, 1.02),
        Axis::new("true positives: share of its rows").range(-0.02, 1.02),
    );
    let chance = Look { width: 1.2, ..Look::reference() }
        .dashed(&[3.0, 4.0])
        .in_colour(Colour(0x75, 0x75, 0x75));
    let mut chart = Chart::new("ROC curve", x, y)
        .size(660.0, 520.0)
        .subtitle(&format!("{name}: all thresholds, from strict (lower left) to lax"))
        .describe("The share of rows of a class that are found, over the share of other rows that are taken for it.")
        .named("chance", Mark::Line(vec![(0.0, 0.0), (1.0, 1.0)]), chance);
    let mut numbers = Vec::new();
    for (i, side) in evaluation.sides()?.into_iter().enumerate().take(MOST) {
        let Some(points) = roc(&side.positive, &side.scores, side.weights) else { continue };
        let area = auc(&side.positive, &side.scores, side.weights)?;
        let line = points.iter().map(|p| (p.false_positive, p.true_positive)).collect();
        chart =
            chart.named(&format!("{}, area {area:.3}", side.class), Mark::Line(line), Look::nth(i));
        if let (Some(threshold), 1) = (side.threshold, numbers.len() + 1) {
            // Where the model itself stands: the laxest threshold at or above its own.
            let own = points.iter().rfind(|p| p.threshold.is_none_or(|t| t >= threshold));
            let own = own.map(|p| (p.false_positive, p.true_positive));
            chart = chart.named(
                "as the model decides",
                Mark::Points(own.into_iter().collect()),
                Look::reference(),
            );
        }
        numbers.push((side.class, area));
    }
    (!numbers.is_empty()).then_some(Drawn { chart, numbers })
}

fn pr_curve(evaluation: &Evaluation<'_>, name: &str) -> Option<Drawn> {
    let (x, y) = (
        Axis::new("recall: share of its rows that are found").range(-0.02, 1.02),
        Axis::new("precision: share of finds that are right").range(-0.02, 1.02),
    );
    let mut chart = Chart::new("Precision and recall", x, y)
        .size(660.0, 520.0)
        .subtitle(&format!("{name}: all thresholds, from strict (left) to lax"))
        .describe("Of the rows taken for a class the share that are right, over the share of its rows that are found.");
    let mut numbers = Vec::new();
    for (i, side) in evaluation.sides()?.into_iter().enumerate().take(MOST) {
        let Some(points) = precision_recall(&side.positive, &side.scores, side.weights) else {
            continue;
        };
        let average = average_precision(&side.positive, &side.scores, side.weights)?;
        // Steps: precision holds from the recall before.
        let mut line = Vec::with_capacity(2 * points.len());
        let mut before = 0.0;
        for point in &points {
            line.push((before, point.precision));
            line.push((point.recall, point.precision));
            before = point.recall;
        }
        let share = side.share();
        chart = chart.named(
            &format!("{}, average {average:.3}", side.class),
            Mark::Line(line),
            Look::nth(i),
        );
        if numbers.is_empty() {
            let grey = Look { width: 1.2, ..Look::reference() }
                .dashed(&[3.0, 4.0])
                .in_colour(Colour(0x75, 0x75, 0x75));
            chart = chart.named(&format!("chance: {}", percent(share)), Mark::Across(share), grey);
        }
        numbers.push((side.class, average));
    }
    (!numbers.is_empty()).then_some(Drawn { chart, numbers })
}

fn reliability_diagram(evaluation: &Evaluation<'_>, name: &str) -> Option<Drawn> {
    let bins = evaluation.bins()?;
    let error = calibration_error(&bins)?;
    let (x, y) = (
        Axis::new("probability").range(-0.02, 1.02),
        Axis::new("share that happened").range(-0.02, 1.02),
    );
    let what = evaluation.what_is_likely();
    let grey = Look { width: 1.2, ..Look::reference() }
        .dashed(&[3.0, 4.0])
        .in_colour(Colour(0x75, 0x75, 0x75));
    let points: Vec<(f64, f64)> = bins.iter().map(|bin| (bin.probability, bin.happened)).collect();
    let intervals = bins.iter().filter_map(|bin| {
        let (low, high) = linsep::metric::share_interval(bin.happened, bin.weight)?;
        Some([(bin.probability, low), (bin.probability, high)])
    });
    let most = bins.iter().map(|bin| bin.weight).fold(0.0, f64::max);
    let heap = |bin: &linsep::metric::Bin| {
        let (x, high) = (bin.probability, 0.08 * bin.weight / most);
        vec![(x - 0.012, 0.0), (x + 0.012, 0.0), (x + 0.012, high), (x - 0.012, high)]
    };
    let chart = Chart::new("Reliability", x, y)
        .size(660.0, 520.0)
        .subtitle(&format!("{name}: {what}; expected calibration error {}", number(error)))
        .describe("How often what has a probability happens, over that probability, in bins of equal width with 95 % intervals.")
        .named("as it should be", Mark::Line(vec![(0.0, 0.0), (1.0, 1.0)]), grey)
        .named("rows in the bin", Mark::Areas(bins.iter().map(heap).collect()), Look { opacity: 0.18, ..Look::reference() })
        .named("95 % interval", Mark::Segments(intervals.collect()), Look { width: 1.6, dash: &[], ..Look::nth(0) })
        .layer(Mark::Line(points.clone()), Look { width: 1.2, ..Look::nth(0) })
        .named("happened", Mark::Points(points), Look::nth(0));
    Some(Drawn { chart, numbers: vec![(what, error)] })
}
