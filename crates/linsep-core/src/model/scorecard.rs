//! Scorecards: a linear model with small integer points, and the exact count of changed
//! predictions.
//!
//! ```text
//!   class +1   where   w·x + b ≥ 0              the model
//!   class +1   where   Σ qⱼ xⱼ/10^eⱼ ≥ T        the card:  qⱼ integer, |qⱼ| ≤ 2^(B−1) − 1
//! ```
//!
//! 0/1 columns have eⱼ = 0: qⱼ points for a value of 1. For a numeric column 10^eⱼ is the unit of
//! its points ("3 points per 10 years"), the largest for which qⱼ fits.
//!
//! # Search
//!
//! 1. *Scales.* q = w·s·10^e, rounded, for a decreasing sequence of scales s, starting at the
//!    largest possible. For each q the best T is found by a sort of the rows' points: it changes
//!    the fewest predictions of the model.
//! 2. *Repair.* From the best q, single qⱼ are changed by 1 while that reduces the number of
//!    changed predictions.
//! 3. *T* is the decimal number with the fewest digits that separates the rows at the same place;
//!    an integer if all points are integers.
//!
//! # Exactness
//!
//! The search is in doubles and may miss a better card. The count is exact: every row's prediction
//! by the final card is computed in exact arithmetic ([`LinearForm`]) on the unrounded values, and
//! compared with the prediction of the model.
//!
//! Cost: a sort of the rows per scale and per change tried; [`WORK`] bounds it.
//!
//! Related: Ustun & Rudin, *Learning optimized risk scores* (2019), who fit the points to the data;
//! here the model is given.
//!
//! Over 400 lines: the search and its exact count share one type, and a quarter of it are tests.

use crate::data::Design;
use crate::error::Error;
use crate::math::exact::{BigInt, LinearForm, Rational};
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

/// Limit on rows times changes tried in the repair.
pub const WORK: usize = 60_000_000;
/// Largest number of bits of a point.
pub const MOST_BITS: u32 = 31;

/// Column of the card.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Column {
    /// Coefficient in the model.
    pub weight: f64,
    /// Standard deviation of a numeric column; `None` for a 0/1 column.
    pub spread: Option<f64>,
}

/// Rows for which a card is computed.
#[derive(Clone, Copy, Debug)]
pub struct Rows<'a> {
    /// Columns of the card.
    pub x: &'a Design,
    /// Whether the model predicts each row as positive.
    pub positive: &'a [bool],
}

/// Decimal number m/10ᵏ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decimal {
    /// Digits m.
    pub digits: i64,
    /// Number of decimal places k.
    pub places: u32,
}

/// Scorecard: points and threshold.
#[derive(Clone, Debug, PartialEq)]
pub struct Card {
    /// Points qⱼ.
    pub points: Vec<i64>,
    /// Exponents eⱼ: points are per 10^e.
    pub units: Vec<i32>,
    /// Threshold T: rows with this many points or more are positive.
    pub threshold: Decimal,
    /// Exact number of rows whose prediction differs from the model's; `None` without rows.
    pub changed: Option<usize>,
}

impl Decimal {
    /// Converts to an exact fraction.
    pub fn exact(self) -> Rational {
        Rational::new(self.digits.into(), BigInt::from(10).pow(self.places))
    }
}

impl std::fmt::Display for Decimal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (size, places) = (self.digits.unsigned_abs(), self.places as usize);
        let minus = if self.digits < 0 { "-" } else { "" };
        if places == 0 {
            return write!(f, "{minus}{size}");
        }
        let text = format!("{size:0>width$}", width = places + 1);
        let (whole, rest) = text.split_at(text.len() - places);
        write!(f, "{minus}{whole}.{rest}")
    }
}

impl Card {
    /// Searches the card with points of `bits` bits, sign included, that changes the fewest
    /// predictions.
    pub fn new(
        columns: &[Column],
        bias: f64,
        bits: u32,
        rows: Option<Rows<'_>>,
    ) -> Result<Self, Error> {
        if !(2..=MOST_BITS).contains(&bits) {
            return Err(Error::Setting { name: "bits", got: bits.into(), want: "from 2 to 31" });
        }
        let most = f64::from((1_u32 << (bits - 1)) - 1);
        let sizes = columns.iter().map(|c| c.weight.abs() * c.spread.unwrap_or(1.0));
        let largest = sizes.fold(0.0, f64::max);
        let scale = if largest > 0.0 { most / largest } else { 1.0 };
        let Some(rows) = rows else {
            let (points, units) = rounded(columns, scale, most);
            let threshold = shortest(-bias * scale - 0.5, -bias * scale + 0.5);
            return Ok(Self { points, units, threshold, changed: None });
        };
        check(columns, &rows)?;

        // 1. Scales. Among equally good cards the first, with the larger points, is kept.
        let mut best: Option<(usize, Draft)> = None;
        const SCALES: i32 = 48;
        for step in 0..SCALES {
            let scale = scale * 0.97_f64.powi(step);
            let (points, units) = rounded(columns, scale, most);
            let draft = Draft::new(points, units, &rows);
            let cut = draft.cut(&rows);
            if best.as_ref().is_none_or(|(changed, _)| cut.changed < *changed) {
                best = Some((cut.changed, draft));
            }
        }
        let (_, mut draft) = best.expect("there is a first scale");

        // 2. Repair.
        draft.repair(&rows, most as i64);

        // 3. Threshold, and the exact count.
        let cut = draft.cut(&rows);
        let mut card = Self {
            points: draft.points,
            units: draft.units,
            threshold: shortest(cut.below, cut.from),
            changed: None,
        };
        card.changed = Some(card.count(&rows));
        Ok(card)
    }

    /// Whether each row reaches the threshold, in exact arithmetic.
    pub fn decide(&self, x: &Design) -> Vec<bool> {
        let ten = |e: i32| BigInt::from(10).pow(e.unsigned_abs());
        let part = |(&q, &e): (&i64, &i32)| match e {
            0.. => Rational::new(q.into(), ten(e)),
            _ => Rational::whole(BigInt::from(q) * ten(e)),
        };
        let mut h: Vec<Rational> = self.points.iter().zip(&self.units).map(part).collect();
        h.push(self.threshold.exact().times(&Rational::whole(-1)));
        let (form, d) = (LinearForm::new(&h), self.points.len());
        let enough = |i: usize| {
            let mut row: Vec<(usize, f64)> = vec![(d, 1.0)];
            x.each_nonzero(i, |j, v| row.push((j, v)));
            form.sign(|| row.iter().copied()) != Ordering::Less
        };
        (0..x.n()).map(enough).collect()
    }

    fn count(&self, rows: &Rows<'_>) -> usize {
        self.decide(rows.x).iter().zip(rows.positive).filter(|(own, model)| own != model).count()
    }

    /// Σ|qⱼ|.
    pub fn size(&self) -> i64 {
        self.points.iter().map(|q| q.abs()).sum()
    }
}

fn check(columns: &[Column], rows: &Rows<'_>) -> Result<(), Error> {
    let (d, n) = (rows.x.d(), rows.x.n());
    if d != columns.len() {
        return Err(Error::Shape { what: "columns", got: d, want: columns.len() });
    }
    if rows.positive.len() != n {
        return Err(Error::Shape { what: "decisions", got: rows.positive.len(), want: n });
    }
    Ok(())
}

/// Coefficients times the scale, rounded to integers in units.
fn rounded(columns: &[Column], scale: f64, most: f64) -> (Vec<i64>, Vec<i32>) {
    let one = |column: &Column| {
        let size = column.weight.abs() * scale;
        if size == 0.0 || !size.is_finite() {
            return (0, 0);
        }
        let unit = match column.spread {
            None => 0,
            Some(_) => (most / size).log10().floor().clamp(-300.0, 300.0) as i32,
        };
        let points = (column.weight * scale * 10_f64.powi(unit)).round().clamp(-most, most);
        (points as i64, unit)
    };
    columns.iter().map(one).unzip()
}

/// Card during the search, with the total points of every row.
#[derive(Clone)]
struct Draft {
    points: Vec<i64>,
    units: Vec<i32>,
    totals: Vec<f64>,
}

/// Best threshold of the rows.
struct Cut {
    changed: usize,
    /// Largest total below the threshold, and smallest total from it on.
    below: f64,
    from: f64,
}

impl Draft {
    fn new(points: Vec<i64>, units: Vec<i32>, rows: &Rows<'_>) -> Self {
        let worth: Vec<f64> =
            points.iter().zip(&units).map(|(&q, &e)| q as f64 * 10_f64.powi(-e)).collect();
        let total = |i: usize| {
            let mut sum = 0.0;
            rows.x.each_nonzero(i, |j, v| sum += worth[j] * v);
            sum
        };
        let totals = (0..rows.x.n()).map(total).collect();
        Self { points, units, totals }
    }

    fn cut(&self, rows: &Rows<'_>) -> Cut {
        cut(&self.totals, rows.positive)
    }

    /// Changes single points by 1 while that reduces the number of changed predictions.
    fn repair(&mut self, rows: &Rows<'_>, most: i64) {
        let (n, d) = (rows.x.n(), self.points.len());
        let mut changed = self.cut(rows).changed;
        let mut work = WORK;
        let mut columns: Vec<Vec<(usize, f64)>> = vec![Vec::new(); d];
        if changed > 0 {
            (0..n).for_each(|i| rows.x.each_nonzero(i, |j, v| columns[j].push((i, v))));
        }
        let mut improved = true;
        while improved && changed > 0 {
            improved = false;
            for (j, column) in columns.iter().enumerate() {
                for step in [-1_i32, 1] {
                    if changed == 0 || (self.points[j] + i64::from(step)).abs() > most {
                        continue;
                    }
                    if work < n {
                        return;
                    }
                    work -= n;
                    let worth = f64::from(step) * 10_f64.powi(-self.units[j]);
                    column.iter().for_each(|(i, v)| self.totals[*i] += worth * v);
                    let now = self.cut(rows).changed;
                    if now < changed {
                        (changed, improved) = (now, true);
                        self.points[j] += i64::from(step);
                    } else {
                        column.iter().for_each(|(i, v)| self.totals[*i] -= worth * v);
                    }
                }
            }
        }
    }
}

/// Threshold that changes the fewest predictions, among equals the one in the widest gap.
fn cut(totals: &[f64], positive: &[bool]) -> Cut {
    let mut order: Vec<(f64, bool)> =
        totals.iter().copied().zip(positive.iter().copied()).collect();
    order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    // With all rows positive, the model's negative rows are changed.
    let mut changed = positive.iter().filter(|p| !**p).count();
    let first = order.first().map_or(0.0, |row| row.0);
    let mut best = Cut { changed, below: f64::NEG_INFINITY, from: first };
    for (k, &(total, positive)) in order.iter().enumerate() {
        changed = if positive { changed + 1 } else { changed - 1 };
        let next = order.get(k + 1).map_or(f64::INFINITY, |row| row.0);
        if next == total {
            continue; // rows with equal totals stay together
        }
        let wider = |cut: &Cut| {
            let gap =
                |below: f64, from: f64| if (from - below).is_finite() { from - below } else { 0.0 };
            gap(total, next) > gap(cut.below, cut.from)
        };
        if changed < best.changed || (changed == best.changed && wider(&best)) {
            best = Cut { changed, below: total, from: next };
        }
    }
    best
}

/// Decimal number with few places, above `below` and at most `from`; an integer if one lies there.
fn shortest(below: f64, from: f64) -> Decimal {
    const MOST_PLACES: u32 = 12;
    let (below, from) = match (below.is_finite(), from.is_finite()) {
        (true, true) => (below, from),
        (false, true) => (from.floor() - 1.0, from),
        (true, false) => (below, below.floor() + 1.0),
        (false, false) => (-1.0, 0.0),
    };
    for places in 0..=MOST_PLACES {
        let power = 10_f64.powi(places.cast_signed());
        // The middle, if it is within the bounds.
        let middle = (below.midpoint(from) * power).round();
        for digits in [middle, (from * power).floor()] {
            let value = digits / power;
            if value > below && value <= from && digits.abs() < 9e15 {
                return Decimal { digits: digits as i64, places };
            }
        }
    }
    Decimal { digits: (from * 1e12).clamp(-9e15, 9e15) as i64, places: MOST_PLACES }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::rng::Rng;

    fn number(weight: f64, spread: f64) -> Column {
        Column { weight, spread: Some(spread) }
    }

    #[test]
    fn points_of_categorical_and_numeric_columns() {
        let columns = [
            Column { weight: 0.8, spread: None },
            Column { weight: -0.31, spread: None },
            number(0.012, 20.0),
        ];
        let card = Card::new(&columns, -0.5, 4, None).unwrap();
        // The largest has 7 points; a year is worth 0.105, so ten are 1.05 and a hundred would not
        // fit.
        assert_eq!((card.points, card.units), (vec![7, -3, 1], vec![0, 0, 1]));
        assert_eq!(card.threshold, Decimal { digits: 4, places: 0 });
    }

    #[test]
    fn thresholds_have_the_fewest_decimal_places() {
        let text = |below, from| shortest(below, from).to_string();
        assert_eq!(text(2.0, 3.0), "3");
        assert_eq!(text(2.2, 2.9), "2.6");
        assert_eq!(text(-0.4, -0.3), "-0.3");
        assert_eq!(text(-1.5, 2.0), "0");
        assert_eq!(text(f64::NEG_INFINITY, -7.5), "-8");
        assert_eq!(text(3.2, f64::INFINITY), "4");
        assert_eq!(Decimal { digits: -25, places: 3 }.to_string(), "-0.025");
        assert_eq!(Decimal { digits: 7, places: 0 }.exact().to_string(), "7");
    }

    #[test]
    fn the_threshold_equals_that_of_brute_force() {
        for round in 0..300 {
            let mut rng = Rng::new(21, round);
            let n = 1 + rng.below(12) as usize;
            let totals: Vec<f64> = (0..n).map(|_| rng.below(6) as f64 - 3.0).collect();
            let positive: Vec<bool> = (0..n).map(|_| rng.below(2) == 1).collect();
            let wrong =
                |t: f64| totals.iter().zip(&positive).filter(|(v, p)| (**v >= t) != **p).count();
            let least = (-8..8).map(|t| wrong(f64::from(t) / 2.0)).min().unwrap();
            let cut = cut(&totals, &positive);
            assert_eq!(cut.changed, least);
            let threshold = shortest(cut.below, cut.from).exact().to_f64();
            assert_eq!(wrong(threshold), least, "{totals:?} {positive:?} {threshold}");
        }
    }

    /// The count equals that of a recomputation; with many bits nothing changes.
    #[test]
    fn changed_predictions_are_counted_and_vanish_with_more_bits() {
        for round in 0..40 {
            let mut rng = Rng::new(22, round);
            let (n, d) = (200, 6);
            let values: Vec<f64> = (0..n * d)
                .map(|at| {
                    if at % d < 3 {
                        rng.below(2) as f64
                    } else {
                        (rng.unit() * 1000.0).round() / 10.0
                    }
                })
                .collect();
            let x = Design::dense(n, d, values).unwrap();
            let columns: Vec<Column> = (0..d)
                .map(|j| {
                    let weight = rng.unit() - 0.5;
                    if j < 3 {
                        Column { weight, spread: None }
                    } else {
                        number(weight / 40.0, 30.0)
                    }
                })
                .collect();
            let score = |i: usize| {
                x.row(i).iter().zip(&columns).map(|(v, c)| v * c.weight).sum::<f64>() + 0.1
            };
            let positive: Vec<bool> = (0..n).map(|i| score(i) >= 0.0).collect();
            let rows = Rows { x: &x, positive: &positive };
            let few = Card::new(&columns, 0.1, 3, Some(rows)).unwrap();
            let many = Card::new(&columns, 0.1, 24, Some(rows)).unwrap();
            assert_eq!(many.changed, Some(0));
            assert!(few.points.iter().all(|q| q.abs() <= 3));
            assert!(few.changed.unwrap() < 40, "{few:?}");
            // Recomputed in integers: values are tenths, and units are powers of ten.
            let total = |i: usize| {
                let row = x.row(i);
                let part = |j: usize| {
                    let tenths = (row[j] * 10.0).round() as i128;
                    tenths * i128::from(few.points[j]) * 10_i128.pow((12 - few.units[j]) as u32)
                };
                (0..d).map(part).sum::<i128>()
            };
            let threshold =
                i128::from(few.threshold.digits) * 10_i128.pow(13 - few.threshold.places);
            let changed = (0..n).filter(|&i| (total(i) >= threshold) != positive[i]).count();
            assert!(
                changed.abs_diff(few.changed.unwrap()) <= 1,
                "tenths are no doubles: ties may differ"
            );
        }
    }

    #[test]
    fn invalid_arguments_are_rejected() {
        let x = Design::dense(1, 2, vec![0.0, 1.0]).unwrap();
        let rows = Rows { x: &x, positive: &[true] };
        assert!(Card::new(&[], 0.0, 1, None).is_err());
        assert!(Card::new(&[number(1.0, 1.0)], 0.0, 4, Some(rows)).is_err());
        let two = [number(1.0, 1.0); 2];
        assert!(Card::new(&two, 0.0, 4, Some(Rows { x: &x, positive: &[] })).is_err());
        assert_eq!(Card::new(&two, 0.0, 4, Some(rows)).unwrap().changed, Some(0));
    }
}
