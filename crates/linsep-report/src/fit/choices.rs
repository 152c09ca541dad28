//! Solvers and multiclass schemes, with their alternatives.

use super::Report;
use crate::layout::Text;
use crate::number::{count, number};
use crate::table::Table;
use linsep::core::learner::Scheme;
use linsep::jobs::fit::{NoSolverChoice, SchemeChoice, SolverChoice};
use serde_json::{Value, json};

impl Report<'_> {
    /// The solvers with their costs, if requested.
    pub(super) fn candidates(self, out: &mut Text) {
        let Some(choice) = &self.0.solvers else { return };
        out.gap();
        if let Some(why) = self.no_choice(choice) {
            return out.paragraph(0, &why);
        }
        let mut table = Table::new(&["solver", "estimate", ""], 1).prose(2);
        for (name, work) in &choice.candidates {
            let (cost, why) = match work {
                Ok(seconds) => (format!("{} s", number(*seconds)), String::new()),
                Err(lacks) => ("–".to_owned(), format!("requires {lacks}")),
            };
            let chosen = self.0.fit.solver() == Some(name);
            table.row(vec![name.clone(), cost, if chosen { "selected".to_owned() } else { why }]);
        }
        out.table(&table, 2);
    }

    pub(super) fn candidates_json(self, choice: &SolverChoice) -> (Value, Value) {
        let candidate = |(name, work): &(String, Result<f64, String>)| json!({ "name": name, "seconds": work.as_ref().ok(), "needs": work.as_ref().err() });
        (choice.candidates.iter().map(candidate).collect(), json!(self.no_choice(choice)))
    }

    /// The reason for a missing table of solvers.
    fn no_choice(self, choice: &SolverChoice) -> Option<String> {
        let method = self.method_name();
        Some(match choice.none? {
            NoSolverChoice::ClosedForm => {
                format!("{method} has a closed form; there is no solver to choose")
            }
            NoSolverChoice::UpdateRule => {
                format!("{method} has a single update rule; there is no solver to choose")
            }
            NoSolverChoice::Jointly(scheme) => {
                let solver = self.0.fit.solver();
                let last =
                    solver.map_or_else(String::new, |name| format!("; last used here: {name}"));
                let ways = scheme.ways().unwrap_or_default();
                format!("{} trains all hyperplanes jointly: {ways}{last}", scheme.name())
            }
        })
    }

    /// The scheme in use and its reason, and the size of each scheme, if requested.
    pub(super) fn schemes(self, out: &mut Text) {
        let Some(choice) = &self.0.schemes else { return };
        let (model, taken) = (&self.0.model_file.model, self.0.fit.multiclass);
        let (k, method) = (model.k(), self.method_name());
        out.gap();
        out.paragraph(
            0,
            &match taken {
                None if k == 2 => {
                    "two classes have one hyperplane in every multiclass scheme".to_owned()
                }
                None => format!("{method} has a single multiclass scheme"),
                Some(taken) if choice.requested => {
                    format!("{}, as given by --multiclass", taken.name())
                }
                Some(taken) => {
                    let why = choice.reason.as_deref().unwrap_or("--path requires it");
                    format!("{}, the default of {method} for these data: {why}", taken.name())
                }
            },
        );
        if k == 2 {
            return;
        }
        let mut table =
            Table::new(&["scheme", "", "hyperplanes", "coefficients"], 2).prose(1).drop_first(&[3]);
        for scheme in Scheme::ALL {
            let hyperplanes = scheme.decide().hyperplanes(k);
            let about = match scheme.needs() {
                _ if taken == Some(scheme) => format!("selected: {}", scheme.about()),
                Some(needs) if !choice.supported.contains(&scheme) => format!("requires {needs}"),
                _ => scheme.about().to_owned(),
            };
            let numbers = (hyperplanes * (model.d() + 1)) as f64;
            table.row(vec![
                scheme.name().to_owned(),
                about,
                count(hyperplanes as f64),
                count(numbers),
            ]);
        }
        out.table(&table, 2);
    }

    pub(super) fn schemes_json(self, choice: &SchemeChoice) -> Value {
        let scheme = |scheme: Scheme| {
            json!({
                "name": scheme.name(),
                "planes": scheme.decide().hyperplanes(self.0.model_file.model.k()),
                "ambiguous_regions": scheme.decide().has_ambiguous_regions(),
                "needs": scheme.needs(),
                "possible": choice.supported.contains(&scheme),
                "taken": self.0.fit.multiclass == Some(scheme),
            })
        };
        Scheme::ALL.into_iter().map(scheme).collect()
    }
}
