//! Decision regions in a rectangle, for two features: exact polygons, ambiguous regions included.
//!
//! * **Sign, argmax**: the region of class j is the intersection of the rectangle with the
//!   half-planes zⱼ ≥ zₗ for every other l. It is convex, as an intersection of half-planes: if x
//!   and x′ are in it, so is every point between them. Cost: k² intersections.
//! * **One or last, votes**: the lines divide the rectangle into cells, one line after the other.
//!   No score changes sign within a cell, so the center of a cell determines its prediction.
//!   Adjacent cells with the same prediction are then merged while the result is convex. m lines
//!   give at most m(m+1)/2 + 1 cells.
//!
//! Over 400 lines: half of them are tests of both constructions against point-wise predictions.

use super::polygon::{Point, area, center, cut, join, shared};
use super::{DecisionRule, LinearModel};
use crate::data::Hyperplane;
use crate::error::Error;
use serde::{Deserialize, Serialize};

/// Rectangle of the plot, given by two opposite corners.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Window {
    /// Lower left corner.
    #[serde(with = "crate::float")]
    pub low: Point,
    /// Upper right corner.
    #[serde(with = "crate::float")]
    pub high: Point,
}

/// Convex piece of a region.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Piece {
    /// Class predicted in the piece, by position; in an ambiguous piece, the class at its center.
    pub class: u32,
    /// Whether the piece is ambiguous: no class wins there.
    pub ambiguous: bool,
    /// Corners, counterclockwise.
    #[serde(with = "crate::float")]
    pub corners: Vec<Point>,
}

/// Partition of a rectangle into decision regions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Regions {
    /// Pieces; their union is the rectangle.
    pub pieces: Vec<Piece>,
    /// Segments between pieces of different predictions.
    #[serde(with = "crate::float")]
    pub borders: Vec<[Point; 2]>,
    /// Area of the rectangle.
    #[serde(with = "crate::float")]
    pub area: f64,
}

/// Largest number of lines, the pairs of sixteen classes; more cells are of no use in a plot.
const MOST_LINES: usize = 120;

impl Regions {
    /// Computes the regions of a model with two features.
    pub fn of(model: &LinearModel, window: &Window) -> Result<Self, Error> {
        if model.d() != 2 {
            return Err(Error::Shape { what: "columns", got: model.d(), want: 2 });
        }
        for (low, high) in window.low.iter().zip(&window.high) {
            if !(low < high && (high - low).is_finite()) {
                let want = "a finite width above 0";
                return Err(Error::Setting { name: "window", got: high - low, want });
            }
        }
        let pieces = match model.decision_rule() {
            DecisionRule::Sign => by_sign(model, window),
            DecisionRule::ArgMax => by_argmax(model, window),
            DecisionRule::OneOrLast | DecisionRule::Vote => by_cells(model, window)?,
        };
        let borders = borders(&pieces, window);
        let pieces = together(pieces, window);
        Ok(Self { pieces, borders, area: area(&window.corners()) })
    }

    /// Ambiguous share of the rectangle.
    pub fn ambiguous(&self) -> f64 {
        self.share(|piece| piece.ambiguous)
    }

    /// Share of the rectangle won by a class.
    pub fn of_class(&self, class: u32) -> f64 {
        self.share(|piece| piece.class == class && !piece.ambiguous)
    }

    fn share(&self, wanted: impl Fn(&Piece) -> bool) -> f64 {
        let areas = self.pieces.iter().filter(|piece| wanted(piece)).map(Piece::area);
        areas.fold(0.0, |sum, area| sum + area) / self.area
    }
}

/// Edges shared by pieces of different predictions.
fn borders(pieces: &[Piece], window: &Window) -> Vec<[Point; 2]> {
    let near = 1e-9 * window.size();
    let mut lines = Vec::new();
    for (i, a) in pieces.iter().enumerate() {
        for b in pieces[..i].iter().filter(|b| a.answer() != b.answer()) {
            lines.extend(shared(&a.corners, &b.corners, near).map(|edge| edge.ends));
        }
    }
    lines
}

impl Window {
    /// Corners, counterclockwise.
    pub fn corners(&self) -> Vec<Point> {
        let ([left, low], [right, high]) = (self.low, self.high);
        vec![[left, low], [right, low], [right, high], [left, high]]
    }

    /// Part of the rectangle where no score is negative: a convex polygon, or nothing.
    pub fn inside(&self, hyperplanes: &[Hyperplane]) -> Vec<Point> {
        let keep = |corners: Vec<Point>, hyperplane: &Hyperplane| cut(&corners, hyperplane).1;
        let corners = hyperplanes.iter().fold(self.corners(), keep);
        if corners.len() > 2 { corners } else { Vec::new() }
    }

    fn size(&self) -> f64 {
        (self.high[0] - self.low[0]).max(self.high[1] - self.low[1])
    }
}

impl Piece {
    /// Class that wins in the piece; `None` in an ambiguous piece, where the tie-breaking class
    /// varies.
    fn answer(&self) -> Option<u32> {
        (!self.ambiguous).then_some(self.class)
    }

    /// Area of the piece.
    pub fn area(&self) -> f64 {
        area(&self.corners)
    }
}

fn by_sign(model: &LinearModel, window: &Window) -> Vec<Piece> {
    let mut hyperplane = model.hyperplanes()[0].clone();
    hyperplane.b -= model.operating_point().threshold;
    let (negative, positive) = cut(&window.corners(), &hyperplane);
    let pieces = [(0, negative), (1, positive)].into_iter().filter(|(_, part)| part.len() > 2);
    pieces.map(|(class, corners)| Piece { class, ambiguous: false, corners }).collect()
}

fn by_argmax(model: &LinearModel, window: &Window) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for (j, own) in model.hyperplanes().iter().enumerate() {
        let mut corners = window.corners();
        for (l, other) in model.hyperplanes().iter().enumerate() {
            let mut ahead = own.clone();
            ahead.step(-1.0, other);
            // Of two equal hyperplanes, the first has the region.
            if ahead.is_zero() && l < j {
                corners.clear();
            }
            if corners.len() > 2 && l != j {
                corners = cut(&corners, &ahead).1;
            }
        }
        if corners.len() > 2 {
            pieces.push(Piece { class: j as u32, ambiguous: false, corners });
        }
    }
    pieces
}

fn by_cells(model: &LinearModel, window: &Window) -> Result<Vec<Piece>, Error> {
    let lines = model.hyperplanes();
    if lines.len() > MOST_LINES {
        let what = "hyperplanes in a plot of regions";
        return Err(Error::TooLarge { what, got: lines.len(), most: MOST_LINES });
    }
    // Three lines through one point give, by rounding, a cell of no area.
    let least = 1e-12 * area(&window.corners());
    let mut cells = vec![window.corners()];
    for line in lines {
        let parts = cells.iter().flat_map(|cell| <[_; 2]>::from(cut(cell, line)));
        cells = parts.filter(|part| area(part) > least).collect();
    }
    let answer = |corners: Vec<Point>| {
        let center = center(&corners);
        let scores: Vec<f64> = lines.iter().map(|line| line.at(&center)).collect();
        let (class, ambiguous) =
            (model.decision_rule().class(&scores), model.decision_rule().ambiguous(&scores));
        Piece { class, ambiguous, corners }
    };
    Ok(cells.into_iter().map(answer).collect())
}

/// Merges pieces with the same prediction while the result is convex.
fn together(mut pieces: Vec<Piece>, window: &Window) -> Vec<Piece> {
    let near = 1e-9 * window.size();
    loop {
        let before = pieces.len();
        let mut i = 0;
        while i < pieces.len() {
            let joined = (i + 1..pieces.len()).find_map(|j| {
                let (a, b) = (&pieces[i], &pieces[j]);
                let same = a.answer() == b.answer();
                let union = if same { join(&a.corners, &b.corners, near) } else { None };
                union.map(|corners| (j, corners))
            });
            match joined {
                Some((j, corners)) => {
                    pieces[i].corners = corners;
                    pieces.swap_remove(j);
                }
                None => i += 1,
            }
        }
        // A merge can make another one possible.
        if pieces.len() == before {
            return pieces;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Label;
    use crate::math::rng::Rng;
    use crate::model::polygon::{cross, minus};

    const WINDOW: Window = Window { low: [-2.0, -1.0], high: [3.0, 2.0] };

    fn model(hyperplanes: &[([f64; 2], f64)], k: usize, decide: DecisionRule) -> LinearModel {
        let classes = (0..k).map(|c| Label::Number(c as f64)).collect();
        let hyperplanes =
            hyperplanes.iter().map(|(w, b)| Hyperplane { w: w.to_vec(), b: *b }).collect();
        LinearModel::new(classes, hyperplanes, decide).unwrap()
    }

    fn random(rng: &mut Rng, k: usize, decide: DecisionRule) -> LinearModel {
        let number = |rng: &mut Rng| 4.0 * rng.unit() - 2.0;
        let hyperplanes: Vec<_> =
            (0..decide.hyperplanes(k)).map(|_| ([number(rng), number(rng)], number(rng))).collect();
        model(&hyperplanes, k, decide)
    }

    #[test]
    fn half_planes_intersect_in_a_polygon_or_nothing() {
        let hyperplane = |w: [f64; 2], b| Hyperplane { w: w.to_vec(), b };
        // x ≥ 0 and y ≥ x: a triangle of the window with corners (0, 0), (2, 2), (0, 2).
        let cone = WINDOW.inside(&[hyperplane([1.0, 0.0], 0.0), hyperplane([-1.0, 1.0], 0.0)]);
        assert!((area(&cone) - 2.0).abs() < 1e-12, "{cone:?}");
        assert_eq!(
            WINDOW.inside(&[hyperplane([1.0, 0.0], -1.0), hyperplane([-1.0, 0.0], 0.0)]),
            [[0.0; 2]; 0]
        );
        assert_eq!(WINDOW.inside(&[]), WINDOW.corners());
    }

    /// Whether a point lies inside a convex polygon; `None` on its boundary.
    fn inside(corners: &[Point], x: Point) -> Option<bool> {
        let turns: Vec<f64> = (0..corners.len())
            .map(|i| {
                let (a, b) = (corners[i], corners[(i + 1) % corners.len()]);
                cross(minus(b, a), minus(x, a))
            })
            .collect();
        let edge = turns.iter().any(|t| t.abs() < 1e-9);
        (!edge).then(|| turns.iter().all(|t| *t > 0.0))
    }

    #[test]
    fn pieces_cover_the_window_and_agree_with_the_model() {
        let mut rng = Rng::new(4, 0);
        let rules = [
            (DecisionRule::Sign, 2),
            (DecisionRule::ArgMax, 5),
            (DecisionRule::OneOrLast, 5),
            (DecisionRule::Vote, 4),
        ];
        for (decide, k) in rules {
            for _ in 0..40 {
                let model = random(&mut rng, k, decide);
                let regions = Regions::of(&model, &WINDOW).unwrap();
                let whole: f64 = regions.pieces.iter().map(Piece::area).sum();
                assert!((whole - 15.0).abs() < 1e-9, "{decide:?} {whole}");
                assert_eq!(regions.area, 15.0);
                for _ in 0..50 {
                    let x = [5.0 * rng.unit() - 2.0, 3.0 * rng.unit() - 1.0];
                    let scores: Vec<f64> = model.hyperplanes().iter().map(|p| p.at(&x)).collect();
                    let want = (decide.class(&scores), decide.ambiguous(&scores));
                    for piece in &regions.pieces {
                        if inside(&piece.corners, x) == Some(true) {
                            let got = (piece.class, piece.ambiguous);
                            // Among pairs, sums break ties and vary within a cell; the tie itself
                            // does not.
                            assert_eq!(got.1, want.1, "{decide:?}");
                            assert!(want.1 || got.0 == want.0, "{decide:?}");
                        }
                    }
                }
            }
        }
    }

    /// The lectures' argument: with x and x′, every point between them.
    #[test]
    fn regions_of_the_largest_score_are_convex() {
        let mut rng = Rng::new(9, 0);
        for _ in 0..200 {
            let model = random(&mut rng, 6, DecisionRule::ArgMax);
            let regions = Regions::of(&model, &WINDOW).unwrap();
            for piece in &regions.pieces {
                let n = piece.corners.len();
                for i in 0..n {
                    let [a, b, c] = [0, 1, 2].map(|step| piece.corners[(i + step) % n]);
                    assert!(cross(minus(b, a), minus(c, b)) > -1e-9, "never a turn to the right");
                }
            }
            let mut classes: Vec<u32> = regions.pieces.iter().map(|piece| piece.class).collect();
            classes.dedup();
            assert_eq!(classes.len(), regions.pieces.len(), "one piece per class");
            // The same, checked by points.
            for _ in 0..20 {
                let mut point = || [5.0 * rng.unit() - 2.0, 3.0 * rng.unit() - 1.0];
                let (a, b) = (point(), point());
                let class = |x: Point| {
                    let scores: Vec<f64> = model.hyperplanes().iter().map(|p| p.at(&x)).collect();
                    DecisionRule::ArgMax.class(&scores)
                };
                if class(a) == class(b) {
                    let t = rng.unit();
                    let between = [0, 1].map(|axis| t * a[axis] + (1.0 - t) * b[axis]);
                    assert_eq!(class(between), class(a));
                }
            }
        }
    }

    #[test]
    fn the_ambiguous_region_of_two_hyperplanes_is_a_quadrant() {
        // x ≥ 0 is for the first class, y ≥ 0 for the second: both in a 3 × 2 corner of 5 × 3, none
        // in 2 × 1.
        let model = model(&[([1.0, 0.0], 0.0), ([0.0, 1.0], 0.0)], 3, DecisionRule::OneOrLast);
        let regions = Regions::of(&model, &WINDOW).unwrap();
        let shares = [0, 1, 2].map(|class| (regions.of_class(class) * 15.0).round());
        assert_eq!((shares, (regions.ambiguous() * 15.0).round()), ([3.0, 4.0, 2.0], 6.0));
    }

    #[test]
    fn the_ambiguous_region_of_three_votes_is_a_triangle() {
        // Three lines around a triangle of base 2 and height 1: inside, 1 beats 0, 0 beats 2 and 2
        // beats 1.
        let hyperplanes = [([0.0, 1.0], 0.0), ([1.0, 1.0], -1.0), ([1.0, -1.0], 1.0)];
        let model = model(&hyperplanes, 3, DecisionRule::Vote);
        let regions = Regions::of(&model, &WINDOW).unwrap();
        assert!((regions.ambiguous() - 1.0 / 15.0).abs() < 1e-12, "{}", regions.ambiguous());
        let open: Vec<&Piece> = regions.pieces.iter().filter(|piece| piece.ambiguous).collect();
        assert_eq!(open.iter().map(|piece| piece.area()).sum::<f64>(), 1.0);
        // Borders are parts of the three lines.
        assert!(regions.borders.len() >= 6, "{:?}", regions.borders);
        for [a, b] in regions.borders {
            let middle = [0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1])];
            assert!(model.hyperplanes().iter().any(|line| line.at(&middle).abs() < 1e-9));
        }
    }

    /// Votes derived from one score per class have no cycles. Three of their lines always meet in
    /// one point, and the regions are those of the largest score.
    #[test]
    fn lines_through_one_point_leave_no_gaps() {
        let mut rng = Rng::new(2, 0);
        for k in [3, 4, 6] {
            for _ in 0..30 {
                let scores = random(&mut rng, k, DecisionRule::ArgMax);
                let pairs: Vec<_> = DecisionRule::Vote
                    .class_pairs(k)
                    .iter()
                    .map(|class_pair| {
                        let mut line = scores.hyperplanes()[class_pair.positive].clone();
                        line.step(-1.0, &scores.hyperplanes()[class_pair.negative.unwrap()]);
                        ([line.w[0], line.w[1]], line.b)
                    })
                    .collect();
                let votes = Regions::of(&model(&pairs, k, DecisionRule::Vote), &WINDOW).unwrap();
                let whole: f64 = votes.pieces.iter().map(Piece::area).sum();
                assert!((whole - 15.0).abs() < 1e-6, "{k} {whole}");
                assert!(votes.ambiguous() < 1e-9, "{k} {}", votes.ambiguous());
                let largest = Regions::of(&scores, &WINDOW).unwrap();
                for class in 0..k as u32 {
                    let (a, b) = (votes.of_class(class), largest.of_class(class));
                    assert!((a - b).abs() < 1e-6, "{k} {class}: {a} {b}");
                }
            }
        }
    }

    #[test]
    fn equal_or_zero_hyperplanes_leave_no_gaps() {
        let zero = ([0.0, 0.0], 0.0);
        let flat = Regions::of(&model(&[zero; 3], 3, DecisionRule::ArgMax), &WINDOW).unwrap();
        assert_eq!((flat.pieces.len(), flat.of_class(0)), (1, 1.0));
        let flat = Regions::of(&model(&[zero; 3], 3, DecisionRule::Vote), &WINDOW).unwrap();
        assert_eq!((flat.pieces.len(), flat.of_class(2)), (1, 1.0));
        let equal = [([1.0, 0.0], 0.0), ([1.0, 0.0], 0.0), ([-1.0, 0.0], 0.0)];
        let equal = Regions::of(&model(&equal, 3, DecisionRule::ArgMax), &WINDOW).unwrap();
        assert_eq!((equal.of_class(0), equal.of_class(1), equal.of_class(2)), (0.6, 0.0, 0.4));
    }

    #[test]
    fn models_and_windows_that_cannot_be_drawn_are_rejected() {
        let classes = vec![Label::Number(0.0), Label::Number(1.0)];
        let wide = vec![Hyperplane { w: vec![1.0; 3], b: 0.0 }];
        let wide = LinearModel::new(classes, wide, DecisionRule::Sign).unwrap();
        assert_eq!(
            Regions::of(&wide, &WINDOW),
            Err(Error::Shape { what: "columns", got: 3, want: 2 })
        );
        let flat = Window { low: [0.0, 0.0], high: [1.0, 0.0] };
        let line = model(&[([1.0, 0.0], 0.0)], 2, DecisionRule::Sign);
        assert!(Regions::of(&line, &flat).is_err());
        let many = random(&mut Rng::new(1, 1), 40, DecisionRule::Vote);
        assert!(Regions::of(&many, &WINDOW).unwrap_err().to_string().contains("780"));
    }
}
