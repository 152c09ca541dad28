//! What shows the kind of separation: a hyperplane, or rows that rule one out.

use crate::layout::Text;
use crate::number::{number, plural};
use crate::table::Table;
use linsep::core::certify::{SeparationKind, Witness};
use linsep::core::math::exact::Rational;
use linsep::jobs::{DependentRows, SeparableOutcome};

/// A separating hyperplane, the rows that rule out a better one, and the claim of the certificate.
pub(super) fn text(out: &mut Text, witness: &Witness, outcome: &SeparableOutcome) {
    if let Some([hyperplane]) = witness.hyperplanes.as_deref() {
        hyperplane_table(out, hyperplane, &outcome.features);
    }
    let Some(rows) = &outcome.dependence else { return };
    dependent_rows(out, rows, outcome);
    let Some(spanning) = witness.spanning.as_ref().filter(|all| all.rows.len() > rows.of) else {
        return;
    };
    let claim = match witness.verdict {
        SeparationKind::Overlap => {
            "every hyperplane has rows on the wrong side or contains all rows"
        }
        _ => "no hyperplane has more rows strictly on the correct side",
    };
    let rows = plural(spanning.rows.len(), "row", "rows");
    out.gap();
    out.paragraph(0, &format!("{rows} prove that {claim}; see the certificate."));
}

/// The largest coefficients of a hyperplane, rounded.
fn hyperplane_table(out: &mut Text, hyperplane: &[Rational], features: &[String]) {
    const MOST: usize = 10;
    let weights: Vec<f64> = hyperplane.iter().map(Rational::to_f64).collect();
    let mut order: Vec<usize> = (0..weights.len() - 1).filter(|&j| weights[j] != 0.0).collect();
    order.sort_by(|&a, &b| weights[b].abs().total_cmp(&weights[a].abs()).then(a.cmp(&b)));
    let mut table = Table::new(&["feature", "coefficient"], 1);
    for &j in order.iter().take(MOST) {
        table.row(vec![features[j].clone(), number(weights[j])]);
    }
    table.row(vec!["(intercept)".to_owned(), number(weights[weights.len() - 1])]);
    out.push_str("\nA separating hyperplane:\n");
    out.table(&table, 2);
    if order.len() > MOST {
        let more = plural(order.len() - MOST, "feature", "features");
        out.paragraph(2, &format!("… and {more} with smaller coefficients"));
    }
}

/// The rows of a positive dependence.
pub(super) fn dependent_rows(
    out: &mut Text,
    dependence: &DependentRows,
    outcome: &SeparableOutcome,
) {
    let many = outcome.classes.len() > 2;
    let mut header = vec!["row", "class"];
    if many {
        header.push("other class");
    }
    header.push("share");
    let shown = dependence.rows.first().map_or(0, |row| row.features.len());
    header.extend(outcome.features[..shown].iter().map(String::as_str));
    let mut table = Table::new(&header, 0);
    for row in &dependence.rows {
        let mut cells = vec![(row.row + 1).to_string(), row.class.to_string()];
        if many {
            cells.push(row.against.to_string());
        }
        cells.push(row.share.map_or_else(|| "–".to_owned(), number));
        cells.extend(row.features.iter().map(|&v| number(v)));
        table.row(cells);
    }
    out.gap();
    let rows = plural(dependence.of, "row", "rows");
    out.paragraph(
        0,
        &format!(
            "No hyperplane strictly separates these {rows}: a positive combination of the signed \
             rows is exactly zero."
        ),
    );
    out.table(&table, 2);
    if dependence.of > dependence.rows.len() {
        let more = plural(dependence.of - dependence.rows.len(), "row", "rows");
        out.paragraph(2, &format!("… and {more} more"));
    }
    if outcome.features.len() > shown {
        let of = outcome.features.len();
        out.paragraph(2, &format!("(the first {shown} of {of} features)"));
    }
}
