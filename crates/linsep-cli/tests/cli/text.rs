//! Columns of text, from the file to the explanation.

use crate::harness::Sandbox;

/// Reviews with a class that one word determines, beside words that say nothing.
fn reviews() -> String {
    let mut csv = "sentiment,review\n".to_owned();
    for i in 0..60 {
        let (class, word) = if i % 2 == 0 { ("good", "splendid") } else { ("bad", "dreadful") };
        csv += &format!("{class},\"The {i}th film was {word}, the Cast was {word} too!\"\n");
    }
    csv
}

#[test]
fn a_table_with_nothing_but_text_needs_no_option() {
    let desk = Sandbox::new();
    desk.file("reviews.csv", reviews());
    for options in [
        "",
        " --text review",
        " --text review --text-bits 12",
        " --text review --characters --ngrams 2-4",
    ] {
        let fit = desk.json(&format!("fit reviews.csv --target sentiment -o m{options}"));
        assert_eq!(fit["accuracy"], 1.0, "{options}");
        let evaluated = desk.json("evaluate m reviews.csv");
        assert_eq!(evaluated["accuracy"], 1.0, "{options}");
        assert!(fit["certified"]["rows"].as_u64().unwrap() > 0, "{options}");
    }
    let compared = desk.json("compare reviews.csv --target sentiment --folds 3");
    let logistic =
        compared["contenders"].as_array().unwrap().iter().find(|c| c["name"] == "logistic");
    assert_eq!(logistic.unwrap()["accuracy"]["mean"], 1.0);
}

#[test]
fn explanations_name_the_terms_of_a_text() {
    let desk = Sandbox::new();
    desk.file("reviews.csv", reviews());
    assert_eq!(desk.run("fit reviews.csv --target sentiment -o m").code, 0);
    desk.file("new.csv", "review\n\"A splendid cast, an unknown film\"\n");
    let json = desk.json("explain m new.csv --row 1 --header");
    let row = &json["rows"][0];
    assert_eq!(row["class"], "good");
    let terms: Vec<&str> = row["contributions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|c| c["column"].as_str().unwrap())
        .collect();
    assert_eq!(terms[0], "review:splendid", "{terms:?}");
    let mut sorted = terms.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, ["review:cast", "review:film", "review:splendid"]);
    assert!(row["difference"].as_f64().unwrap().abs() < 1e-12);
}

#[test]
fn a_text_beside_other_features_is_named_with_its_option() {
    let desk = Sandbox::new();
    let with_number: String = reviews()
        .lines()
        .enumerate()
        .map(
            |(i, line)| {
                if i == 0 { format!("{line},stars\n") } else { format!("{line},{}\n", i % 5) }
            },
        )
        .collect();
    desk.file("reviews.csv", with_number);
    let run = desk.run("fit reviews.csv --target sentiment -o m");
    assert!(run.stderr.contains("encode its words with --text review"), "{}", run.stderr);
    let fit = desk.json("fit reviews.csv --target sentiment -o m --text review");
    assert_eq!(fit["accuracy"], 1.0);
}
