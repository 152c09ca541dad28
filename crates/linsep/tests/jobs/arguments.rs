//! The arguments of golden files, which are written as on the command line, as requests.

use linsep::SampleWeights;
use linsep::core::infer::Intervals;
use linsep::io::csv::Force;
use linsep::io::target::ClassColumn;
use linsep::jobs::Fit;
use linsep::jobs::fit::InferenceSettings;
use linsep::prelude::*;
use linsep::recipe::MissingPolicy;
use std::path::Path;

/// The data in a file, and a request, by these arguments. `{data}` is the folder of all data.
pub(crate) fn request(file: &Path, arguments: &str) -> (Input, Fit) {
    let (mut read, mut fit) = (ReadOptions::default(), Fit::default());
    let force = &mut read.csv.force;
    let mut words = arguments.split_whitespace();
    while let Some(word) = words.next() {
        let value = words.next().unwrap_or_else(|| panic!("{word} has no value")).to_owned();
        let (data, options) = (&mut fit.data, &mut fit.method.options);
        match word {
            "--drop" => force.push((value, Force::Drop)),
            "--target" => data.target = Some(value),
            "--positive" => fit.positive = Some(Label::parse(&value)),
            "--counts" => data.counts = value.split(',').map(str::to_owned).collect(),
            "--weights" => {
                let folder = file.parent().unwrap().parent().unwrap().display().to_string();
                data.weights = Some(SampleWeights::Named(value.replace("{data}", &folder)));
            }
            "--missing" => {
                assert_eq!(value, MissingPolicy::Drop.name());
                data.recipe.missing = MissingPolicy::Drop;
            }
            "--quote" => {
                assert_eq!(value, "none");
                read.csv.quote = None;
            }
            "--intervals" => {
                assert_eq!(value, "wald");
                let intervals = Intervals::Wald;
                fit.inference = Some(InferenceSettings { intervals, ..Default::default() });
            }
            "--method" => fit.method.entry = Some(value.parse().unwrap()),
            "--lambda" => options.lambda = Some(value.parse().unwrap()),
            "--shrinkage" => options.shrinkage = Some(value.parse().unwrap()),
            "--priors" => options.priors = Some(value.parse().unwrap()),
            _ => panic!("{word} is new: read it here"),
        }
    }
    let counts = &fit.data.counts;
    force.extend(counts.iter().map(|name| (name.clone(), Force::Numeric)));
    if counts.is_empty() {
        read.csv.classes = ClassColumn::of(fit.data.target.as_deref());
    }
    (read_source(Source::open(file).unwrap(), &read).unwrap(), fit)
}
