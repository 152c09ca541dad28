//! Automatic choice of the solver: the least estimated work.
//!
//! Each solver states its own cost model in [`Solver::work`]. A solver that often needs its whole
//! budget ranks last ([`Solver::is_last`]).

use super::{Options, Solver, StoppingCriteria, all};
use crate::error::Error;
use crate::loss::Loss;
use crate::objective::Objective;
use crate::options;
use crate::penalty::Penalty;

/// Solver and its estimated cost.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// Name of the solver.
    pub name: &'static str,
    /// Work in billions of visits, about seconds; or the unmet requirement.
    pub work: Result<f64, &'static str>,
}

/// Returns every solver with its estimate: applicable ones first, by increasing work.
pub fn candidates(objective: &Objective<'_>, goal: &StoppingCriteria) -> Vec<Candidate> {
    rank(&all(&Options::default()), objective, goal)
}

fn rank(
    solvers: &[Box<dyn Solver>],
    objective: &Objective<'_>,
    goal: &StoppingCriteria,
) -> Vec<Candidate> {
    let mut ranked: Vec<(bool, f64, Candidate)> = Vec::with_capacity(solvers.len());
    for solver in solvers {
        let work = match solver.unmet_requirement(objective) {
            Some(what) => Err(what),
            None => Ok(solver.work(objective, goal) / 1e9),
        };
        let key = *work.as_ref().unwrap_or(&f64::INFINITY);
        ranked.push((solver.is_last(), key, Candidate { name: solver.name(), work }));
    }
    ranked.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    ranked.into_iter().map(|(_, _, candidate)| candidate).collect()
}

/// Refuses a solver that no data with this loss and penalty allow.
pub fn check(solver: options::Solver, loss: &dyn Loss, penalty: Penalty) -> Result<(), Error> {
    let all = all(&Options::default());
    let unmet = |own: &dyn Solver| own.needs().iter().find(|need| !need.permits(loss, penalty));
    let Some(own) = all.iter().find(|own| own.name() == solver.name()) else { return Ok(()) };
    let Some(lacks) = unmet(own.as_ref()) else { return Ok(()) };
    Err(Error::UnmetRequirement {
        setting: "solver",
        solver: own.name(),
        lacks: lacks.words(),
        able: all.iter().filter(|own| unmet(own.as_ref()).is_none()).map(|o| o.name()).collect(),
    })
}

/// Builds the solver, or fails if the objective does not meet its requirements. `auto` is the
/// candidate of least work.
pub fn choose(
    solver: options::Solver,
    objective: &Objective<'_>,
    goal: &StoppingCriteria,
    options: &Options,
) -> Result<Box<dyn Solver>, Error> {
    goal.check()?;
    let candidates = candidates(objective, goal);
    let able = || candidates.iter().filter(|c| c.work.is_ok()).map(|c| c.name);
    let name = match solver {
        options::Solver::Auto => {
            able().next().expect("gradient-descent, smoothing or working-set-cd is able")
        }
        solver => solver.name(),
    };
    let mut all = all(options);
    let at = all.iter().position(|solver| solver.name() == name).expect("every name is listed");
    if let Some(lacks) = all[at].unmet_requirement(objective) {
        return Err(Error::UnmetRequirement {
            setting: "solver",
            solver: all[at].name(),
            lacks,
            able: able().collect(),
        });
    }
    if let Some(name) = options.given().find(|name| !all[at].takes().contains(name)) {
        let takers = all.iter().filter(|solver| solver.takes().contains(&name));
        let takers = takers.map(|solver| solver.name()).collect();
        return Err(Error::NoSuchSetting { method: all[at].name(), name, takers });
    }
    Ok(all.swap_remove(at))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::Observer;
    use crate::data::{Design, Hyperplane, Labels, Problem};
    use crate::loss::Logistic;
    use crate::solvers::{Requirement, SolverResult};

    /// A solver that the registry does not have, of given work.
    struct Toy {
        work: f64,
        last: bool,
    }

    impl Solver for Toy {
        fn name(&self) -> &'static str {
            "toy"
        }

        fn about(&self) -> &'static str {
            "solves nothing"
        }

        fn needs(&self) -> &'static [Requirement] {
            &[Requirement::L2Alone]
        }

        fn work(&self, objective: &Objective<'_>, _: &StoppingCriteria) -> f64 {
            self.work * objective.x().stored() as f64
        }

        fn is_last(&self) -> bool {
            self.last
        }

        fn solve(
            &self,
            _: &Objective<'_>,
            _: Hyperplane,
            _: &StoppingCriteria,
            _: &mut dyn Observer,
        ) -> SolverResult {
            unreachable!("ranking does not run a solver")
        }
    }

    #[test]
    fn a_new_solver_is_ranked_by_its_own_cost() {
        let x = Design::dense(4, 1, vec![0.0, 1.0, 2.0, 3.0]).unwrap();
        let labels = Labels::parse(["a", "b", "a", "b"]);
        let problem = Problem::new(&x, &labels, None).unwrap();
        let binary = problem.against_rest(1);
        let goal = StoppingCriteria::default();
        let place = |penalty: Penalty, work: f64, last: bool| {
            let objective = Objective::new(&binary, &Logistic, penalty, true).unwrap();
            let mut solvers = all(&Options::default());
            solvers.insert(3, Box::new(Toy { work, last }));
            let ranked = rank(&solvers, &objective, &goal);
            let place = ranked.iter().position(|c| c.name == "toy").unwrap();
            if let Ok(own) = ranked[place].work {
                assert_eq!(own, work * 4.0 / 1e9);
                let works = |some: &[Candidate]| -> Vec<f64> {
                    some.iter().filter_map(|c| c.work.ok()).collect()
                };
                assert!(last || works(&ranked[..place]).iter().all(|w| *w <= own));
            }
            (place, ranked.len(), ranked[place].work)
        };
        let l2 = Penalty::l2(0.1);
        assert_eq!(place(l2, 1e-3, false).0, 0, "the cheapest solver is first");
        // 240 N of `lbfgs` is more, 120 N of `newton-cg` is less.
        let middle = place(l2, 200.0, false).0;
        assert!(middle > 0 && middle < place(l2, 250.0, false).0);
        let (end, count, _) = place(l2, 1e9, true);
        assert_eq!(end, count - 1, "a solver that ranks last does so by its work among those");
        assert_eq!(place(Penalty::l1(0.1), 1e-3, false).2, Err("a pure l2 penalty"));
    }
}
