//! Curves over all thresholds: ROC and precision-recall.

use super::{Fact, pale, short};
use crate::number::{number, percent};
use linsep::jobs::plot::{ClassCurve, ClassCurves, Curve};
use linsep_plot::{Axis, Chart, Mark, SeriesStyle};
use serde_json::{Value, json};

/// The area or average precision of each class.
pub(super) fn fact(curves: &ClassCurves) -> Fact {
    let (key, label, metric) = match curves.kind {
        Curve::Roc => ("auc", "AUC", "area under the curve"),
        Curve::PrecisionRecall => ("precision", "AP", "average precision"),
    };
    let classes = &curves.classes;
    let texts: Vec<String> =
        classes.iter().map(|c| format!("{} {}", c.class, number(c.value))).collect();
    let value: Vec<Value> =
        classes.iter().map(|c| json!({ "class": c.class, "value": c.value })).collect();
    Fact { key, label, value: value.into(), text: format!("{metric}: {}", texts.join(", ")) }
}

/// The chart of the curves.
pub(crate) fn chart(curves: &ClassCurves) -> Chart {
    let name = short(&curves.data);
    let axis = |label: &str| Axis::new(label).range(-0.02, 1.02);
    let chart = match curves.kind {
        Curve::Roc => Chart::new(
            "ROC curve",
            axis("false positive rate"),
            axis("true positive rate"),
        )
        .subtitle(&format!("{name}: all thresholds, from high (lower left) to low"))
        .describe(
            "The true positive rate of a class over its false positive rate, for all thresholds.",
        )
        .named("chance", Mark::Line(vec![(0.0, 0.0), (1.0, 1.0)]), pale()),
        Curve::PrecisionRecall => {
            Chart::new("Precision-recall curve", axis("recall"), axis("precision"))
                .subtitle(&format!("{name}: all thresholds, from high (left) to low"))
                .describe("The precision of a class over its recall, for all thresholds.")
        }
    };
    let mut chart = chart.size(660.0, 520.0);
    for (i, curve) in curves.classes.iter().enumerate() {
        let ClassCurve { class, at, value, share, points } = curve;
        let metric = match curves.kind {
            Curve::Roc => "AUC",
            Curve::PrecisionRecall => "AP",
        };
        let line = Mark::Line(points.clone());
        chart = chart.named(&format!("{class}, {metric} {value:.3}"), line, SeriesStyle::nth(*at));
        if curves.kind == Curve::PrecisionRecall && i == 0 {
            let name = format!("chance: {}", percent(*share));
            chart = chart.named(&name, Mark::HorizontalLine(*share), pale());
        }
    }
    match curves.operating_point {
        Some(own) => {
            let point = Mark::Points(vec![own]);
            chart.named("threshold of the model", point, SeriesStyle::reference())
        }
        None => chart,
    }
}
