//! Fits: model, certificates and certified rows.

use crate::case::Case;
use crate::decision::Outcome;
use crate::settings::{Abstain, Scheme};
use linsep_core::certify::OptimalityCertificate;
use linsep_core::learner::{self, FitResult, Learner};
use linsep_core::model::{self, OperatingPoint};
use linsep_core::options::Options;
use linsep_core::{Design, Hyperplane, Label, Labels, Problem};

/// Lower bound of an optimum, and the quantities that follow from it.
#[derive(Clone, Copy, Debug)]
pub struct Certificate {
    /// F at the hyperplane, or at the hyperplanes of a joint fit.
    pub primal: f64,
    /// A lower bound on F at every hyperplane.
    pub bound: Option<f64>,
    /// Upper bound on ‖w − w*‖.
    pub radius: Option<f64>,
}

/// Claims of a fit.
#[derive(Clone, Debug)]
pub struct Claims {
    /// Coefficients and intercept of each hyperplane.
    pub hyperplanes: Vec<(Vec<f64>, f64)>,
    /// One per hyperplane, or one of a joint fit.
    pub certificates: Vec<Certificate>,
    /// Rows whose prediction equals that of every optimum.
    pub certified: Option<Vec<bool>>,
    /// The model's prediction of every row.
    pub predicted: Vec<Outcome>,
    /// Stop reason.
    pub stop: String,
}

/// Rows as types of linsep.
pub(super) struct Data {
    pub(super) x: Design,
    pub(super) labels: Labels,
    pub(super) weights: Vec<f64>,
}

impl Data {
    pub(super) fn of(case: &Case) -> Result<Self, String> {
        let rows = &case.rows;
        let (n, d) = (rows.x.len(), rows.x[0].len());
        let x = if case.settings.sparse {
            let (mut starts, mut indices, mut values) = (vec![0], Vec::new(), Vec::new());
            for row in &rows.x {
                for (j, v) in row.iter().enumerate().filter(|(_, v)| **v != 0.0) {
                    indices.push(j as u32);
                    values.push(*v);
                }
                starts.push(indices.len());
            }
            Design::sparse(d, starts, indices, values)
        } else {
            Design::dense(n, d, rows.x.concat())
        };
        let x = x.map_err(|e| e.to_string())?;
        let names: Vec<Label> = (0..rows.k).map(|c| Label::Number(c as f64)).collect();
        let codes: Vec<u32> = rows.class.iter().map(|&c| c as u32).collect();
        let labels = Labels::from_codes(&names, &codes);
        Ok(Self { x, labels, weights: rows.s.clone() })
    }

    pub(super) fn problem(&self) -> Result<Problem<'_>, String> {
        Problem::new(&self.x, &self.labels, Some(self.weights.clone())).map_err(|e| e.to_string())
    }
}

/// Returns the learner of a case; an error if linsep refuses the combination.
pub(super) fn learner(case: &Case) -> Result<Box<dyn Learner>, String> {
    let settings = &case.settings;
    let scheme = match settings.scheme {
        Scheme::OneVsRest => learner::Scheme::OneVsRest,
        Scheme::OneVsRestButLast => learner::Scheme::OneVsRestButLast,
        Scheme::OneVsOne => learner::Scheme::OneVsOne,
        Scheme::Softmax => learner::Scheme::Softmax,
        Scheme::CrammerSinger => learner::Scheme::CrammerSinger,
    };
    let method = match settings.scheme {
        Scheme::Softmax => "logistic",
        Scheme::CrammerSinger => "svm",
        _ => "convex",
    };
    let options = Options {
        loss: (method == "convex").then(|| settings.loss.name().parse().expect("a loss")),
        penalty: Some(settings.penalty.parse().expect("a penalty")),
        lambda: (settings.penalty != "none").then_some(settings.lambda),
        l1_ratio: (settings.penalty == "elastic-net").then_some(settings.l1_ratio),
        solver: Some(settings.solver.parse().expect("a solver")),
        tol: Some(settings.tol),
        epochs: Some(settings.epochs),
        intercept: Some(settings.intercept),
        seed: Some(settings.seed),
        multiclass: (case.rows.k > 2).then_some(scheme),
        ..Options::default()
    };
    learner::by_name(method, &options).map_err(|e| e.to_string())
}

/// Returns the claims of linsep about a case; an error if linsep refuses the settings.
pub fn claims(case: &Case) -> Result<Claims, String> {
    let data = Data::of(case)?;
    let problem = data.problem()?;
    let starts: Option<Vec<Hyperplane>> = case
        .settings
        .start
        .as_ref()
        .map(|all| all.iter().map(|(w, b)| Hyperplane { w: w.clone(), b: *b }).collect());
    let text = |e: linsep_core::Error| e.to_string();
    let learner = learner(case)?;
    let fit = learner.learn(&problem, starts.as_deref(), None, &mut ()).map_err(text)?;
    let link = fit.model.link().clone();
    let fit = fit.with_post_processing(&problem, link, cut(case)).map_err(text)?;
    let predicted = fit
        .model
        .map_rows(&data.x, |_, scores| {
            let said = fit.model.decision(scores);
            if said.abstained { Outcome::Abstained } else { Outcome::Class(said.class as usize) }
        })
        .map_err(text)?;
    Ok(Claims {
        hyperplanes: fit.model.hyperplanes().iter().map(|p| (p.w.clone(), p.b)).collect(),
        certificates: certificates(&fit),
        certified: fit.certified().map(<[bool]>::to_vec),
        predicted,
        stop: fit.stop.name().to_owned(),
    })
}

fn cut(case: &Case) -> OperatingPoint {
    let abstain = case.settings.abstain.map(|limit| match limit {
        Abstain::Margin(m) => model::Abstain::Margin(m),
        Abstain::Probability(p) => model::Abstain::Probability(p),
    });
    OperatingPoint { threshold: case.settings.threshold, abstain }
}

fn certificates(fit: &FitResult) -> Vec<Certificate> {
    let certificates = fit.certificates();
    let plain = |(own, _): &(OptimalityCertificate, &str)| Certificate {
        primal: own.gap.primal,
        bound: own.gap.dual.map(|dual| dual.value),
        radius: own.radius,
    };
    certificates.iter().map(plain).collect()
}
