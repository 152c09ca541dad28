//! From a file to labeled probabilities in five lines: read, train, certify, save, predict.
//!
//! `cargo run -p linsep --example quickstart`

use linsep::prelude::*;

/// The table of this example.
const IRIS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/iris.csv");

/// Rows without a class.
const NEW: &str = "petal_width,petal_length,sepal_width,sepal_length
0.2,1.4,3.5,5.1
1.2,4.0,2.6,5.5
2.2,5.8,3.0,6.5
";

/// Trains on iris, and prints the probabilities of three rows by a model that was saved.
pub fn main() -> Result<(), Error> {
    let path = std::env::temp_dir().join("quickstart.linsep");

    let data = Input::read(IRIS)?;
    let fit = Fit::new(Method::logistic()).target("species").tune(20).calibrate(Calibration::Platt);
    let outcome = fit.run(&data)?;
    println!("{}\n", outcome.certificate());
    outcome.model_file.save(&path)?;

    // Another program loads the file. Columns are matched by name, in any order.
    let new = read_source(Source::from_bytes("new.csv", NEW), &ReadOptions::default())?;
    println!("{}", ModelFile::load(&path)?.predict_proba(&new)?);
    Ok(())
}
