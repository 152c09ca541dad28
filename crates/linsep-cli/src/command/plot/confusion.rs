//! Confusion matrix as a heat map, shaded by the share of each true class.

use super::Fact;
use super::parts::{EvaluationArgs, short};
use crate::data::name_of;
use crate::evaluation::Evaluation;
use crate::failure::Failure;
use crate::output::{Output, print_notes};
use linsep::Label;
use linsep::ModelFile;
use linsep_plot::{Anchor, Axis, Chart, Mark, SeriesStyle};
use linsep_report::number::{count, percent};
use serde_json::json;

pub fn run(args: &EvaluationArgs, out: &Output) -> Result<(), Failure> {
    let model_file = ModelFile::load(&args.model)?;
    let (evaluation, notes) = args.scoring.evaluate(&model_file, &args.data, &args.reading, out)?;
    print_notes(&notes);
    let accuracy = evaluation.accuracy;
    let facts = [Fact {
        key: "accuracy",
        label: "accuracy",
        value: json!(accuracy),
        text: percent(accuracy),
    }];
    args.target.write_with("confusion", &chart(&evaluation, &name_of(&args.data)), &facts, out)
}

/// Returns the chart of the confusion matrix.
pub fn chart(evaluation: &Evaluation<'_>, name: &str) -> Chart {
    let name = short(name);
    /// Limit of classes for numbers in the cells.
    const WRITTEN: usize = 12;
    let names: Vec<String> = evaluation.classes().iter().map(Label::to_string).collect();
    let k = names.len();
    // Numbers must be readable on every shade.
    let darkest = if k <= WRITTEN { 0.4 } else { 0.9 };
    let confusion = &evaluation.confusion;
    let mut chart = Chart::new(
        "Confusion matrix",
        Axis::named("predicted class", names.clone()),
        Axis::named("true class", names).reversed(),
    )
    .size(620.0_f64.max(26.0 * k as f64 + 200.0), 460.0_f64.max(22.0 * k as f64 + 160.0))
    .subtitle(&format!(
        "{name}: accuracy {}; shading: share of the true class",
        percent(evaluation.accuracy)
    ))
    .describe(
        "The confusion matrix: a line for each true class, a column for each predicted class.",
    );
    for (c, name) in ["correct", "misclassified"].into_iter().enumerate() {
        let look = SeriesStyle { opacity: darkest, ..SeriesStyle::nth(c) };
        chart = chart.named(name, Mark::Areas(Vec::new()), look);
    }
    for (i, row) in confusion.rows().enumerate() {
        let total: f64 = row.iter().sum();
        for (j, &cell) in row.iter().enumerate().filter(|(_, cell)| **cell > 0.0) {
            let (x, y) = (j as f64, i as f64);
            let corner = |dx: f64, dy: f64| (x + 0.48 * dx, y + 0.48 * dy);
            let square =
                vec![corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
            let opacity = 0.06 + (darkest - 0.06) * cell / total;
            let look = SeriesStyle { opacity, ..SeriesStyle::nth(usize::from(i != j)) };
            chart = chart.layer(Mark::Areas(vec![square]), look);
        }
        if k <= WRITTEN {
            for (j, &cell) in row.iter().enumerate() {
                let at = (j as f64, i as f64);
                chart = chart
                    .layer(Mark::Note(at, count(cell), Anchor::Middle), SeriesStyle::reference());
            }
        }
    }
    chart
}
