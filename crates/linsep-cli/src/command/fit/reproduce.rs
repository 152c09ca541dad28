//! The command line that reproduces a fit.

/// The command, quoted for a shell, with credentials in addresses masked.
pub(super) fn command_line(args: impl Iterator<Item = String>) -> String {
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
