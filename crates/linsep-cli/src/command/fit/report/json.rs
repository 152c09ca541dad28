//! The report of a fit as JSON.

use super::Report;
use crate::command::fit::{bounds, facts};
use crate::command::{classes_json, hyperplane_names};
use crate::data::dropped;
use linsep::Recipe;
use linsep::learner::{PathPoint, Scheme};
use linsep::model_file::{self, Header};
use linsep::recipe::DroppedColumn;
use linsep::solvers::Candidate;
use linsep_report::flags::spell;
use serde_json::{Value, json};

impl Report<'_> {
    pub(in crate::command::fit) fn json(&self) -> Value {
        let fit = self.fit;
        let few = self.training.x.d() <= 1000 && fit.model.hyperplanes().len() <= 10_000;
        let pairs = fit.model.decision_rule().class_pairs(fit.model.k());
        let class = |c: usize| Header::class(&fit.model.classes()[c]);
        let hyperplanes: Vec<Value> = self
            .model_file
            .model
            .hyperplanes()
            .iter()
            .zip(&pairs)
            .enumerate()
            .map(|(j, (hyperplane, pair))| {
                let class_of = class(pair.positive);
                let mut json = json!({ "class": class_of, "w": hyperplane.w, "b": hyperplane.b });
                if let Some(negative) = pair.negative.filter(|_| pairs.len() > 1) {
                    json["against"] = class(negative);
                }
                if let Some(run) = fit.runs.get(j) {
                    json["stop"] = json!(run.stop.name());
                    json["epochs"] = json!(run.epochs);
                    json["updates"] = json!(run.updates);
                    json["mistakes"] = model_file::number(run.mistakes);
                }
                json
            })
            .collect();
        let missing: serde_json::Map<String, Value> =
            self.training.missing.iter().map(|(name, n)| (name.clone(), Value::from(*n))).collect();
        let mut json = json!({
            "method": self.learner.name(),
            "multiclass": fit.multiclass,
            "n": self.training.x.n(),
            "d": self.training.x.d(),
            "missing": missing,
            "dropped": self.training.dropped,
            "k": fit.model.k(),
            "classes": classes_json(fit.model.classes()),
            "stop": fit.stop.name(),
            "epochs": fit.epochs,
            "updates": fit.updates,
            "mistakes": model_file::number(fit.mistakes),
            "accuracy": fit.accuracy,
            "majority": self.majority().map(|(class, share)| {
                json!({ "class": Header::class(class), "accuracy": share })
            }),
            "below_majority": self.below_majority().is_some(),
            "notes": self.training.notes.iter().map(|note| spell(&note.text)).collect::<Vec<_>>(),
            "left_out": dropped(self.dropped_columns()),
            "on_the_plane": fit.on_hyperplane,
            "objective": self.objective(),
            "solver": self.solver(),
            "proofs": self.model_file.header.training.proofs,
            "certified": self.model_file.header.training.certified,
            "planes": if few { Value::from(hyperplanes) } else { Value::Null },
            "model": self.path.display().to_string(),
        });
        let training = &self.model_file.header.training;
        if let Some(tuning) = &training.tuning {
            json["tuning"] = json!(tuning);
        }
        if let Some(processed) = &training.trust {
            json["trust"] = json!(processed);
            json["calibration"] = json!(self.model_file.header.calibration);
            json["cut"] = json!(self.model_file.header.cut);
        }
        let facts = facts::json(&self.facts());
        if facts.as_object().is_some_and(|facts| !facts.is_empty()) {
            json["facts"] = facts;
        }
        if let Some(separated) = self.separated {
            json["separation"] = separated.json(&hyperplane_names(&fit.model));
        }
        if let Some(existence) = self.existence {
            json["separation"] = existence.json();
        }
        if self.bounds.iter().any(Option::is_some) {
            let all = self.bounds.iter().map(|one| one.as_ref().map(bounds::json));
            json["novikoff"] = all.collect();
        }
        if let Some(known) = &self.model_file.header.inference {
            json["inference"] = json!(known);
        }
        if fit.model.decision_rule().has_ambiguous_regions() {
            json["ambiguous"] = json!(fit.ambiguous);
        }
        if self.explain_multiclass {
            json["schemes"] =
                Scheme::ALL.into_iter().map(|scheme| self.scheme_json(scheme)).collect();
        }
        if self.explain_solver {
            json["candidates"] = self.candidates.iter().map(candidate_json).collect();
            json["no_choice"] = json!(self.no_choice());
        }
        if !self.points.is_empty() {
            json["path"] = self.points.iter().map(point_json).collect();
        }
        json
    }

    /// Dropped columns.
    fn dropped_columns(&self) -> &[DroppedColumn] {
        match &self.training.recipe {
            Recipe::Table(table) => &table.left_out,
            Recipe::Sparse { .. } => &[],
        }
    }

    /// Objective and lower bound, summed over hyperplanes. A perceptron has an objective but no
    /// bound.
    fn objective(&self) -> Value {
        let (primal, dual) = (self.fit.objective, self.fit.bound);
        let gaps: Option<f64> =
            self.fit.certificates().iter().map(|(own, _)| own.gap.dual.map(|d| d.gap)).sum();
        let gap = gaps.filter(|_| dual.is_some());
        json!({
            "primal": primal,
            "dual": dual,
            "gap": gap,
            "relative_gap": gap.zip(primal).map(|(gap, primal)| if primal > 0.0 { gap / primal } else { 0.0 }),
        })
    }
}

fn candidate_json(candidate: &Candidate) -> Value {
    json!({
        "name": candidate.name,
        "seconds": candidate.work.ok(),
        "needs": candidate.work.err(),
    })
}

fn point_json(point: &PathPoint) -> Value {
    json!({
        "lambda": point.lambda,
        "primal": point.fit.objective,
        "dual": point.fit.bound,
        "nonzero": point.nonzero,
        "accuracy": point.fit.accuracy,
        "epochs": point.fit.epochs,
        "stop": point.fit.stop.name(),
    })
}
