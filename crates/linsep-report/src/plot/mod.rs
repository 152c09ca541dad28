//! Plots as charts, text and JSON, one module per plot.
//!
//! A plot is a [`Chart`] of numbers from the outcome of a job; `linsep-plot` determines its
//! appearance.

mod boundaries;
pub(crate) mod coefficients;
pub(crate) mod confusion;
pub(crate) mod curves;
mod data;
mod losses;
pub(crate) mod path;
mod projection;
mod regions;
pub(crate) mod reliability;
mod scatter;
mod trace;
mod weights;

use crate::layout::{Style, Text};
use linsep::jobs::plot::{Picture, PlotOutcome};
use linsep_plot::{Chart, Format, Rgb, Scene, SeriesStyle};
use serde_json::{Value, json};

/// A result reported with a plot: JSON key and value, label and text.
struct Fact {
    key: &'static str,
    label: &'static str,
    value: Value,
    text: String,
}

/// The charts of a picture, side by side, and its facts.
fn parts(picture: &Picture) -> (Vec<Chart>, Vec<Fact>) {
    match picture {
        Picture::Losses(losses) => (vec![losses::chart(losses)], Vec::new()),
        Picture::Boundaries(plot) => (vec![boundaries::chart(plot)], Vec::new()),
        Picture::Projection(plot) => (vec![projection::chart(plot)], Vec::new()),
        Picture::Regions(plot) => (vec![regions::chart(plot)], regions::facts(plot)),
        Picture::Data(plot) => (vec![data::chart(plot)], vec![data::fact(plot)]),
        Picture::Trace(plot) => (trace::charts(plot), vec![trace::fact(plot)]),
        Picture::Weights(space) => (weights::charts(space), weights::facts(space)),
        Picture::Confusion(matrix) => {
            (vec![confusion::chart(matrix)], vec![confusion::fact(matrix)])
        }
        Picture::Coefficients(plot) => {
            (vec![coefficients::chart(plot)], vec![coefficients::fact(plot)])
        }
        Picture::Curves(curves) => (vec![curves::chart(curves)], vec![curves::fact(curves)]),
        Picture::Reliability(diagram) => {
            (vec![reliability::chart(diagram)], vec![reliability::fact(diagram)])
        }
        Picture::OutOfFoldReliability(diagram) => (
            vec![reliability::out_of_fold_chart(diagram)],
            vec![reliability::out_of_fold_fact(diagram)],
        ),
        Picture::Path(plot) => (vec![path::chart(plot)], vec![path::fact(plot)]),
        Picture::Tuning(tuning) => (vec![path::tuning_chart(tuning)], Vec::new()),
    }
}

/// The picture as shapes.
pub(crate) fn scene(picture: &Picture) -> Scene {
    let charts = parts(picture).0;
    let mut scenes: Vec<Scene> = charts.iter().map(Chart::scene).collect();
    match scenes.len() {
        1 => scenes.remove(0),
        _ => Scene::side_by_side(scenes),
    }
}

/// A chart as an SVG element.
pub(crate) fn svg(chart: &Chart) -> String {
    linsep_plot::svg(&chart.scene())
}

/// Names in the legends, without repetition.
fn series(charts: &[Chart]) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for name in charts.iter().flat_map(Chart::names) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// File, series and facts of a plot as text.
pub(crate) fn text(outcome: &PlotOutcome, style: Style) -> String {
    let (charts, facts) = parts(&outcome.picture);
    let mut text = Text::new(style);
    if let Some(file) = &outcome.file {
        text.whole_entry("plot", file);
    }
    let series = series(&charts);
    if !series.is_empty() {
        text.entry("series", &series.join(", "));
    }
    facts.iter().for_each(|fact| text.entry(fact.label, &fact.text));
    text.finish()
}

/// File, series and facts of a plot as one JSON object.
pub(crate) fn json(outcome: &PlotOutcome) -> Value {
    let (charts, facts) = parts(&outcome.picture);
    let mut json = json!({ "plot": outcome.picture.name() });
    if let Some(file) = &outcome.file {
        json["path"] = json!(file);
        json["format"] = json!(Format::of_file(file.as_ref()).map(Format::name));
    }
    json["curves"] = series(&charts).iter().map(|name| json!({ "name": name })).collect();
    facts.into_iter().for_each(|fact| json[fact.key] = fact.value);
    json
}

/// Returns the name of a data file without its folder, for a subtitle.
pub(crate) fn short(name: &str) -> &str {
    name.rsplit(['/', '\\']).next().unwrap_or(name)
}

/// The style of reference lines: chance, perfect calibration.
fn pale() -> SeriesStyle {
    let color = Rgb(0x75, 0x75, 0x75);
    SeriesStyle { width: 1.2, dash: &[3.0, 4.0], color, ..SeriesStyle::reference() }
}
