//! Help texts of all commands.

use crate::harness::Sandbox;
use std::collections::BTreeSet;
use std::path::Path;

/// Every command, with hidden ones, as clap lists them for the completions of bash.
fn commands(desk: &Sandbox) -> BTreeSet<String> {
    let script = desk.run("completions bash").stdout;
    let names = script.lines().filter_map(|line| line.trim().strip_prefix("cmd=\"linsep"));
    names
        .map(|name| name.trim_end_matches('"').replace("__subcmd__", " ").trim().to_owned())
        .filter(|name| !name.split(' ').any(|word| word == "help"))
        .collect()
}

/// A new command needs a snapshot, and the snapshot of a removed command must go.
#[test]
fn every_help_text() {
    let desk = Sandbox::new();
    let mut snapshots = BTreeSet::new();
    for command in commands(&desk) {
        let words = format!("{command} --help");
        let run = desk.run(&words);
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{words}");
        let name = if command.is_empty() { "linsep" } else { &command }.replace(' ', "_");
        insta::assert_snapshot!(&*name, run.session(words.trim()));
        snapshots.insert(format!("cli__help__{name}.snap"));
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/snapshots");
    let files = std::fs::read_dir(folder).unwrap();
    let files = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    let files = files.filter(|name| name.starts_with("cli__help__"));
    assert_eq!(files.collect::<BTreeSet<_>>(), snapshots);
}
