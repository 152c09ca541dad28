//! The multiclass schemes side by side, for `--explain-multiclass`.

use super::report::Report;
use crate::layout::{Table, paragraph};
use linsep::learner::Scheme;
use linsep_report::number::count;
use serde_json::{Value, json};

impl Report<'_> {
    /// Whether the method supports a scheme.
    fn supports(&self, scheme: Scheme) -> bool {
        self.learner.as_reduced().is_some_and(|reduced| scheme.suits(reduced.solver.as_ref()))
    }

    /// The reason for a missing table of solvers.
    pub(super) fn no_choice(&self) -> Option<String> {
        let method = self.learner.name();
        let Some(reduced) = self.learner.as_reduced() else {
            return Some(format!("{method} has a closed form; there is no solver to choose"));
        };
        if reduced.solver.as_convex().is_none() {
            return Some(format!(
                "{method} has a single update rule; there is no solver to choose"
            ));
        }
        let scheme = Scheme::by_name(self.fit.multiclass?).ok()?;
        let ways = scheme.ways()?;
        let last =
            self.solver().map_or_else(String::new, |name| format!("; last used here: {name}"));
        Some(format!("{} trains all hyperplanes jointly: {ways}{last}", scheme.name()))
    }

    pub(super) fn scheme_json(&self, scheme: Scheme) -> Value {
        json!({
            "name": scheme.name(),
            "planes": scheme.decide().hyperplanes(self.fit.model.k()),
            "ambiguous_regions": scheme.decide().has_ambiguous_regions(),
            "needs": scheme.needs(),
            "possible": self.supports(scheme),
            "taken": self.fit.multiclass == Some(scheme.name()),
        })
    }

    /// The scheme in use and its reason, and the size of each scheme.
    pub(super) fn schemes(&self) -> String {
        let (k, method) = (self.fit.model.k(), self.learner.name());
        let reason = match (self.fit.multiclass, self.scheme) {
            (None, _) if k == 2 => {
                "two classes have one hyperplane in every multiclass scheme".to_owned()
            }
            (None, _) => format!("{method} has a single multiclass scheme"),
            (Some(taken), Some(_)) => format!("{taken}, as given by --multiclass"),
            (Some(taken), None) => {
                let own = self.learner.as_reduced();
                let own = own.filter(|own| own.scheme_for(self.problem).name() == taken);
                let why = own.map(|own| own.reason(self.problem));
                let why = why.unwrap_or_else(|| "--path requires it".to_owned());
                format!("{taken}, the default of {method} for these data: {why}")
            }
        };
        let mut out = String::new();
        paragraph(&mut out, 0, &reason);
        if k == 2 {
            return out;
        }
        let mut table =
            Table::new(&["scheme", "", "hyperplanes", "coefficients"], 2).prose(1).drop_first(&[3]);
        for scheme in Scheme::ALL {
            let hyperplanes = scheme.decide().hyperplanes(k);
            let taken = self.fit.multiclass == Some(scheme.name());
            let about = match scheme.needs() {
                _ if taken => format!("selected: {}", scheme.about()),
                Some(needs) if !self.supports(scheme) => format!("requires {needs}"),
                _ => scheme.about().to_owned(),
            };
            let numbers = (hyperplanes * (self.fit.model.d() + 1)) as f64;
            table.row(vec![
                scheme.name().to_owned(),
                about,
                count(hyperplanes as f64),
                count(numbers),
            ]);
        }
        out.push_str(&table.show(2));
        out
    }
}
