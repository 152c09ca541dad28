//! Scorecards: a plane in small whole numbers, with the decisions that this changes counted exactly.
//!
//! ```text
//!   class +1   where   w·x + b ≥ 0              the model
//!   class +1   where   Σ qⱼ xⱼ/10^eⱼ ≥ T        the card:  qⱼ whole, |qⱼ| ≤ 2^(B−1) − 1
//! ```
//!
//! Columns of 0 and 1 have eⱼ = 0: so many points where it holds. For a column of numbers 10^eⱼ is the unit that points are given for
//! ("3 points per 10 years"), the largest with which qⱼ fits.
//!
//! # The search
//!
//! 1. *Scales.* q = w·s·10^e, rounded, for a row of scales s from the largest that fits downwards. For each q the best T is found by sorting the
//!    rows' points: it leaves the fewest rows on the side where the model does not have them.
//! 2. *Repair.* Of the best, one qⱼ at a time is changed by 1, as long as that leaves fewer rows on a wrong side.
//! 3. *T* is the decimal number with the fewest digits that cuts the rows at the same place; a whole one where all points are whole.
//!
//! # What is certain
//!
//! The search is in doubles and may miss a better card. The count is not: of the card that is given, every row's decision is computed again in exact arithmetic
//! ([`Form`]), on the numbers as they are, and compared with the model's own.
//!
//! Cost: a sort of the rows per scale and per change tried; [`WORK`] bounds it.
//!
//! Related: Ustun & Rudin, *Learning optimized risk scores* (2019), who learn such points anew; here the model is given.

use crate::data::Design;
use crate::error::Error;
use crate::math::exact::{BigInt, Form, Rational};
use std::cmp::Ordering;

/// Rows times changes that repair looks at, at the most.
pub const WORK: usize = 60_000_000;
/// The most bits of a point.
pub const MOST_BITS: u32 = 31;

/// A column of the card.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Column {
    /// Its weight in the model.
    pub weight: f64,
    /// For a column of numbers, how far they are spread; `None` for one of 0 and 1.
    pub spread: Option<f64>,
}

/// Rows that a card is made for.
#[derive(Clone, Copy, Debug)]
pub struct Rows<'a> {
    /// The columns of the card.
    pub x: &'a Design,
    /// Whether the model has each row on the positive side.
    pub positive: &'a [bool],
}

/// m/10ᵏ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decimal {
    /// The digits.
    pub digits: i64,
    /// How many of them are behind the point.
    pub places: u32,
}

/// Points and where they decide.
#[derive(Clone, Debug, PartialEq)]
pub struct Card {
    /// qⱼ.
    pub points: Vec<i64>,
    /// eⱼ: points are for each 10^e.
    pub units: Vec<i32>,
    /// T: this many points or more are the positive class.
    pub threshold: Decimal,
    /// Rows that the card decides otherwise than the model, counted exactly; `None` without rows.
    pub changed: Option<usize>,
}

impl Decimal {
    /// As a fraction.
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
    /// The card with points of so many bits, sign included, that changes the fewest decisions of those found.
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

        // 1. Scales. A card with fewer points is better, where it is as good.
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

        // 3. Cut, and count exactly.
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

    /// Whether each row has enough points, exactly.
    pub fn decide(&self, x: &Design) -> Vec<bool> {
        let ten = |e: i32| BigInt::from(10).pow(e.unsigned_abs());
        let part = |(&q, &e): (&i64, &i32)| match e {
            0.. => Rational::new(q.into(), ten(e)),
            _ => Rational::whole(BigInt::from(q) * ten(e)),
        };
        let mut h: Vec<Rational> = self.points.iter().zip(&self.units).map(part).collect();
        h.push(self.threshold.exact().times(&Rational::whole(-1)));
        let (form, d) = (Form::new(&h), self.points.len());
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

/// Weights times the scale as whole numbers in units.
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

/// A card on its way, with the points of every row.
#[derive(Clone)]
struct Draft {
    points: Vec<i64>,
    units: Vec<i32>,
    totals: Vec<f64>,
}

/// Where the rows are best cut.
struct Cut {
    changed: usize,
    /// The most points on the negative side, and the fewest on the positive.
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

    /// Changes points by 1 as long as fewer decisions change.
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

/// The cut that leaves the fewest rows on a wrong side; of equals the one with the widest gap around it.
fn cut(totals: &[f64], positive: &[bool]) -> Cut {
    let mut order: Vec<(f64, bool)> =
        totals.iter().copied().zip(positive.iter().copied()).collect();
    order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    // All rows on the positive side: the negative ones are wrong.
    let mut changed = positive.iter().filter(|p| !**p).count();
    let first = order.first().map_or(0.0, |row| row.0);
    let mut best = Cut { changed, below: f64::NEG_INFINITY, from: first };
    for (k, &(total, positive)) in order.iter().enumerate() {
        changed = if positive { changed + 1 } else { changed - 1 };
        let next = order.get(k + 1).map_or(f64::INFINITY, |row| row.0);
        if next == total {
            continue; // rows with the same points go together
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

/// A number with few decimals above `below` and not above `from`: a whole one, if there is one.
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
        // In the middle, where both ends allow it.
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
    fn points_of_columns_of_words_and_of_numbers() {
        let columns = [
            Column { weight: 0.8, spread: None },
            Column { weight: -0.31, spread: None },
            number(0.012, 20.0),
        ];
        let card = Card::new(&columns, -0.5, 4, None).unwrap();
        // The largest is 7 points; a year is worth 0.105, so ten are 1.05 and a hundred would not fit.
        assert_eq!((card.points, card.units), (vec![7, -3, 1], vec![0, 0, 1]));
        assert_eq!(card.threshold, Decimal { digits: 4, places: 0 });
    }

    #[test]
    fn decimals_are_as_short_as_they_can_be() {
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
    fn the_cut_is_that_of_brute_force() {
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

    /// The count is what anybody gets who adds the points up; with many bits nothing changes.
    #[test]
    fn changes_are_counted_and_vanish_with_bits() {
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
            // By hand, in whole numbers: values are tenths, and units are powers of ten.
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
    fn what_makes_no_sense_is_refused() {
        let x = Design::dense(1, 2, vec![0.0, 1.0]).unwrap();
        let rows = Rows { x: &x, positive: &[true] };
        assert!(Card::new(&[], 0.0, 1, None).is_err());
        assert!(Card::new(&[number(1.0, 1.0)], 0.0, 4, Some(rows)).is_err());
        let two = [number(1.0, 1.0); 2];
        assert!(Card::new(&two, 0.0, 4, Some(Rows { x: &x, positive: &[] })).is_err());
        assert_eq!(Card::new(&two, 0.0, 4, Some(rows)).unwrap().changed, Some(0));
    }
}
