//! Binary learner applied to any number of classes: two take one hyperplane, more follow a scheme.

use super::memory::Size;
use super::parts::model_of;
use super::scheme::{CLASSES, NUMBERS};
use super::{FitResult, Learner, Scheme, in_storage_order};
use crate::binary::{BinaryFit, BinaryLearner};
use crate::control::Observer;
use crate::data::{Hyperplane, Problem};
use crate::error::Error;
use crate::model::{LinearModel, Link};
use crate::multiclass::{self, CountingTies, CrammerSinger, Kesler};
use crate::options::Setting;
use crate::reduce::reduce;
use crate::solvers;

/// A binary learner with a multiclass scheme.
pub struct MulticlassLearner {
    /// Binary learner.
    pub solver: Box<dyn BinaryLearner>,
    /// Reduction to binary problems, or joint training.
    pub scheme: Scheme,
    /// Whether the scheme was requested, so that it applies to any number of classes.
    pub requested: bool,
}

impl MulticlassLearner {
    /// The learner with one-vs-rest.
    pub fn new(solver: Box<dyn BinaryLearner>) -> Self {
        Self { solver, scheme: Scheme::OneVsRest, requested: true }
    }

    /// The learner with the requested scheme, or with its default.
    pub fn with(solver: Box<dyn BinaryLearner>, asked: Option<Scheme>) -> Self {
        let scheme = asked.unwrap_or_else(|| Scheme::usual(solver.as_ref()));
        Self { solver, scheme, requested: asked.is_some() }
    }

    /// The same scheme with another learner.
    pub fn by(&self, solver: Box<dyn BinaryLearner>) -> Self {
        Self { solver, scheme: self.scheme, requested: self.requested }
    }

    /// Scheme for this problem.
    pub fn scheme_for(&self, problem: &Problem<'_>) -> Scheme {
        let large = !self.requested && self.scheme == Scheme::Softmax && is_large(problem);
        if large { Scheme::OneVsRest } else { self.scheme }
    }

    /// Reason for the default scheme, as in "softmax is taken: …".
    pub fn reason(&self, problem: &Problem<'_>) -> String {
        match self.scheme_for(problem) {
            Scheme::Softmax => "it maximizes the likelihood of all classes jointly, and the \
                largest score decides, as in training"
                .to_owned(),
            Scheme::WinnerTakeAll => "it updates all hyperplanes jointly on rows whose largest \
                score is not that of the true class"
                .to_owned(),
            _ if self.scheme == Scheme::Softmax => format!(
                "softmax is slow with more than {CLASSES} classes or {NUMBERS} coefficients"
            ),
            _ if Scheme::CrammerSinger.suits(self.solver.as_ref()) => {
                "its hyperplanes are trained in parallel, each with a certificate; crammer-singer \
                 trains them jointly, takes longer and is rarely more accurate"
                    .to_owned()
            }
            _ => {
                "it supports every setting, and its hyperplanes are trained in parallel".to_owned()
            }
        }
    }
}

/// Whether softmax would take too long.
fn is_large(problem: &Problem<'_>) -> bool {
    let (k, d) = (problem.labels().k(), problem.x().d());
    k > CLASSES || k.saturating_mul(d + 1) > NUMBERS
}

impl Learner for MulticlassLearner {
    fn name(&self) -> &'static str {
        self.solver.name()
    }

    fn settings(&self) -> Vec<(&'static str, Setting)> {
        self.solver.settings()
    }

    fn check(&self) -> Result<(), Error> {
        self.solver.check()?;
        // The default scheme is for more than two classes, and depends on the problem.
        if self.requested {
            self.scheme.check(self.solver.as_ref())?;
        }
        let convex = self.solver.as_convex();
        convex.map_or(Ok(()), |own| solvers::check(own.solver, own.loss, own.penalty.unit()))
    }

    fn as_reduced(&self) -> Option<&MulticlassLearner> {
        Some(self)
    }

    fn memory(&self, problem: &Problem<'_>) -> u64 {
        let (size, k) = (Size::of(problem), problem.labels().k());
        let scheme = if k == 2 { Scheme::OneVsRest } else { self.scheme_for(problem) };
        let hyperplanes = scheme.hyperplanes(k) as u64;
        let runs = match scheme {
            Scheme::OneVsRest | Scheme::OneVsRestButLast | Scheme::OneVsOne => {
                size.runs(hyperplanes)
            }
            Scheme::WinnerTakeAll | Scheme::Kesler => size.hyperplanes(hyperplanes),
            Scheme::Softmax | Scheme::CrammerSinger => size.jointly(),
        };
        let convex = self.solver.as_convex();
        let newton = convex.is_some_and(|convex| convex.may_form_matrix(problem.x().is_sparse()));
        let newton = if newton { size.newton() } else { 0 };
        size.hyperplanes(hyperplanes).saturating_add(runs).saturating_add(newton)
    }

    fn learn(
        &self,
        problem: &Problem<'_>,
        starts: Option<&[Hyperplane]>,
        positive: Option<usize>,
        watch: &mut dyn Observer,
    ) -> Result<FitResult, Error> {
        let solver = self.solver.as_ref();
        let fit = match problem.positive(positive)? {
            Some(positive) => fit_against(problem, positive, solver, starts, watch)?,
            None => by_scheme(problem, solver, self.scheme_for(problem), starts, watch)?,
        };
        Ok(fit.with_stop_reason(watch.stop_reason()))
    }
}

/// Fits a model, one-vs-rest with more than two classes. With two classes the second is the
/// positive one. Starts from one hyperplane per hyperplane of the model, or from zero.
pub fn fit(
    problem: &Problem<'_>,
    solver: &dyn BinaryLearner,
    starts: Option<&[Hyperplane]>,
    watch: &mut dyn Observer,
) -> Result<FitResult, Error> {
    if problem.labels().k() == 2 {
        return fit_against(problem, 1, solver, starts, watch);
    }
    by_scheme(problem, solver, Scheme::OneVsRest, starts, watch)
}

/// Fits by a multiclass scheme.
fn by_scheme(
    problem: &Problem<'_>,
    solver: &dyn BinaryLearner,
    scheme: Scheme,
    starts: Option<&[Hyperplane]>,
    watch: &mut dyn Observer,
) -> Result<FitResult, Error> {
    scheme.check(solver)?;
    in_storage_order(problem, starts, watch, |problem, starts, watch| {
        match scheme {
            Scheme::OneVsRest | Scheme::OneVsRestButLast | Scheme::OneVsOne => {
                // Votes and one-vs-rest without the last class give no probabilities.
                let link = if scheme == Scheme::OneVsRest { solver.link() } else { Link::None };
                let runs = reduce(problem, scheme.decide(), solver, starts, watch)?;
                of_runs(problem, scheme, link, runs)
            }
            Scheme::WinnerTakeAll | Scheme::Kesler => {
                let rule = solver.as_perceptron().expect("the scheme was checked");
                let how = CountingTies::default();
                let found = match scheme {
                    Scheme::Kesler => {
                        multiclass::multiclass_perceptron(problem, rule, &Kesler, starts, watch)?
                    }
                    _ => multiclass::multiclass_perceptron(problem, rule, &how, starts, watch)?,
                };
                of_together(problem, scheme, found, how.ties())
            }
            Scheme::CrammerSinger => {
                let convex = solver.as_convex().expect("the scheme was checked");
                let found = CrammerSinger::of(convex, problem).minimize(problem, starts, watch)?;
                of_together(problem, scheme, found, 0)
            }
            Scheme::Softmax => {
                let convex = solver.as_convex().expect("the scheme was checked");
                let found = multiclass::softmax(convex, problem, starts, watch)?;
                of_together(problem, scheme, found, 0)
            }
        }
    })
}

fn of_runs(
    problem: &Problem<'_>,
    scheme: Scheme,
    link: Link,
    runs: Vec<BinaryFit>,
) -> Result<FitResult, Error> {
    let classes = problem.labels().classes().to_vec();
    let hyperplanes = runs.iter().map(|run| run.hyperplane.clone()).collect();
    let model = LinearModel::new(classes, hyperplanes, scheme.decide())?.with_link(link);
    FitResult::of_runs(problem, model, Some(scheme), runs)
}

fn of_together(
    problem: &Problem<'_>,
    scheme: Scheme,
    mut found: multiclass::MulticlassFit,
    ties: u64,
) -> Result<FitResult, Error> {
    let classes = problem.labels().classes().to_vec();
    let link = if scheme == Scheme::Softmax { Link::Softmax } else { Link::None };
    let hyperplanes = std::mem::take(&mut found.hyperplanes);
    let model = LinearModel::new(classes, hyperplanes, scheme.decide())?.with_link(link);
    FitResult::of_joint(problem, model, Some(scheme), found, ties)
}

/// Fits a binary problem with class number `positive` (0 or 1) as the positive one.
///
/// # Panics
///
/// If the problem has more than two classes.
pub fn fit_against(
    problem: &Problem<'_>,
    positive: usize,
    solver: &dyn BinaryLearner,
    starts: Option<&[Hyperplane]>,
    watch: &mut dyn Observer,
) -> Result<FitResult, Error> {
    if let Some(hyperplanes) = starts.filter(|hyperplanes| hyperplanes.len() != 1) {
        return Err(Error::Shape { what: "starting hyperplanes", got: hyperplanes.len(), want: 1 });
    }
    watch.hyperplane(0, 1);
    in_storage_order(problem, starts, watch, |problem, starts, watch| {
        let start =
            starts.map_or_else(|| Hyperplane::zero(problem.x().d()), |start| start[0].clone());
        let run = solver.fit(&problem.against_rest(positive), start, watch)?;
        let hyperplanes = vec![run.hyperplane.clone()];
        let model = model_of(problem, Some(positive), hyperplanes)?;
        FitResult::of_runs(problem, model.with_link(solver.link()), None, vec![run])
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::binary::{Perceptron, Tie};
    use crate::control::StopReason;
    use crate::data::{Design, Labels};
    use crate::learner::by_name;
    use crate::options::Options;

    #[test]
    fn the_positive_class_can_be_chosen() {
        let x = Design::dense(2, 1, vec![-1.0, 1.0]).unwrap();
        let labels = Labels::parse(["a", "b"]);
        let problem = Problem::new(&x, &labels, None).unwrap();
        let solver = Perceptron::default();
        let b = fit_against(&problem, 1, &solver, None, &mut ()).unwrap();
        let a = fit_against(&problem, 0, &solver, None, &mut ()).unwrap();
        assert_eq!(b.model.classes()[1].to_string(), "b");
        assert_eq!(a.model.classes()[1].to_string(), "a");
        assert!(b.model.hyperplanes()[0].w[0] > 0.0 && a.model.hyperplanes()[0].w[0] < 0.0);
        assert_eq!((a.mistakes, b.mistakes), (0.0, 0.0));
    }

    #[test]
    fn a_row_on_the_hyperplane_is_reported() {
        // Trained with ties as the negative class, predicted with ties as the positive one.
        let x = Design::dense(2, 1, vec![0.0, 1.0]).unwrap();
        let labels = Labels::parse(["a", "b"]);
        let problem = Problem::new(&x, &labels, None).unwrap();
        let solver = Perceptron { tie: Tie::Negative, ..Perceptron::default() };
        let fit = fit(&problem, &solver, None, &mut ()).unwrap();
        assert_eq!(fit.runs[0].mistakes, 0.0);
        assert_eq!((fit.on_hyperplane, fit.mistakes), (1, 1.0));
    }

    #[test]
    fn row_by_row_runs_count_epochs_and_batch_runs_iterations() {
        let x = Design::dense(6, 1, vec![0.0, 2.0, 1.0, 3.0, 2.5, 5.0]).unwrap();
        let two = Labels::parse(["a", "b", "a", "b", "a", "b"]);
        let three = Labels::parse(["a", "b", "a", "b", "c", "c"]);
        for (method, solver, labels, epochs) in [
            ("perceptron", None, &two, true),
            ("perceptron", None, &three, true),
            ("logistic", Some("dual-cd"), &two, true),
            ("logistic", Some("sgd"), &two, true),
            ("logistic", Some("newton"), &two, false),
            ("logistic", Some("newton-cg"), &three, false),
            ("svm", Some("dual-cd"), &three, true),
            ("fisher", None, &two, false),
        ] {
            let problem = Problem::new(&x, labels, None).unwrap();
            let options =
                Options { solver: solver.map(|name| name.parse().unwrap()), ..Options::default() };
            let learner = by_name(method, &options).unwrap();
            let fit = learner.learn(&problem, None, None, &mut ()).unwrap();
            assert_eq!((fit.solver(), fit.counts_epochs()), (solver, epochs), "{method}");
        }
    }

    #[test]
    fn three_classes_have_three_hyperplanes() {
        let x = Design::dense(3, 2, vec![1.0, 0.0, 0.0, 1.0, -1.0, -1.0]).unwrap();
        let labels = Labels::parse(["a", "b", "c"]);
        let problem = Problem::new(&x, &labels, None).unwrap();
        let fit = fit(&problem, &Perceptron::default(), None, &mut ()).unwrap();
        assert_eq!((fit.runs.len(), fit.stop, fit.accuracy), (3, StopReason::Separated, 1.0));
        assert_eq!(fit.model.predict(&x).unwrap(), [0, 1, 2]);
    }
}
