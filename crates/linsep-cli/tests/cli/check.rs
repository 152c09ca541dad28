//! `check`, on small files.

use crate::harness::{Sandbox, assert_session};

/// A file with findings of most checks: two leaks, an identifier, a date, a copied column, a sum,
/// missing cells, a conflict.
fn faulty() -> String {
    let mut text = String::from("id,day,size,copy,sum,grade,leak,gap,class\n");
    for i in 0_u32..60 {
        let size = f64::from(i * 37 % 101);
        let gap = if i % 3 == 0 { String::new() } else { (i * 13 % 17).to_string() };
        let yes = i * 7 % 10 < 4;
        let grade = match (yes, i % 2) {
            (true, 0) => "a",
            (true, _) => "b",
            (false, _) => "c",
        };
        text += &format!(
            "{},2024-0{}-1{},{size},{size},{},{grade},{},{gap},{}\n",
            1000 + i,
            i % 9 + 1,
            i % 10,
            size + 10.0,
            if yes { 50 + i } else { i % 50 },
            if yes { "yes" } else { "no" },
        );
    }
    text
}

#[test]
fn findings_are_reported() {
    let desk = Sandbox::new();
    desk.file("faulty.csv", faulty());
    desk.file(
        "counts.csv",
        "a,b,height,light\n20,2,low,sun\n8,1,low,shade\n4,4,high,sun\n13,0,high,shade\n",
    );
    desk.file("pairs", "1 1:5 3:2\n-1 1:1 3:2\n-1 1:2 3:2\n1 1:2 3:2\n");
    assert_session!(desk, "check faulty.csv");
    assert_session!(desk, "check xor.csv");
    assert_session!(desk, "check iris.csv");
    assert_session!(desk, "check counts.csv");
    assert_session!(desk, "check counts.csv --counts a,b --no-separation");
    assert_session!(desk, "check pairs");
}

#[test]
fn findings_in_json_are_complete() {
    let desk = Sandbox::new();
    desk.file("faulty.csv", faulty());
    let found = desk.json("check faulty.csv");
    let findings = found["findings"].as_array().unwrap();
    let serious = findings.iter().filter(|f| f["severity"] == "serious").count();
    assert_eq!(found["serious"], serious);
    for finding in findings {
        assert!(finding["what"].as_str().is_some_and(|what| !what.is_empty()), "{finding}");
        assert!(finding["advice"].as_str().is_some_and(|what| !what.is_empty()), "{finding}");
    }
    // Every recommended setting exists: its flag is in the help of fit.
    let help = desk.run("fit --help").stdout;
    for setting in findings.iter().flat_map(|f| f["settings"].as_array().unwrap()) {
        let flag = format!("--{} ", setting["name"].as_str().unwrap());
        assert!(help.contains(&flag), "{flag}");
    }
}

#[test]
fn serious_findings_fail_with_strict() {
    let desk = Sandbox::new();
    desk.file("faulty.csv", faulty());
    assert_eq!(desk.run("check faulty.csv").code, 0);
    let strict = desk.run("check faulty.csv --strict --json");
    assert_eq!((strict.code, strict.stdout.lines().count(), strict.stderr.as_str()), (1, 1, ""));
    assert_eq!(desk.run("check iris.csv --strict").code, 0);
    assert_eq!(desk.run("check none.csv").code, 1);
    assert_eq!(desk.run("check iris.csv --target nothing").code, 2);
}

#[test]
fn findings_do_not_depend_on_threads() {
    let desk = Sandbox::new();
    desk.file("faulty.csv", faulty());
    let one = desk.run("check faulty.csv --threads 1").stdout;
    assert_eq!(one, desk.run("check faulty.csv --threads 4").stdout);
}
