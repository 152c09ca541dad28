//! A solver applied to any number of classes: two take one plane, more are reduced to two.

use super::{Fit, Learner};
use crate::control::Watch;
use crate::data::{Plane, Problem};
use crate::error::Error;
use crate::model::{Decide, LinearModel};
use crate::options::Setting;
use crate::reduce::{one_vs_rest, starts_or_zero};
use crate::solver::Solver;

/// How more than two classes are reduced to two.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reduction {
    /// One plane per class, against all others; the largest score wins.
    #[default]
    OneVsRest,
}

impl Reduction {
    /// The name used in every face.
    pub fn name(self) -> &'static str {
        match self {
            Self::OneVsRest => "one-vs-rest",
        }
    }
}

/// A solver, and what is done about more than two classes.
pub struct Reduced {
    /// Finds a plane.
    pub solver: Box<dyn Solver>,
    /// Makes many classes two.
    pub reduction: Reduction,
}

impl Reduced {
    /// The solver, with the usual reduction.
    pub fn new(solver: Box<dyn Solver>) -> Self {
        Self { solver, reduction: Reduction::default() }
    }
}

impl Learner for Reduced {
    fn name(&self) -> &'static str {
        self.solver.name()
    }

    fn settings(&self) -> Vec<(&'static str, Setting)> {
        self.solver.settings()
    }

    fn check(&self) -> Result<(), Error> {
        self.solver.check()
    }

    fn as_reduced(&self) -> Option<&Reduced> {
        Some(self)
    }

    fn learn(
        &self,
        problem: &Problem<'_>,
        starts: Option<&[Plane]>,
        positive: Option<usize>,
        watch: &mut dyn Watch,
    ) -> Result<Fit, Error> {
        if let Some(positive) = problem.positive(positive)? {
            return fit_against(problem, positive, self.solver.as_ref(), starts, watch);
        }
        match self.reduction {
            Reduction::OneVsRest => against_rest(problem, self.solver.as_ref(), starts, watch),
        }
    }
}

/// Fits a model with the usual reduction. With two classes the second is the positive one. Starts from one plane per
/// plane of the model, or from zero.
pub fn fit(
    problem: &Problem<'_>,
    solver: &dyn Solver,
    starts: Option<&[Plane]>,
    watch: &mut dyn Watch,
) -> Result<Fit, Error> {
    if problem.labels().k() == 2 {
        return fit_against(problem, 1, solver, starts, watch);
    }
    against_rest(problem, solver, starts, watch)
}

fn against_rest(
    problem: &Problem<'_>,
    solver: &dyn Solver,
    starts: Option<&[Plane]>,
    watch: &mut dyn Watch,
) -> Result<Fit, Error> {
    let runs = one_vs_rest(problem, solver, starts, watch)?;
    let classes = problem.labels().classes().to_vec();
    let planes = runs.iter().map(|run| run.plane.clone()).collect();
    let model = LinearModel::new(classes, planes, Decide::ArgMax)?.with_link(solver.link());
    Fit::of_runs(problem, model, Some(Reduction::OneVsRest.name()), runs)
}

/// Fits a two-class problem with class number `positive` (0 or 1) as the positive one.
///
/// # Panics
///
/// If the problem has more than two classes.
pub fn fit_against(
    problem: &Problem<'_>,
    positive: usize,
    solver: &dyn Solver,
    starts: Option<&[Plane]>,
    watch: &mut dyn Watch,
) -> Result<Fit, Error> {
    let [start] = &starts_or_zero(problem, starts, 1)?[..] else {
        unreachable!("one was asked for")
    };
    watch.plane(0, 1);
    let run = solver.solve(&problem.against_rest(positive), start.clone(), watch)?;
    let planes = vec![run.plane.clone()];
    let model = LinearModel::new(problem.pair(positive), planes, Decide::Sign)?;
    Fit::of_runs(problem, model.with_link(solver.link()), None, vec![run])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::Stop;
    use crate::data::{Design, Labels};
    use crate::solver::{OnlinePerceptron, Rosenblatt, Tie};

    #[test]
    fn the_positive_class_can_be_chosen() {
        let x = Design::dense(2, 1, vec![-1.0, 1.0]).unwrap();
        let labels = Labels::parse(["a", "b"]);
        let problem = Problem::new(&x, &labels, None).unwrap();
        let solver = OnlinePerceptron::default();
        let b = fit_against(&problem, 1, &solver, None, &mut ()).unwrap();
        let a = fit_against(&problem, 0, &solver, None, &mut ()).unwrap();
        assert_eq!(b.model.classes()[1].to_string(), "b");
        assert_eq!(a.model.classes()[1].to_string(), "a");
        assert!(b.model.planes()[0].w[0] > 0.0 && a.model.planes()[0].w[0] < 0.0);
        assert_eq!((a.mistakes, b.mistakes), (0.0, 0.0));
    }

    #[test]
    fn a_row_on_the_plane_is_reported() {
        // Learned with ties to the negative side, predicted with ties to the positive one.
        let x = Design::dense(2, 1, vec![0.0, 1.0]).unwrap();
        let labels = Labels::parse(["a", "b"]);
        let problem = Problem::new(&x, &labels, None).unwrap();
        let rule = Rosenblatt { tie: Tie::Negative, ..Rosenblatt::default() };
        let fit = fit(&problem, &OnlinePerceptron { rule }, None, &mut ()).unwrap();
        assert_eq!(fit.runs[0].mistakes, 0.0);
        assert_eq!((fit.on_the_plane, fit.mistakes), (1, 1.0));
    }

    #[test]
    fn three_classes_get_three_planes() {
        let x = Design::dense(3, 2, vec![1.0, 0.0, 0.0, 1.0, -1.0, -1.0]).unwrap();
        let labels = Labels::parse(["a", "b", "c"]);
        let problem = Problem::new(&x, &labels, None).unwrap();
        let fit = fit(&problem, &OnlinePerceptron::default(), None, &mut ()).unwrap();
        assert_eq!((fit.runs.len(), fit.stop, fit.accuracy), (3, Stop::Separated, 1.0));
        assert_eq!(fit.model.predict(&x).unwrap(), [0, 1, 2]);
    }
}
