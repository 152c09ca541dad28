//! All it takes to do it again: program, settings, seed, what was read, and the command.

use super::{ReportPage, word};
use crate::command::fit::report::Report;
use crate::failure::Failure;
use crate::page::{Grid, Page};
use linsep_io::sha256;

impl ReportPage<'_> {
    /// All it takes to do it again.
    pub(super) fn again(&self, page: &mut Page, report: &Report<'_>) -> Result<(), Failure> {
        let header = &report.bundle.header;
        page.section("How to do it again");
        let settings: Vec<String> =
            header.settings.iter().map(|(name, value)| format!("{name} {}", word(value))).collect();
        let facts = [
            ("program", format!("linsep {}", header.linsep)),
            ("model", report.path.display().to_string()),
            ("seed", self.args.method.seed().to_string()),
            ("settings", settings.join(", ")),
        ];
        page.facts(&facts);
        let mut grid = Grid::new("What was read", &["file", "read as", "SHA-256"], 3);
        let files = self.args.data.iter().map(|path| ("data", path));
        for (what, path) in files.chain(self.args.test.iter().map(|path| ("test data", path))) {
            let digest = if path.as_os_str() == "-" { "a pipe".to_owned() } else { sha256(path)? };
            grid.row(vec![path.display().to_string(), what.to_owned(), digest]);
        }
        page.table(&grid);
        page.paragraph(
            "The same data, settings and seed give the same bits, whatever the number of threads:",
        );
        page.verbatim(&command_line(std::env::args().skip(1)));
        Ok(())
    }
}

/// The command as a shell takes it, without the words by which people let programs in somewhere.
fn command_line(args: impl Iterator<Item = String>) -> String {
    let mut out = String::from("linsep");
    for arg in args {
        out.push(' ');
        out.push_str(&quoted(&masked(&arg)));
    }
    out
}

/// `scheme://name:word@host` without the name and the word.
fn masked(arg: &str) -> String {
    let Some((scheme, rest)) = arg.split_once("://") else { return arg.to_owned() };
    match rest.split_once('@') {
        Some((name, host)) if !name.contains('/') => format!("{scheme}://…@{host}"),
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
    fn a_command_can_be_pasted_and_tells_no_secrets() {
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
