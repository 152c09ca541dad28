//! Decision regions of a model of two features. Ambiguous regions are gray and hatched, to differ
//! from a pale color.

use super::Fact;
use super::scatter::axes;
use crate::number::percent;
use linsep::core::model::{Piece, Point, Window};
use linsep::jobs::plot::RegionsPlot;
use linsep::model_file::Header;
use linsep_plot::{Chart, Mark, Rgb, SeriesStyle};
use serde_json::{Value, json};

pub(super) fn chart(plot: &RegionsPlot) -> Chart {
    let (x, y) = axes(&plot.axes, &plot.window);
    let scheme = plot.multiclass.as_deref().map_or(String::new(), |s| format!(", {s}"));
    let ambiguous = plot.ambiguous.map_or(String::new(), |s| format!(": {} ambiguous", percent(s)));
    let mut chart = Chart::new("Decision regions", x, y)
        .subtitle(&format!("{}{scheme}{ambiguous}", plot.method))
        .describe("Regions by predicted class, with the rows of the data as points.");
    let areas = |wanted: &dyn Fn(&Piece) -> bool| {
        let pieces = plot.regions.pieces.iter().filter(|piece| wanted(piece));
        Mark::Areas(pieces.map(|piece| corners(&piece.corners)).collect())
    };
    for (c, class) in (0..).zip(&plot.classes) {
        let mark = areas(&|piece| piece.class == c && !piece.ambiguous);
        chart = chart.named(&class.to_string(), mark, SeriesStyle::nth(c as usize));
    }
    if plot.regions.ambiguous() > 0.0 {
        let color = Rgb(0x80, 0x80, 0x80);
        let gray = SeriesStyle { opacity: 0.3, color, ..SeriesStyle::reference() };
        let name = "ambiguous region";
        chart = chart.named(name, areas(&|piece| piece.ambiguous), gray);
        let hatch = plot.regions.pieces.iter().filter(|piece| piece.ambiguous);
        let lines = hatch.flat_map(|piece| hatch_lines(&piece.corners, &plot.window)).collect();
        chart = chart.named(name, Mark::Hatch(lines), SeriesStyle { width: 0.8, ..gray });
    }
    let line = |[a, b]: &[Point; 2]| [(a[0], a[1]), (b[0], b[1])];
    let borders = plot.regions.borders.iter().map(line).collect();
    chart = chart.layer(Mark::Segments(borders), SeriesStyle::reference());
    for (c, (class, rows)) in plot.classes.iter().zip(&plot.rows).enumerate() {
        chart = chart.named(&class.to_string(), Mark::Points(rows.clone()), SeriesStyle::nth(c));
    }
    chart
}

/// Shares of the classes in the plot area, and the ambiguous share.
pub(super) fn facts(plot: &RegionsPlot) -> Vec<Fact> {
    const SHOWN: usize = 12;
    let all = || plot.classes.iter().zip(&plot.shares);
    let json = |(class, share)| json!({ "class": Header::class(class), "share": share });
    let text: Vec<String> =
        all().take(SHOWN).map(|(class, share)| format!("{class} {}", percent(*share))).collect();
    let value = all().map(json).collect::<Vec<Value>>().into();
    let mut facts = vec![Fact { key: "shares", label: "shares", value, text: text.join(", ") }];
    if let Some(share) = plot.ambiguous {
        let text = format!("{} of the plot area", percent(share));
        facts.push(Fact { key: "ambiguous", label: "ambiguous", value: json!(share), text });
    }
    facts
}

fn corners(points: &[Point]) -> Vec<(f64, f64)> {
    points.iter().map(|p| (p[0], p[1])).collect()
}

/// Returns the hatching lines of a convex polygon, parallel to the diagonal of the plot.
fn hatch_lines(corners: &[Point], window: &Window) -> Vec<[(f64, f64); 2]> {
    const LINES: f64 = 60.0;
    let wide = [window.high[0] - window.low[0], window.high[1] - window.low[1]];
    // Lines are the level sets of integer levels.
    let level =
        |p: Point| LINES * ((p[1] - window.low[1]) / wide[1] - (p[0] - window.low[0]) / wide[0]);
    let levels: Vec<f64> = corners.iter().map(|p| level(*p)).collect();
    let low = levels.iter().copied().fold(f64::INFINITY, f64::min);
    let high = levels.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut lines = Vec::new();
    let mut at = low.ceil();
    while at < high {
        let mut ends = Vec::new();
        for i in 0..corners.len() {
            let next = (i + 1) % corners.len();
            let (a, b) = (levels[i] - at, levels[next] - at);
            if (a < 0.0) != (b < 0.0) {
                let part = a / (a - b);
                let along = |axis: usize| {
                    corners[i][axis] + part * (corners[next][axis] - corners[i][axis])
                };
                ends.push((along(0), along(1)));
            }
        }
        if let [a, b] = ends[..] {
            lines.push([a, b]);
        }
        at += 1.0;
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hatching_stays_inside_the_polygon() {
        let window = Window { low: [0.0, 0.0], high: [1.0, 1.0] };
        let square = [[0.2, 0.2], [0.4, 0.2], [0.4, 0.4], [0.2, 0.4]];
        let lines = hatch_lines(&square, &window);
        assert!(
            (22..=25).contains(&lines.len()),
            "levels from −12 to 12, the ends of which are corners"
        );
        for (x, y) in lines.concat() {
            assert!(
                (0.2 - 1e-12..=0.4 + 1e-12).contains(&x)
                    && (0.2 - 1e-12..=0.4 + 1e-12).contains(&y)
            );
        }
    }
}
