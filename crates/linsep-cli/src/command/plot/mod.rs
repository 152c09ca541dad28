//! `linsep plot`: pictures, one file per picture.
//!
//! What they share is here: where a picture goes and in which format. A picture is a [`Chart`] made from
//! numbers that the core has computed; how it looks is the business of `linsep-plot`.

mod boundaries;
mod losses;
mod projection;
mod regions;

use crate::failure::Failure;
use crate::output::{Output, print};
use clap::{Args, Subcommand};
use linsep_io::AtomicFile;
use linsep_plot::{Chart, Format};
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
}

#[derive(Args)]
struct Target {
    /// Where to draw it: a name that ends in .svg or .png, or - for SVG on stdout [default: the name
    /// of the picture, as SVG, in this folder]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub fn run(args: &PlotArgs, out: &Output) -> Result<(), Failure> {
    match &args.picture {
        Picture::Losses(target) => target.write("losses", &losses::chart(losses::ALL), out),
        Picture::Boundaries(args) => boundaries::run(args, out),
        Picture::Projection(args) => projection::run(args, out),
        Picture::Regions(args) => regions::run(args, out),
    }
}

impl Target {
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
        let path = self.output.clone().unwrap_or_else(|| format!("{name}.svg").into());
        if path.as_os_str() == "-" {
            if out.json {
                return Err(Failure::Usage(
                    "the picture and the JSON object cannot both go to stdout: name a file with -o"
                        .to_owned(),
                ));
            }
            return print(&Format::Svg.write(&chart.scene()));
        }
        let format = format_of(&path)?;
        AtomicFile::write_whole(&path, &format.write(&chart.scene()))?;
        let json = || {
            let mut json = as_json(name, &path, format, chart);
            more.iter().for_each(|(key, value, _)| json[*key] = value.clone());
            json
        };
        let text = || {
            let lines = more.iter().map(|(key, _, words)| format!("{key:<9} {words}\n"));
            as_text(&path, chart) + &lines.collect::<String>()
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

fn as_json(name: &str, path: &Path, format: Format, chart: &Chart) -> Value {
    let curves: Vec<Value> = chart.names().iter().map(|name| json!({ "name": name })).collect();
    json!({
        "plot": name,
        "path": path.display().to_string(),
        "format": format.name(),
        "curves": curves,
    })
}

fn as_text(path: &Path, chart: &Chart) -> String {
    format!("picture   {}\nshows     {}\n", path.display(), chart.names().join(", "))
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
