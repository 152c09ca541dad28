//! Fuzz targets on their seeds, on the committed corpus, and on a fixed set of mutations, few
//! enough for every test run.

#![allow(clippy::unwrap_used)] // a test may

#[path = "../../../fuzz/bodies/mod.rs"]
#[allow(dead_code, unused_imports)] // the other targets are run by columnar_smoke.rs
mod bodies;

use linsep::core::certify::separation::{Limits, separate};
use linsep::core::math::rng::Rng;
use linsep::core::{DecisionRule, Design, Hyperplane, Label, Labels, LinearModel, Problem};
use linsep::model_file::Header;
use linsep::{ModelFile, Recipe, SeparationCertificate};
use std::path::PathBuf;

const MUTATIONS: u64 = 4_000;

/// Bytes that are special to parsers.
const SPICE: [&[u8]; 16] = [
    b"\"",
    b"\n",
    b"\r\n",
    b",",
    b":",
    b"#",
    b"\0",
    b"\xFF",
    b"-",
    b"1e999",
    b"nan",
    b"inf",
    b" ",
    b"qid:",
    b"4294967296",
    b"{",
];

/// Changes a seed at a few random positions: flips, truncates, inserts, repeats or removes bytes.
fn mutate(seed: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut data = seed.to_vec();
    for _ in 0..=rng.below(4) {
        let at = rng.below(data.len() as u64 + 1) as usize;
        match rng.below(5) {
            0 if at < data.len() => data[at] ^= 1 << rng.below(8),
            1 => data.truncate(at),
            2 => {
                let spice = SPICE[rng.below(SPICE.len() as u64) as usize];
                data.splice(at..at, spice.iter().copied());
            }
            3 => {
                let part = data[at..].iter().take(20).copied().collect::<Vec<u8>>();
                data.splice(at..at, part);
            }
            _ if at < data.len() => {
                data.remove(at);
            }
            _ => {}
        }
    }
    data
}

fn smoke(body: fn(&[u8]), seeds: &[&[u8]]) {
    for (number, seed) in seeds.iter().enumerate() {
        body(seed);
        let mut rng = Rng::new(0, number as u64);
        for _ in 0..MUTATIONS / seeds.len() as u64 {
            body(&mutate(seed, &mut rng));
        }
    }
}

/// Every file of `fuzz/corpus`, which includes past findings of fuzzers, and mutations of it.
#[test]
fn corpus() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus");
    for (name, body) in bodies::ALL {
        let entries = std::fs::read_dir(folder.join(name)).expect("each target has a corpus");
        let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
        files.sort();
        assert!(!files.is_empty(), "{name} has no seed");
        for (number, file) in files.iter().enumerate() {
            println!("{}", file.display()); // shown if a body panics
            let seed = std::fs::read(file).unwrap();
            body(&seed);
            let mut rng = Rng::new(1, number as u64);
            for turn in 0..(MUTATIONS / 4).div_ceil(files.len() as u64) {
                let data = mutate(&seed, &mut rng);
                println!("turn {turn}");
                body(&data);
            }
        }
    }
}

/// `cargo xtask fuzz` takes the list of targets from their files.
#[test]
fn every_body_has_a_target() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fuzz");
    let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).unwrap();
    let mut targets: Vec<String> = std::fs::read_dir(folder.join("fuzz_targets"))
        .unwrap()
        .map(|file| file.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    targets.sort();
    assert_eq!(targets, bodies::ALL.map(|(name, _)| name));
    for target in targets {
        assert!(manifest.contains(&format!("name = \"{target}\"")), "{target}");
    }
}

#[test]
fn csv() {
    smoke(
        bodies::csv,
        &[
            b"a,b,c\n1,2,x\n3,4,y\n",
            b"1;2;3\r\n4;5;6\r\n",
            b"\xEF\xBB\xBFname,\"quo\"\"ted\"\n\"a,b\",1\n\"line\nbreak\",2\n",
            b"x\ty\tclass\n?\t1e-5\tp\nNA\t.5\tq\n7.\t+2\tp\n",
            b"a b  c\n1 2  3\n4 5  6\n",
            b"only\n",
        ],
    );
}

#[test]
fn libsvm() {
    smoke(
        bodies::libsvm,
        &[
            b"+1 1:0.5 3:-2e3\n-1 2:1\n",
            b"# comment\n1 qid:3 5:1 2:1 # more\n\n0\n",
            b"0 0:1 1:0\r\n1.5 7:1e-300\r\n",
            b"spam 4294967290:1\n",
        ],
    );
}

#[test]
fn expression() {
    smoke(
        bodies::expression,
        &[
            b"x1 & !(x2 | x3)",
            b"a ^ b -> maj(a, b, c) <-> atleast(2, a, not b, 1)",
            "¬p ∧ q ∨ r ⊕ s → t ↔ 0".as_bytes(),
            b"if(x10, nand(x2, x1), xnor(true, z)) == (((y)))",
            b"01101001",
            b"0xe8",
        ],
    );
}

#[test]
fn machine() {
    smoke(
        bodies::machine,
        &[
            b"state,0,1\n->*even,even,odd\nodd,odd,even\n",
            b"from;on;to;output\nA;0;A;no\nA;1;B;yes\nB;0;A;no\nB;1;B;no\n",
            b"q,a,b,output\nX,X,Y,low\n>Y,X,Y,high\n",
            b"{\"start\": \"A\", \"accept\": [\"B\"], \"transitions\": [{\"from\": \"A\", \"on\": \"0\", \"to\": \"B\"}, \
              {\"from\": \"B\", \"on\": \"0\", \"to\": \"A\", \"output\": null}]}",
        ],
    );
}

#[test]
fn model() {
    let classes = vec![Label::Number(-1.0), Label::Text("b".into())];
    let hyperplane = Hyperplane { w: vec![0.5, -2.0, 1e-300], b: 3.0 };
    let model = LinearModel::new(classes, vec![hyperplane], DecisionRule::Sign).unwrap();
    let recipe = Recipe::of_pairs(3.into(), 1);
    let model = linsep::core::model::Model::from(model);
    let header = Header::new("perceptron", &model, recipe);
    let bytes = ModelFile { model, directions: Vec::new(), header }.to_bytes().unwrap();
    smoke(bodies::model, &[&bytes]);
}

#[test]
fn certificate() {
    let x = Design::dense(4, 1, vec![0.0, 1.0, 1.0, 2.0]).unwrap();
    let seeds: Vec<Vec<u8>> = [["a", "a", "b", "b"], ["a", "b", "b", "a"], ["a", "b", "b", "c"]]
        .into_iter()
        .map(|y| {
            let labels = Labels::parse(y);
            let problem = Problem::new(&x, &labels, None).unwrap();
            let answer = separate(&problem, None, &Limits::default(), &mut ()).unwrap();
            let columns = vec!["x".to_owned()];
            let evidence = answer.evidence.unwrap();
            SeparationCertificate::new(&problem, None, columns, &evidence).unwrap().to_bytes()
        })
        .collect();
    smoke(bodies::certificate, &seeds.iter().map(Vec::as_slice).collect::<Vec<_>>());
}
