//! Small files with known findings.

use super::*;
use linsep_io::input::{ReadOptions, read_source};
use linsep_io::source::Source;

fn examined(text: &str, change: impl Fn(&mut TrainingSettings)) -> DataCheck {
    let input = read_source(Source::from_bytes("t.csv", text.as_bytes()), &ReadOptions::default());
    let mut settings = TrainingSettings::default();
    change(&mut settings);
    check_data(input.unwrap(), &settings, Some(Limits::default()), &mut ()).unwrap()
}

fn of(text: &str, check: &str) -> Vec<Finding> {
    let list = |found: DataCheck| found.report.findings.into_iter();
    list(examined(text, |_| {})).filter(|finding| finding.check == check).collect()
}

/// Returns a table of n rows; `row` gives row i.
fn table(header: &str, n: usize, row: impl Fn(usize) -> String) -> String {
    let rows: Vec<String> = (0..n).map(row).collect();
    format!("{header}\n{}\n", rows.join("\n"))
}

/// Returns a pseudo-random number in [0, 1).
fn noise(i: usize) -> f64 {
    (i as f64 * 0.754_877).fract()
}

fn class(i: usize) -> &'static str {
    if noise(i + 1000) > 0.5 { "yes" } else { "no" }
}

#[test]
fn check_names_are_unique() {
    let mut names: Vec<&str> = ALL
        .iter()
        .map(|c| c.name)
        .chain(linsep_core::diagnostics::ALL.iter().map(|c| c.name))
        .collect();
    let all = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), all);
}

#[test]
fn wrong_default_target_is_reported() {
    let settings = |text: &str| {
        let found = of(text, "target");
        found.first().map(|f| {
            assert_eq!(f.severity, Severity::Serious);
            f.settings
                .iter()
                .map(|own| format!("{}={}", own.name, own.value))
                .collect::<Vec<_>>()
                .join(" ")
        })
    };
    let counts = "grahami,opalinus,height,light\n20,2,low,sun\n8,1,low,shade\n4,4,high,sun\n13,0,high,shade\n";
    assert_eq!(settings(counts).as_deref(), Some("counts=grahami,opalinus"));
    let weights = "case,age,COUNT,PERCENT\n0,1,5,0.5\n1,0,2,0.2\n0,0,3,0.3\n";
    assert_eq!(settings(weights).as_deref(), Some("target=case weights=COUNT drop=PERCENT"));
    let first = table("kind,a,b", 30, |i| format!("{},{},{}", class(i), noise(i), noise(i + 7)));
    assert_eq!(settings(&first).as_deref(), Some("target=kind"));
    let binary = table("case,age,dia", 30, |i| format!("{},{},{}", i % 2, i % 3, i * i % 2));
    assert_eq!(settings(&binary).as_deref(), Some("target=case"));
    let fine = table("age,dia,case", 30, |i| format!("{},{},{}", i % 3, i * i % 2, i % 2));
    assert_eq!(settings(&fine), None);
    let known = table("case,age,class", 30, |i| format!("{},{},{}", i % 2, noise(i), class(i)));
    assert_eq!(settings(&known), None);
}

#[test]
fn explicit_target_is_not_checked() {
    let binary = table("case,age,dia", 30, |i| format!("{},{},{}", i % 2, i % 3, i * i % 2));
    let found = examined(&binary, |settings| settings.target = Some("dia".to_owned()));
    assert!(found.report.findings.iter().all(|f| f.check != "target"));
    assert_eq!((found.target.as_deref(), found.rows, found.columns), (Some("dia"), 30, 3));
}

#[test]
fn unlabeled_rows_are_reported_and_skipped() {
    let text = table("a,y", 30, |i| format!("{},{}", noise(i), if i == 4 { "" } else { class(i) }));
    let found = of(&text, "unlabeled-rows");
    assert_eq!((found[0].severity, &found[0].rows[..]), (Severity::Serious, &[4][..]));
    let weight: f64 = examined(&text, |_| {}).classes.iter().map(|(_, w)| w).sum();
    assert_eq!(weight, 29.0);
}

#[test]
fn numeric_and_text_identifiers_are_reported() {
    let text = table("id,code,name,size,y", 120, |i| {
        let code = 1_000_000 + (i * 7919) % 999_983;
        format!("{i},{code},n{i},{},{}", i * i % 40, class(i))
    });
    let columns: Vec<(Vec<String>, Severity)> =
        of(&text, "identifiers").into_iter().map(|f| (f.columns, f.severity)).collect();
    let name = |name: &str| vec![name.to_owned()];
    assert_eq!(
        columns,
        [
            (name("id"), Severity::Warning),
            (name("code"), Severity::Warning),
            (name("name"), Severity::Note)
        ]
    );
}

#[test]
fn numeric_and_text_dates_are_reported() {
    let text = table("day,stamp,when,other,y", 40, |i| {
        let day = 20_240_101 + i % 28;
        format!(
            "{day},{},2024-05-{:02},{},{}",
            1_700_000_000 + i * 977,
            i % 28 + 1,
            5_000 + i % 9,
            class(i)
        )
    });
    let columns: Vec<String> = of(&text, "dates").into_iter().flat_map(|f| f.columns).collect();
    assert_eq!(columns, ["day", "stamp", "when"]);
}

#[test]
fn missingness_dependent_on_the_class_is_a_warning() {
    // a is missing in half of class yes and nowhere else, b independently of the class.
    let text = table("a,b,c,y", 100, |i| {
        let a = if class(i) == "yes" && i % 2 == 0 { String::new() } else { noise(i).to_string() };
        let b = if i % 10 == 3 { String::new() } else { noise(i + 3).to_string() };
        format!("{a},{b},{},{}", noise(i + 5), class(i))
    });
    let found = of(&text, "missing-cells");
    let severities: Vec<(&str, Severity)> =
        found.iter().map(|f| (f.columns[0].as_str(), f.severity)).collect();
    assert_eq!(severities, [("a", Severity::Warning), ("b", Severity::Note)]);
    assert_eq!(found[0].words, [("class".into(), "yes".to_owned())]);
    assert_eq!(found[1].row_count, 10);
}

#[test]
fn leaking_categories_are_reported() {
    let text = table("grade,city,y", 60, |i| {
        let grade = if class(i) == "yes" { ["a", "b"][i % 2] } else { ["c", "d"][i % 2] };
        format!("{grade},{},{}", ["x", "y", "z"][i % 3], class(i))
    });
    let found = of(&text, "leaking-categories");
    assert_eq!(found.len(), 1);
    assert_eq!(
        (found[0].severity, &found[0].columns[..]),
        (Severity::Serious, &["grade".to_owned()][..])
    );
    let remedy = &found[0].settings[0];
    assert_eq!((&*remedy.name, remedy.value.as_str()), ("drop", "grade"));
    // In four rows, chance explains no errors.
    let few = text.lines().take(5).collect::<Vec<&str>>().join("\n");
    assert!(of(&few, "leaking-categories").iter().all(|f| f.severity == Severity::Note));
}

#[test]
fn unused_columns_are_reported() {
    let text = table("a,same,empty,word,story,y", 30, |i| {
        format!("{},7,,w,a story of some length number {i},{}", noise(i), class(i))
    });
    let columns: Vec<String> = of(&text, "left-out").into_iter().flat_map(|f| f.columns).collect();
    assert_eq!(columns, ["same", "empty", "word", "story"]);
}

#[test]
fn unusable_data_is_a_finding() {
    let one = table("a,y", 20, |i| format!("{},same", noise(i)));
    let found = examined(&one, |_| {});
    assert_eq!(found.report.findings[0].check, "learnable");
    let checks = |found: &DataCheck| -> Vec<String> {
        found.report.findings.iter().map(|f| f.check.to_string()).collect()
    };
    let constant = table("a,kind", 40, |i| format!("7,{}", class(i)));
    let found = examined(&constant, |_| {});
    assert_eq!(checks(&found), ["learnable", "left-out"]);
    assert_eq!(found.report.findings[0].severity, Severity::Serious);
    // Text alone is encoded; beside a number it is left out.
    let text = |i| format!("some longer words number {i}");
    let alone = table("message,kind", 40, |i| format!("{},{}", text(i), class(i)));
    let found = checks(&examined(&alone, |_| {}));
    assert!(!found.iter().any(|check| check == "learnable" || check == "left-out"), "{found:?}");
    let both = table("message,a,kind", 40, |i| format!("{},{},{}", text(i), noise(i), class(i)));
    assert!(checks(&examined(&both, |_| {})).contains(&"left-out".to_owned()));
}

#[test]
fn counts_are_weights_and_findings_have_table_rows() {
    let text = "f,a,b\nx,3,1\ny,0,0\nz,2,2\n";
    let found = examined(text, |settings| settings.counts = vec!["a".into(), "b".into()]);
    assert_eq!(found.classes.iter().map(|(_, w)| *w).collect::<Vec<f64>>(), [5.0, 3.0]);
    let conflict = found.report.findings.iter().find(|f| f.check == "conflicting-rows").unwrap();
    assert_eq!(conflict.rows, [0, 2], "row y counts nothing");
    let least = conflict.numbers.iter().find(|(name, _)| *name == "least_error").unwrap();
    assert_eq!(least.1, 3.0);
}

#[test]
fn sparse_data_is_checked_in_raw_units() {
    let source = Source::from_bytes("t", "1 1:5 3:2\n-1 1:1 3:2\n-1 1:2 3:2\n".as_bytes());
    let input = read_source(source, &ReadOptions::default()).unwrap();
    let found =
        check_data(input, &TrainingSettings::default(), Some(Limits::default()), &mut ()).unwrap();
    assert_eq!((found.rows, found.features, found.target), (3, Some(3), None));
    let constant: Vec<&[String]> = found
        .report
        .findings
        .iter()
        .filter(|f| f.check == "constant-columns")
        .map(|f| &f.columns[..])
        .collect();
    assert_eq!(constant, [["2"], ["3"]]);
}
