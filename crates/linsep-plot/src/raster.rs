//! Rasterization of a scene, for PNG.
//!
//! Lines and polygons are painted by tiny-skia, letters as filled outlines of the built-in font. It
//! runs without SIMD: a plot takes a fraction of a second, and identical bytes on every machine
//! matter more than speed.

use crate::color::{PAPER, Rgb};
use crate::font::{self, PenCommand};
use crate::png;
use crate::scene::{Circle, Fill, Item, Path, Scene, Stroke, Text};
use tiny_skia::{Color, FillRule, LineJoin, Paint, PathBuilder, Pixmap, StrokeDash, Transform};

/// Pixels of the PNG per pixel of the scene: 288 per inch.
const SCALE: f32 = 3.0;
/// Maximum width and height of a scene; larger scenes are cropped, which bounds the memory.
const LONGEST: f64 = 4000.0;
/// Stroke width that makes letters bold, relative to the font size; there is no second font.
const BOLD: f64 = 0.04;

/// Returns the plot as a PNG file.
pub fn write(scene: &Scene) -> Vec<u8> {
    let pixels = paint_all(scene);
    // The background is opaque, hence every pixel.
    let rgb: Vec<u8> =
        pixels.pixels().iter().flat_map(|p| [p.red(), p.green(), p.blue()]).collect();
    png::encode(pixels.width(), pixels.height(), &rgb, 96.0 * f64::from(SCALE))
}

fn paint_all(scene: &Scene) -> Pixmap {
    let within = |v: f64| if v > 1.0 { v.min(LONGEST) } else { 1.0 };
    let side = |v: f64| (within(v) * f64::from(SCALE)).round() as u32;
    let pixels = Pixmap::new(side(scene.width), side(scene.height));
    let mut canvas = Canvas(pixels.expect("sides are from 3 to 12 000"));
    canvas.0.fill(to_skia_color(PAPER, 1.0));
    for item in &scene.items {
        match item {
            Item::Path(path) => canvas.path(path),
            Item::Circle(circle) => canvas.circle(circle),
            Item::Text(text) => canvas.text(text),
        }
    }
    canvas.0
}

/// Plot during painting. A shape without extent has no outline and is skipped.
struct Canvas(Pixmap);

impl Canvas {
    fn path(&mut self, path: &Path) {
        let mut pen = PathBuilder::new();
        for piece in &path.pieces {
            for (i, &(x, y)) in piece.iter().enumerate() {
                let (x, y) = (x as f32, y as f32);
                if i == 0 { pen.move_to(x, y) } else { pen.line_to(x, y) }
            }
            if path.closed {
                pen.close();
            }
        }
        self.paint(pen.finish(), path.fill, path.stroke);
    }

    fn circle(&mut self, circle: &Circle) {
        let (x, y) = circle.at;
        let outline = PathBuilder::from_circle(x as f32, y as f32, circle.radius as f32);
        self.paint(outline, circle.fill, circle.stroke);
    }

    fn text(&mut self, text: &Text) {
        let mut pen = PathBuilder::new();
        // Coordinates along the baseline and upwards from it, before rotation.
        let mut along = -text.anchor_offset();
        let thicker = if text.bold { BOLD / 2.0 } else { 0.0 };
        for c in text.content.chars() {
            letter(&mut pen, c, |[right, up]| {
                let (right, up) = (along + right * text.size, up * text.size);
                let (dx, dy) = if text.upwards { (-up, -right) } else { (right, -up) };
                ((text.at.0 + dx) as f32, (text.at.1 + dy) as f32)
            });
            along += (font::advance(c) + thicker) * text.size;
        }
        let Some(outline) = pen.finish() else { return };
        let paint = paint(text.color, 1.0);
        // The winding rule fills self-overlapping letters completely.
        self.0.fill_path(&outline, &paint, FillRule::Winding, to_pixels(), None);
        if text.bold {
            let pen = to_skia_stroke(&Stroke::solid(text.color, BOLD * text.size));
            self.0.stroke_path(&outline, &paint, &pen, to_pixels(), None);
        }
    }

    fn paint(
        &mut self,
        outline: Option<tiny_skia::Path>,
        fill: Option<Fill>,
        stroke: Option<Stroke>,
    ) {
        let Some(outline) = outline else { return };
        if let Some(fill) = fill {
            let paint = paint(fill.color, fill.opacity);
            self.0.fill_path(&outline, &paint, FillRule::EvenOdd, to_pixels(), None);
        }
        if let Some(stroke) = stroke {
            let paint = paint(stroke.color, 1.0);
            self.0.stroke_path(&outline, &paint, &to_skia_stroke(&stroke), to_pixels(), None);
        }
    }
}

/// Adds the outline of a letter; `place` maps its points to pixels.
fn letter(pen: &mut PathBuilder, c: char, place: impl Fn([f64; 2]) -> (f32, f32)) {
    let mut at = [0.0, 0.0];
    for step in font::outline(c) {
        let ahead = |dx: f64, dy: f64| [at[0] + dx, at[1] + dy];
        match step {
            PenCommand::To([dx, dy]) => {
                at = ahead(dx, dy);
                let (x, y) = place(at);
                pen.move_to(x, y);
            }
            PenCommand::Line([dx, dy]) => {
                at = ahead(dx, dy);
                let (x, y) = place(at);
                pen.line_to(x, y);
            }
            PenCommand::Curve([cx, cy, dx, dy]) => {
                let ((x1, y1), end) = (place(ahead(cx, cy)), ahead(dx, dy));
                at = end;
                let (x, y) = place(at);
                pen.quad_to(x1, y1, x, y);
            }
            PenCommand::Close => pen.close(),
        }
    }
}

fn to_pixels() -> Transform {
    Transform::from_scale(SCALE, SCALE)
}

fn to_skia_stroke(stroke: &Stroke) -> tiny_skia::Stroke {
    let dash = stroke.dash.iter().map(|v| *v as f32).collect();
    tiny_skia::Stroke {
        width: stroke.width as f32,
        line_join: LineJoin::Round,
        // An empty list gives `None`: a solid line.
        dash: StrokeDash::new(dash, 0.0),
        ..tiny_skia::Stroke::default()
    }
}

fn paint(color: Rgb, opacity: f64) -> Paint<'static> {
    let mut paint = Paint::default();
    paint.set_color(to_skia_color(color, opacity));
    paint
}

fn to_skia_color(Rgb(r, g, b): Rgb, opacity: f64) -> Color {
    Color::from_rgba8(r, g, b, (opacity.clamp(0.0, 1.0) * 255.0).round() as u8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Anchor;

    const RED: Rgb = Rgb(0xd5, 0x5e, 0x00);

    /// Paints 100 × 60 pixels; returns a function from positions to colors.
    fn painted(draw: impl FnOnce(&mut Scene)) -> impl Fn(f64, f64) -> Rgb {
        let mut scene = Scene::new(100.0, 60.0, "", "");
        draw(&mut scene);
        let pixels = paint_all(&scene);
        assert_eq!((pixels.width(), pixels.height()), (300, 180));
        move |x, y| {
            let pixel = pixels.pixel((x * 3.0) as u32, (y * 3.0) as u32).expect("on the paper");
            Rgb(pixel.red(), pixel.green(), pixel.blue())
        }
    }

    fn square(from: f64, to: f64) -> Vec<(f64, f64)> {
        vec![(from, from), (to, from), (to, to), (from, to)]
    }

    #[test]
    fn areas_have_their_color_and_holes_have_none() {
        let at = painted(|scene| {
            let pieces = vec![square(10.0, 50.0), square(20.0, 40.0)];
            let fill = Some(Fill::opaque(RED));
            scene.items.push(Item::Path(Path { pieces, closed: true, stroke: None, fill }));
        });
        assert_eq!((at(15.0, 30.0), at(30.0, 30.0), at(5.0, 5.0)), (RED, PAPER, PAPER));
    }

    #[test]
    fn opacity_one_half_averages_color_and_background() {
        let half = Some(Fill { color: Rgb(0, 0, 0), opacity: 0.5 });
        let Rgb(gray, ..) = painted(|s| s.polygon(square(10.0, 50.0), half, None))(30.0, 30.0);
        assert!((126..=129).contains(&gray), "{gray}");
    }

    #[test]
    fn dashes_leave_gaps() {
        let dash = Stroke { color: RED, width: 4.0, dash: &[10.0, 10.0] };
        let at = painted(|scene| scene.line(vec![(10.0, 30.0), (90.0, 30.0)], dash));
        assert_eq!([15.0, 25.0, 35.0].map(|x| at(x, 30.0)), [RED, PAPER, RED]);
    }

    /// Letters stay within the computed width of the text, for every anchor and direction.
    #[test]
    fn text_stays_within_its_box() {
        let words = "Hxγ−9";
        let (size, wide) = (16.0, font::width("Hxγ−9", 16.0));
        for (anchor, before) in [(Anchor::Start, 0.0), (Anchor::Middle, 0.5), (Anchor::End, 1.0)] {
            for upwards in [false, true] {
                let text = Text::new((50.0, 30.0), words, size, RED).anchored(anchor);
                let at = painted(|scene| scene.text(Text { upwards, ..text }));
                let (mut inside, mut outside) = (0, 0);
                for (x, y) in (0..300).flat_map(|x| (0..180).map(move |y| (x, y))) {
                    let (x, y) = (f64::from(x) / 3.0, f64::from(y) / 3.0);
                    // Along the baseline, and up from it.
                    let (along, up) =
                        if upwards { (30.0 - y, 50.0 - x) } else { (x - 50.0, 30.0 - y) };
                    let along = along + before * wide;
                    let near = (-1.0..wide + 1.0).contains(&along) && (-5.0..14.0).contains(&up);
                    if at(x, y) != PAPER {
                        *(if near { &mut inside } else { &mut outside }) += 1;
                    }
                }
                assert!(inside > 500 && outside == 0, "{anchor:?} {upwards}: {inside} {outside}");
            }
        }
    }

    #[test]
    fn invalid_sizes_become_one_pixel() {
        for (side, pixels) in [(f64::NAN, 3), (-1.0, 3), (0.0, 3)] {
            let scene = Scene::new(side, 10.0, "", "");
            assert_eq!((paint_all(&scene).width(), paint_all(&scene).height()), (pixels, 30));
        }
    }
}
