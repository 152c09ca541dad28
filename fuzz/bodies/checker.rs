//! The checker of `verify`: a forged certificate is accepted only if its claim is true.
//!
//! The bytes encode a few rows of small integers and a list of forgeries. The certificate of linsep
//! for these rows is forged and checked. Every accepted certificate must hold by two independent
//! methods, neither of which shares code with the checker:
//!
//! * the kind of separation, by Fourier–Motzkin elimination on the signed rows;
//! * each part, in 128-bit rational arithmetic.

use linsep::SeparationCertificate;
use linsep::certificate::{ExactHyperplane, Rows};
use linsep::core::certify::separation::{Limits, separate};
use linsep::core::{Cancel, Design, Label, Labels, Problem};

/// Reader of bytes; returns zeros after the last byte.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn next(&mut self) -> u8 {
        let Some((&first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        first
    }

    /// Returns a number below `n`.
    fn below(&mut self, n: usize) -> usize {
        usize::from(self.next()) % n.max(1)
    }
}

/// Rows of small integers with classes and weights.
struct Data {
    d: usize,
    k: usize,
    x: Vec<Vec<i128>>,
    class: Vec<usize>,
    live: Vec<bool>,
}

impl Data {
    fn new(bytes: &mut Bytes<'_>) -> Self {
        let k = 2 + usize::from(bytes.below(4) == 3);
        let d = if k == 2 { 1 + bytes.below(3) } else { 1 };
        let n = k + bytes.below(6 - k + 1);
        let mut data = Self { d, k, x: Vec::new(), class: Vec::new(), live: Vec::new() };
        for i in 0..n {
            let class = bytes.next();
            // The first k rows are of different classes.
            data.class.push(if i < k { i } else { usize::from(class) % k });
            data.live.push(i < k || class < 0xE0);
            data.x.push((0..d).map(|_| i128::from(bytes.next() % 7) - 3).collect());
        }
        data
    }

    /// Returns the signed rows of positive weight, each with its row and the other class; one block
    /// per class except the first, in `order`.
    fn signed(&self, order: &[usize]) -> Vec<(usize, usize, Vec<i128>)> {
        let mut signed = Vec::new();
        for i in (0..self.x.len()).filter(|&i| self.live[i]) {
            for &other in order.iter().filter(|&&c| c != self.class[i]) {
                let part = |sign: i128| self.x[i].iter().chain([&1]).map(move |v| sign * v);
                let blocks = order[1..].iter().flat_map(|&c| {
                    part(i128::from(c == self.class[i]) - i128::from(c == other))
                        .collect::<Vec<_>>()
                });
                signed.push((i, other, blocks.collect()));
            }
        }
        signed
    }
}

/// Checks forged certificates of rows of small integers.
pub(crate) fn checker(data: &[u8]) {
    let bytes = &mut Bytes(data);
    let data = Data::new(bytes);
    let (n, d) = (data.x.len(), data.d);
    let x = Design::dense(n, d, data.x.concat().iter().map(|&v| v as f64).collect())
        .expect("small numbers");
    let classes: Vec<Label> = (0..data.k).map(|c| Label::Number(c as f64)).collect();
    let codes: Vec<u32> = data.class.iter().map(|&c| c as u32).collect();
    let labels = Labels::from_codes(&classes, &codes);
    let weights = data.live.iter().map(|&live| f64::from(u8::from(live))).collect();
    let problem = Problem::new(&x, &labels, Some(weights)).expect("every class has a row");

    // 1. The true kind of separation, and that of linsep.
    let order: Vec<usize> = (0..data.k).collect();
    let truth = verdict(&data.signed(&order));
    let answer = separate(&problem, None, &Limits::default(), &mut ()).expect("it is a problem");
    if let Some(truth) = truth {
        assert_eq!(answer.verdict.name(), truth);
    }
    let Some(evidence) = answer.evidence else { panic!("small problems are decided") };
    let names = (0..d).map(|j| format!("x{j}")).collect();
    let mut certificate =
        SeparationCertificate::new(&problem, None, names, &evidence).expect("it fits");
    certificate.check("c", &problem, &Cancel::default()).expect("what was not forged is accepted");

    // 2. Forge and check, a few times.
    for _ in 0..24 {
        if bytes.0.is_empty() {
            break;
        }
        forge(&mut certificate, bytes);
        if certificate.check("c", &problem, &Cancel::default()).is_ok() {
            if let Some(truth) = truth {
                assert_eq!(certificate.verdict, truth, "accepted, but false: {certificate:?}");
            }
            assert_ne!(holds(&certificate, &data), Some(false), "accepted: {certificate:?}");
        }
    }
}

/// Returns a small fraction as text, not always in lowest terms.
fn fraction(bytes: &mut Bytes<'_>) -> String {
    let (p, q) = (i16::from(bytes.next().cast_signed()), bytes.next());
    if q < 0xC0 { p.to_string() } else { format!("{p}/{}", q - 0xBF) }
}

/// Makes one change to a certificate.
fn forge(certificate: &mut SeparationCertificate, bytes: &mut Bytes<'_>) {
    let names = ["complete", "quasi-complete", "overlap", "undecided", "none"];
    let op = bytes.next();
    let part = |certificate: &mut SeparationCertificate| -> Option<Rows> {
        let part = if op < 128 { &certificate.dependence } else { &certificate.spanning };
        part.clone()
    };
    let put = |certificate: &mut SeparationCertificate, rows: Option<Rows>| {
        *(if op < 128 { &mut certificate.dependence } else { &mut certificate.spanning }) = rows;
    };
    match op % 12 {
        0 => names[bytes.below(names.len())].clone_into(&mut certificate.verdict),
        1 => {
            if let Some(hyperplanes) = &mut certificate.hyperplanes {
                let at = bytes.below(hyperplanes.len());
                let Some(hyperplane) = hyperplanes.get_mut(at) else { return };
                let at = bytes.below(hyperplane.w.len() + 1);
                *hyperplane.w.get_mut(at).unwrap_or(&mut hyperplane.b) = fraction(bytes);
            }
        }
        2 => {
            let (k, d) = (certificate.data.classes.len(), certificate.data.columns.len());
            let hyperplane = |class| {
                let w = (0..d).map(|_| fraction(bytes)).collect();
                ExactHyperplane { class, w, b: fraction(bytes) }
            };
            let class = usize::from(certificate.data.positive != Some(0));
            certificate.hyperplanes = Some(
                if k == 2 { vec![class] } else { (1..k).collect() }
                    .into_iter()
                    .map(hyperplane)
                    .collect(),
            );
        }
        3 => certificate.hyperplanes = None,
        4 => put(certificate, None),
        5 => {
            let other =
                if op < 128 { &certificate.spanning } else { &certificate.dependence }.clone();
            put(certificate, other);
        }
        6 => {
            let mut rows = part(certificate);
            if let Some(rows) = &mut rows {
                rows.rows.push(bytes.below(8));
                rows.weights.push(fraction(bytes));
                if let Some(against) = &mut rows.against {
                    against.push(bytes.below(4));
                }
            }
            put(certificate, rows);
        }
        7 => {
            let mut rows = part(certificate);
            if let Some(rows) = &mut rows {
                let at = bytes.below(rows.rows.len());
                rows.rows.get_mut(at).into_iter().for_each(|row| *row = bytes.below(8));
            }
            put(certificate, rows);
        }
        8 => {
            let mut rows = part(certificate);
            if let Some(rows) = &mut rows {
                let at = bytes.below(rows.weights.len());
                rows.weights.get_mut(at).into_iter().for_each(|weight| *weight = fraction(bytes));
            }
            put(certificate, rows);
        }
        9 => {
            let mut rows = part(certificate);
            if let Some(rows) = &mut rows {
                rows.rows.pop();
                rows.weights.pop();
                rows.against.as_mut().map(Vec::pop);
            }
            put(certificate, rows);
        }
        10 => {
            let against = (certificate.data.classes.len() > 2).then(Vec::new);
            put(certificate, Some(Rows { rows: Vec::new(), against, weights: Vec::new() }));
        }
        _ => certificate.data.positive = [None, Some(0), Some(1), Some(2)][bytes.below(4)],
    }
}

/// Returns the kind of separation by definition; `None` if the elimination takes too long.
fn verdict(signed: &[(usize, usize, Vec<i128>)]) -> Option<&'static str> {
    let positive = |at: usize| {
        let rows = signed.iter().enumerate().map(|(i, (_, _, row))| (row.clone(), i == at));
        feasible(rows.collect())
    };
    let can = (0..signed.len()).map(positive).collect::<Option<Vec<bool>>>()?;
    Some(match can.iter().filter(|can| **can).count() {
        0 => "overlap",
        some if some == signed.len() => "complete",
        _ => "quasi-complete",
    })
}

/// Whether some h has a·h ≥ 0 for every row a, and a·h > 0 for the marked rows. Fourier–Motzkin
/// elimination removes the coordinates of h one by one.
fn feasible(mut rows: Vec<(Vec<i128>, bool)>) -> Option<bool> {
    const MOST: usize = 2_000;
    for j in 0..rows.first().map_or(0, |(row, _)| row.len()) {
        let (mut next, mut up, mut down) = (Vec::new(), Vec::new(), Vec::new());
        for row in rows {
            match row.0[j].signum() {
                0 => next.push(row),
                1 => up.push(row),
                _ => down.push(row),
            }
        }
        if up.len() * down.len() > MOST {
            return None;
        }
        for (a, strict) in &up {
            for (b, also) in &down {
                let sum = |(&p, &q): (&i128, &i128)| {
                    a[j].checked_mul(q)?.checked_add(b[j].checked_neg()?.checked_mul(p)?)
                };
                let row: Vec<i128> = a.iter().zip(b).map(sum).collect::<Option<_>>()?;
                let g = row.iter().fold(0, |g, v| gcd(g, *v)).max(1);
                next.push((row.into_iter().map(|v| v / g).collect(), *strict || *also));
            }
        }
        next.sort();
        next.dedup();
        rows = next;
    }
    // The remaining rows have no coordinates and state 0 ≥ 0 or 0 > 0.
    Some(!rows.iter().any(|(_, strict)| *strict))
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}

/// A fraction in lowest terms.
#[derive(Clone, Copy)]
struct Small(i128, i128);

impl Small {
    fn parse(text: &str) -> Option<Self> {
        let (p, q) = text.split_once('/').unwrap_or((text, "1"));
        Some(Self(p.parse().ok()?, q.parse().ok()?))
    }

    fn plus(self, other: Self) -> Option<Self> {
        let num = self.0.checked_mul(other.1)?.checked_add(other.0.checked_mul(self.1)?)?;
        let den = self.1.checked_mul(other.1)?;
        let g = gcd(num, den).max(1);
        Some(Self(num / g, den / g))
    }

    fn times(self, by: i128) -> Option<Self> {
        Some(Self(self.0.checked_mul(by)?, self.1))
    }
}

/// Σ wⱼ vⱼ.
fn product<'a>(terms: impl Iterator<Item = (&'a String, i128)>) -> Option<Small> {
    terms.into_iter().try_fold(Small(0, 1), |sum, (w, v)| sum.plus(Small::parse(w)?.times(v)?))
}

/// Whether the parts of a certificate are valid: hyperplanes with no row on the wrong side, and
/// positive combinations of distinct rows equal to zero. `None` if 128 bits overflow.
fn holds(certificate: &SeparationCertificate, data: &Data) -> Option<bool> {
    let mut order: Vec<usize> = (0..data.k).collect();
    if certificate.data.positive == Some(0) {
        order.reverse();
    }
    let signed = data.signed(&order);
    if let Some(hyperplanes) = &certificate.hyperplanes {
        let h: Vec<&String> = hyperplanes.iter().flat_map(|p| p.w.iter().chain([&p.b])).collect();
        let (mut strict, mut on) = (false, false);
        for (_, _, row) in &signed {
            match product(h.iter().copied().zip(row.iter().copied()))?.0.signum() {
                0 => on = true,
                1 => strict = true,
                _ => return Some(false),
            }
        }
        if !strict || (on && certificate.verdict == "complete") {
            return Some(false);
        }
    }
    for part in [&certificate.dependence, &certificate.spanning].into_iter().flatten() {
        let mut used = Vec::new();
        for (i, &row) in part.rows.iter().enumerate() {
            let other = part.against.as_ref().map(|against| against[i]);
            let fits = |(own, against, _): &&(usize, usize, Vec<i128>)| {
                *own == row && other.is_none_or(|other| other == *against)
            };
            let Some(found) = signed.iter().find(fits) else { return Some(false) };
            used.push(found);
        }
        let mut names: Vec<(usize, usize)> = used.iter().map(|(i, c, _)| (*i, *c)).collect();
        names.sort_unstable();
        names.dedup();
        let positive = part.weights.iter().all(|w| Small::parse(w).is_none_or(|w| w.0 > 0));
        if names.len() != used.len() || used.is_empty() || !positive {
            return Some(false);
        }
        for j in 0..signed[0].2.len() {
            let terms = part.weights.iter().zip(used.iter().map(|(_, _, row)| row[j]));
            if product(terms)?.0 != 0 {
                return Some(false);
            }
        }
    }
    Some(true)
}
