//! Arrays of numbers with names: the form in which a model is stored.

use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// Array of numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tensor {
    /// Name, unique in a model.
    pub name: Cow<'static, str>,
    /// Lengths of the dimensions; their product is the number of entries.
    pub shape: Vec<usize>,
    /// Entries, row-major.
    pub entries: Entries,
}

/// Entries of a tensor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Entries {
    /// Doubles.
    F64(Vec<f64>),
    /// Indices.
    U32(Vec<u32>),
}

impl Tensor {
    /// Returns a tensor of doubles.
    pub fn f64(name: &'static str, shape: &[usize], entries: Vec<f64>) -> Self {
        Self { name: name.into(), shape: shape.to_vec(), entries: Entries::F64(entries) }
    }

    /// Returns a tensor of indices.
    pub fn u32(name: &'static str, shape: &[usize], entries: Vec<u32>) -> Self {
        Self { name: name.into(), shape: shape.to_vec(), entries: Entries::U32(entries) }
    }
}

/// Tensors as read. Each is taken out once, with the type and the number of dimensions expected.
#[derive(Debug, Default)]
pub struct Tensors(Vec<Tensor>);

impl FromIterator<Tensor> for Tensors {
    fn from_iter<I: IntoIterator<Item = Tensor>>(from: I) -> Self {
        Self(from.into_iter().collect())
    }
}

impl Tensors {
    /// Whether there is a tensor of this name.
    pub fn has(&self, name: &str) -> bool {
        self.0.iter().any(|tensor| tensor.name == name)
    }

    /// Takes out the shape and the entries of a tensor of D dimensions of doubles.
    pub fn f64<const D: usize>(&mut self, name: &str) -> Result<([usize; D], Vec<f64>), String> {
        match self.take(name)? {
            (shape, Entries::F64(entries)) => Ok((shape, entries)),
            _ => Err(format!("tensor {name} does not have type F64")),
        }
    }

    /// Takes out the shape and the entries of a tensor of D dimensions of indices.
    pub fn u32<const D: usize>(&mut self, name: &str) -> Result<([usize; D], Vec<u32>), String> {
        match self.take(name)? {
            (shape, Entries::U32(entries)) => Ok((shape, entries)),
            _ => Err(format!("tensor {name} does not have type U32")),
        }
    }

    fn take<const D: usize>(&mut self, name: &str) -> Result<([usize; D], Entries), String> {
        let at = self.0.iter().position(|tensor| tensor.name == name);
        let at = at.ok_or_else(|| format!("no tensor {name}"))?;
        let Tensor { shape, entries, .. } = self.0.swap_remove(at);
        let (rank, length) =
            (shape.len(), shape.iter().try_fold(1, |n: usize, m| n.checked_mul(*m)));
        let entered = match &entries {
            Entries::F64(entries) => entries.len(),
            Entries::U32(entries) => entries.len(),
        };
        match <[usize; D]>::try_from(shape) {
            Ok(shape) if length == Some(entered) => Ok((shape, entries)),
            Ok(_) => Err(format!("tensor {name} has {entered} entries, which its shape excludes")),
            Err(_) => Err(format!("tensor {name} has {rank} dimensions instead of {D}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tensors_of_another_type_rank_or_length_are_refused() {
        let matrix = |entries| Tensor::f64("a", &[2, 2], entries);
        let read = |tensor: Tensor| Tensors::from_iter([tensor]).f64::<2>("a");
        assert_eq!(read(matrix(vec![1.0; 4])), Ok(([2, 2], vec![1.0; 4])));
        assert!(read(matrix(vec![1.0; 3])).unwrap_err().contains("3 entries"));
        assert!(read(Tensor::f64("a", &[4], vec![1.0; 4])).unwrap_err().contains("1 dimensions"));
        assert!(read(Tensor::u32("a", &[2, 2], vec![1; 4])).unwrap_err().contains("type F64"));
        assert!(read(Tensor::f64("b", &[0, 0], vec![])).unwrap_err().contains("no tensor a"));
        let huge = Tensor::f64("a", &[usize::MAX, 2], vec![]);
        assert!(read(huge).is_err(), "the product of the lengths overflows");
    }
}
