//! Predictions of saved models; see `golden/README.md`.

use crate::harness::Sandbox;

/// Model files of the present format stay readable and give the recorded scores.
#[test]
fn saved_models_keep_their_scores() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../golden/models");
    let desk = Sandbox::new();
    let mut models = 0;
    for entry in std::fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        let Some(stem) = name.strip_suffix(".linsep") else { continue };
        let data = stem.split_once('-').unwrap().1;
        let data = ["csv", "svm"]
            .map(|e| folder.join(format!("{data}.{e}")))
            .into_iter()
            .find(|path| path.exists())
            .unwrap_or_else(|| desk.path(&format!("{data}.csv")));
        let run = desk.run(&format!("predict {} {} --scores", path.display(), data.display()));
        let expected = std::fs::read_to_string(folder.join(format!("{stem}.expected.csv")));
        assert_eq!(run.stdout, expected.unwrap(), "{name}: {}", run.stderr);
        models += 1;
    }
    assert!(models >= 3, "found too few models");
}
