//! Glyphs of the PNG renderer, and text widths for both formats.
//!
//! A plot must look the same on a server without fonts, so the outlines are part of the program:
//! Inter (version 4.001, SIL Open Font License, `font/OFL.txt`), as a table of characters written
//! by `font/make.py`. A table replaces a font reader, a large dependency, because this one font
//! never changes. The table covers Latin, Greek, Cyrillic and mathematical signs; any other
//! character is shown as a frame. Text runs from left to right, without kerning.

use std::collections::HashMap;
use std::sync::OnceLock;

/// Height of capital letters, relative to the font size.
pub(crate) const CAPITAL: f64 = 1490.0 / UNITS;
/// Depth of letters below the baseline, relative to the font size.
pub(crate) const BELOW: f64 = 494.0 / UNITS;
const UNITS: f64 = 2048.0;

/// Pen command, relative to the last point; y upwards, in units of the font size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum PenCommand {
    /// Move without drawing.
    To([f64; 2]),
    /// Straight line.
    Line([f64; 2]),
    /// Quadratic Bézier curve: control point and end.
    Curve([f64; 4]),
    /// Closes the contour.
    Close,
}

struct Glyph {
    advance: f64,
    outline: &'static str,
}

/// Width of a text.
pub fn width(words: &str, size: f64) -> f64 {
    words.chars().map(advance).sum::<f64>() * size
}

/// Returns the text, truncated with an ellipsis if wider than `room`.
pub(crate) fn truncate(words: &str, size: f64, room: f64) -> String {
    if width(words, size) <= room {
        return words.to_owned();
    }
    let mut used = width("…", size);
    let kept = words.chars().take_while(|&c| {
        used += advance(c) * size;
        used <= room
    });
    format!("{}…", kept.collect::<String>().trim_end())
}

/// Advance width of a character, relative to the font size.
pub(crate) fn advance(c: char) -> f64 {
    glyph(c).advance / UNITS
}

/// Outline of a character.
pub(crate) fn outline(c: char) -> impl Iterator<Item = PenCommand> {
    let mut words = glyph(c).outline.split_ascii_whitespace();
    std::iter::from_fn(move || {
        let command = words.next()?;
        let mut number = || words.next().and_then(|w| w.parse().ok()).unwrap_or(0.0) / UNITS;
        Some(match command {
            "m" => PenCommand::To([number(), number()]),
            "l" => PenCommand::Line([number(), number()]),
            "q" => PenCommand::Curve([number(), number(), number(), number()]),
            _ => PenCommand::Close,
        })
    })
}

fn glyph(c: char) -> &'static Glyph {
    static GLYPHS: OnceLock<HashMap<char, Glyph>> = OnceLock::new();
    let glyphs = GLYPHS
        .get_or_init(|| include_str!("../font/glyphs.txt").lines().filter_map(parse).collect());
    glyphs.get(&c).unwrap_or_else(|| &glyphs[&'\0'])
}

fn parse(line: &'static str) -> Option<(char, Glyph)> {
    let mut parts = line.splitn(3, ' ');
    let code = u32::from_str_radix(parts.next()?, 16).ok()?;
    let advance = parts.next()?.parse().ok()?;
    Some((char::from_u32(code)?, Glyph { advance, outline: parts.next().unwrap_or("") }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_table_is_read() {
        let lines = include_str!("../font/glyphs.txt").lines();
        assert_eq!(lines.clone().filter_map(parse).count(), lines.clone().count());
        for (c, _) in lines.filter_map(parse) {
            let moves: Vec<PenCommand> = outline(c).collect();
            let starts = moves.iter().filter(|m| matches!(m, PenCommand::To(_))).count();
            let ends = moves.iter().filter(|m| matches!(m, PenCommand::Close)).count();
            assert_eq!(starts, ends, "{c:?}: every piece is closed");
            assert!(moves.is_empty() || matches!(moves[0], PenCommand::To(_)), "{c:?}");
        }
    }

    #[test]
    fn the_table_covers_letters_and_mathematical_signs() {
        for c in "AZaz09 −·×≤≥≈≠∞√∂∑Σσλη‖ℓ₀₉⁰⁹⁻ᵢ→…–°±ẑßñőЖд".chars()
        {
            assert!(advance(c) > 0.0);
            assert!(c == ' ' || outline(c).ne(outline('\0')), "{c}");
        }
        assert!(outline('漢').eq(outline('\0')), "a frame for what is not there");
    }

    #[test]
    fn wide_text_is_truncated_with_an_ellipsis() {
        assert_eq!(truncate("versicolor", 12.0, 100.0), "versicolor");
        let cut = truncate("versicolor", 12.0, 40.0);
        assert!(cut.ends_with('…') && width(&cut, 12.0) <= 40.0 && cut.len() > 5, "{cut}");
        assert_eq!(truncate("versicolor", 12.0, 0.0), "…");
    }
}
