//! What a certificate says: two solvers at two tolerances, and the interval in which each of the
//! four runs encloses the same minimum.
//!
//! `cargo run -p linsep --example certificate`

use linsep::prelude::*;

/// The table of this example.
const IRIS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/iris.csv");

/// Prints gap and certified predictions of each run, and the intersection of the intervals.
pub fn main() -> Result<(), Error> {
    let data = Input::read(IRIS)?;
    let (mut lower, mut upper) = (f64::NEG_INFINITY, f64::INFINITY);
    println!("solver     tol    relative gap  certified predictions");
    for solver in [Solver::NewtonCg, Solver::DualCd] {
        for tol in [0.5, 1e-9] {
            let method = Method::logistic().solver(solver).tol(tol).multiclass(Scheme::OneVsRest);
            let training = Fit::new(method).run(&data)?.model_file.header.training;
            // One hyperplane per class, so the sums bound the sum of the three minima.
            let certificates = &training.certificates;
            let (primal, dual): (f64, f64) = (
                certificates.iter().map(|proof| proof.primal).sum(),
                certificates.iter().filter_map(|proof| proof.dual).sum(),
            );
            (lower, upper) = (lower.max(dual), upper.min(primal));
            let gap = (primal - dual) / primal;
            let certified = training.certified.map_or(0, |own| own.rows);
            let name = solver.name();
            println!("{name:<9}  {tol:<5.0e}  {gap:<12.1e}  {certified} of {}", training.rows);
        }
    }
    println!("All runs agree: the minimum lies between {lower:.9} and {upper:.9}.");
    assert!(lower <= upper, "two certificates would contradict each other");
    Ok(())
}
