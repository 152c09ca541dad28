//! Memory limits are checked before allocation: compressed files of a few kilobytes, low limits.

use super::harness::{Run, Sandbox};
use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

/// Runs `linsep`; returns its output and its peak memory in MB.
fn peak(desk: &Sandbox, words: &str) -> (Run, f64) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_linsep"))
        .args(words.split_whitespace())
        .current_dir(desk.path("."))
        .env("NO_COLOR", "1")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The kernel drops the memory record of an ended process, so it is read during the run.
    let status = format!("/proc/{}/status", child.id());
    let mut most = 0.0_f64;
    while child.try_wait().unwrap().is_none() {
        let text = fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kib = line.and_then(|l| l.trim().strip_suffix("kB")?.trim().parse::<f64>().ok());
        most = most.max(kib.unwrap_or(0.0) * 1024.0 / 1e6);
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    let output = child.wait_with_output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let code = output.status.code().expect("no signal");
    (Run { code, stdout: text(output.stdout), stderr: text(output.stderr) }, most)
}

/// Checks that the run is refused with limit and remedy, within a few times the limit.
#[track_caller]
fn refused(desk: &Sandbox, words: &str) -> String {
    let (run, peak) = peak(desk, words);
    assert_eq!(run.code, 1, "{}", run.stderr);
    assert!(
        run.stderr.contains("the limit is 64.0 MB. Raise it with --memory, or "),
        "{}",
        run.stderr
    );
    assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
    assert!(peak < 256.0, "{peak} MB: {}", run.stderr);
    run.stderr
}

/// A line repeated `times` times, compressed.
fn gzip(line: &str, times: usize, head: &str) -> Vec<u8> {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(head.as_bytes()).unwrap();
    let many = line.repeat(10_000);
    (0..times / 10_000).for_each(|_| gzip.write_all(many.as_bytes()).unwrap());
    gzip.finish().unwrap()
}

#[test]
fn huge_indices_are_fitted_and_predicted() {
    let desk = Sandbox::new();
    desk.file("three.svm", "1 2147483646:1 2147483647:2\n0 5:1\n1 2147483647:1.5\n");
    let (run, peak) = peak(&desk, "fit three.svm --memory 64MB -o three.linsep");
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(peak < 100.0, "{peak} MB");
    // The model uses the indices of the file, and ignores others.
    desk.file("new.svm", "1 2147483647:2\n0 5:1 6:100 2147483640:100\n");
    let run = desk.run("predict three.linsep new.svm --memory 64MB");
    assert_eq!((run.code, run.stdout.as_str()), (0, "prediction\n1\n0\n"), "{}", run.stderr);
    assert!(run.stderr.contains("ignored: 2"), "{}", run.stderr);
    let run = desk.run("explain three.linsep new.svm --row 1");
    assert!(run.stdout.contains("2147483647"), "{}", run.stdout);
    let shown = desk.run("show three.linsep");
    assert_eq!(shown.code, 0, "{}", shown.stderr);
    assert!(shown.stdout.contains("3 features"), "{}", shown.stdout);
    assert_eq!(desk.run("evaluate three.linsep three.svm").code, 0);
}

#[test]
fn compressed_table_above_the_limit_is_refused() {
    let desk = Sandbox::new();
    desk.file("bomb.csv.gz", gzip("1,2,3,4,a\n", 3_000_000, "a,b,c,d,y\n"));
    let text = refused(&desk, "fit bomb.csv.gz --memory 64MB");
    assert!(text.starts_with("error: bomb.csv.gz: the table requires at least 6"), "{text}");
    // A table within the limit is fitted.
    let (run, peak) = peak(&desk, "fit iris.csv -o m.linsep --memory 64MB");
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(peak < 128.0, "{peak} MB");
}

#[test]
fn endless_line_is_refused() {
    let desk = Sandbox::new();
    desk.file("line.csv.gz", gzip("1,2,3,4,", 10_000_000, "a,b\n"));
    let text = refused(&desk, "fit line.csv.gz --memory 64MB");
    assert!(text.contains("this record"), "{text}");
    assert_eq!(desk.run("fit iris.csv -o m.linsep").code, 0);
    let iris = fs::read_to_string(desk.path("iris.csv")).unwrap();
    let head = format!("{}\n", iris.lines().next().unwrap());
    desk.file("wide.csv.gz", gzip("1,2,3,4,", 10_000_000, &head));
    refused(&desk, "predict m.linsep wide.csv.gz --memory 64MB");
}

#[test]
fn sparse_rows_above_the_limit_are_refused() {
    let desk = Sandbox::new();
    desk.file("pairs.svm.gz", gzip("1 1:1 2:1 3:1 4:1 5:1 6:1 7:1 8:1\n", 2_000_000, "0 1:2\n"));
    let text = refused(&desk, "fit pairs.svm.gz --memory 64MB");
    assert!(text.contains("the sparse matrix requires"), "{text}");
}

#[test]
fn pipe_above_the_limit_is_refused() {
    let desk = Sandbox::new();
    let text = "x,y\n".to_owned() + &"a word of some length,b\n".repeat(3_000_000);
    let run = desk.run_with(&["fit", "-", "--memory", "64MB"], &text);
    assert_eq!(run.code, 1, "{}", run.stderr);
    assert!(run.stderr.contains("the limit is 64.0 MB"), "{}", run.stderr);
}

#[test]
fn training_above_the_limit_is_refused() {
    let desk = Sandbox::new();
    let mut text = String::from("0 1:1\n");
    for j in 1..40_000 {
        text += &format!("{} {j}:1 {}:2\n", j % 200, j + 1);
    }
    desk.file("many.svm", text);
    let text = refused(&desk, "fit many.svm --memory 64MB --method logistic");
    assert!(text.contains("logistic on 40000 rows, 40000 features and 200 classes"), "{text}");
}

#[test]
fn limits_out_of_range_are_refused() {
    let desk = Sandbox::new();
    for (words, says) in [
        ("fit iris.csv --memory 5", "expected a size such as 512MB"),
        ("fit iris.csv --memory 5kB", "expected at least 16.0 MB"),
        ("fit iris.csv --threads 4000", "4000 is not in 1..=1024"),
    ] {
        let run = desk.run(words);
        assert_eq!(run.code, 2, "{words}: {}", run.stderr);
        assert!(run.stderr.contains(says), "{words}: {}", run.stderr);
    }
}

#[test]
fn memory_does_not_grow_with_the_number_of_threads() {
    let desk = Sandbox::new();
    let mut text = String::from("a,b,c,y\n");
    for i in 0..400_000 {
        text += &format!("{},{},{},{}\n", i % 997, i % 13, i % 7, i % 2);
    }
    desk.file("rows.csv", text);
    let (run, few) = peak(&desk, "fit rows.csv --threads 2 --method least-squares -o few.linsep");
    assert_eq!(run.code, 0, "{}", run.stderr);
    let (run, many) =
        peak(&desk, "fit rows.csv --threads 1024 --method least-squares -o many.linsep");
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(many < few + 200.0, "{few} MB with 2 threads, {many} MB with 1024");
}

#[test]
fn evaluation_spills_to_disk_with_the_same_result() {
    let desk = Sandbox::new();
    assert_eq!(desk.run("fit gales.csv -o m.linsep --method logistic").code, 0);
    let gales = fs::read_to_string(desk.path("gales.csv")).unwrap();
    let (head, rows) = gales.split_once('\n').unwrap();
    desk.file("long.csv", format!("{head}\n{}", rows.repeat(200_000)));
    // Rows may use an eighth of the memory: the first run spills, the second does not.
    let few = peak(&desk, "evaluate m.linsep long.csv --json --memory 20MB");
    let all = peak(&desk, "evaluate m.linsep long.csv --json --memory 4GB");
    assert_eq!((few.0.code, all.0.code), (0, 0), "{} {}", few.0.stderr, all.0.stderr);
    assert_eq!(few.0.stdout, all.0.stdout);
    assert!(few.1 < all.1 && few.1 < 64.0, "{} MB, and {} MB in memory", few.1, all.1);
    let run = desk.run("predict m.linsep long.csv --memory 20MB --json");
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("predict without --json"), "{}", run.stderr);
    let run = desk.run("evaluate m.linsep long.csv --memory 20MB --temp-dir nowhere");
    assert_eq!(run.code, 1);
    assert!(
        run.stderr.starts_with("error: nowhere: writing temporary files failed"),
        "{}",
        run.stderr
    );
}
