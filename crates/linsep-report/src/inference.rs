//! Estimates, standard errors and tests as text, for `fit` and `show`.

use crate::layout::Text;
use crate::number::{count, listed, number, plural, upper_small};
use crate::table::Table;
use linsep::model_file::Inference;
use linsep::model_file::inference::{Aliased, Coefficient, ReferenceLevel, Test};
use serde_json::Value;

/// Summary lines: key and value.
pub fn lines(known: &Inference) -> Vec<(&'static str, String)> {
    let firth = known.penalty == "firth";
    let positive = match &known.positive {
        Value::String(word) => word.clone(),
        other => other.to_string(),
    };
    let how = if firth { "Firth's penalized likelihood" } else { "maximum likelihood" };
    let coefficients = plural(known.coefficients.len(), "coefficient", "coefficients");
    let mut lines = vec![(
        "inference",
        format!(
            "{how}, log-odds of class {positive}: {coefficients}, n = {} (sum of sample weights)",
            count(known.n)
        ),
    )];
    if let Some(within) = known.within {
        // Below that the value is rounding error, which differs between machines.
        let far = if within <= 1e-9 { "1e-9".to_owned() } else { upper_small(within) };
        let mle = if firth { "penalized MLE" } else { "MLE" };
        let text =
            format!("the {mle} exists and is unique; estimates certified to {far} std. errors");
        lines.push(("certificate", text));
    }
    lines.push(("fit", goodness(known)));
    if let Some(test) = known.ratio {
        let what = if firth { "penalized likelihood ratio" } else { "likelihood ratio" };
        lines.push(("joint test", format!("all features: {what} {}", statistic(test))));
    }
    lines.push(("intervals", intervals(known)));
    lines.extend(known.references.iter().map(|one| ("reference", reference(one))));
    lines.extend(known.aliased.iter().map(|one| ("aliased", alias(one))));
    lines
}

fn goodness(known: &Inference) -> String {
    let mut text = format!("log-likelihood {}", number(known.log_likelihood));
    if let Some(penalized) = known.penalized_log_likelihood {
        text += &format!(" ({} penalized)", number(penalized));
    }
    text += &format!(
        ", deviance {} (null deviance {})",
        number(known.deviance),
        number(known.null_deviance)
    );
    for (name, value) in [("AIC", known.aic), ("BIC", known.bic), ("McFadden's R²", known.mcfadden)]
    {
        text += &value.map_or(String::new(), |value| format!(", {name} {}", number(value)));
    }
    text
}

fn intervals(known: &Inference) -> String {
    let firth = known.penalty == "firth";
    let from = match known.intervals.as_str() {
        "profile" if firth => "profile penalized likelihood, with likelihood-ratio (LR) tests",
        "profile" => "profile likelihood, with likelihood-ratio (LR) tests",
        _ if known.errors != "model" => "Wald",
        _ => "Wald (--intervals profile for profile likelihood)",
    };
    let errors = match known.errors.as_str() {
        "model" => "model-based",
        "hc0" => "robust (HC0)",
        _ => "robust (HC1)",
    };
    format!("{} % CI: {from}; std. errors: {errors}", number(100.0 * known.level))
}

fn reference(one: &ReferenceLevel) -> String {
    format!("{}: level {}", one.column, one.level)
}

fn alias(one: &Aliased) -> String {
    let name = &one.name;
    match &one.of[..] {
        [] => format!("{name}: constant, so it has no coefficient"),
        of => {
            let of = listed(of.iter().cloned(), 5);
            format!("{name}: linear combination of {of}, so it has no coefficient")
        }
    }
}

fn statistic(test: Test) -> String {
    let df = plural(test.df, "degree", "degrees");
    format!("{} with {df} of freedom, p {}", number(test.statistic), p_is(test.p))
}

/// Appends tables of coefficients and odds ratios, and of joint tests if there are any, each after
/// an empty line.
pub fn tables(out: &mut Text, known: &Inference, top: usize) {
    out.gap();
    out.table(&coefficients(known, top), 2);
    let more = known.coefficients.len().saturating_sub(1).saturating_sub(top);
    if more > 0 {
        out.paragraph(2, &format!("… and {more} more; see --json"));
    }
    out.gap();
    out.table(&odds(known, top), 2);
    if !known.together.is_empty() {
        out.gap();
        out.table(&joint_tests(known), 2);
    }
}

fn coefficients(known: &Inference, top: usize) -> Table {
    let profile = known.intervals == "profile";
    let from = format!("{} % CI", number(100.0 * known.level));
    let mut heads = vec!["feature", "estimate", "std. error", "z", "p", &from, "to"];
    if profile {
        heads.extend(["LR", "p"]);
    }
    let mut table = Table::new(&heads, 1).drop_first(if profile { &[3, 4, 7, 2] } else { &[3] });
    for c in shown(known, top) {
        let mut row = vec![name(c), number(c.estimate), number(c.error), number(c.z), p(c.p)];
        row.extend(c.interval.map(end));
        if profile {
            row.extend(test(c.ratio));
        }
        table.row(row);
    }
    table
}

fn odds(known: &Inference, top: usize) -> Table {
    let from = format!("{} % CI", number(100.0 * known.level));
    let mut table = Table::new(&["feature", "odds ratio", &from, "to"], 1);
    for c in shown(known, top).filter(|c| c.column.is_some()) {
        let [low, high] = c.odds_interval;
        let cells = [c.odds_ratio, low, high].map(end);
        table.row([c.name.clone()].into_iter().chain(cells).collect());
    }
    table
}

fn joint_tests(known: &Inference) -> Table {
    let kinds = if known.intervals == "profile" { 2 } else { 1 };
    let heads = ["joint test of", "df", "Wald", "p", "LR", "p"];
    let mut table = Table::new(&heads[..2 + 2 * kinds], 1);
    for group in &known.together {
        let df = group.wald.or(group.ratio).map_or(0, |test| test.df);
        let tests = [group.wald, group.ratio].into_iter().take(kinds).flat_map(test);
        table.row([group.column.clone(), df.to_string()].into_iter().chain(tests).collect());
    }
    table
}

/// The name of a coefficient in text.
fn name(c: &Coefficient) -> String {
    if c.column.is_none() { "(intercept)".to_owned() } else { c.name.clone() }
}

/// The first `top` coefficients, and the intercept.
fn shown(known: &Inference, top: usize) -> impl Iterator<Item = &Coefficient> {
    let all = known.coefficients.iter();
    all.enumerate().filter(move |(k, c)| *k < top || c.column.is_none()).map(|(_, c)| c)
}

/// Statistic and p-value, or two dashes.
fn test(test: Option<Test>) -> [String; 2] {
    test.map_or(["–".to_owned(), "–".to_owned()], |test| [number(test.statistic), p(test.p)])
}

/// An endpoint of an interval.
fn end(v: f64) -> String {
    match v {
        v if v.is_nan() => "–".to_owned(),
        f64::INFINITY => "∞".to_owned(),
        f64::NEG_INFINITY => "-∞".to_owned(),
        v => number(v),
    }
}

/// A p-value: four decimals, or its order of magnitude below 1e-4.
fn p(p: f64) -> String {
    if p >= 1e-4 {
        format!("{p:.4}")
    } else if p > 0.0 {
        format!("{p:.1e}")
    } else {
        "<1e-307".to_owned()
    }
}

fn p_is(v: f64) -> String {
    let text = p(v);
    if text.starts_with('<') { text } else { format!("= {text}") }
}
