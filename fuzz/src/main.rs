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
use clap::Parser;
use milepost_fuzz::{ALL, Target};

/// Runs properties of Milepost on bytes that chance makes, after the inputs that once broke them
#[derive(Parser)]
#[command(name = "cargo xtask fuzz", bin_name = "cargo xtask fuzz")]
struct Arguments {
    /// One target; all of them without it
    target: Option<String>,
    /// How long each target runs
    #[arg(long, value_name = "N", default_value_t = 60)]
    seconds: u64,
    /// Where chance begins; another place each time without it
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// How many inputs each target gets at most
    #[arg(long, value_name = "N")]
    count: Option<u64>,
}

fn main() -> Result<ExitCode> {
    let arguments = Arguments::parse();
    let targets = chosen(arguments.target.as_deref())?;
    let seed = arguments.seed.unwrap_or_else(|| fastrand::u64(..));
    let bounds = hunt::Bounds {
        seed,
        time: Duration::from_secs(arguments.seconds),
        count: arguments.count.unwrap_or(u64::MAX),
    };
    // Should the process die of an input, this is how to come to it again.
    eprintln!("seed {seed}");
    outcome::collect_panics();
    hunt::watch();
    let mut all_hold = true;
    for target in targets {
        all_hold &= hunt::run(target, &bounds)?;
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
