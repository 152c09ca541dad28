//! Numeric columns that standardization does not bring to the scale of the other columns.
//!
//! * **Too small**: below [`MIN_DEVIATION`] the coefficients in raw units would overflow.
//! * **Drowned**: a few outliers determine the standard deviation. All other numbers of the column
//!   differ, but are numerically equal once standardized.

use linsep_core::features::{ColumnStatistics, MIN_DEVIATION};
use linsep_io::table::Table;

/// Reason why standardization fails for a numeric column.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ScaleProblem {
    /// The numbers are nearly equal.
    TooSmall { range: f64 },
    /// All but a few rows are within a millionth of the standard deviation.
    Outliers { rows: Vec<usize>, largest: f64 },
}

/// Differences below this, in standard deviations, are numerically zero in training.
const NOTHING: f64 = 1e-6;

impl ScaleProblem {
    /// Examines the column in a slot; returns `None` if standardization works. Rows of weight 0 are
    /// ignored.
    pub(crate) fn of(
        table: &Table,
        slot: usize,
        spread: &ColumnStatistics,
        weights: &[f64],
    ) -> Option<Self> {
        if spread.is_constant() || spread.weight == 0.0 {
            return None;
        }
        if spread.deviation < MIN_DEVIATION {
            return Some(Self::TooSmall { range: spread.max - spread.min });
        }
        let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
        let (mut far, mut near) = (Vec::new(), 0);
        for i in (0..table.rows).filter(|&i| weights[i] > 0.0) {
            let x = table.row(i)[slot];
            if x.is_nan() {
                continue;
            }
            if (x - spread.mean).abs() > spread.deviation {
                far.push(i);
                continue;
            }
            (least, most, near) = (least.min(x), most.max(x), near + 1);
            // Early exit for most columns after a few rows.
            if most - least >= NOTHING * spread.deviation {
                return None;
            }
        }
        let size = |i: &usize| table.row(*i)[slot];
        let by_size = |a: &f64, b: &f64| a.abs().total_cmp(&b.abs());
        let largest = far.iter().map(size).max_by(by_size)?;
        (least < most && far.len() * 10 <= near).then_some(Self::Outliers { rows: far, largest })
    }

    /// Describes the reason, to follow the name of the column.
    pub(crate) fn what(&self) -> String {
        match self {
            Self::TooSmall { range } => {
                format!("its values differ by at most {range:.1e}, too little to standardize")
            }
            Self::Outliers { rows, largest } => format!(
                "{} up to {largest:.1e}; after standardization all other values are nearly equal",
                if rows.len() == 1 {
                    "1 outlier".to_owned()
                } else {
                    format!("{} outliers", rows.len())
                },
            ),
        }
    }

    /// Returns the remedy.
    pub(crate) fn advice(&self) -> &'static str {
        match self {
            Self::TooSmall { .. } => "multiply the column by a power of ten",
            Self::Outliers { .. } => {
                "correct these values, mark them as missing, or drop the column"
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use linsep_core::features::column_statistics;

    fn poor(numbers: &[f64]) -> Option<ScaleProblem> {
        let (rows, numbers) = (numbers.len(), numbers.to_vec());
        let numbers = numbers.into();
        let table = Table { rows, width: 1, numbers, ..Table::default() };
        let weights = vec![1.0; rows];
        let spread = column_statistics(&table.numbers, 1, &weights)[0];
        ScaleProblem::of(&table, 0, &spread, &weights)
    }

    #[test]
    fn outliers_among_distinct_numbers_are_reported() {
        let mut numbers: Vec<f64> = (0..50).map(f64::from).collect();
        assert_eq!(poor(&numbers), None);
        numbers[7] = 1e200;
        assert_eq!(poor(&numbers), Some(ScaleProblem::Outliers { rows: vec![7], largest: 1e200 }));
        numbers[7] = -1e5;
        assert_eq!(poor(&numbers), None, "a thousandth of a standard deviation is not negligible");
        let mut flags = [0.0; 50];
        flags[3] = 1e9;
        assert_eq!(poor(&flags), None, "no information is lost if all other values are equal");
        let halves: Vec<f64> = (0..50).map(|i| f64::from(i % 2) * 1e9 + f64::from(i)).collect();
        assert_eq!(poor(&halves), None);
    }

    #[test]
    fn too_small_numbers_are_reported() {
        assert!(matches!(poor(&[1e-300, 2e-300, 5e-300]), Some(ScaleProblem::TooSmall { .. })));
        assert_eq!(poor(&[1e-200, 2e-200, 5e-200]), None);
        assert_eq!(poor(&[0.0, 0.0]), None);
    }
}
