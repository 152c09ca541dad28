//! Classes are compared as written, and what is no class is refused.

use crate::harness::{Sandbox, assert_session};
use serde_json::{Value, json};

fn rows(line: impl Fn(usize) -> String) -> String {
    (0..60).map(line).collect()
}

#[test]
fn whole_numbers_beyond_doubles_stay_two_classes() {
    let desk = Sandbox::new();
    let id = |i: usize| 9_007_199_254_740_992_u64 + (i % 2) as u64;
    desk.file(
        "ids.csv",
        format!("x,id\n{}", rows(|i| format!("{},{}\n", i % 2 * 3 + i / 30, id(i)))),
    );
    desk.file(
        "first.csv",
        format!("id,x\n{}", rows(|i| format!("{},{}\n", id(i), i % 2 * 3 + i / 30))),
    );
    let classes = json!([9_007_199_254_740_992.0_f64, "9007199254740993"]);
    for how in ["ids.csv", "ids.csv --target id", "first.csv --target id"] {
        let fit = desk.json(&format!("fit {how} -o m"));
        assert_eq!((&fit["k"], &fit["classes"]), (&json!(2), &classes), "{how}");
        let file = how.split(' ').next().unwrap();
        assert_eq!(desk.json(&format!("evaluate m {file}"))["accuracy"], 1.0);
        let predicted = desk.wide(&format!("predict m {file}")).stdout;
        assert!(predicted.contains("\n9007199254740993\n"), "{predicted}");
    }
    desk.file("ids.txt", rows(|i| format!("{} 1:{}\n", id(i), i % 2 * 3 + i / 30)));
    assert_eq!(desk.json("fit ids.txt -o m")["k"], 2);
}

#[test]
fn leading_zeros_make_a_class_and_are_pointed_out_beside_the_number() {
    let desk = Sandbox::new();
    let code = |i: usize| ["01", "1", "2"][i % 3];
    desk.file(
        "codes.csv",
        format!("x,code\n{}", rows(|i| format!("{},{}\n", i % 3 * 5 + i / 30, code(i)))),
    );
    let run = desk.wide("fit codes.csv -o m");
    assert!(run.stdout.contains(": 1 (20), 01 (20), 2 (20)"), "{run:?}");
    assert!(run.stderr.contains("classes 1 and 01 differ only in leading zeros"), "{run:?}");
    let fit = desk.json("fit codes.csv --label-map 01=1 -o m");
    assert_eq!((&fit["k"], &fit["notes"]), (&json!(2), &json!([])));
    desk.file(
        "zip.csv",
        format!("x,zip\n{}", rows(|i| format!("{},0{}\n", i % 2 * 5, 1230 + i % 2))),
    );
    let fit = desk.json("fit zip.csv -o m");
    assert_eq!((&fit["classes"], &fit["notes"]), (&json!(["01230", "01231"]), &json!([])));
    assert!(desk.wide("predict m zip.csv").stdout.starts_with("prediction\n01230\n01231\n"));
}

#[test]
fn notations_of_one_number_are_one_class_in_every_format() {
    let desk = Sandbox::new();
    let spelled = |i: usize| {
        if i.is_multiple_of(2) {
            ["-1", "-1.0", "-1e0"][i % 3]
        } else {
            ["+1", "1", "1.0000000000000000000"][i % 3]
        }
    };
    let x = |i: usize| i % 2 * 3 + i / 30;
    desk.file("a.csv", format!("x,y\n{}", rows(|i| format!("{},{}\n", x(i), spelled(i)))));
    desk.file(
        "plain.csv",
        format!("x,y\n{}", rows(|i| format!("{},{}\n", x(i), ["-1", "1"][i % 2]))),
    );
    desk.file("a.txt", rows(|i| format!("{} 1:{}\n", spelled(i), x(i))));
    let fit = desk.json("fit a.csv -o m");
    assert_eq!((&fit["classes"], &fit["notes"]), (&json!([-1, 1]), &json!([])));
    for file in ["a.csv", "plain.csv"] {
        assert_eq!(desk.json(&format!("evaluate m {file}"))["unknown_labels"], json!([]));
    }
    assert_eq!(desk.json("fit a.txt -o sparse")["classes"], json!([-1, 1]));
    assert_eq!(desk.json("evaluate sparse a.txt")["unknown_labels"], json!([]));
}

#[test]
fn a_target_of_measurements_is_refused_and_classes_are_not() {
    let desk = Sandbox::new();
    let price = |i: usize| format!("{},{}.{:02}\n", i, i * 37 % 101, i * 61 % 97);
    let rows = |n: usize, line: &dyn Fn(usize) -> String| (0..n).map(line).collect::<String>();
    desk.file("prices.csv", format!("x,price\n{}", rows(500, &price)));
    for how in ["fit prices.csv -o m", "fit prices.csv --target price -o m", "compare prices.csv"] {
        let run = desk.wide(how);
        let text = "prices.csv: target \"price\" has 500 distinct numeric values in 500 rows; classification needs classes.";
        assert_eq!(run.code, 1, "{run:?}");
        assert!(run.stderr.contains(text) && run.stderr.contains("pass --force"), "{run:?}");
    }
    assert!(desk.files().iter().all(|name| name != "m"));
    assert_eq!(desk.wide("check prices.csv --no-separation").code, 0);
    desk.file("prices.txt", rows(500, &|i| format!("{}.{:02} 1:{i}\n", i * 37 % 101, i * 61 % 97)));
    assert!(desk.wide("fit prices.txt -o m").stderr.contains("the labels have 500 distinct"));
    // Very few rows, so that it does not take long.
    desk.file("few.csv", format!("x,price\n{}", rows(30, &price)));
    assert_eq!(desk.wide("fit few.csv -o m").code, 1);
    assert_eq!(desk.json("fit few.csv --force -o m")["k"], 30);

    desk.file(
        "many.csv",
        format!(
            "x,y,class\n{}",
            rows(600, &|i| format!("{},{},{}\n", i % 150, i / 150, i % 150 * 7))
        ),
    );
    let fit = desk.json("fit many.csv --method gaussian -o m");
    assert_eq!(fit["k"], 150, "whole numbers of several rows each are classes");
}

#[test]
fn text_of_other_formats_is_recognized() {
    let desk = Sandbox::new();
    desk.file("train.vw", "1 |f a:0.5 b\n-1 2.0 'tag |f a:2 b:1\n".repeat(10));
    desk.file("nan.txt", "1 1:nan 2:3\n-1 1:2 2:4\n");
    desk.file("unknown.txt", "nan 1:1 2:3\n-1 1:2 2:4\n1 1:1 2:3\n");
    for words in ["fit train.vw", "check train.vw", "fit nan.txt", "fit unknown.txt"] {
        assert_session!(desk, words);
    }
    assert_eq!(desk.wide("check train.vw --delimiter | --no-separation").code, 0);
    desk.file("bars.csv", "1|2|a\n3|4|b\n2|2|a\n4|4|b\n");
    let fit: Value = desk.json("fit bars.csv -o m");
    assert_eq!(fit["d"], 2);
}
