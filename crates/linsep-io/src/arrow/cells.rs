//! Conversion of Arrow arrays to cells.

use crate::columns::{Cells, ColumnContent, Value};
use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowDictionaryKeyType, ArrowPrimitiveType, Date32Type, Date64Type, Decimal32Type,
    Decimal64Type, Decimal128Type, Decimal256Type, DurationMicrosecondType,
    DurationMillisecondType, DurationNanosecondType, DurationSecondType, Float16Type, Float32Type,
    Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, Time32MillisecondType,
    Time32SecondType, Time64MicrosecondType, Time64NanosecondType, TimestampMicrosecondType,
    TimestampMillisecondType, TimestampNanosecondType, TimestampSecondType, UInt8Type, UInt16Type,
    UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayAccessor, ArrayRef};
use arrow_buffer::{ArrowNativeType, i256};
use arrow_schema::{ArrowError, DataType, TimeUnit};

/// Returns the content of a column of this type.
#[expect(clippy::match_same_arms, reason = "one line for each family of types")]
pub(crate) fn holds(kind: &DataType) -> ColumnContent {
    use DataType as D;
    match kind {
        D::Int8 | D::Int16 | D::Int32 | D::Int64 | D::Null | D::Duration(_) => {
            ColumnContent::Numeric
        }
        D::UInt8 | D::UInt16 | D::UInt32 | D::UInt64 => ColumnContent::Numeric,
        D::Float16 | D::Float32 | D::Float64 => ColumnContent::Numeric,
        D::Decimal32(..) | D::Decimal64(..) | D::Decimal128(..) | D::Decimal256(..) => {
            ColumnContent::Numeric
        }
        D::Utf8 | D::LargeUtf8 | D::Utf8View | D::Boolean => ColumnContent::Categorical,
        D::Date32 | D::Date64 | D::Time32(_) | D::Time64(_) | D::Timestamp(..) => {
            ColumnContent::Categorical
        }
        D::Binary | D::LargeBinary | D::BinaryView | D::FixedSizeBinary(_) => ColumnContent::Bytes,
        D::Dictionary(_, values) => match holds(values) {
            ColumnContent::Numeric | ColumnContent::Categorical => ColumnContent::Categorical,
            other => other,
        },
        D::Interval(_) => ColumnContent::Other("intervals".to_owned()),
        D::Struct(_) => ColumnContent::Other("structs".to_owned()),
        D::Map(..) => ColumnContent::Other("maps".to_owned()),
        D::Union(..) => ColumnContent::Other("a union of types".to_owned()),
        D::RunEndEncoded(..) => ColumnContent::Other("run-end encoded values".to_owned()),
        D::List(_) | D::LargeList(_) | D::ListView(_) | D::LargeListView(_) => {
            ColumnContent::Other("lists".to_owned())
        }
        D::FixedSizeList(..) => ColumnContent::Other("lists".to_owned()),
    }
}

/// Writes an array to the cells of its column.
pub(crate) fn fill(array: &ArrayRef, cells: &mut Cells<'_>) -> Result<(), ArrowError> {
    use DataType as D;
    match array.data_type() {
        D::Dictionary(key, _) => match &**key {
            D::Int8 => dictionary::<Int8Type>(array, cells),
            D::Int16 => dictionary::<Int16Type>(array, cells),
            D::Int32 => dictionary::<Int32Type>(array, cells),
            D::Int64 => dictionary::<Int64Type>(array, cells),
            D::UInt8 => dictionary::<UInt8Type>(array, cells),
            D::UInt16 => dictionary::<UInt16Type>(array, cells),
            D::UInt32 => dictionary::<UInt32Type>(array, cells),
            D::UInt64 => dictionary::<UInt64Type>(array, cells),
            other => Err(ArrowError::ParseError(format!("a dictionary with key type {other}"))),
        },
        _ => each(array, |value| match value {
            Some(value) => cells.value(value),
            None => cells.null(),
        }),
    }
}

/// Writes a dictionary array, and converts each value once. Levels are numbered by first occurrence
/// in the column, not by position in the dictionary, and unused levels have no number.
fn dictionary<K: ArrowDictionaryKeyType>(
    array: &ArrayRef,
    cells: &mut Cells<'_>,
) -> Result<(), ArrowError> {
    let array = array.as_dictionary::<K>();
    let mut values = Vec::with_capacity(array.values().len());
    each(array.values(), |value| values.push(value))?;
    let mut codes = vec![None; values.len()];
    for key in array.keys() {
        let Some(k) = key.map(ArrowNativeType::as_usize) else {
            cells.null();
            continue;
        };
        match values[k] {
            _ if cells.is_words() => {
                let code = *codes[k].get_or_insert_with(|| cells.code_of(values[k]));
                cells.code(code);
            }
            Some(value) => cells.value(value),
            None => cells.null(),
        }
    }
    Ok(())
}

/// Calls `take` on every value of an array.
fn each<'a>(
    array: &'a ArrayRef,
    mut take: impl FnMut(Option<Value<'a>>),
) -> Result<(), ArrowError> {
    use DataType as D;
    let per_second = |unit: &TimeUnit| match unit {
        TimeUnit::Second => 1,
        TimeUnit::Millisecond => 1_000,
        TimeUnit::Microsecond => 1_000_000,
        TimeUnit::Nanosecond => 1_000_000_000,
    };
    let take = &mut take;
    match array.data_type() {
        D::Null => (0..array.len()).for_each(|_| take(None)),
        D::Boolean => array.as_boolean().iter().for_each(|v| take(v.map(Value::Bool))),
        D::Int8 => numbers::<Int8Type>(array, take, |n| Value::Integer(n.into())),
        D::Int16 => numbers::<Int16Type>(array, take, |n| Value::Integer(n.into())),
        D::Int32 => numbers::<Int32Type>(array, take, |n| Value::Integer(n.into())),
        D::Int64 => numbers::<Int64Type>(array, take, Value::Integer),
        D::UInt8 => numbers::<UInt8Type>(array, take, |n| Value::Unsigned(n.into())),
        D::UInt16 => numbers::<UInt16Type>(array, take, |n| Value::Unsigned(n.into())),
        D::UInt32 => numbers::<UInt32Type>(array, take, |n| Value::Unsigned(n.into())),
        D::UInt64 => numbers::<UInt64Type>(array, take, Value::Unsigned),
        D::Float16 => numbers::<Float16Type>(array, take, |x| Value::Float(x.to_f64())),
        D::Float32 => numbers::<Float32Type>(array, take, Value::Single),
        D::Float64 => numbers::<Float64Type>(array, take, Value::Float),
        D::Decimal32(_, scale) => numbers::<Decimal32Type>(array, take, decimal(*scale)),
        D::Decimal64(_, scale) => numbers::<Decimal64Type>(array, take, decimal(*scale)),
        D::Decimal128(_, scale) => numbers::<Decimal128Type>(array, take, decimal(*scale)),
        D::Decimal256(_, scale) => {
            let scale = (*scale).into();
            numbers::<Decimal256Type>(array, take, |digits| Value::Decimal { digits, scale });
        }
        D::Date32 => numbers::<Date32Type>(array, take, |days| Value::Date { days: days.into() }),
        D::Date64 => {
            let date = |ms: i64| Value::Date { days: ms.div_euclid(86_400_000) };
            numbers::<Date64Type>(array, take, date);
        }
        D::Time32(unit) => {
            let per_second = per_second(unit);
            let time = |ticks: i32| Value::Time { ticks: ticks.into(), per_second };
            match unit {
                TimeUnit::Second => numbers::<Time32SecondType>(array, take, time),
                _ => numbers::<Time32MillisecondType>(array, take, time),
            }
        }
        D::Time64(unit) => {
            let per_second = per_second(unit);
            let time = |ticks| Value::Time { ticks, per_second };
            match unit {
                TimeUnit::Microsecond => numbers::<Time64MicrosecondType>(array, take, time),
                _ => numbers::<Time64NanosecondType>(array, take, time),
            }
        }
        D::Timestamp(unit, zone) => {
            let (per_second, utc) = (per_second(unit), zone.is_some());
            let stamp = |ticks| Value::Stamp { ticks, per_second, utc };
            match unit {
                TimeUnit::Second => numbers::<TimestampSecondType>(array, take, stamp),
                TimeUnit::Millisecond => numbers::<TimestampMillisecondType>(array, take, stamp),
                TimeUnit::Microsecond => numbers::<TimestampMicrosecondType>(array, take, stamp),
                TimeUnit::Nanosecond => numbers::<TimestampNanosecondType>(array, take, stamp),
            }
        }
        D::Duration(unit) => {
            let per_second = per_second(unit);
            let time = |ticks| Value::Duration { ticks, per_second };
            match unit {
                TimeUnit::Second => numbers::<DurationSecondType>(array, take, time),
                TimeUnit::Millisecond => numbers::<DurationMillisecondType>(array, take, time),
                TimeUnit::Microsecond => numbers::<DurationMicrosecondType>(array, take, time),
                TimeUnit::Nanosecond => numbers::<DurationNanosecondType>(array, take, time),
            }
        }
        D::Utf8 => text(array.as_string::<i32>(), take, str::as_bytes),
        D::LargeUtf8 => text(array.as_string::<i64>(), take, str::as_bytes),
        D::Utf8View => text(array.as_string_view(), take, str::as_bytes),
        D::Binary => text(array.as_binary::<i32>(), take, |b| b),
        D::LargeBinary => text(array.as_binary::<i64>(), take, |b| b),
        D::BinaryView => text(array.as_binary_view(), take, |b| b),
        D::FixedSizeBinary(_) => text(array.as_fixed_size_binary(), take, |b| b),
        other => return Err(ArrowError::ParseError(format!("unsupported type {other}"))),
    }
    Ok(())
}

fn decimal<'a, N: Into<i128>>(scale: i8) -> impl Fn(N) -> Value<'a> {
    move |digits| Value::Decimal { digits: i256::from_i128(digits.into()), scale: scale.into() }
}

#[inline]
fn numbers<'a, T: ArrowPrimitiveType>(
    array: &ArrayRef,
    take: &mut impl FnMut(Option<Value<'a>>),
    value: impl Fn(T::Native) -> Value<'a>,
) {
    let array = array.as_primitive::<T>();
    if array.null_count() == 0 {
        array.values().iter().for_each(|v| take(Some(value(*v))));
    } else {
        array.iter().for_each(|v| take(v.map(&value)));
    }
}

#[inline]
#[expect(clippy::needless_pass_by_value, reason = "what implements it is a reference")]
fn text<'a, T: ?Sized + 'a>(
    array: impl ArrayAccessor<Item = &'a T>,
    take: &mut impl FnMut(Option<Value<'a>>),
    bytes: impl Fn(&T) -> &[u8],
) {
    for i in 0..array.len() {
        take(array.is_valid(i).then(|| Value::Text(bytes(array.value(i)))));
    }
}
