//! Exact solution of small linear programs with integer data, and of integer programs.
//!
//! ```text
//!   minimize c·x     subject to     A x ≥ b,  x ≥ 0,        c ≥ 0
//! ```
//!
//! As c ≥ 0, the slack variables s = Ax − b are a dual feasible basis. The **dual simplex method**
//! keeps it dual feasible and makes it primal feasible, row by row. The row of a basic variable is
//! (d₀ + Σ dⱼ xⱼ)/q over the nonbasic variables, with one common denominator q. In a row with d₀ <
//! 0 the column with dⱼ > 0 and the smallest cost/dⱼ enters. If no dⱼ is positive, the program is
//! infeasible. Rows are updated by (dᵢₖ p − dᵢⱼ dᵣₖ)/q. The division is exact, since all values are
//! minors of (A, b, c) (Edmonds; Bareiss). The row with the most negative value leaves. After some
//! degenerate pivots it is the one with the lowest variable index (Bland's rule), which excludes
//! cycling.
//!
//! **Integer variables** by branch and bound: if xⱼ = v is not an integer, either xⱼ ≤ ⌊v⌋ or xⱼ ≥
//! ⌈v⌉; each is one more row of the current tableau. If costs are integers and only integer
//! variables have costs, the optimum of a node is rounded up. A node with a rounded optimum not
//! below the incumbent is pruned.
//!
//! Values are i128, or big integers after an overflow.
//!
//! Source: Lemke, *The dual method of solving the linear programming problem* (1954); Land & Doig
//! (1960).

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{CheckedMul, CheckedSub, NumRef, Signed, ToPrimitive};
use std::cmp::Ordering;

/// A linear program. Rows of `a` are as long as `c`.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Costs, nonnegative.
    pub c: Vec<i64>,
    /// Constraint coefficients, by rows.
    pub a: Vec<Vec<i64>>,
    /// The right-hand side.
    pub b: Vec<i64>,
}

/// Result of an integer program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Optimum {
    /// A solution. No solution costs less than `bound`.
    Found {
        /// The integer variables.
        x: Vec<i64>,
        /// The cost of the solution.
        cost: i64,
        /// A lower bound on the cost of any solution; equal to `cost` if the solution is optimal.
        bound: i64,
    },
    /// There is no solution.
    Infeasible,
    /// The node limit was reached first, or the solution does not fit 64 bits.
    Open {
        /// A lower bound on the cost of any solution.
        bound: i64,
        /// The optimum of the linear relaxation times its denominator, if it fits 64 bits.
        scaled: Option<Vec<i64>>,
    },
}

impl Program {
    /// Whether a solution without integrality constraints exists.
    pub fn is_feasible(&self) -> bool {
        Tableau::<i128>::new(self).solve().unwrap_or_else(|| {
            let answer = Tableau::<BigInt>::new(self).solve();
            answer.expect("numbers of any size do not overflow")
        })
    }

    /// Minimizes the cost with the first `whole` variables integer; the others must cost nothing.
    /// Visits at most `parts` nodes.
    ///
    /// # Panics
    ///
    /// If another variable has a cost, or a cost is negative.
    pub fn integer_minimum(&self, whole: usize, parts: u64) -> Optimum {
        assert!(self.c.iter().all(|c| *c >= 0), "costs are not below 0");
        assert!(
            self.c[whole..].iter().all(|c| *c == 0),
            "variables that are not whole cost nothing"
        );
        branch::<i128>(self, whole, parts).unwrap_or_else(|| {
            branch::<BigInt>(self, whole, parts).expect("numbers of any size do not overflow")
        })
    }
}

/// An integer type whose operations may overflow.
trait TableauInteger:
    Integer + Signed + NumRef + CheckedMul + CheckedSub + ToPrimitive + From<i64> + Clone
{
    /// (a p − b c)/q, an exact division.
    #[inline]
    fn step(a: &Self, p: &Self, b: &Self, c: &Self, q: &Self) -> Option<Self> {
        let top = a.checked_mul(p)?.checked_sub(&b.checked_mul(c)?)?;
        Some(if q.is_one() { top } else { top / q })
    }

    /// Compares a b with c d.
    fn compare(a: &Self, b: &Self, c: &Self, d: &Self) -> Option<Ordering> {
        Some(a.checked_mul(b)?.cmp(&c.checked_mul(d)?))
    }

    /// a − v q.
    fn less(a: &Self, v: &Self, q: &Self) -> Option<Self> {
        a.checked_sub(&v.checked_mul(q)?)
    }

    /// The quotient, rounded down, and whether it is exact.
    fn floor(a: &Self, q: &Self) -> (Self, bool) {
        let (quotient, rest) = a.div_mod_floor(q);
        (quotient, rest.is_zero())
    }
}

impl TableauInteger for i128 {}

impl TableauInteger for BigInt {}

/// A value overflowed its type.
struct Overflow;

/// A simplex tableau with one common denominator.
#[derive(Clone)]
struct Tableau<N> {
    /// Rows: the constant, then one value per column.
    rows: Vec<Vec<N>>,
    cost: Vec<N>,
    /// The basic variable of each row: variables of the program, then slacks.
    basic: Vec<usize>,
    /// The nonbasic variable of each column.
    free: Vec<usize>,
    denominator: N,
    variables: usize,
}

impl<N: TableauInteger> Tableau<N> {
    fn new(program: &Program) -> Self {
        let d = program.c.len();
        let row = |(a, b): (&Vec<i64>, &i64)| {
            let constant = -N::from(*b);
            std::iter::once(constant).chain(a.iter().map(|v| N::from(*v))).collect()
        };
        let rows: Vec<Vec<N>> = program.a.iter().zip(&program.b).map(row).collect();
        let cost = std::iter::once(0).chain(program.c.iter().copied()).map(N::from).collect();
        let (basic, free) = ((d..d + rows.len()).collect(), (0..d).collect());
        let variables = d + rows.len();
        Self { rows, cost, basic, free, denominator: N::from(1), variables }
    }

    /// Runs the dual simplex method. Returns whether the program is feasible; `None` on overflow.
    fn solve(&mut self) -> Option<bool> {
        const IDLE: u32 = 30;
        let mut idle = 0;
        while let Some(row) = self.leaving(idle > IDLE) {
            let Some(column) = self.entering(row).ok()? else { return Some(false) };
            let gains = self.cost[column].is_positive();
            self.pivot(row, column)?;
            idle = if gains { 0 } else { idle + 1 };
        }
        Some(true)
    }

    fn leaving(&self, careful: bool) -> Option<usize> {
        let wrong = (0..self.rows.len()).filter(|&i| self.rows[i][0].is_negative());
        if careful {
            wrong.min_by_key(|&i| self.basic[i])
        } else {
            wrong.min_by(|&i, &k| self.rows[i][0].cmp(&self.rows[k][0]).then(i.cmp(&k)))
        }
    }

    /// The entering column: smallest cost ratio, ties by the lowest variable index.
    fn entering(&self, row: usize) -> Result<Option<usize>, Overflow> {
        let own = &self.rows[row];
        let mut best: Option<usize> = None;
        for j in (1..own.len()).filter(|&j| own[j].is_positive()) {
            let Some(k) = best else {
                best = Some(j);
                continue;
            };
            let order =
                N::compare(&self.cost[j], &own[k], &self.cost[k], &own[j]).ok_or(Overflow)?;
            if order.then(self.free[j - 1].cmp(&self.free[k - 1])) == Ordering::Less {
                best = Some(j);
            }
        }
        Ok(best)
    }

    fn pivot(&mut self, row: usize, column: usize) -> Option<()> {
        let mut own = std::mem::take(&mut self.rows[row]);
        let pivot = own[column].clone();
        let denominator = &self.denominator;
        for other in self.rows.iter_mut().chain([&mut self.cost]).filter(|other| !other.is_empty())
        {
            let factor = other[column].clone();
            for (k, v) in other.iter_mut().enumerate().filter(|(k, _)| *k != column) {
                *v = N::step(v, &pivot, &factor, &own[k], denominator)?;
            }
        }
        own.iter_mut().for_each(|v| *v = -v.clone());
        own[column] = std::mem::replace(&mut self.denominator, pivot);
        self.rows[row] = own;
        std::mem::swap(&mut self.basic[row], &mut self.free[column - 1]);
        Some(())
    }

    /// The value of a variable, times the denominator.
    fn value(&self, variable: usize) -> N {
        let row = self.basic.iter().position(|b| *b == variable);
        row.map_or_else(|| N::from(0), |row| self.rows[row][0].clone())
    }

    /// Adds a row for variable ≤ v or variable ≥ v, where the variable is basic.
    fn with_bound(&self, variable: usize, v: &N, above: bool) -> Option<Self> {
        let mut next = self.clone();
        let at = self.basic.iter().position(|b| *b == variable)?;
        let mut row = self.rows[at].clone();
        row[0] = N::less(&row[0], v, &self.denominator)?;
        if !above {
            row.iter_mut().for_each(|v| *v = -v.clone());
        }
        next.rows.push(row);
        next.basic.push(next.variables);
        next.variables += 1;
        Some(next)
    }

    /// The cost, rounded up; `i64::MAX` if it does not fit 64 bits.
    fn bound(&self) -> i64 {
        let (floor, exact) = N::floor(&self.cost[0], &self.denominator);
        floor.to_i64().map_or(i64::MAX, |floor| floor.saturating_add(i64::from(!exact)))
    }
}

/// Solves by branch and bound; `None` on overflow.
fn branch<N: TableauInteger>(program: &Program, whole: usize, parts: u64) -> Option<Optimum> {
    let mut root = Tableau::<N>::new(program);
    if !root.solve()? {
        return Some(Optimum::Infeasible);
    }
    let scaled: Option<Vec<i64>> = (0..whole).map(|j| root.value(j).to_i64()).collect();
    let mut open = vec![(root.bound(), root)];
    let mut best: Option<(i64, Vec<i64>)> = None;
    let mut used = 0;
    // Best-first: the node with the smallest bound, which then bounds all open nodes.
    while let Some(at) = (0..open.len()).min_by_key(|&i| (open[i].0, std::cmp::Reverse(i))) {
        let least = open[at].0;
        if best.as_ref().is_some_and(|(cost, _)| least >= *cost) {
            break;
        }
        if used == parts {
            return Some(match best {
                Some((cost, x)) => Optimum::Found { x, cost, bound: least },
                None => Optimum::Open { bound: least, scaled },
            });
        }
        used += 1;
        let (bound, tableau) = open.swap_remove(at);
        let floors: Vec<(N, bool)> =
            (0..whole).map(|j| N::floor(&tableau.value(j), &tableau.denominator)).collect();
        let Some(broken) = floors.iter().position(|(_, exact)| !exact) else {
            let x = floors.iter().map(|(v, _)| v.to_i64()).collect::<Option<Vec<i64>>>();
            let Some(x) = x else { return Some(Optimum::Open { bound, scaled: None }) };
            best = Some((bound, x));
            continue;
        };
        let floor = &floors[broken].0;
        let ceiling = N::less(floor, &N::from(-1), &N::from(1))?;
        for (v, above) in [(floor, false), (&ceiling, true)] {
            let mut part = tableau.with_bound(broken, v, above)?;
            if part.solve()? {
                open.push((part.bound(), part));
            }
        }
    }
    Some(match best {
        Some((cost, x)) => Optimum::Found { x, cost, bound: cost },
        None => Optimum::Infeasible,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::rng::Rng;

    fn brute(program: &Program, most: i64) -> Option<i64> {
        let d = program.c.len();
        let side = (most + 1) as u32;
        let solutions = (0..side.pow(d as u32)).filter_map(|code| {
            let x: Vec<i64> = (0..d).map(|j| i64::from(code / side.pow(j as u32) % side)).collect();
            let dot = |a: &[i64]| a.iter().zip(&x).map(|(a, x)| a * x).sum::<i64>();
            let fits = program.a.iter().zip(&program.b).all(|(a, b)| dot(a) >= *b);
            fits.then(|| dot(&program.c))
        });
        solutions.min()
    }

    #[test]
    fn integer_optimum_matches_brute_force() {
        const MOST: i64 = 7;
        let (mut found, mut none) = (0, 0);
        for round in 0..1_500 {
            let mut rng = Rng::new(11, round);
            let mut draw =
                |low: i64, high: i64| low + rng.below((high - low + 1) as u64).cast_signed();
            let (d, m) = (draw(1, 3) as usize, draw(1, 5) as usize);
            let c: Vec<i64> = (0..d).map(|_| draw(1, 4)).collect();
            let mut a: Vec<Vec<i64>> =
                (0..m).map(|_| (0..d).map(|_| draw(-4, 4)).collect()).collect();
            let mut b: Vec<i64> = (0..m).map(|_| draw(-3, 6)).collect();
            // Bounds of the box that brute force enumerates.
            for j in 0..d {
                a.push((0..d).map(|k| if k == j { -1 } else { 0 }).collect());
                b.push(-MOST);
            }
            let program = Program { c, a, b };
            let small = branch::<i128>(&program, d, 10_000).unwrap();
            assert_eq!(small, branch::<BigInt>(&program, d, 10_000).unwrap());
            match (small, brute(&program, MOST)) {
                (Optimum::Found { x, cost, bound }, Some(least)) => {
                    found += 1;
                    assert_eq!((cost, bound), (least, least), "{program:?}");
                    let dot = |a: &[i64]| a.iter().zip(&x).map(|(a, x)| a * x).sum::<i64>();
                    assert_eq!(dot(&program.c), cost);
                    assert!(program.a.iter().zip(&program.b).all(|(a, b)| dot(a) >= *b));
                    assert!(program.is_feasible());
                }
                (Optimum::Infeasible, None) => none += 1,
                (got, want) => panic!("{program:?}: {got:?} against {want:?}"),
            }
        }
        assert!(found > 300 && none > 100, "{found} {none}");
    }

    #[test]
    fn a_node_limit_returns_a_lower_bound() {
        // 2x + 2y ≥ 5: optimum 2.5 in fractions, 3 in integers.
        let program = Program { c: vec![1, 1], a: vec![vec![2, 2]], b: vec![5] };
        let open = Optimum::Open { bound: 3, scaled: Some(vec![5, 0]) };
        assert_eq!(program.integer_minimum(2, 0), open, "5/2 and 0");
        let Optimum::Found { cost: 3, bound: 3, .. } = program.integer_minimum(2, 100) else {
            panic!("{:?}", program.integer_minimum(2, 100));
        };
    }

    #[test]
    fn overflow_of_i128_falls_back_to_big_integers() {
        let a = vec![vec![i64::MAX, -1, 0], vec![-1, i64::MAX, -1], vec![0, -1, i64::MAX]];
        let program = Program { c: vec![1, 1, 1], a, b: vec![i64::MAX; 3] };
        assert!(program.is_feasible());
        let Optimum::Found { cost, .. } = program.integer_minimum(3, 1_000) else { panic!() };
        assert_eq!(cost, 6, "each is a little above 1");
        let huge = Program { c: vec![1], a: vec![vec![1], vec![1]], b: vec![i64::MAX, 0] };
        assert_eq!(
            huge.integer_minimum(1, 9),
            Optimum::Found { x: vec![i64::MAX], cost: i64::MAX, bound: i64::MAX }
        );
    }
}
