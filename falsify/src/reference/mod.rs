//! References: optima, separation and margins, by mathematics that shares no code with the library.
//!
//! * [`program`]: sums of convex terms of linear forms, by an interior-point method in double-double
//! * [`binary`]: the optimum of two classes, with the whole interval of scores at the optima
//! * [`multiclass`], [`crammer_singer`]: the optima of k classes learned jointly
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
