//! The write strategies side by side, and what they ran on.

use std::env::consts::OS;
use std::fmt;
use std::path::Path;
use std::process::Command;
use std::thread;

use crate::Options;
use crate::cast::{Cast, Host};
use crate::ledger::Findings;
use crate::run::Ran;
use crate::write_strategy::WriteStrategy;

/// The circumstances that a reader needs to place the numbers, and to see them again.
pub(crate) struct Circumstances(String);

impl Circumstances {
    /// Of runs with the seeds from the asked one to `last`.
    pub(crate) fn new(options: &Options, last: u64, cast: &Cast, folder: &Path) -> Self {
        let hosts: Vec<&str> = cast.hosts.iter().map(|host| host.name()).collect();
        let Options {
            writers,
            kills,
            pauses,
            seed,
            ..
        } = options;
        let scripts: Vec<&str> = cast.able(WriteStrategy::Rename).map(Host::name).collect();
        let naive = match options.compare {
            true => format!(" (the naive ways on {})", scripts.join(", ")),
            false => String::new(),
        };
        let cores = thread::available_parallelism().map_or(0, usize::from);
        let seeds = match last == *seed {
            true => format!("seed {seed}"),
            false => format!("in each run, seeds {seed} to {last}"),
        };
        Self(format!(
            "{writers} writers in turns on {}{naive}; {kills} kills, {pauses} pauses; {seeds}\n\
             {OS}, {cores} cores, {}",
            hosts.join(", "),
            file_system(folder)
                .as_deref()
                .unwrap_or("unknown file system"),
        ))
    }
}

impl fmt::Display for Circumstances {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// The number of operations that were refused, by code.
fn refused(findings: &Findings) -> String {
    if findings.refused.is_empty() {
        return "0".to_owned();
    }
    let codes = findings.refused.iter();
    let codes: Vec<String> = codes
        .map(|(code, messages)| format!("{} {code}", messages.len()))
        .collect();
    codes.join(", ")
}

fn file_system(folder: &Path) -> Option<String> {
    let answer = Command::new("df").arg("-PT").arg(folder).output().ok()?;
    let second = String::from_utf8_lossy(&answer.stdout);
    let second = second.lines().nth(1)?;
    second.split_whitespace().nth(1).map(str::to_owned)
}

/// A row for each run.
pub(crate) struct Table<'a>(pub(crate) &'a [Ran]);

impl fmt::Display for Table<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "| way of writing | acknowledged | lost | applied twice | reads | torn | went back | refused | killed before the answer | files left over | time |\n\
             |---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|"
        )?;
        for Ran {
            strategy,
            findings,
            reads,
            left_over,
            took,
            ..
        } in self.0
        {
            write!(
                f,
                "\n| {} | {} | {} | {} | {} | {} | {} | {} | {}, {} of them written | {} | {:.0} s |",
                strategy.name(),
                findings.acknowledged,
                findings.lost.len(),
                findings.twice.len(),
                reads.count,
                reads.torn,
                reads.back,
                refused(findings),
                findings.unknown,
                findings.unknown_written,
                left_over.len(),
                took.as_secs_f64(),
            )?;
        }
        Ok(())
    }
}
