//! Colors of severities, on a terminal only.

use crate::harness::Sandbox;

#[cfg(unix)]
#[test]
fn colors_are_printed_on_a_terminal_only() {
    let desk = Sandbox::new();
    let run =
        |env: &str, words: &str| desk.shell(&format!("env -u NO_COLOR {env} $LINSEP {words}"));
    let esc = '\u{1b}';
    // Neither stream is a terminal in a test.
    assert!(!run("", "check iris.csv").stdout.contains(esc));
    assert!(!run("", "fit nothing.csv").stderr.contains(esc));
    let check = run("CLICOLOR_FORCE=1", "check iris.csv").stdout;
    assert!(check.contains("\u{1b}[33mwarning\u{1b}[0m"), "{check}");
    let error = run("CLICOLOR_FORCE=1", "fit nothing.csv").stderr;
    assert!(error.contains("\u{1b}[31merror\u{1b}[0m:"), "{error}");
    assert!(!run("CLICOLOR_FORCE=1", "check iris.csv --json").stdout.contains(esc));
    assert!(!run("NO_COLOR=1", "check iris.csv").stdout.contains(esc));
}

#[cfg(unix)]
#[test]
fn names_from_files_cannot_set_colors() {
    let desk = Sandbox::new();
    desk.file("hostile.csv", "\u{1b}[31ma,y\n1,p\n2,q\n3,p\n4,q\n");
    let run = desk.shell("env -u NO_COLOR CLICOLOR_FORCE=1 $LINSEP check hostile.csv");
    assert!(!run.stdout.contains("\u{1b}[31ma"), "{}", run.stdout);
}
