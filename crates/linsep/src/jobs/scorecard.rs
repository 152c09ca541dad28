//! Export of a model of two classes as a scorecard of small integers.

use crate::card::{ColumnPart, Line, lines, rows};
use crate::error::Error;
use crate::model_file::ModelFile;
use linsep_core::model::scorecard::{Card, Decimal, Rows};
use linsep_core::{DecisionRule, Label};
use linsep_io::{Input, Location};
use serde::{Deserialize, Serialize};

/// Limit of the search for the fewest bits that change no prediction.
const MOST_TRIED: u32 = 24;

/// Bits of a point without data to compare with.
const USUAL: u32 = 8;

/// Request for a scorecard.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Scorecard {
    /// Bits per point, sign included [default: the fewest that change no prediction on the data, at
    /// most 24; without data 8].
    pub bits: Option<u32>,
}

/// A scorecard, compared with its model on data, if these are given.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ScorecardOutcome {
    /// The classes; the second is predicted from the threshold on.
    pub classes: Vec<Label>,
    /// Lines with nonzero points.
    pub lines: Vec<CardLine>,
    /// Number of all lines.
    pub of: usize,
    /// Least total of the second class.
    pub threshold: Decimal,
    /// Bits per point.
    pub bits: u32,
    /// Name and number of rows of the compared data.
    pub data: Option<(String, usize)>,
    /// Number of rows whose prediction differs from the model's, in exact arithmetic.
    pub changed: Option<usize>,
    /// Number of rows with missing values, which were not compared.
    pub dropped: usize,
    /// Path of the scorecard, if it was written to a file.
    pub saved: Option<String>,
}

/// Line of a scorecard.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CardLine {
    /// The column of the file.
    pub column: String,
    /// The part of the column with these points.
    pub part: ColumnPart,
    /// Points, per 10^`unit` of a number.
    pub points: i64,
    /// Exponent of the unit.
    pub unit: i32,
}

impl Scorecard {
    /// Converts the model `name`, and compares its predictions on data with the model's.
    pub fn run(
        &self,
        model_file: &ModelFile,
        name: &str,
        data: Option<Input>,
    ) -> Result<ScorecardOutcome, Error> {
        let model = model_file.linear(name)?;
        if model.decision_rule() != DecisionRule::Sign {
            let problem = format!(
                "a scorecard requires a model of two classes, found {}. Fit a model of two \
                 classes, for instance with `label-map`.",
                model.k()
            );
            return Err(Error::data(Location::file(name), problem));
        }
        let lines = lines(name, model_file)?;
        let columns: Vec<_> = lines.iter().map(|(_, _, column)| *column).collect();
        let intercept = model.hyperplanes()[0].b - model.operating_point().threshold;
        let (mut compared, mut dropped) = (None, 0);
        let (card, bits) = match data {
            None => {
                let bits = self.bits.unwrap_or(USUAL);
                (Card::new(&columns, intercept, bits, None)?, bits)
            }
            Some(input) => {
                let name = input.name().to_owned();
                let rows = rows(model_file, input)?;
                dropped = rows.dropped;
                let positive: Vec<bool> =
                    model.predict(&rows.model)?.into_iter().map(|c| c == 1).collect();
                compared = Some((name, positive.len()));
                let own = Rows { x: &rows.card, positive: &positive };
                let mut bits = self.bits.unwrap_or(2);
                let mut card = Card::new(&columns, intercept, bits, Some(own))?;
                while self.bits.is_none() && card.changed != Some(0) && bits < MOST_TRIED {
                    bits += 1;
                    card = Card::new(&columns, intercept, bits, Some(own))?;
                }
                (card, bits)
            }
        };
        let of = lines.len();
        let points = card.points.iter().zip(&card.units);
        let line = |((column, part, _), (&points, &unit)): (Line, (&i64, &i32))| CardLine {
            column,
            part,
            points,
            unit,
        };
        Ok(ScorecardOutcome {
            classes: model.classes().to_vec(),
            lines: lines.into_iter().zip(points).map(line).filter(|l| l.points != 0).collect(),
            of,
            threshold: card.threshold,
            bits,
            data: compared,
            changed: card.changed,
            dropped,
            saved: None,
        })
    }
}
