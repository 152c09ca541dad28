//! Best intercept for given coefficients: a minimization in one variable.
//!
//! φ(t) = (1/S) Σ sᵢ ℓ(mᵢ + t yᵢ) is convex, so its slope rises from negative to positive. A
//! bracket is expanded by factors of four. It is then bisected, or cut by a Newton step that falls
//! inside, to the precision of doubles. An evaluation is O(n) and does not touch X.

use crate::data::Hyperplane;
use crate::objective::Objective;

/// Bisections that reduce any bracket of doubles to rounding.
const STEPS: usize = 120;

/// Adds the best intercept to a hyperplane with margins m, and to m; returns the shift.
pub(in crate::solvers) fn shift_intercept(
    objective: &Objective<'_>,
    hyperplane: &mut Hyperplane,
    m: &mut [f64],
) -> f64 {
    if !objective.intercept() {
        return 0.0;
    }
    let shift = best_intercept(objective, m);
    hyperplane.b += shift;
    m.iter_mut().zip(objective.y()).for_each(|(m, y)| *m += shift * y);
    shift
}

/// Returns the t that minimizes the mean loss at margins m + t y. 0 if no sign change of the slope
/// is within reach (the loss falls without limit in one direction).
pub(crate) fn best_intercept(objective: &Objective<'_>, m: &[f64]) -> f64 {
    let y = objective.y();
    let at = |t: f64| objective.along(m, y, t);
    let slope = at(0.0)[1];
    if slope == 0.0 || !slope.is_finite() {
        return 0.0;
    }

    // 1. Find a bracket with slopes of both signs.
    let away = -slope.signum();
    let (mut near, mut far) = (0.0, away);
    let mut reach = 0;
    while at(far)[1] * away < 0.0 {
        near = far;
        far *= 4.0;
        reach += 1;
        if reach > 20 {
            return 0.0;
        }
    }

    // 2. Shrink the bracket.
    let (mut low, mut high) = if near < far { (near, far) } else { (far, near) };
    let mut t = 0.5 * (low + high);
    for _ in 0..STEPS {
        let [_, slope, curvature] = at(t);
        if slope == 0.0 {
            return t;
        }
        *(if slope < 0.0 { &mut low } else { &mut high }) = t;
        let newton = t - slope / curvature;
        let middle = 0.5 * (low + high);
        let next = if newton > low && newton < high { newton } else { middle };
        if high - low <= 4.0 * f64::EPSILON * (1.0 + t.abs())
            || (next - t).abs() <= f64::EPSILON * (1.0 + t.abs())
        {
            break;
        }
        t = next;
    }
    t
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Design, Hyperplane, Labels, Problem};
    use crate::loss;
    use crate::penalty::Penalty;

    #[test]
    fn best_intercept_has_the_least_loss() {
        let x = Design::dense(6, 1, vec![-2.0, 0.5, 0.25, -0.5, 1.0, 3.0]).unwrap();
        let labels = Labels::parse(["a", "a", "b", "a", "b", "b"]);
        let problem = Problem::new(&x, &labels, Some(vec![1.0, 2.0, 1.0, 1.0, 3.0, 1.0])).unwrap();
        let binary = problem.against_rest(1);
        for loss in loss::ALL {
            let objective = Objective::new(&binary, *loss, Penalty::l2(0.1), true).unwrap();
            let mut m = vec![0.0; 6];
            objective.margins(&Hyperplane { w: vec![0.7], b: 3.0 }, &mut m);
            let best = best_intercept(&objective, &m);
            let value = |t| objective.along(&m, binary.y(), t)[0];
            for k in -400..400 {
                let other = f64::from(k) * 0.02;
                assert!(value(best) <= value(other) + 1e-14, "{}: {best}, {other}", loss.name());
            }
        }
    }
}
