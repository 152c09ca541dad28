//! Findings of the data check on public data.

use crate::arguments::request;
use crate::public_data::public_data;
use linsep::core::diagnostics::Finding;
use linsep::jobs::{Check, Fit};

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
    for (name, wanted) in KNOWN {
        let (file, options) = name.split_once(' ').unwrap_or((name, ""));
        let Some(file) = public_data(file) else { continue };
        let (input, Fit { data, .. }) = request(&file, options);
        let found = Check { data, ..Check::default() }.run(input, &mut ()).unwrap().found;
        for (check, what) in wanted {
            let is = |finding: &Finding| {
                let mut settings = finding.settings.iter();
                finding.check == *check
                    && (what.is_empty()
                        || finding.columns.iter().any(|column| column == what)
                        || settings.any(|one| format!("--{} {}", one.name, one.value) == *what))
            };
            let findings = &found.report.findings;
            assert!(findings.iter().any(is), "{name}: {check} {what} not in {findings:#?}");
        }
    }
}
