//! Numbers in outcomes and model files, for `#[serde(with = "float")]`.
//!
//! JSON has no infinities and no NaN: they are written as the strings "inf", "-inf" and "nan". Null
//! is an absent option, never a number.

use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// Returns the string for a number that JSON cannot represent.
pub fn word(v: f64) -> Option<&'static str> {
    match v {
        f64::INFINITY => Some("inf"),
        f64::NEG_INFINITY => Some("-inf"),
        _ if v.is_nan() => Some("nan"),
        _ => None,
    }
}

/// Writes a number, or a container of numbers.
pub fn serialize<T: Floats, S: Serializer>(v: &T, to: S) -> Result<S::Ok, S::Error> {
    v.write(to)
}

/// Reads a number, or a container of numbers.
pub fn deserialize<'de, T: Floats, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
    T::read(from)
}

/// A number, or a container of numbers.
pub trait Floats: Sized {
    /// Writes the numbers.
    fn write<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error>;

    /// Reads the numbers.
    fn read<'de, D: Deserializer<'de>>(from: D) -> Result<Self, D::Error>;
}

impl Floats for f64 {
    fn write<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match word(*self) {
            Some(word) => to.serialize_str(word),
            None => to.serialize_f64(*self),
        }
    }

    fn read<'de, D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(Reader)
    }
}

struct Reader;

impl Visitor<'_> for Reader {
    type Value = f64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number, \"inf\", \"-inf\" or \"nan\"")
    }

    fn visit_f64<E: Error>(self, v: f64) -> Result<f64, E> {
        Ok(v)
    }

    fn visit_i64<E: Error>(self, v: i64) -> Result<f64, E> {
        Ok(v as f64)
    }

    fn visit_u64<E: Error>(self, v: u64) -> Result<f64, E> {
        Ok(v as f64)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<f64, E> {
        let known = [f64::INFINITY, f64::NEG_INFINITY, f64::NAN];
        let found = known.into_iter().find(|v| word(*v) == Some(text));
        found.ok_or_else(|| E::invalid_value(serde::de::Unexpected::Str(text), &self))
    }
}

/// Adapter that serializes by [`Floats`].
struct Out<'a, T>(&'a T);

impl<T: Floats> Serialize for Out<'_, T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.0.write(to)
    }
}

/// Adapter that deserializes by [`Floats`].
struct In<T>(T);

impl<'de, T: Floats> Deserialize<'de> for In<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        T::read(from).map(Self)
    }
}

impl<T: Floats> Floats for Option<T> {
    fn write<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.as_ref().map(Out).serialize(to)
    }

    fn read<'de, D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Ok(Option::<In<T>>::deserialize(from)?.map(|In(v)| v))
    }
}

impl<T: Floats> Floats for Vec<T> {
    fn write<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.iter().map(Out))
    }

    fn read<'de, D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Ok(Vec::<In<T>>::deserialize(from)?.into_iter().map(|In(v)| v).collect())
    }
}

impl<T: Floats> Floats for [T; 2] {
    fn write<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.each_ref().map(Out).serialize(to)
    }

    fn read<'de, D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Ok(<[In<T>; 2]>::deserialize(from)?.map(|In(v)| v))
    }
}

impl<T: Floats> Floats for (T, T) {
    fn write<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        (Out(&self.0), Out(&self.1)).serialize(to)
    }

    fn read<'de, D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        <(In<T>, In<T>)>::deserialize(from).map(|(In(a), In(b))| (a, b))
    }
}

/// A name, or another value that is written as it is, beside a number.
pub mod named {
    use super::{Floats, In, Out};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    /// Writes pairs of a name and a number.
    pub fn serialize<N: Serialize, T: Floats, S: Serializer>(
        pairs: &[(N, T)],
        to: S,
    ) -> Result<S::Ok, S::Error> {
        to.collect_seq(pairs.iter().map(|(name, v)| (name, Out(v))))
    }

    /// Reads pairs of a name and a number.
    pub fn deserialize<'de, N: Deserialize<'de>, T: Floats, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Vec<(N, T)>, D::Error> {
        let pairs = Vec::<(N, In<T>)>::deserialize(from)?;
        Ok(pairs.into_iter().map(|(name, In(v))| (name, v)).collect())
    }
}
