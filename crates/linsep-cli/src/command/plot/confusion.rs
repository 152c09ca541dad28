//! Which classes are taken for which: the confusion matrix as a field of shades, by the share of
//! each true class.

use super::parts::{JudgedArgs, short};
use crate::data::name_of;
use crate::evaluation::Evaluation;
use crate::failure::Failure;
use crate::output::{Output, note};
use crate::text::{count, percent};
use linsep::Label;
use linsep_io::ModelFile;
use linsep_plot::{Anchor, Axis, Chart, Mark, SeriesStyle};
use serde_json::json;

pub fn run(args: &JudgedArgs, out: &Output) -> Result<(), Failure> {
    let bundle = ModelFile::load(&args.model)?;
    let (evaluation, notes) = args.scoring.evaluate(&bundle, &args.data, &args.reading, out)?;
    notes.iter().for_each(|text| note(text));
    let accuracy = evaluation.accuracy;
    let more = [("accuracy", json!(accuracy), percent(accuracy))];
    args.target.write_with("confusion", &chart(&evaluation, &name_of(&args.data)), &more, out)
}

/// The picture of what was predicted as what.
pub fn chart(evaluation: &Evaluation<'_>, name: &str) -> Chart {
    let name = short(name);
    /// Numbers are written into so many cells a side at the most.
    const WRITTEN: usize = 12;
    let names: Vec<String> = evaluation.classes().iter().map(Label::to_string).collect();
    let k = names.len();
    // Where numbers are written, dark ink is to be read on every shade.
    let darkest = if k <= WRITTEN { 0.4 } else { 0.9 };
    let confusion = &evaluation.confusion;
    let mut chart = Chart::new(
        "Confusion matrix",
        Axis::named("predicted as", names.clone()),
        Axis::named("rows of", names).reversed(),
    )
    .size(620.0_f64.max(26.0 * k as f64 + 200.0), 460.0_f64.max(22.0 * k as f64 + 160.0))
    .subtitle(&format!(
        "{name}: {} right; shades are shares of a row",
        percent(evaluation.accuracy)
    ))
    .describe("A matrix of classes: rows of each class, columns by what they were predicted as.");
    for (c, name) in ["right", "wrong"].into_iter().enumerate() {
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
