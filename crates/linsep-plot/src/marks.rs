//! Drawing of layers and legend keys into a scene.

use crate::axis::Scale;
use crate::chart::{Layer, Mark};
use crate::color::{Marker, PAPER, SOFT_INK, SeriesStyle};
use crate::font;
use crate::polyline::{Frame, simplify};
use crate::scene::{Circle, Fill, Item, Path, Point, Scene, Stroke, Text};

/// Radius of a marker.
const RADIUS: f64 = 3.5;
/// Tolerance of thinning: not visible at the resolution of the PNG.
const UNSEEN: f64 = 0.04;
const NOTE_SIZE: f64 = 12.0;

/// Map from data to pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct DataTransform {
    pub(crate) frame: Frame,
    pub(crate) x: Scale,
    pub(crate) y: Scale,
}

impl DataTransform {
    pub(crate) fn x(&self, v: f64) -> f64 {
        self.frame.left + self.x.position(v) * self.frame.width()
    }

    pub(crate) fn y(&self, v: f64) -> f64 {
        self.frame.bottom - self.y.position(v) * self.frame.height()
    }

    fn all(&self, points: &[Point]) -> Vec<Point> {
        points.iter().map(|&(x, y)| (self.x(x), self.y(y))).collect()
    }
}

/// Draws a layer.
pub(crate) fn draw(scene: &mut Scene, layer: &Layer, place: &DataTransform) {
    let (look, frame) = (&layer.style, &place.frame);
    match &layer.mark {
        Mark::Line(points) => line(scene, &place.all(points), look, frame),
        Mark::Points(points) => {
            let inside = place.all(points).into_iter().filter(|p| frame.contains(*p));
            inside.for_each(|at| marker(scene, at, look));
        }
        Mark::Areas(areas) => {
            for area in areas {
                let shape = frame.clip_polygon(&place.all(area));
                if shape.len() > 2 {
                    scene.polygon(shape, Some(fill(look)), None);
                }
            }
        }
        Mark::Segments(segments) | Mark::Hatch(segments) => {
            segments.iter().for_each(|ends| line(scene, &place.all(ends), look, frame));
        }
        Mark::HorizontalLine(y) => {
            let y = place.y(*y);
            line(scene, &[(frame.left, y), (frame.right, y)], look, frame);
        }
        Mark::VerticalLine(x) => {
            let x = place.x(*x);
            line(scene, &[(x, frame.bottom), (x, frame.top)], look, frame);
        }
        Mark::Note(at, words, anchor) => {
            let (x, y) = (place.x(at.0), place.y(at.1));
            if frame.contains((x, y)) {
                let at = (x, y + font::CAPITAL * NOTE_SIZE / 2.0);
                scene.text(Text::new(at, words, NOTE_SIZE, SOFT_INK).anchored(*anchor));
            }
        }
    }
}

/// Draws the legend key of a layer, in a box centered at a point.
pub(crate) fn draw_key(scene: &mut Scene, layer: &Layer, (x, y): Point, width: f64) {
    let half = width / 2.0;
    match layer.mark {
        Mark::Line(_) | Mark::Segments(_) | Mark::HorizontalLine(_) | Mark::VerticalLine(_) => {
            scene.line(vec![(x - half, y), (x + half, y)], stroke(&layer.style));
        }
        Mark::Points(_) => marker(scene, (x, y), &layer.style),
        Mark::Areas(_) => {
            let (w, h) = (half.min(PATCH.0), PATCH.1);
            let corners = vec![(x - w, y - h), (x + w, y - h), (x + w, y + h), (x - w, y + h)];
            scene.polygon(corners, Some(fill(&layer.style)), None);
        }
        Mark::Hatch(_) => {
            // Hatch lines from the lower left to the upper right, clipped to the patch.
            let (w, h) = (half.min(PATCH.0), PATCH.1);
            let ends = |at: f64| [(at - h, h), (at + h, -h)].map(|(dx, dy)| clip((dx, dy), at, w));
            for at in [-2.0, -1.0, 0.0, 1.0, 2.0].map(|step| step * 0.6 * h) {
                let points = ends(at).map(|(dx, dy)| (x + dx, y + dy)).to_vec();
                scene.line(points, stroke(&layer.style));
            }
        }
        Mark::Note(..) => {}
    }
}

/// Half the width and half the height of an area in the legend.
const PATCH: (f64, f64) = (10.0, 6.0);

/// Moves a point of the line dx + dy = at along it until |dx| ≤ w.
fn clip((dx, dy): Point, at: f64, w: f64) -> Point {
    let inside = dx.clamp(-w, w);
    if inside == dx { (dx, dy) } else { (inside, at - inside) }
}

fn line(scene: &mut Scene, points: &[Point], look: &SeriesStyle, frame: &Frame) {
    let pieces: Vec<_> =
        frame.clip_line(points).iter().map(|piece| simplify(piece, UNSEEN)).collect();
    if !pieces.is_empty() {
        let path = Path { pieces, stroke: Some(stroke(look)), ..Path::default() };
        scene.items.push(Item::Path(path));
    }
}

/// Draws a marker with an outline in the background color, so that overlapping points can be
/// counted.
fn marker(scene: &mut Scene, at: Point, look: &SeriesStyle) {
    let (r, rim) = (RADIUS, Some(Stroke::solid(PAPER, 0.75)));
    let color = Some(Fill::opaque(look.color));
    let corners: &[Point] = match look.marker {
        Marker::Disc => {
            scene.items.push(Item::Circle(Circle { at, radius: r, stroke: rim, fill: color }));
            return;
        }
        Marker::Ring => {
            let stroke = Some(Stroke::solid(look.color, 1.5));
            let ring = Circle { at, radius: r - 0.25, stroke, fill: Some(Fill::opaque(PAPER)) };
            scene.items.push(Item::Circle(ring));
            return;
        }
        // All with about the area of the disc.
        Marker::Square => &[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)],
        Marker::Diamond => &[(0.0, -1.25), (1.25, 0.0), (0.0, 1.25), (-1.25, 0.0)],
        Marker::Triangle => &[(0.0, -1.3), (1.2, 0.8), (-1.2, 0.8)],
        Marker::TriangleDown => &[(0.0, 1.3), (1.2, -0.8), (-1.2, -0.8)],
    };
    let corners = corners.iter().map(|(dx, dy)| (at.0 + r * dx, at.1 + r * dy)).collect();
    scene.polygon(corners, color, rim);
}

fn stroke(look: &SeriesStyle) -> Stroke {
    Stroke { color: look.color, width: look.width, dash: look.dash }
}

fn fill(look: &SeriesStyle) -> Fill {
    Fill { color: look.color, opacity: look.opacity }
}
