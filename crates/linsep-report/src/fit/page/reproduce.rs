//! How to reproduce the fit: version, settings, seed, files with digests, command.

use crate::fit::Report;
use crate::html::Page;
use crate::table::Table;
use serde_json::Value;

impl Report<'_> {
    /// Version, settings, files and command.
    pub(super) fn reproduce(self, page: &mut Page) {
        let header = &self.0.model_file.header;
        page.section("How to reproduce");
        let settings = header.settings.iter();
        let settings: Vec<String> =
            settings.map(|(name, value)| format!("{name} {}", plain(value))).collect();
        page.facts(&[
            ("program", format!("linsep {}", header.linsep)),
            ("model", self.0.saved.clone().unwrap_or_default()),
            ("seed", self.0.seed.to_string()),
            ("settings", settings.join(", ")),
        ]);
        let mut table = Table::new(&["file", "used as", "SHA-256"], 3);
        for file in &self.0.files {
            let digest = file.sha256.clone().unwrap_or_else(|| "standard input".to_owned());
            let purpose = if file.test { "test data" } else { "data" };
            table.row(vec![file.path.clone(), purpose.to_owned(), digest]);
        }
        page.table("Files", &table);
        page.paragraph(
            "The same data, settings and seed give the same model to the bit, with any number of threads:",
        );
        page.verbatim(&self.0.command);
    }
}

/// A JSON value as text, without quotes.
fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
