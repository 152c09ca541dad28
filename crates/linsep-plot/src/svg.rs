//! SVG files from scenes.
//!
//! Text remains text, so that it can be searched, copied, restyled and read aloud. Title and
//! description come first, and the whole is one image to a screen reader. There are no ids,
//! scripts, styles or links, so any number of plots can be part of one page. Numbers have at most
//! two decimals.

use crate::color::{PAPER, Rgb};
use crate::scene::{Anchor, Circle, Fill, Item, Path, Point, Scene, Stroke, Text};
use std::fmt::Write;

/// Inter, the font of the layout's widths, then similar fonts.
const FONTS: &str = "Inter, Helvetica Neue, Helvetica, Arial, Liberation Sans, sans-serif";

/// Returns the plot as an SVG document.
pub fn write(scene: &Scene) -> String {
    let (w, h) = (number(scene.width), number(scene.height));
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{h}\" \
         viewBox=\"0 0 {w} {h}\" role=\"img\" font-family=\"{FONTS}\">\n\
         <title>{}</title>\n<desc>{}</desc>\n\
         <rect width=\"{w}\" height=\"{h}\" fill=\"{}\"/>\n",
        escape(&scene.title),
        escape(&scene.description),
        hex(PAPER),
    );
    for item in &scene.items {
        match item {
            Item::Path(path) => write_path(&mut out, path),
            Item::Circle(circle) => write_circle(&mut out, circle),
            Item::Text(text) => write_text(&mut out, text),
        }
    }
    out.push_str("</svg>\n");
    out
}

fn write_path(out: &mut String, path: &Path) {
    out.push_str("<path d=\"");
    for piece in &path.pieces {
        for (i, point) in piece.iter().enumerate() {
            let _ = write!(out, "{}{}", if i == 0 { "M" } else { "L" }, pair(*point));
        }
        if path.closed {
            out.push('Z');
        }
    }
    out.push('"');
    if path.fill.is_some() && path.pieces.len() > 1 {
        out.push_str(" fill-rule=\"evenodd\"");
    }
    paint(out, path.fill, path.stroke);
}

fn write_circle(out: &mut String, circle: &Circle) {
    let (x, y) = circle.at;
    let (x, y, r) = (number(x), number(y), number(circle.radius));
    let _ = write!(out, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\"");
    paint(out, circle.fill, circle.stroke);
}

fn write_text(out: &mut String, text: &Text) {
    let (x, y) = (number(text.at.0), number(text.at.1));
    let _ = write!(out, "<text x=\"{x}\" y=\"{y}\" font-size=\"{}\"", number(text.size));
    match text.anchor {
        Anchor::Start => {}
        Anchor::Middle => out.push_str(" text-anchor=\"middle\""),
        Anchor::End => out.push_str(" text-anchor=\"end\""),
    }
    if text.bold {
        out.push_str(" font-weight=\"600\"");
    }
    if text.upwards {
        let _ = write!(out, " transform=\"rotate(-90 {x} {y})\"");
    }
    let _ = writeln!(out, " fill=\"{}\">{}</text>", hex(text.color), escape(&text.content));
}

/// Writes the attributes of fill and stroke, and the end of the element.
fn paint(out: &mut String, fill: Option<Fill>, stroke: Option<Stroke>) {
    match fill {
        None => out.push_str(" fill=\"none\""),
        Some(fill) => {
            let _ = write!(out, " fill=\"{}\"", hex(fill.color));
            if fill.opacity < 1.0 {
                let _ = write!(out, " fill-opacity=\"{}\"", number(fill.opacity));
            }
        }
    }
    if let Some(stroke) = stroke {
        let width = number(stroke.width);
        let _ = write!(out, " stroke=\"{}\" stroke-width=\"{width}\"", hex(stroke.color));
        out.push_str(" stroke-linejoin=\"round\"");
        if !stroke.dash.is_empty() {
            let dash: Vec<String> = stroke.dash.iter().map(|v| number(*v)).collect();
            let _ = write!(out, " stroke-dasharray=\"{}\"", dash.join(" "));
        }
    }
    out.push_str("/>\n");
}

fn hex(color: Rgb) -> String {
    format!("#{:02x}{:02x}{:02x}", color.0, color.1, color.2)
}

fn pair((x, y): Point) -> String {
    format!("{} {}", number(x), number(y))
}

/// Formats with at most two decimals, no trailing zeros and no −0.
fn number(v: f64) -> String {
    let text = format!("{v:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// Escapes markup, and replaces characters that XML does not allow.
fn escape(words: &str) -> String {
    let mut out = String::with_capacity(words.len());
    for c in words.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\t' | '\n' | '\r' => out.push(' '),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c if c.is_control() => out.push('\u{fffd}'),
            // Bidirectional controls, which would reorder the text that follows.
            '\u{61c}'
            | '\u{200e}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2066}'..='\u{2069}' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::color::INK;

    #[test]
    fn numbers_have_at_most_two_decimals() {
        let shown = [0.0, -0.001, 1.0, 1.005, 12.5, -3.456, 100.0].map(number);
        assert_eq!(shown, ["0", "0", "1", "1", "12.5", "-3.46", "100"]);
    }

    #[test]
    fn markup_in_names_is_escaped() {
        assert_eq!(
            escape("<b> & \"c\"\n\0\u{1b}\u{202e}"),
            "&lt;b&gt; &amp; &quot;c&quot; \u{fffd}\u{fffd}\u{fffd}"
        );
    }

    #[test]
    fn every_item_has_its_element() {
        let mut scene = Scene::new(40.0, 30.0, "a < b", "what there is");
        let stroke = Stroke { color: INK, width: 1.5, dash: &[2.0, 3.0] };
        scene.line(vec![(0.0, 0.0), (10.0, 5.25)], stroke);
        let half = Fill { color: INK, opacity: 0.5 };
        scene.polygon(vec![(0.0, 0.0), (10.0, 0.0), (0.0, 10.0)], Some(half), None);
        let rim = Some(Stroke::solid(INK, 1.0));
        let ring = Circle { at: (5.0, 5.0), radius: 2.0, stroke: rim, fill: None };
        scene.items.push(Item::Circle(ring));
        scene
            .text(Text::new((1.0, 2.0), "p & q", 11.0, INK).anchored(Anchor::End).bold().upwards());
        insta::assert_snapshot!(write(&scene));
    }
}
