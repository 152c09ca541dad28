//! File of a separation certificate: the witness of complete, quasi-complete or no separation.
//!
//! One JSON object:
//!
//! | field | content |
//! |---|---|
//! | `format` | version of this format |
//! | `linsep` | version of the program that wrote it |
//! | `data` | `sha256` of the numbers, `rows`, `columns` (names), `classes`, `positive` (of two) |
//! | `verdict` | `complete`, `quasi-complete` or `overlap` |
//! | `hyperplanes` | coefficients and intercepts by class, see below |
//! | `dependence` | rows (from 0) and multipliers that rule out complete separation |
//! | `spanning` | rows and multipliers that rule out any separation of rows in their span |
//! | `checksum` | `sha256` of this object, written without spaces and with an empty checksum |
//!
//! With more than two classes, `hyperplanes` has every class but the first, whose hyperplane is 0.
//! In this case `dependence` also has the class that each row is `against`. With two classes,
//! `hyperplanes` has the hyperplane of the positive class.
//!
//! Exact numbers are fractions in strings. [`linsep_core::certify::check()`] documents the claims
//! that each part proves.
//!
//! The hash of the data is SHA-256 of, in this order:
//! * the number of rows, columns and classes (64 bits each, least significant byte first);
//! * for each class the length of its name and the name;
//! * for each row its class (32 bits), its sample weight (the bits of the double) and the number of
//!   its nonzero values (32 bits);
//! * after each row, its nonzero values: column (32 bits) and bits of the double.
//!
//! Lengths and numbers are bounded by the length of the file. Reading proves nothing; only
//! [`linsep_core::certify::check()`] decides whether the witness is valid.
//!
//! Over 400 lines: the format, its reader and its writer mirror each other.

use crate::error::{Error, foreign};
use crate::model_file::{Format, Header};
use linsep_core::certify::{PositiveDependence, SeparationKind, SignedRow, SignedRows, Witness};
use linsep_core::math::exact::Rational;
use linsep_core::{Cancel, Problem};
#[cfg(feature = "fs")]
use linsep_io::atomic::AtomicFile;
use linsep_io::location::Location;
#[cfg(feature = "fs")]
use linsep_io::outputs::Kind;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// The version written here.
pub const FORMAT: Format = Format { major: 1, minor: 0 };

/// Maximum length of a certificate, in bytes.
const MOST_BYTES: u64 = 1 << 28;

/// A certificate as stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeparationCertificate {
    /// Version of the format.
    pub format: Format,
    /// Version of the program that wrote it.
    pub linsep: String,
    /// The data.
    pub data: About,
    /// Name of the separation kind.
    pub verdict: String,
    /// Hyperplanes, exact.
    #[serde(rename = "planes")]
    pub hyperplanes: Option<Vec<ExactHyperplane>>,
    /// Rows of the positive dependence.
    pub dependence: Option<Rows>,
    /// Spanning rows.
    pub spanning: Option<Rows>,
    /// SHA-256 of all other fields.
    pub checksum: String,
}

/// Identification of the data of a certificate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct About {
    /// Hash of the numbers as read.
    pub sha256: String,
    /// Number of rows.
    pub rows: usize,
    /// Names of the columns.
    pub columns: Vec<String>,
    /// The classes, sorted.
    pub classes: Vec<Value>,
    /// With two classes, the index of the positive one.
    pub positive: Option<usize>,
}

/// A hyperplane, in exact fractions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExactHyperplane {
    /// Index of its class.
    pub class: usize,
    /// Coefficients.
    pub w: Vec<String>,
    /// Intercept.
    pub b: String,
}

/// Rows and their multipliers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rows {
    /// The rows, counted from 0.
    pub rows: Vec<usize>,
    /// With more than two classes: the index of the class that each row is against.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub against: Option<Vec<usize>>,
    /// Multipliers, exact.
    pub weights: Vec<String>,
}

impl SeparationCertificate {
    /// Description of the file, for commands that overwrite it.
    #[cfg(feature = "fs")]
    pub const KIND: Kind = Kind {
        name: "a linsep certificate",
        is: |start| {
            let start = &start[..start.len().min(1_000)];
            let bare: Vec<u8> =
                start.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect();
            let has = |key: &[u8]| bare.windows(key.len()).any(|part| part == key);
            bare.starts_with(b"{\"format\":{\"major\":")
                && has(b"\"linsep\":")
                && has(b"\"sha256\":")
        },
    };

    /// Builds a certificate from the witness of a problem. With two classes, the positive class is
    /// the second by default.
    pub fn new(
        problem: &Problem<'_>,
        positive: Option<usize>,
        columns: Vec<String>,
        evidence: &Witness,
    ) -> Result<Self, linsep_core::Error> {
        let signed = SignedRows::new(problem, positive)?;
        let k = problem.labels().k();
        let hyperplane = |(hyperplane, &class): (&Vec<Rational>, &usize)| {
            let mut w: Vec<String> = hyperplane.iter().map(Rational::to_string).collect();
            let b = w.pop().unwrap_or_default();
            ExactHyperplane { class, w, b }
        };
        let rows = |part: &PositiveDependence| Rows {
            rows: part.rows.iter().map(|against| against.row).collect(),
            against: (k > 2).then(|| part.rows.iter().map(|against| against.class).collect()),
            weights: part.weights.iter().map(Rational::to_string).collect(),
        };
        let hyperplanes = evidence.hyperplanes.as_ref();
        let mut certificate = Self {
            format: FORMAT,
            linsep: env!("CARGO_PKG_VERSION").to_owned(),
            data: About {
                sha256: data_hash(problem),
                rows: problem.x().n(),
                columns,
                classes: problem.labels().classes().iter().map(Header::class).collect(),
                positive: (k == 2).then(|| signed.order()[1]),
            },
            verdict: evidence.verdict.name().to_owned(),
            hyperplanes: hyperplanes.map(|hyperplanes| {
                hyperplanes.iter().zip(&signed.order()[1..]).map(hyperplane).collect()
            }),
            dependence: evidence.dependence.as_ref().map(rows),
            spanning: evidence.spanning.as_ref().map(rows),
            checksum: String::new(),
        };
        certificate.checksum = certificate.sum();
        Ok(certificate)
    }

    /// Returns the correct checksum.
    fn sum(&self) -> String {
        let bare = Self { checksum: String::new(), ..self.clone() };
        let text = serde_json::to_vec(&bare).expect("a certificate is plain data");
        hex(&Sha256::digest(text))
    }

    /// Writes the file atomically.
    #[cfg(feature = "fs")]
    pub fn save(&self, path: &Path) -> Result<(), Error> {
        Ok(AtomicFile::write_whole(path, &self.to_bytes())?)
    }

    /// Returns the bytes of the file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = serde_json::to_vec_pretty(self).expect("a certificate is plain data");
        bytes.push(b'\n');
        bytes
    }

    /// Reads a file.
    pub fn load(path: &Path) -> Result<Self, Error> {
        let name = path.display().to_string();
        let file = File::open(path).map_err(|e| Error::from_io(&name, e))?;
        Self::read(&name, file)
    }

    /// Reads a certificate from a file called `name`.
    pub fn read(name: &str, from: impl Read) -> Result<Self, Error> {
        let mut bytes = Vec::new();
        from.take(MOST_BYTES + 1).read_to_end(&mut bytes).map_err(|e| Error::from_io(name, e))?;
        Self::from_bytes(name, &bytes)
    }

    /// Reads the bytes of a file called `name`.
    pub fn from_bytes(name: &str, bytes: &[u8]) -> Result<Self, Error> {
        let bad = |problem: String| not_a_certificate(name, &problem);
        if bytes.len() as u64 > MOST_BYTES {
            return Err(bad(format!("the file is longer than {MOST_BYTES} bytes")));
        }
        // The version first: the rest may differ in another version.
        #[derive(Deserialize)]
        struct Claim {
            format: Format,
        }
        let Claim { format } = serde_json::from_slice(bytes).map_err(|e| bad(foreign(e)))?;
        if format.major != FORMAT.major {
            let (found, known) = (format.major, FORMAT.major);
            return Err(bad(format!("expected format version {known}, found {found}")));
        }
        let certificate: Self = serde_json::from_slice(bytes).map_err(|e| bad(foreign(e)))?;
        if certificate.checksum != certificate.sum() {
            return Err(bad("the checksum does not match the content".to_owned()));
        }
        Ok(certificate)
    }

    /// Parses the witness; returns an error if it is malformed.
    pub fn evidence(&self, name: &str) -> Result<Witness, Error> {
        let bad = |problem: &str| not_a_certificate(name, problem);
        let verdict = SeparationKind::ALL.into_iter().find(|v| v.name() == self.verdict);
        let verdict = verdict.ok_or_else(|| bad("unknown separation kind"))?;
        let exact = |text: &String| {
            Rational::parse(text).ok_or_else(|| bad("a number is not a fraction in lowest terms"))
        };
        let k = self.data.classes.len();
        if k < 2 || (k == 2) != self.data.positive.is_some_and(|c| c < 2) {
            return Err(bad("the class numbers are invalid"));
        }
        let rows = |part: &Rows| {
            let lengths = part.against.as_ref().map_or(part.rows.len(), Vec::len);
            if lengths != part.rows.len() || (k > 2) != part.against.is_some() {
                return Err(bad("the lists of rows and classes differ in length"));
            }
            let weights = part.weights.iter().map(exact).collect::<Result<_, Error>>()?;
            Ok((part.clone(), weights))
        };
        let order = self.order();
        let hyperplanes = self.hyperplanes.as_ref().map(|hyperplanes| {
            if hyperplanes.iter().map(|p| p.class).ne(order[1..].iter().copied()) {
                return Err(bad("the hyperplanes do not match the classes"));
            }
            let hyperplane = |p: &ExactHyperplane| p.w.iter().chain([&p.b]).map(exact).collect();
            hyperplanes.iter().map(hyperplane).collect::<Result<Vec<Vec<Rational>>, Error>>()
        });
        // With two classes, each row is against the class it does not have; only the data has its
        // class. [`SeparationCertificate::check`] sets it.
        let dependence = |part: &Option<Rows>| {
            part.as_ref().map(rows).transpose().map(|part| {
                part.map(|(part, weights)| {
                    let class = |i: usize| part.against.as_ref().map_or(usize::MAX, |all| all[i]);
                    let rows = part.rows.iter().enumerate();
                    let rows = rows.map(|(i, &row)| SignedRow { row, class: class(i) }).collect();
                    PositiveDependence { rows, weights }
                })
            })
        };
        Ok(Witness {
            verdict,
            hyperplanes: hyperplanes.transpose()?,
            dependence: dependence(&self.dependence)?,
            spanning: dependence(&self.spanning)?,
        })
    }

    /// Returns the classes in the order of the hyperplanes, first the class without one.
    fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.data.classes.len()).collect();
        if self.data.positive == Some(0) {
            order.reverse();
        }
        order
    }

    /// Checks the certificate against data: same hash, and a witness that proves the separation
    /// kind.
    pub fn check(
        &self,
        name: &str,
        problem: &Problem<'_>,
        cancel: &Cancel,
    ) -> Result<Witness, Error> {
        let bad = |problem: String| {
            let problem = format!("the certificate does not match the data: {problem}.");
            Error::data(Location::file(name), problem)
        };
        let classes: Vec<Value> = problem.labels().classes().iter().map(Header::class).collect();
        let (n, d) = (problem.x().n(), problem.x().d());
        if classes != self.data.classes || n != self.data.rows || d != self.data.columns.len() {
            return Err(bad(format!(
                "the certificate has {} rows, {} columns and {} classes; the data have {n}, {d} \
                 and {}, or other classes",
                self.data.rows,
                self.data.columns.len(),
                self.data.classes.len(),
                classes.len()
            )));
        }
        if data_hash(problem) != self.data.sha256 {
            return Err(bad(
                "the values differ. Use the same columns and options as in its creation".to_owned(),
            ));
        }
        let mut evidence = self.evidence(name)?;
        if classes.len() == 2 {
            let codes = problem.labels().codes();
            for part in [&mut evidence.dependence, &mut evidence.spanning].into_iter().flatten() {
                for against in &mut part.rows {
                    against.class = codes.get(against.row).map_or(0, |&c| 1 - c as usize);
                }
            }
        }
        let core = Error::core(name);
        let signed = SignedRows::new(problem, self.data.positive).map_err(core)?;
        let holds = linsep_core::certify::check(&signed.until(cancel.clone()), &evidence);
        cancel.check("the steps of the verification").map_err(core)?;
        holds.map_err(|flaw| bad(flaw.to_string()))?;
        Ok(evidence)
    }
}

/// Returns the error for a file that is no certificate, or a damaged one.
fn not_a_certificate(name: &str, problem: &str) -> Error {
    let expected = "expected a linsep certificate, found another or a damaged file";
    Error::data(Location::file(name), format!("{expected}: {problem}."))
}

/// Returns the SHA-256 hash of the numbers of a problem.
fn data_hash(problem: &Problem<'_>) -> String {
    let (x, labels) = (problem.x(), problem.labels());
    let mut hash = Sha256::new();
    for count in [x.n(), x.d(), labels.k()] {
        hash.update((count as u64).to_le_bytes());
    }
    for class in labels.classes() {
        let name = class.to_string();
        hash.update((name.len() as u64).to_le_bytes());
        hash.update(name.as_bytes());
    }
    let mut bytes: Vec<u8> = Vec::new();
    for (i, (code, weight)) in labels.codes().iter().zip(problem.weights()).enumerate() {
        bytes.clear();
        let mut count = 0_u32;
        x.each_nonzero(i, |j, v| {
            count += 1;
            bytes.extend((j as u32).to_le_bytes());
            bytes.extend(v.to_bits().to_le_bytes());
        });
        hash.update(code.to_le_bytes());
        hash.update(weight.to_bits().to_le_bytes());
        hash.update(count.to_le_bytes());
        hash.update(&bytes);
    }
    hex(&hash.finalize())
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    let digit = |d: u8| char::from_digit(u32::from(d), 16).expect("four bits");
    bytes.iter().flat_map(|b| [digit(b >> 4), digit(b & 15)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use linsep_core::certify::separation::{Limits, separate};
    use linsep_core::{Design, Labels};

    fn certificate(y: &[&str]) -> (Design, Labels, SeparationCertificate) {
        let x = Design::dense(4, 2, vec![0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0]).unwrap();
        let labels = Labels::parse(y.iter().copied());
        let certificate = {
            let problem = Problem::new(&x, &labels, None).unwrap();
            let answer = separate(&problem, None, &Limits::default(), &mut ()).unwrap();
            let columns = vec!["a".to_owned(), "b".to_owned()];
            SeparationCertificate::new(&problem, None, columns, &answer.evidence.unwrap()).unwrap()
        };
        (x, labels, certificate)
    }

    #[test]
    fn written_certificate_reads_equal_and_checks() {
        for y in [["n", "n", "n", "y"], ["n", "y", "y", "n"], ["n", "n", "y", "z"]] {
            let (x, labels, certificate) = certificate(&y);
            let again = SeparationCertificate::from_bytes("c", &certificate.to_bytes()).unwrap();
            assert_eq!(again, certificate);
            let problem = Problem::new(&x, &labels, None).unwrap();
            again.check("c", &problem, &Cancel::default()).unwrap();
        }
    }

    #[test]
    fn any_changed_digit_is_refused() {
        for y in [["n", "n", "n", "y"], ["n", "y", "y", "n"]] {
            let (x, labels, certificate) = certificate(&y);
            let problem = Problem::new(&x, &labels, None).unwrap();
            let bytes = certificate.to_bytes();
            for at in (0..bytes.len()).filter(|&at| bytes[at].is_ascii_digit()) {
                let mut bad = bytes.clone();
                bad[at] = if bad[at] == b'9' { b'0' } else { bad[at] + 1 };
                let read = SeparationCertificate::from_bytes("c", &bad);
                assert!(
                    read.and_then(|c| c.check("c", &problem, &Cancel::default())).is_err(),
                    "digit {at}"
                );
            }
        }
    }

    #[test]
    fn false_witness_with_valid_checksum_is_refused() {
        let (x, labels, mut certificate) = certificate(&["n", "y", "y", "n"]);
        let problem = Problem::new(&x, &labels, None).unwrap();
        certificate.dependence.as_mut().unwrap().weights[0] = "2".to_owned();
        certificate.checksum = certificate.sum();
        let again = SeparationCertificate::from_bytes("c", &certificate.to_bytes()).unwrap();
        let error = again.check("c", &problem, &Cancel::default()).unwrap_err().to_string();
        assert!(error.contains("is not zero in entry"), "{error}");
    }

    #[test]
    fn other_data_is_refused_and_other_storage_accepted() {
        let (_, labels, certificate) = certificate(&["n", "y", "y", "n"]);
        let x = Design::dense(4, 2, vec![0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 2.0]).unwrap();
        let problem = Problem::new(&x, &labels, None).unwrap();
        let error = certificate.check("c", &problem, &Cancel::default()).unwrap_err().to_string();
        assert!(error.contains("the values differ"), "{error}");
        // The hash does not depend on the storage.
        let sparse =
            Design::sparse(2, vec![0, 0, 1, 2, 4], vec![1, 0, 0, 1], vec![1.0; 4]).unwrap();
        let problem = Problem::new(&sparse, &labels, None).unwrap();
        certificate.check("c", &problem, &Cancel::default()).unwrap();
    }
}
