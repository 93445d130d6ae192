//! `milepost-scenarios`: makes the scenarios that every host runs, and runs them on the native core.

// A command line speaks on its streams.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::fs;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::{Parser, Subcommand};
use milepost_scenarios::hand::Worlds;
use milepost_scenarios::run::{Native, NativeBlocking, outcome};
use milepost_scenarios::scenario::Scenario;
use milepost_scenarios::{generate, hand, spell};

/// Scenarios that prove that every host gives the same answers and the same bytes
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Print scenarios, one a line: those of a folder, then generated ones
    Scenarios {
        /// The folder of scenarios that were written by hand
        #[arg(long)]
        hand: PathBuf,
        #[arg(long)]
        seed: u64,
        #[arg(long)]
        count: u64,
    },
    /// Run scenarios on the native core, and print what came of each, one a line
    Run {
        /// A file that `scenarios` has printed
        file: PathBuf,
        /// By the blocking variant, which the native program is made of
        #[arg(long)]
        blocking: bool,
    },
}

fn main() -> Result<()> {
    let mut output = BufWriter::new(io::stdout().lock());
    match Arguments::parse().command {
        Command::Scenarios { hand, seed, count } => {
            for scenario in by_hand(&hand)? {
                writeln!(output, "{}", scenario.to_line())?;
            }
            for number in 0..count {
                writeln!(output, "{}", generate::scenario(seed, number).to_line())?;
            }
        }
        Command::Run { file, blocking } => {
            let opened =
                fs::File::open(&file).with_context(|| format!("cannot open {}", file.display()))?;
            for line in BufReader::new(opened).lines() {
                let scenario = Scenario::read(&line?)?;
                let outcome = match blocking {
                    true => outcome(NativeBlocking, &scenario),
                    false => outcome(Native, &scenario),
                };
                writeln!(output, "{outcome}")?;
            }
        }
    }
    output.flush()?;
    Ok(())
}

fn by_hand(folder: &PathBuf) -> Result<Vec<Scenario>> {
    let entries =
        fs::read_dir(folder).with_context(|| format!("cannot list {}", folder.display()))?;
    let mut files = entries
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<Vec<_>>>()?;
    files.sort();
    let mut scenarios = Vec::new();
    for file in files {
        let mut read = || -> Result<()> {
            let written = hand::read(&fs::read_to_string(&file)?)?;
            for hand in written {
                if hand.worlds != Worlds::Real {
                    scenarios.push(spell::out(&hand)?.scenario);
                }
            }
            Ok(())
        };
        read().with_context(|| file.display().to_string())?;
    }
    Ok(scenarios)
}
