//! `cargo xtask test tidy`: what must not be committed.
//!
//! | check | over |
//! |---|---|
//! | size | every file: at most 1 MiB |
//! | marks | source: no mark of unfinished work |
//! | length | source: at most 400 lines, or a header line `Over 400 lines: …` that says why |
//! | width | comments in Rust: at most 100 columns |
//! | spelling | source, docs, snapshots: American |
//! | words | the same: none of [`UNUSED`], which `STYLE.md` replaces by the terms of the field |
//! | links | docs: every relative link and its anchor exist |
//! | crates | crates of linsep: dependencies in the directions of [`arrows`] only |
//!
//! Identifiers are split into words first, so that `told_apart` and `ToldApart` are found as well.

use crate::arrows::arrows;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

const LARGEST: u64 = 1 << 20;
const LONGEST: usize = 400;
const WIDEST: usize = 100;

const MARKS: [&str; 6] = ["todo!(", "unimplemented!(", "TODO", "FIXME", "#[ignore]", "dbg!("];

/// Words and phrases that linsep does not use. A trailing `*` stands for any ending.
const UNUSED: &[&str] = &[
    "told",
    "as for",
    "asked for",
    "anew",
    "for ever",
    "judged",
    "learned from",
    "told apart",
    "at hand",
    "heed",
    "laid",
    "lonely",
    "twin",
    "twins",
    "sheaf",
    "springs",
    "way of minimi*",
    "way of calibrat*",
    "for certain",
    "by far",
    "nobody",
    "whoever",
    "in its own right",
    "looks on",
    "birth certificate",
    "no mans land",
    "words of",
];

/// Stems that American spelling ends with `ize`, `izing`, `ization`, ….
const IZE: &[&str] = &[
    "bin",
    "bracket",
    "capital",
    "categor",
    "character",
    "critic",
    "deserial",
    "digit",
    "discret",
    "equal",
    "factor",
    "final",
    "general",
    "initial",
    "linear",
    "local",
    "maxim",
    "memo",
    "minim",
    "neutral",
    "normal",
    "optim",
    "organ",
    "parallel",
    "parameter",
    "parametr",
    "penal",
    "polar",
    "priorit",
    "quant",
    "random",
    "real",
    "recogn",
    "regular",
    "reorgan",
    "serial",
    "sparsif",
    "special",
    "standard",
    "summar",
    "symmetr",
    "synchron",
    "token",
    "uninitial",
    "unoptim",
    "unpenal",
    "unstandard",
    "util",
    "vector",
    "visual",
];

/// Endings behind a stem of [`IZE`] in British spelling.
const ISE: [&str; 9] =
    ["ise", "ised", "ises", "iser", "isers", "ising", "isation", "isations", "isable"];

/// Other British spellings. A trailing `*` stands for any ending.
const BRITISH: &[&str] = &[
    "analyse*",
    "analysing",
    "artefact*",
    "behaviour*",
    "cancelled",
    "cancelling",
    "catalogue*",
    "centre*",
    "centring",
    "colour*",
    "defence",
    "favour*",
    "fulfil",
    "grey*",
    "honour*",
    "judgement*",
    "labelled",
    "labelling",
    "learnt",
    "licence*",
    "modelled",
    "modelling",
    "neighbour*",
    "normalis*",
    "programme",
    "programmes",
    "rigour",
    "signalled",
    "travelled",
    "unlabelled",
    "whilst",
];

/// Files whose text is not prose of the project: lists of unused words, and recorded results.
const EXEMPT: [&str; 3] = ["STYLE.md", "xtask/src/tidy.rs", "bench/runs/"];

pub(crate) fn tidy() -> Result<(), String> {
    let listed =
        Command::new("git").args(["ls-files", "-z"]).output().map_err(|e| e.to_string())?;
    let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
    let mut faults = arrows()?;
    for name in listed.split('\0').filter(|name| !name.is_empty()) {
        let path = Path::new(name);
        // A file that was removed and not yet committed is listed, too.
        let Ok(data) = path.metadata() else { continue };
        if data.len() > LARGEST {
            faults.push(format!("{name}: {} bytes, at most {LARGEST}", data.len()));
            continue;
        }
        let ending = path.extension().unwrap_or_default().to_string_lossy().into_owned();
        if !matches!(&*ending, "rs" | "py" | "ts" | "md" | "snap" | "toml") {
            continue;
        }
        let text = std::fs::read_to_string(path).map_err(|e| format!("{name}: {e}"))?;
        let exempt = EXEMPT.iter().any(|exempt| name.starts_with(exempt));
        if matches!(&*ending, "rs" | "py" | "ts") && !exempt {
            faults.extend(source(name, &text));
        }
        if !exempt {
            faults.extend(words(name, &text));
        }
        if ending == "md" {
            faults.extend(links(path, &text));
        }
    }
    if faults.is_empty() {
        Ok(())
    } else {
        Err(format!("{}\n{} faults", faults.join("\n"), faults.len()))
    }
}

/// Marks, length and width of a source file.
fn source(name: &str, text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let rust = Path::new(name).extension().is_some_and(|ending| ending == "rs");
    let lines = text.lines().count();
    if lines > LONGEST && !text.contains("Over 400 lines: ") {
        faults.push(format!(
            "{name}: {lines} lines, at most {LONGEST}; split it, or give the reason in its \
             header as \"Over 400 lines: …\""
        ));
    }
    for (number, line) in (1..).zip(text.lines()) {
        if let Some(mark) = MARKS.iter().find(|mark| line.contains(**mark)) {
            faults.push(format!("{name}:{number}: {mark}"));
        }
        let width = line.chars().count();
        if rust && line.trim_start().starts_with("//") && width > WIDEST {
            faults.push(format!("{name}:{number}: comment of {width} columns, at most {WIDEST}"));
        }
    }
    faults
}

/// Unused words and British spellings.
fn words(name: &str, text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        // Words of older versions of a file format.
        if line.contains("serde(alias = ") || line.contains("serde(rename = ") {
            continue;
        }
        let words = split(line);
        for start in 0..words.len() {
            let unused = UNUSED.iter().find(|phrase| starts_with(&words[start..], phrase));
            if let Some(phrase) = unused {
                faults.push(format!("{name}:{number}: unused word \"{phrase}\""));
            }
            let word = &words[start];
            let ise = ISE.iter().filter_map(|ending| word.strip_suffix(ending));
            let ise = ise.into_iter().any(|stem| IZE.contains(&stem));
            if ise || BRITISH.iter().any(|british| matches(word, british)) {
                faults.push(format!("{name}:{number}: British spelling \"{word}\""));
            }
        }
    }
    faults
}

/// The words of a line in lower case; `told_apart` and `ToldApart` are two words.
fn split(line: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut before = ' ';
    for letter in line.chars() {
        if letter.is_alphabetic() {
            let begins =
                !before.is_alphabetic() || (before.is_lowercase() && letter.is_uppercase());
            if begins {
                words.push(String::new());
            }
            let word = words.last_mut().expect("a word was begun with its first letter");
            word.extend(letter.to_lowercase());
        }
        // "no man's land": an apostrophe does not end a word.
        if letter != '\'' && letter != '’' {
            before = letter;
        }
    }
    words
}

fn starts_with(words: &[String], phrase: &str) -> bool {
    let patterns: Vec<&str> = phrase.split(' ').collect();
    words.len() >= patterns.len()
        && patterns.iter().zip(words).all(|(pattern, word)| matches(word, pattern))
}

fn matches(word: &str, pattern: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(stem) => word.starts_with(stem),
        None => word == pattern,
    }
}

/// Relative links of a Markdown file whose file or heading does not exist.
fn links(path: &Path, text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    for (number, line) in prose(text) {
        for link in line.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            if link.contains("://") {
                continue;
            }
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let folder = path.parent().unwrap_or(Path::new(""));
            let target = if file.is_empty() { path.to_path_buf() } else { folder.join(file) };
            if !target.exists() {
                faults.push(format!("{}:{number}: dead link {link}", path.display()));
            } else if !anchor.is_empty() && !anchors(&target).contains(anchor) {
                faults.push(format!("{}:{number}: no heading for {link}", path.display()));
            }
        }
    }
    faults
}

/// The anchors of a Markdown file's headings.
fn anchors(path: &PathBuf) -> BTreeSet<String> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let headings = prose(&text).filter_map(|(_, line)| line.strip_prefix('#'));
    headings
        .map(|heading| {
            let heading = heading.trim_start_matches('#').trim().to_lowercase();
            let kept = heading.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
            kept.map(|c| if c == ' ' { '-' } else { c }).collect()
        })
        .collect()
}

/// The numbered lines outside fenced blocks.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut fenced = false;
    (1..).zip(text.lines()).filter(move |(_, line)| {
        let fence = line.trim_start().starts_with("```");
        fenced ^= fence;
        !fenced && !fence
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_are_split_into_words() {
        assert_eq!(split("fn told_apart(x: ToldApart)").join(" "), "fn told apart x told apart");
        assert_eq!(split("no man's land").join(" "), "no mans land");
    }

    #[test]
    fn unused_words_and_british_spellings_are_found_in_text_and_identifiers() {
        let faults = |text| words("file", text).len();
        for text in ["it was told", "LonelyClasses", "a way of minimising", "standardised"] {
            assert!(faults(text) > 0, "{text}");
        }
        for text in ["optimistic", "precision", "a solver", "emphasis", "otherwise", "as written"] {
            assert_eq!(faults(text), 0, "{text}");
        }
    }

    #[test]
    fn comments_have_a_width_and_files_a_length() {
        let wide = format!("// {}", "x".repeat(WIDEST));
        assert_eq!(source("a.rs", &wide).len(), 1);
        let long = "x\n".repeat(LONGEST + 1);
        assert_eq!(source("a.rs", &long).len(), 1);
        assert_eq!(source("a.rs", &format!("//! Over 400 lines: tables\n{long}")).len(), 0);
    }

    #[test]
    fn links_need_their_file_and_heading() {
        let path = Path::new("../README.md");
        assert_eq!(links(path, "[a](no-such-file.md)").len(), 1);
        assert_eq!(links(path, "[a](Cargo.toml)").len(), 0);
        assert_eq!(links(path, "[a](README.md#no-such-heading)").len(), 1);
        assert_eq!(links(path, "```\n[a](no-such-file.md)\n```").len(), 0);
    }
}
