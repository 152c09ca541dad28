//! All planes at once: methods for many classes that are no sum of problems of two.
//!
//! * [`WinnerTakeAll`] and [`Kesler`]: Rosenblatt's rule for k planes, run by [`correct()`]
//! * [`CrammerSinger`]: the support vector machine of many classes
//! * [`softmax()`]: the planes under which the classes were most likely
//! * [`least_squares()`]: the planes whose scores are nearest to targets, where there is no room for a closed form
//!
//! The first three work on a [`Sheaf`], where the k weights of a column are neighbours: one pass over the stored values of a row
//! gives all k scores.

mod conjugate;
mod correct;
mod crammer_singer;
mod fitted;
mod kesler;
mod least_squares;
mod sheaf;
mod softmax;
mod springs;
mod winner_take_all;
mod working;

pub use correct::{Correct, Look, correct};
pub use crammer_singer::{CrammerSinger, Way};
pub use kesler::{Expanded, Kesler, expand};
pub use least_squares::least_squares;
pub use sheaf::Sheaf;
pub use softmax::softmax;
pub use winner_take_all::{CountingTies, WinnerTakeAll};

use crate::certify::{OptimalityCertificate, Winner};
use crate::control::{Epoch, Standing, Stop, Watch};
use crate::data::{Plane, Problem};
use crate::error::Error;
use crate::minimise::Goal;

/// What a run ended with.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// One plane per class, or one where it tells two apart; every number is finite.
    pub planes: Vec<Plane>,
    /// Why the run ended.
    pub stop: Stop,
    /// Passes over the data.
    pub epochs: u64,
    /// Corrections.
    pub updates: u64,
    /// Weight of the training rows whose own class does not win, alone.
    pub mistakes: f64,
    /// How far the planes are from optimal at most, where a criterion was minimised.
    pub certificate: Option<OptimalityCertificate>,
    /// Of every row, the class that wins at every optimum, where that is known.
    pub(crate) winners: Option<Vec<Option<Winner>>>,
    /// The way of minimising, where there is one.
    pub way: Option<&'static str>,
}

/// The planes to start from: those given, which must fit, or zeros.
fn start(problem: &Problem<'_>, starts: Option<&[Plane]>) -> Result<Sheaf, Error> {
    let (d, k) = (problem.x().d(), problem.labels().k());
    let Some(planes) = starts else { return Ok(Sheaf::zero(d, k)) };
    if planes.len() != k {
        return Err(Error::Shape { what: "start planes", got: planes.len(), want: k });
    }
    for plane in planes {
        if plane.d() != d {
            return Err(Error::Shape { what: "start weights", got: plane.d(), want: d });
        }
        if let Some(&got) = plane.w.iter().chain([&plane.b]).find(|v| !v.is_finite()) {
            return Err(Error::Setting { name: "start", got, want: "finite" });
        }
    }
    Ok(Sheaf::of(planes))
}

/// Tells who looks on how it stands. Whether to go on.
fn tell(watch: &mut dyn Watch, epoch: u64, goal: &Goal, value: f64, gap: Option<f64>) -> bool {
    let standing = Standing::Criterion { value, relative_gap: gap };
    watch.epoch(&Epoch { epoch, of: goal.budget.epochs, standing }) && !watch.cancel().is_set()
}
