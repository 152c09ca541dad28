use super::*;
use linsep_core::Label;
use linsep_io::input::{ReadOptions, read_source};
use linsep_io::source::Source;

fn training_with(text: &str, settings: &TrainingSettings) -> Result<TrainingData, String> {
    let source = Source::from_bytes("t.csv", text.as_bytes());
    let input = read_source(source, &ReadOptions::default()).unwrap();
    TrainingData::new(input, settings).map_err(|e| e.to_string())
}

fn training(text: &str, target: Option<&str>) -> Result<TrainingData, String> {
    let target = target.map(str::to_owned);
    training_with(text, &TrainingSettings { target, ..TrainingSettings::default() })
}

#[test]
fn target_is_the_usual_name_or_the_last_column() {
    let of = |text| {
        let training = training(text, None).unwrap();
        let names: Vec<String> = training.recipe.steps.iter().map(|step| step.name()).collect();
        (training.recipe.target.clone(), names.join(" "))
    };
    assert_eq!(of("a,Class,c\n1,x,2\n3,y,4\n"), ("Class".into(), "a c".into()));
    assert_eq!(of("a,b,c\n1,5,2\n3,6,4\n"), ("c".into(), "a b".into()));
    assert_eq!(of("1,2,x\n3,4,y\n"), ("V3".into(), "V1 V2".into()));
    let named = training("a,b\n1,2\n3,4\n", Some("a")).unwrap();
    assert_eq!(named.labels.classes(), [Label::Number(1.0), Label::Number(3.0)]);
    assert_eq!(named.x.row(1), [1.0], "standardized");
}

#[test]
fn unusable_data_is_refused_with_the_reason() {
    let says = |text, target| training(text, target).unwrap_err();
    assert!(says("a,b\n1,2\n3,4\n", Some("c")).contains("no column \"c\""));
    assert!(says("y\na\nb\n", None).contains("no feature column"));
    assert!(says("a,y\n1,0\n1,1\n", None).contains("a: constant 1"));
    let missing = says("a,y\n1,0\n2,\n", None);
    assert!(missing.contains("t.csv, line 3, column 2 (y)"), "{missing}");
}

#[test]
fn rows_with_missing_values_can_be_dropped() {
    let mut settings = TrainingSettings::default();
    settings.recipe.missing = MissingPolicy::Drop;
    let text = "a,b,y\n1,u,0\n,v,1\n3,,0\n4,u,\n5,v,1\n7,u,0\n";
    let training = training_with(text, &settings).unwrap();
    assert_eq!((training.x.n(), training.labels.n(), training.dropped), (3, 3, 3));
    assert_eq!(training.labels.codes(), [0, 1, 0]);
}

#[test]
fn weights_come_from_a_column_or_a_file() {
    let weights = |name: &str| {
        let weights = Some(name.to_owned());
        let settings = TrainingSettings {
            weights: weights.map(SampleWeights::Named),
            ..TrainingSettings::default()
        };
        training_with("a,s,y\n1,2,0\n3,0.5,1\n", &settings)
    };
    let column = weights("s").unwrap();
    assert_eq!(column.weights, Some(vec![2.0, 0.5]));
    assert_eq!(column.recipe.steps.len(), 1, "the weight column is not a feature");
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), "3\n4\n").unwrap();
    assert_eq!(weights(file.path().to_str().unwrap()).unwrap().weights, Some(vec![3.0, 4.0]));
    std::fs::write(file.path(), "3\n4\n5\n").unwrap();
    let error = weights(file.path().to_str().unwrap()).unwrap_err();
    assert!(error.contains("found 3 sample weights, but t.csv has 2 rows"), "{error}");
    assert!(weights("nowhere").unwrap_err().contains("no column"));
}

#[test]
fn classes_can_be_renamed() {
    let label_map = vec!["x=z".to_owned()];
    let settings = TrainingSettings { label_map, ..TrainingSettings::default() };
    let training = training_with("a,y\n1,x\n2,y\n3,z\n", &settings).unwrap();
    assert_eq!(training.labels, Labels::parse(["z", "y", "z"]));
}

#[test]
fn last_column_unlike_classes_gives_a_note() {
    let notes = |text: &str, target| {
        let notes = training(text, target).unwrap().notes;
        notes.into_iter().map(|note| note.text).collect::<Vec<_>>().join("; ")
    };
    let said = notes("a,b\n1,0.5\n2,1.5\n3,0.5\n", None);
    assert!(said.contains("the target defaults to the last column, b, with 2"), "{said}");
    assert_eq!(notes("a,b\n1,0.5\n2,1.5\n3,0.5\n", Some("b")), "");
    assert_eq!(notes("a,y\n1,0.5\n2,1.5\n3,0.5\n", None), "");
    assert_eq!(notes("a,b\n1,0\n2,1\n3,0\n", None), "");
    let many = (0..11).map(|i| format!("{},{i}\n", i * i)).collect::<Vec<_>>().concat();
    assert!(notes(&format!("a,b\n{many}"), None).contains("with 11 distinct values"));
    let texts = (0..21).map(|i| format!("{i},word {i}\n")).collect::<Vec<_>>().concat();
    assert!(notes(&format!("a,b\n{texts}"), None).contains("with 21 distinct values"));
}

fn counted(text: &str, names: &str) -> Result<TrainingData, String> {
    let counts = names.split(',').map(str::to_owned).collect();
    training_with(text, &TrainingSettings { counts, ..TrainingSettings::default() })
}

#[test]
fn counts_equal_weighted_rows() {
    let counts = counted("a,no,c,yes\n1,2,u,0\n3,0,v,0\n4,1,v,4\n7,0.5,u,3\n", "yes,no").unwrap();
    let written = "a,c,y,s\n1,u,yes,0\n1,u,no,2\n4,v,yes,4\n4,v,no,1\n7,u,yes,3\n7,u,no,0.5\n";
    let weights = Some("s".to_owned());
    let settings = TrainingSettings {
        target: Some("y".to_owned()),
        weights: weights.map(SampleWeights::Named),
        ..TrainingSettings::default()
    };
    let rows = training_with(written, &settings).unwrap();
    assert_eq!((&counts.labels, &counts.weights), (&rows.labels, &rows.weights));
    let values = |t: &TrainingData| (0..t.x.n()).flat_map(|i| t.x.row(i)).collect::<Vec<f64>>();
    assert_eq!(counts.x.n(), 6);
    for (a, b) in values(&counts).iter().zip(values(&rows)) {
        assert!((a - b).abs() < 1e-14, "{a} {b}");
    }
    let steps = |t: &TrainingData| t.recipe.steps.iter().map(|s| s.name()).collect::<Vec<_>>();
    assert_eq!(steps(&counts), ["a", "c"]);
    assert_eq!(counts.recipe.counts, ["yes", "no"]);
    assert_eq!(
        (counts.dropped, counts.notes[0].text.as_str()),
        (0, "1 row dropped: all counts are 0")
    );
}

#[test]
fn invalid_counts_are_refused() {
    let says = |text, names| counted(text, names).unwrap_err();
    let negative = says("a,n,p\n1,2,3\n2,3,-1\n", "n,p");
    assert!(
        negative
            .starts_with("t.csv, row 2, column 3 (p): expected a count of at least 0, found -1"),
        "{negative}"
    );
    let missing = says("a,n,p\n1,2,3\n2,,1\n", "n,p");
    assert!(
        missing.starts_with("t.csv, line 3, column 2 (n): expected a count, found a missing value"),
        "{missing}"
    );
    assert!(says("a,n,p\n1,0,0\n2,0,0\n", "n,p").contains("every count is 0"));
    assert!(says("a,n,p\n1,2,3\n2,3,1\n", "n,q").contains("no column \"q\""));
    assert!(says("a,n,p\n1,2,3\n2,3,1\n", "n").contains("at least two columns"));
    assert!(says("a,n,p\n1,2,3\n2,3,1\n", "n,n").contains("distinct columns"));
    assert!(says("n,p\n2,3\n3,1\n", "n,p").contains("besides the target \"n, p\""));
    assert!(says("1 1:2\n2 1:3\n", "n,p").contains("cannot be combined with LIBSVM data"));
}
