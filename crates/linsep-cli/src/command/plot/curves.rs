//! Curves over all thresholds: `roc` and `pr`, which have most in common.
//!
//! Of two classes there is one curve. Of more there is one for each class against the rest, by its own score.

use super::parts::{JudgedArgs, pale, short};
use crate::data::name_of;
use crate::evaluation::Evaluation;
use crate::failure::Failure;
use crate::output::{Output, note};
use crate::text::{number, percent};
use linsep::metric::{auc, average_precision, precision_recall, roc};
use linsep_io::Bundle;
use linsep_plot::{Axis, Chart, Look, Mark};
use serde_json::{Value, json};

/// Which curve.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Curve {
    Roc,
    PrecisionRecall,
}

impl Curve {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Roc => "roc",
            Self::PrecisionRecall => "pr",
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
    let drawn = draw(&evaluation, curve, &name).ok_or_else(|| {
        Failure::Refused(format!(
            "{name}: a curve takes rows of both kinds, and a model whose classes have scores of their own (not pairs, \
             nor one plane fewer than classes)"
        ))
    })?;
    let (key, what) = match curve {
        Curve::Roc => ("auc", "area under the curve"),
        Curve::PrecisionRecall => ("precision", "average precision"),
    };
    let values: Vec<Value> =
        drawn.numbers.iter().map(|(class, v)| json!({ "class": class, "value": v })).collect();
    let words: Vec<String> =
        drawn.numbers.iter().map(|(class, v)| format!("{class}: {}", number(*v))).collect();
    let more = [(key, Value::from(values), format!("{what} of {}", words.join(", ")))];
    args.target.write_with(curve.name(), &drawn.chart, &more, out)
}

/// The picture; none where there is nothing to draw.
pub fn draw(evaluation: &Evaluation<'_>, curve: Curve, name: &str) -> Option<Drawn> {
    let name = short(name);
    match curve {
        Curve::Roc => roc_curve(evaluation, name),
        Curve::PrecisionRecall => pr_curve(evaluation, name),
    }
}

fn roc_curve(evaluation: &Evaluation<'_>, name: &str) -> Option<Drawn> {
    let (x, y) = (
        Axis::new("false positives: share of other rows").range(-0.02, 1.02),
        Axis::new("true positives: share of its rows").range(-0.02, 1.02),
    );
    let mut chart = Chart::new("ROC curve", x, y)
        .size(660.0, 520.0)
        .subtitle(&format!("{name}: all thresholds, from strict (lower left) to lax"))
        .describe("The share of rows of a class that are found, over the share of other rows that are taken for it.")
        .named("chance", Mark::Line(vec![(0.0, 0.0), (1.0, 1.0)]), pale());
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
            chart =
                chart.named(&format!("chance: {}", percent(share)), Mark::Across(share), pale());
        }
        numbers.push((side.class, average));
    }
    (!numbers.is_empty()).then_some(Drawn { chart, numbers })
}
