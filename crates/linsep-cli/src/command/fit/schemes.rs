//! The schemes for many classes, compared: what `--explain-multiclass` adds to a report.

use super::report::Report;
use crate::layout::{Table, paragraph};
use crate::text::count;
use linsep::learner::Scheme;
use serde_json::{Value, json};

impl Report<'_> {
    /// Whether the method can follow a scheme here.
    fn suits(&self, scheme: Scheme) -> bool {
        self.learner.as_reduced().is_some_and(|reduced| scheme.suits(reduced.solver.as_ref()))
    }

    /// Why there is no table of ways of minimizing, where there is none.
    pub(super) fn no_choice(&self) -> Option<String> {
        let method = self.learner.name();
        let Some(reduced) = self.learner.as_reduced() else {
            return Some(format!("{method} is a formula: there is no way of minimizing to choose"));
        };
        if reduced.solver.as_convex().is_none() {
            return Some(format!(
                "{method} corrects mistakes and minimizes nothing: there is no way of minimizing to choose"
            ));
        }
        let scheme = Scheme::by_name(self.fit.multiclass?).ok()?;
        let ways = scheme.ways()?;
        let taken = self.way().map_or_else(String::new, |way| format!("; the last here was {way}"));
        Some(format!("{} learns all planes together: {ways}{taken}", scheme.name()))
    }

    pub(super) fn scheme_json(&self, scheme: Scheme) -> Value {
        json!({
            "name": scheme.name(),
            "planes": scheme.decide().hyperplanes(self.fit.model.k()),
            "ambiguous_regions": scheme.decide().has_ambiguous_regions(),
            "needs": scheme.needs(),
            "possible": self.suits(scheme),
            "taken": self.fit.multiclass == Some(scheme.name()),
        })
    }

    /// Which scheme was taken, why, and what the others would take.
    pub(super) fn schemes(&self) -> String {
        let (k, method) = (self.fit.model.k(), self.learner.name());
        let mut out = match (self.fit.multiclass, self.asked) {
            (None, _) if k == 2 => {
                "two classes take one plane, and every scheme is that\n".to_owned()
            }
            (None, _) => format!("{method} learns all classes at once, without a scheme\n"),
            (Some(taken), Some(_)) => format!("{taken} was asked for\n"),
            (Some(taken), None) => {
                let own = self.learner.as_reduced();
                let own = own.filter(|own| own.scheme_for(self.problem).name() == taken);
                let why = own.map(|own| own.reason(self.problem));
                let why =
                    why.unwrap_or_else(|| "a path of strengths goes with it alone".to_owned());
                format!(
                    "{taken} is what {method} does here unless --multiclass says otherwise: {why}\n"
                )
            }
        };
        let mut text = String::new();
        paragraph(&mut text, 0, out.trim_end());
        out = text;
        if k == 2 {
            return out;
        }
        let mut table =
            Table::new(&["scheme", "", "hyperplanes", "coefficients"], 2).prose(1).drop_first(&[3]);
        for scheme in Scheme::ALL {
            let hyperplanes = scheme.decide().hyperplanes(k);
            let taken = self.fit.multiclass == Some(scheme.name());
            let words = match scheme.needs() {
                _ if taken => format!("taken: {}", scheme.about()),
                Some(needs) if !self.suits(scheme) => format!("needs {needs}"),
                _ => scheme.about().to_owned(),
            };
            let numbers = (hyperplanes * (self.fit.model.d() + 1)) as f64;
            table.row(vec![
                scheme.name().to_owned(),
                words,
                count(hyperplanes as f64),
                count(numbers),
            ]);
        }
        out.push_str(&table.show(2));
        out
    }
}
