//! Curves over all thresholds: `roc` and `pr`.
//!
//! Two classes have one curve. More classes have one curve each, of the class against the rest by
//! the score of the class.

use super::Fact;
use super::parts::{EvaluationArgs, pale, short};
use crate::data::name_of;
use crate::evaluation::Evaluation;
use crate::failure::Failure;
use crate::output::{Output, print_notes};
use linsep::ModelFile;
use linsep::metric::{
    ranked_auc, ranked_average_precision, ranked_precision_recall, ranked_roc, totals,
};
use linsep_plot::{Axis, Chart, Mark, SeriesStyle};
use linsep_report::number::{number, percent};
use serde_json::{Value, json};

/// Kind of curve.
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

/// A chart, and the area or average precision of each class.
pub struct Drawn {
    pub chart: Chart,
    numbers: Vec<(String, f64)>,
}

/// Limit of curves in one chart.
const MOST: usize = 8;

pub fn run(args: &EvaluationArgs, curve: Curve, out: &Output) -> Result<(), Failure> {
    let model_file = ModelFile::load(&args.model)?;
    let name = name_of(&args.data);
    let (evaluation, notes) = args.scoring.evaluate(&model_file, &args.data, &args.reading, out)?;
    print_notes(&notes);
    let drawn = draw(&evaluation, curve, &name)?.ok_or_else(|| {
        Failure::Refused(format!(
            "{name}: plot {} requires rows of two classes or more, and a model with a score per class (not one-vs-one or \
             one-vs-rest-but-last)",
            curve.name()
        ))
    })?;
    let (key, label, metric) = match curve {
        Curve::Roc => ("auc", "AUC", "area under the curve"),
        Curve::PrecisionRecall => ("precision", "AP", "average precision"),
    };
    let values: Vec<Value> =
        drawn.numbers.iter().map(|(class, v)| json!({ "class": class, "value": v })).collect();
    let texts: Vec<String> =
        drawn.numbers.iter().map(|(class, v)| format!("{class} {}", number(*v))).collect();
    let facts = [Fact {
        key,
        label,
        value: Value::from(values),
        text: format!("{metric}: {}", texts.join(", ")),
    }];
    args.target.write_with(curve.name(), &drawn.chart, &facts, out)
}

/// Returns the chart; `None` if no class has a curve.
pub fn draw(
    evaluation: &Evaluation<'_>,
    curve: Curve,
    name: &str,
) -> Result<Option<Drawn>, Failure> {
    let name = short(name);
    match curve {
        Curve::Roc => roc_curve(evaluation, name),
        Curve::PrecisionRecall => pr_curve(evaluation, name),
    }
}

fn roc_curve(evaluation: &Evaluation<'_>, name: &str) -> Result<Option<Drawn>, Failure> {
    let (x, y) = (
        Axis::new("false positive rate").range(-0.02, 1.02),
        Axis::new("true positive rate").range(-0.02, 1.02),
    );
    let mut chart = Chart::new("ROC curve", x, y)
        .size(660.0, 520.0)
        .subtitle(&format!("{name}: all thresholds, from high (lower left) to low"))
        .describe(
            "The true positive rate of a class over its false positive rate, for all thresholds.",
        )
        .named("chance", Mark::Line(vec![(0.0, 0.0), (1.0, 1.0)]), pale());
    let mut numbers = Vec::new();
    for (i, (class, side)) in evaluation.sides().enumerate().take(MOST) {
        let threshold = evaluation.model.operating_point().threshold;
        let (mut line, mut own) = (Thinned::default(), None);
        let there = ranked_roc(&side, &mut |p| {
            let at = (p.false_positive, p.true_positive);
            line.add(at);
            // The operating point: the lowest threshold that is at least the model's.
            if p.threshold.is_none_or(|t| t >= threshold) {
                own = Some(at);
            }
        })?;
        let Some(area) = ranked_auc(&side)?.filter(|_| there) else { continue };
        let line = Mark::Line(line.points());
        chart = chart.named(&format!("{class}, AUC {area:.3}"), line, SeriesStyle::nth(i));
        if evaluation.model.hyperplanes().len() == 1 {
            chart = chart.named(
                "threshold of the model",
                Mark::Points(own.into_iter().collect()),
                SeriesStyle::reference(),
            );
        }
        numbers.push((class.to_string(), area));
    }
    Ok((!numbers.is_empty()).then_some(Drawn { chart, numbers }))
}

fn pr_curve(evaluation: &Evaluation<'_>, name: &str) -> Result<Option<Drawn>, Failure> {
    let (x, y) =
        (Axis::new("recall").range(-0.02, 1.02), Axis::new("precision").range(-0.02, 1.02));
    let mut chart = Chart::new("Precision-recall curve", x, y)
        .size(660.0, 520.0)
        .subtitle(&format!("{name}: all thresholds, from high (left) to low"))
        .describe("The precision of a class over its recall, for all thresholds.");
    let mut numbers = Vec::new();
    for (i, (class, side)) in evaluation.sides().enumerate().take(MOST) {
        // A step function: each precision holds from the previous recall on.
        let (mut line, mut before) = (Thinned::default(), 0.0);
        let there = ranked_precision_recall(&side, &mut |point| {
            line.add((before, point.precision));
            line.add((point.recall, point.precision));
            before = point.recall;
        })?;
        let Some(average) = ranked_average_precision(&side)?.filter(|_| there) else { continue };
        let (ups, downs) = totals(&side)?;
        let share = ups / (ups + downs);
        let line = Mark::Line(line.points());
        chart = chart.named(&format!("{class}, AP {average:.3}"), line, SeriesStyle::nth(i));
        if numbers.is_empty() {
            chart = chart.named(
                &format!("chance: {}", percent(share)),
                Mark::HorizontalLine(share),
                pale(),
            );
        }
        numbers.push((class.to_string(), average));
    }
    Ok((!numbers.is_empty()).then_some(Drawn { chart, numbers }))
}

/// A line without the points that coincide with the previous one at any resolution, to limit the
/// file size for very many rows.
#[derive(Default)]
struct Thinned {
    points: Vec<(f64, f64)>,
    /// The last point, if it was omitted.
    last: Option<(f64, f64)>,
}

impl Thinned {
    fn add(&mut self, point: (f64, f64)) {
        /// Far below the size of a pixel.
        const NEAR: f64 = 1e-5;
        /// Number of points that are always kept.
        const FEW: usize = 10_000;
        let near = |before: &(f64, f64)| {
            (before.0 - point.0).abs() < NEAR && (before.1 - point.1).abs() < NEAR
        };
        if self.points.len() > FEW && self.points.last().is_some_and(near) {
            self.last = Some(point);
        } else {
            // A line that turns must do so at the last omitted point.
            self.points.extend(self.last.take());
            self.points.push(point);
        }
    }

    fn points(mut self) -> Vec<(f64, f64)> {
        self.points.extend(self.last);
        self.points
    }
}
