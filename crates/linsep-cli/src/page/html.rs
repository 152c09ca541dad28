//! A page of HTML, put together so that nothing a user named can become markup.
//!
//! Words go in through [`Page`]'s methods and are escaped there, every one; markup is written here
//! and nowhere else. The page is one file: styles inside, pictures inline, no script, nothing
//! fetched.

use std::fmt::Write;

/// A page in the making.
pub struct Page {
    title: String,
    body: String,
    sections: Vec<(String, String)>,
}

/// The cells of a table: words to the left, or numbers to the right.
pub struct Grid {
    caption: String,
    head: Vec<String>,
    rows: Vec<Vec<String>>,
    /// Columns of words, from the left.
    words: usize,
}

impl Grid {
    /// A table whose first columns hold words.
    pub fn new(caption: &str, head: &[&str], words: usize) -> Self {
        let head = head.iter().map(ToString::to_string).collect();
        Self { caption: caption.to_owned(), head, rows: Vec::new(), words }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }
}

impl Page {
    /// An empty page.
    pub fn new(title: &str) -> Self {
        Self { title: title.to_owned(), body: String::new(), sections: Vec::new() }
    }

    /// Begins a section. Its id is made of its number: headings may hold any words.
    pub fn section(&mut self, heading: &str) {
        if !self.sections.is_empty() {
            self.body.push_str("</section>\n");
        }
        let id = format!("s{}", self.sections.len() + 1);
        let _ = write!(
            self.body,
            "<section aria-labeledby=\"{id}\">\n<h2 id=\"{id}\">{}</h2>\n",
            escape(heading)
        );
        self.sections.push((id, heading.to_owned()));
    }

    /// A paragraph.
    pub fn paragraph(&mut self, words: &str) {
        let _ = writeln!(self.body, "<p>{}</p>", escape(words));
    }

    /// A paragraph in small, soft letters.
    pub fn remark(&mut self, words: &str) {
        let _ = writeln!(self.body, "<p class=\"remark\">{}</p>", escape(words));
    }

    /// A list.
    pub fn list<S: AsRef<str>>(&mut self, items: &[S]) {
        self.body.push_str("<ul>\n");
        for item in items {
            let _ = writeln!(self.body, "<li>{}</li>", escape(item.as_ref()));
        }
        self.body.push_str("</ul>\n");
    }

    /// Names and what belongs to them.
    pub fn facts<S: AsRef<str>>(&mut self, facts: &[(&str, S)]) {
        self.body.push_str("<dl>\n");
        for (name, value) in facts {
            let (name, value) = (escape(name), escape(value.as_ref()));
            let _ = writeln!(self.body, "<div><dt>{name}</dt><dd>{value}</dd></div>");
        }
        self.body.push_str("</dl>\n");
    }

    /// Names, numbers, and how sure each of them is, if that is known.
    pub fn measures(&mut self, measures: &[(&str, String, String)]) {
        self.body.push_str("<dl class=\"measures\">\n");
        for (name, value, sure) in measures {
            let (name, value) = (escape(name), escape(value));
            let _ = write!(self.body, "<div><dt>{name}</dt><dd>{value}</dd>");
            if !sure.is_empty() {
                let _ = write!(self.body, "<dd class=\"remark\">{}</dd>", escape(sure));
            }
            self.body.push_str("</div>\n");
        }
        self.body.push_str("</dl>\n");
    }

    /// A finding: a mark in words, a sentence, and what to do.
    pub fn finding(&mut self, severity: &str, what: &str, advice: &str) {
        let class = match severity {
            "serious" => "serious",
            "warning" => "warning",
            _ => "note",
        };
        let (severity, what, advice) = (escape(severity), escape(what), escape(advice));
        let _ = write!(
            self.body,
            "<div class=\"finding {class}\"><p><strong>{severity}:</strong> {what}</p>"
        );
        if !advice.is_empty() {
            let _ = write!(self.body, "<p class=\"remark\">{advice}</p>");
        }
        self.body.push_str("</div>\n");
    }

    /// A table that can be scrolled where the page is narrow.
    pub fn table(&mut self, grid: &Grid) {
        let caption = escape(&grid.caption);
        let _ = write!(
            self.body,
            "<div class=\"scroll\" role=\"region\" aria-label=\"{caption}\" tabindex=\"0\">\n<table>\n<caption>{caption}</caption>\n<thead><tr>"
        );
        for (j, head) in grid.head.iter().enumerate() {
            let class = if j < grid.words { "" } else { " class=\"number\"" };
            let _ = write!(self.body, "<th scope=\"col\"{class}>{}</th>", escape(head));
        }
        self.body.push_str("</tr></thead>\n<tbody>\n");
        for row in &grid.rows {
            self.body.push_str("<tr>");
            for (j, cell) in row.iter().enumerate() {
                let cell = escape(cell);
                let _ = match j {
                    0 => write!(self.body, "<th scope=\"row\">{cell}</th>"),
                    _ if j < grid.words => write!(self.body, "<td>{cell}</td>"),
                    _ => write!(self.body, "<td class=\"number\">{cell}</td>"),
                };
            }
            self.body.push_str("</tr>\n");
        }
        self.body.push_str("</tbody>\n</table>\n</div>\n");
    }

    /// Pictures side by side, as far as there is room.
    pub fn pictures(&mut self, svgs: &[String]) {
        self.body.push_str("<div class=\"beside\">\n");
        svgs.iter().for_each(|svg| self.picture(svg));
        self.body.push_str("</div>\n");
    }

    /// A picture, which has its own title and description.
    pub fn picture(&mut self, svg: &str) {
        // Within HTML the name space is known, and a page without addresses is seen to fetch
        // nothing.
        let svg = svg.replacen(" xmlns=\"http://www.w3.org/2000/svg\"", "", 1);
        let _ = writeln!(self.body, "<figure>\n{svg}</figure>");
    }

    /// Words as they are, line by line.
    pub fn verbatim(&mut self, words: &str) {
        let _ = writeln!(self.body, "<pre tabindex=\"0\">{}</pre>", escape(words));
    }

    /// The whole page. The first section's heading stands below a list of all others.
    pub fn finish(mut self, lead: &str) -> String {
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

/// Text in HTML, between tags and between double quotes.
pub fn escape(words: &str) -> String {
    let mut out = String::with_capacity(words.len());
    for c in words.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\t' => out.push(c),
            // Neither control characters nor those that turn the direction of what follows.
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
    fn words_stay_words() {
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
        let mut grid = Grid::new("\"><caption>", &["<th>"], 1);
        grid.row(vec!["<td>".to_owned()]);
        page.table(&grid);
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

    /// WCAG's contrast of every pair of letters and ground in the styles, in the light and in the
    /// dark.
    #[test]
    fn letters_can_be_read_in_the_light_and_in_the_dark() {
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
