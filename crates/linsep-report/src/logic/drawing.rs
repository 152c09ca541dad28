//! Drawing of a network: inputs on the left, neurons with their thresholds, and weights on the
//! edges. For two inputs, the hyperplanes of the neurons are drawn beside the network.
//!
//! Edges of positive weight are solid, those of negative weight dashed, so that they differ without
//! color.

use super::minus;
use linsep::core::{DecisionRule, Hyperplane, Label, LinearModel};
use linsep::jobs::logic::NetworkOutcome;
use linsep::logic::Neuron;
use linsep_plot::scene::{Circle, Fill, Item, Point, Stroke, Text};
use linsep_plot::{Anchor, Axis, Chart, Mark, Rgb, Scene, SeriesStyle, text_width};

const INK: Rgb = Rgb(0x1a, 0x1a, 0x1a);
const SOFT: Rgb = Rgb(0x4d, 0x4d, 0x4d);
const PAPER: Rgb = Rgb(0xff, 0xff, 0xff);
const POSITIVE: Rgb = Rgb(0x00, 0x72, 0xb2);
const NEGATIVE: Rgb = Rgb(0xd5, 0x5e, 0x00);
/// Dashes of weights below 0.
const DASH: &[f64] = &[7.0, 4.0];

/// Distance of inputs, and least distance of neurons, within a layer.
const STEP: f64 = 84.0;
/// Distance of the weight labels at one neuron.
const LABEL: f64 = 18.0;
/// Limit of edges with weight labels.
const MOST_LABELS: usize = 90;
const RADIUS: f64 = 25.0;
/// Distance of layers.
const APART: f64 = 260.0;
/// Height of the title.
const HEAD: f64 = 70.0;
const EDGE: f64 = 76.0;

/// Returns the drawing of the network; for two inputs, the hyperplanes of its neurons on the right.
pub(crate) fn scene(outcome: &NetworkOutcome) -> Scene {
    let network = diagram(outcome);
    if outcome.function.truth.inputs() != 2 {
        return network;
    }
    // The title is that of the network.
    let hyperplanes = Scene { title: String::new(), ..hyperplanes(outcome).scene() };
    Scene::side_by_side(vec![network, hyperplanes])
}

/// Returns the positions of the inputs and neurons by layer, and the height. Weight labels lie at
/// the fraction 1 − LABEL/STEP of an edge or beyond, LABEL apart. The distance of neurons leaves
/// room for the labels of all edges of a neuron.
fn positions(sizes: &[usize], labeled: bool) -> (Vec<Vec<Point>>, f64) {
    let mut steps = vec![STEP];
    for pair in sizes.windows(2) {
        steps.push(if labeled {
            STEP.max(LABEL * pair[0] as f64 / (1.0 - LABEL / STEP))
        } else {
            STEP
        });
    }
    let height =
        sizes.iter().zip(&steps).map(|(size, step)| *size as f64 * step).fold(0.0, f64::max);
    let layer = |(l, (&size, &step)): (usize, (&usize, &f64))| {
        let x = EDGE + APART * l as f64;
        let first = HEAD + (height - size as f64 * step) / 2.0 + step / 2.0 - 8.0;
        (0..size).map(|k| (x, first + step * k as f64)).collect()
    };
    (sizes.iter().zip(&steps).enumerate().map(layer).collect(), HEAD + height)
}

fn diagram(outcome: &NetworkOutcome) -> Scene {
    // 1. Positions.
    let NetworkOutcome { function, network, .. } = outcome;
    let hidden = outcome.hidden_names();
    let output = std::slice::from_ref(&network.output);
    let neurons: Vec<&[Neuron]> =
        if hidden.is_empty() { vec![output] } else { vec![&network.hidden[..], output] };
    let sizes: Vec<usize> = [function.inputs.len()]
        .into_iter()
        .chain(neurons.iter().map(|layer| layer.len()))
        .collect();
    let used = |neuron: &Neuron| neuron.weights.iter().filter(|w| **w != 0).count();
    let labeled = neurons.concat().iter().map(used).sum::<usize>() <= MOST_LABELS;
    let (layers, height) = positions(&sizes, labeled);
    let width = 2.0 * EDGE + APART * (sizes.len() - 1) as f64;

    // 2. Title and legend.
    let title = format!("Network for {}", shortened(&function.text, 60));
    let description = if hidden.is_empty() {
        "One threshold neuron.".to_owned()
    } else {
        format!("Two layers of threshold neurons, {} of them hidden.", hidden.len())
    };
    let mut scene = Scene::new(width, height, &title, &description);
    scene.text(Text::new((18.0, 28.0), &fitted(&title, 15.0, width - 36.0), 15.0, INK).bold());
    let legend =
        "solid: positive weights; dashed: negative; a neuron fires if its sum is ≥ its threshold";
    scene.text(Text::new((18.0, 46.0), &fitted(legend, 11.0, width - 36.0), 11.0, SOFT));

    // 3. Edges, then their weight labels.
    let mut labels = Vec::new();
    for (l, layer) in neurons.iter().enumerate() {
        let from = &layers[l];
        let apart = if from.len() > 1 { from[1].1 - from[0].1 } else { STEP };
        for (neuron, to) in layer.iter().zip(&layers[l + 1]) {
            for (&w, from) in neuron.weights.iter().zip(from).filter(|(w, _)| **w != 0) {
                labels.push(line(&mut scene, *from, *to, w, 1.0 - LABEL / apart));
            }
        }
    }
    if labeled {
        labels.into_iter().for_each(|(at, w)| weight(&mut scene, at, w));
    }

    // 4. Inputs and neurons.
    for (at, input) in layers[0].iter().zip(&function.inputs) {
        circle(&mut scene, *at, RADIUS * 0.8, true);
        draw_text(&mut scene, (at.0, at.1 + 4.5), &fitted(input, 13.0, RADIUS * 1.5), 13.0, true);
    }
    for (l, layer) in neurons.iter().enumerate() {
        for (k, (neuron, at)) in layer.iter().zip(&layers[l + 1]).enumerate() {
            circle(&mut scene, *at, RADIUS, false);
            let fires = fitted(&format!("≥ {}", minus(neuron.threshold)), 13.0, RADIUS * 1.8);
            draw_text(&mut scene, (at.0, at.1 + 5.0), &fires, 13.0, true);
            let name = if l + 1 == neurons.len() { "output" } else { hidden[k].as_str() };
            let below = neuron.name().map_or_else(|| name.to_owned(), |is| format!("{name}: {is}"));
            let below_at = (at.0, at.1 + RADIUS + 11.0);
            cover(&mut scene, below_at, text_width(&below, 11.5), 7.0);
            draw_text(&mut scene, (below_at.0, below_at.1 + 4.0), &below, 11.5, false);
        }
    }
    scene
}

/// Draws a background behind a text.
fn cover(scene: &mut Scene, (x, y): Point, width: f64, height: f64) {
    let half = width / 2.0 + 3.0;
    let corners = vec![
        (x - half, y - height),
        (x + half, y - height),
        (x + half, y + height),
        (x - half, y + height),
    ];
    scene.polygon(corners, Some(Fill::opaque(PAPER)), None);
}

/// Draws an edge; returns its weight, and the label's position at the fraction `part` of the edge.
fn line(scene: &mut Scene, from: Point, to: Point, w: i64, part: f64) -> (Point, i64) {
    let (color, dash) = if w > 0 { (POSITIVE, &[][..]) } else { (NEGATIVE, DASH) };
    scene.line(vec![from, to], Stroke { color, width: 1.6, dash });
    ((from.0 + part * (to.0 - from.0), from.1 + part * (to.1 - from.1)), w)
}

fn weight(scene: &mut Scene, at: Point, w: i64) {
    let text = if w > 0 { format!("+{w}") } else { minus(w) };
    cover(scene, at, text_width(&text, 12.0), 8.0);
    let color = if w > 0 { POSITIVE } else { NEGATIVE };
    scene.text(Text::new((at.0, at.1 + 4.3), &text, 12.0, color).anchored(Anchor::Middle));
}

fn circle(scene: &mut Scene, at: Point, radius: f64, input: bool) {
    let fill = if input { Rgb(0xf2, 0xf2, 0xf2) } else { PAPER };
    scene.items.push(Item::Circle(Circle {
        at,
        radius,
        stroke: Some(Stroke::solid(if input { SOFT } else { INK }, 1.5)),
        fill: Some(Fill::opaque(fill)),
    }));
}

fn draw_text(scene: &mut Scene, at: Point, text: &str, size: f64, bold: bool) {
    let text = Text::new(at, text, size, INK).anchored(Anchor::Middle);
    scene.text(if bold { text.bold() } else { text });
}

/// Truncates a text to at most `most` characters, with an ellipsis.
fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most - 1).chain(['…']).collect()
}

/// Truncates a text to a width.
fn fitted(text: &str, size: f64, room: f64) -> String {
    let length = text.chars().count();
    let fits = |most: &usize| text_width(&shortened(text, *most), size) <= room;
    let most = (1..=length).rev().find(fits).unwrap_or(1);
    shortened(text, most)
}

/// Returns the chart of the four input vectors and of the neurons' boundaries.
fn hyperplanes(outcome: &NetworkOutcome) -> Chart {
    const LOW: f64 = -0.6;
    const HIGH: f64 = 1.6;
    let NetworkOutcome { function, network, .. } = outcome;
    let axis = |j: usize| Axis::new(&function.inputs[j]).range(LOW, HIGH);
    let subtitle = "ticks point to the side where the neuron fires";
    let mut chart = Chart::new("Hyperplanes of the neurons", axis(0), axis(1))
        .subtitle(subtitle)
        .describe(
            "The four input vectors by output, and the boundary of each neuron of the first layer.",
        )
        .size(520.0, 400.0)
        .equal();
    for (k, output) in [false, true].into_iter().enumerate() {
        let corner =
            |row: usize| (f64::from(u8::from(row & 2 != 0)), f64::from(u8::from(row & 1 != 0)));
        let points: Vec<Point> = function.truth.rows_with(output).map(corner).collect();
        if !points.is_empty() {
            chart = chart.named(
                &format!("output {}", u8::from(output)),
                Mark::Points(points),
                SeriesStyle::nth(k),
            );
        }
    }
    let names = outcome.hidden_names();
    let first: Vec<(&str, &Neuron)> = if names.is_empty() {
        vec![("output", &network.output)]
    } else {
        names.iter().map(String::as_str).zip(&network.hidden).collect()
    };
    for (k, (name, neuron)) in first.into_iter().enumerate() {
        let label = neuron.name().map_or_else(|| name.to_owned(), |is| format!("{name}: {is}"));
        let segments = boundary(neuron, LOW, HIGH);
        let look = SeriesStyle::nth(k + 2);
        let ticks: Vec<[Point; 2]> =
            segments.iter().flat_map(|segment| ticks(neuron, segment)).collect();
        chart = chart.named(&label, Mark::Segments(segments), look);
        chart = chart.layer(Mark::Segments(ticks), SeriesStyle { dash: &[], width: 1.2, ..look });
    }
    chart
}

/// Returns the line w·x = T − ½ within the window.
fn boundary(neuron: &Neuron, low: f64, high: f64) -> Vec<[Point; 2]> {
    let w = neuron.weights.iter().map(|w| *w as f64).collect();
    let hyperplane = Hyperplane { w, b: 0.5 - neuron.threshold as f64 };
    let classes = vec![Label::Number(0.0), Label::Number(1.0)];
    let model = LinearModel::new(classes, vec![hyperplane], DecisionRule::Sign);
    model.map(|model| model.boundaries((low, low), (high, high))).unwrap_or_default()
}

/// Returns short lines from a boundary toward the side where the neuron fires.
fn ticks(neuron: &Neuron, [a, b]: &[Point; 2]) -> Vec<[Point; 2]> {
    const TICKS: u32 = 9;
    const LENGTH: f64 = 0.06;
    let (x, y) = (neuron.weights[0] as f64, neuron.weights[1] as f64);
    let norm = x.hypot(y);
    let tick = |k: u32| {
        let part = (f64::from(k) + 0.5) / f64::from(TICKS);
        let from = (a.0 + part * (b.0 - a.0), a.1 + part * (b.1 - a.1));
        [from, (from.0 + LENGTH * x / norm, from.1 + LENGTH * y / norm)]
    };
    (0..TICKS).map(tick).collect()
}
