//! Check for categorical columns that predict the class alone: possible target leakage.
//!
//! The best classifier of one categorical column predicts the class of largest sample weight in
//! each level; missing is a level, too. The column is reported if this classifier makes no error.
//! It is also reported if the error rate is at most 1 % and the levels have ten rows on average.
//!
//! Rare levels predict the class by chance. Let p be the shares of the classes. The m rows of a
//! level have the same class with probability Σ pᶜᵐ. The product over the levels is the probability
//! that the column makes no error. By the union bound, that product times the number of columns
//! bounds the probability that some column makes no error.

use super::{Check, Finding, Raw, Report, Severity};
use crate::recipe::ContentType;
use linsep_core::control::literal;
use linsep_io::table::{Column, MISSING, Values};

pub(super) const CHECK: Check = Check { name: "leaking-categories", run };

/// Limits on classes and levels, above which the check is skipped.
const MOST_CLASSES: usize = 64;
const MOST_WORDS: usize = 10_000;
/// Probability of no error by chance, below which leakage is reported as serious.
const CHANCE: f64 = 0.01;
/// Suspiciously small error rate, and the mean number of rows per level that makes it so.
const FEW_WRONG: f64 = 0.01;
const ROWS_PER_WORD: f64 = 10.0;

fn run(raw: &Raw<'_>, report: &mut Report) {
    let k = raw.classes().len();
    if k > MOST_CLASSES {
        report.skip(CHECK.name, format!("{k} classes; the limit is {MOST_CLASSES}"));
        return;
    }
    let columns: Vec<&Column> = raw.features().filter(|column| is_category(raw, column)).collect();
    for column in &columns {
        if let Some(finding) = of_column(raw, column, columns.len()) {
            report.add(finding);
        }
    }
}

/// Whether a column is categorical and used in training.
fn is_category(raw: &Raw<'_>, column: &Column) -> bool {
    let Values::Categorical { levels, .. } = &column.values else { return false };
    (2..=MOST_WORDS).contains(&(levels.len() + usize::from(column.missing > 0)))
        && raw.content(column).is_none_or(|content| content == ContentType::Category)
}

fn of_column(raw: &Raw<'_>, column: &Column, columns: usize) -> Option<Finding> {
    // 1. Sample weight and rows by level and class.
    let Values::Categorical { codes, levels } = &column.values else { return None };
    let k = raw.classes().len();
    let words = levels.len() + 1;
    let mut weight = vec![0.0; words * k];
    let mut rows = vec![0_u32; words];
    let mut of_class = vec![0.0; k];
    raw.for_each_label(|i, class, s| {
        let word = if codes[i] == MISSING { levels.len() } else { codes[i] as usize };
        weight[word * k + class] += s;
        of_class[class] += s;
        rows[word] += 1;
    });
    let total: f64 = of_class.iter().sum();
    let most = |all: &[f64]| all.iter().fold(0.0, |most: f64, w| most.max(*w));
    let right: f64 = weight.chunks_exact(k).map(most).sum();
    let wrong = ((total - right) / total).max(0.0);
    let pure = weight.chunks_exact(k).all(|w| w.iter().filter(|w| **w > 0.0).count() <= 1);
    let used = rows.iter().filter(|rows| **rows > 0).count();

    // 2. Comparison with chance.
    let name = &column.name;
    let finding = |severity, what: String| {
        let advice = format!(
            "check that {} is known at prediction time; if it encodes the target, drop it",
            literal(name)
        );
        Finding::new(CHECK.name, severity, what)
            .columns([name])
            .number("wrong", wrong)
            .number("words", used as f64)
            .advice(advice)
            .setting("drop", name)
    };
    if pure {
        let shares: Vec<f64> = of_class.iter().map(|w| w / total).collect();
        let alike = |rows: &u32| shares.iter().map(|p| p.powf(f64::from(*rows))).sum::<f64>().ln();
        let chance =
            columns as f64 * rows.iter().filter(|rows| **rows > 0).map(alike).sum::<f64>().exp();
        let what = format!(
            "column {name} alone determines the class: each of its {used} levels occurs with one \
             class only"
        );
        return Some(if chance < CHANCE {
            finding(Severity::Serious, what).number("by_chance", chance)
        } else {
            finding(Severity::Note, format!("{what}; with so few rows this may be chance"))
                .number("by_chance", chance)
        });
    }
    let guess = 1.0 - most(&of_class) / total;
    let often = total / used as f64 >= ROWS_PER_WORD;
    (wrong <= FEW_WRONG && guess > 5.0 * FEW_WRONG && often).then(|| {
        finding(
            Severity::Warning,
            format!(
                "column {name} alone nearly determines the class: predicting the most frequent \
                 class per level has error rate {:.2} %",
                100.0 * wrong
            ),
        )
    })
}
