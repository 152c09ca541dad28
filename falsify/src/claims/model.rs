//! Models: scorecards and explanations of any hyperplanes, learned or not.

use super::fit::Data;
use crate::case::Case;
use crate::settings::Scheme;
use linsep::explain::Contest;
use linsep::model::scorecard::{Card, Column, Rows};
use linsep::model::{Cut, Decide, Link};
use linsep::{Label, LinearModel, Plane};

/// Coefficients and intercept.
pub type Hyperplane = (Vec<f64>, f64);

/// A scorecard: the positive class has Σ qⱼ xⱼ/10^eⱼ ≥ digits/10^places.
#[derive(Clone, Debug)]
pub struct Scorecard {
    /// qⱼ.
    pub points: Vec<i64>,
    /// eⱼ.
    pub units: Vec<i32>,
    /// Digits of the threshold.
    pub digits: i64,
    /// How many of them are behind the point.
    pub places: u32,
    /// Rows that the card is said to decide otherwise than the model.
    pub changed: usize,
    /// The model's decisions.
    pub positive: Vec<bool>,
}

/// A changed row and what is said of it.
#[derive(Clone, Debug)]
pub struct Change {
    /// The class of the row as it was.
    pub from: usize,
    /// The class of the changed row that is claimed.
    pub to: usize,
    /// The class that the model gives the changed row.
    pub scored: usize,
    /// The changed row.
    pub x: Vec<f64>,
    /// How far it is from the row.
    pub length: f64,
    /// Whether no shorter change is said to do it.
    pub least: bool,
}

fn model(case: &Case, hyperplanes: &[Hyperplane]) -> Result<LinearModel, String> {
    let decide = match case.settings.scheme {
        _ if case.rows.k == 2 => Decide::Sign,
        Scheme::OneVsRestButLast => Decide::OneOrLast,
        Scheme::OneVsOne => Decide::Vote,
        _ => Decide::ArgMax,
    };
    let classes = (0..case.rows.k).map(|c| Label::Number(c as f64)).collect();
    let planes = hyperplanes.iter().map(|(w, b)| Plane { w: w.clone(), b: *b }).collect();
    let cut = Cut { threshold: case.settings.threshold, abstain: None };
    LinearModel::new(classes, planes, decide)
        .and_then(|model| model.with_trust(Link::None, cut))
        .map_err(|e| e.to_string())
}

/// A scorecard of the first hyperplane for a case's rows, with points of so many bits.
pub fn scorecard(case: &Case, hyperplanes: &[Hyperplane], bits: u32) -> Result<Scorecard, String> {
    let data = Data::of(case)?;
    let model = model(case, hyperplanes)?;
    let text = |e: linsep::Error| e.to_string();
    let predicted = model.predict(&data.x).map_err(text)?;
    let positive: Vec<bool> = predicted.iter().map(|class| *class == 1).collect();
    let (w, b) = &hyperplanes[0];
    let columns: Vec<Column> = (0..w.len())
        .map(|j| {
            let binary = case.rows.x.iter().all(|row| row[j] == 0.0 || row[j] == 1.0);
            Column { weight: w[j], spread: (!binary).then_some(1.0) }
        })
        .collect();
    let rows = Rows { x: &data.x, positive: &positive };
    let card = Card::new(&columns, b - case.settings.threshold, bits, Some(rows)).map_err(text)?;
    Ok(Scorecard {
        points: card.points,
        units: card.units,
        digits: card.threshold.digits,
        places: card.threshold.places,
        changed: card.changed.ok_or("no rows were compared")?,
        positive,
    })
}

/// The nearest row of another class, and for each column the nearest value that leads to another class.
#[allow(clippy::type_complexity)]
pub fn changes(
    case: &Case,
    hyperplanes: &[Hyperplane],
    row: &[f64],
) -> Result<(Option<Change>, Vec<Option<Change>>), String> {
    let model = model(case, hyperplanes)?;
    let contest = Contest::new(&model);
    let class = |x: &[f64]| contest.class(&contest.scores(x));
    let from = class(row);
    let nearest = contest.nearest(row, &vec![1.0; row.len()], None).map(|flip| Change {
        from,
        to: flip.class,
        scored: class(&flip.x),
        length: flip.length,
        least: flip.exact,
        x: flip.x,
    });
    let slides = (0..row.len()).map(|j| {
        contest.slide(row, j, None).map(|(value, to)| {
            let mut x = row.to_vec();
            x[j] = value;
            let length = (value - row[j]).abs();
            Change { from, to, scored: class(&x), x, length, least: contest.is_convex() }
        })
    });
    Ok((nearest, slides.collect()))
}
