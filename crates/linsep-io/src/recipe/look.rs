//! What kind of words are these?

/// What a column of words seems to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Looks {
    /// Names of a few things.
    Category,
    /// Running text.
    Text,
    /// A different word in (nearly) every row.
    Identifier,
    /// Dates or times.
    Date,
}

/// Looks at the different words of a column that has `present` cells.
///
/// * Date: nine in ten words are written like one.
/// * Text: the words are on average four words long or more, and more than twenty of them differ.
/// * Identifier: in twenty cells or more, more than half of the cells differ.
pub(crate) fn look(levels: &[String], present: usize) -> Looks {
    let dates = levels.iter().filter(|level| is_date(level)).count();
    if !levels.is_empty() && dates * 10 >= levels.len() * 9 {
        return Looks::Date;
    }
    let words: usize = levels.iter().map(|level| level.split_whitespace().count()).sum();
    if levels.len() > 20 && words >= 4 * levels.len() {
        return Looks::Text;
    }
    if present >= 20 && levels.len() * 2 > present {
        return Looks::Identifier;
    }
    Looks::Category
}

/// 2024-05-31, 31/05/2024, 31.5.24, each perhaps with a time behind it.
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
    fn kinds_are_told_apart() {
        assert_eq!(look(&many(3, |i| format!("c{i}")), 100), Looks::Category);
        assert_eq!(look(&many(60, |i| format!("c{i}")), 100), Looks::Identifier);
        assert_eq!(look(&many(3, |i| format!("c{i}")), 3), Looks::Category, "too few to tell");
        assert_eq!(look(&many(60, |i| format!("this is text number {i}")), 100), Looks::Text);
        assert_eq!(look(&many(9, |i| format!("2024-05-1{i}")), 100), Looks::Date);
        assert_eq!(look(&["31.12.1999 23:59".into()], 100), Looks::Date);
        assert_eq!(look(&["1.2".into(), "10-20".into()], 100), Looks::Category);
    }
}
