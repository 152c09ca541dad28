//! Solvers and schemes, and time limits.

use crate::harness::Sandbox;
use std::time::{Duration, Instant};

/// n rows of d features in k classes, which overlap for large n.
fn rows(n: usize, d: usize, k: usize) -> String {
    let mut state = 7_u64;
    let mut next = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f64 / f64::from(1 << 24)
    };
    let mut text = String::new();
    (0..d).for_each(|j| text += &format!("x{j},"));
    text += "y\n";
    for i in 0..n {
        let class = i % k;
        (0..d).for_each(|j| {
            let shift = if j % k == class { 0.02 } else { 0.0 };
            text += &format!("{:.4},", next() + shift);
        });
        text += &format!("c{class}\n");
    }
    text
}

fn exists(desk: &Sandbox, name: &str) -> bool {
    desk.files().iter().any(|file| file == name)
}

#[test]
fn solver_does_not_change_the_scheme() {
    let desk = Sandbox::new();
    for (how, what) in [
        ("--solver newton", "--solver newton cannot be combined with --multiclass softmax"),
        ("--solver lbfgs", "--solver lbfgs cannot be combined with --multiclass softmax"),
        ("--solver newton --penalty none", "(solvers: newton-cg)"),
        ("--eta 0.1", "--eta 0.1 cannot be combined with --multiclass softmax"),
    ] {
        let run = desk.wide(&format!("fit iris.csv {how} -o m"));
        assert_eq!(run.code, 2, "{how}: {}", run.stderr);
        assert!(run.stderr.contains(what), "{}", run.stderr);
        assert!(run.stderr.contains("--multiclass one-vs-rest"), "{}", run.stderr);
    }
    assert!(desk.files().is_empty());
    // A single hyperplane, or a scheme that supports every solver, is accepted.
    for how in ["gales.csv --solver newton", "iris.csv --solver newton --multiclass one-vs-rest"] {
        let run = desk.wide(&format!("fit {how} -o m"));
        assert_eq!(run.code, 0, "{how}: {}", run.stderr);
    }
    assert_eq!(desk.json("fit iris.csv --solver newton-cg -o m")["multiclass"], "softmax");
}

#[test]
fn unfinished_models_are_saved_only_with_force() {
    let desk = Sandbox::new();
    desk.file("many.csv", rows(600, 3, 100));
    for scheme in ["one-vs-rest", "softmax"] {
        let how = format!("fit many.csv --multiclass {scheme} --timeout 0.000001 -o m");
        let run = desk.wide(&how);
        assert_eq!((run.code, run.stdout.as_str()), (1, ""), "{}", run.stderr);
        for part in ["of 100 hyperplanes were started", "--timeout", "--force"] {
            assert!(run.stderr.contains(part), "{}", run.stderr);
        }
        assert!(!exists(&desk, "m"));
        let run = desk.wide(&format!("{how} --force"));
        assert_eq!(run.code, 0, "{}", run.stderr);
        assert!(run.stdout.contains("no certificate: "), "{}", run.stdout);
        std::fs::remove_file(desk.path("m")).unwrap();
    }
}

#[test]
fn hyperplanes_share_the_time_equally() {
    let desk = Sandbox::new();
    desk.file("many.csv", rows(1_200, 10, 12));
    let slow = "--solver gradient-descent --schedule constant --eta 0.001 --lambda 1e-9";
    let how = format!("--multiclass one-vs-rest {slow} --tol 1e-15 --max-iter 1000000000");
    let clock = Instant::now();
    let fit = desk.json(&format!("fit many.csv {how} --timeout 6 -o m"));
    assert!(clock.elapsed() < Duration::from_secs(20), "{:?}", clock.elapsed());
    assert_eq!(fit["stop"], "time-limit");
    let hyperplanes = fit["planes"].as_array().unwrap();
    assert_eq!(hyperplanes.len(), 12);
    assert!(
        hyperplanes.iter().all(|hyperplane| hyperplane["epochs"].as_u64().unwrap() > 0),
        "{hyperplanes:?}"
    );
    assert!(
        hyperplanes.iter().all(|hyperplane| hyperplane["stop"] == "time-limit"),
        "{hyperplanes:?}"
    );
}

#[test]
fn time_limit_ends_closed_forms_and_folds() {
    let desk = Sandbox::new();
    desk.file("wide.csv", rows(2_000, 300, 2));
    for (how, what) in [
        ("--method gaussian", "the time limit was reached before the "),
        ("--method fisher", "the time limit was reached before the "),
        ("--method least-squares --loo", "the time limit was reached before the "),
        ("--tune", "before the folds of the selection of λ were complete"),
        ("--infer", "training ended before the maximum-likelihood estimate was found"),
        ("--firth", "training ended before the maximum-likelihood estimate was found"),
    ] {
        let run = desk.wide(&format!("fit wide.csv {how} --timeout 0.000001 -o m"));
        assert_eq!(run.code, 1, "{how}: {}", run.stdout);
        assert!(run.stderr.contains(what), "{how}: {}", run.stderr);
    }
    assert!(!exists(&desk, "m"));
}

#[test]
fn time_limit_ends_the_separation_check() {
    let desk = Sandbox::new();
    desk.file("wide.csv", rows(2_500, 150, 2));
    let clock = Instant::now();
    let found = desk.json("separable wide.csv --timeout 0.1");
    assert!(clock.elapsed() < Duration::from_secs(10), "{:?}", clock.elapsed());
    assert_eq!(found["verdict"], "undecided");
    assert_eq!(found["reason"], "the time limit was reached");
}
