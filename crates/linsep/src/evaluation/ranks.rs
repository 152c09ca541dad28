//! External sort of scores in descending order: in memory, or in sorted runs on disk.
//!
//! Rows are buffered until they take [`Spill::memory`] bytes. Then they are sorted, separately for
//! each hyperplane, and written to a temporary file as a **run**: one list per hyperplane, of equal
//! length. The ranking of a hyperplane is the merge of its lists in all runs.
//!
//! * Equal scores stay in the order of the rows, because a merge prefers the earlier run. Sums over
//!   equal scores therefore have the same bits as in memory.
//! * Few rows never touch the disk.
//! * The file has no name: the system deletes it when the process ends, even after a crash.
//!
//! Memory: the rows of one run and the order of one hyperplane, later a buffer per run. Disk: 12
//! bytes per row and hyperplane, 20 if rows are weighted.

use crate::error::Error;
use linsep_core::metric::{Level, LevelBuilder, Ranking};
use linsep_io::location::Location;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;

/// Memory limit and folder of the external sort.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spill {
    /// Bytes of rows in memory.
    pub memory: usize,
    /// Folder for temporary files; `None`: the default of the system.
    pub folder: Option<PathBuf>,
}

impl Default for Spill {
    fn default() -> Self {
        // Without files, all rows stay in memory.
        Self { memory: if cfg!(feature = "fs") { 64 << 20 } else { usize::MAX }, folder: None }
    }
}

impl Spill {
    fn folder(&self) -> PathBuf {
        self.folder.clone().unwrap_or_else(std::env::temp_dir)
    }

    fn failed(&self, source: &io::Error) -> Error {
        let problem = format!(
            "writing temporary files failed ({source}). Free some space there, or choose another \
             folder with `temp-dir`."
        );
        Error::data(Location::file(&self.folder().display().to_string()), problem)
    }
}

/// Rows with a score for each hyperplane, a class and a sample weight.
pub(super) struct Ranks {
    spill: Spill,
    hyperplanes: usize,
    scores: Vec<f64>,
    target: Vec<u32>,
    weights: Vec<f64>,
    disk: Option<Disk>,
}

struct Disk {
    file: File,
    end: u64,
    runs: Vec<Run>,
}

/// Sorted rows: a list for each hyperplane.
struct Run {
    start: u64,
    rows: u64,
    /// Whether any row has a sample weight other than 1.
    weighted: bool,
}

impl Run {
    /// Returns the bytes of an entry: score, class, and sample weight if any.
    fn entry(&self) -> u64 {
        if self.weighted { 8 + 4 + 8 } else { 8 + 4 }
    }
}

impl Ranks {
    pub(super) fn new(hyperplanes: usize, spill: Spill) -> Self {
        let (scores, target, weights) = (Vec::new(), Vec::new(), Vec::new());
        Self { spill, hyperplanes, scores, target, weights, disk: None }
    }

    /// Adds a row. Rows of weight 0 do not affect any curve, and are ignored.
    pub(super) fn add(&mut self, scores: &[f64], target: u32, weight: f64) -> Result<(), Error> {
        debug_assert_eq!(scores.len(), self.hyperplanes);
        if weight <= 0.0 {
            return Ok(());
        }
        self.scores.extend_from_slice(scores);
        self.target.push(target);
        self.weights.push(weight);
        // Memory for sorting is included: a key and an index per row.
        if self.target.len() * (8 * self.hyperplanes + 12 + 16) >= self.spill.memory {
            self.write_run().map_err(|e| self.spill.failed(&e))?;
        }
        Ok(())
    }

    /// Writes the last run, if any is on disk.
    pub(super) fn finish(&mut self) -> Result<(), Error> {
        if self.disk.is_some() {
            self.write_run().map_err(|e| self.spill.failed(&e))?;
            (self.scores, self.target, self.weights) = Default::default();
        }
        Ok(())
    }

    /// Returns the rows in memory by descending score of a hyperplane, ties in the order of the
    /// rows.
    fn order(&self, hyperplane: usize) -> Vec<(u64, u32)> {
        let scores = self.scores.iter().skip(hyperplane).step_by(self.hyperplanes);
        let mut order: Vec<(u64, u32)> = scores.map(|z| key(*z)).zip(0..).collect();
        order.sort_unstable();
        order
    }

    fn write_run(&mut self) -> io::Result<()> {
        if self.target.is_empty() {
            return Ok(());
        }
        let disk = if let Some(disk) = self.disk.take() {
            disk
        } else {
            #[cfg(feature = "fs")]
            let file = tempfile::tempfile_in(self.spill.folder())?;
            #[cfg(not(feature = "fs"))]
            let file = Err(io::Error::from(io::ErrorKind::Unsupported))?;
            Disk { file, end: 0, runs: Vec::new() }
        };
        let disk = self.disk.insert(disk);
        let weighted = self.weights.iter().any(|s| *s != 1.0);
        let run = Run { start: disk.end, rows: self.target.len() as u64, weighted };
        disk.end += run.rows * run.entry() * self.hyperplanes as u64;
        disk.file.seek(SeekFrom::Start(run.start))?;
        disk.runs.push(run);
        let file = disk.file.try_clone()?;
        let mut out = BufWriter::with_capacity(1 << 18, file);
        for hyperplane in 0..self.hyperplanes {
            for (_, i) in self.order(hyperplane) {
                let i = i as usize;
                out.write_all(&self.scores[i * self.hyperplanes + hyperplane].to_le_bytes())?;
                out.write_all(&self.target[i].to_le_bytes())?;
                if weighted {
                    out.write_all(&self.weights[i].to_le_bytes())?;
                }
            }
        }
        out.flush()?;
        self.scores.clear();
        self.target.clear();
        self.weights.clear();
        Ok(())
    }
}

/// Returns an integer key whose ascending order is the descending `total_cmp` order of the scores.
fn key(score: f64) -> u64 {
    let bits = score.to_bits();
    let ascending = if bits >> 63 == 1 { !bits } else { bits | 1 << 63 };
    !ascending
}

/// Ranking of a class against the rest, by the scores of a hyperplane.
pub struct ClassRanking<'a> {
    pub(super) ranks: &'a Ranks,
    pub(super) hyperplane: usize,
    pub(super) class: u32,
}

impl Ranking for ClassRanking<'_> {
    type Error = Error;

    fn each(&self, take: &mut dyn FnMut(Level)) -> Result<(), Error> {
        let ranks = self.ranks;
        let mut leveler = LevelBuilder::default();
        let mut add = |(score, target, weight): Entry| {
            if let Some(level) = leveler.add(score, target == self.class, weight) {
                take(level);
            }
        };
        match &ranks.disk {
            None => {
                for (_, i) in ranks.order(self.hyperplane) {
                    let i = i as usize;
                    let score = ranks.scores[i * ranks.hyperplanes + self.hyperplane];
                    add((score, ranks.target[i], ranks.weights[i]));
                }
            }
            Some(disk) => {
                let merged = merge(disk, self.hyperplane, ranks.spill.memory, add);
                merged.map_err(|e| ranks.spill.failed(&e))?;
            }
        }
        if let Some(level) = leveler.end() {
            take(level);
        }
        Ok(())
    }
}

/// Score, class and sample weight of a row.
type Entry = (f64, u32, f64);

/// Passes the rows of a hyperplane to `add`, by descending score.
fn merge(
    disk: &Disk,
    hyperplane: usize,
    memory: usize,
    mut add: impl FnMut(Entry),
) -> io::Result<()> {
    let buffer = (memory / disk.runs.len().max(1)).clamp(1 << 12, 1 << 18);
    let mut lists = Vec::with_capacity(disk.runs.len());
    let mut heads = BinaryHeap::with_capacity(disk.runs.len());
    for (r, run) in disk.runs.iter().enumerate() {
        let bytes = run.rows * run.entry();
        let at = run.start + hyperplane as u64 * bytes;
        let piece = Piece { file: &disk.file, at, end: at + bytes };
        lists.push(BufReader::with_capacity(buffer, piece));
        heads.extend(next(&mut lists[r], run)?.map(|entry| Reverse((key(entry.0), r, Row(entry)))));
    }
    while let Some(Reverse((_, r, Row(entry)))) = heads.pop() {
        add(entry);
        let following = next(&mut lists[r], &disk.runs[r])?;
        heads.extend(following.map(|entry| Reverse((key(entry.0), r, Row(entry)))));
    }
    Ok(())
}

/// An entry that is ignored in comparisons: the heap has one entry per run, and the run breaks
/// ties.
struct Row(Entry);

impl PartialEq for Row {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Row {}

impl PartialOrd for Row {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Row {
    fn cmp(&self, _: &Self) -> std::cmp::Ordering {
        std::cmp::Ordering::Equal
    }
}

fn next(list: &mut BufReader<Piece<'_>>, run: &Run) -> io::Result<Option<Entry>> {
    let at_end = list.buffer().is_empty() && list.get_ref().at == list.get_ref().end;
    if at_end {
        return Ok(None);
    }
    let (mut eight, mut four) = ([0; 8], [0; 4]);
    list.read_exact(&mut eight)?;
    list.read_exact(&mut four)?;
    let (score, target) = (f64::from_le_bytes(eight), u32::from_le_bytes(four));
    let mut weight = 1.0;
    if run.weighted {
        list.read_exact(&mut eight)?;
        weight = f64::from_le_bytes(eight);
    }
    Ok(Some((score, target, weight)))
}

/// A section of a file.
struct Piece<'a> {
    file: &'a File,
    at: u64,
    end: u64,
}

impl Read for Piece<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = usize::try_from(self.end - self.at).unwrap_or(usize::MAX).min(buffer.len());
        self.file.seek(SeekFrom::Start(self.at))?;
        let n = self.file.read(&mut buffer[..most])?;
        self.at += n as u64;
        Ok(n)
    }
}
