//! `cargo xtask kills [N] [--release]`: starts `linsep fit` N times and kills the process at random
//! moments by SIGKILL. After each kill the model file must be the old or the new model, byte for
//! byte, and must load.
//!
//! Half of the kills come at any moment of a run; the other half during the save, as soon as the
//! temporary file exists. Every tenth run starts without a model. Equal data give equal bytes, so
//! that the models of both data sets are known in advance.

use crate::cargo;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Number of columns of the models, large enough for a save of some milliseconds.
const COLUMNS: usize = 1_500_000;

/// Counts of the kills: before, during and after the save.
#[derive(Default)]
struct Tally {
    before: usize,
    within: usize,
    after: usize,
}

pub(crate) fn run(args: &[String]) -> Result<(), String> {
    let release = args.iter().any(|arg| arg == "--release");
    let numbers: Vec<&String> = args.iter().filter(|arg| *arg != "--release").collect();
    let kills: usize = match numbers[..] {
        [] => 200,
        [one] => one.parse().map_err(|_| format!("expected a number of kills, found {one:?}"))?,
        _ => return Err("usage: cargo xtask kills [N] [--release]".to_owned()),
    };
    let folder = env::temp_dir().join(format!("linsep-kills-{}", std::process::id()));
    fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let done = Sandbox::new(&folder, release).and_then(|desk| desk.run(kills));
    let _ = fs::remove_dir_all(&folder);
    done
}

struct Sandbox {
    folder: PathBuf,
    program: PathBuf,
    /// The models of both data sets.
    models: [Vec<u8>; 2],
    /// Duration of a run, and the part of it in which the temporary file exists.
    whole: Duration,
    save: Duration,
}

impl Sandbox {
    /// Builds the program, writes the data, and trains each model once.
    fn new(folder: &Path, release: bool) -> Result<Self, String> {
        let profile: &[&str] = if release { &["--release"] } else { &[] };
        cargo(&[&["build", "--quiet", "-p", "linsep-cli"], profile].concat())?;
        let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| "target".into(), PathBuf::from);
        let built = target.join(if release { "release" } else { "debug" }).join("linsep");
        let program = fs::canonicalize(&built).map_err(|e| format!("{}: {e}", built.display()))?;
        let mut desk = Self {
            folder: folder.to_owned(),
            program,
            models: [Vec::new(), Vec::new()],
            whole: Duration::ZERO,
            save: Duration::ZERO,
        };
        for which in 0..2 {
            // Every column occurs in the data: models drop columns that do not.
            let all: Vec<String> = (1..=COLUMNS).map(|j| format!("{j}:1")).collect();
            let all = all.join(" ");
            let text = format!("0 {all}\n1 2:1 {COLUMNS}:{0}\n2 3:1 4:{0}\n", which + 1);
            desk.write(&data(which), text.as_bytes())?;
            let start = Instant::now();
            let mut child = desk.fit(which)?;
            let saving = desk.wait_for_save(&mut child).then(Instant::now);
            let status = child.wait().map_err(|e| e.to_string())?;
            if !status.success() {
                return Err(format!("linsep fit ended with {status}"));
            }
            desk.whole = start.elapsed();
            desk.save = saving.map_or(desk.save, |from| from.elapsed());
            desk.models[which] = fs::read(desk.model()).map_err(|e| e.to_string())?;
        }
        if desk.models[0] == desk.models[1] {
            return Err("the two models are equal, so the test is vacuous".to_owned());
        }
        Ok(desk)
    }

    fn model(&self) -> PathBuf {
        self.folder.join("model.linsep")
    }

    fn write(&self, name: &str, bytes: &[u8]) -> Result<(), String> {
        fs::write(self.folder.join(name), bytes).map_err(|e| format!("{name}: {e}"))
    }

    /// Starts a fit of one of the data sets.
    fn fit(&self, which: usize) -> Result<Child, String> {
        Command::new(&self.program)
            .args(["fit", &data(which), "-o", "model.linsep"])
            .args(["--method", "perceptron", "--max-iter", "1"])
            .current_dir(&self.folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|e| format!("{}: {e}", self.program.display()))
    }

    fn temporaries(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let is = |name: &str| name.starts_with(".linsep-");
        entries.filter(|e| is(&e.file_name().to_string_lossy())).map(|e| e.path()).collect()
    }

    /// Waits for the temporary file; `false` if the program ends before the file appears.
    fn wait_for_save(&self, child: &mut Child) -> bool {
        loop {
            if !self.temporaries().is_empty() {
                return true;
            }
            if !matches!(child.try_wait(), Ok(None)) {
                return false;
            }
            sleep(Duration::from_micros(200));
        }
    }

    fn run(&self, kills: usize) -> Result<(), String> {
        let (whole, save) = (self.whole, self.save);
        eprintln!("a run takes {whole:.0?}, its save {save:.0?}; {kills} kills");
        let (mut tally, mut replaced, mut random) =
            (Tally::default(), 0, Random(0x9E37_79B9_7F4A_7C15));
        for kill in 0..kills {
            let which = kill % 2;
            let old = if kill % 10 == 9 { None } else { Some(&self.models[1 - which]) };
            match old {
                Some(old) => self.write("model.linsep", old)?,
                None => fs::remove_file(self.model()).map_err(|e| e.to_string())?,
            }
            // 1. Kill.
            let mut child = self.fit(which)?;
            if kill % 4 < 2 {
                sleep(whole.mul_f64(1.1 * random.share()));
            } else if self.wait_for_save(&mut child) {
                sleep(save.mul_f64(random.share()));
            }
            let ended = child.try_wait().map_err(|e| e.to_string())?.is_some();
            child.kill().map_err(|e| e.to_string())?;
            child.wait().map_err(|e| e.to_string())?;
            // 2. Check the model file.
            let temporaries = self.temporaries();
            let found = fs::read(self.model()).ok();
            let is_new = found.as_ref() == Some(&self.models[which]);
            if !is_new && found.as_ref() != old {
                return Err(format!("kill {kill}: the model is neither the old nor the new one"));
            }
            if found.is_some() {
                self.check_loads(kill)?;
            }
            replaced += usize::from(is_new);
            match (ended || is_new, temporaries.is_empty()) {
                (true, _) => tally.after += 1,
                (false, true) => tally.before += 1,
                (false, false) => tally.within += 1,
            }
            for path in temporaries {
                fs::remove_file(&path).map_err(|e| format!("{}: {e}", path.display()))?;
            }
        }
        let Tally { before, within, after } = tally;
        eprintln!(
            "{kills} kills: {before} before the save, {within} within it, {after} after it. The \
             model was new {replaced} times, and old or absent as before {} times; it was always \
             readable.",
            kills - replaced
        );
        if within == 0 {
            return Err("no kill fell into a save; use more kills".to_owned());
        }
        Ok(())
    }

    /// Returns an error if the model does not load.
    fn check_loads(&self, kill: usize) -> Result<(), String> {
        let shown = Command::new(&self.program)
            .args(["show", "model.linsep"])
            .current_dir(&self.folder)
            .output()
            .map_err(|e| e.to_string())?;
        let says = String::from_utf8_lossy(&shown.stderr);
        if shown.status.success() { Ok(()) } else { Err(format!("kill {kill}: {says}")) }
    }
}

fn data(which: usize) -> String {
    format!("data-{which}.svm")
}

/// Random numbers from 0 to 1, by xorshift.
struct Random(u64);

impl Random {
    fn share(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }
}
