//! `linsep logic network`: a network of neurons that computes a Boolean function.

use super::function::{Function, FunctionArgs};
use super::threshold::summable_json;
use super::{drawing, inequality, neuron_json};
use crate::command::files::Files;
use crate::command::plot::{PLOT, format_of};
use crate::failure::Failure;
use crate::layout::{Table, entry};
use crate::output::{Output, print};
use clap::Args;
use linsep::AtomicFile;
use linsep::logic::{Limits, Network, network};
use linsep_plot::Format;
use linsep_report::number::plural;
use serde_json::{Value, json};
use std::path::PathBuf;

#[derive(Args)]
pub struct NetworkArgs {
    #[command(flatten)]
    function: FunctionArgs,

    /// Draw the network in this .svg or .png file, or as SVG to stdout (-); for two inputs with the
    /// hyperplanes of its neurons
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,
}

impl NetworkArgs {
    /// Returns the files read and written.
    pub fn files(&self) -> Files<'_> {
        let function = [self.function.file()];
        Files::default().reads(function).writes("output", self.output.clone(), PLOT)
    }
}

pub fn run(args: &NetworkArgs, out: &Output) -> Result<(), Failure> {
    let function = args.function.read(out)?;
    let network = network(&function.truth, &Limits::default())?;
    if let Some(path) = &args.output {
        let scene = drawing::scene(&function, &network);
        if path.as_os_str() == "-" {
            return print(&Format::Svg.write(&scene));
        }
        AtomicFile::write_whole(path, &format_of(path)?.write(&scene))?;
    }
    let path = args.output.as_ref().map(|path| path.display().to_string());
    out.result(
        || as_json(&function, &network, path.as_deref()),
        || as_text(&function, &network, path.as_deref()),
    )
}

/// Returns the names of the hidden neurons: h1, h2, …
pub(super) fn hidden_names(network: &Network) -> Vec<String> {
    (1..=network.hidden.len()).map(|i| format!("h{i}")).collect()
}

fn as_text(function: &Function, network: &Network, path: Option<&str>) -> String {
    let mut text = function.text();
    let mut line = |key: &str, value: String| entry(&mut text, key, &value);
    let hidden = network.hidden.len();
    line(
        "network",
        match hidden {
            0 => "one neuron".to_owned(),
            h => format!(
                "two layers: {} and the output",
                plural(h, "hidden neuron", "hidden neurons")
            ),
        },
    );
    let why = network.proof.meaning();
    line(
        "minimal",
        if network.is_minimal() {
            format!("yes: {why}")
        } else {
            format!(
                "not proved: at least {} required ({why})",
                plural(network.at_least, "hidden neuron", "hidden neurons")
            )
        },
    );
    line("verified", format!("on all {} rows", function.truth.rows()));
    if let Some(path) = path {
        line("plot", path.to_owned());
    }
    let names = hidden_names(network);
    let mut table = Table::new(&["neuron", "gate", "fires if"], 3).prose(2);
    for (neuron, name) in network.hidden.iter().zip(&names) {
        let is = neuron.name().unwrap_or_default().to_owned();
        table.row(vec![name.clone(), is, inequality(neuron, &function.inputs)]);
    }
    let into = if names.is_empty() { &function.inputs } else { &names };
    let is = network.output.name().unwrap_or_default().to_owned();
    table.row(vec!["output".to_owned(), is, inequality(&network.output, into)]);
    text.push('\n');
    text.push_str(&table.show(2));
    text + &rows(function, network)
}

/// Returns the truth table of every neuron, if the rows are few.
fn rows(function: &Function, network: &Network) -> String {
    const MOST: usize = 16;
    if function.truth.rows() > MOST || network.hidden.is_empty() {
        return String::new();
    }
    let names = hidden_names(network);
    let header: Vec<&str> =
        function.inputs.iter().chain(&names).map(String::as_str).chain(["output"]).collect();
    let mut table = Table::new(&header, 0);
    for row in 0..function.truth.rows() {
        let inputs = function.truth.row(row).into_iter().map(|x| x.to_string());
        let hidden = network.hidden.iter().map(|neuron| u8::from(neuron.fires(row)).to_string());
        let output = u8::from(network.fires(row)).to_string();
        table.row(inputs.chain(hidden).chain([output]).collect());
    }
    format!("\n{}", table.show(2))
}

fn as_json(function: &Function, network: &Network, path: Option<&str>) -> Value {
    let mut json = function.json();
    json["hidden"] = network.hidden.iter().map(neuron_json).collect();
    json["output"] = neuron_json(&network.output);
    json["minimal"] = json!(network.is_minimal());
    json["hidden_at_least"] = json!(network.at_least);
    json["proof"] = json!(network.proof.meaning());
    json["verified"] = json!(true);
    if let Some(summable) = &network.summable {
        json["certificate"] = summable_json(function, summable);
    }
    if let Some(path) = path {
        json["path"] = json!(path);
    }
    json
}
