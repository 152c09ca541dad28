//! One case: rows, a method with its settings, and the exact optima of its problems.
//!
//! A case is drawn from one seed, so a reported violation can be reproduced from its seed.

use crate::draw::{Random, Rows, power};
use crate::reference::binary;
use crate::reference::{crammer_singer, multiclass};
use crate::settings::{Scheme, Settings};

/// Rows and settings.
#[derive(Clone, Debug)]
pub struct Case {
    /// Seed of the case.
    pub seed: u64,
    /// Rows, classes, sample weights.
    pub rows: Rows,
    /// Settings of the learner.
    pub settings: Settings,
}

/// Optima of a case; `None` if a reference is not certified.
pub enum Optima {
    /// Each hyperplane's problem with its optimum.
    Hyperplanes(Vec<(binary::Problem, Option<binary::Reference>)>),
    /// Softmax regression.
    Softmax(multiclass::Problem, Option<multiclass::Reference>),
    /// Crammer–Singer SVM.
    CrammerSinger(multiclass::Problem, Option<crammer_singer::Reference>),
}

impl Case {
    /// Draws the case of a seed.
    pub fn draw(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let r = &mut random;
        let k = if r.chance(0.6) { 2 } else { 3 + r.below(2) };
        let hostile = *r.pick(&[0.0, 0.2, 0.5]);
        let rows = Rows::draw(r, k, hostile);
        let settings = Settings::draw(r, k, rows.x[0].len());
        Self { seed, rows, settings }
    }

    /// Solves the reference problems of the case.
    pub fn optima(&self) -> Optima {
        let Settings { scheme, intercept, lambda, .. } = self.settings;
        let rows = &self.rows;
        if rows.k > 2 && matches!(scheme, Scheme::Softmax | Scheme::CrammerSinger) {
            let problem = multiclass::Problem {
                x: rows.x.clone(),
                class: rows.class.clone(),
                s: rows.s.clone(),
                k: rows.k,
                l2: lambda,
                intercept,
            };
            return if scheme == Scheme::Softmax {
                let optimum = problem.reference();
                Optima::Softmax(problem, optimum)
            } else {
                let optimum = problem.crammer_singer_reference();
                Optima::CrammerSinger(problem, optimum)
            };
        }
        let problems = self.problems();
        Optima::Hyperplanes(
            problems
                .into_iter()
                .map(|problem| {
                    let optimum = problem.reference();
                    (problem, optimum)
                })
                .collect(),
        )
    }

    /// Returns the problem of each hyperplane.
    pub fn problems(&self) -> Vec<binary::Problem> {
        let k = self.rows.k;
        let rest = |c: usize| self.problem(|class| Some(class == c));
        match self.settings.scheme {
            _ if k == 2 => vec![rest(1)],
            Scheme::OneVsRestButLast => (0..k - 1).map(rest).collect(),
            Scheme::OneVsOne => (0..k)
                .flat_map(|a| (a + 1..k).map(move |b| (a, b)))
                .map(|(a, b)| self.problem(|c| (c == a || c == b).then_some(c == b)))
                .collect(),
            _ => (0..k).map(rest).collect(),
        }
    }

    fn problem(&self, positive: impl Fn(usize) -> Option<bool>) -> binary::Problem {
        let Settings { loss, intercept, .. } = self.settings;
        let (l1, l2) = self.settings.strengths();
        let rows = || (0..self.rows.x.len()).filter(|&i| positive(self.rows.class[i]).is_some());
        let side = |i: usize| if positive(self.rows.class[i]) == Some(true) { 1.0 } else { -1.0 };
        binary::Problem {
            x: rows().map(|i| self.rows.x[i].clone()).collect(),
            y: rows().map(side).collect(),
            s: rows().map(|i| self.rows.s[i]).collect(),
            loss,
            l1,
            l2,
            intercept,
        }
    }

    /// Returns random hyperplanes, for claims about models of any origin.
    pub fn hyperplanes(&self) -> Vec<(Vec<f64>, f64)> {
        let mut random = Random::new(!self.seed);
        let whole = random.chance(0.3);
        let size = power(&mut random, 3, 3);
        let mut number = || {
            let value = size * random.both();
            if whole { (3.0 * value).round() } else { value }
        };
        let d = self.rows.x[0].len();
        let count = self.settings.hyperplanes(self.rows.k);
        (0..count).map(|_| ((0..d).map(|_| number()).collect(), number())).collect()
    }

    /// Label of the counts: the loss, or the multiclass scheme of a joint fit.
    pub fn label(&self) -> &'static str {
        match self.settings.scheme {
            scheme @ (Scheme::Softmax | Scheme::CrammerSinger) if self.rows.k > 2 => scheme.name(),
            _ => self.settings.loss.name(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn same_seed_gives_the_same_case() {
        for seed in 0..50 {
            let (a, b) = (Case::draw(seed), Case::draw(seed));
            assert_eq!(format!("{a:?}"), format!("{b:?}"));
            let classes = 0..a.rows.k;
            for c in classes {
                let weight = a.rows.class.iter().zip(&a.rows.s).filter(|(class, _)| **class == c);
                assert!(weight.map(|(_, s)| s).sum::<f64>() > 0.0, "{seed}");
            }
        }
    }
}
