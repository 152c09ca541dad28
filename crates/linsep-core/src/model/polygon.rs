//! Convex polygons in the hyperplane, with corners in counterclockwise order.
//!
//! A line w·x + b = 0 divides a polygon into the parts with w·x + b ≥ 0 and with w·x + b ≤ 0. Each
//! corner stays on its side, and an edge with a change of sign gets a new corner on the line. The
//! parts of a convex polygon are convex.
//!
//! The area of a polygon is half the sum of its corners' cross products (the shoelace formula).

use crate::data::Hyperplane;

/// Point in two dimensions.
pub type Point = [f64; 2];

/// Edge shared by two polygons, with the position of its first corner in each.
pub(super) struct Edge {
    pub ends: [Point; 2],
    in_a: usize,
    in_b: usize,
}

fn close(a: Point, b: Point, near: f64) -> bool {
    (a[0] - b[0]).abs() <= near && (a[1] - b[1]).abs() <= near
}

/// Edge of a that is an edge of b in the reverse direction.
pub(super) fn shared(a: &[Point], b: &[Point], near: f64) -> Option<Edge> {
    for in_a in 0..a.len() {
        let ends = [a[in_a], a[(in_a + 1) % a.len()]];
        if close(ends[0], ends[1], near) {
            continue;
        }
        let back =
            |j: &usize| close(b[*j], ends[1], near) && close(b[(j + 1) % b.len()], ends[0], near);
        if let Some(in_b) = (0..b.len()).find(back) {
            return Some(Edge { ends, in_a, in_b });
        }
    }
    None
}

/// Union of two convex polygons with a shared edge, if it is convex. Corners on a straight line are
/// dropped.
pub(super) fn join(a: &[Point], b: &[Point], near: f64) -> Option<Vec<Point>> {
    let edge = shared(a, b, near)?;
    // Around a from the end of the edge to its start, then around b between them.
    let from_a = (1..=a.len()).map(|step| a[(edge.in_a + step) % a.len()]);
    let from_b = (2..b.len()).map(|step| b[(edge.in_b + step) % b.len()]);
    let mut all: Vec<Point> = from_a.chain(from_b).collect();
    // Lines through one point give corners that differ by rounding only.
    all.dedup_by(|a, b| close(*a, *b, near));
    if all.len() > 1 && close(all[0], all[all.len() - 1], near) {
        all.pop();
    }
    let n = all.len();
    let mut corners = Vec::with_capacity(n);
    for i in 0..n {
        let (before, here, after) = (all[(i + n - 1) % n], all[i], all[(i + 1) % n]);
        let [u, v] = [minus(here, before), minus(after, here)];
        let turn = cross(u, v);
        let straight = near * (length(u) + length(v));
        if turn < -straight {
            return None;
        }
        if turn > straight {
            corners.push(here);
        }
    }
    (corners.len() > 2).then_some(corners)
}

/// Parts of a convex polygon with a nonpositive and a nonnegative score.
pub(super) fn cut(corners: &[Point], line: &Hyperplane) -> (Vec<Point>, Vec<Point>) {
    let (mut negative, mut positive) = (Vec::new(), Vec::new());
    let scores: Vec<f64> = corners.iter().map(|corner| line.at(corner)).collect();
    if scores.iter().all(|z| *z >= 0.0) {
        return (negative, corners.to_vec());
    }
    if scores.iter().all(|z| *z <= 0.0) {
        return (corners.to_vec(), positive);
    }
    for (i, (&here, &z)) in corners.iter().zip(&scores).enumerate() {
        let next = (i + 1) % corners.len();
        if z <= 0.0 {
            negative.push(here);
        }
        if z >= 0.0 {
            positive.push(here);
        }
        if z * scores[next] < 0.0 {
            let (there, part) = (corners[next], z / (z - scores[next]));
            let on = [0, 1].map(|axis| here[axis] + part * (there[axis] - here[axis]));
            negative.push(on);
            positive.push(on);
        }
    }
    (negative, positive)
}

pub(super) fn area(corners: &[Point]) -> f64 {
    let Some(&first) = corners.first() else { return 0.0 };
    // Relative to the first corner, against cancellation far from the origin.
    let spokes: Vec<Point> = corners.iter().map(|corner| minus(*corner, first)).collect();
    0.5 * spokes.windows(2).map(|pair| cross(pair[0], pair[1])).sum::<f64>()
}

pub(super) fn center(corners: &[Point]) -> Point {
    let n = corners.len() as f64;
    [0, 1].map(|axis| corners.iter().map(|corner| corner[axis] / n).sum())
}

pub(super) fn minus(a: Point, b: Point) -> Point {
    [a[0] - b[0], a[1] - b[1]]
}

pub(super) fn cross(a: Point, b: Point) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

fn length(a: Point) -> f64 {
    a[0].hypot(a[1])
}
