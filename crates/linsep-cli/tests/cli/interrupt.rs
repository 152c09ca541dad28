//! A signal in any phase ends the program soon, with exit code 130 and without temporary files.

#![cfg(unix)]

use crate::harness::Sandbox;
use std::fmt::Write as _;
use std::io::Write;
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Time from the signal to the end: a second, times five for a build for tests on a busy machine.
const SOON: Duration = Duration::from_secs(5);

/// Time from the start to the signal: long enough for small files to be read.
const LATER: Duration = Duration::from_millis(1_200);

/// The phase after which the best model so far is saved.
const SAVED: &str = "training, saved";

/// Commands that take far longer than [`LATER`], and the phase that the signal meets.
const LONG: &[(&str, &str)] = &[
    ("reading", "fit - -o m"),
    ("reading", "check -"),
    ("reading", "compare -"),
    ("reading", "separable - --output proof.json"),
    ("reading", "verify proof - --positive setosa"),
    ("reading and scoring", "evaluate iris.linsep -"),
    ("reading and scoring", "predict iris.linsep - -o p.csv"),
    ("separation", "separable many.csv --output proof.json"),
    ("separation", "check many.csv --timeout 1000"),
    ("tuning", "fit two.csv --tune 1000 --folds 50 -o m"),
    (SAVED, "fit two.csv --method perceptron --max-iter 100000000 -o m"),
    (
        SAVED,
        "fit two.csv --solver gradient-descent --schedule constant --eta 0.001 --lambda 1e-9 --tol 1e-15 --max-iter 1000000000 -o m",
    ),
    ("training", "fit many.csv --method perceptron --multiclass kesler --max-iter 1000000 -o m"),
    ("training", "fit many.csv --method svm --multiclass crammer-singer --tol 1e-15 -C 1e6 -o m"),
    ("training", "fit many.csv --method svm --multiclass one-vs-one --tol 1e-15 -C 1e6 -o m"),
    ("calibration folds", "fit many.csv --calibrate platt --folds 500 -o m"),
    ("path", "plot path many.csv --points 10000 -o path.svg"),
    ("inference", "fit two.csv --firth --intervals profile -o m"),
    ("comparison", "compare many.csv --repeats 20"),
    ("count", "logic count 8"),
];

/// A table of n rows, d numbers and k classes that overlap, whose means are multiples of `apart`.
fn overlapping(n: usize, d: usize, k: usize, apart: u64) -> String {
    let mut names: Vec<String> = (0..d).map(|j| format!("x{j}")).collect();
    names.push("class".to_owned());
    let mut text = names.join(",") + "\n";
    let mut state = 1_u64;
    let mut below = |bound: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % bound
    };
    for _ in 0..n {
        let class = below(k as u64);
        for j in 0..d as u64 {
            let center = class * (j + 3) % 7 * apart;
            let _ = write!(text, "{},", center + below(1_000));
        }
        let _ = writeln!(text, "c{class}");
    }
    text
}

/// Starts a command, sends SIGINT, and checks the end.
fn interrupted(desk: &Sandbox, phase: &str, words: &str) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_linsep"))
        .args(words.split(' '))
        .current_dir(desk.path(""))
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    sleep(LATER);
    assert!(child.try_wait().unwrap().is_none(), "{words} ended before the signal");
    let start = Instant::now();
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-s", "INT", &id]).status().unwrap().success());
    while child.try_wait().unwrap().is_none() {
        if start.elapsed() > SOON {
            child.kill().unwrap();
            panic!("{phase}: {words} ran on after the signal");
        }
        sleep(Duration::from_millis(5));
    }
    println!("{phase:20} {:.2} s  {words}", start.elapsed().as_secs_f64());
    let Output { status, stderr, .. } = child.wait_with_output().unwrap();
    let stderr = String::from_utf8(stderr).unwrap();
    assert_eq!(status.code(), Some(130), "{phase}: {words}: {stderr}");
    assert!(stderr.contains("interrupted"), "{phase}: {words}: {stderr}");
    let files = desk.files();
    assert!(!files.iter().any(|name| name.starts_with(".linsep-")), "{words}: {files:?}");
    // A model that was saved is whole.
    let saved = files.contains(&"m".to_owned());
    if saved {
        assert_eq!(desk.run("show m").code, 0, "{phase}: {words}");
        std::fs::remove_file(desk.path("m")).unwrap();
    }
    assert!(saved || phase != SAVED, "{words}: {stderr}");
}

#[test]
fn every_phase_ends_soon_after_a_signal() {
    let desk = Sandbox::new();
    desk.file("two.csv", overlapping(6_000, 60, 2, 4));
    desk.file("many.csv", overlapping(8_000, 30, 20, 60));
    assert_eq!(desk.run("fit iris.csv -o iris.linsep").code, 0);
    assert_eq!(desk.run("separable iris.csv --positive setosa --output proof").code, 0);
    for (phase, words) in LONG {
        interrupted(&desk, phase, words);
    }
}

#[test]
fn signal_during_a_write_leaves_the_old_file_only() {
    for (signal, code) in [("INT", 130), ("TERM", 130)] {
        let desk = Sandbox::new();
        assert_eq!(desk.run("fit gales.csv").code, 0);
        desk.file("p.csv", "prediction\nold\n");
        let before = desk.files();
        // 1. Predictions of an endless pipe: the temporary file exists.
        let mut child = Command::new(env!("CARGO_BIN_EXE_linsep"))
            .args(["predict", "gales.linsep", "-", "-o", "p.csv"])
            .current_dir(desk.path(""))
            .stdin(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(b"x1,x2\n1,2\n").unwrap();
        let start = Instant::now();
        let temporary = |name: &String| name.starts_with(".linsep-");
        while !desk.files().iter().any(temporary) {
            assert!(start.elapsed() < Duration::from_mins(1), "no temporary file appeared");
            sleep(Duration::from_millis(5));
        }
        // 2. The signal.
        let id = child.id().to_string();
        assert!(Command::new("kill").args(["-s", signal, &id]).status().unwrap().success());
        let status = child.wait().unwrap();
        assert_eq!(status.code(), Some(code), "SIG{signal}");
        assert_eq!(desk.files(), before, "SIG{signal}");
        assert_eq!(std::fs::read(desk.path("p.csv")).unwrap(), b"prediction\nold\n");
        drop(stdin);
    }
}
