//! An HTML page in which no name of the user can become markup.
//!
//! The methods of [`Page`] escape all text; only this file writes markup. The page is one file with
//! inline styles and plots, without scripts and external resources.

use crate::table::Table;
use std::fmt::Write;

/// An HTML page under construction.
pub(crate) struct Page {
    title: String,
    body: String,
    sections: Vec<(String, String)>,
}

impl Page {
    /// An empty page.
    pub(crate) fn new(title: &str) -> Self {
        Self { title: title.to_owned(), body: String::new(), sections: Vec::new() }
    }

    /// Starts a section. Its id is its number, as a heading may contain any text.
    pub(crate) fn section(&mut self, heading: &str) {
        if !self.sections.is_empty() {
            self.body.push_str("</section>\n");
        }
        let id = format!("s{}", self.sections.len() + 1);
        let _ = write!(
            self.body,
            "<section aria-labelledby=\"{id}\">\n<h2 id=\"{id}\">{}</h2>\n",
            escape(heading)
        );
        self.sections.push((id, heading.to_owned()));
    }

    /// A paragraph.
    pub(crate) fn paragraph(&mut self, text: &str) {
        let _ = writeln!(self.body, "<p>{}</p>", escape(text));
    }

    /// A paragraph in small, gray type.
    pub(crate) fn remark(&mut self, text: &str) {
        let _ = writeln!(self.body, "<p class=\"remark\">{}</p>", escape(text));
    }

    /// A list.
    pub(crate) fn list<S: AsRef<str>>(&mut self, items: &[S]) {
        self.body.push_str("<ul>\n");
        for item in items {
            let _ = writeln!(self.body, "<li>{}</li>", escape(item.as_ref()));
        }
        self.body.push_str("</ul>\n");
    }

    /// Names with values.
    pub(crate) fn facts<S: AsRef<str>>(&mut self, facts: &[(&str, S)]) {
        self.body.push_str("<dl>\n");
        for (name, value) in facts {
            let (name, value) = (escape(name), escape(value.as_ref()));
            let _ = writeln!(self.body, "<div><dt>{name}</dt><dd>{value}</dd></div>");
        }
        self.body.push_str("</dl>\n");
    }

    /// Metrics: name, value, and confidence interval or an empty text.
    pub(crate) fn measures(&mut self, measures: &[(&str, String, String)]) {
        self.body.push_str("<dl class=\"measures\">\n");
        for (name, value, interval) in measures {
            let (name, value) = (escape(name), escape(value));
            let _ = write!(self.body, "<div><dt>{name}</dt><dd>{value}</dd>");
            if !interval.is_empty() {
                let _ = write!(self.body, "<dd class=\"remark\">{}</dd>", escape(interval));
            }
            self.body.push_str("</div>\n");
        }
        self.body.push_str("</dl>\n");
    }

    /// A finding: severity, description and advice.
    pub(crate) fn finding(&mut self, severity: &str, description: &str, advice: &str) {
        let class = match severity {
            "serious" => "serious",
            "warning" => "warning",
            _ => "note",
        };
        let (severity, advice) = (escape(severity), escape(advice));
        let description = escape(description);
        let _ = write!(
            self.body,
            "<div class=\"finding {class}\"><p><strong>{severity}:</strong> {description}</p>"
        );
        if !advice.is_empty() {
            let _ = write!(self.body, "<p class=\"remark\">{advice}</p>");
        }
        self.body.push_str("</div>\n");
    }

    /// A table, scrollable on a narrow page.
    pub(crate) fn table(&mut self, caption: &str, table: &Table) {
        let caption = escape(caption);
        let Some((head, rows)) = table.rows.split_first() else { return };
        let _ = write!(
            self.body,
            "<div class=\"scroll\" role=\"region\" aria-label=\"{caption}\" tabindex=\"0\">\n<table>\n<caption>{caption}</caption>\n<thead><tr>"
        );
        for (j, head) in head.iter().enumerate() {
            let class = if j < table.left { "" } else { " class=\"number\"" };
            let _ = write!(self.body, "<th scope=\"col\"{class}>{}</th>", escape(head));
        }
        self.body.push_str("</tr></thead>\n<tbody>\n");
        for row in rows {
            self.body.push_str("<tr>");
            for (j, cell) in row.iter().enumerate() {
                let cell = escape(cell);
                let _ = match j {
                    0 => write!(self.body, "<th scope=\"row\">{cell}</th>"),
                    _ if j < table.left => write!(self.body, "<td>{cell}</td>"),
                    _ => write!(self.body, "<td class=\"number\">{cell}</td>"),
                };
            }
            self.body.push_str("</tr>\n");
        }
        self.body.push_str("</tbody>\n</table>\n</div>\n");
    }

    /// Plots side by side.
    pub(crate) fn plots(&mut self, svgs: &[String]) {
        self.body.push_str("<div class=\"beside\">\n");
        svgs.iter().for_each(|svg| self.plot(svg));
        self.body.push_str("</div>\n");
    }

    /// A plot, which has its own title and description.
    pub(crate) fn plot(&mut self, svg: &str) {
        // HTML needs no name space; a page without addresses visibly fetches nothing.
        let svg = svg.replacen(" xmlns=\"http://www.w3.org/2000/svg\"", "", 1);
        let _ = writeln!(self.body, "<figure>\n{svg}</figure>");
    }

    /// Preformatted text.
    pub(crate) fn verbatim(&mut self, text: &str) {
        let _ = writeln!(self.body, "<pre tabindex=\"0\">{}</pre>", escape(text));
    }

    /// The page, with a table of contents before the sections.
    pub(crate) fn finish(mut self, lead: &str) -> String {
        if !self.sections.is_empty() {
            self.body.push_str("</section>\n");
        }
        let title = escape(&self.title);
        let mut links = String::new();
        for (id, heading) in &self.sections {
            let _ = writeln!(links, "<li><a href=\"#{id}\">{}</a></li>", escape(heading));
        }
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:\">\n\
             <link rel=\"icon\" href=\"data:,\">\n\
             <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
             <header>\n<h1>{title}</h1>\n<p class=\"lead\">{}</p>\n</header>\n\
             <nav aria-label=\"Contents\">\n<ul>\n{links}</ul>\n</nav>\n<main>\n{}</main>\n</body>\n</html>\n",
            escape(lead),
            self.body
        )
    }
}

/// Escapes text for HTML, between tags and in double-quoted attributes.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\t' => out.push(c),
            // Control characters and characters that change the text direction.
            c if c.is_control()
                || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}') =>
            {
                out.push('\u{fffd}');
            }
            c => out.push(c),
        }
    }
    out
}

const STYLE: &str = include_str!("style.css");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped() {
        assert_eq!(
            escape("<b a=\"1\" b='2'>&\u{0}\u{202e}"),
            "&lt;b a=&quot;1&quot; b=&#39;2&#39;&gt;&amp;\u{fffd}\u{fffd}"
        );
        let mut page = Page::new("<title>");
        page.section("</h2><script>");
        page.paragraph("<p>");
        page.remark("<p>");
        page.list(&["<li>"]);
        page.facts(&[("<dt>", "<dd>")]);
        page.measures(&[("<dt>", "<dd>".to_owned(), "<dd>".to_owned())]);
        page.finding("serious\"<", "<what>", "<advice>");
        let mut table = Table::new(&["<th>"], 1);
        table.row(vec!["<td>".to_owned()]);
        page.table("\"><caption>", &table);
        page.verbatim("</pre>");
        let html = page.finish("<lead>");
        for hostile in [
            "<title><",
            "<script",
            "<p><p",
            "<li><li",
            "<dt><dt",
            "<what",
            "<advice",
            "\"><caption>\"",
            "<td><td",
            "</pre></pre",
            "<lead",
        ] {
            assert!(!html.contains(hostile), "{hostile}");
        }
        assert!(html.contains("&lt;lead&gt;") && html.contains("&lt;/pre&gt;"));
    }

    /// The WCAG contrast of every pair of text and background color, light and dark.
    #[test]
    fn text_contrast_is_sufficient_in_light_and_dark_mode() {
        let light = |hex: &str| {
            let part = |at: usize| {
                let v = f64::from(u8::from_str_radix(&hex[at..at + 2], 16).unwrap()) / 255.0;
                if v <= 0.040_45 { v / 12.92 } else { ((v + 0.055) / 1.055).powf(2.4) }
            };
            0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5)
        };
        let contrast = |a: &str, b: &str| {
            let (a, b) = (light(a), light(b));
            (a.max(b) + 0.05) / (a.min(b) + 0.05)
        };
        let blocks: Vec<&str> =
            STYLE.split(":root").skip(1).map(|b| b.split('}').next().unwrap()).collect();
        assert_eq!(blocks.len(), 3, "light, dark, and print");
        for block in blocks {
            let color = |name: &str| {
                let from =
                    block.split(&format!("--{name}:")).nth(1).unwrap_or_else(|| panic!("{name}"));
                from.split(';').next().unwrap().trim().to_owned()
            };
            for ground in ["paper", "card"] {
                for ink in ["ink", "soft", "link", "serious", "warning"] {
                    let ratio = contrast(&color(ink), &color(ground));
                    assert!(ratio >= 4.5, "{ink} on {ground}: {ratio}");
                }
            }
        }
    }
}
