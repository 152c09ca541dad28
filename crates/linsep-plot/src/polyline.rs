//! Clipping of lines and polygons to a frame, and thinning of lines.
//!
//! Clipping is done here, not by the SVG, whose clip paths need ids that clash if two plots are in
//! one page. Segments are clipped by the parameters where they enter and leave (Liang and Barsky,
//! 1984). Polygons are clipped by one side of the frame after another (Sutherland and Hodgman,
//! 1974). Thinning removes points without a visible effect (Ramer 1972, Douglas and Peucker 1973):
//! a curve of a thousand points keeps about fifty.

use crate::scene::Point;

/// Axis-parallel rectangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Frame {
    pub(crate) left: f64,
    pub(crate) top: f64,
    pub(crate) right: f64,
    pub(crate) bottom: f64,
}

impl Frame {
    pub(crate) fn width(&self) -> f64 {
        self.right - self.left
    }

    pub(crate) fn height(&self) -> f64 {
        self.bottom - self.top
    }

    pub(crate) fn contains(&self, (x, y): Point) -> bool {
        (self.left..=self.right).contains(&x) && (self.top..=self.bottom).contains(&y)
    }

    /// Returns the pieces of a line inside the frame. A point that is not finite breaks the line.
    pub(crate) fn clip_line(&self, points: &[Point]) -> Vec<Vec<Point>> {
        let mut pieces: Vec<Vec<Point>> = Vec::new();
        let mut open = false;
        for pair in points.windows(2) {
            let Some((a, b, whole)) = self.clip_segment(pair[0], pair[1]) else {
                open = false;
                continue;
            };
            match pieces.last_mut() {
                Some(piece) if open => piece.push(b),
                _ => pieces.push(vec![a, b]),
            }
            // A piece continues only if the segment ends inside the frame.
            open = whole;
        }
        pieces
    }

    /// Returns the part of a segment inside the frame, and whether it contains the end of the
    /// segment.
    fn clip_segment(&self, a: Point, b: Point) -> Option<(Point, Point, bool)> {
        let (dx, dy) = (b.0 - a.0, b.1 - a.1);
        if !(dx.is_finite() && dy.is_finite()) {
            return None;
        }
        let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
        let sides = [
            (-dx, a.0 - self.left),
            (dx, self.right - a.0),
            (-dy, a.1 - self.top),
            (dy, self.bottom - a.1),
        ];
        for (outwards, room) in sides {
            if outwards == 0.0 && room < 0.0 {
                return None;
            }
            if outwards < 0.0 {
                enter = enter.max(room / outwards);
            } else if outwards > 0.0 {
                leave = leave.min(room / outwards);
            }
        }
        if enter > leave {
            return None;
        }
        let at = |t: f64| (a.0 + t * dx, a.1 + t * dy);
        let from = if enter == 0.0 { a } else { at(enter) };
        let to = if leave == 1.0 { b } else { at(leave) };
        Some((from, to, leave == 1.0))
    }

    /// Returns the part of a polygon inside the frame; points that are not finite are omitted.
    pub(crate) fn clip_polygon(&self, points: &[Point]) -> Vec<Point> {
        let finite = points.iter().copied().filter(|p| p.0.is_finite() && p.1.is_finite());
        let mut shape: Vec<Point> = finite.collect();
        // Signed distance of a point from each side, positive inside.
        let sides: [&dyn Fn(Point) -> f64; 4] =
            [&|p| p.0 - self.left, &|p| self.right - p.0, &|p| p.1 - self.top, &|p| {
                self.bottom - p.1
            }];
        for inside in sides {
            let mut kept = Vec::with_capacity(shape.len() + 4);
            for (i, &b) in shape.iter().enumerate() {
                let a = shape[(i + shape.len() - 1) % shape.len()];
                let (da, db) = (inside(a), inside(b));
                if (da < 0.0) != (db < 0.0) {
                    let t = da / (da - db);
                    kept.push((a.0 + t * (b.0 - a.0), a.1 + t * (b.1 - a.1)));
                }
                if db >= 0.0 {
                    kept.push(b);
                }
            }
            shape = kept;
        }
        shape
    }
}

/// Removes points within `tolerance` of the remaining line.
pub(crate) fn simplify(points: &[Point], tolerance: f64) -> Vec<Point> {
    let Some(last) = points.len().checked_sub(1) else { return Vec::new() };
    let mut keep = vec![false; points.len()];
    (keep[0], keep[last]) = (true, true);
    let mut open = vec![(0, last)];
    while let Some((from, to)) = open.pop() {
        let far = (from + 1..to)
            .map(|i| (distance(points[i], points[from], points[to]), i))
            .fold((tolerance, 0), |far, next| if next.0 > far.0 { next } else { far });
        if far.1 > 0 {
            keep[far.1] = true;
            open.extend([(from, far.1), (far.1, to)]);
        }
    }
    points.iter().zip(keep).filter_map(|(p, keep)| keep.then_some(*p)).collect()
}

/// Distance of a point from a segment.
fn distance(p: Point, a: Point, b: Point) -> f64 {
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let length = dx * dx + dy * dy;
    let t = if length == 0.0 { 0.0 } else { ((p.0 - a.0) * dx + (p.1 - a.1) * dy) / length };
    let t = t.clamp(0.0, 1.0);
    (p.0 - a.0 - t * dx).hypot(p.1 - a.1 - t * dy)
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNIT: Frame = Frame { left: 0.0, top: 0.0, right: 1.0, bottom: 1.0 };

    #[test]
    fn a_line_is_clipped_into_the_pieces_inside() {
        let line = [(-1.0, 0.5), (0.5, 0.5), (0.5, 2.0), (0.75, 2.0), (0.75, 0.0)];
        let want = vec![vec![(0.0, 0.5), (0.5, 0.5), (0.5, 1.0)], vec![(0.75, 1.0), (0.75, 0.0)]];
        assert_eq!(UNIT.clip_line(&line), want);
        assert_eq!(UNIT.clip_line(&[(2.0, 0.0), (2.0, 1.0)]), Vec::<Vec<Point>>::new());
        let peak = [(0.0, 0.0), (0.5, 2.0), (1.0, 0.0)];
        let want = vec![vec![(0.0, 0.0), (0.25, 1.0)], vec![(0.75, 1.0), (1.0, 0.0)]];
        assert_eq!(UNIT.clip_line(&peak), want, "its top is outside");
    }

    #[test]
    fn a_point_that_is_not_finite_breaks_a_line() {
        let line = [(0.0, 0.0), (0.1, 0.1), (f64::NAN, 0.2), (0.3, 0.3), (0.4, 0.4)];
        assert_eq!(UNIT.clip_line(&line).len(), 2);
    }

    #[test]
    fn a_polygon_around_the_frame_becomes_the_frame() {
        let around = [(-9.0, -9.0), (9.0, -9.0), (9.0, 9.0), (-9.0, 9.0)];
        let cut = UNIT.clip_polygon(&around);
        assert_eq!(cut.len(), 4);
        assert!(cut.iter().all(|&p| UNIT.contains(p)), "{cut:?}");
        assert_eq!(UNIT.clip_polygon(&[(2.0, 2.0), (3.0, 2.0), (3.0, 3.0)]), []);
    }

    #[test]
    fn thinning_keeps_only_the_corners() {
        let hinge: Vec<Point> =
            (0..=600).map(|i| f64::from(i) - 300.0).map(|x| (x, (-x).max(0.0))).collect();
        assert_eq!(simplify(&hinge, 0.05), [(-300.0, 300.0), (0.0, 0.0), (300.0, 0.0)]);
        let arc: Vec<Point> = (0..=600).map(|i| (f64::from(i), f64::from(i * i) / 900.0)).collect();
        let thinned = simplify(&arc, 0.05);
        assert!(thinned.len() < 100, "{}", thinned.len());
        for p in arc {
            let near = thinned.windows(2).map(|s| distance(p, s[0], s[1])).fold(9.0, f64::min);
            assert!(near <= 0.05 + 1e-9);
        }
    }
}
