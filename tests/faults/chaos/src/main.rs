//! `cargo xtask chaos`: writers on several hosts, stopped and killed at random, and every
//! acknowledged operation looked up in the end.

// A command line speaks on its streams.
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod actor;
mod aftermath;
mod board;
mod cast;
mod child;
mod faults;
mod folder;
mod ledger;
mod plan;
mod quiet;
mod reader;
mod run;
mod sessions;
mod signal;
mod stage;
mod table;
mod tasks;
mod verdict;
mod write_strategy;
mod writer;

use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow};
use clap::{Parser, ValueEnum};

use cast::{Cast, Host, Programs};
use faults::Violated;
use plan::{Amount, Plan};
use run::Ran;
use sessions::Sessions;
use signal::Interrupt;
use table::{Circumstances, Table};
use tasks::Tasks;
use write_strategy::WriteStrategy;

/// The amount of every test run.
const USUAL: Amount = Amount {
    writers: 16,
    kills: 200,
    pauses: 500,
};
const USUAL_SEED: u64 = 1;

/// The parts that are disturbed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Part {
    /// Of runs, as many as the options say
    Updates,
    /// Snapshots, a fixed number
    Sessions,
    /// Task checkpoints, a fixed number, on Node and Deno
    Tasks,
}

/// Writers on several hosts, stopped and killed at random: nothing acknowledged may be lost
#[derive(Parser, Clone, Debug)]
#[command(name = "cargo xtask chaos", bin_name = "cargo xtask chaos")]
struct Options {
    /// The number of processes that write in parallel
    #[arg(long, default_value_t = USUAL.writers, value_parser = clap::value_parser!(u32).range(1..=1000))]
    writers: u32,
    /// The number of them that are killed, each to be started again as another one
    #[arg(long, default_value_t = USUAL.kills)]
    kills: u32,
    /// The number of times that one of them is stopped for a while
    #[arg(long, default_value_t = USUAL.pauses)]
    pauses: u32,
    /// Decides who is stopped or killed, and when
    #[arg(long, default_value_t = USUAL_SEED)]
    seed: u64,
    /// Run again with the next seed, until so many seconds have passed
    #[arg(long, default_value_t = 0)]
    seconds: u64,
    /// The runtimes of the writers, in turns
    #[arg(long, value_enum, value_delimiter = ',', default_values_t = Host::ALL)]
    hosts: Vec<Host>,
    /// The parts that are disturbed
    #[arg(long, value_enum, value_delimiter = ',', default_values_t = [Part::Updates, Part::Sessions, Part::Tasks])]
    parts: Vec<Part>,
    /// Run the usual ways of writing as well, on Node and Deno
    #[arg(long)]
    compare: bool,
    /// Print one line about Milepost instead of the table
    #[arg(long, conflicts_with = "compare")]
    brief: bool,
    /// Print what the seed decides, and do nothing
    #[arg(long)]
    plan: bool,
    #[command(flatten)]
    programs: Programs,
}

impl Options {
    fn amount(&self) -> Amount {
        Amount {
            writers: self.writers,
            kills: self.kills,
            pauses: self.pauses,
        }
    }
}

fn main() -> ExitCode {
    let options = Options::parse();
    if options.plan {
        print!("{}", Plan::new(options.seed, options.amount()));
        return ExitCode::SUCCESS;
    }
    match perform(&options) {
        Ok(text) => {
            println!("{text}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Every strategy, seed after seed; returns what there is to read.
///
/// # Errors
///
/// A host could not be run, or Milepost did not keep its promise: then the folder is kept.
fn perform(options: &Options) -> Result<String> {
    let folder = tempfile::tempdir()?;
    let cast = Cast::find(&options.programs, &options.hosts)?;
    let interrupt = Interrupt::listen()?;
    let mut strategies = Vec::new();
    if options.parts.contains(&Part::Updates) {
        strategies.push(WriteStrategy::Milepost);
        if options.compare {
            strategies.extend(WriteStrategy::NAIVE);
        }
    }
    for strategy in &strategies {
        cast.host(*strategy, 0)?;
    }
    let until = Instant::now() + Duration::from_secs(options.seconds);
    let mut totals: Vec<Ran> = Vec::new();
    let mut sessions: Option<Sessions> = None;
    let mut tasks: Option<Tasks> = None;
    let mut seed = options.seed;
    loop {
        for (number, &strategy) in strategies.iter().enumerate() {
            let ran = one(&cast, strategy, options.amount(), seed, &interrupt)?;
            match totals.get_mut(number) {
                Some(total) => total.add(ran),
                None => totals.push(ran),
            }
        }
        if options.parts.contains(&Part::Sessions) {
            let ran = whole(Part::Sessions, &cast, seed, |folder| {
                sessions::run(&cast, seed, folder, &interrupt)
            })?;
            sessions.get_or_insert_default().add(&ran);
        }
        if options.parts.contains(&Part::Tasks) && tasks::has_host(&cast) {
            let ran = whole(Part::Tasks, &cast, seed, |folder| {
                tasks::run(&cast, seed, folder, &interrupt)
            })?;
            tasks.get_or_insert_default().add(&ran);
        }
        if Instant::now() >= until {
            break;
        }
        seed += 1;
    }
    let milepost = totals
        .iter()
        .find(|ran| ran.strategy == WriteStrategy::Milepost);
    let others = sessions.map(|it| it.to_string());
    let others = others.into_iter().chain(tasks.map(|it| it.to_string()));
    if options.brief || milepost.is_none() {
        let lines = milepost.map(Ran::summary).into_iter().chain(others);
        return Ok(lines.collect::<Vec<_>>().join("; "));
    }
    let others: String = others.map(|it| format!("\n{it}")).collect();
    let circumstances = Circumstances::new(options, seed, &cast, folder.path());
    let quiet = milepost.map(|ran| format!("\n\nMilepost: {}", ran.quiet));
    let table = Table(&totals);
    Ok(format!(
        "{circumstances}\n\n{table}{}{others}",
        quiet.unwrap_or_default()
    ))
}

/// One run of a fixed number in a folder of its own, which is kept where something is wrong.
fn whole<T>(part: Part, cast: &Cast, seed: u64, run: impl FnOnce(&Path) -> Result<T>) -> Result<T> {
    let folder = tempfile::Builder::new()
        .prefix("milepost-chaos-")
        .tempdir()?;
    let path = folder.path().canonicalize()?;
    let (name, what) = match part {
        Part::Updates => ("updates", "runs"),
        Part::Sessions => ("sessions", "snapshots"),
        Part::Tasks => ("tasks", "task checkpoints"),
    };
    eprintln!("{what}, seed {seed} …");
    run(&path).map_err(|error| {
        mark(what, seed, &error);
        anyhow!(
            "{what}: {error:#}\n\
             kept: {}\n\
             again: cargo xtask chaos --parts {name} --seed {seed} --hosts {}",
            folder.keep().display(),
            names(cast)
        )
    })
}

/// Prints the line of a proof, where the error is one.
fn mark(what: &str, seed: u64, error: &anyhow::Error) {
    if let Some(violated) = error.downcast_ref::<Violated>() {
        let summary = violated.summary();
        milepost_property::report(format_args!("{what}, seed {seed}: {summary}"));
    }
}

/// As an option has them.
fn names(cast: &Cast) -> String {
    let hosts = cast.hosts.iter();
    let hosts: Vec<String> = hosts.map(|it| it.name().to_lowercase()).collect();
    hosts.join(",")
}

/// One run in a folder of its own, which is kept where something is wrong.
fn one(
    cast: &Cast,
    strategy: WriteStrategy,
    amount: Amount,
    seed: u64,
    interrupt: &Interrupt,
) -> Result<Ran> {
    let folder = tempfile::Builder::new()
        .prefix("milepost-chaos-")
        .tempdir()?;
    // Deno compares paths as they are written.
    let path = folder.path().canonicalize()?;
    eprintln!("{}, seed {seed} …", strategy.name());
    let plan = Plan::new(seed, amount);
    let ran = run::run(cast, strategy, &plan, &path, interrupt).and_then(|ran| {
        verdict::judge(&ran)?;
        Ok(ran)
    });
    ran.map_err(|error| {
        mark(strategy.name(), seed, &error);
        let Amount {
            writers,
            kills,
            pauses,
        } = amount;
        anyhow!(
            "{}: {error:#}\n\
             kept, with the plan and the journal: {}\n\
             again: cargo xtask chaos --writers {writers} --kills {kills} --pauses {pauses} \
             --seed {seed} --hosts {}",
            strategy.name(),
            folder.keep().display(),
            names(cast)
        )
    })
}
