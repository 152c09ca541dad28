//! Random and adversarial problems, each from one seed.
//!
//! A problem has 2 to 60 rows, 1 to 5 columns and 2 to 4 classes. Rows come from a noisy linear
//! rule, from a few clusters, or from a coarse grid (with ties and duplicates). Then any of these
//! changes are made: an offset up to 1e12, a scale of a column, subnormal cells, a constant column,
//! duplicate columns, duplicate or conflicting rows, weights that are 0, small integers or huge.
//! The generator is `SplitMix64`, whose numbers depend on the seed alone.
//!
//! Source: Steele, Lea & Flood, *Fast splittable pseudorandom number generators*, OOPSLA (2014).

/// `SplitMix64` generator of pseudorandom numbers.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Returns the generator of a seed.
    pub fn new(seed: u64) -> Self {
        let mut random = Self(seed ^ 0x9e37_79b9_7f4a_7c15);
        random.bits();
        random
    }

    /// Returns 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns a uniform number in [0, 1).
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Returns a uniform number in [−1, 1).
    pub fn both(&mut self) -> f64 {
        2.0 * self.unit() - 1.0
    }

    /// Returns a uniform integer from 0 to n − 1.
    pub fn below(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }

    /// Returns true with probability p.
    pub fn chance(&mut self, p: f64) -> bool {
        self.unit() < p
    }

    /// Returns a random element.
    pub fn pick<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }
}

/// Rows, classes and sample weights.
#[derive(Clone, Debug)]
pub struct Rows {
    /// Cells, row by row.
    pub x: Vec<Vec<f64>>,
    /// Class of every row, 0 to k − 1; every class has positive weight.
    pub class: Vec<usize>,
    /// Sample weights.
    pub s: Vec<f64>,
    /// Number of classes.
    pub k: usize,
}

impl Rows {
    /// Draws rows of k classes; `hostile` is the probability of each adversarial change.
    pub fn draw(random: &mut Random, k: usize, hostile: f64) -> Self {
        let n = k + if random.chance(0.5) { random.below(10) } else { random.below(61 - k) };
        let d = 1 + if random.chance(0.7) { random.below(3) } else { random.below(5) };
        let noise = *random.pick(&[0.0, 0.01, 0.3, 1.0, 3.0]);
        let grid = random.chance(0.25);
        let truth: Vec<Vec<f64>> =
            (0..k).map(|_| (0..=d).map(|_| random.both()).collect()).collect();
        let mut x = Vec::with_capacity(n);
        let mut class = Vec::with_capacity(n);
        for i in 0..n {
            let row: Vec<f64> = (0..d)
                .map(|_| {
                    let value = 2.0 * random.both();
                    if grid { value.round() } else { value }
                })
                .collect();
            let best = (0..k)
                .map(|c| {
                    let z: f64 = row.iter().zip(&truth[c]).map(|(x, w)| x * w).sum();
                    z + truth[c][d] + noise * random.both()
                })
                .enumerate()
                .fold((0, f64::NEG_INFINITY), |best, now| if now.1 > best.1 { now } else { best });
            class.push(if i < k { i } else { best.0 });
            x.push(row);
        }
        let s = weights(random, n, k, hostile);
        let mut rows = Self { x, class, s, k };
        rows.perturb(random, hostile);
        rows
    }

    /// Makes the adversarial changes.
    fn perturb(&mut self, random: &mut Random, hostile: f64) {
        let (n, d) = (self.x.len(), self.x[0].len());
        if random.chance(hostile) {
            let offset = random.both() * ten(random.below(13));
            let j = random.below(d);
            self.x.iter_mut().for_each(|row| row[j] += offset);
        }
        if random.chance(hostile) {
            let scale = ten(random.below(17)) / 1e8;
            let j = random.below(d);
            self.x.iter_mut().for_each(|row| row[j] *= scale);
        }
        if random.chance(hostile / 10.0) {
            let j = random.below(d);
            for _ in 0..3 {
                self.x[random.below(n)][j] = f64::from_bits(random.bits() >> 13);
            }
        }
        if random.chance(hostile / 4.0) {
            let (j, value) = (random.below(d), random.both());
            self.x.iter_mut().for_each(|row| row[j] = value);
        }
        if d > 1 && random.chance(hostile / 4.0) {
            self.x.iter_mut().for_each(|row| row[d - 1] = row[0]);
        }
        if random.chance(hostile) {
            for _ in 0..=random.below(4) {
                let (from, to) = (random.below(n), random.below(n));
                self.x[to] = self.x[from].clone();
            }
        }
        if random.chance(hostile / 4.0) {
            // Mirror pairs x and −x: the rows are symmetric about 0, so that scores of exactly 0
            // occur.
            for i in 0..n / 2 {
                self.x[n - 1 - i] = self.x[i].iter().map(|v| -v).collect();
            }
        }
    }

    /// Formats the rows as CSV, the class and the weight last, so that a case can be reproduced
    /// with the program.
    pub fn csv(&self) -> String {
        let d = self.x[0].len();
        let head: Vec<String> = (0..d).map(|j| format!("x{j}")).collect();
        let mut text = format!("{},class,weight\n", head.join(","));
        for ((row, class), s) in self.x.iter().zip(&self.class).zip(&self.s) {
            row.iter().for_each(|v| text.push_str(&format!("{v:?},")));
            text.push_str(&format!("{class},{s:?}\n"));
        }
        text
    }
}

/// Draws sample weights; among the first k rows, one per class, weights are positive.
fn weights(random: &mut Random, n: usize, k: usize, hostile: f64) -> Vec<f64> {
    let whole = random.chance(hostile);
    let huge = random.chance(hostile / 3.0);
    (0..n)
        .map(|i| {
            let mut s = if whole { random.below(4) as f64 } else { 1.0 };
            if huge {
                s *= ten(random.below(7));
            }
            if i < k { s.max(1.0) } else { s }
        })
        .collect()
}

/// Returns 10ⁿ.
fn ten(n: usize) -> f64 {
    (0..n).fold(1.0, |power, _| power * 10.0)
}

/// Returns 10 to an integer power from −`low` to `high`, half of the time with a factor from 1 to
/// 10.
pub fn power(random: &mut Random, low: usize, high: usize) -> f64 {
    let factor = if random.chance(0.5) { 1.0 } else { 1.0 + 9.0 * random.unit() };
    factor * ten(random.below(low + high + 1)) / ten(low)
}
