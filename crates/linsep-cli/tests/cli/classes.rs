//! Messages about classes, and about text of other formats.

use crate::harness::{Sandbox, assert_session};

#[test]
fn similar_classes_and_measurements_are_pointed_out() {
    let desk = Sandbox::new();
    let rows = |line: &dyn Fn(usize) -> String| (0..60).map(line).collect::<String>();
    let code = |i: usize| format!("{},{}\n", i % 3 * 5 + i / 30, ["01", "1", "2"][i % 3]);
    desk.file("codes.csv", format!("x,code\n{}", rows(&code)));
    let run = desk.wide("fit codes.csv -o m");
    assert!(run.stdout.contains(": 1 (20), 01 (20), 2 (20)"), "{run:?}");
    assert!(run.stderr.contains("classes 1 and 01 differ only in leading zeros"), "{run:?}");
    assert!(desk.wide("predict m codes.csv").stdout.starts_with("prediction\n01\n1\n2\n"));

    let price = |i: usize| format!("{},{}.{:02}\n", i, i * 37 % 101, i * 61 % 97);
    desk.file("prices.csv", format!("x,price\n{}", rows(&price)));
    for how in ["fit prices.csv -o p", "fit prices.csv --target price -o p", "compare prices.csv"] {
        let run = desk.wide(how);
        let text = "prices.csv: target \"price\" has 60 distinct numeric values in 60 rows; classification needs classes.";
        assert_eq!(run.code, 1, "{run:?}");
        assert!(run.stderr.contains(text) && run.stderr.contains("pass --force"), "{run:?}");
    }
    assert!(desk.files().iter().all(|name| name != "p"));
    assert_eq!(desk.wide("check prices.csv --no-separation").code, 0);
    assert_eq!(desk.json("fit prices.csv --force --method gaussian -o p")["k"], 60);
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
    let fit = desk.json("fit bars.csv -o m");
    assert_eq!(fit["d"], 2);
}
