//! Predictions of more rows than memory holds: a pipe or a file is scored block by block, and
//! nothing is kept but what the program keeps itself, here one counter per class. The rows are
//! generated while they are read; `Source::open` reads a file in the same way.
//!
//! `cargo run -p linsep --example streaming_scores`

use linsep::prelude::*;
use std::io::{self, Read};

/// The table of this example.
const IRIS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/iris.csv");

/// Number of generated rows.
const ROWS: usize = 100_000;

/// A pipe that writes one row after another, and never holds more than one.
#[derive(Default)]
struct Rows {
    line: Vec<u8>,
    next: usize,
}

impl Read for Rows {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.line.is_empty() && self.next <= ROWS {
            let (i, step) = (self.next, (self.next % 60) as f64 / 10.0);
            self.line = match i {
                0 => b"sepal_length,sepal_width,petal_length,petal_width\n".to_vec(),
                _ => format!("{:.1},3.0,{:.1},{:.1}\n", 4.5 + step / 2.0, 1.0 + step, step / 2.4)
                    .into_bytes(),
            };
            self.next += 1;
        }
        let n = self.line.len().min(out.len());
        out[..n].copy_from_slice(&self.line[..n]);
        self.line.drain(..n);
        Ok(n)
    }
}

/// Trains on iris, and counts the predicted classes of a stream.
pub fn main() -> Result<(), Error> {
    let model = Fit::new(Method::gaussian()).run(&Input::read(IRIS)?)?.model_file;
    let source = Source::from_reader("generated rows", Rows::default());

    let (mut counts, mut blocks) = (vec![0; model.model.k()], 0);
    let read = ReadOptions::default();
    let total = Predict::default().stream(&model, vec![source], &read, &mut (), |block| {
        blocks += 1;
        for class in block.iter().flatten().filter_map(|prediction| prediction.class) {
            counts[class as usize] += 1;
        }
        Ok(())
    })?;

    println!("{} rows in {blocks} blocks", total.rows);
    for (class, count) in model.model.classes().iter().zip(counts) {
        println!("{count:>8}  {class}");
    }
    Ok(())
}
