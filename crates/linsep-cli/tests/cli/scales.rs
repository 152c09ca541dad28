//! Warnings about scales and about an accuracy below that of the largest class.

use crate::harness::Sandbox;

#[test]
fn columns_too_small_to_standardize_are_named() {
    let desk = Sandbox::new();
    let row = |i: u32| format!("{}e-300,{},{}\n", i % 7, i % 5, ["no", "yes"][i as usize % 2]);
    let rows: String = (0..30).map(row).collect();
    desk.file("small.csv", format!("x,y,class\n{rows}"));
    let run = desk.wide("fit small.csv -o m");
    assert!(run.stderr.contains("column x dropped: its values differ by at most"), "{run:?}");
    let check = desk.wide("check small.csv --no-separation").stdout;
    assert!(check.contains("poor-scales: column x: its values differ by at most"), "{check}");
    assert!(check.contains("multiply the column by a power of ten"), "{check}");
}

#[test]
fn accuracy_below_the_majority_class_is_a_warning() {
    let desk = Sandbox::new();
    let row = |i: usize| format!("{i},{}\n", ["rare", "usual", "usual", "usual"][i % 4]);
    let rows: String = (0..40).map(row).collect();
    desk.file("rare.csv", format!("x,class\n{rows}"));
    // Balanced class weights and no signal: half of each class is classified correctly.
    let how = "--method least-squares --threshold cost:1,100 --columns x";
    let run = desk.wide(&format!("fit rare.csv {how} --positive rare -o m"));
    assert_eq!(run.code, 0, "{run:?}");
    let words = "accuracy 25.00 % is below the majority-class baseline of 75.00 % (class usual)";
    assert!(run.stderr.contains(&format!("training {words}")), "{run:?}");
    assert!(run.stdout.lines().take(6).any(|line| line.contains(words)), "{run:?}");
    let fit = desk.json(&format!("fit rare.csv {how} --positive rare -o m --holdout 0.4"));
    assert_eq!(
        (&fit["below_majority"], &fit["majority"]["class"]),
        (&true.into(), &"usual".into())
    );
    assert_eq!(fit["test"]["below_majority"], true);
    let text = desk.wide("evaluate m rare.csv").stdout;
    assert!(
        text.contains("warning      accuracy 25.00 % is below the majority-class baseline"),
        "{text}"
    );
    assert!(!desk.wide("fit iris.csv -o m").stdout.contains("majority"));
}
