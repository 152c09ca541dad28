//! Why a row is given its class, and what would change that.
//!
//! A linear model has an answer to both that is exact and short:
//!
//! * **Why.** The score of a row is a sum, z = Σⱼ wⱼ(xⱼ − cⱼ) + (b + w·c), for any centre c: one term for each column, and one for a row
//!   that is c itself ([`contributions`]).
//! * **What if.** The rows of a class are (but for votes) a convex region between planes, so the nearest row of another class is a
//!   projection onto a plane ([`Contest::nearest`]); along a line, say of one column, every score is a straight line, and the first place
//!   where another class takes the lead is the least of a few quotients ([`Contest::reach`]).
//!
//! Nothing is taken on trust: every change that is handed out has been scored as a row of its own, and decided otherwise.

mod contest;
mod nearest;
mod reach;

pub use contest::{Contest, contributions};
pub use nearest::Flip;

#[cfg(test)]
mod fixture {
    use crate::data::{Label, Plane};
    use crate::model::{Decide, LinearModel};

    /// A model of k classes, 0, 1, …, by the numbers of its planes, each with its bias last.
    pub(super) fn model(decide: Decide, k: usize, numbers: &[f64], d: usize) -> LinearModel {
        let classes = (0..k).map(|c| Label::Number(c as f64)).collect();
        let planes = numbers.chunks_exact(d + 1).take(decide.planes(k));
        let planes = planes.map(|n| Plane { w: n[..d].to_vec(), b: n[d] }).collect();
        LinearModel::new(classes, planes, decide).unwrap()
    }
}
