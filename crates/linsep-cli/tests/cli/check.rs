//! `check`, on small files and on public data.

use crate::harness::{Sandbox, assert_session};
use crate::public_data::public_data;
use serde_json::Value;

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

/// Public data: file and options, and some expected findings, as check and column, or check and
/// setting.
const KNOWN: [(&str, &[(&str, &str)]); 15] = [
    ("separation/sex2.csv", &[("target", "--target case")]),
    ("separation/sex2.csv --target case", &[("separation", "dia")]),
    ("separation/lizards.csv", &[("target", "--counts grahami,opalinus")]),
    ("separation/hepatitis.csv", &[("target", "--weights counts")]),
    ("separation/sexagg.csv", &[("target", "--target case"), ("target", "--weights COUNT")]),
    ("separation/endometrial.csv", &[("separation", "NV")]),
    (
        "breast_cancer_wisconsin_original/breast-cancer-wisconsin.data",
        &[("identifiers", "V1"), ("missing-cells", "V7")],
    ),
    ("titanic/titanic.csv", &[("target", "--target Survived"), ("unlabeled-rows", "Embarked")]),
    (
        "titanic/titanic.csv --target Survived",
        &[("identifiers", "PassengerId"), ("missing-cells", "Cabin"), ("missing-cells", "Age")],
    ),
    ("lightgbm_binary/binary.train", &[("target", "--target V1")]),
    (
        "sms_spam/SMSSpamCollection --quote none",
        &[("target", "--target V1"), ("singleton-classes", "")],
    ),
    ("wdbc/wdbc.csv", &[("collinear-columns", "V3"), ("separation", "")]),
    ("spambase/spambase.csv", &[("duplicate-rows", ""), ("scales", "")]),
    ("agaricus_libsvm/agaricus.txt.train", &[("constant-columns", ""), ("collinear-columns", "")]),
    ("adult/adult-train.csv", &[("duplicate-rows", ""), ("collinear-columns", "")]),
];

#[test]
fn public_data_sets_have_the_known_findings() {
    let desk = Sandbox::new();
    for (name, wanted) in KNOWN {
        let (file, options) = name.split_once(' ').unwrap_or((name, ""));
        let Some(file) = public_data(file) else { continue };
        let found = desk.json(&format!("check {} {options}", file.display()));
        let findings = found["findings"].as_array().unwrap();
        for (check, what) in wanted {
            let setting = |one: &Value| {
                format!("--{} {}", one["name"].as_str().unwrap(), one["value"].as_str().unwrap())
            };
            let is = |finding: &&Value| {
                let columns = finding["columns"].as_array().unwrap();
                let settings = finding["settings"].as_array().unwrap();
                finding["check"] == *check
                    && (what.is_empty()
                        || columns.iter().any(|column| column == what)
                        || settings.iter().any(|one| setting(one) == *what))
            };
            assert!(findings.iter().any(|f| is(&f)), "{name}: {check} {what} not in {findings:#?}");
        }
    }
}
