//! `linsep plot`: pictures, one file per picture.
//!
//! What they share is here: where a picture goes and in which format. A picture is a [`Chart`] made
//! from numbers that the core has computed; how it looks is the business of `linsep-plot`.

mod boundaries;
pub mod coefficients;
pub mod confusion;
pub mod curves;
mod data;
mod losses;
pub mod parts;
pub mod path;
mod projection;
mod regions;
pub mod reliability;
mod trace;
mod weights;

use super::files::Files;
use crate::failure::Failure;
use crate::layout::{entry, whole_entry};
use crate::output::{Output, print};
use clap::{Args, Subcommand};
use curves::Curve;
use linsep_io::{AtomicFile, Kind};
use linsep_plot::{Chart, Format, Scene};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

#[derive(Args)]
pub struct PlotArgs {
    #[command(subcommand)]
    picture: Picture,
}

/// What can be drawn.
#[derive(Subcommand)]
enum Picture {
    /// Every loss as a curve over the margin, and the 0/1 cost they stand for
    Losses(Target),
    /// The rows of two columns, and where methods draw the line
    Boundaries(Box<boundaries::BoundariesArgs>),
    /// Two classes along Fisher's direction, and along the difference of their means
    Projection(Box<projection::ProjectionArgs>),
    /// Which class wins where, for a model of two columns, and what belongs to nobody
    Regions(Box<regions::RegionsArgs>),
    /// Rows as points, with the boundary of a method and its margins
    Data(Box<data::DataArgs>),
    /// A run step by step: where the boundary was, and the criterion
    Trace(Box<trace::TracePlotArgs>),
    /// The space of weights: a line for each row, the solution region, the path of the perceptron
    Weights(Box<weights::WeightsArgs>),
    /// Which classes are taken for which
    Confusion(Box<parts::JudgedArgs>),
    /// The largest weights of a model
    Coefficients(coefficients::CoefficientsArgs),
    /// True and false positives over all thresholds
    Roc(Box<parts::JudgedArgs>),
    /// Precision and recall over all thresholds
    Pr(Box<parts::JudgedArgs>),
    /// How often what is called likely happens; of a calibrated model, before and after
    Calibration(Box<reliability::ReliabilityArgs>),
    /// Weights over the strength of the penalty; or how a tuned model's strength was chosen
    Path(Box<path::PathArgs>),
}

#[derive(Args)]
struct Target {
    /// Where to draw it: a name that ends in .svg or .png, or - for SVG on stdout
    /// [default: the name of the picture, as SVG, in this folder]
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,
}

pub fn run(args: &PlotArgs, out: &Output) -> Result<(), Failure> {
    match &args.picture {
        Picture::Losses(target) => target.write("losses", &losses::chart(losses::ALL), out),
        Picture::Boundaries(args) => boundaries::run(args, out),
        Picture::Projection(args) => projection::run(args, out),
        Picture::Regions(args) => regions::run(args, out),
        Picture::Data(args) => data::run(args, out),
        Picture::Trace(args) => trace::run(args, out),
        Picture::Weights(args) => weights::run(args, out),
        Picture::Confusion(args) => confusion::run(args, out),
        Picture::Coefficients(args) => coefficients::run(args, out),
        Picture::Roc(args) => curves::run(args, Curve::Roc, out),
        Picture::Pr(args) => curves::run(args, Curve::PrecisionRecall, out),
        Picture::Calibration(args) => reliability::run(args, out),
        Picture::Path(args) => path::run(args, out),
    }
}

impl PlotArgs {
    /// What a picture is drawn from, and where.
    pub fn files(&self) -> Files<'_> {
        match &self.picture {
            Picture::Losses(target) => target.files("losses"),
            Picture::Boundaries(args) => args.files(),
            Picture::Projection(args) => args.files(),
            Picture::Regions(args) => args.files(),
            Picture::Data(args) => args.files(),
            Picture::Trace(args) => args.files(),
            Picture::Weights(args) => args.files(),
            Picture::Confusion(args) => args.files("confusion"),
            Picture::Coefficients(args) => args.files(),
            Picture::Roc(args) => args.files(Curve::Roc.name()),
            Picture::Pr(args) => args.files(Curve::PrecisionRecall.name()),
            Picture::Calibration(args) => args.files(),
            Picture::Path(args) => args.files(),
        }
    }
}

/// What a picture is to a command that overwrites it.
pub(super) const PICTURE: Kind = Kind {
    name: "an SVG or PNG picture",
    is: |start| Format::ALL.iter().any(|format| format.is(start)),
};

impl Target {
    /// Where the picture of this name goes.
    fn path(&self, name: &str) -> PathBuf {
        self.output.clone().unwrap_or_else(|| format!("{name}.svg").into())
    }

    /// The same as the file that is written.
    fn files(&self, name: &str) -> Files<'_> {
        Files::default().writes("output", Some(self.path(name)), PICTURE)
    }

    /// Writes a picture and says so. On stdout it is alone.
    fn write(&self, name: &str, chart: &Chart, out: &Output) -> Result<(), Failure> {
        self.write_with(name, chart, &[], out)
    }

    /// The same, with more to say: names, values, and words for a person.
    fn write_with(
        &self,
        name: &str,
        chart: &Chart,
        more: &[(&str, Value, String)],
        out: &Output,
    ) -> Result<(), Failure> {
        self.write_scene(name, &chart.scene(), &chart.names(), more, out)
    }

    /// The same for what is more than one chart: shapes, and the names of what they show.
    fn write_scene(
        &self,
        name: &str,
        scene: &Scene,
        shows: &[&str],
        more: &[(&str, Value, String)],
        out: &Output,
    ) -> Result<(), Failure> {
        let path = self.path(name);
        if path.as_os_str() == "-" {
            if out.json {
                return Err(Failure::Usage(
                    "the picture and the JSON object cannot both go to stdout: name a file with -o"
                        .to_owned(),
                ));
            }
            return print(&Format::Svg.write(scene));
        }
        let format = format_of(&path)?;
        AtomicFile::write_whole(&path, &format.write(scene))?;
        let json = || {
            let mut json = as_json(name, &path, format, shows);
            more.iter().for_each(|(key, value, _)| json[*key] = value.clone());
            json
        };
        let text = || {
            let mut text = as_text(&path, shows);
            more.iter().for_each(|(key, _, words)| entry(&mut text, key, words));
            text
        };
        out.result(json, text)
    }
}

/// The format a file name asks for.
pub(super) fn format_of(path: &Path) -> Result<Format, Failure> {
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    let named = |format: &Format| ending.as_deref() == Some(format.name());
    Format::ALL.into_iter().find(named).ok_or_else(|| {
        let endings = Format::ALL.map(|format| format!(".{}", format.name())).join(" or ");
        let (path, instead) = (path.display(), path.with_extension("svg"));
        let instead = instead.display();
        Failure::Usage(format!(
            "{path}: the format of a picture is the end of its name, {endings}: try {instead}"
        ))
    })
}

fn as_json(name: &str, path: &Path, format: Format, shows: &[&str]) -> Value {
    let curves: Vec<Value> = shows.iter().map(|name| json!({ "name": name })).collect();
    json!({
        "plot": name,
        "path": path.display().to_string(),
        "format": format.name(),
        "curves": curves,
    })
}

fn as_text(path: &Path, shows: &[&str]) -> String {
    let mut text = String::new();
    whole_entry(&mut text, "plot", &path.display().to_string());
    if !shows.is_empty() {
        entry(&mut text, "shows", &shows.join(", "));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_says_the_format() {
        assert_eq!(format_of(Path::new("a.b/losses.svg")).unwrap(), Format::Svg);
        assert_eq!(format_of(Path::new("LOSSES.PNG")).unwrap(), Format::Png);
        for name in ["losses", "losses.jpg", ".svg", "svg", "losses.svg.gz"] {
            assert_eq!(format_of(Path::new(name)).unwrap_err().code(), 2, "{name}");
        }
    }
}
