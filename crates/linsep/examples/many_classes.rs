//! Multiclass schemes side by side: ten classes on a circle, each scheme with its number of
//! hyperplanes, its accuracy on rows that were held out, and what is certified about it.
//!
//! `cargo run -p linsep --example many_classes`

use linsep::prelude::*;
use std::fmt::Write;

/// Number of classes.
const K: usize = 10;

/// Writes 40 rows per class around K points of a circle; the golden ratio replaces random numbers.
fn circle() -> Result<Input, Error> {
    let mut text = "x,y,class\n".to_owned();
    for i in 0..40 * K {
        let class = i % K;
        let angle = class as f64 / K as f64 * std::f64::consts::TAU;
        let noise = |step: f64| (i as f64 * step).fract() - 0.5;
        let (x, y) = (3.0 * angle.cos() + noise(0.618_034), 3.0 * angle.sin() + noise(0.754_878));
        let _ = writeln!(text, "{x:.3},{y:.3},class {class}");
    }
    Ok(read_source(Source::from_bytes("circle.csv", text), &ReadOptions::default())?)
}

/// Trains by each scheme, and prints a table.
pub fn main() -> Result<(), Error> {
    let data = circle()?;
    println!("scheme                method               hyperplanes  accuracy  certificate");
    for (method, scheme) in [
        (Method::logistic(), Scheme::Softmax),
        (Method::logistic(), Scheme::OneVsRest),
        (Method::svm(), Scheme::OneVsRestButLast),
        (Method::svm(), Scheme::OneVsOne),
        (Method::svm(), Scheme::CrammerSinger),
        (Method::averaged_perceptron(), Scheme::WinnerTakeAll),
        (Method::averaged_perceptron(), Scheme::Kesler),
    ] {
        let (name, method) = (method.entry().name, method.multiclass(scheme));
        let outcome = Fit::new(method).holdout(0.25).run(&data)?;
        let model = &outcome.model_file.model;
        let test = outcome.evaluated.as_ref().map(|test| &test.evaluation);
        let accuracy = 100.0 * test.map_or(f64::NAN, Evaluation::accuracy);
        let certified = match &outcome.model_file.header.training.certified {
            Some(rows) => format!("{} of {} predictions", rows.rows, rows.of),
            None => "none".to_owned(),
        };
        let (scheme, planes) = (scheme.name(), model.hyperplanes().len());
        println!("{scheme:<20}  {name:<19}  {planes:>11}  {accuracy:>6.1} %  {certified}");
    }
    Ok(())
}
