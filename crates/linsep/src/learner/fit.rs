//! Fits a model: two classes by one plane, more by one versus rest.

use crate::control::{Stop, Watch};
use crate::data::{Plane, Problem};
use crate::error::Error;
use crate::loss::{Loss, Perceptron};
use crate::metric::accuracy;
use crate::model::{Decide, LinearModel};
use crate::reduce::{one_vs_rest, starts_or_zero};
use crate::solver::{Solution, Solver};

/// A model and how it came about.
#[derive(Clone, Debug)]
pub struct Fit {
    /// The model.
    pub model: LinearModel,
    /// How each plane's run ended.
    pub planes: Vec<Solution>,
    /// Why it ended: of several planes, the worst reason.
    pub stop: Stop,
    /// Epochs of the longest run.
    pub epochs: u64,
    /// Corrections over all planes.
    pub updates: u64,
    /// Weight of the training rows the model predicts wrongly.
    pub mistakes: f64,
    /// Weighted share of the training rows it predicts rightly.
    pub accuracy: f64,
    /// Value of the criterion: of several planes the sum, and of perceptrons the weighted mean of their loss over
    /// rows and planes.
    pub criterion: f64,
    /// The best lower bound on it that is proved, where there is one.
    pub bound: Option<f64>,
    /// Training rows that lie exactly on a plane that decides by sign: prediction gives them to the
    /// positive class.
    pub on_the_plane: usize,
}

/// Fits a model. With two classes the second is the positive one. Starts from one plane per plane of the model, or from
/// zero.
pub fn fit(
    problem: &Problem<'_>,
    solver: &dyn Solver,
    starts: Option<&[Plane]>,
    watch: &mut dyn Watch,
) -> Result<Fit, Error> {
    if problem.labels().k() == 2 {
        return fit_against(problem, 1, solver, starts, watch);
    }
    let solutions = one_vs_rest(problem, solver, starts, watch)?;
    let classes = problem.labels().classes().to_vec();
    let planes = solutions.iter().map(|solution| solution.plane.clone()).collect();
    let model = LinearModel::new(classes, planes, Decide::ArgMax)?.with_link(solver.link());
    report(problem, model, solutions)
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
    let [first, second] = problem.labels().classes() else {
        panic!("one plane tells two classes apart, not {}", problem.labels().k());
    };
    let [start] = &starts_or_zero(problem, starts, 1)?[..] else {
        unreachable!("one was asked for")
    };
    watch.plane(0, 1);
    let solution = solver.solve(&problem.against_rest(positive), start.clone(), watch)?;
    let classes = if positive == 1 { [first, second] } else { [second, first] };
    let planes = vec![solution.plane.clone()];
    let model = LinearModel::new(classes.map(Clone::clone).to_vec(), planes, Decide::Sign)?;
    report(problem, model.with_link(solver.link()), vec![solution])
}

/// The criterion and its lower bound, added up over planes that have them.
fn proofs(planes: &[Solution]) -> Option<(f64, Option<f64>)> {
    let certificates: Option<Vec<_>> =
        planes.iter().map(|plane| plane.proof.map(|proof| proof.certificate)).collect();
    let certificates = certificates?;
    let value = certificates.iter().map(|c| c.primal).sum();
    let bound = certificates.iter().map(|c| c.dual.map(|d| d.value)).sum();
    Some((value, bound))
}

/// Looks at the training rows once more, through the model.
fn report(problem: &Problem<'_>, model: LinearModel, planes: Vec<Solution>) -> Result<Fit, Error> {
    let scores = model.scores(problem.x())?;
    let labels = problem.labels();
    let target: Vec<u32> = {
        let position = |label| model.classes().iter().position(|class| class == label);
        let of_class: Vec<Option<usize>> = labels.classes().iter().map(position).collect();
        let known = "the model was made from these classes";
        labels.codes().iter().map(|&c| of_class[c as usize].expect(known) as u32).collect()
    };
    let predicted = model.decide_all(&scores);
    let total: f64 = problem.weights().iter().sum();
    let accuracy = accuracy(&target, &predicted, problem.weights());

    let mut wrong = 0.0;
    let mut loss = 0.0;
    let mut on_the_plane = 0;
    for (i, row) in scores.chunks_exact(planes.len()).enumerate() {
        let s = problem.weights()[i];
        if target[i] != predicted[i] {
            wrong += s;
        }
        for (j, &z) in row.iter().enumerate() {
            let positive = if model.decide() == Decide::Sign { 1 } else { j };
            let y = if target[i] as usize == positive { 1.0 } else { -1.0 };
            loss += s * Perceptron.value(y * z);
        }
        if model.decide() == Decide::Sign && row[0] == 0.0 {
            on_the_plane += 1;
        }
    }
    Ok(Fit {
        stop: planes.iter().map(|s| s.stop).max().unwrap_or(Stop::Budget),
        epochs: planes.iter().map(|s| s.epochs).max().unwrap_or(0),
        updates: planes.iter().map(|s| s.updates).sum(),
        mistakes: wrong,
        accuracy,
        criterion: proofs(&planes).map_or(loss / (total * planes.len() as f64), |(value, _)| value),
        bound: proofs(&planes).and_then(|(_, bound)| bound),
        on_the_plane,
        model,
        planes,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
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
        assert_eq!(fit.planes[0].mistakes, 0.0);
        assert_eq!((fit.on_the_plane, fit.mistakes), (1, 1.0));
    }

    #[test]
    fn three_classes_get_three_planes() {
        let x = Design::dense(3, 2, vec![1.0, 0.0, 0.0, 1.0, -1.0, -1.0]).unwrap();
        let labels = Labels::parse(["a", "b", "c"]);
        let problem = Problem::new(&x, &labels, None).unwrap();
        let fit = fit(&problem, &OnlinePerceptron::default(), None, &mut ()).unwrap();
        assert_eq!((fit.planes.len(), fit.stop, fit.accuracy), (3, Stop::Separated, 1.0));
        assert_eq!(fit.model.predict(&x).unwrap(), [0, 1, 2]);
    }
}
