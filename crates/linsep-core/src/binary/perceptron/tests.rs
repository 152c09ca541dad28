use super::*;
use crate::control::{Record, StopReason, Trace};
use crate::data::{Design, Labels, Problem};
use crate::math::rng::Rng;

/// A variant with the settings of the first.
fn cyclic(variant: PerceptronVariant) -> Perceptron {
    Perceptron { variant, ..Perceptron::default() }
}

/// The lecture's six points, without the constant 1.
const POINTS: [f64; 12] = [1.0, 1.0, 1.0, -1.0, 0.0, -1.0, -1.0, -1.0, -1.0, 1.0, 0.0, 1.0];

#[test]
fn the_lectures_table_row_by_row() {
    let x = Design::dense(6, 2, POINTS.to_vec()).unwrap();
    let labels = Labels::parse(["pos", "pos", "pos", "neg", "neg", "neg"]);
    let problem = Problem::new(&x, &labels, None).unwrap();
    let rule = Perceptron { tie: Tie::Negative, ..Perceptron::default() };
    let mut trace = Trace::new(100);
    let solution = rule.fit(&problem.against_rest(1), Hyperplane::zero(2), &mut trace).unwrap();

    // row, W·X, y, updated, (b, w1, w2) after
    let table = [
        (0, 0.0, -1, true, [1.0, 1.0, 1.0]),
        (1, 1.0, 1, false, [1.0, 1.0, 1.0]),
        (2, 0.0, -1, true, [2.0, 1.0, 0.0]),
        (3, 1.0, 1, true, [1.0, 2.0, 1.0]),
        (4, 0.0, -1, false, [1.0, 2.0, 1.0]),
        (5, 2.0, 1, true, [0.0, 2.0, 0.0]),
        (0, 2.0, 1, false, [0.0, 2.0, 0.0]),
    ];
    for (want, got) in table.iter().zip(trace.records()) {
        let Record::Row { row, z, predicted, updated, hyperplane, .. } = got else {
            panic!("an online step")
        };
        let after = [hyperplane.b, hyperplane.w[0], hyperplane.w[1]];
        assert_eq!((*row, *z, *predicted, *updated, after), *want);
    }
    assert_eq!(solution.hyperplane, Hyperplane { w: vec![2.0, -1.0], b: 1.0 });
    assert_eq!((solution.stop, solution.mistakes), (StopReason::Separated, 0.0));
    let last_pass = &trace.records()[trace.records().len() - 6..];
    assert!(last_pass.iter().all(|r| matches!(r, Record::Row { updated: false, .. })));
}

fn xor(order: Order) -> BinaryFit {
    let x = Design::dense(4, 2, vec![0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0]).unwrap();
    let labels = Labels::parse(["0", "1", "1", "0"]);
    let problem = Problem::new(&x, &labels, None).unwrap();
    let rule = Perceptron { order, budget: Budget::epochs(40), ..Perceptron::default() };
    let binary = problem.against_rest(1);
    let solution = rule.fit(&binary, Hyperplane::zero(2), &mut ()).unwrap();
    let count = count_mistakes(&binary, rule.tie, &solution.hyperplane);
    assert_eq!(solution.mistakes, count, "the count is that of the returned hyperplane");
    solution
}

#[test]
fn xor_in_order_cycles() {
    // The four updates of the first epoch cancel: the hyperplane equals the starting point.
    let solution = xor(Order::Cyclic);
    assert_eq!((solution.stop, solution.epochs, solution.updates), (StopReason::Stalled, 1, 4));
}

#[test]
fn xor_in_random_order_ends_at_the_limit_with_the_best_hyperplane() {
    let solution = xor(Order::Random);
    assert_eq!((solution.stop, solution.epochs), (StopReason::IterationLimit, 40));
    assert!(
        (1.0..4.0).contains(&solution.mistakes),
        "at least as good as h = 0 and as every \
        other hyperplane of the run"
    );
}

#[test]
fn the_number_of_corrections_can_be_limited() {
    let x = Design::dense(2, 1, vec![1.0, -1.0]).unwrap();
    let labels = Labels::parse(["a", "b"]);
    let problem = Problem::new(&x, &labels, None).unwrap();
    let budget = Budget { epochs: 10, updates: 1 };
    let solver = Perceptron { budget, ..Perceptron::default() };
    let solution = solver.fit(&problem.against_rest(1), Hyperplane::zero(1), &mut ()).unwrap();
    assert_eq!((solution.stop, solution.updates), (StopReason::IterationLimit, 1));
}

#[test]
fn an_overflow_is_a_divergence_and_the_answer_stays_finite() {
    let x = Design::dense(2, 1, vec![1e200, 1.1e200]).unwrap();
    let labels = Labels::parse(["a", "b"]);
    let problem = Problem::new(&x, &labels, None).unwrap();
    let solver = Perceptron { eta: 1e200, ..Perceptron::default() };
    let solution = solver.fit(&problem.against_rest(1), Hyperplane::zero(1), &mut ()).unwrap();
    assert_eq!(solution.stop, StopReason::Diverged);
    assert!(solution.hyperplane.is_finite());
}

/// The hyperplanes a trace met, averaged by adding them up.
fn plain_mean(trace: &Trace) -> Hyperplane {
    let n = trace.records().len() as f64;
    let mut mean = Hyperplane::zero(2);
    for record in trace.records() {
        let Record::Row { hyperplane, .. } = record else { panic!("an online step") };
        mean.step(1.0 / n, hyperplane);
    }
    mean
}

#[test]
fn the_mean_is_the_mean_of_the_hyperplanes_in_the_trace() {
    let x = Design::dense(4, 2, vec![1.0, 0.5, -0.5, 2.0, 0.25, -1.0, -2.0, 0.75]).unwrap();
    let labels = Labels::parse(["a", "b", "b", "a"]);
    let problem = Problem::new(&x, &labels, None).unwrap();
    let solver = Perceptron { budget: Budget::epochs(1), ..cyclic(PerceptronVariant::Averaged) };
    let mut trace = Trace::new(100);
    let solution = solver.fit(&problem.against_rest(1), Hyperplane::zero(2), &mut trace).unwrap();
    let want = plain_mean(&trace);
    assert!((solution.hyperplane.w[0] - want.w[0]).abs() < 1e-15);
    assert!((solution.hyperplane.w[1] - want.w[1]).abs() < 1e-15);
    assert!((solution.hyperplane.b - want.b).abs() < 1e-15);
}

#[test]
fn copies_are_late_by_the_looks_before_each() {
    assert_eq!(lateness(5.0, 1.0), 5.0);
    assert_eq!(lateness(5.0, 3.0), 5.0 + 6.0 + 7.0);
    assert_eq!(lateness(5.0, 2.5), 5.0 + 6.0 + 0.5 * 7.0);
    assert_eq!(lateness(5.0, 0.5), 2.5);
}

#[test]
fn separated_means_the_mean_separates() {
    let x = Design::dense(4, 2, vec![0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0]).unwrap();
    let labels = Labels::parse(["0", "0", "0", "1"]);
    let problem = Problem::new(&x, &labels, None).unwrap();
    let solver = cyclic(PerceptronVariant::Averaged);
    let solution = solver.fit(&problem.against_rest(1), Hyperplane::zero(2), &mut ()).unwrap();
    assert_eq!((solution.stop, solution.mistakes), (StopReason::Separated, 0.0));
    let tie = solver.tie;
    assert_eq!(count_mistakes(&problem.against_rest(1), tie, &solution.hyperplane), 0.0);
}

#[test]
fn never_worse_than_the_hyperplanes_at_the_ends_of_epochs() {
    for seed in 0..50 {
        let mut rng = Rng::new(seed, 0);
        let x: Vec<f64> = (0..40).map(|_| rng.below(9) as f64 - 4.0).collect();
        let labels = x.chunks(2).map(|x| {
            let truth = x[0] + x[1] > 0.0;
            if truth == (rng.unit() < 0.8) { "b" } else { "a" }
        });
        let labels = Labels::parse(labels.collect::<Vec<_>>());
        let design = Design::dense(20, 2, x.clone()).unwrap();
        let problem = Problem::new(&design, &labels, None).unwrap();
        let binary = problem.against_rest(1);
        let rule = Perceptron {
            seed,
            budget: Budget::epochs(30),
            ..Perceptron::new(PerceptronVariant::Pocket)
        };
        let pocket = Perceptron { variant: PerceptronVariant::Pocket, ..rule }
            .fit(&binary, Hyperplane::zero(2), &mut ())
            .unwrap();
        let ends = Perceptron { variant: PerceptronVariant::Last, ..rule }
            .fit(&binary, Hyperplane::zero(2), &mut ())
            .unwrap();
        assert!(pocket.mistakes <= ends.mistakes);
        assert_eq!(pocket.mistakes, count_mistakes(&binary, rule.tie, &pocket.hyperplane));
    }
}

#[test]
fn the_ratchet_looks_inside_a_pass() {
    // In this order the hyperplane is right on all but the outlier for most of the pass, and the
    // outlier at its end always leaves a bad hyperplane behind.
    let x = Design::dense(5, 1, vec![-2.0, -1.0, 1.0, 2.0, 40.0]).unwrap();
    let labels = Labels::parse(["a", "a", "b", "b", "a"]);
    let problem = Problem::new(&x, &labels, None).unwrap();
    let rule = Perceptron { budget: Budget::epochs(50), ..Perceptron::default() };
    let binary = problem.against_rest(1);
    let pocket = Perceptron { variant: PerceptronVariant::Pocket, ..rule }
        .fit(&binary, Hyperplane::zero(1), &mut ())
        .unwrap();
    let last = rule.fit(&binary, Hyperplane::zero(1), &mut ()).unwrap();
    assert_eq!(pocket.mistakes, 1.0);
    assert!(last.mistakes > pocket.mistakes, "hyperplanes at the end of an epoch are worse");
}

#[test]
fn without_an_intercept_the_hyperplane_contains_the_origin() {
    // Separable with a bias only: with x alone, −1 and 1 of class b cannot both be right.
    let x = Design::dense(3, 1, vec![-1.0, 1.0, 3.0]).unwrap();
    let labels = Labels::parse(["b", "b", "a"]);
    let problem = Problem::new(&x, &labels, None).unwrap();
    let rule = Perceptron { intercept: false, budget: Budget::epochs(9), ..Perceptron::default() };
    for variant in [PerceptronVariant::Last, PerceptronVariant::Averaged, PerceptronVariant::Pocket]
    {
        let solver = Perceptron { variant, ..rule };
        let binary = problem.against_rest(1);
        let solution = solver.fit(&binary, Hyperplane::zero(1), &mut ()).unwrap();
        assert_eq!(solution.hyperplane.b, 0.0, "{}", solver.name());
        assert_ne!(solution.stop, StopReason::Separated, "{}", solver.name());
    }
}

#[test]
fn copies_update_until_one_is_correct() {
    let rule = |tie| Perceptron { eta: 0.5, tie, ..Perceptron::default() };
    let copies = |s, z, tie| rule(tie).copies(s, 1.0, z, || 2.0);
    // Each update raises the margin by 0.5 · 2 = 1.
    assert_eq!(copies(10.0, -2.5, Tie::Mistake), 3.0);
    assert_eq!(copies(10.0, -2.0, Tie::Mistake), 3.0, "a row on the hyperplane is misclassified");
    assert_eq!(copies(10.0, -2.0, Tie::Positive), 2.0, "a row on the hyperplane is correct");
    assert_eq!(copies(2.0, -9.0, Tie::Mistake), 2.0, "the number of copies is bounded");
    assert_eq!(copies(2.5, -9.0, Tie::Mistake), 2.5);
    assert_eq!(copies(0.5, -9.0, Tie::Mistake), 0.5);
    assert_eq!(copies(3.0, f64::NAN, Tie::Mistake), 1.0);
}
