//! A column of a row group: the logical type of its values, and their conversion to cells.

use super::pages::Checked;
use super::store::{Chunk, PageLimit, Store};
use crate::columns::{Cells, ColumnContent, Value};
use arrow_buffer::i256;
use parquet::basic::{ConvertedType, LogicalType, TimeUnit, Type};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl, get_column_reader};
use parquet::data_type::{ByteArray, DataType, FixedLenByteArray, Int96};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::RowGroupMetaData;
use parquet::file::serialized_reader::SerializedPageReader;
use parquet::schema::types::ColumnDescriptor;
use std::sync::Arc;

/// Logical type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ValueType {
    Plain,
    Unsigned,
    Decimal { scale: i32 },
    Text,
    Bytes,
    Half,
    Uuid,
    Date,
    Time { per_second: i64 },
    Stamp { per_second: i64, utc: bool },
}

impl ValueType {
    /// Returns the logical type of a column, or the name of an unsupported one.
    pub(crate) fn of(column: &ColumnDescriptor) -> std::result::Result<Self, String> {
        use ConvertedType as C;
        let (stored, converted) = (column.physical_type(), column.converted_type());
        let ticks = |unit: &TimeUnit| match unit {
            TimeUnit::MILLIS => 1_000,
            TimeUnit::MICROS => 1_000_000,
            TimeUnit::NANOS => 1_000_000_000,
        };
        let whole = matches!(stored, Type::INT32 | Type::INT64);
        let bytes = matches!(stored, Type::BYTE_ARRAY | Type::FIXED_LEN_BYTE_ARRAY);
        // 1. Logical types.
        match column.logical_type_ref() {
            Some(LogicalType::Integer(int)) if whole && !int.is_signed => {
                return Ok(Self::Unsigned);
            }
            Some(LogicalType::Decimal(decimal)) if whole || bytes => {
                return Ok(Self::Decimal { scale: decimal.scale });
            }
            Some(LogicalType::String | LogicalType::Enum | LogicalType::Json) if bytes => {
                return Ok(Self::Text);
            }
            Some(LogicalType::Date) if whole => return Ok(Self::Date),
            Some(LogicalType::Time(time)) if whole => {
                return Ok(Self::Time { per_second: ticks(&time.unit) });
            }
            Some(LogicalType::Timestamp(stamp)) if whole => {
                let utc = stamp.is_adjusted_to_u_t_c;
                return Ok(Self::Stamp { per_second: ticks(&stamp.unit), utc });
            }
            Some(LogicalType::Uuid) if stored == Type::FIXED_LEN_BYTE_ARRAY => {
                return Ok(Self::Uuid);
            }
            Some(LogicalType::Float16) if bytes => return Ok(Self::Half),
            _ => {}
        }
        // 2. Deprecated converted types.
        Ok(match converted {
            C::UINT_8 | C::UINT_16 | C::UINT_32 | C::UINT_64 if whole => Self::Unsigned,
            C::DECIMAL if whole || bytes => Self::Decimal { scale: column.type_scale() },
            C::UTF8 | C::ENUM | C::JSON if bytes => Self::Text,
            C::DATE if whole => Self::Date,
            C::TIME_MILLIS if whole => Self::Time { per_second: 1_000 },
            C::TIME_MICROS if whole => Self::Time { per_second: 1_000_000 },
            C::TIMESTAMP_MILLIS if whole => Self::Stamp { per_second: 1_000, utc: true },
            C::TIMESTAMP_MICROS if whole => Self::Stamp { per_second: 1_000_000, utc: true },
            C::INTERVAL => return Err("intervals".to_owned()),
            // 3. Physical types.
            _ if stored == Type::INT96 => Self::Stamp { per_second: 1_000_000_000, utc: false },
            _ if bytes => Self::Bytes,
            _ => Self::Plain,
        })
    }

    /// Returns the content of a column of this logical type.
    pub(crate) fn holds(self, stored: Type) -> ColumnContent {
        match self {
            Self::Plain if stored == Type::BOOLEAN => ColumnContent::Categorical,
            Self::Plain | Self::Unsigned | Self::Decimal { .. } | Self::Half => {
                ColumnContent::Numeric
            }
            Self::Bytes => ColumnContent::Bytes,
            Self::Text | Self::Uuid | Self::Date | Self::Time { .. } | Self::Stamp { .. } => {
                ColumnContent::Categorical
            }
        }
    }

    fn integer(self, n: i64) -> Value<'static> {
        match self {
            Self::Decimal { scale } => Value::Decimal { digits: i256::from_i128(n.into()), scale },
            Self::Date => Value::Date { days: n },
            Self::Time { per_second } => Value::Time { ticks: n, per_second },
            Self::Stamp { per_second, utc } => Value::Stamp { ticks: n, per_second, utc },
            _ => Value::Integer(n),
        }
    }

    fn bytes(self, bytes: &[u8]) -> Value<'_> {
        match self {
            Self::Decimal { scale } => Value::Decimal { digits: big_endian(bytes), scale },
            Self::Uuid => Value::Uuid(bytes),
            Self::Half => {
                let bits = bytes.first_chunk().copied().map_or(0x7E00, u16::from_le_bytes);
                Value::Float(half_to_f64(bits))
            }
            _ => Value::Text(bytes),
        }
    }
}

/// Converts a big-endian number in two's complement; of more than 32 bytes, the lowest are used.
fn big_endian(bytes: &[u8]) -> i256 {
    let sign = if bytes.first().is_some_and(|b| b >> 7 == 1) { 0xFF } else { 0 };
    let mut wide = [sign; 32];
    for (to, from) in wide.iter_mut().rev().zip(bytes.iter().rev()) {
        *to = *from;
    }
    i256::from_be_bytes(wide)
}

/// Reader of a column of a row group.
pub(crate) struct Leaf {
    reader: ColumnReader,
    meaning: ValueType,
    levels: Vec<i16>,
}

impl Leaf {
    pub(crate) fn new(
        store: &Arc<Store>,
        group: &RowGroupMetaData,
        at: usize,
        meaning: ValueType,
        pages: PageLimit,
    ) -> Result<Self> {
        let (column, descriptor) = (group.column(at), group.schema_descr().column(at));
        let rows = usize::try_from(group.num_rows())?;
        let chunk = Arc::new(Chunk::new(store, pages));
        let pages = Box::new(Checked {
            pages: Box::new(SerializedPageReader::new(chunk, column, rows, None)?),
            kind: descriptor.physical_type(),
            length: usize::try_from(descriptor.type_length()).unwrap_or(0),
            optional: descriptor.max_def_level() > 0,
            dictionary: false,
        });
        let reader = get_column_reader(descriptor, pages);
        Ok(Self { reader, meaning, levels: Vec::new() })
    }

    /// Reads the next rows into the cells.
    pub(crate) fn read(&mut self, rows: usize, cells: &mut Cells<'_>) -> Result<()> {
        let (meaning, levels) = (self.meaning, &mut self.levels);
        let utc = matches!(meaning, ValueType::Stamp { utc: true, .. });
        match &mut self.reader {
            ColumnReader::BoolColumnReader(r) => next(r, levels, rows, cells, |b| Value::Bool(*b)),
            ColumnReader::Int32ColumnReader(r) if meaning == ValueType::Unsigned => {
                next(r, levels, rows, cells, |n| Value::Unsigned((*n as u32).into()))
            }
            ColumnReader::Int64ColumnReader(r) if meaning == ValueType::Unsigned => {
                next(r, levels, rows, cells, |n| Value::Unsigned(*n as u64))
            }
            ColumnReader::Int32ColumnReader(r) => {
                next(r, levels, rows, cells, |n| meaning.integer((*n).into()))
            }
            ColumnReader::Int64ColumnReader(r) => {
                next(r, levels, rows, cells, |n| meaning.integer(*n))
            }
            ColumnReader::Int96ColumnReader(r) => next(r, levels, rows, cells, |n: &Int96| {
                Value::Stamp { ticks: n.to_nanos(), per_second: 1_000_000_000, utc }
            }),
            ColumnReader::FloatColumnReader(r) => {
                next(r, levels, rows, cells, |x| Value::Single(*x))
            }
            ColumnReader::DoubleColumnReader(r) => {
                next(r, levels, rows, cells, |x| Value::Float(*x))
            }
            ColumnReader::ByteArrayColumnReader(r) => {
                next(r, levels, rows, cells, |b: &ByteArray| meaning.bytes(b.data()))
            }
            ColumnReader::FixedLenByteArrayColumnReader(r) => {
                next(r, levels, rows, cells, |b: &FixedLenByteArray| meaning.bytes(b.data()))
            }
        }
    }
}

/// Reads the next rows of a column of physical type `T`.
fn next<T: DataType>(
    reader: &mut ColumnReaderImpl<T>,
    levels: &mut Vec<i16>,
    rows: usize,
    cells: &mut Cells<'_>,
    value: impl for<'v> Fn(&'v T::T) -> Value<'v>,
) -> Result<()> {
    let mut values = Vec::new();
    levels.clear();
    let (read, _, _) = reader.read_records(rows, Some(levels), None, &mut values)?;
    if read != rows {
        return Err(ParquetError::EOF("columns differ in length".to_owned()));
    }
    if values.len() == rows {
        for v in &values {
            cells.value(value(v));
        }
        return Ok(());
    }
    // A flat column has definition level 1 for a value, else 0.
    let mut values = values.iter();
    for level in levels.iter() {
        match (*level > 0).then(|| values.next()).flatten() {
            Some(v) => cells.value(value(v)),
            None => cells.null(),
        }
    }
    Ok(())
}

/// Converts a half-precision float.
fn half_to_f64(bits: u16) -> f64 {
    let (exponent, fraction) = (i32::from(bits >> 10 & 0x1F), f64::from(bits & 0x3FF));
    let size = match exponent {
        0 => fraction * 2_f64.powi(-24),
        0x1F if fraction == 0.0 => f64::INFINITY,
        0x1F => f64::NAN,
        _ => (1.0 + fraction / 1_024.0) * 2_f64.powi(exponent - 15),
    };
    if bits >> 15 == 1 { -size } else { size }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_floats_have_their_values() {
        let cases = [(0x3C00, 1.0), (0xC000, -2.0), (0x0001, 2_f64.powi(-24)), (0x7BFF, 65_504.0)];
        for (bits, want) in cases {
            assert_eq!(half_to_f64(bits), want);
        }
        assert!(half_to_f64(0x7E00).is_nan() && half_to_f64(0xFC00) == f64::NEG_INFINITY);
    }
}
