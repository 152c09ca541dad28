//! Decision regions of a model of two features.
//!
//! Two schemes of the lectures have ambiguous regions: k − 1 hyperplanes, where two of them claim a
//! point, and pairs, where the most votes are tied. These regions are gray and hatched, to differ
//! from a pale color.

use super::parts::window;
use super::{Fact, Files, Target};
use crate::data::{ReadArgs, ScoreArgs, name_of};
use crate::failure::Failure;
use crate::output::{Output, print_notes};
use clap::Args;
use linsep::model::{Piece, Point, Regions, Window};
use linsep::model_file::Header;
use linsep::{Hyperplane, Label, LinearModel};
use linsep::{ModelFile, Scoring, Source};
use linsep_plot::{Axis, Chart, Mark, Rgb, SeriesStyle};
use linsep_report::number::percent;
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::PathBuf;

#[derive(Args)]
pub struct RegionsArgs {
    /// Model file of two features
    model: PathBuf,

    /// Data files, whose rows are drawn as points
    #[arg(required = true)]
    data: Vec<PathBuf>,

    #[command(flatten)]
    pub target: Target,

    #[command(flatten)]
    scoring: ScoreArgs,

    #[command(flatten)]
    reading: ReadArgs,
}

impl RegionsArgs {
    /// Returns the files read and written.
    pub(super) fn files(&self) -> Files<'_> {
        self.target
            .files("regions")
            .reads([&self.model])
            .reads(&self.data)
            .reads(self.scoring.weights_file())
    }
}

/// Rows as points of the plot, with their classes.
struct Rows {
    points: Vec<(f64, f64)>,
    classes: Vec<Label>,
}

pub fn run(args: &RegionsArgs, out: &Output) -> Result<(), Failure> {
    let model_file = ModelFile::load(&args.model)?;
    let model = &model_file.model;
    if model.d() != 2 {
        return Err(Failure::Refused(format!(
            "{}: plot regions requires a model of 2 features, found {}. Fit a model of two columns with --columns.",
            args.model.display(),
            model.d()
        )));
    }
    let rows = args.rows(&model_file, out)?;
    if rows.points.is_empty() {
        return Err(Failure::Refused(format!(
            "{}: no row has both features and a class",
            name_of(&args.data)
        )));
    }
    let window = window(&rows.points);
    let regions = Regions::of(model, &window)?;
    let chart = chart(&model_file, &rows, &window, &regions);
    let shares: Vec<Value> = (0..)
        .zip(model.classes())
        .map(|(c, class)| json!({ "class": Header::class(class), "share": regions.of_class(c) }))
        .collect();
    let mut facts = vec![Fact {
        key: "shares",
        label: "shares",
        value: Value::from(shares),
        text: shares_text(model, &regions),
    }];
    if model.decision_rule().has_ambiguous_regions() {
        let share = regions.ambiguous();
        let text = format!("{} of the plot area", percent(share));
        facts.push(Fact { key: "ambiguous", label: "ambiguous", value: json!(share), text });
    }
    args.target.write_with("regions", &chart, &facts, out)
}

impl RegionsArgs {
    /// Returns the two features and the class of every row.
    fn rows(&self, model_file: &ModelFile, out: &Output) -> Result<Rows, Failure> {
        // Hyperplanes of one unit coefficient each: their scores are the features.
        let axis =
            |j| Hyperplane { w: (0..2).map(|i| if i == j { 1.0 } else { 0.0 }).collect(), b: 0.0 };
        let columns = [axis(0), axis(1)];
        let (read, map) = (self.reading.options(out), self.scoring.map(model_file)?);
        let scoring = Scoring {
            model_file,
            hyperplanes: &columns,
            read: &read,
            labels: true,
            target: self.scoring.target.as_deref(),
            counts: &[],
            weights: None,
            map: &map,
        };
        let mut rows = Rows { points: Vec::new(), classes: Vec::new() };
        for path in &self.data {
            let notes = scoring.run(Source::open(path)?, |batch| {
                let Some(labels) = &batch.labels else { return Ok(()) };
                let mut scores = batch.scores.chunks_exact(2);
                for (i, kept) in batch.kept.iter().enumerate() {
                    let point = if *kept { scores.next() } else { None };
                    if let (Some(point), Some(label)) = (point, labels.get(i)) {
                        rows.points.push((point[0], point[1]));
                        rows.classes.push(label.clone());
                    }
                }
                Ok(())
            })?;
            print_notes(&notes);
        }
        Ok(rows)
    }
}

fn chart(model_file: &ModelFile, rows: &Rows, window: &Window, regions: &Regions) -> Chart {
    let names = model_file.header.recipe.features();
    let axis = |j: usize| Axis::new(&names[j]).range(window.low[j], window.high[j]);
    let scheme =
        model_file.header.multiclass.as_deref().map_or(String::new(), |s| format!(", {s}"));
    let ambiguous = regions.ambiguous();
    let mut subtitle = format!("{}{scheme}", model_file.header.method);
    if model_file.model.decision_rule().has_ambiguous_regions() {
        let _ = write!(subtitle, ": {} ambiguous", percent(ambiguous));
    }
    let mut chart = Chart::new("Decision regions", axis(0), axis(1))
        .subtitle(&subtitle)
        .describe("Regions by predicted class, with the rows of the data as points.");
    let areas = |wanted: &dyn Fn(&Piece) -> bool| {
        let pieces = regions.pieces.iter().filter(|piece| wanted(piece));
        Mark::Areas(pieces.map(|piece| corners(&piece.corners)).collect())
    };
    for (c, class) in (0..).zip(model_file.model.classes()) {
        let mark = areas(&|piece| piece.class == c && !piece.ambiguous);
        chart = chart.named(&class.to_string(), mark, SeriesStyle::nth(c as usize));
    }
    if ambiguous > 0.0 {
        let gray = SeriesStyle { opacity: 0.3, ..SeriesStyle::reference() }
            .with_color(Rgb(0x80, 0x80, 0x80));
        let name = "ambiguous region";
        chart = chart.named(name, areas(&|piece| piece.ambiguous), gray);
        let hatch = regions.pieces.iter().filter(|piece| piece.ambiguous);
        let lines = hatch.flat_map(|piece| hatch_lines(&piece.corners, window)).collect();
        chart = chart.named(name, Mark::Hatch(lines), SeriesStyle { width: 0.8, ..gray });
    }
    let line = |[a, b]: &[Point; 2]| [(a[0], a[1]), (b[0], b[1])];
    chart = chart.layer(
        Mark::Segments(regions.borders.iter().map(line).collect()),
        SeriesStyle::reference(),
    );
    for (c, class) in model_file.model.classes().iter().enumerate() {
        let own = rows.points.iter().zip(&rows.classes).filter(|(_, label)| *label == class);
        let points = Mark::Points(own.map(|(point, _)| *point).collect());
        chart = chart.named(&class.to_string(), points, SeriesStyle::nth(c));
    }
    chart
}

fn corners(points: &[Point]) -> Vec<(f64, f64)> {
    points.iter().map(|p| (p[0], p[1])).collect()
}

/// Returns the hatching lines of a convex polygon, parallel to the diagonal of the plot.
fn hatch_lines(corners: &[Point], window: &Window) -> Vec<[(f64, f64); 2]> {
    const LINES: f64 = 60.0;
    let wide = [window.high[0] - window.low[0], window.high[1] - window.low[1]];
    // Lines are the level sets of integer levels.
    let level =
        |p: Point| LINES * ((p[1] - window.low[1]) / wide[1] - (p[0] - window.low[0]) / wide[0]);
    let levels: Vec<f64> = corners.iter().map(|p| level(*p)).collect();
    let low = levels.iter().copied().fold(f64::INFINITY, f64::min);
    let high = levels.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut lines = Vec::new();
    let mut at = low.ceil();
    while at < high {
        let mut ends = Vec::new();
        for i in 0..corners.len() {
            let next = (i + 1) % corners.len();
            let (a, b) = (levels[i] - at, levels[next] - at);
            if (a < 0.0) != (b < 0.0) {
                let part = a / (a - b);
                let along = |axis: usize| {
                    corners[i][axis] + part * (corners[next][axis] - corners[i][axis])
                };
                ends.push((along(0), along(1)));
            }
        }
        if let [a, b] = ends[..] {
            lines.push([a, b]);
        }
        at += 1.0;
    }
    lines
}

/// Returns the share of each class in the plot area as text.
fn shares_text(model: &LinearModel, regions: &Regions) -> String {
    const SHOWN: usize = 12;
    let share = |(c, class): (u32, &Label)| format!("{class} {}", percent(regions.of_class(c)));
    let all: Vec<String> = (0..).zip(model.classes()).take(SHOWN).map(share).collect();
    all.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hatching_stays_inside_the_polygon() {
        let window = Window { low: [0.0, 0.0], high: [1.0, 1.0] };
        let square = [[0.2, 0.2], [0.4, 0.2], [0.4, 0.4], [0.2, 0.4]];
        let lines = hatch_lines(&square, &window);
        assert!(
            (22..=25).contains(&lines.len()),
            "levels from −12 to 12, the ends of which are corners"
        );
        for (x, y) in lines.concat() {
            assert!(
                (0.2 - 1e-12..=0.4 + 1e-12).contains(&x)
                    && (0.2 - 1e-12..=0.4 + 1e-12).contains(&y)
            );
        }
    }

    #[test]
    fn a_single_point_has_a_window_around_it() {
        let one = window(&[(3.0, -5.0)]);
        assert!(one.low[0] < 3.0 && one.high[0] > 3.0 && one.low[1] < -5.0 && one.high[1] > -5.0);
    }
}
