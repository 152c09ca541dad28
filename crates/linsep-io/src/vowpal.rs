//! Detection of Vowpal Wabbit text, so that it is not parsed as fields separated by `|`.
//!
//! ```text
//!   line = [ label [ importance [ base ] ] ] [ 'tag ] { |[namespace[:weight]] { name[:value] } }
//!   -1 2.0 'second |ns x y:2.5
//! ```
//!
//! The first lines of a table with the delimiter `|` may have the same form. A table has no
//! features: `name:value`, or several names after one bar, whose namespace follows the bar without
//! a blank.

use crate::error::Error;
use crate::number::parse_number;
use memchr::memchr;

/// Maximum number of lines examined.
const LINES: usize = 50;

/// Returns an error if a file with this head is Vowpal Wabbit text.
pub(crate) fn refuse_vowpal(name: &str, head: &[u8]) -> Result<(), Error> {
    if !looks_like_vowpal(head) {
        return Ok(());
    }
    let remedy = "Convert it to LIBSVM, or read it as fields separated by bars (`delimiter=|`).";
    Err(Error::unsupported(name, "Vowpal Wabbit text", remedy))
}

/// Whether all of the first lines are examples, and at least one has features.
fn looks_like_vowpal(head: &[u8]) -> bool {
    // The last line may be truncated.
    let whole = head.iter().rposition(|b| *b == b'\n').unwrap_or(head.len());
    let lines = head[..whole].split(|b| *b == b'\n').map(<[u8]>::trim_ascii);
    let mut lines = lines.filter(|line| !line.is_empty()).take(LINES).peekable();
    let mut features = false;
    lines.peek().is_some()
        && lines.all(|line| {
            let bar = memchr(b'|', line);
            features |= bar.is_some_and(|bar| has_features(&line[bar..]));
            bar.is_some_and(|bar| is_prefix(&line[..bar]))
        })
        && features
}

/// Whether `text` is up to three numbers and a tag, with a blank before the bar unless the tag
/// touches it.
fn is_prefix(text: &[u8]) -> bool {
    let mut words: Vec<&[u8]> =
        text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).collect();
    let tagged = words.last().is_some_and(|word| word.starts_with(b"'"));
    if tagged {
        words.pop();
    }
    let apart = text.last().is_some_and(u8::is_ascii_whitespace);
    let numbers = words.iter().all(|word| parse_number(word).is_some());
    (tagged || apart) && numbers && (1..=3).contains(&words.len())
}

/// Whether some text after a bar can only be features.
fn has_features(text: &[u8]) -> bool {
    let is_pair = |word: &&[u8]| {
        memchr(b':', word).is_some_and(|at| at > 0 && parse_number(&word[at + 1..]).is_some())
    };
    text.split(|b| *b == b'|').skip(1).any(|part| {
        let named = part.first().is_some_and(|b| !b.is_ascii_whitespace());
        let words: Vec<&[u8]> =
            part.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).collect();
        let pairs = words.iter().filter(|word| is_pair(word)).count();
        // A single number after a colon may be a time.
        words.len() >= 2 && (named || pairs >= 1)
            || words.len() == 1 && !named && words[0][0].is_ascii_alphabetic() && pairs == 1
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vowpal_wabbit_examples_are_distinguished_from_tables() {
        for text in [
            "1 |f a:0.5 b\n-1 |f b:2\n",
            "-1 2.0 'tag |ns x y:2\n1 'other|ns x\n",
            "1 | a:0.5 b:1\n0 | c:3\n",
            "1 |a x y |b z\n",
            "1 | price:.23\n",
        ] {
            assert!(looks_like_vowpal(text.as_bytes()), "{text}");
        }
        for text in [
            "",
            "a|b|c\n1|2|x\n",
            "1|2|3\n4|5|6\n",
            "1 | 2 | x\n3 | 4 | y\n",
            "5 | 12:30 | yes\n6 | 13:45 | no\n",
            "1 |2 |x\n",
            "word |f a:0.5 b\n",
            "1 |f a:0.5 b\nno bar here\n",
            "1 2:3 4:5\n",
            "1,2\n3,4\n",
        ] {
            assert!(!looks_like_vowpal(text.as_bytes()), "{text}");
        }
    }
}
