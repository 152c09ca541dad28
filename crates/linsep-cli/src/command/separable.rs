//! `linsep separable`: the kind of separation of the classes, with a certificate.
//!
//! Over 400 lines: one result has a text form and a JSON form with the same facts.

use super::classes_json;
use super::files::Files;
use crate::data::{ColumnArgs, ReadArgs, name_of, problem};
use crate::failure::Failure;
use crate::layout::{Table, entry, paragraph, whole_entry};
use crate::output::{Output, note};
use crate::progress::Progress;
use clap::Args;
use linsep::certify::separation::{
    Divergence, InfiniteCoefficient, Limits, Margin, PartialResult, separate,
};
use linsep::certify::{PositiveDependence, Separation, SeparationKind};
use linsep::math::exact::Rational;
use linsep::model_file::{Header, number as json_number};
use linsep::{Label, Labels, Problem};
use linsep::{SeparationCertificate, TrainingData};
use linsep_report::number::{count, lower, number, plural, upper, upper_count};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::time::Instant;

#[derive(Args)]
pub struct SeparableArgs {
    /// Data files, read as one data set; - is stdin
    #[arg(required = true)]
    data: Vec<PathBuf>,

    /// Save the certificate to this file, for `linsep verify`
    #[arg(short, long, value_name = "CERT", help_heading = "Output")]
    output: Option<PathBuf>,

    #[command(flatten)]
    positive: PositiveArgs,

    /// Stop undecided after this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = super::seconds, help_heading = "Limits")]
    timeout: Option<f64>,

    #[command(flatten)]
    columns: ColumnArgs,

    #[command(flatten)]
    reading: ReadArgs,
}

impl SeparableArgs {
    /// Returns the files read and written.
    pub fn files(&self) -> Files<'_> {
        Files::default().reads(&self.data).reads(self.columns.weights_file()).writes(
            "output",
            self.output.clone(),
            SeparationCertificate::KIND,
        )
    }
}

/// Choice of the positive class.
#[derive(Args)]
pub struct PositiveArgs {
    /// Positive class of two [default: the second]; of more classes, this one against the rest
    #[arg(long, value_name = "CLASS", help_heading = "Data")]
    positive: Option<String>,
}

impl PositiveArgs {
    /// Reduces more than two classes to one against the rest; returns the positive class's index.
    pub fn apply(&self, training: &mut TrainingData) -> Result<Option<usize>, Failure> {
        let Some(class) = &self.positive else { return Ok(None) };
        against_rest(training, class).map(Some)
    }
}

/// Reduces more than two classes to one against the rest; returns the index of that class.
pub fn against_rest(training: &mut TrainingData, class: &str) -> Result<usize, Failure> {
    let (class, classes) = (Label::parse(class), training.labels.classes());
    let Ok(c) = classes.binary_search(&class) else {
        return Err(
            linsep::core::Error::UnknownClass { got: class, known: classes.to_vec() }.into()
        );
    };
    if training.labels.k() == 2 {
        return Ok(c);
    }
    let codes: Vec<u32> =
        training.labels.codes().iter().map(|&code| u32::from(code as usize == c)).collect();
    let rest = Label::Text(format!("not {class}"));
    let at = usize::from(rest < class);
    training.labels = Labels::from_codes(&[rest, class], &codes);
    Ok(at)
}

pub fn run(args: &SeparableArgs, out: &Output) -> Result<(), Failure> {
    // 1. Read.
    let clock = Instant::now();
    let name = name_of(&args.data);
    let mut training = args.columns.plain_training(&args.data, &args.reading, out)?;
    let positive = args.positive.apply(&mut training)?;
    let weights = training.weights.take();
    let problem = problem(&training, weights, &name)?;
    let read = clock.elapsed().as_secs_f64();

    // 2. Decide. A returned witness has been checked.
    let clock = Instant::now();
    let mut watch = Progress::new("separation", args.timeout);
    let answer = separate(&problem, positive, &Limits::default(), &mut watch)?;
    drop(watch);
    let decided = clock.elapsed().as_secs_f64();

    // 3. Save and report.
    let features = training.recipe.features();
    let certificate = match &answer.evidence {
        Some(evidence) => {
            Some(SeparationCertificate::new(&problem, positive, features.clone(), evidence)?)
        }
        None => None,
    };
    match (&args.output, &certificate) {
        (Some(path), Some(certificate)) => certificate.save(path)?,
        (Some(_), None) => note("no certificate was saved: separation is undecided"),
        (None, _) => {}
    }
    let report = Report { answer: &answer, problem: &problem, features: &features, certificate };
    out.result(
        || {
            let mut json = report.json();
            json["seconds"] = json!({ "read": read, "decide": decided });
            json["out"] = json!(args.output.as_ref().map(|path| path.display().to_string()));
            json
        },
        || report.text(&name, args.output.as_deref()),
    )
}

/// Result of the separation test, as text and as JSON.
struct Report<'a> {
    answer: &'a Separation,
    problem: &'a Problem<'a>,
    features: &'a [String],
    certificate: Option<SeparationCertificate>,
}

impl Report<'_> {
    fn json(&self) -> Value {
        let answer = self.answer;
        let classes = self.problem.labels().classes();
        let infinite = |one: &InfiniteCoefficient| {
            json!({
                "class": Header::class(&classes[one.class]),
                "column": one.column.map_or("(bias)", |j| &self.features[j]),
                "sign": sign(one.divergence).map(|(sign, _)| sign),
            })
        };
        let mut json = json!({
            "verdict": answer.verdict.name(),
            "verified": answer.evidence.is_some(),
            "n": self.problem.x().n(),
            "d": self.problem.x().d(),
            "k": classes.len(),
            "classes": classes_json(classes),
            "certificate": self.certificate.as_ref().map(|certificate| json!({
                "planes": certificate.hyperplanes,
                "rows": certificate.dependence.as_ref().map(|part| &part.rows),
                "against": certificate.dependence.as_ref().and_then(|part| part.against.as_ref()),
                "weights": certificate.dependence.as_ref().map(|part| &part.weights),
                "spanning": certificate.spanning,
                "sha256": certificate.data.sha256,
            })),
            "infinite_coefficients": answer.infinite.iter().map(infinite).collect::<Vec<_>>(),
            "reason": answer.reason.map(linsep::certify::separation::Reason::meaning),
            "known": answer.reason.map(|_| known_json(&answer.known)),
            "sweeps": answer.sweeps,
        });
        json["margin"] = answer.margin.as_ref().map_or(Value::Null, margin_json);
        json
    }

    /// Returns the name of a feature or of the intercept.
    fn feature(&self, column: Option<usize>) -> &str {
        column.map_or("(intercept)", |j| &self.features[j])
    }

    fn text(&self, name: &str, saved: Option<&std::path::Path>) -> String {
        let answer = self.answer;
        let (x, classes) = (self.problem.x(), self.problem.labels().classes());
        let names: Vec<String> = classes.iter().map(ToString::to_string).collect();
        let mut out = String::new();
        let (rows, features) = (plural(x.n(), "row", "rows"), plural(x.d(), "feature", "features"));
        entry(&mut out, "data", &format!("{name}: {rows}, {features}"));
        entry(&mut out, "classes", &format!("{}: {}", names.len(), names.join(", ")));
        let mut line = |key: &str, value: String| entry(&mut out, key, &value);
        line("separation", format!("{}: {}", answer.verdict.name(), answer.verdict.meaning()));
        if let Some(reason) = answer.reason {
            line("reason", reason.meaning().to_owned());
            for text in known_text(&answer.known, classes.len()) {
                line("known", text);
            }
            if let Some(few) = &answer.known.dependence {
                out.push_str(&self.rows(few));
            }
            return out;
        }
        line("implies", format!("unpenalized logistic regression has {}", so(answer)));
        for one in &answer.infinite {
            line("", self.infinite(one));
        }
        if let Some(margin) = &answer.margin {
            line(
                "margin",
                format!(
                    "{} to {} (maximum distance from a hyperplane to the nearest rows)",
                    lower(margin.distance.least),
                    upper(margin.distance.most)
                ),
            );
            line(
                "",
                format!(
                    "mistake bound (Novikoff): at most (R/γ)² = {} perceptron updates (R = {}, γ ≥ {})",
                    upper_count(margin.novikoff().ceil()),
                    upper(margin.radius),
                    lower(margin.gamma.least)
                ),
            );
        }
        line("verified", "in exact arithmetic, by the independent checker".to_owned());
        if let Some(path) = saved {
            whole_entry(&mut out, "certificate", &path.display().to_string());
        }
        if let Some(evidence) = &answer.evidence {
            if let Some(hyperplanes) = &evidence.hyperplanes {
                out.push_str(&self.hyperplanes(hyperplanes));
            }
            if let Some(few) = &evidence.dependence {
                out.push_str(&self.rows(few));
            }
            if let (Some(spanning), Some(few)) = (&evidence.spanning, &evidence.dependence)
                && spanning.rows.len() > few.rows.len()
            {
                let claim = match answer.verdict {
                    SeparationKind::Overlap => {
                        "every hyperplane has rows on the wrong side or contains all rows"
                    }
                    _ => "no hyperplane has more rows strictly on the correct side",
                };
                let rows = plural(spanning.rows.len(), "row", "rows");
                out.push('\n');
                paragraph(&mut out, 0, &format!("{rows} prove that {claim}; see the certificate."));
            }
        }
        out
    }

    /// Returns the text of a coefficient without a finite estimate.
    fn infinite(&self, one: &InfiniteCoefficient) -> String {
        let (sign, open) = match (sign(one.divergence), one.divergence) {
            (Some((_, sign)), _) => (sign, ""),
            (None, Divergence::Undetermined) => ("? ", ": undetermined (+∞, −∞ or finite)"),
            (None, _) => ("? ", ": infinite along the hyperplane shown, sign undecided"),
        };
        let classes = self.problem.labels().classes();
        let class = match classes.len() {
            2 => String::new(),
            _ => format!(" (class {})", classes[one.class]),
        };
        format!("{sign}  {}{class}{open}", self.feature(one.column))
    }

    /// Returns the table of the largest coefficients, rounded; empty for several hyperplanes.
    fn hyperplanes(&self, hyperplanes: &[Vec<Rational>]) -> String {
        const MOST: usize = 10;
        if hyperplanes.len() > 1 {
            return String::new();
        }
        let weights: Vec<f64> = hyperplanes[0].iter().map(Rational::to_f64).collect();
        let mut order: Vec<usize> = (0..weights.len() - 1).filter(|&j| weights[j] != 0.0).collect();
        order.sort_by(|&a, &b| weights[b].abs().total_cmp(&weights[a].abs()).then(a.cmp(&b)));
        let mut table = Table::new(&["feature", "coefficient"], 1);
        for &j in order.iter().take(MOST) {
            table.row(vec![self.features[j].clone(), number(weights[j])]);
        }
        table.row(vec!["(intercept)".to_owned(), number(weights[weights.len() - 1])]);
        let mut out = format!("\nA separating hyperplane:\n{}", table.show(2));
        if order.len() > MOST {
            let more = plural(order.len() - MOST, "feature", "features");
            paragraph(&mut out, 2, &format!("… and {more} with smaller coefficients"));
        }
        out
    }

    /// Returns the table of the rows of a certificate.
    fn rows(&self, few: &PositiveDependence) -> String {
        const COLUMNS: usize = 6;
        const ROWS: usize = 60;
        let labels = self.problem.labels();
        let many = labels.k() > 2;
        let weights: Vec<f64> = few.weights.iter().map(Rational::to_f64).collect();
        let total: f64 = weights.iter().sum();
        let mut header = vec!["row", "class"];
        if many {
            header.push("other class");
        }
        header.push("share");
        let shown = self.features.len().min(COLUMNS);
        header.extend(self.features[..shown].iter().map(String::as_str));
        let mut table = Table::new(&header, 0);
        for (i, against) in few.rows.iter().enumerate().take(ROWS) {
            let own = &labels.classes()[labels.codes()[against.row] as usize];
            let mut cells = vec![(against.row + 1).to_string(), own.to_string()];
            if many {
                cells.push(labels.classes()[against.class].to_string());
            }
            cells.push(if total.is_finite() {
                number(weights[i] / total)
            } else {
                "–".to_owned()
            });
            let row = self.problem.x().row(against.row);
            cells.extend(row[..shown].iter().map(|&v| number(v)));
            table.row(cells);
        }
        let mut out = "\n".to_owned();
        let rows = plural(few.rows.len(), "row", "rows");
        paragraph(
            &mut out,
            0,
            &format!(
                "No hyperplane strictly separates these {rows}: a positive combination of the signed rows is exactly zero."
            ),
        );
        out.push_str(&table.show(2));
        if few.rows.len() > ROWS {
            let more = plural(few.rows.len() - ROWS, "row", "rows");
            paragraph(&mut out, 2, &format!("… and {more} more"));
        }
        if self.features.len() > shown {
            let of = self.features.len();
            paragraph(&mut out, 2, &format!("(the first {shown} of {of} features)"));
        }
        out
    }
}

/// Returns the estimate of unpenalized logistic regression that a kind of separation implies.
fn so(answer: &Separation) -> &'static str {
    let fixed = |one: &InfiniteCoefficient| sign(one.divergence).is_some();
    match answer.verdict {
        SeparationKind::Complete => "no finite maximum-likelihood estimate",
        SeparationKind::QuasiComplete if answer.infinite.iter().all(fixed) => {
            "no finite maximum-likelihood estimate: these estimates are infinite"
        }
        SeparationKind::QuasiComplete => {
            "no finite maximum-likelihood estimate: some of these estimates are infinite"
        }
        SeparationKind::Overlap | SeparationKind::Undecided => {
            "a finite maximum-likelihood estimate"
        }
    }
}

/// Returns the determined sign of an infinite coefficient, as JSON value and as text.
fn sign(toward: Divergence) -> Option<(&'static str, &'static str)> {
    match toward {
        Divergence::Plus => Some(("+", "+∞")),
        Divergence::Minus => Some(("-", "−∞")),
        Divergence::Undetermined | Divergence::Undecided => None,
    }
}

/// Returns the partial result of an undecided test as JSON.
fn known_json(known: &PartialResult) -> Value {
    let of = known.dependence.as_ref().map(|few| {
        let rows: Vec<usize> = few.rows.iter().map(|against| against.row).collect();
        let weights: Vec<String> = few.weights.iter().map(ToString::to_string).collect();
        json!({ "rows": rows, "weights": weights })
    });
    json!({
        "not_complete": known.dependence.is_some(),
        "dependence": of,
        "fewest_wrong": known.fewest_misclassified.map(|(n, _)| n),
        "of": known.fewest_misclassified.map(|(_, of)| of),
    })
}

/// Returns the partial result of an undecided test as text.
fn known_text(known: &PartialResult, k: usize) -> Vec<String> {
    let first = match &known.dependence {
        Some(_) => {
            "not complete, proved by the rows below; quasi-complete and overlap remain possible"
        }
        None => "nothing is proved: complete, quasi-complete and overlap remain possible",
    };
    let best = known.fewest_misclassified.map(|(n, of)| {
        let (n, of) = (count(n as f64), count(of as f64));
        match k {
            2 => format!("best hyperplane found: {n} of {of} rows on the wrong side or on it"),
            _ => format!(
                "best hyperplanes found: {n} of {of} pairs of a row and another class without a positive margin"
            ),
        }
    });
    [Some(first.to_owned()), best].into_iter().flatten().collect()
}

fn margin_json(margin: &Margin) -> Value {
    json!({
        "distance": { "least": margin.distance.least, "most": margin.distance.most },
        "gamma": { "least": margin.gamma.least, "most": margin.gamma.most },
        "radius": margin.radius,
        "novikoff": json_number(margin.novikoff()),
        "plane": { "w": margin.distance.hyperplane.w, "b": margin.distance.hyperplane.b },
    })
}
