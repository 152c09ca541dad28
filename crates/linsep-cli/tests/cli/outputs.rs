//! Overwriting: never an input or another output, and a file of another kind only with `--force`.

use crate::harness::{Sandbox, assert_session};
use std::fs;

/// A folder with two models, a file of sample weights and a truth table.
fn sandbox() -> Sandbox {
    let desk = Sandbox::new();
    assert_eq!(desk.run("fit gales.csv").code, 0);
    assert_eq!(desk.run("fit iris.csv --method fisher -o fisher.linsep").code, 0);
    let rows = fs::read_to_string(desk.path("gales.csv")).unwrap().lines().count() - 1;
    desk.file("weights.txt", "1\n".repeat(rows));
    desk.file("parity.csv", "a,b,f\n0,0,0\n0,1,1\n1,0,1\n1,1,0\n");
    desk
}

/// Commands with the file that each one writes.
const WRITERS: &[(&str, &str)] = &[
    ("fit gales.csv -o new.linsep", "new.linsep"),
    ("fit gales.csv --test gales.csv", "gales.linsep"),
    ("fit gales.csv -o m.linsep --report page.html", "page.html"),
    ("predict gales.linsep gales.csv -o p.csv", "p.csv"),
    ("predict gales.linsep gales.csv --proba --scores -o p2.csv", "p2.csv"),
    ("predict gales.linsep gales.csv --json -o p.json", "p.json"),
    ("transform fisher.linsep iris.csv -o t.csv", "t.csv"),
    ("transform fisher.linsep iris.csv --json -o t.json", "t.json"),
    ("transform --kesler iris.csv -o k.csv", "k.csv"),
    ("kesler iris.csv -o k.csv", "k.csv"),
    ("separable gales.csv --output cert.json", "cert.json"),
    ("export gales.linsep --to scorecard -o card.txt", "card.txt"),
    ("export gales.linsep --to scorecard -o card.csv", "card.csv"),
    ("export gales.linsep --to scorecard -o card.json", "card.json"),
    ("logic network a^b -o net.svg", "net.svg"),
    ("plot losses -o losses.png", "losses.png"),
    ("plot losses", "losses.svg"),
    ("plot boundaries gales.csv", "boundaries.svg"),
    ("plot projection gales.csv", "projection.svg"),
    ("plot regions gales.linsep gales.csv", "regions.svg"),
    ("plot data gales.csv", "data.svg"),
    ("plot trace gales.csv --method perceptron", "trace.svg"),
    ("plot weights gales.csv --no-intercept", "weights.svg"),
    ("plot confusion gales.linsep gales.csv", "confusion.svg"),
    ("plot coefficients gales.linsep", "coefficients.svg"),
    ("plot roc gales.linsep gales.csv", "roc.svg"),
    ("plot pr gales.linsep gales.csv", "pr.svg"),
    ("plot calibration gales.linsep gales.csv", "calibration.svg"),
    ("plot path gales.csv --points 3", "path.svg"),
];

#[test]
fn file_of_another_kind_is_overwritten_only_with_force() {
    let desk = sandbox();
    let foreign = "x1,x2,class\n1,2,a\n";
    for (words, file) in WRITERS {
        // 1. A file of another kind is kept.
        let model = fs::read(desk.path(file));
        desk.file(file, foreign);
        let run = desk.run(words);
        assert_eq!(run.code, 1, "{words}: {}", run.stderr);
        assert!(
            run.stderr.starts_with(&format!("error: {file}: --"))
                && run.stderr.contains("overwrites only ")
        );
        assert!(run.stderr.contains("or add --force"), "{words}: {}", run.stderr);
        let is_silent = run.stdout.is_empty() || words.contains("--json");
        assert!(is_silent, "{words}: no work was done");
        assert_eq!(fs::read_to_string(desk.path(file)).unwrap(), foreign, "{words}");
        // 2. --force overwrites it; then it has a known kind. An empty file is overwritten too.
        let run = desk.run(&format!("{words} --force"));
        assert_eq!(run.code, 0, "{words}: {}", run.stderr);
        assert_ne!(fs::read(desk.path(file)).unwrap(), foreign.as_bytes(), "{words}");
        let run = desk.run(words);
        assert_eq!(run.code, 0, "{words}, again: {}", run.stderr);
        desk.file(file, "");
        assert_eq!(desk.run(words).code, 0, "{words}, over an empty file");
        // 3. Restore the model, which later commands read.
        if let Ok(model) = model {
            desk.file(file, model);
        }
    }
}

#[test]
fn message_about_a_file_of_another_kind() {
    let desk = sandbox();
    desk.file("new.linsep", "x1,x2,class\n");
    assert_session!(desk, "fit gales.csv -o new.linsep");
    assert_session!(desk, "predict gales.linsep gales.csv -o iris.csv");
}

#[cfg(unix)]
#[test]
fn inputs_are_never_overwritten() {
    let desk = sandbox();
    // Other names of the same files.
    std::os::unix::fs::symlink("gales.csv", desk.path("link.svg")).unwrap();
    fs::hard_link(desk.path("gales.csv"), desk.path("hard.html")).unwrap();
    std::os::unix::fs::symlink("parity.csv", desk.path("parity.svg")).unwrap();
    fs::create_dir(desk.path("sub")).unwrap();
    let read = |name: &str| fs::read(desk.path(name)).unwrap();
    for (words, input) in [
        ("fit gales.csv -o gales.csv", "gales.csv"),
        ("fit gales.csv -o ./sub/../gales.csv", "gales.csv"),
        ("fit gales.csv -o link.svg", "gales.csv"),
        ("fit link.svg -o gales.csv", "gales.csv"),
        ("fit gales.csv -o hard.html", "gales.csv"),
        ("fit gales.csv --report hard.html", "gales.csv"),
        ("fit gales.csv gales.csv hard.html -o link.svg", "gales.csv"),
        ("fit gales.csv --test iris.csv -o iris.csv", "iris.csv"),
        ("fit gales.csv --weights weights.txt -o weights.txt", "weights.txt"),
        ("predict gales.linsep gales.csv -o gales.csv", "gales.csv"),
        ("predict gales.linsep gales.csv -o gales.linsep", "gales.linsep"),
        ("predict gales.linsep gales.csv --json -o gales.linsep", "gales.linsep"),
        ("transform fisher.linsep iris.csv -o iris.csv", "iris.csv"),
        ("transform fisher.linsep iris.csv -o fisher.linsep", "fisher.linsep"),
        ("transform --kesler iris.csv -o iris.csv", "iris.csv"),
        ("kesler iris.csv -o iris.csv", "iris.csv"),
        ("separable gales.csv --output gales.csv", "gales.csv"),
        ("separable gales.csv --weights weights.txt --output weights.txt", "weights.txt"),
        ("export gales.linsep --to scorecard -o gales.linsep", "gales.linsep"),
        ("export gales.linsep --to scorecard -o gales.csv --data iris.csv gales.csv", "gales.csv"),
        ("logic network parity.csv -o parity.svg", "parity.csv"),
        ("plot data gales.csv -o link.svg", "gales.csv"),
        ("plot boundaries gales.csv -o link.svg", "gales.csv"),
        ("plot projection gales.csv -o link.svg", "gales.csv"),
        ("plot path gales.csv -o link.svg", "gales.csv"),
        ("plot weights gales.csv -o link.svg", "gales.csv"),
        ("plot trace gales.csv -o link.svg", "gales.csv"),
        ("plot regions gales.linsep gales.csv -o link.svg", "gales.csv"),
        ("plot confusion gales.linsep gales.csv -o link.svg", "gales.csv"),
        ("plot roc gales.linsep gales.csv -o link.svg", "gales.csv"),
        ("plot pr gales.linsep gales.csv -o link.svg", "gales.csv"),
        ("plot calibration gales.linsep gales.csv -o link.svg", "gales.csv"),
        ("plot coefficients link.svg -o link.svg", "gales.csv"),
    ] {
        let before = (desk.files(), read(input));
        for force in ["", " --force"] {
            let run = desk.run(&format!("{words}{force}"));
            assert_eq!(run.code, 2, "{words}{force}: {}", run.stderr);
            assert!(run.stderr.contains("would overwrite the input"), "{words}: {}", run.stderr);
            assert!((desk.files(), read(input)) == before, "{words}{force}");
        }
    }
    assert_session!(desk, "fit gales.csv -o link.svg");
    assert_session!(desk, "separable gales.csv --output gales.csv");
}

#[cfg(unix)]
#[test]
fn outputs_must_differ() {
    let desk = sandbox();
    std::os::unix::fs::symlink("page.html", desk.path("later.linsep")).unwrap();
    for words in [
        "fit gales.csv -o page.html --report page.html",
        "fit gales.csv -o later.linsep --report ./page.html",
    ] {
        let before = desk.files();
        let run = desk.run(words);
        assert_eq!(run.code, 2, "{words}: {}", run.stderr);
        assert!(run.stderr.contains("--report and --output name the same file"));
        assert_eq!(desk.files(), before);
    }
    // A device is not a file to protect.
    let run = desk.run("fit gales.csv -o /dev/null");
    assert_eq!(run.code, 0, "{}", run.stderr);
}

#[cfg(unix)]
#[test]
fn stdin_and_stdout_are_identified_as_files() {
    let desk = sandbox();
    let rows = fs::read(desk.path("gales.csv")).unwrap();
    let run = desk.shell("$LINSEP predict gales.linsep - -o gales.csv < gales.csv");
    assert_eq!(run.code, 2, "{}", run.stderr);
    assert_eq!(fs::read(desk.path("gales.csv")).unwrap(), rows);
    // A redirected stream is written at its current position.
    for name in ["/dev/stdout", "/dev/fd/1"] {
        let words = format!("$LINSEP predict gales.linsep gales.csv -o {name}");
        let run = desk.shell(&format!("echo first > log; {words} >> log"));
        assert_eq!(run.code, 0, "{}", run.stderr);
        let log = fs::read_to_string(desk.path("log")).unwrap();
        assert!(log.starts_with("first\nprediction\n"), "{log}");
        let run = desk.shell(&format!("{words} | cat"));
        assert!(run.stdout.starts_with("prediction\n"), "{}{}", run.stdout, run.stderr);
    }
}

#[cfg(unix)]
#[test]
fn file_modes_follow_umask_or_the_previous_file() {
    use std::os::unix::fs::PermissionsExt;
    let desk = sandbox();
    let mode = |name: &str| fs::metadata(desk.path(name)).unwrap().permissions().mode() & 0o7777;
    for (umask, expected) in [("077", 0o600), ("027", 0o640), ("002", 0o664)] {
        let _ = fs::remove_file(desk.path("new.linsep"));
        let run = desk.shell(&format!("umask {umask}; $LINSEP fit gales.csv -o new.linsep"));
        assert_eq!(run.code, 0, "{}", run.stderr);
        assert_eq!(mode("new.linsep"), expected, "umask {umask}");
    }
    fs::set_permissions(desk.path("new.linsep"), fs::Permissions::from_mode(0o600)).unwrap();
    desk.shell("umask 000; $LINSEP fit gales.csv -o new.linsep");
    assert_eq!(mode("new.linsep"), 0o600, "the mode of the previous file is kept");
}
