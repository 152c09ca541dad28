//! `linsep logic count`: number of threshold functions of N inputs.

use crate::failure::Failure;
use crate::layout::{Table, paragraph};
use crate::output::Output;
use crate::progress::{STEPS, bar};
use clap::Args;
use linsep::logic::count::MOST;
use linsep::logic::{Count, count};
use linsep::math::exact::BigInt;
use linsep_report::number::count as grouped;
use serde_json::{Value, json};
use std::time::Instant;

#[derive(Args)]
pub struct CountArgs {
    /// Number of inputs; 8 take up to a minute
    #[arg(value_name = "N", value_parser = clap::value_parser!(u8).range(0..=i64::from(MOST)))]
    inputs: u8,
}

struct Counted {
    n: u32,
    count: Count,
    seconds: f64,
}

pub fn run(args: &CountArgs, out: &Output) -> Result<(), Failure> {
    let mut all = Vec::new();
    for n in 0..=u32::from(args.inputs) {
        let (started, bar) = (Instant::now(), bar(STEPS, &format!("{n} inputs")));
        let counted = count(n as usize, &|done, of| {
            bar.set_length(of);
            bar.set_position(done);
            true
        })?;
        bar.finish_and_clear();
        let count = counted.expect("the callback never stops the count");
        all.push(Counted { n, count, seconds: started.elapsed().as_secs_f64() });
    }
    out.result(|| as_json(&all), || as_text(&all))
}

/// Returns 2^exponent exactly.
fn power(exponent: u32) -> BigInt {
    BigInt::from(2).pow(exponent)
}

/// Returns 2^exponent in digits if short, else as a power.
fn large(exponent: u32) -> String {
    if exponent < 40 {
        grouped(2_f64.powi(exponent.cast_signed()))
    } else {
        format!("2^{exponent}")
    }
}

fn as_text(all: &[Counted]) -> String {
    let header =
        ["inputs", "threshold functions", "classes", "bound 2^(n²)", "all 2^(2^n)", "share"];
    let mut table = Table::new(&header, 0).drop_first(&[2, 5]);
    for Counted { n, count, .. } in all {
        let share = count.functions as f64 / 2_f64.powi(1 << n);
        table.row(vec![
            n.to_string(),
            grouped(count.functions as f64),
            grouped(count.classes as f64),
            large(n * n),
            large(1 << n),
            if share > 0.001 {
                linsep_report::number::percent(share)
            } else {
                format!("{:.1e} %", 100.0 * share)
            },
        ]);
    }
    let last = all.last().expect("there is a count for 0 inputs");
    let mut out = table.show(0);
    out.push('\n');
    let (candidates, seconds) = (grouped(last.count.candidates as f64), last.seconds);
    let text = format!(
        "Classes: equivalence under permutation and negation, with the threshold as a further input. For {} inputs \
         {candidates} candidates were decided in integer arithmetic, in {seconds:.2} s.",
        last.n
    );
    paragraph(&mut out, 0, &text);
    out
}

fn as_json(all: &[Counted]) -> Value {
    let one = |Counted { n, count, seconds }: &Counted| {
        json!({
            "n": n,
            "functions": count.functions,
            "classes": count.classes,
            "candidates": count.candidates,
            "bound": power(n * n).to_string(),
            "all": power(1 << n).to_string(),
            "seconds": seconds,
        })
    };
    let last = all.last().map(one).unwrap_or_default();
    let mut json = last;
    json["counts"] = all.iter().map(one).collect();
    json
}
