//! Layout of a chart: the space of each element, and the remaining frame for the data.
//!
//! From the outside in: title and subtitle at the top, legend on the right, labels and ticks below
//! and on the left; the rest is the frame. Text is measured with the built-in font, so that nothing
//! overlaps and the layout is the same on every machine.

use crate::axis::{Axis, Scale};
use crate::chart::{Chart, Layer, Mark};
use crate::color::{AXIS, GRID, INK, SOFT_INK, ZERO};
use crate::font;
use crate::legend;
use crate::marks::{self, DataTransform};
use crate::polyline::Frame;
use crate::scene::{Anchor, Scene, Stroke, Text};
use crate::ticks::Tick;

/// Outer margin.
const PAD: f64 = 18.0;
const TITLE: f64 = 17.0;
const SUBTITLE: f64 = 12.5;
const LABEL: f64 = 13.0;
const TICK: f64 = 12.0;
/// Line height, relative to the font size.
const LINE: f64 = 1.45;
/// Distance between tick labels and axis.
const GAP: f64 = 7.0;
/// Minimum height per tick of the vertical axis.
const ROOM_Y: f64 = 40.0;
/// Minimum distance between two tick labels of the horizontal axis.
const ROOM_X: f64 = 16.0;
/// Maximum width of the names on the left, relative to the width of the chart.
const WIDEST: f64 = 0.3;

/// Draws a chart.
pub(crate) fn scene(chart: &Chart) -> Scene {
    // 1. Scales and frame. The frame depends on the widths of tick labels, and these depend on the
    //    scales: two passes reach a fixed point.
    let points: Vec<_> = chart.layers.iter().flat_map(|layer| layer.mark.points()).collect();
    let x = chart.x.scale(points.iter().map(|p| p.0));
    let y = chart.y.scale(points.iter().map(|p| p.1));
    let mut place = DataTransform { frame: frame(chart, &y), x, y };
    if chart.equal && chart.x.is_linear() && chart.y.is_linear() {
        for _ in 0..2 {
            (place.x, place.y) = equal(x, y, &place.frame);
            place.frame = frame(chart, &place.y);
        }
        (place.x, place.y) = equal(x, y, &place.frame);
    }

    // 2. Shapes, from the bottom to the top.
    let mut scene = Scene::new(chart.width, chart.height, &chart.title, &chart.full_description());
    let (across, up) = (x_ticks(&chart.x, &place), y_ticks(chart, &place.y, &place.frame));
    grid(&mut scene, chart, &place, &across, &up);
    drawing_order(&chart.layers).iter().for_each(|layer| marks::draw(&mut scene, layer, &place));
    axes(&mut scene, chart, &place, &across, &up);
    legend::draw(&mut scene, chart, &place.frame);
    titles(&mut scene, chart);
    scene
}

/// Returns the area that remains for the data.
fn frame(chart: &Chart, y: &Scale) -> Frame {
    let lines = [(&chart.title, TITLE), (&chart.subtitle, SUBTITLE)];
    let head: f64 = lines.iter().filter(|(words, _)| !words.is_empty()).map(|l| l.1 * LINE).sum();
    let mut frame = Frame {
        left: PAD,
        top: PAD + head + if head > 0.0 { GAP } else { 0.0 },
        right: chart.width - PAD - legend::width(chart),
        bottom: chart.height - PAD - (LABEL + TICK) * LINE,
    };
    // The data keep a minimum height, however long the labels are.
    frame.bottom = frame.bottom.max(frame.top + 40.0);
    let ticks = y_ticks(chart, y, &frame);
    let widest = ticks.iter().map(|tick| font::width(&tick.label, TICK)).fold(0.0, f64::max);
    frame.left += LABEL * LINE + widest + GAP;
    frame.right = frame.right.max(frame.left + 40.0);
    frame
}

/// Widens one of the scales, so that both have the same number of pixels per unit.
fn equal(x: Scale, y: Scale, frame: &Frame) -> (Scale, Scale) {
    let (dx, dy) = ((x.high - x.low) / frame.width(), (y.high - y.low) / frame.height());
    (
        if dx < dy { x.widened(dy * frame.width()) } else { x },
        if dy < dx { y.widened(dx * frame.height()) } else { y },
    )
}

fn y_ticks(chart: &Chart, y: &Scale, frame: &Frame) -> Vec<Tick> {
    let most = (frame.height() / ROOM_Y) as usize;
    let mut ticks = chart.y.ticks(y, most);
    if chart.y.is_named() {
        ticks = thin_evenly(ticks, frame.height(), TICK * LINE);
    }
    for tick in &mut ticks {
        tick.label = font::truncate(&tick.label, TICK, chart.width * WIDEST);
    }
    ticks
}

/// Returns as many ticks as fit side by side.
fn x_ticks(axis: &Axis, place: &DataTransform) -> Vec<Tick> {
    let width = place.frame.width();
    if axis.is_named() {
        let mut ticks = thin_evenly(axis.ticks(&place.x, 0), width, 3.0 * TICK);
        let slot = width / ticks.len().max(1) as f64;
        for tick in &mut ticks {
            tick.label = font::truncate(&tick.label, TICK, slot - GAP);
        }
        return ticks;
    }
    let mut most = ((width / 60.0) as usize).max(2);
    loop {
        let ticks = axis.ticks(&place.x, most);
        let half = |tick: &Tick| font::width(&tick.label, TICK) / 2.0;
        let apart = ticks.windows(2).all(|pair| {
            place.x(pair[1].at) - half(&pair[1]) >= place.x(pair[0].at) + half(&pair[0]) + ROOM_X
        });
        if apart || most == 2 {
            return ticks;
        }
        most -= 1;
    }
}

/// Thins the names evenly, so that each has at least `least` pixels.
fn thin_evenly(ticks: Vec<Tick>, pixels: f64, least: f64) -> Vec<Tick> {
    let fit = ((pixels / least) as usize).max(1);
    let step = ticks.len().div_ceil(fit).max(1);
    ticks.into_iter().step_by(step).collect()
}

/// Returns the layers with the line layers sorted among their own positions: solid lines first,
/// lines with the largest share of gaps last. So coincident lines all remain visible.
fn drawing_order(layers: &[Layer]) -> Vec<&Layer> {
    let is_line = |layer: &&Layer| matches!(layer.mark, Mark::Line(_));
    let mut lines: Vec<&Layer> = layers.iter().filter(is_line).collect();
    lines.sort_by(|a, b| a.style.gap_share().total_cmp(&b.style.gap_share()));
    let mut lines = lines.into_iter();
    let next = |layer| if is_line(&layer) { lines.next().unwrap_or(layer) } else { layer };
    layers.iter().map(next).collect()
}

/// Draws a line for every tick, darker at zero; none for names.
fn grid(scene: &mut Scene, chart: &Chart, place: &DataTransform, across: &[Tick], up: &[Tick]) {
    let frame = &place.frame;
    let line = |at: f64| Stroke::solid(if at == 0.0 { ZERO } else { GRID }, 1.0);
    // Zero last, on top of the lines that cross it.
    for zero in [false, true] {
        for tick in across.iter().filter(|t| !chart.x.is_named() && (t.at == 0.0) == zero) {
            let x = place.x(tick.at);
            scene.line(vec![(x, frame.bottom), (x, frame.top)], line(tick.at));
        }
        for tick in up.iter().filter(|t| !chart.y.is_named() && (t.at == 0.0) == zero) {
            let y = place.y(tick.at);
            scene.line(vec![(frame.left, y), (frame.right, y)], line(tick.at));
        }
    }
}

fn axes(scene: &mut Scene, chart: &Chart, place: &DataTransform, across: &[Tick], up: &[Tick]) {
    let frame = &place.frame;
    let corner =
        vec![(frame.left, frame.top), (frame.left, frame.bottom), (frame.right, frame.bottom)];
    scene.line(corner, Stroke::solid(AXIS, 1.0));
    let below = frame.bottom + GAP + font::CAPITAL * TICK;
    for tick in across {
        // The last label may extend beyond the right margin.
        let half = font::width(&tick.label, TICK) / 2.0;
        let at = (place.x(tick.at).min(chart.width - GAP - half), below);
        scene.text(Text::new(at, &tick.label, TICK, SOFT_INK).anchored(Anchor::Middle));
    }
    for tick in up {
        let at = (frame.left - GAP, place.y(tick.at) + font::CAPITAL * TICK / 2.0);
        scene.text(Text::new(at, &tick.label, TICK, SOFT_INK).anchored(Anchor::End));
    }
    let (middle, low) = (f64::midpoint(frame.left, frame.right), chart.height - PAD);
    let words = font::truncate(&chart.x.label, LABEL, frame.width());
    let below = (middle, low - font::BELOW * LABEL / 2.0);
    scene.text(Text::new(below, &words, LABEL, INK).anchored(Anchor::Middle));
    let words = font::truncate(&chart.y.label, LABEL, frame.height());
    let beside = (PAD + font::CAPITAL * LABEL, f64::midpoint(frame.top, frame.bottom));
    scene.text(Text::new(beside, &words, LABEL, INK).anchored(Anchor::Middle).upwards());
}

fn titles(scene: &mut Scene, chart: &Chart) {
    let room = chart.width - 2.0 * PAD;
    let mut top = PAD;
    if !chart.title.is_empty() {
        let at = (PAD, top + font::CAPITAL * TITLE);
        scene.text(Text::new(at, &font::truncate(&chart.title, TITLE, room), TITLE, INK).bold());
        top += TITLE * LINE;
    }
    let at = (PAD, top + font::CAPITAL * SUBTITLE);
    let words = font::truncate(&chart.subtitle, SUBTITLE, room);
    if !words.is_empty() {
        scene.text(Text::new(at, &words, SUBTITLE, SOFT_INK));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::color::SeriesStyle;

    fn chart(x: Axis, y: Axis) -> Chart {
        Chart::new("", x, y).layer(Mark::Points(vec![(0.0, 0.0), (4.0, 1.0)]), SeriesStyle::nth(0))
    }

    #[test]
    fn solid_lines_are_drawn_below_dashed_lines() {
        let line = |y: f64| Mark::Line(vec![(0.0, y), (4.0, y)]);
        let chart = chart(Axis::new("x"), Axis::new("y"))
            .named("dotted", line(0.0), SeriesStyle::nth(2))
            .layer(Mark::HorizontalLine(0.5), SeriesStyle::reference())
            .named("whole", line(0.0), SeriesStyle::nth(0));
        let order: Vec<_> = drawing_order(&chart.layers).iter().map(|l| l.name.clone()).collect();
        let name = |name: &str| Some(name.to_owned());
        assert_eq!(order, [None, name("whole"), None, name("dotted")]);
    }

    #[test]
    fn equal_axes_have_equal_units_and_contain_all_data() {
        let (x, y) = (Axis::new("x"), Axis::new("y"));
        let (x, y) = (x.scale([0.0, 4.0].into_iter()), y.scale([0.0, 1.0].into_iter()));
        let frame = Frame { left: 0.0, top: 0.0, right: 300.0, bottom: 200.0 };
        let (x2, y2) = equal(x, y, &frame);
        let unit = |scale: Scale, pixels: f64| pixels / (scale.high - scale.low);
        assert!((unit(x2, 300.0) - unit(y2, 200.0)).abs() < 1e-9);
        assert!(x2.low <= x.low && x2.high >= x.high && y2.low <= y.low && y2.high >= y.high);
    }

    #[test]
    fn tick_labels_do_not_overlap() {
        let y = Axis::new("y").scale([].into_iter());
        for width in (200..600).step_by(20).map(f64::from) {
            let frame = Frame { left: 0.0, top: 0.0, right: width, bottom: 200.0 };
            for (low, high) in [(-3.0, 3.0), (0.0, 1e6), (-2.3e-5, 1.1e-5), (123_450.0, 123_462.0)]
            {
                let axis = Axis::new("x").range(low, high);
                let place = DataTransform { frame, x: axis.scale([].into_iter()), y };
                let ticks = x_ticks(&axis, &place);
                assert!(ticks.len() > 1, "{width}: {low} to {high}");
                for pair in ticks.windows(2) {
                    let wide = |tick: &Tick| font::width(&tick.label, TICK) / 2.0;
                    let free = place.x(pair[1].at) - place.x(pair[0].at) - wide(&pair[0]);
                    assert!(free - wide(&pair[1]) > 10.0, "{width}: {pair:?}");
                }
            }
        }
    }

    #[test]
    fn the_frame_keeps_a_minimum_size() {
        let long = vec!["a name that goes on and on".repeat(9); 40];
        let chart = chart(Axis::new("x"), Axis::named("y", long.clone())).size(0.0, 0.0);
        let chart = long.iter().fold(chart, |chart, name| {
            chart.named(name, Mark::HorizontalLine(0.0), SeriesStyle::nth(1))
        });
        let frame = frame(&chart, &chart.y.scale([].into_iter()));
        assert!(frame.width() >= 40.0 && frame.height() >= 40.0, "{frame:?}");
    }
}
