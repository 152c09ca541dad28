//! Columns that separate the classes on their own: possible target leakage.
//!
//! For a column and a class c, let the rows be sorted by the column.
//!
//! * **Exactly**: a threshold has all rows of c on one side and all others on the other. With two
//!   classes this is separation. With more, the column determines the class if the ranges of the
//!   classes are disjoint.
//! * **Nearly**: the area under the ROC curve (AUC) is close to 1 or to 0. It is the share of pairs
//!   (a row of c, another row) in the right order.
//!
//! With few rows this also happens by chance. For a column independent of the class, all n!/Πm!
//! orders of classes (m rows of each) are equally likely; k! of them have disjoint ranges. So the
//! expected number of such columns among d is **d k! Πm!/n!**.
//!
//! Cost: a sort of the nonzero values of every column.

use super::finding::{figure, list};
use super::{Check, Finding, Report, Severity, Subject};
use crate::control::{Observer, literal};
use crate::data::Columns;
use crate::math::parallel::map_blocks;

pub(super) const CHECK: Check = Check {
    name: "leaking-columns",
    about: "target leakage: columns that alone separate the classes",
    run,
};

/// Largest distance of a suspicious AUC from 0 or 1.
const NEAR: f64 = 0.01;
/// Expected number of separating columns by chance, from which chance is the likelier explanation.
const CHANCE: f64 = 0.01;
/// Largest number of classes that is checked.
const MOST_CLASSES: usize = 64;

fn run(subject: &Subject<'_>, report: &mut Report, _watch: &mut dyn Observer) {
    let labels = subject.problem.labels();
    if labels.k() > MOST_CLASSES {
        report.skip(CHECK.name, format!("{} classes; the limit is {MOST_CLASSES}", labels.k()));
        return;
    }
    let classes = labels.classes();
    for (j, separated) in of_columns(subject) {
        let name = subject.name(j);
        let by_chance = (separated == Separated::All).then(|| chance(subject));
        let few = by_chance.is_some_and(|by_chance| by_chance >= CHANCE);
        let (severity, what) = match &separated {
            Separated::All => {
                let what = match classes.len() {
                    2 => format!("a threshold on column {name} alone separates the classes"),
                    k => format!("thresholds on column {name} alone separate all {k} classes"),
                };
                let severity = if few { Severity::Note } else { Severity::Serious };
                let chance = if few { "; with so few rows this may be chance" } else { "" };
                (severity, format!("{what}{chance}"))
            }
            Separated::Nearly(auc) => (
                Severity::Warning,
                format!("column {name} alone nearly separates the classes (AUC {})", figure(*auc)),
            ),
            Separated::Some(some) => {
                let names: Vec<String> = some.iter().map(|&c| classes[c].to_string()).collect();
                let what = format!(
                    "a threshold on column {name} alone separates {} from the other classes",
                    list(&names)
                );
                (Severity::Note, what)
            }
        };
        let mut finding = Finding::new(CHECK.name, severity, what).columns([name]);
        if let Some(by_chance) = by_chance {
            finding = finding.number("by_chance", by_chance).number("auc", 1.0);
        }
        if let Separated::Nearly(auc) = separated {
            finding = finding.number("auc", auc);
        }
        report.add(match separated {
            Separated::Some(_) => finding.advice(format!(
                "no action needed if {} is known at prediction time",
                literal(name)
            )),
            _ => finding
                .advice(format!(
                    "check that {} is known at prediction time; if it encodes the target, drop it",
                    literal(name)
                ))
                .setting("drop", name),
        });
    }
}

/// Classes that a column separates.
#[derive(Clone, Debug, PartialEq)]
enum Separated {
    /// All classes.
    All,
    /// Two classes, nearly, with this AUC.
    Nearly(f64),
    /// These of several classes, each from all others.
    Some(Vec<usize>),
}

/// Columns that separate classes. The columns are extracted from the rows in batches.
fn of_columns(subject: &Subject<'_>) -> Vec<(usize, Separated)> {
    const AT_ONCE: usize = 1 << 22;
    let (x, all) = (subject.problem.x(), subject.summaries());
    let wanted: Vec<u32> = (0..all.len())
        .filter(|&j| !all[j].is_constant() && !subject.is_encoded(j))
        .map(|j| j as u32)
        .collect();
    let dense = x.stored() == x.n() * x.d();
    let size = |j: u32| if dense { x.n() } else { all[j as usize].nonzero };
    let mut separated = Vec::new();
    let mut rest = &wanted[..];
    while !rest.is_empty() {
        let mut stored = 0;
        let fits = |j: &&u32| {
            stored += size(**j);
            stored <= AT_ONCE
        };
        let (some, more) = rest.split_at(rest.iter().take_while(fits).count().max(1));
        let columns = Columns::new(x, some);
        let found = map_blocks(some.len(), 1, |k| {
            k.filter_map(|k| Some((some[k] as usize, of_column(subject, &columns, k)?)))
                .collect::<Vec<_>>()
        });
        separated.extend(found.into_iter().flatten());
        rest = more;
    }
    separated
}

/// Classes that one column separates, if any.
fn of_column(subject: &Subject<'_>, columns: &Columns, k: usize) -> Option<Separated> {
    let labels = subject.problem.labels();
    let (codes, s) = (labels.codes(), subject.problem.weights());
    let mut values: Vec<(f64, u32, f64)> = Vec::new();
    columns.each(k, |i, v| {
        if v != 0.0 && s[i] > 0.0 {
            values.push((v, codes[i], s[i]));
        }
    });
    // Rows in which the column is 0, by class: their number and their weight.
    let mut zeros = live_of(subject);
    for (_, code, weight) in &values {
        let (rows, left) = &mut zeros[*code as usize];
        *rows -= 1;
        *left = if *rows == 0 { 0.0 } else { *left - weight };
    }
    values.extend((0..).zip(&zeros).filter(|(_, z)| z.0 > 0).map(|(c, z)| (0.0, c, z.1)));
    values.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));

    // 1. Range of each class.
    let mut ranges = vec![(f64::INFINITY, f64::NEG_INFINITY); labels.k()];
    for &(v, code, _) in &values {
        let range = &mut ranges[code as usize];
        *range = (range.0.min(v), range.1.max(v));
    }
    let mut order: Vec<usize> = (0..labels.k()).collect();
    order.sort_by(|&a, &b| ranges[a].0.total_cmp(&ranges[b].0));
    if order.windows(2).all(|pair| ranges[pair[0]].1 < ranges[pair[1]].0) {
        return Some(Separated::All);
    }
    if labels.k() > 2 {
        // Only the first and the last class can be separated from all others by one threshold.
        let first = ranges[order[0]].1 < ranges[order[1]].0;
        let last = *order.iter().max_by(|&&a, &&b| ranges[a].1.total_cmp(&ranges[b].1))?;
        let below = order.iter().filter(|&&c| c != last).map(|&c| ranges[c].1);
        let ends = ranges[last].0 > below.fold(f64::NEG_INFINITY, f64::max);
        let some: Vec<usize> = [(first, order[0]), (ends, last)]
            .into_iter()
            .filter_map(|(separated, c)| separated.then_some(c))
            .collect();
        return (!some.is_empty()).then_some(Separated::Some(some));
    }

    // 2. AUC.
    let auc = auc(&values);
    (auc.min(1.0 - auc) <= NEAR).then_some(Separated::Nearly(auc.max(1.0 - auc)))
}

/// AUC of class 1 against class 0, from sorted values.
fn auc(values: &[(f64, u32, f64)]) -> f64 {
    let (mut below, mut pairs, mut ups) = (0.0, 0.0, 0.0);
    for group in values.chunk_by(|a, b| a.0 == b.0) {
        let weight = |class: u32| group.iter().filter(|g| g.1 == class).map(|g| g.2).sum::<f64>();
        let (down, up) = (weight(0), weight(1));
        pairs += up * (below + down / 2.0);
        below += down;
        ups += up;
    }
    pairs / (ups * below)
}

/// Number of rows of positive weight per class, and their total weight.
fn live_of(subject: &Subject<'_>) -> Vec<(usize, f64)> {
    let labels = subject.problem.labels();
    let mut live = vec![(0, 0.0); labels.k()];
    for (&code, &s) in labels.codes().iter().zip(subject.problem.weights()) {
        let own = &mut live[code as usize];
        *own = (own.0 + usize::from(s > 0.0), own.1 + s);
    }
    live
}

/// Expected number of columns that separate all classes by chance: d k!/(n!/Πm!) for m rows of each
/// class.
fn chance(subject: &Subject<'_>) -> f64 {
    let rows: Vec<usize> = live_of(subject).into_iter().map(|(rows, _)| rows).collect();
    let log = |n: usize| (2..=n).map(|i| (i as f64).ln()).sum::<f64>();
    let orders = log(rows.iter().sum()) - rows.iter().map(|&m| log(m)).sum::<f64>();
    subject.problem.x().d() as f64 * (log(rows.len()) - orders).exp()
}
