//! A fit as JSON.

use super::{Report, facts};
use crate::evaluate::evaluation_json;
use crate::flags::{dropped, sentences};
use crate::{mistake_bound, separation};
use linsep::core::learner::{PathPoint, Scheme};
use linsep::jobs::FitOutcome;
use linsep::model_file::{self, Header};
use serde_json::{Map, Value, json};

/// The outcome as one JSON object.
pub fn json(outcome: &FitOutcome) -> Value {
    let mut json = Report(outcome).json();
    json["seconds"] = json!({ "read": outcome.seconds.read, "fit": outcome.seconds.work });
    json["threads"] = json!(outcome.threads);
    json["seed"] = json!(outcome.seed);
    json["report"] = json!(outcome.report);
    let test = outcome.evaluated.as_ref().filter(|own| own.held_out);
    json["test"] = test.map_or(Value::Null, |own| evaluation_json(&own.evaluation));
    json
}

impl Report<'_> {
    fn json(self) -> Value {
        let FitOutcome { fit, model_file, .. } = self.0;
        let (header, model) = (&model_file.header, &model_file.model);
        let training = &header.training;
        let missing = self.0.missing.iter().map(|(name, n)| (name.clone(), Value::from(*n)));
        let mut json = json!({
            "method": header.method,
            "multiclass": fit.multiclass.map(Scheme::name),
            "n": training.rows,
            "d": model.d(),
            "missing": missing.collect::<Map<_, _>>(),
            "dropped": self.0.dropped,
            "k": model.k(),
            "classes": model.classes().iter().map(Header::class).collect::<Vec<_>>(),
            "stop": fit.stop.name(),
            "epochs": fit.epochs,
            "updates": fit.updates,
            "mistakes": model_file::number(fit.mistakes),
            "accuracy": fit.accuracy,
            "majority": self.0.majority.as_ref().map(|own| {
                json!({ "class": Header::class(&own.class), "accuracy": own.share })
            }),
            "below_majority": self.below_majority().is_some(),
            "notes": sentences(&self.0.notes),
            "left_out": dropped(&self.recipe().dropped),
            "on_the_plane": fit.on_hyperplane,
            "objective": self.objective(),
            "solver": self.0.fit.solver(),
            "proofs": training.certificates,
            "certified": training.certified,
            "planes": self.hyperplanes_json(),
            "model": self.0.saved,
        });
        if let Some(tuning) = &training.tuning {
            json["tuning"] = json!(tuning);
        }
        if let Some(processed) = &training.post_processing {
            json["trust"] = json!(processed);
            json["calibration"] = json!(header.calibration);
            json["cut"] = json!(header.operating_point);
        }
        let facts = facts::json(&fit.facts);
        if facts.as_object().is_some_and(|facts| !facts.is_empty()) {
            json["facts"] = facts;
        }
        if let Some(record) = &training.separation {
            json["separation"] = separation::json(record, model);
        }
        if let Some(bounds) = mistake_bound::json(&training.mistake_bounds) {
            json["novikoff"] = bounds;
        }
        if let Some(known) = &header.inference {
            json["inference"] = json!(known);
        }
        if model.decision_rule().has_ambiguous_regions() {
            json["ambiguous"] = json!(fit.ambiguous);
        }
        if let Some(choice) = &self.0.schemes {
            json["schemes"] = self.schemes_json(choice);
        }
        if let Some(choice) = &self.0.solvers {
            (json["candidates"], json["no_choice"]) = self.candidates_json(choice);
        }
        if !self.0.path.is_empty() {
            json["path"] = self.0.path.iter().map(point_json).collect();
        }
        json
    }

    /// The hyperplanes and their runs; null for very many numbers.
    fn hyperplanes_json(self) -> Value {
        let (fit, model) = (&self.0.fit, &self.0.model_file.model);
        if model.d() > 1000 || model.hyperplanes().len() > 10_000 {
            return Value::Null;
        }
        let pairs = model.decision_rule().class_pairs(model.k());
        let class = |c: usize| Header::class(&model.classes()[c]);
        let hyperplane = |(j, (hyperplane, pair)): (usize, (&linsep::core::Hyperplane, _))| {
            let linsep::core::model::ClassPair { positive, negative } = pair;
            let mut json =
                json!({ "class": class(positive), "w": hyperplane.w, "b": hyperplane.b });
            if let Some(negative) = negative.filter(|_| pairs.len() > 1) {
                json["against"] = class(negative);
            }
            if let Some(run) = fit.runs.get(j) {
                json["stop"] = json!(run.stop.name());
                json["epochs"] = json!(run.epochs);
                json["updates"] = json!(run.updates);
                json["mistakes"] = model_file::number(run.mistakes);
            }
            json
        };
        model.hyperplanes().iter().zip(pairs.iter().copied()).enumerate().map(hyperplane).collect()
    }

    /// Objective and lower bound, summed over hyperplanes. A perceptron has an objective but no
    /// bound.
    fn objective(self) -> Value {
        let fit = &self.0.fit;
        let (primal, dual) = (fit.objective, fit.bound);
        let gaps: Option<f64> =
            fit.certificates().iter().map(|(own, _)| own.gap.dual.map(|d| d.gap)).sum();
        let gap = gaps.filter(|_| dual.is_some());
        json!({
            "primal": primal,
            "dual": dual,
            "gap": gap,
            "relative_gap": gap.zip(primal).map(|(gap, primal)| if primal > 0.0 { gap / primal } else { 0.0 }),
        })
    }
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
