//! The kind of separation of the classes, with a certificate that can be checked.

use super::Seconds;
use crate::certificate::SeparationCertificate;
use crate::dataset::{TrainingData, TrainingSettings};
use crate::error::Error;
use linsep_core::certify::separation::{Limits, Separation, separate};
use linsep_core::certify::{PositiveDependence, SeparationKind};
use linsep_core::control::Note;
use linsep_core::math::exact::Rational;
use linsep_core::{Label, Observer, Problem};
use linsep_io::Input;
use serde::{Deserialize, Serialize};
use std::time::Instant;

/// Features of a row that an outcome keeps.
const FEATURES: usize = 6;

/// Rows of a certificate that an outcome keeps.
const ROWS: usize = 60;

/// Request for the kind of separation.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Separable {
    /// Roles and preprocessing of the columns. Features are not standardized, which would round
    /// them.
    pub data: TrainingSettings,
    /// The positive class of two [default: the second]; of more, this one against the rest.
    pub positive: Option<Label>,
}

/// Outcome of a separation test.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SeparableOutcome {
    /// Name of the data.
    pub data: String,
    /// Number of rows.
    pub rows: usize,
    /// Names of the features.
    pub features: Vec<String>,
    /// The classes.
    pub classes: Vec<Label>,
    /// The kind of separation, its witness and its consequences.
    pub separation: Separation,
    /// Rows that no hyperplane strictly separates, if they are proved.
    pub dependence: Option<DependentRows>,
    /// The certificate; `None` if undecided.
    pub certificate: Option<SeparationCertificate>,
    /// Path of the certificate, if it was saved.
    pub saved: Option<String>,
    /// Notes about the data.
    pub notes: Vec<Note>,
    /// Times of reading and deciding.
    pub seconds: Seconds,
}

/// The first rows of a positive dependence, with their first features.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct DependentRows {
    /// The rows.
    pub rows: Vec<DependentRow>,
    /// Number of rows of the dependence.
    pub of: usize,
}

/// A row of a positive dependence.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct DependentRow {
    /// Index of the row, from 0.
    pub row: usize,
    /// Its class.
    pub class: Label,
    /// The class that it is against.
    pub against: Label,
    /// Its share of the sum of multipliers; `None` if that overflows.
    pub share: Option<f64>,
    /// Its first features.
    pub features: Vec<f64>,
}

impl Separable {
    /// Encodes the data without standardization, reduced to two classes if one is positive.
    fn training(&self, data: Input) -> Result<(TrainingData, Option<usize>), Error> {
        let mut settings = self.data.clone();
        settings.recipe.standardize = false;
        let mut training = TrainingData::new(data, &settings)?;
        let class = self.positive.as_ref();
        let positive = class.map(|class| training.against_rest(class)).transpose()?;
        Ok((training, positive))
    }

    /// Decides the kind of separation. Any witness in the outcome has been verified in exact
    /// arithmetic.
    pub fn run(&self, data: Input, watch: &mut dyn Observer) -> Result<SeparableOutcome, Error> {
        let (name, clock) = (data.name().to_owned(), Instant::now());
        let (mut training, positive) = self.training(data)?;
        let weights = training.weights.take();
        let problem = training.problem(&name, weights)?;
        let read = clock.elapsed().as_secs_f64();

        let clock = Instant::now();
        let separation = separate(&problem, positive, &Limits::default(), watch)?;
        let work = clock.elapsed().as_secs_f64();
        let features = training.recipe.features();
        let witness = separation.evidence.as_ref();
        let certificate = witness.map(|witness| {
            SeparationCertificate::new(&problem, positive, features.clone(), witness)
        });
        let proved = witness.and_then(|witness| witness.dependence.as_ref());
        let proved = proved.or(separation.known.dependence.as_ref());
        Ok(SeparableOutcome {
            data: name,
            rows: problem.x().n(),
            features,
            classes: problem.labels().classes().to_vec(),
            dependence: proved.map(|rows| DependentRows::new(rows, &problem)),
            certificate: certificate.transpose()?,
            saved: None,
            notes: training.notes,
            seconds: Seconds { read, work },
            separation,
        })
    }

    /// Verifies a certificate against data, in exact arithmetic. `name` is that of the certificate.
    pub fn verify(
        &self,
        certificate: &SeparationCertificate,
        name: &str,
        data: Input,
        watch: &mut dyn Observer,
    ) -> Result<VerifyOutcome, Error> {
        let data_name = data.name().to_owned();
        let (mut training, _) = self.training(data)?;
        let weights = training.weights.take();
        let problem = training.problem(&data_name, weights)?;
        watch.stage("verification", None);
        let witness = certificate.check(name, &problem, &watch.cancel())?;
        let sha256 = certificate.data.sha256.clone();
        let notes = training.notes;
        Ok(VerifyOutcome { data: data_name, separation: witness.verdict, sha256, notes })
    }
}

/// Outcome of the verification of a certificate that is valid.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct VerifyOutcome {
    /// Name of the data.
    pub data: String,
    /// The proved kind of separation.
    pub separation: SeparationKind,
    /// Hash of the data.
    pub sha256: String,
    /// Notes about the data.
    pub notes: Vec<Note>,
}

impl DependentRows {
    fn new(all: &PositiveDependence, problem: &Problem<'_>) -> Self {
        let labels = problem.labels();
        let weights: Vec<f64> = all.weights.iter().map(Rational::to_f64).collect();
        let total: f64 = weights.iter().sum();
        let row = |(signed, weight): (&linsep_core::certify::SignedRow, &f64)| DependentRow {
            row: signed.row,
            class: labels.classes()[labels.codes()[signed.row] as usize].clone(),
            against: labels.classes()[signed.class].clone(),
            share: total.is_finite().then_some(weight / total),
            features: problem.x().row(signed.row)[..problem.x().d().min(FEATURES)].to_vec(),
        };
        let rows = all.rows.iter().zip(&weights).take(ROWS).map(row).collect();
        Self { rows, of: all.rows.len() }
    }
}
