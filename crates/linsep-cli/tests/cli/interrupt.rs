//! A signal during a save leaves no temporary file.

#![cfg(unix)]

use crate::harness::Sandbox;
use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

#[test]
fn signal_during_a_write_leaves_the_old_file_only() {
    for (signal, code) in [("INT", 130), ("TERM", 130)] {
        let desk = Sandbox::new();
        assert_eq!(desk.run("fit gales.csv").code, 0);
        desk.file("p.csv", "prediction\nold\n");
        let before = desk.files();
        // 1. Predictions of an endless pipe: the temporary file exists.
        let mut child = Command::new(env!("CARGO_BIN_EXE_linsep"))
            .args(["predict", "gales.linsep", "-", "-o", "p.csv"])
            .current_dir(desk.path(""))
            .stdin(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(b"x1,x2\n1,2\n").unwrap();
        let start = Instant::now();
        let temporary = |name: &String| name.starts_with(".linsep-");
        while !desk.files().iter().any(temporary) {
            assert!(start.elapsed() < Duration::from_mins(1), "no temporary file appeared");
            std::thread::sleep(Duration::from_millis(5));
        }
        // 2. The signal.
        let id = child.id().to_string();
        assert!(Command::new("kill").args(["-s", signal, &id]).status().unwrap().success());
        let status = child.wait().unwrap();
        assert_eq!(status.code(), Some(code), "SIG{signal}");
        assert_eq!(desk.files(), before, "SIG{signal}");
        assert_eq!(std::fs::read(desk.path("p.csv")).unwrap(), b"prediction\nold\n");
        drop(stdin);
    }
}
