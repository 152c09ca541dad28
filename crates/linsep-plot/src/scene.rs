//! A plot as a list of shapes: the common input of the SVG and PNG renderers.
//!
//! Lengths are CSS pixels (1/96 inch), x to the right, y downwards, later items on top. There are
//! only three kinds of items, which keeps a new renderer small. Plots that are not charts (a
//! diagram of a network, for example) are drawn into a scene directly.

use crate::color::Rgb;
use crate::font;

/// Point of a scene.
pub type Point = (f64, f64);

/// A plot.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// Width in pixels.
    pub width: f64,
    /// Height in pixels.
    pub height: f64,
    /// Title, for screen readers.
    pub title: String,
    /// Description, for screen readers.
    pub description: String,
    /// Items, from the bottom to the top.
    pub items: Vec<Item>,
}

/// A shape or a text.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// Lines and polygons.
    Path(Path),
    /// A disc or a ring.
    Circle(Circle),
    /// Text on one line.
    Text(Text),
}

/// Polyline or polygon of several pieces.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Path {
    /// Pieces, each a line through its points.
    pub pieces: Vec<Vec<Point>>,
    /// Whether each piece is closed.
    pub closed: bool,
    /// Stroke of the outline.
    pub stroke: Option<Stroke>,
    /// Fill by the even-odd rule: points inside an even number of pieces are holes.
    pub fill: Option<Fill>,
}

/// A disc or a ring.
#[derive(Clone, Debug, PartialEq)]
pub struct Circle {
    /// Center.
    pub at: Point,
    /// Radius.
    pub radius: f64,
    /// Stroke of the outline.
    pub stroke: Option<Stroke>,
    /// Fill of the interior.
    pub fill: Option<Fill>,
}

/// Line style.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stroke {
    /// Color.
    pub color: Rgb,
    /// Width.
    pub width: f64,
    /// Alternating lengths of dashes and gaps, an even number; a solid line if empty.
    pub dash: &'static [f64],
}

/// Fill style.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fill {
    /// Color.
    pub color: Rgb,
    /// Opacity, from 0 (transparent) to 1.
    pub opacity: f64,
}

/// Text on one line.
#[derive(Clone, Debug, PartialEq)]
pub struct Text {
    /// Position of the start, middle or end of the baseline.
    pub at: Point,
    /// The text.
    pub content: String,
    /// Font size.
    pub size: f64,
    /// Part of the baseline at `at`.
    pub anchor: Anchor,
    /// Whether the text is bold.
    pub bold: bool,
    /// Whether the text runs upwards.
    pub upwards: bool,
    /// Color.
    pub color: Rgb,
}

/// Part of the baseline that is placed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Anchor {
    /// Start of the text.
    #[default]
    Start,
    /// Middle of the text.
    Middle,
    /// End of the text.
    End,
}

impl Scene {
    /// Returns an empty scene.
    pub fn new(width: f64, height: f64, title: &str, description: &str) -> Self {
        let (title, description) = (title.to_owned(), description.to_owned());
        Self { width, height, title, description, items: Vec::new() }
    }

    /// Combines scenes side by side, from left to right, aligned at the top.
    pub fn side_by_side(scenes: Vec<Self>) -> Self {
        let (width, height) = scenes
            .iter()
            .fold((0.0, 0.0), |(w, h): (f64, f64), scene| (w + scene.width, h.max(scene.height)));
        let joined = |of: fn(&Self) -> &String, between: &str| {
            let all: Vec<&str> =
                scenes.iter().map(|s| of(s).as_str()).filter(|s| !s.is_empty()).collect();
            all.join(between)
        };
        let mut all =
            Self::new(width, height, &joined(|s| &s.title, "; "), &joined(|s| &s.description, " "));
        let mut left = 0.0;
        for scene in scenes {
            all.items.extend(scene.items.into_iter().map(|item| item.translated(left)));
            left += scene.width;
        }
        all
    }

    /// Draws a line.
    pub fn line(&mut self, points: Vec<Point>, stroke: Stroke) {
        let path = Path { pieces: vec![points], stroke: Some(stroke), ..Path::default() };
        self.items.push(Item::Path(path));
    }

    /// Draws a polygon, filled or outlined.
    pub fn polygon(&mut self, points: Vec<Point>, fill: Option<Fill>, stroke: Option<Stroke>) {
        self.items.push(Item::Path(Path { pieces: vec![points], closed: true, stroke, fill }));
    }

    /// Draws a text.
    pub fn text(&mut self, text: Text) {
        self.items.push(Item::Text(text));
    }
}

impl Item {
    /// Returns the scene shifted to the right.
    fn translated(mut self, right: f64) -> Self {
        match &mut self {
            Self::Path(path) => path.pieces.iter_mut().flatten().for_each(|(x, _)| *x += right),
            Self::Circle(circle) => circle.at.0 += right,
            Self::Text(text) => text.at.0 += right,
        }
        self
    }
}

impl Stroke {
    /// Returns the stroke of a solid line.
    pub const fn solid(color: Rgb, width: f64) -> Self {
        Self { color, width, dash: &[] }
    }
}

impl Fill {
    /// Returns an opaque fill.
    pub const fn opaque(color: Rgb) -> Self {
        Self { color, opacity: 1.0 }
    }
}

impl Text {
    /// Returns a text that starts at a point.
    pub fn new(at: Point, words: &str, size: f64, color: Rgb) -> Self {
        let words = words.to_owned();
        let anchor = Anchor::Start;
        Self { at, content: words, size, anchor, bold: false, upwards: false, color }
    }

    /// Sets the anchor.
    pub fn anchored(self, anchor: Anchor) -> Self {
        Self { anchor, ..self }
    }

    /// Sets bold type.
    pub fn bold(self) -> Self {
        Self { bold: true, ..self }
    }

    /// Sets the direction from bottom to top.
    pub fn upwards(self) -> Self {
        Self { upwards: true, ..self }
    }

    /// Distance along the baseline from the start of the text to the anchor.
    pub(crate) fn anchor_offset(&self) -> f64 {
        match self.anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => font::width(&self.content, self.size) / 2.0,
            Anchor::End => font::width(&self.content, self.size),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::color::INK;

    #[test]
    fn scenes_side_by_side_do_not_overlap() {
        let one = |width: f64, height: f64, title: &str| {
            let mut scene = Scene::new(width, height, title, "");
            scene.line(vec![(0.0, 0.0), (width, height)], Stroke::solid(INK, 1.0));
            scene.text(Text::new((1.0, 2.0), title, 10.0, INK));
            scene.items.push(Item::Circle(Circle {
                at: (3.0, 4.0),
                radius: 1.0,
                stroke: None,
                fill: None,
            }));
            scene
        };
        let both = Scene::side_by_side(vec![one(40.0, 30.0, "left"), one(50.0, 20.0, "right")]);
        assert_eq!((both.width, both.height, both.title.as_str()), (90.0, 30.0, "left; right"));
        assert_eq!(both.items.len(), 6);
        let Item::Path(path) = &both.items[3] else { panic!("a line") };
        assert_eq!(path.pieces, [[(40.0, 0.0), (90.0, 20.0)]]);
        let Item::Text(text) = &both.items[4] else { panic!("words") };
        let Item::Circle(circle) = &both.items[5] else { panic!("a circle") };
        assert_eq!((text.at, circle.at), ((41.0, 2.0), (43.0, 4.0)));
    }
}
