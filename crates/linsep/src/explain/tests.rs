use super::*;
use crate::io::{ReadOptions, Source, read_source};
use crate::model_file::Header;
use crate::{LabelMap, Scoring, TrainingData, TrainingSettings};
use linsep_core::learner::by_name;
use linsep_core::options::Options;
use linsep_core::{LinearModel, Problem};

/// Returns a model fitted to a text with default settings.
fn learned(text: &str, method: &str) -> ModelFile {
    let input = read_source(Source::from_bytes("t", text), &ReadOptions::default()).unwrap();
    let training = TrainingData::new(input, &TrainingSettings::default()).unwrap();
    let problem = Problem::new(&training.x, &training.labels, None).unwrap();
    let fit =
        by_name(method, &Options::default()).unwrap().learn(&problem, None, None, &mut ()).unwrap();
    let model: LinearModel = training.recipe.to_raw_units(&fit.model).unwrap();
    let model = linsep_core::model::Model::from(model);
    let header = Header::new(method, &model, training.recipe);
    ModelFile { model, directions: Vec::new(), header }
}

fn picked(model_file: &ModelFile, text: &str, rows: &[usize]) -> Vec<SelectedRow> {
    let (read, map) = (ReadOptions::default(), LabelMap::default());
    let scoring = Scoring {
        model_file,
        projection: None,
        read: &read,
        labels: true,
        target: None,
        counts: &[],
        weights: None,
        map: &map,
    };
    scoring.pick(Source::from_bytes("t", text), rows).unwrap().0
}

fn explain(
    model_file: &ModelFile,
    text: &str,
    row: usize,
    allow: Option<&[String]>,
) -> Explanation {
    let explain = Explain { model_file, against: None, allow, most: 9 };
    let picked = picked(model_file, text, &[row]);
    explain.row(&picked[0]).unwrap().expect("nothing is refused")
}

/// Returns the predicted class of a line, encoded as in `predict`.
fn predicted(model_file: &ModelFile, head: &str, line: &str) -> usize {
    let text = format!("{head}\n{line}\n");
    let row =
        row(&model_file.header.recipe, &picked(model_file, &text, &[0])[0].input).unwrap().unwrap();
    let linear = model_file.model.linear().unwrap();
    let contest = ClassScores::new(&linear);
    contest.class(&contest.scores(&row.x))
}

fn people() -> String {
    let mut text = String::from("age,job,pay,y\n");
    for i in 0..60_i32 {
        let job = ["cook", "nurse", "smith"][(i % 3) as usize];
        let age = if i % 7 == 0 { String::new() } else { (20 + i * 11 % 40).to_string() };
        let rich = (i * 11 % 40) + 15 * (i % 3) + (i * 5 % 9) > 34;
        text +=
            &format!("{age},{job},{},{}\n", 900 + i * 37 % 500, if rich { "rich" } else { "poor" });
    }
    text
}

#[test]
fn contributions_sum_to_the_score_and_counterfactuals_change_the_class() {
    let text = people();
    let model_file = learned(&text, "logistic");
    let head = text.lines().next().unwrap();
    let mut met = [0; 3];
    for (i, line) in text.lines().skip(1).enumerate() {
        let found = explain(&model_file, &text, i, None);
        assert!((found.sum - found.score).abs() < 1e-12, "row {i}");
        assert_eq!(found.contributions.len(), 3);
        assert!(found.contributions.is_sorted_by(|a, b| a.value.abs() >= b.value.abs()));
        assert_eq!(found.actual, Some(Label::parse(line.rsplit(',').next().unwrap())));
        let cells: Vec<&str> = line.split(',').collect();
        let with = |name: &str, value: &str| {
            let place = head.split(',').position(|h| h == name).unwrap();
            let mut cells = cells.clone();
            cells[place] = value;
            predicted(&model_file, head, &cells.join(","))
        };
        assert_eq!(with("pay", cells[2]), found.class);
        for slide in &found.number_changes {
            assert_eq!(with(&slide.name, &format!("{:e}", slide.to)), slide.class);
            assert_ne!(slide.class, found.class);
            met[0] += 1;
        }
        for swap in &found.level_changes {
            assert_eq!(with(&swap.name, &swap.to), swap.class);
            met[1] += 1;
        }
        let nearest = found.nearest.expect("pay alone can do it");
        let mut cells: Vec<String> = cells.iter().map(ToString::to_string).collect();
        for (name, _, to) in &nearest.changes {
            cells[head.split(',').position(|h| h == name).unwrap()] = format!("{to:e}");
        }
        assert_eq!(predicted(&model_file, head, &cells.join(",")), nearest.class);
        // The joint change is at most as long as the best change of one number, unless that number
        // was missing.
        for slide in found.number_changes.iter().filter(|slide| slide.from != Cell::Missing) {
            assert!(nearest.length <= slide.deviations + 1e-9);
        }
        met[2] += usize::from(cells[0].is_empty());
    }
    assert!(met.iter().all(|n| *n > 5), "{met:?}");
}

#[test]
fn only_allowed_columns_change() {
    let text = people();
    let model_file = learned(&text, "logistic");
    let allow = ["pay".to_owned()];
    let found = explain(&model_file, &text, 1, Some(&allow));
    let nearest = found.nearest.unwrap();
    assert_eq!(nearest.changes.len(), 1);
    assert_eq!(nearest.changes[0].0, "pay");
    assert!((nearest.length - found.number_changes[0].deviations).abs() < 1e-6);
    assert!(found.number_changes.len() == 1 && found.level_changes.is_empty());
    let unknown = ["nothing".to_owned()];
    let explain =
        Explain { model_file: &model_file, against: None, allow: Some(&unknown), most: 3 };
    assert!(explain.check("t").unwrap_err().to_string().contains("nothing"));
}

#[test]
fn index_value_pairs_of_three_classes_are_explained() {
    let text = "a 1:1 3:2\na 1:2\nb 2:1 3:1\nb 2:3\nc 4:1\nc 4:2 1:0.5\n";
    let model_file = learned(text, "least-squares");
    for row in 0..6 {
        let found = explain(&model_file, text, row, None);
        assert!((found.sum - found.score).abs() < 1e-12);
        assert_eq!(found.towards, found.class);
        let shown: Vec<&str> = found.contributions.iter().map(|c| c.name.as_str()).collect();
        let line = text.lines().nth(row).unwrap();
        assert!(shown.iter().all(|name| line.contains(&format!(" {name}:"))), "{shown:?} {line}");
        assert!(found.nearest.is_some_and(|nearest| nearest.exact && nearest.class != found.class));
    }
}

#[test]
fn rows_are_picked_in_the_requested_order() {
    let text = people();
    let model_file = learned(&text, "logistic");
    let rows: Vec<usize> =
        picked(&model_file, &text, &[7, 0, 99, 3]).iter().map(|p| p.row).collect();
    assert_eq!(rows, [7, 0, 3]);
    // Without a target column there is no true class.
    let bare = "age,job,pay\n30,cook,1000\n";
    assert_eq!(picked(&model_file, bare, &[0])[0].label, None);
}
