//! `linsep-falsify MINUTES [--seed S] [--claim NAME]`: tries to falsify what linsep claims.

use linsep_falsify::case::Case;
use linsep_falsify::run::{CLAIMS, Limit, Table};
use std::process::ExitCode;
use std::time::Duration;

const USAGE: &str = "usage: linsep-falsify MINUTES [--seed S] [--claim NAME]\n       \
                     linsep-falsify --case S [--claim NAME]";

struct Asked {
    minutes: Option<f64>,
    seed: u64,
    case: Option<u64>,
    claim: Option<String>,
}

fn main() -> ExitCode {
    let asked = match read(std::env::args().skip(1)) {
        Ok(asked) => asked,
        Err(message) => {
            eprintln!("{message}\n{USAGE}\nclaims: {}", CLAIMS.join(", "));
            return ExitCode::from(2);
        }
    };
    if asked.case.is_none() {
        std::panic::set_hook(Box::new(|_| {}));
    }
    let claim = asked.claim.as_deref();
    let table = if let Some(seed) = asked.case {
        let case = Case::draw(seed);
        println!("{:#?}\n{}", case.settings, case.rows.csv());
        Table::run(seed, Limit::Cases(1), claim)
    } else {
        let seconds = 60.0 * asked.minutes.unwrap_or(1.0);
        Table::run(asked.seed, Limit::Time(Duration::from_secs_f64(seconds)), claim)
    };
    print!("{}", table.text());
    println!("refused by linsep: {}", table.refused);
    let mut shown = std::collections::BTreeMap::<&str, u32>::new();
    let mut worst: Vec<_> = table.findings.iter().collect();
    worst.sort_by(|a, b| b.violation.size.total_cmp(&a.violation.size));
    for finding in worst {
        let count = shown.entry(finding.claim).or_default();
        *count += 1;
        if *count <= 10 {
            println!(
                "violation of {} ({:.1e}), case {}: {}",
                finding.claim, finding.violation.size, finding.seed, finding.violation.message
            );
        }
    }
    if table.findings.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn read(mut args: impl Iterator<Item = String>) -> Result<Asked, String> {
    let mut asked = Asked { minutes: None, seed: 0, case: None, claim: None };
    while let Some(arg) = args.next() {
        let mut value = || args.next().ok_or_else(|| format!("{arg} needs a value"));
        let bad = |text: &str| format!("{arg}: found {text:?}, expected a number");
        match arg.as_str() {
            "--seed" => {
                let text = value()?;
                asked.seed = text.parse().map_err(|_| bad(&text))?;
            }
            "--case" => {
                let text = value()?;
                asked.case = Some(text.parse().map_err(|_| bad(&text))?);
            }
            "--claim" => {
                let name = value()?;
                if !CLAIMS.contains(&name.as_str()) {
                    return Err(format!("--claim: found {name:?}, expected a claim"));
                }
                asked.claim = Some(name);
            }
            minutes => asked.minutes = Some(minutes.parse().map_err(|_| bad(minutes))?),
        }
    }
    Ok(asked)
}
