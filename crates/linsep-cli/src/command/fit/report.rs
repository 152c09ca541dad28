//! A fit, shown: as text for people, as JSON for programs.

use super::existence::Existence;
use super::separation::Separated;
use super::{bounds, facts};
use crate::command::{classes_json, plane_names};
use crate::data::class_columns;
use crate::evaluation::Evaluation;
use crate::inference;
use crate::text::{Table, count, number, percent, plural, small, small_percent};
use crate::trust;
use linsep::Problem;
use linsep::learner::{Convergence, Facts, Fit, Learner, PathPoint, Scheme};
use linsep::minimise::Candidate;
use linsep::options::Setting;
use linsep_io::bundle::{self, Bundle, Header, Proof};
use linsep_io::{Recipe, Training};
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::Path;

/// Planes that are listed.
const SHOWN: usize = 30;

/// Coefficients that are listed.
const COEFFICIENTS: usize = 100;

/// A fit, shown.
pub(super) struct Report<'a> {
    pub(super) fit: &'a Fit,
    /// That the classes can be separated, where it was asked and is so.
    pub(super) separated: Option<&'a Separated>,
    pub(super) existence: Option<&'a Existence>,
    /// Corrections against the most there can be, of each plane or of all together.
    pub(super) bounds: &'a [Option<Convergence>],
    pub(super) bundle: &'a Bundle,
    pub(super) learner: &'a dyn Learner,
    pub(super) training: &'a Training,
    pub(super) problem: &'a Problem<'a>,
    pub(super) path: &'a Path,
    /// Ways of minimising, if they are to be explained.
    pub(super) candidates: &'a [Candidate],
    /// Points of a path, if there is one.
    pub(super) points: &'a [PathPoint],
    /// Whether the scheme is to be explained, and the one that was asked for.
    pub(super) explain: bool,
    pub(super) asked: Option<&'a str>,
}

impl Report<'_> {
    pub(super) fn json(&self) -> Value {
        let fit = self.fit;
        let few = self.training.x.d() <= 1000 && fit.model.planes().len() <= 10_000;
        let duels = fit.model.decide().duels(fit.model.k());
        let class = |c: usize| Header::class(&fit.model.classes()[c]);
        let planes: Vec<Value> = self
            .bundle
            .model
            .planes()
            .iter()
            .zip(&duels)
            .enumerate()
            .map(|(j, (plane, duel))| {
                let class_of = class(duel.positive);
                let mut json = json!({ "class": class_of, "w": plane.w, "b": plane.b });
                if let Some(negative) = duel.negative.filter(|_| duels.len() > 1) {
                    json["against"] = class(negative);
                }
                if let Some(run) = fit.runs.get(j) {
                    json["stop"] = json!(run.stop.name());
                    json["epochs"] = json!(run.epochs);
                    json["updates"] = json!(run.updates);
                    json["mistakes"] = bundle::number(run.mistakes);
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
            "mistakes": bundle::number(fit.mistakes),
            "accuracy": fit.accuracy,
            "on_the_plane": fit.on_the_plane,
            "objective": self.objective(),
            "solver": self.way(),
            "proofs": self.bundle.header.training.proofs,
            "planes": if few { Value::from(planes) } else { Value::Null },
            "model": self.path.display().to_string(),
        });
        let training = &self.bundle.header.training;
        if let Some(tuning) = &training.tuning {
            json["tuning"] = json!(tuning);
        }
        if let Some(trust) = &training.trust {
            json["trust"] = json!(trust);
            json["calibration"] = json!(self.bundle.header.calibration);
            json["cut"] = json!(self.bundle.header.cut);
        }
        let facts = facts::json(&self.facts());
        if facts.as_object().is_some_and(|facts| !facts.is_empty()) {
            json["facts"] = facts;
        }
        if let Some(separated) = self.separated {
            json["separation"] = separated.json(&plane_names(&fit.model));
        }
        if let Some(existence) = self.existence {
            json["separation"] = existence.json();
        }
        if self.bounds.iter().any(Option::is_some) {
            let all = self.bounds.iter().map(|one| one.as_ref().map(bounds::json));
            json["novikoff"] = all.collect();
        }
        if let Some(known) = &self.bundle.header.inference {
            json["inference"] = json!(known);
        }
        if fit.model.decide().has_no_mans_land() {
            json["ambiguous"] = json!(fit.ambiguous);
        }
        if self.explain {
            json["schemes"] =
                Scheme::ALL.into_iter().map(|scheme| self.scheme_json(scheme)).collect();
        }
        if !self.candidates.is_empty() {
            json["candidates"] = self.candidates.iter().map(candidate_json).collect();
        }
        if !self.points.is_empty() {
            json["path"] = self.points.iter().map(point_json).collect();
        }
        json
    }

    /// Value and bound, added up over planes. A perceptron has a criterion but no bound.
    fn objective(&self) -> Value {
        let (primal, dual) = (self.fit.criterion, self.fit.bound);
        let gaps: Option<f64> =
            self.fit.proofs().iter().map(|(p, _)| p.certificate.dual.map(|d| d.gap)).sum();
        let gap = gaps.filter(|_| dual.is_some());
        json!({
            "primal": primal,
            "dual": dual,
            "gap": gap,
            "relative_gap": gap.zip(primal).map(|(gap, primal)| if primal > 0.0 { gap / primal } else { 0.0 }),
        })
    }

    /// What else there is to say, in the units of the data.
    fn facts(&self) -> Facts {
        match self.training.recipe.standardise() {
            Some(by) => self.fit.facts.unscaled(&by),
            None => self.fit.facts.clone(),
        }
    }

    /// The way of minimising, where there was a choice.
    pub(super) fn way(&self) -> Option<&'static str> {
        let together = self.fit.together.and_then(|all| all.way);
        self.fit.runs.first().and_then(|run| run.way).or(together)
    }

    /// What is proved, in words.
    pub(super) fn proof(&self) -> Option<String> {
        let proofs = &self.bundle.header.training.proofs;
        let worst = |of: fn(&Proof) -> Option<f64>| {
            proofs.iter().map(of).collect::<Option<Vec<f64>>>().filter(|all| !all.is_empty())
        };
        if let Some(gradients) = worst(|p| p.gradient) {
            let most = gradients.into_iter().fold(0.0, f64::max);
            return Some(format!(
                "without a penalty no bound exists; the gradient is {} of what it is at zero weights",
                small(most)
            ));
        }
        let gap = worst(|p| p.relative_gap)?.into_iter().fold(0.0, f64::max);
        let mut text = format!("the optimum is at most {} below this", small_percent(gap));
        if let Some(proved) = worst(|p| p.proved) {
            let least = proved.into_iter().fold(1.0, f64::min);
            text += &format!(
                "; {} of the training predictions provably equal those of the exact optimum",
                percent(least)
            );
        }
        Some(text)
    }

    fn candidates(&self) -> String {
        let mut table = Table::new(&["way of minimising", "about", ""], 1);
        for candidate in self.candidates {
            let chosen = self.way() == Some(candidate.name);
            let (cost, why) = match candidate.work {
                Ok(seconds) => (format!("{} s", number(seconds)), String::new()),
                Err(lacks) => ("–".to_owned(), format!("needs {lacks}")),
            };
            let why = if chosen { "taken".to_owned() } else { why };
            table.row(vec![candidate.name.to_owned(), cost, why]);
        }
        table.show(2)
    }

    fn points(&self) -> String {
        let mut table = Table::new(&["λ", "criterion", "gap", "weights", "training", "stop"], 0);
        for point in self.points {
            let fit = &point.fit;
            let gap = fit.runs.iter().map(|p| p.proof?.certificate.relative_gap());
            let gap = gap.collect::<Option<Vec<f64>>>();
            table.row(vec![
                number(point.lambda),
                fit.criterion.map_or("–".to_owned(), number),
                gap.map_or("–".to_owned(), |g| small_percent(g.into_iter().fold(0.0, f64::max))),
                point.nonzero.to_string(),
                percent(fit.accuracy),
                fit.stop.to_string(),
            ]);
        }
        table.show(2)
    }

    pub(super) fn text(&self, name: &str, test: Option<&(String, Evaluation<'_>)>) -> String {
        let (fit, x) = (self.fit, &self.training.x);
        let mut out = String::new();
        let mut line = |key: &str, value: String| {
            let _ = writeln!(out, "{key:<9} {value}");
        };
        line(
            "data",
            format!(
                "{name}: {} of {}",
                plural(x.n(), "row", "rows"),
                plural(x.d(), "column", "columns")
            ),
        );
        line("classes", self.classes());
        line("method", self.method());
        line(
            "training",
            format!("{} of the rows right ({} wrong)", percent(fit.accuracy), count(fit.mistakes)),
        );
        let after = plural(fit.epochs as usize, "epoch", "epochs");
        let how = if let Some(way) = self.way() {
            format!("{after} of {way}")
        } else if fit.runs.is_empty() && fit.together.is_none() {
            after
        } else {
            let updates = plural(fit.updates as usize, "correction", "corrections");
            format!("{after}, {updates}")
        };
        line("stop", format!("{}: {} ({how})", fit.stop, fit.stop.meaning()));
        if let Some(proof) = self.proof() {
            line("proof", proof);
        }
        for (key, value) in facts::lines(&self.facts()) {
            line(key, value);
        }
        let training = &self.bundle.header.training;
        let (tuning, trust) = (training.tuning.as_ref(), training.trust.as_ref());
        for (key, value) in trust::lines(tuning, trust) {
            line(key, value);
        }
        let known = self.bundle.header.inference.as_ref();
        if let Some(known) = known {
            inference::lines(known).into_iter().for_each(|(key, value)| line(key, value));
        }
        if let Some(bound) = self.bound() {
            line("bound", bound);
        }
        if let Some(existence) = self.existence {
            line("note", existence.beside_firth());
        }
        for text in self.separated.iter().flat_map(|one| one.text(&plane_names(&fit.model))) {
            line("note", text);
        }
        if fit.on_the_plane > 0 {
            let rows = plural(fit.on_the_plane, "row lies", "rows lie");
            line(
                "note",
                format!(
                    "{rows} exactly on the plane; prediction gives such rows to {}",
                    plane_names(&fit.model)[0]
                ),
            );
        }
        if fit.ambiguous > 0 {
            let rows = plural(fit.ambiguous, "row lies", "rows lie");
            line("ambiguous", format!("{rows} where no class wins; the scores decide there"));
        }
        line("model", self.path.display().to_string());
        if let Some((name, evaluation)) = test {
            let _ = writeln!(out, "\non {name}");
            evaluation.summary(&mut out);
        }
        let facts =
            facts::tables(&self.facts(), &self.training.recipe.features(), fit.model.classes());
        let known = known.map_or(Vec::new(), |known| inference::tables(known, COEFFICIENTS));
        for table in facts
            .into_iter()
            .chain(trust::tables(tuning, trust))
            .chain(known)
            .map(Some)
            .chain([
                self.explain.then(|| self.schemes()),
                (!self.candidates.is_empty()).then(|| self.candidates()),
                (!self.points.is_empty()).then(|| self.points()),
                (fit.runs.len() > 1).then(|| self.planes()),
            ])
            .flatten()
        {
            out.push('\n');
            out.push_str(&table);
        }
        out.push_str(&self.formula());
        out
    }

    pub(super) fn classes(&self) -> String {
        const SHOWN: usize = 12;
        let weights = self.problem.class_weights();
        let classes = self.training.labels.classes();
        let shown: Vec<String> = classes
            .iter()
            .zip(&weights)
            .take(SHOWN)
            .map(|(class, s)| format!("{class} ({})", count(*s)))
            .collect();
        let more = match classes.len().saturating_sub(SHOWN) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let target = match &self.training.recipe {
            Recipe::Table(table) => format!(", in {}", class_columns(table)),
            Recipe::Sparse { .. } => String::new(),
        };
        format!("{}: {}{more}{target}", classes.len(), shown.join(", "))
    }

    pub(super) fn method(&self) -> String {
        let settings = self.learner.settings().into_iter().chain(self.fit.chosen.iter().cloned());
        let settings: Vec<String> =
            settings.map(|(name, value)| format!("{name} {}", shown(&value))).collect();
        let scheme = self.fit.multiclass.map_or(String::new(), |scheme| format!(", {scheme}"));
        format!("{}{scheme} ({})", self.learner.name(), settings.join(", "))
    }

    fn planes(&self) -> String {
        if self.fit.runs[0].proof.is_some() {
            return self.proved_planes();
        }
        let bounded = self.bounds.iter().any(Option::is_some);
        let mut heads = vec!["plane of", "stop", "epochs", "corrections", "mistakes"];
        heads.extend(bounded.then_some("bound (R/γ)²"));
        let mut table = Table::new(&heads, 2);
        let mut bounds = self.bounds.iter();
        for (name, solution) in
            plane_names(&self.fit.model).into_iter().zip(&self.fit.runs).take(SHOWN)
        {
            let mut row = vec![
                name,
                solution.stop.to_string(),
                solution.epochs.to_string(),
                count(solution.updates as f64),
                count(solution.mistakes),
            ];
            let bound = bounds.next().and_then(Option::as_ref);
            let bound = bound.map_or("–".to_owned(), |one| count(one.bound.floor()));
            row.extend(bounded.then_some(bound));
            table.row(row);
        }
        table.show(2) + &self.more_planes()
    }

    /// What a table of planes leaves out.
    fn more_planes(&self) -> String {
        match self.fit.runs.len().saturating_sub(SHOWN) {
            0 => String::new(),
            more => format!("  … and {}\n", plural(more, "plane", "planes")),
        }
    }

    fn proved_planes(&self) -> String {
        let heads = ["plane of", "stop", "epochs", "criterion", "gap", "mistakes"];
        let mut table = Table::new(&heads, 2);
        let runs = self.fit.runs.iter().zip(&self.bundle.header.training.proofs);
        for (name, (solution, proof)) in
            plane_names(&self.fit.model).into_iter().zip(runs).take(SHOWN)
        {
            table.row(vec![
                name,
                solution.stop.to_string(),
                solution.epochs.to_string(),
                number(proof.primal),
                proof.relative_gap.map_or("–".to_owned(), small_percent),
                count(solution.mistakes),
            ]);
        }
        table.show(2) + &self.more_planes()
    }

    /// A plane of few columns, written out.
    fn formula(&self) -> String {
        const MOST: usize = 8;
        let [plane] = self.bundle.model.planes() else { return String::new() };
        if plane.d() > MOST || self.fit.model.k() != 2 || self.fit.inference.is_some() {
            return String::new();
        }
        let terms: Vec<String> = plane
            .w
            .iter()
            .zip(self.training.recipe.features())
            .map(|(w, name)| format!("{} {name}", number(*w)))
            .collect();
        let sum = format!("{} + {}", terms.join(" + "), number(plane.b)).replace("+ -", "− ");
        format!(
            "\n  z = {sum}\n  {} where z ≥ {}, else {}\n",
            self.fit.model.classes()[1],
            number(self.fit.model.cut().threshold),
            self.fit.model.classes()[0]
        )
    }
}

/// A setting; one that was chosen from the data has more digits than tell anything.
fn shown(value: &Setting) -> String {
    match value {
        Setting::Number(v) if format!("{v}").len() > 8 => number(*v),
        other => other.to_string(),
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
        "primal": point.fit.criterion,
        "dual": point.fit.bound,
        "nonzero": point.nonzero,
        "accuracy": point.fit.accuracy,
        "epochs": point.fit.epochs,
        "stop": point.fit.stop.name(),
    })
}
