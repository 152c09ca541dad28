//! What a score costs: scalar functions of a score z and a class y ∈ {−1, +1}.
//!
//! | loss | ℓ(z, y) | slope ∂ℓ/∂z |
//! |---|---|---|
//! | [`Perceptron`] | max(0, −yz) | −y where yz ≤ 0, else 0 |

mod perceptron;

pub use perceptron::Perceptron;

/// A loss: convex in z, never negative.
pub trait Loss: Sync {
    /// The name used in every face.
    fn name(&self) -> &'static str;
    /// ℓ(z, y).
    fn value(&self, z: f64, y: f64) -> f64;
    /// ∂ℓ/∂z; a subgradient where there is a kink.
    fn slope(&self, z: f64, y: f64) -> f64;
}

/// Every loss there is.
pub const ALL: &[&dyn Loss] = &[&Perceptron];

#[cfg(test)]
mod tests {
    use super::*;

    const GRID: [f64; 9] = [-40.0, -3.0, -1.0, -0.25, 0.0, 0.25, 1.0, 3.0, 40.0];

    /// ℓ(v) ≥ ℓ(z) + slope(z) (v − z) for all z, v: convexity and a true subgradient in one.
    #[test]
    fn the_slope_supports_the_loss_everywhere() {
        for loss in ALL {
            for (y, z, v) in triples() {
                let below = loss.value(z, y) + loss.slope(z, y) * (v - z);
                assert!(loss.value(v, y) >= below - 1e-12, "{} at {z}, {v}", loss.name());
            }
        }
    }

    #[test]
    fn losses_are_not_negative_and_fall_with_the_margin() {
        for loss in ALL {
            for (y, z, v) in triples() {
                assert!(loss.value(z, y) >= 0.0, "{}", loss.name());
                if y * z < y * v {
                    assert!(loss.value(z, y) >= loss.value(v, y), "{}", loss.name());
                }
            }
        }
    }

    fn triples() -> impl Iterator<Item = (f64, f64, f64)> {
        [-1.0, 1.0].into_iter().flat_map(|y| {
            GRID.into_iter().flat_map(move |z| GRID.into_iter().map(move |v| (y, z, v)))
        })
    }
}
