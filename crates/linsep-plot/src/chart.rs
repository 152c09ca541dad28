//! A chart: two axes and the layers between them.
//!
//! A chart is described in the units of the data; [`scene`](Chart::scene) computes the layout. A
//! layer with a name is in the legend; layers with the same name share an entry.

use crate::axis::Axis;
use crate::color::SeriesStyle;
use crate::layout;
use crate::scene::{Anchor, Point, Scene};

/// A chart: title, axes and layers.
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

/// One layer of a chart.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Layer {
    pub(crate) name: Option<String>,
    pub(crate) style: SeriesStyle,
    pub(crate) mark: Mark,
}

/// Geometry of a layer, in the units of the data. Points that are not finite are omitted, and break
/// a line.
#[derive(Clone, Debug, PartialEq)]
pub enum Mark {
    /// Line through points.
    Line(Vec<Point>),
    /// Points, one marker each.
    Points(Vec<Point>),
    /// Filled polygons: regions, bands, bars, cells.
    Areas(Vec<Vec<Point>>),
    /// Line segments: intervals, distances.
    Segments(Vec<[Point; 2]>),
    /// Line segments that hatch the areas of the same name; the legend shows the areas hatched.
    Hatch(Vec<[Point; 2]>),
    /// Horizontal line at this y.
    HorizontalLine(f64),
    /// Vertical line at this x.
    VerticalLine(f64),
    /// Text at a point, anchored at its start, middle or end.
    Note(Point, String, Anchor),
}

impl Chart {
    /// Returns an empty chart of 720 × 480 pixels (7.5 × 5 inches).
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

    /// Sets a line of smaller text below the title.
    pub fn subtitle(self, words: &str) -> Self {
        Self { subtitle: words.to_owned(), ..self }
    }

    /// Sets the description for screen readers, to which the labels of axes and series are added.
    pub fn describe(self, words: &str) -> Self {
        Self { description: words.to_owned(), ..self }
    }

    /// Sets the size, from 240 × 160 to 4000 × 4000 pixels.
    pub fn size(self, width: f64, height: f64) -> Self {
        let within = |v: f64, least: f64| if v > least { v.min(4000.0) } else { least };
        Self { width: within(width, 240.0), height: within(height, 160.0), ..self }
    }

    /// Sets an equal aspect ratio: one unit has the same length on both axes, so that angles are
    /// true. Requires two linear axes.
    pub fn equal(self) -> Self {
        Self { equal: true, ..self }
    }

    /// Adds a layer on top of the others.
    pub fn layer(mut self, mark: Mark, look: SeriesStyle) -> Self {
        self.layers.push(Layer { name: None, style: look, mark });
        self
    }

    /// Adds a layer on top of the others, with an entry in the legend.
    pub fn named(mut self, name: &str, mark: Mark, look: SeriesStyle) -> Self {
        self.layers.push(Layer { name: Some(name.to_owned()), style: look, mark });
        self
    }

    /// Names in the legend, without repetition.
    pub fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for name in self.layers.iter().filter_map(|layer| layer.name.as_deref()) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    /// Lays out the chart as shapes.
    pub fn scene(&self) -> Scene {
        layout::scene(self)
    }

    /// Returns the complete description for screen readers.
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
    /// Returns the points that the ranges of the axes must contain.
    pub(crate) fn points(&self) -> Vec<Point> {
        match self {
            Self::Line(points) | Self::Points(points) => points.clone(),
            Self::Areas(areas) => areas.concat(),
            Self::Segments(segments) | Self::Hatch(segments) => segments.concat(),
            Self::HorizontalLine(y) => vec![(f64::NAN, *y)],
            Self::VerticalLine(x) => vec![(*x, f64::NAN)],
            Self::Note(at, ..) => vec![*at],
        }
    }
}
