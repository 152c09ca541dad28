//! `linsep-falsify MINUTES`: tries to falsify the claims of linsep; exits with 1 if a claim is
//! false.

use linsep_falsify::case::Case;
use linsep_falsify::mutants;
use linsep_falsify::run::{CLAIMS, Finding, Limit, Table, print_own_panics_only};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

const USAGE: &str = "usage: linsep-falsify MINUTES [--seed S] [--claim NAME] [--stop]
       linsep-falsify --case S [--claim NAME]
       linsep-falsify --mutants [TEXT]

  MINUTES       Draw cases for this many minutes
  --seed S      Number of the first case [default: 0]
  --claim NAME  Compare only these claims (comma-separated)
  --stop        Stop at the first gross violation, and ignore violations within rounding
  --case S      Run one case, and print its settings and rows
  --mutants     Build and run the seeded defects whose name contains TEXT [default: all]";

/// Maximum number of violations printed per claim and loss, and of those printed with their rows.
const SHOWN: usize = 3;
const ROWS: usize = 1;

#[derive(Default)]
struct Arguments {
    minutes: Option<f64>,
    seed: u64,
    case: Option<u64>,
    claim: Option<String>,
    stop: bool,
    /// Substring of the mutants' names; empty for all.
    mutants: Option<String>,
}

fn main() -> ExitCode {
    let asked = match read(std::env::args().skip(1)) {
        Ok(asked) => asked,
        Err(message) => {
            eprintln!("{message}\n{USAGE}\n\nclaims: {}", CLAIMS.join(", "));
            return ExitCode::from(2);
        }
    };
    if let Some(text) = &asked.mutants {
        return run_mutants(text);
    }
    let claim = asked.claim.as_deref();
    let table = if let Some(seed) = asked.case {
        let case = Case::draw(seed);
        println!("{:#?}\n{}", case.settings, case.rows.csv());
        Table::run(seed, Limit::Cases(1), claim)
    } else {
        print_own_panics_only();
        let time = Duration::from_secs_f64(60.0 * asked.minutes.unwrap_or(1.0));
        let limit = if asked.stop { Limit::FirstGross(time) } else { Limit::Time(time) };
        Table::run(asked.seed, limit, claim)
    };
    print(&table, asked.case.is_none());
    let violated = table.findings.iter().any(|f| !asked.stop || f.violation.is_gross());
    if violated { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

fn run_mutants(text: &str) -> ExitCode {
    let here = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("."));
    let root = here.ancestors().find(|folder| folder.join("falsify/Cargo.toml").exists());
    let Some(root) = root else {
        eprintln!("--mutants requires the workspace as the current folder");
        return ExitCode::from(2);
    };
    match mutants::run(root, text) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn print(table: &Table, rows: bool) {
    print!("{}", table.text());
    println!("rejected by linsep: {}", table.refused);
    let mut worst: Vec<&Finding> = table.findings.iter().collect();
    worst.sort_by(|a, b| b.violation.size.total_cmp(&a.violation.size).then(a.seed.cmp(&b.seed)));
    let mut shown = BTreeMap::<(&str, &str), usize>::new();
    for Finding { claim, label, seed, violation } in worst {
        let count = shown.entry((*claim, *label)).or_default();
        *count += 1;
        if *count <= SHOWN {
            let (size, message) = (violation.size, &violation.message);
            println!("violation of {claim}, {label} ({size:.1e}), case {seed}: {message}");
        }
        if rows && *count <= ROWS {
            println!("{}", Case::draw(*seed).rows.csv());
        }
    }
}

fn read(args: impl Iterator<Item = String>) -> Result<Arguments, String> {
    let mut args = args.peekable();
    let mut asked = Arguments::default();
    let mut any = false;
    while let Some(arg) = args.next() {
        any = true;
        let bad = |text: &str| format!("{arg}: found {text:?}, expected a number");
        match arg.as_str() {
            "--stop" => asked.stop = true,
            "--mutants" => {
                let text = args.next_if(|text| !text.starts_with("--"));
                asked.mutants = Some(text.unwrap_or_default());
            }
            "--seed" | "--case" | "--claim" => {
                let text =
                    args.next().ok_or_else(|| format!("{arg}: expected a value, found none"))?;
                match arg.as_str() {
                    "--seed" => asked.seed = text.parse().map_err(|_| bad(&text))?,
                    "--case" => asked.case = Some(text.parse().map_err(|_| bad(&text))?),
                    _ if text.split(',').all(|name| CLAIMS.contains(&name)) => {
                        asked.claim = Some(text);
                    }
                    _ => return Err(format!("--claim: found {text:?}, expected a claim")),
                }
            }
            minutes => {
                let time: f64 = minutes.parse().map_err(|_| bad(minutes))?;
                let fits = (0.0..1e6).contains(&time);
                asked.minutes = Some(if fits { time } else { return Err(bad(minutes)) });
            }
        }
    }
    if any {
        Ok(asked)
    } else {
        Err("expected MINUTES, --case or --mutants, found none".to_owned())
    }
}
