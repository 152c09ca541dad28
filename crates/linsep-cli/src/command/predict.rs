//! `linsep predict`: the class of every row, one row out per row in.

use super::classes_json;
use crate::data::DataArgs;
use crate::failure::Failure;
use crate::output::{Output, note, print};
use clap::Args;
use linsep::LinearModel;
use linsep_io::{AtomicFile, Bundle, Error, Place, Scoring};
use serde_json::json;
use std::io::Write;
use std::path::PathBuf;

#[derive(Args)]
pub struct PredictArgs {
    /// The model
    model: PathBuf,

    /// The data; - is stdin
    data: PathBuf,

    /// Where to write the predictions [default: stdout]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Write the score of every plane beside the class
    #[arg(long)]
    scores: bool,

    #[command(flatten)]
    reading: DataArgs,
}

pub fn run(args: &PredictArgs, out: &Output) -> Result<(), Failure> {
    let bundle = Bundle::load(&args.model)?;
    let input = args.reading.read(&args.data, out)?;
    let scoring = Scoring::new(input, &bundle.header.schema, args.reading.target.as_deref())?;
    scoring.notes.iter().for_each(|text| note(text));
    let scores = bundle.model.scores(&scoring.x)?;

    let text = if out.json {
        format!("{}\n", as_json(&bundle.model, &scores, args.scores))
    } else {
        as_csv(&bundle.model, &scores, args.scores)
    };
    match &args.output {
        None => print(text.as_bytes()),
        Some(path) => {
            let mut file = AtomicFile::create(path)?;
            file.write_all(text.as_bytes()).map_err(|source| Error::Write {
                place: Box::new(Place::file(&path.display().to_string())),
                source,
            })?;
            Ok(file.finish(path)?)
        }
    }
}

/// The class that each plane's score speaks for.
fn score_names(model: &LinearModel) -> Vec<String> {
    match model.planes().len() {
        1 => vec!["score".to_owned()],
        _ => model.classes().iter().map(|class| format!("score_{class}")).collect(),
    }
}

fn as_csv(model: &LinearModel, scores: &[f64], with_scores: bool) -> String {
    let classes: Vec<String> = model.classes().iter().map(|c| field(&c.to_string())).collect();
    let mut text = String::from("prediction");
    if with_scores {
        for name in score_names(model) {
            text.push(',');
            text.push_str(&field(&name));
        }
    }
    text.push('\n');
    for row in scores.chunks_exact(model.planes().len()) {
        text.push_str(&classes[model.decide().class(row) as usize]);
        if with_scores {
            for z in row {
                text.push(',');
                text.push_str(&z.to_string());
            }
        }
        text.push('\n');
    }
    text
}

/// A text as a CSV field.
fn field(text: &str) -> String {
    if text.contains(['"', ',', '\n', '\r']) || text.trim() != text {
        return format!("\"{}\"", text.replace('"', "\"\""));
    }
    text.to_owned()
}

fn as_json(model: &LinearModel, scores: &[f64], with_scores: bool) -> serde_json::Value {
    let classes = classes_json(model.classes());
    let predicted = model.decide_all(scores);
    let mut json = json!({
        "n": predicted.len(),
        "classes": classes,
        "predictions": predicted.iter().map(|&c| &classes[c as usize]).collect::<Vec<_>>(),
    });
    if with_scores {
        json["scores"] = scores.chunks_exact(model.planes().len()).collect();
    }
    json
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_quoted_where_they_must_be() {
        assert_eq!(field("plain"), "plain");
        assert_eq!(field("a,b"), "\"a,b\"");
        assert_eq!(field("say \"x\""), "\"say \"\"x\"\"\"");
        assert_eq!(field(" blank"), "\" blank\"");
    }
}
