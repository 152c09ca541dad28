//! An observer that draws a line per epoch, and ends the run once the duality gap is small enough.
//! The run then returns the best hyperplane so far with its stop reason.
//!
//! `cargo run -p linsep --example own_observer`

use linsep::prelude::*;

/// The table of this example.
const OUTLIERS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/outliers.csv");

/// Draws the duality gap on a logarithmic scale until it is small enough.
struct Progress {
    enough: f64,
}

impl Observer for Progress {
    /// Returns whether the run goes on.
    fn epoch(&mut self, now: &Epoch) -> bool {
        let EpochMetric::Objective { relative_gap: Some(gap), .. } = now.standing else {
            return true;
        };
        let width = (40.0 + 8.0 * gap.log10()).clamp(0.0, 40.0) as usize;
        println!("epoch {:>3}  gap {gap:.1e}  {}", now.epoch, "▇".repeat(width));
        gap > self.enough
    }
}

/// Trains until the gap is at most 1 %, which is above the tolerance.
pub fn main() -> Result<(), Error> {
    let data = Input::read(OUTLIERS)?;
    let method = Method::logistic().solver(Solver::DualCd).tol(1e-9);
    let outcome = Fit::new(method).run_with(data, None, &mut Progress { enough: 0.01 })?;
    println!("The run was {} after {} epochs.", outcome.fit.stop, outcome.fit.epochs);
    assert_eq!(outcome.fit.stop, StopReason::Interrupted);
    println!("{}", outcome.certificate());
    Ok(())
}
