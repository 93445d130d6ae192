//! `milepost-fuzz`: runs the targets on seeded bytes, on the stable toolchain.

// A command line speaks on its streams.
#![allow(clippy::print_stdout, clippy::print_stderr)]
#![cfg_attr(test, allow(clippy::unwrap_used))]

mod bytes;
mod hunt;
mod outcome;
mod regressions;
mod shrink;

use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Result, bail};
use clap::{Parser, ValueEnum};
use milepost_fuzz::{ALL, Target};

/// Runs properties of Milepost on bytes that chance makes, after the inputs that once broke them
#[derive(Parser)]
#[command(name = "cargo xtask fuzz", bin_name = "cargo xtask fuzz")]
struct Arguments {
    /// One target; all of them without it
    target: Option<String>,
    /// Seconds that each target runs
    #[arg(long, value_name = "N", default_value_t = 60, conflicts_with = "range")]
    seconds: u64,
    /// The seed of chance; random by default
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// The most inputs that each target gets
    #[arg(long, value_name = "N", conflicts_with = "range")]
    count: Option<u64>,
    /// As many inputs as each target has there, however long it takes
    #[arg(long, value_enum)]
    range: Option<Range>,
}

/// The range of a test run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Range {
    /// The inputs that decide a change: about a second for each target
    Decisive,
    /// Many times that
    All,
}

/// So many times the inputs that decide a change are everything.
const ALL_OF_DECISIVE: u64 = 10;

impl Arguments {
    fn bounds(&self, target: &Target, seed: u64) -> hunt::Bounds {
        let (time, count) = match self.range {
            Some(Range::Decisive) => (Duration::MAX, target.inputs),
            Some(Range::All) => (Duration::MAX, target.inputs * ALL_OF_DECISIVE),
            None => (
                Duration::from_secs(self.seconds),
                self.count.unwrap_or(u64::MAX),
            ),
        };
        hunt::Bounds { seed, time, count }
    }
}

fn main() -> Result<ExitCode> {
    let arguments = Arguments::parse();
    let targets = chosen(arguments.target.as_deref())?;
    let seed = arguments.seed.unwrap_or_else(|| fastrand::u64(..));
    // Should the process die of an input, this is how to come to it again.
    eprintln!("seed {seed}");
    outcome::collect_panics();
    hunt::watch();
    let mut all_hold = true;
    for target in targets {
        all_hold &= hunt::run(target, &arguments.bounds(target, seed))?;
    }
    Ok(match all_hold {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    })
}

fn chosen(name: Option<&str>) -> Result<Vec<&'static Target>> {
    let Some(name) = name else {
        return Ok(ALL.iter().collect());
    };
    match ALL.iter().find(|target| target.name == name) {
        Some(target) => Ok(vec![target]),
        None => {
            let known: Vec<&str> = ALL.iter().map(|target| target.name).collect();
            bail!(
                "there is no target `{name}`; there are: {}",
                known.join(", ")
            );
        }
    }
}
