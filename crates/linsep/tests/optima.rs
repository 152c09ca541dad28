//! Minima of convex problems against golden values confirmed by several other programs
//! (`golden/convex.json` with its provenance). Tested claims: the objective to 1e-8, the
//! coefficients to 1e-8 (by Newton's method) and within the certified radius, and no lower bound
//! above the minimum.

#![allow(clippy::unwrap_used)] // a test may

#[path = "../../../golden/public_data.rs"]
mod public_data;

use linsep::core::objective::Objective;
use linsep::core::solvers::{self, Options, StoppingCriteria};
use linsep::core::{Budget, Design, Hyperplane, Labels, Problem, StopReason, loss, options};
use linsep::io::{Input, ReadOptions, read};
use linsep::{TrainingData, TrainingSettings};
use public_data::public_data;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// Rows with their classes as written in the file.
struct Rows {
    x: Vec<Vec<f64>>,
    classes: Vec<String>,
}

/// Returns the rows of a data set in raw units, without an intercept column.
fn rows(file: &Path) -> Rows {
    let settings =
        TrainingSettings { target: Some("target".to_owned()), ..TrainingSettings::default() };
    let input = read(file, &ReadOptions::default()).unwrap();
    let training = match input {
        Input::Sparse(_) => TrainingData::new(input, &settings).unwrap(),
        Input::Table(_) => panic!("{}: tables are read by their own functions", file.display()),
    };
    let name =
        |i: usize| training.labels.classes()[training.labels.codes()[i] as usize].to_string();
    Rows {
        x: (0..training.x.n()).map(|i| training.x.row(i)).collect(),
        classes: (0..training.x.n()).map(name).collect(),
    }
}

/// Returns rows of comma-separated numbers; `class_at` gives the column of the class.
fn table(file: &Path, class_at: impl Fn(&[&str]) -> usize, skip: impl Fn(usize) -> bool) -> Rows {
    let text = std::fs::read_to_string(file).unwrap();
    let (mut x, mut classes) = (Vec::new(), Vec::new());
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let cells: Vec<&str> = line.split(',').map(str::trim).collect();
        let at = class_at(&cells);
        let numbers = cells.iter().enumerate().filter(|(j, _)| *j != at && !skip(*j));
        let numbers: Option<Vec<f64>> = numbers.map(|(_, cell)| cell.parse().ok()).collect();
        if let Some(numbers) = numbers {
            x.push(numbers);
            classes.push(cells[at].to_owned());
        }
    }
    Rows { x, classes }
}

fn load(case: &Value, golden: &Value) -> Option<Rows> {
    let file = public_data(case["file"].as_str().unwrap())?;
    let name = case["data"].as_str().unwrap();
    if name == "wdbc" {
        let mut rows = table(&file, |cells| cells.len() - 1, |_| false);
        let list = |key: &str| -> Vec<f64> {
            serde_json::from_value(golden["standardization"]["wdbc"][key].clone()).unwrap()
        };
        let (mean, sigma) = (list("mean"), list("sigma"));
        for row in &mut rows.x {
            row.iter_mut().zip(&mean).zip(&sigma).for_each(|((v, m), s)| *v = (*v - m) / s);
        }
        return Some(rows);
    }
    if name.starts_with("iris") {
        let positive = case["positive"].as_str().unwrap();
        let all = table(&file, |cells| cells.len() - 1, |_| false);
        let pair: Vec<&str> = case["classes"].as_array().map_or_else(
            || {
                name.trim_start_matches("iris")
                    .trim_matches(['_', ' ', '-'])
                    .split(['_', '/', '-'])
                    .collect()
            },
            |list| list.iter().map(|c| c.as_str().unwrap()).collect(),
        );
        let keep = |class: &str| class == positive || pair.iter().any(|p| class.ends_with(p));
        let kept: Vec<usize> = (0..all.x.len()).filter(|&i| keep(&all.classes[i])).collect();
        return Some(Rows {
            x: kept.iter().map(|&i| all.x[i].clone()).collect(),
            classes: kept.iter().map(|&i| all.classes[i].clone()).collect(),
        });
    }
    Some(rows(&file))
}

/// Returns the sample weights sᵢ, from their description in the golden file.
fn weights(case: &Value, positive: &[bool]) -> Vec<f64> {
    let n = positive.len();
    let words = case["weights"].as_str().unwrap();
    let mut s = vec![1.0; n];
    if words.contains("1 + (i mod 3)") {
        (0..n).for_each(|i| s[i] = 1.0 + (i % 3) as f64);
    }
    if words.contains("n/(2 n_k)") {
        let yes = positive.iter().filter(|p| **p).count() as f64;
        let of = |p: bool| n as f64 / (2.0 * if p { yes } else { n as f64 - yes });
        (0..n).for_each(|i| s[i] *= of(positive[i]));
    }
    if words.contains("class weight 2 for the positive class, 0.5") {
        (0..n).for_each(|i| s[i] *= if positive[i] { 2.0 } else { 0.5 });
    }
    s
}

#[test]
fn golden_optima_are_reached() {
    let text = include_str!("../../../golden/convex.json");
    let golden: Value = serde_json::from_str(text).unwrap();
    let cases = golden["cases"].as_array().unwrap();
    assert!(cases.len() >= 200, "only {} cases", cases.len());
    let mut sets: BTreeMap<String, Option<Rows>> = BTreeMap::new();
    for case in cases {
        let key = format!("{} {}", case["data"], case["preprocessing"]);
        let rows = sets.entry(key).or_insert_with(|| load(case, &golden));
        if let Some(rows) = rows {
            check(case, rows);
        }
    }
}

fn check(case: &Value, rows: &Rows) {
    let number = |key: &str| case[key].as_f64().unwrap();
    let word = |key: &str| case[key].as_str().unwrap();
    let what = format!(
        "{} {} {} λ {} intercept {} weights {}",
        word("data"),
        word("loss"),
        word("penalty"),
        number("lambda"),
        word("intercept"),
        word("weights")
    );
    let want = |class: &str| class.parse::<f64>().map_or(class.to_owned(), |v| v.to_string());
    let positive: Vec<bool> =
        rows.classes.iter().map(|c| want(c) == want(word("positive"))).collect();
    let mut x = rows.x.clone();
    let d = usize::try_from(case["d"].as_u64().unwrap()).unwrap();
    if d == x[0].len() + 1 {
        x.iter_mut().for_each(|row| row.push(1.0)); // a penalized intercept is one more column
    }
    assert_eq!((x.len() as f64, x[0].len()), (number("n"), d), "{what}");
    let (mut starts, mut indices, mut values) = (vec![0], vec![], vec![]);
    for row in &x {
        for (j, v) in row.iter().enumerate().filter(|(_, v)| **v != 0.0) {
            indices.push(j as u32);
            values.push(*v);
        }
        starts.push(indices.len());
    }
    let x = Design::sparse(d, starts, indices, values).unwrap();
    let labels = Labels::parse(positive.iter().map(|p| if *p { "b" } else { "a" }));
    let problem = Problem::new(&x, &labels, Some(weights(case, &positive))).unwrap();
    let binary = problem.against_rest(1);
    let loss = word("loss").replace('_', "-").parse::<options::Loss>().unwrap().function();
    let penalty: options::Penalty = word("penalty").replace('_', "-").parse().unwrap();
    let penalty = penalty.with(number("lambda"), number("l1_ratio")).unwrap();
    let objective = Objective::new(&binary, loss, penalty, word("intercept") == "free").unwrap();

    let goal = StoppingCriteria { tol: 1e-10, budget: Budget::epochs(200_000) };
    let kinked = loss.curvature_bound().is_none();
    let goal = if kinked { StoppingCriteria { tol: 1e-6, ..goal } } else { goal };
    let way =
        solvers::choose(options::Solver::Auto, &objective, &goal, &Options::default()).unwrap();
    // The tightest tolerance that doubles permit, if that is cheap.
    let goal = if way.name() == "newton" { StoppingCriteria { tol: 1e-15, ..goal } } else { goal };
    let found = way.solve(&objective, Hyperplane::zero(d), &goal, &mut ());
    assert!(matches!(found.stop, StopReason::Optimal | StopReason::Stalled), "{what}: {found:?}");

    let truth = number("objective");
    let off = found.certificate.primal - truth;
    assert!(off >= -1e-12 * (1.0 + truth), "{what}: below the optimum by {off:e}");
    let near = if kinked { 1e-6 } else { 1e-8 };
    assert!(off <= near * truth, "{what}: above the optimum by {off:e}, by {}", way.name());
    if let Some(dual) = found.certificate.dual {
        assert!(dual.value <= truth * (1.0 + 1e-12), "{what}: the bound is above the optimum");
    }
    if case["unique"].as_bool().unwrap() && !kinked {
        let golden: Vec<f64> = serde_json::from_value(case["w"].clone()).unwrap();
        let pairs = || found.hyperplane.w.iter().zip(&golden);
        let far = pairs().map(|(got, want)| (got - want).powi(2)).sum::<f64>().sqrt();
        // F is λ₂-strongly convex.
        if let Some(dual) = found.certificate.dual.filter(|_| penalty.l2 > 0.0) {
            let radius = (2.0 * dual.gap / penalty.l2).sqrt();
            assert!(
                far <= radius + 1e-12,
                "{what}: {far:e} from the optimum, but {radius:e} is proved"
            );
        }
        // Newton's method converges quadratically, so its coefficients are far more accurate than
        // certified.
        let near = if way.name() == "newton" { 1e-8 } else { 1e-3 };
        let size = golden.iter().fold(1.0_f64, |most, w| most.max(w.abs()));
        assert!(
            far <= near * size,
            "{what}: coefficients are {far:e} from the optimum, by {}",
            way.name()
        );
    }
}

/// The solver chosen for piecewise losses, such as the hinge, reaches the optimum on real data
/// sets, for every penalty and λ.
#[test]
fn auto_solver_reaches_the_optimum_for_every_lambda() {
    let last = |cells: &[&str]| cells.len() - 1;
    for (name, file) in [
        ("heart_scale", "heart_scale/heart_scale"),
        ("sonar", "sonar/sonar.csv"),
        ("wdbc", "wdbc/wdbc.csv"),
    ] {
        let file = public_data(file).unwrap();
        let mut rows =
            if name == "heart_scale" { rows(&file) } else { table(&file, last, |_| false) };
        standardize(&mut rows.x);
        let d = rows.x[0].len();
        let x = Design::dense(rows.x.len(), d, rows.x.concat()).unwrap();
        let labels = Labels::parse(rows.classes.iter().map(String::as_str));
        let problem = Problem::new(&x, &labels, None).unwrap();
        let binary = problem.against_rest(1);
        for loss in loss::ALL.iter().filter(|loss| loss.pieces().is_some()) {
            let penalties = options::Penalty::ALL.into_iter().skip(1);
            for (penalty, lambda) in
                penalties.flat_map(|penalty| [1e-6, 1e-3, 10.0].map(|lambda| (penalty, lambda)))
            {
                let strength = penalty.with(lambda, 0.5).unwrap();
                let objective = Objective::new(&binary, *loss, strength, true).unwrap();
                let goal = StoppingCriteria::default();
                let way =
                    solvers::choose(options::Solver::Auto, &objective, &goal, &Options::default())
                        .unwrap();
                let found = way.solve(&objective, Hyperplane::zero(d), &goal, &mut ());
                let what = format!("{name} {} {penalty:?} {lambda} by {}", loss.name(), way.name());
                assert_eq!(found.stop, StopReason::Optimal, "{what}: {:?}", found.certificate);
                assert!(found.certificate.reaches(goal.tol), "{what}: {:?}", found.certificate);
            }
        }
    }
}

/// Standardizes every column to mean 0 and standard deviation 1.
fn standardize(x: &mut [Vec<f64>]) {
    let n = x.len() as f64;
    for j in 0..x[0].len() {
        let mean = x.iter().map(|row| row[j]).sum::<f64>() / n;
        let square = x.iter().map(|row| (row[j] - mean).powi(2)).sum::<f64>() / n;
        let scale = if square > 0.0 { square.sqrt() } else { 1.0 };
        x.iter_mut().for_each(|row| row[j] = (row[j] - mean) / scale);
    }
}
