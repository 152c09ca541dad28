//! The report page: valid HTML, self-contained, and with all names escaped.

use crate::harness::{Sandbox, assert_session};
use std::collections::HashSet;
use std::fs;

/// Every value of an attribute.
fn values<'a>(html: &'a str, attribute: &str) -> Vec<&'a str> {
    let key = format!(" {attribute}=\"");
    html.split(&key).skip(1).map(|rest| rest.split('"').next().unwrap()).collect()
}

/// Checks the properties of every page.
fn check(html: &str) {
    assert!(html.starts_with("<!DOCTYPE html>\n<html lang=\"en\">") && html.ends_with("</html>\n"));
    assert!(html.len() < 2_000_000, "{} bytes", html.len());
    // 1. Every reference has a target, and every id is unique.
    let ids = values(html, "id");
    let known: HashSet<&str> = ids.iter().copied().collect();
    assert_eq!(known.len(), ids.len(), "{ids:?}");
    assert!(ids.len() >= 5);
    for name in ["aria-labelledby", "aria-describedby", "aria-controls", "for", "headers"] {
        for value in values(html, name) {
            assert!(value.split_whitespace().all(|id| known.contains(id)), "{name}: {value}");
        }
    }
    for href in values(html, "href") {
        let inside = href.strip_prefix('#').is_some_and(|id| known.contains(id));
        assert!(inside || href == "data:,", "{href}");
    }
    // 2. No external resources, no scripts.
    for foreign in [
        "http:",
        "https:",
        "//www",
        "src=",
        "@import",
        "url(",
        "<script",
        "<iframe",
        "javascript:",
        " onload",
        " onclick",
        "xmlns",
    ] {
        assert!(!html.contains(foreign), "{foreign}");
    }
    // 3. Tags are closed in the order they were opened.
    let mut open: Vec<&str> = Vec::new();
    for piece in html.split('<').skip(1) {
        let tag = piece.split('>').next().unwrap();
        let name = tag
            .trim_start_matches('/')
            .split(|c: char| c.is_whitespace() || c == '/')
            .next()
            .unwrap();
        if tag.starts_with('!') || tag.ends_with('/') || ["meta", "link"].contains(&name) {
            continue;
        }
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name), "{tag}");
        } else {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "{open:?}");
    // 4. One h1, plots with titles, tables with captions.
    assert_eq!(html.matches("<h1").count(), 1);
    let plots = html.matches("<svg").count();
    assert!(plots >= 2);
    assert_eq!(html.matches("role=\"img\"").count(), plots);
    assert!(html.matches("<title>").count() == plots + 1);
    assert_eq!(html.matches("<table>").count(), html.matches("<caption>").count());
}

#[test]
fn report_of_iris_is_complete_and_reproducible() {
    let desk = Sandbox::new();
    let run = desk.run("fit iris.csv --holdout 0.3 --report iris.html");
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stderr.contains("report: iris.html"));
    let html = fs::read_to_string(desk.path("iris.html")).unwrap();
    check(&html);
    for words in
        ["setosa", "held-out rows", "Certificate", "relative gap", "SHA-256", "--holdout 0.3"]
    {
        assert!(html.contains(words), "{words}");
    }
    desk.run("fit iris.csv --holdout 0.3 --report again.html");
    let again = fs::read_to_string(desk.path("again.html")).unwrap();
    assert_eq!(html, again.replace("again.html", "iris.html"), "the same data give the same page");
}

#[test]
fn reports_are_valid_for_every_kind_of_data() {
    let desk = Sandbox::new();
    desk.file("pairs", "+1 1:1 4:0.5\n-1 2:1\n+1 1:2 3:1\n-1 2:2 3:1\n+1 4:1\n-1 3:2\n-1 1:1\n");
    desk.file("counts.csv", "dose,dead,alive\n1,2,8\n2,5,5\n3,9,1\n");
    for words in [
        "fit gales.csv --method perceptron --report r.html",
        "fit gales.csv --method logistic --test gales.csv --report r.html",
        "fit pairs --report r.html",
        "fit counts.csv --counts dead,alive --report r.html",
        "fit xor.csv --method svm --report r.html",
        "fit iris.csv --method gaussian --report r.html",
        "fit iris.csv --multiclass one-vs-one --report r.html",
    ] {
        let run = desk.run(words);
        assert_eq!(run.code, 0, "{words}: {}", run.stderr);
        check(&fs::read_to_string(desk.path("r.html")).unwrap());
    }
}

#[test]
fn tuning_and_post_processing_are_on_the_page() {
    let desk = Sandbox::new();
    let mut text = String::from("a,b,y\n");
    for i in 0..300_u32 {
        let (a, b) = (i * 37 % 101, i * 53 % 97);
        let class = if a + b + i * 29 % 83 > 140 { "yes" } else { "no" };
        text += &format!("{a},{b},{class}\n");
    }
    desk.file("some.csv", text);
    let run = desk.run(
        "fit some.csv --holdout 0.3 --tune 5 --calibrate platt --threshold cost:1,5 --abstain 0.8 --report r.html",
    );
    assert_eq!(run.code, 0, "{}", run.stderr);
    let html = fs::read_to_string(desk.path("r.html")).unwrap();
    check(&html);
    for words in [
        "Tuning of λ",
        "Post-processing",
        "<caption>Probabilities</caption>",
        "<caption>Threshold</caption>",
        "cost per row",
        "below probability 0.8: coverage",
        "error rate of covered rows",
    ] {
        assert!(html.contains(words), "{words}");
    }
    // By decreasing confidence.
    let rows = html.split("<caption>Misclassified rows</caption>").nth(1).unwrap();
    let confidence: Vec<f64> = rows
        .split("<td>")
        .filter_map(|cell| cell.split(" %</td>").next()?.parse().ok())
        .filter(|share: &f64| *share > 1.0)
        .collect();
    assert!(confidence.len() > 3 && confidence.is_sorted_by(|a, b| a >= b), "{confidence:?}");
}

#[test]
fn dropped_columns_are_listed_once() {
    let desk = Sandbox::new();
    let mut text = String::from("a,name,y\n");
    for i in 0..60_u32 {
        text += &format!(
            "{},person number {i} of all,{}\n",
            i * 7 % 13,
            ["no", "yes"][(i % 2) as usize]
        );
    }
    desk.file("people.csv", text);
    let run = desk.run("fit people.csv --report r.html");
    assert!(run.stderr.contains("column name dropped"), "{}", run.stderr);
    let html = fs::read_to_string(desk.path("r.html")).unwrap();
    assert!(html.contains("Dropped: name (") && !html.contains("column name dropped"));
}

#[test]
fn names_are_escaped() {
    let desk = Sandbox::new();
    let hostile = "</td><script>alert(1)</script>";
    let mut text =
        format!("\"{hostile}\",\"\"\" onload=\"\"x\",\"<img src=x onerror=y>\",\"class\"\n");
    for i in 0..40 {
        let class = ["</title><b>", "' or '"][usize::from(i % 3 == 0)];
        let word = ["<u>", "&amp;", "\u{202e}x"][i % 3];
        text += &format!("{},{},\"{word}\",\"{class}\"\n", i % 7, (i * 5) % 11);
    }
    desk.file("<i>&.csv", text);
    let args = ["fit", "<i>&.csv", "-o", "m.linsep", "--report", "<b>.html"];
    let run = desk.run_with(&args, "");
    assert_eq!(run.code, 0, "{}", run.stderr);
    let html = fs::read_to_string(desk.path("<b>.html")).unwrap();
    check(&html.replace("onload=&quot;", "").replace("src=x", ""));
    for raw in ["<script", "<img", "<b>", "<u>", "<i>", "\u{202e}"] {
        assert!(!html.contains(raw), "{raw}");
    }
    assert!(html.contains("&lt;script&gt;"), "the names are shown");
}

#[test]
fn path_of_a_report_must_end_in_html() {
    let desk = Sandbox::new();
    assert_session!(desk, "fit iris.csv --report report.pdf");
    assert_eq!(desk.files(), [""; 0]);
}
