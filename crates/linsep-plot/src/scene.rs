//! A picture as a list of shapes: what charts are drawn into, and what SVG and PNG are made from.
//!
//! Lengths are CSS pixels (1/96 inch), x to the right, y downwards, later items on top. There are three
//! kinds of items, so that a new way of writing pictures has three things to know. What is no chart
//! (a network of neurons, say) is drawn into a scene directly.

use crate::colour::Colour;
use crate::font;

/// A place in a scene.
pub type Point = (f64, f64);

/// A picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// Width in pixels.
    pub width: f64,
    /// Height in pixels.
    pub height: f64,
    /// What the picture is called, for those who cannot see it.
    pub title: String,
    /// What there is to see, for those who cannot see it.
    pub description: String,
    /// What is drawn, from the bottom up.
    pub items: Vec<Item>,
}

/// A shape or a text.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// Lines and polygons.
    Path(Path),
    /// A disc or a ring.
    Circle(Circle),
    /// Words.
    Text(Text),
}

/// A line of several pieces, or a polygon.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Path {
    /// Each piece is a line through its points.
    pub pieces: Vec<Vec<Point>>,
    /// Whether each piece goes back to its first point.
    pub closed: bool,
    /// How it is drawn.
    pub stroke: Option<Stroke>,
    /// How it is filled; holes are what is inside an even number of pieces.
    pub fill: Option<Fill>,
}

/// A disc or a ring.
#[derive(Clone, Debug, PartialEq)]
pub struct Circle {
    /// The middle.
    pub at: Point,
    /// The radius.
    pub radius: f64,
    /// How the rim is drawn.
    pub stroke: Option<Stroke>,
    /// How it is filled.
    pub fill: Option<Fill>,
}

/// How a line is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stroke {
    /// Its colour.
    pub colour: Colour,
    /// Its width.
    pub width: f64,
    /// Lengths of dashes and gaps by turns, an even number of them; none is a whole line.
    pub dash: &'static [f64],
}

/// How a shape is filled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fill {
    /// Its colour.
    pub colour: Colour,
    /// From 0, not to be seen, to 1.
    pub opacity: f64,
}

/// Words on one line.
#[derive(Clone, Debug, PartialEq)]
pub struct Text {
    /// Where the baseline begins, has its middle or ends.
    pub at: Point,
    /// The words.
    pub words: String,
    /// Size of the letters.
    pub size: f64,
    /// Which part of the line `at` is.
    pub anchor: Anchor,
    /// Whether it is set in bold.
    pub bold: bool,
    /// Whether it runs upwards.
    pub upwards: bool,
    /// Its colour.
    pub colour: Colour,
}

/// Which part of a line of text a place is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Anchor {
    /// It begins there.
    #[default]
    Start,
    /// Its middle is there.
    Middle,
    /// It ends there.
    End,
}

impl Scene {
    /// An empty picture.
    pub fn new(width: f64, height: f64, title: &str, description: &str) -> Self {
        let (title, description) = (title.to_owned(), description.to_owned());
        Self { width, height, title, description, items: Vec::new() }
    }

    /// Pictures side by side, from the left to the right, as one: their tops are level.
    pub fn beside(scenes: Vec<Self>) -> Self {
        let (width, height) = scenes
            .iter()
            .fold((0.0, 0.0), |(w, h): (f64, f64), scene| (w + scene.width, h.max(scene.height)));
        let words = |of: fn(&Self) -> &String, between: &str| {
            let all: Vec<&str> =
                scenes.iter().map(|s| of(s).as_str()).filter(|s| !s.is_empty()).collect();
            all.join(between)
        };
        let mut all =
            Self::new(width, height, &words(|s| &s.title, "; "), &words(|s| &s.description, " "));
        let mut left = 0.0;
        for scene in scenes {
            all.items.extend(scene.items.into_iter().map(|item| item.moved(left)));
            left += scene.width;
        }
        all
    }

    /// Draws a line.
    pub fn line(&mut self, points: Vec<Point>, stroke: Stroke) {
        let path = Path { pieces: vec![points], stroke: Some(stroke), ..Path::default() };
        self.items.push(Item::Path(path));
    }

    /// Fills a polygon.
    pub fn polygon(&mut self, points: Vec<Point>, fill: Option<Fill>, stroke: Option<Stroke>) {
        self.items.push(Item::Path(Path { pieces: vec![points], closed: true, stroke, fill }));
    }

    /// Writes words.
    pub fn text(&mut self, text: Text) {
        self.items.push(Item::Text(text));
    }
}

impl Item {
    /// The same, so far to the right.
    fn moved(mut self, right: f64) -> Self {
        match &mut self {
            Self::Path(path) => path.pieces.iter_mut().flatten().for_each(|(x, _)| *x += right),
            Self::Circle(circle) => circle.at.0 += right,
            Self::Text(text) => text.at.0 += right,
        }
        self
    }
}

impl Stroke {
    /// A whole line.
    pub const fn solid(colour: Colour, width: f64) -> Self {
        Self { colour, width, dash: &[] }
    }
}

impl Fill {
    /// Nothing shines through.
    pub const fn opaque(colour: Colour) -> Self {
        Self { colour, opacity: 1.0 }
    }
}

impl Text {
    /// Words that begin at a place.
    pub fn new(at: Point, words: &str, size: f64, colour: Colour) -> Self {
        let words = words.to_owned();
        let anchor = Anchor::Start;
        Self { at, words, size, anchor, bold: false, upwards: false, colour }
    }

    /// With another part of the line at the place.
    pub fn anchored(self, anchor: Anchor) -> Self {
        Self { anchor, ..self }
    }

    /// In bold.
    pub fn bold(self) -> Self {
        Self { bold: true, ..self }
    }

    /// From the bottom to the top.
    pub fn upwards(self) -> Self {
        Self { upwards: true, ..self }
    }

    /// How far the baseline is from where it is anchored to its start.
    pub(crate) fn lead(&self) -> f64 {
        match self.anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => font::width(&self.words, self.size) / 2.0,
            Anchor::End => font::width(&self.words, self.size),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::colour::INK;

    #[test]
    fn pictures_side_by_side_do_not_touch() {
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
        let both = Scene::beside(vec![one(40.0, 30.0, "left"), one(50.0, 20.0, "right")]);
        assert_eq!((both.width, both.height, both.title.as_str()), (90.0, 30.0, "left; right"));
        assert_eq!(both.items.len(), 6);
        let Item::Path(path) = &both.items[3] else { panic!("a line") };
        assert_eq!(path.pieces, [[(40.0, 0.0), (90.0, 20.0)]]);
        let Item::Text(text) = &both.items[4] else { panic!("words") };
        let Item::Circle(circle) = &both.items[5] else { panic!("a circle") };
        assert_eq!((text.at, circle.at), ((41.0, 2.0), (43.0, 4.0)));
    }
}
