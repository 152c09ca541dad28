//! Small tables with known findings.

use super::*;
use crate::certify::separation::Limits;
use crate::data::{Design, Labels, Problem};
use crate::math::rng::Rng;

/// Names a, b, c, … of the columns of a dense table.
fn names(d: usize) -> Vec<String> {
    (0..d).map(|j| char::from(b'a' + j as u8).to_string()).collect()
}

fn report_on(
    x: &Design,
    y: &[&str],
    weights: Option<Vec<f64>>,
    change: impl Fn(&mut Layout),
) -> Report {
    let labels = Labels::parse(y.iter().copied());
    let problem = Problem::new(x, &labels, weights).unwrap();
    let mut layout = Layout { names: names(x.d()), ..Layout::default() };
    change(&mut layout);
    let subject = Subject::new(&problem, &layout, Some(Limits::default()));
    let mut report = Report::default();
    run_checks(&subject, &mut report, &mut ());
    report
}

fn report(rows: &[Vec<f64>], y: &[&str], weights: Option<Vec<f64>>) -> Report {
    let x = Design::dense(rows.len(), rows[0].len(), rows.concat()).unwrap();
    report_on(&x, y, weights, |_| {})
}

fn of<'a>(report: &'a Report, check: &str) -> Vec<&'a Finding> {
    assert!(ALL.iter().any(|c| c.name == check), "there is no check {check}");
    report.findings.iter().filter(|finding| finding.check == check).collect()
}

fn number(finding: &Finding, name: &str) -> f64 {
    finding.numbers.iter().find(|(own, _)| *own == name).unwrap().1
}

/// Rows without findings but the separation: random, overlapping, of two classes.
fn plain(n: usize, d: usize) -> (Vec<Vec<f64>>, Vec<&'static str>) {
    let mut rng = Rng::new(5, 5);
    let rows = (0..n).map(|_| (0..d).map(|_| rng.unit()).collect()).collect();
    (rows, (0..n).map(|i| if i % 2 == 0 { "n" } else { "y" }).collect())
}

fn remedies(finding: &Finding) -> Vec<String> {
    finding.settings.iter().map(|own| format!("{}={}", own.name, own.value)).collect()
}

#[test]
fn names_are_unique_and_every_check_has_a_description() {
    let mut all: Vec<&str> = ALL.iter().map(|check| check.name).collect();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), ALL.len());
    assert!(ALL.iter().all(|check| !check.about.is_empty()));
}

#[test]
fn a_table_without_problems_has_only_the_separation_finding() {
    let (rows, y) = plain(100, 3);
    let report = report(&rows, &y, None);
    let found: Vec<&str> = report.findings.iter().map(|f| &*f.check).collect();
    assert_eq!((found, &report.skipped[..]), (vec!["separation"], &[][..]));
    let verdict = of(&report, "separation")[0];
    assert_eq!(verdict.severity, Severity::Note);
    assert_eq!(verdict.words, [("verdict".into(), "overlap".to_owned())]);
}

#[test]
fn a_class_with_one_row_is_found_unless_its_weight_is_two() {
    let (rows, mut y) = plain(30, 2);
    y[7] = "z";
    let found = report(&rows, &y, None);
    let finding = of(&found, "singleton-classes")[0];
    assert_eq!((finding.severity, &finding.rows[..]), (Severity::Serious, &[7][..]));
    assert!(finding.what.contains("class z"), "{}", finding.what);
    let mut weights = vec![1.0; 30];
    weights[7] = 2.0;
    assert!(of(&report(&rows, &y, Some(weights)), "singleton-classes").is_empty());
}

#[test]
fn imbalance_is_measured_by_sample_weights() {
    let (rows, _) = plain(40, 2);
    let y: Vec<&str> = (0..40).map(|i| if i < 4 { "rare" } else { "usual" }).collect();
    assert!(of(&report(&rows, &y, None), "imbalance").is_empty(), "nine to one");
    let weights: Vec<f64> = (0..40).map(|i| if i < 4 { 1.0 } else { 20.0 }).collect();
    let found = report(&rows, &y, Some(weights));
    let finding = of(&found, "imbalance")[0];
    assert_eq!((finding.severity, number(finding, "ratio")), (Severity::Warning, 180.0));
    assert_eq!(number(finding, "majority"), 720.0 / 724.0);
    assert_eq!(remedies(finding), ["class-weight=balanced"]);
}

#[test]
fn constant_columns_ignore_rows_of_weight_0() {
    let (mut rows, y) = plain(30, 4);
    rows.iter_mut().for_each(|row| (row[1], row[2]) = (7.0, 0.0));
    rows[3][1] = 8.0;
    let mut weights = vec![1.0; 30];
    weights[3] = 0.0;
    let found = report(&rows, &y, Some(weights));
    let columns: Vec<&[String]> =
        of(&found, "constant-columns").iter().map(|f| &f.columns[..]).collect();
    assert_eq!(columns, [["c"], ["b"]]);
    assert_eq!(of(&report(&rows, &y, None), "constant-columns").len(), 1);
}

#[test]
fn equal_columns_are_found_dense_and_sparse() {
    let (mut rows, y) = plain(30, 5);
    for row in &mut rows {
        row[1] = if row[0] > 0.5 { 0.0 } else { row[0] };
        (row[3], row[4]) = (row[1], row[1]);
    }
    let dense = Design::dense(30, 5, rows.concat()).unwrap();
    let (mut starts, mut indices, mut values) = (vec![0], vec![], vec![]);
    for row in &rows {
        for (j, &v) in row.iter().enumerate().filter(|(_, v)| **v != 0.0) {
            indices.push(j as u32);
            values.push(v);
        }
        starts.push(indices.len());
    }
    let sparse = Design::sparse(5, starts, indices, values).unwrap();
    for x in [dense, sparse] {
        let found = report_on(&x, &y, None, |_| {});
        let finding = of(&found, "duplicate-columns");
        assert_eq!(finding.len(), 1);
        assert_eq!(finding[0].columns, ["b", "d", "e"]);
        assert_eq!(remedies(finding[0]), ["drop=d", "drop=e"]);
        assert!(of(&found, "collinear-columns").is_empty(), "one finding is enough");
    }
}

#[test]
fn combinations_are_found_with_their_formulas() {
    let mut rng = Rng::new(9, 0);
    let rows: Vec<Vec<f64>> = (0..50)
        .map(|_| {
            let [a, b, c] = [0; 3].map(|_| rng.below(100) as f64);
            vec![a, b, c, 2.0 * a - b + 3.0, 0.1 * a + 0.7 * c, a + rng.unit()]
        })
        .collect();
    let y: Vec<&str> = (0..50).map(|i| if i % 3 == 0 { "n" } else { "y" }).collect();
    let found = report(&rows, &y, None);
    let what: Vec<&str> = of(&found, "collinear-columns").iter().map(|f| f.what.as_str()).collect();
    assert_eq!(
        what[..2],
        [
            "column d is a linear combination of others, exactly: d = 2 a − b + 3",
            "column e is a linear combination of others, up to rounding: e ≈ 0.7 c + 0.1 a",
        ]
    );
    assert_eq!(what.len(), 3);
    assert!(
        what[2].starts_with("column f is nearly a linear combination of others (99.9"),
        "{}",
        what[2]
    );
}

#[test]
fn the_sum_of_the_levels_of_a_category_is_not_reported() {
    let (rows, y) = plain(60, 1);
    let rows: Vec<Vec<f64>> = rows
        .iter()
        .enumerate()
        .map(|(i, row)| {
            let level = |l: usize| f64::from(u8::from(i % 7 % 3 == l));
            vec![row[0], level(0), level(1), level(2)]
        })
        .collect();
    let x = Design::dense(60, 4, rows.concat()).unwrap();
    let numbers = report_on(&x, &y, None, |_| {});
    assert_eq!(of(&numbers, "collinear-columns").len(), 1);
    let words = report_on(&x, &y, None, |layout| layout.choices.push(1..4));
    assert!(of(&words, "collinear-columns").is_empty());
}

#[test]
fn checks_of_too_many_columns_are_skipped() {
    let x = Design::sparse(5_000, vec![0, 1, 2, 2], vec![3, 7], vec![1.0, 1.0]).unwrap();
    let labels = Labels::parse(["a", "b", "b"]);
    let problem = Problem::new(&x, &labels, None).unwrap();
    let layout = Layout { names: (0..5_000).map(|j| j.to_string()).collect(), ..Layout::default() };
    let mut report = Report::default();
    run_checks(&Subject::new(&problem, &layout, None), &mut report, &mut ());
    let skipped: Vec<&str> = report.skipped.iter().map(|s| &*s.check).collect();
    assert_eq!(skipped, ["collinear-columns", "separation"]);
}

#[test]
fn columns_that_leak_the_class_are_found() {
    let (mut rows, y) = plain(40, 4);
    for (i, row) in rows.iter_mut().enumerate() {
        let own = if y[i] == "y" { 1.0 } else { 0.0 };
        // b separates the classes, c all but one row; d is 0 for one class and positive for the
        // other.
        row[1] = 100.0 - own * 50.0 + row[0];
        row[2] = if i == 0 { 1.05 } else { own + row[0] * 0.9 };
        row[3] = own * (1.0 + row[0]);
    }
    let found = report(&rows, &y, None);
    let findings = of(&found, "leaking-columns");
    let columns: Vec<&str> = findings.iter().map(|f| f.columns[0].as_str()).collect();
    assert_eq!(columns, ["b", "c", "d"]);
    let severities: Vec<Severity> = findings.iter().map(|f| f.severity).collect();
    assert_eq!(severities, [Severity::Serious, Severity::Warning, Severity::Serious]);
    assert!(number(findings[0], "by_chance") < 1e-9);
    let auc = number(findings[1], "auc");
    assert!((0.99..1.0).contains(&auc), "{auc}");
    // With six rows, three of each class, chance separates one column in ten.
    let few = report(&rows[..6], &y[..6], None);
    let telling = of(&few, "leaking-columns");
    assert!(telling.iter().all(|f| f.severity != Severity::Serious), "{telling:?}");
}

#[test]
fn separation_by_chance_has_the_stated_frequency() {
    // Three rows against two: 2 of 10 orders.
    let mut hits = 0;
    for seed in 0..2_000 {
        let mut rng = Rng::new(seed, 3);
        let rows: Vec<Vec<f64>> = (0..5).map(|_| vec![rng.unit()]).collect();
        let labels = Labels::parse(["n", "n", "n", "y", "y"]);
        let x = Design::dense(5, 1, rows.concat()).unwrap();
        let problem = Problem::new(&x, &labels, None).unwrap();
        let layout = Layout { names: names(1), ..Layout::default() };
        let subject = Subject::new(&problem, &layout, None);
        let mut report = Report::default();
        run_checks(&subject, &mut report, &mut ());
        for finding in of(&report, "leaking-columns") {
            hits += 1;
            assert!((number(finding, "by_chance") - 0.2).abs() < 1e-12);
        }
    }
    assert!((300..500).contains(&hits), "{hits} of 2000, and 400 expected");
}

#[test]
fn columns_that_separate_all_or_the_extreme_classes_are_found() {
    let (mut rows, _) = plain(60, 3);
    let y: Vec<&str> = (0..60).map(|i| ["a", "b", "c"][i % 3]).collect();
    for (i, row) in rows.iter_mut().enumerate() {
        row[0] = (i % 3) as f64 * 2.0 + row[1]; // a, b, c in sequence
        row[2] = if i % 3 == 1 { -5.0 } else { row[1] }; // b below all others
    }
    let found = report(&rows, &y, None);
    let findings = of(&found, "leaking-columns");
    let what: Vec<&str> = findings.iter().map(|f| f.what.as_str()).collect();
    assert_eq!(
        what,
        [
            "thresholds on column a alone separate all 3 classes",
            "a threshold on column c alone separates b from the other classes"
        ]
    );
}

#[test]
fn different_scales_and_large_offsets_are_found() {
    let (mut rows, y) = plain(50, 3);
    for row in &mut rows {
        row[1] *= 1e5;
        row[2] += 1e9;
    }
    let x = Design::dense(50, 3, rows.concat()).unwrap();
    for (standardized, severity) in [(false, Severity::Warning), (true, Severity::Note)] {
        let found = report_on(&x, &y, None, |layout| layout.standardized = standardized);
        let findings = of(&found, "scales");
        assert_eq!(findings.len(), 2);
        assert_eq!(findings[0].severity, severity);
        assert!((3e4..3e5).contains(&number(findings[0], "ratio")));
        assert_eq!(
            (findings[1].severity, &findings[1].columns[..]),
            (Severity::Warning, &["c".to_owned()][..])
        );
    }
}

#[test]
fn repeated_and_conflicting_rows_are_found_with_the_error_bound() {
    let rows: Vec<Vec<f64>> = [1.0, 1.0, 1.0, 2.0, 2.0, 3.0, 4.0, 4.0].map(|v| vec![v]).to_vec();
    let y = ["a", "a", "b", "b", "a", "a", "b", "b"];
    let found = report(&rows, &y, None);
    let repeated = of(&found, "duplicate-rows")[0];
    assert_eq!((&repeated.rows[..], repeated.row_count), (&[1, 7][..], 2));
    let conflict = of(&found, "conflicting-rows")[0];
    assert_eq!(conflict.rows, [0, 1, 2, 3, 4]);
    assert_eq!((number(conflict, "sets"), number(conflict, "least_error")), (2.0, 2.0));
    assert_eq!(number(conflict, "least_error_share"), 0.25);
    // Class b at 1 has weight 3: now the two rows of a are misclassified there.
    let weights = vec![1.0, 1.0, 3.0, 1.0, 0.0, 1.0, 1.0, 1.0];
    let weighed = report(&rows, &y, Some(weights));
    let conflict = of(&weighed, "conflicting-rows")[0];
    assert_eq!((number(conflict, "sets"), number(conflict, "least_error")), (1.0, 2.0));
}

/// Every classifier obeys the bound, and the majority class of each distinct row attains it.
#[test]
fn the_error_bound_of_conflicting_rows_is_attained() {
    for seed in 0..30 {
        let mut rng = Rng::new(seed, 8);
        let n = 40;
        let rows: Vec<Vec<f64>> = (0..n).map(|_| vec![rng.below(6) as f64]).collect();
        let y: Vec<&str> = (0..n)
            .map(|i| if i < 2 { ["a", "b"][i] } else { ["a", "b", "c"][rng.below(3) as usize] })
            .collect();
        let weights: Vec<f64> =
            (0..n).map(|i| if i < 2 { 1.0 } else { rng.below(4) as f64 }).collect();
        if !y.iter().zip(&weights).any(|(y, w)| *y == "c" && *w > 0.0) {
            continue;
        }
        let best: f64 = (0..6)
            .map(|v| {
                let weight = |class: &str| -> f64 {
                    let here = (0..n).filter(|&i| rows[i][0] == f64::from(v) && y[i] == class);
                    here.map(|i| weights[i]).sum()
                };
                let all = ["a", "b", "c"].map(weight);
                all.iter().sum::<f64>() - all.iter().fold(0.0, |m: f64, w| m.max(*w))
            })
            .sum();
        let found = report(&rows, &y, Some(weights));
        let least =
            of(&found, "conflicting-rows").first().map_or(0.0, |f| number(f, "least_error"));
        assert!((least - best).abs() < 1e-9, "{least} {best}");
    }
}

#[test]
fn the_separation_is_reported_with_its_severity() {
    let line: Vec<Vec<f64>> = [0.0, 1.0, 1.0, 2.0].map(|v| vec![v]).to_vec();
    let verdict = |y: [&str; 4]| {
        let found = report(&line, &y, None);
        let finding = of(&found, "separation")[0].clone();
        (finding.words[0].1.clone(), finding.severity, finding.columns)
    };
    assert_eq!(
        verdict(["n", "n", "y", "y"]),
        ("quasi-complete".into(), Severity::Warning, vec!["a".into()])
    );
    assert_eq!(verdict(["n", "y", "y", "n"]).0, "overlap");
    assert_eq!(verdict(["n", "y", "y", "y"]).0, "complete");
}
