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
