//! Curves over all thresholds: `roc` and `pr`, which have most in common.
//!
//! Of two classes there is one curve. Of more there is one for each class against the rest, by its
//! own score.

use super::parts::{JudgedArgs, pale, short};
use crate::data::name_of;
use crate::evaluation::Evaluation;
use crate::failure::Failure;
use crate::output::{Output, note};
use crate::text::{number, percent};
use linsep::metric::{
    ranked_auc, ranked_average_precision, ranked_precision_recall, ranked_roc, totals,
};
use linsep_io::ModelFile;
use linsep_plot::{Axis, Chart, Mark, SeriesStyle};
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
    let bundle = ModelFile::load(&args.model)?;
    let name = name_of(&args.data);
    let (evaluation, notes) = args.scoring.evaluate(&bundle, &args.data, &args.reading, out)?;
    notes.iter().for_each(|text| note(text));
    let drawn = draw(&evaluation, curve, &name)?.ok_or_else(|| {
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
        Axis::new("false positives: share of other rows").range(-0.02, 1.02),
        Axis::new("true positives: share of its rows").range(-0.02, 1.02),
    );
    let mut chart = Chart::new("ROC curve", x, y)
        .size(660.0, 520.0)
        .subtitle(&format!("{name}: all thresholds, from strict (lower left) to lax"))
        .describe("The share of rows of a class that are found, over the share of other rows that are taken for it.")
        .named("chance", Mark::Line(vec![(0.0, 0.0), (1.0, 1.0)]), pale());
    let mut numbers = Vec::new();
    for (i, (class, side)) in evaluation.sides().enumerate().take(MOST) {
        let threshold = evaluation.model.operating_point().threshold;
        let (mut line, mut own) = (Thinned::default(), None);
        let there = ranked_roc(&side, &mut |p| {
            let at = (p.false_positive, p.true_positive);
            line.add(at);
            // Where the model itself stands: the laxest threshold at or above its own.
            if p.threshold.is_none_or(|t| t >= threshold) {
                own = Some(at);
            }
        })?;
        let Some(area) = ranked_auc(&side)?.filter(|_| there) else { continue };
        let line = Mark::Line(line.points());
        chart = chart.named(&format!("{class}, area {area:.3}"), line, SeriesStyle::nth(i));
        if evaluation.model.hyperplanes().len() == 1 {
            chart = chart.named(
                "as the model decides",
                Mark::Points(own.into_iter().collect()),
                SeriesStyle::reference(),
            );
        }
        numbers.push((class.to_string(), area));
    }
    Ok((!numbers.is_empty()).then_some(Drawn { chart, numbers }))
}

fn pr_curve(evaluation: &Evaluation<'_>, name: &str) -> Result<Option<Drawn>, Failure> {
    let (x, y) = (
        Axis::new("recall: share of its rows that are found").range(-0.02, 1.02),
        Axis::new("precision: share of finds that are right").range(-0.02, 1.02),
    );
    let mut chart = Chart::new("Precision and recall", x, y)
        .size(660.0, 520.0)
        .subtitle(&format!("{name}: all thresholds, from strict (left) to lax"))
        .describe("Of the rows taken for a class the share that are right, over the share of its rows that are found.");
    let mut numbers = Vec::new();
    for (i, (class, side)) in evaluation.sides().enumerate().take(MOST) {
        // Steps: precision holds from the recall before.
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
        chart = chart.named(&format!("{class}, average {average:.3}"), line, SeriesStyle::nth(i));
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

/// A line without the points that nobody could tell from the one before: all scores of very many
/// rows need not be drawn.
#[derive(Default)]
struct Thinned {
    points: Vec<(f64, f64)>,
    /// The last point, where it was left out.
    last: Option<(f64, f64)>,
}

impl Thinned {
    fn add(&mut self, point: (f64, f64)) {
        /// Far below a pixel of any picture.
        const NEAR: f64 = 1e-5;
        /// So many points are drawn as they are.
        const FEW: usize = 10_000;
        let near = |before: &(f64, f64)| {
            (before.0 - point.0).abs() < NEAR && (before.1 - point.1).abs() < NEAR
        };
        if self.points.len() > FEW && self.points.last().is_some_and(near) {
            self.last = Some(point);
        } else {
            // A line that turns does so where it was left.
            self.points.extend(self.last.take());
            self.points.push(point);
        }
    }

    fn points(mut self) -> Vec<(f64, f64)> {
        self.points.extend(self.last);
        self.points
    }
}
