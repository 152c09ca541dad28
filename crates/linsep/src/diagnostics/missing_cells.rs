//! Check for missing cells, by column, and for their dependence on the class.
//!
//! Consider a class with sample weight S and share q of missing cells, and all other classes with
//! S′ and q′. The statistic of the two-proportion z-test is
//!
//! ```text
//!     z = (q − q′) / √( q̄ (1 − q̄) (1/S + 1/S′) )      q̄: share over all rows
//! ```
//!
//! If |z| > 4 and |q − q′| > 0.05, missingness depends on the class. A model may use this
//! dependence, which need not hold for new data.

use super::{Check, Finding, Raw, Report, Severity};
use linsep_io::table::{Column, Values};

pub(super) const CHECK: Check = Check { name: "missing-cells", run };

/// Thresholds of |z| and of |q − q′|, above which the dependence is reported.
const FAR: f64 = 4.0;
const MUCH: f64 = 0.05;

fn run(raw: &Raw<'_>, report: &mut Report) {
    for column in raw.features().filter(|c| c.missing > 0 && c.missing < raw.table.rows) {
        report.add(of_column(raw, column));
    }
}

fn of_column(raw: &Raw<'_>, column: &Column) -> Finding {
    let (name, rows) = (&column.name, raw.table.rows);
    let share = column.missing as f64 / rows as f64;
    let mut what = format!(
        "column {name} has missing values in {} of {rows} rows ({:.1} %)",
        column.missing,
        100.0 * share
    );
    let mut finding = Finding::new(CHECK.name, Severity::Note, "")
        .columns([name])
        .rows((0..rows).filter(|&i| raw.is_missing(column, i)))
        .number("missing", column.missing as f64)
        .number("share", share);

    // The dependence on the class.
    let mut weight = vec![(0.0, 0.0); raw.classes().len()];
    raw.for_each_label(|i, class, s| {
        let own = &mut weight[class];
        own.0 += if raw.is_missing(column, i) { s } else { 0.0 };
        own.1 += s;
    });
    let dependence = dependent_class(&weight);
    if let Some((class, own, other)) = dependence {
        let class = &raw.classes()[class];
        what += &format!(
            ", which depends on the class: {:.1} % of class {class}, {:.1} % of the others",
            100.0 * own,
            100.0 * other
        );
        finding = finding
            .word("class", class.to_string())
            .number("share_of_class", own)
            .number("share_of_others", other);
        finding.severity = Severity::Warning;
    } else if let Some(class) = only(&weight) {
        what += &format!(", all of class {}", raw.classes()[class]);
        finding = finding.word("class", raw.classes()[class].to_string());
    }
    finding = finding.what(what);
    let advice = match dependence {
        Some(_) => "check why values are missing: the dependence must also hold at prediction time",
        None if matches!(column.values, Values::Categorical { .. }) => {
            "training encodes missing values as a level; rows with missing values can be dropped instead"
        }
        None => {
            "training uses mean imputation and a missing indicator; rows with missing values can be dropped \
             instead"
        }
    };
    finding.advice(advice).setting("missing", "drop")
}

/// Returns the class with the most conspicuous share, with that share and the share of all others;
/// `None` if no class exceeds the thresholds. `weight` has the sample weight of the missing cells
/// and of all cells, by class.
fn dependent_class(weight: &[(f64, f64)]) -> Option<(usize, f64, f64)> {
    let total = weight.iter().fold((0.0, 0.0), |sum, w| (sum.0 + w.0, sum.1 + w.1));
    let mean = total.0 / total.1;
    let far = |&(missing, all): &(f64, f64)| {
        let (own, other) = (missing / all, (total.0 - missing) / (total.1 - all));
        let chance = (mean * (1.0 - mean) * (1.0 / all + 1.0 / (total.1 - all))).sqrt();
        ((own - other).abs() / chance, own, other)
    };
    let all = weight.iter().enumerate().filter(|(_, w)| w.1 > 0.0 && w.1 < total.1);
    let out = all
        .map(|(c, w)| (c, far(w)))
        .filter(|(_, (z, own, other))| *z > FAR && (own - other).abs() > MUCH);
    // With two classes both are equally conspicuous: the one with more missing cells is reported.
    let order = |(_, (z, own, other)): &(usize, (f64, f64, f64))| (own > other, *z);
    let most = out.max_by(|a, b| {
        let (a, b) = (order(a), order(b));
        a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))
    });
    most.map(|(c, (_, own, other))| (c, own, other))
}

/// Returns the class of all missing cells, if they have a single one.
fn only(weight: &[(f64, f64)]) -> Option<usize> {
    let mut with = (0..weight.len()).filter(|&c| weight[c].0 > 0.0);
    with.next().filter(|_| with.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn z_statistic_matches_manual_calculations() {
        // 30 of 50 against 5 of 50: q̄ = 0.35, z = 0.5/√(0.35·0.65·0.04) = 5.24.
        assert_eq!(dependent_class(&[(30.0, 50.0), (5.0, 50.0)]), Some((0, 0.6, 0.1)));
        // 9 of 50 against 3 of 50: z = 1.85.
        assert_eq!(dependent_class(&[(9.0, 50.0), (3.0, 50.0)]), None);
        // Significant, but a negligible difference.
        assert_eq!(dependent_class(&[(3000.0, 1e5), (1000.0, 1e5)]), None);
        assert_eq!(
            (only(&[(0.0, 5.0), (2.0, 5.0)]), only(&[(1.0, 5.0), (2.0, 5.0)])),
            (Some(1), None)
        );
    }
}
