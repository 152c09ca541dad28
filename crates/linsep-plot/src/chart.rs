//! A chart: two axes, and what is drawn between them.
//!
//! A chart is described in the units of the data; where things go on the paper is settled by
//! [`scene`](Chart::scene). A layer with a name is in the legend; layers of one name share an entry.

use crate::axis::Axis;
use crate::colour::Look;
use crate::layout;
use crate::scene::{Anchor, Point, Scene};

/// A chart to be drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    pub(crate) title: String,
    pub(crate) subtitle: String,
    pub(crate) description: String,
    pub(crate) width: f64,
    pub(crate) height: f64,
    pub(crate) x: Axis,
    pub(crate) y: Axis,
    pub(crate) equal: bool,
    pub(crate) layers: Vec<Layer>,
}

/// One thing drawn in a chart.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Layer {
    pub(crate) name: Option<String>,
    pub(crate) look: Look,
    pub(crate) mark: Mark,
}

/// What can be drawn between the axes, in the units of the data. A point that is no number is left out,
/// and a line is broken there.
#[derive(Clone, Debug, PartialEq)]
pub enum Mark {
    /// A line through points.
    Line(Vec<Point>),
    /// Points, each with a marker.
    Points(Vec<Point>),
    /// Filled polygons: regions, bands, bars, cells.
    Areas(Vec<Vec<Point>>),
    /// Straight pieces from one point to another: intervals, distances.
    Segments(Vec<[Point; 2]>),
    /// The same across areas of that name, which are so hatched, in the legend as well.
    Hatch(Vec<[Point; 2]>),
    /// A straight line across the chart at this y.
    Across(f64),
    /// A straight line up the chart at this x.
    Upright(f64),
    /// Words at a point, centred on it or beside it.
    Note(Point, String, Anchor),
}

impl Chart {
    /// A chart 720 × 480 pixels large, which is 7.5 × 5 inches on paper.
    pub fn new(title: &str, x: Axis, y: Axis) -> Self {
        Self {
            title: title.to_owned(),
            subtitle: String::new(),
            description: String::new(),
            width: 720.0,
            height: 480.0,
            x,
            y,
            equal: false,
            layers: Vec::new(),
        }
    }

    /// With a line in small letters below the title.
    pub fn subtitle(self, words: &str) -> Self {
        Self { subtitle: words.to_owned(), ..self }
    }

    /// With words for those who cannot see it. Axes and names are told in any case.
    pub fn describe(self, words: &str) -> Self {
        Self { description: words.to_owned(), ..self }
    }

    /// In another size, from 240 × 160 to 4000 × 4000 pixels.
    pub fn size(self, width: f64, height: f64) -> Self {
        let within = |v: f64, least: f64| if v > least { v.min(4000.0) } else { least };
        Self { width: within(width, 240.0), height: within(height, 160.0), ..self }
    }

    /// With units of the same length on both axes, so that right angles are right. It takes two linear
    /// axes.
    pub fn equal(self) -> Self {
        Self { equal: true, ..self }
    }

    /// Draws on top of what is there.
    pub fn layer(mut self, mark: Mark, look: Look) -> Self {
        self.layers.push(Layer { name: None, look, mark });
        self
    }

    /// Draws on top of what is there, with an entry in the legend.
    pub fn named(mut self, name: &str, mark: Mark, look: Look) -> Self {
        self.layers.push(Layer { name: Some(name.to_owned()), look, mark });
        self
    }

    /// The names in the legend, each once.
    pub fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for name in self.layers.iter().filter_map(|layer| layer.name.as_deref()) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    /// The chart as shapes on paper.
    pub fn scene(&self) -> Scene {
        layout::scene(self)
    }

    /// All that is told to those who cannot see it.
    pub(crate) fn full_description(&self) -> String {
        let mut parts = Vec::new();
        if !self.description.is_empty() {
            parts.push(self.description.clone());
        }
        parts.push(format!("Horizontal axis: {}.", self.x.label));
        parts.push(format!("Vertical axis: {}.", self.y.label));
        let names = self.names();
        if !names.is_empty() {
            parts.push(format!("Shown: {}.", names.join(", ")));
        }
        parts.join(" ")
    }
}

impl Mark {
    /// The points that must be inside the axes.
    pub(crate) fn points(&self) -> Vec<Point> {
        match self {
            Self::Line(points) | Self::Points(points) => points.clone(),
            Self::Areas(areas) => areas.concat(),
            Self::Segments(segments) | Self::Hatch(segments) => segments.concat(),
            Self::Across(y) => vec![(f64::NAN, *y)],
            Self::Upright(x) => vec![(*x, f64::NAN)],
            Self::Note(at, ..) => vec![*at],
        }
    }
}
