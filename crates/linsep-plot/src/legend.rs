//! The legend: right of the axes, where it cannot cover data.

use crate::chart::Chart;
use crate::color::SOFT_INK;
use crate::font;
use crate::marks;
use crate::polyline::Frame;
use crate::scene::{Scene, Text};

const SIZE: f64 = 12.0;
/// Height of an entry.
const STEP: f64 = 21.0;
/// Distance between axes and legend.
const GAP: f64 = 20.0;
/// Width of a key: shows at least one period of every dash pattern.
const KEY: f64 = 40.0;
/// Distance between a key and its name.
const SPACE: f64 = 8.0;
/// Maximum width of a name, relative to the width of the chart.
const WIDEST: f64 = 0.25;
/// Allowance for wider fonts, which an SVG viewer may substitute.
const SLACK: f64 = 1.06;

/// Width of the legend; 0 without names.
pub(crate) fn width(chart: &Chart) -> f64 {
    let names = truncated_names(chart);
    if names.is_empty() {
        return 0.0;
    }
    let widest = names.iter().map(|name| font::width(name, SIZE)).fold(0.0, f64::max);
    GAP + KEY + SPACE + widest * SLACK
}

/// Draws as many entries as fit, from the top of the frame downwards.
pub(crate) fn draw(scene: &mut Scene, chart: &Chart, frame: &Frame) {
    let names = chart.names();
    let room = ((frame.height() / STEP) as usize).max(2);
    let kept = if names.len() > room { room - 1 } else { names.len() };
    let left = frame.right + GAP;
    let middle = |i: usize| frame.top + STEP * (i as f64 + 0.5);
    let baseline = |i: usize| middle(i) + font::CAPITAL * SIZE / 2.0;
    for (i, (name, words)) in names.iter().zip(truncated_names(chart)).take(kept).enumerate() {
        for layer in chart.layers.iter().filter(|layer| layer.name.as_deref() == Some(name)) {
            marks::draw_key(scene, layer, (left + KEY / 2.0, middle(i)), KEY);
        }
        let at = (left + KEY + SPACE, baseline(i));
        scene.text(Text::new(at, &words, SIZE, SOFT_INK));
    }
    if kept < names.len() {
        let words = format!("… and {} more", names.len() - kept);
        scene.text(Text::new((left, baseline(kept)), &words, SIZE, SOFT_INK));
    }
}

/// Names, truncated to the maximum width.
fn truncated_names(chart: &Chart) -> Vec<String> {
    let fit = |name: &&str| font::truncate(name, SIZE, chart.width * WIDEST);
    chart.names().iter().map(fit).collect()
}
