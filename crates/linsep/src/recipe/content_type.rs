//! Classification of categorical columns by their levels.

/// Apparent content of a categorical column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ContentType {
    /// A few categories.
    Category,
    /// Free text.
    Text,
    /// Distinct values in (nearly) all rows.
    Identifier,
    /// Dates or times.
    Date,
}

/// Classifies a column by its levels and its number of nonmissing cells, `present`.
///
/// * Date: nine in ten levels have the form of a date.
/// * Text: the levels have four words or more on average, and there are more than twenty levels.
/// * Identifier: there are twenty cells or more, and more than half as many levels.
pub(crate) fn content_type(levels: &[String], present: usize) -> ContentType {
    let dates = levels.iter().filter(|level| is_date(level)).count();
    if !levels.is_empty() && dates * 10 >= levels.len() * 9 {
        return ContentType::Date;
    }
    let words: usize = levels.iter().map(|level| level.split_whitespace().count()).sum();
    if levels.len() > 20 && words >= 4 * levels.len() {
        return ContentType::Text;
    }
    if present >= 20 && levels.len() * 2 > present {
        return ContentType::Identifier;
    }
    ContentType::Category
}

/// Whether a text is a date like 2024-05-31, 31/05/2024 or 31.5.24, optionally with a time after
/// it.
fn is_date(text: &str) -> bool {
    let day = text.split(['T', ' ']).next().unwrap_or_default();
    let separator = ['-', '/', '.'].into_iter().find(|c| day.contains(*c));
    let Some(separator) = separator else { return false };
    let parts: Vec<&str> = day.split(separator).collect();
    let digits = |part: &&str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let lengths: Vec<usize> = parts.iter().map(|part| part.len()).collect();
    parts.iter().all(digits) && matches!(lengths[..], [4, 1..=2, 1..=2] | [1..=2, 1..=2, 2 | 4])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn many(n: usize, word: impl Fn(usize) -> String) -> Vec<String> {
        (0..n).map(word).collect()
    }

    #[test]
    fn columns_are_classified_by_their_levels() {
        assert_eq!(content_type(&many(3, |i| format!("c{i}")), 100), ContentType::Category);
        assert_eq!(content_type(&many(60, |i| format!("c{i}")), 100), ContentType::Identifier);
        assert_eq!(
            content_type(&many(3, |i| format!("c{i}")), 3),
            ContentType::Category,
            "too few to tell"
        );
        assert_eq!(
            content_type(&many(60, |i| format!("this is text number {i}")), 100),
            ContentType::Text
        );
        assert_eq!(content_type(&many(9, |i| format!("2024-05-1{i}")), 100), ContentType::Date);
        assert_eq!(content_type(&["31.12.1999 23:59".into()], 100), ContentType::Date);
        assert_eq!(content_type(&["1.2".into(), "10-20".into()], 100), ContentType::Category);
    }
}
