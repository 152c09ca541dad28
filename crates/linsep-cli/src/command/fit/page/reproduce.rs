//! How to reproduce the fit: version, settings, seed, files with digests, command.

use super::{ReportPage, plain};
use crate::command::fit::report::Report;
use crate::failure::Failure;
use linsep::sha256;
use linsep_report::html::{Grid, Page};

impl ReportPage<'_> {
    /// Version, settings, files and command.
    pub(super) fn reproduce(&self, page: &mut Page, report: &Report<'_>) -> Result<(), Failure> {
        let header = &report.model_file.header;
        page.section("How to reproduce");
        let settings: Vec<String> = header
            .settings
            .iter()
            .map(|(name, value)| format!("{name} {}", plain(value)))
            .collect();
        let facts = [
            ("program", format!("linsep {}", header.linsep)),
            ("model", report.path.display().to_string()),
            ("seed", self.args.method.seed().to_string()),
            ("settings", settings.join(", ")),
        ];
        page.facts(&facts);
        let mut grid = Grid::new("Files", &["file", "used as", "SHA-256"], 3);
        let files = self.args.data.iter().map(|path| ("data", path));
        for (purpose, path) in files.chain(self.args.test.iter().map(|path| ("test data", path))) {
            let digest =
                if path.as_os_str() == "-" { "standard input".to_owned() } else { sha256(path)? };
            grid.row(vec![path.display().to_string(), purpose.to_owned(), digest]);
        }
        page.table(&grid);
        page.paragraph(
            "The same data, settings and seed give the same model to the bit, with any number of threads:",
        );
        page.verbatim(&command_line(std::env::args().skip(1)));
        Ok(())
    }
}

/// The command, quoted for a shell, with credentials in addresses masked.
fn command_line(args: impl Iterator<Item = String>) -> String {
    let mut out = String::from("linsep");
    for arg in args {
        out.push(' ');
        out.push_str(&quoted(&masked(&arg)));
    }
    out
}

/// `scheme://user:password@host` without user and password.
fn masked(arg: &str) -> String {
    let Some((scheme, rest)) = arg.split_once("://") else { return arg.to_owned() };
    match rest.split_once('@') {
        Some((user, host)) if !user.contains('/') => format!("{scheme}://…@{host}"),
        _ => arg.to_owned(),
    }
}

fn quoted(arg: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./=,:@%+".contains(c);
    if !arg.is_empty() && arg.chars().all(plain) {
        return arg.to_owned();
    }
    format!("'{}'", arg.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_is_quoted_and_credentials_are_masked() {
        let args = [
            "fit",
            "a b.csv",
            "--label-map",
            "it's=x",
            "-C",
            "0.5",
            "",
            "ftp://me:word@host/x.csv",
        ];
        assert_eq!(
            command_line(args.into_iter().map(str::to_owned)),
            "linsep fit 'a b.csv' --label-map 'it'\\''s=x' -C 0.5 '' 'ftp://…@host/x.csv'"
        );
    }
}
