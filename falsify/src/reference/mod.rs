//! References: optima, separation and margins, by methods that share no code with the library.
//!
//! * [`program`]: sums of convex terms of linear forms, by a double-double interior-point method
//! * [`binary`]: the optimum of a binary problem, with the interval of scores over all optima
//! * [`multiclass`], [`crammer_singer`]: the optima of joint fits of k classes
//! * [`separation`]: complete, quasi-complete or overlap, by exact integer linear programs
//! * [`margin`]: the largest margin of signed rows

pub mod binary;
pub mod crammer_singer;
pub mod intercepts;
pub mod margin;
pub mod multiclass;
pub mod program;
pub mod separation;
pub mod term;
