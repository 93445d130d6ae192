//! Runs the simulator, and prints what it did.

// A command line speaks on its streams.
#![allow(clippy::print_stdout)]

mod amount;
mod parallel;

use std::fmt;
use std::ops::Range;
use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use milepost_property as property;
use milepost_simulator::exhaustive::{self, Setting};
use milepost_simulator::points::{self, Case, Looked};
use milepost_simulator::rename;
use milepost_simulator::restores;
use milepost_simulator::sabotage::{self, Active, Fault, PartsFault, RestoreFault};
use milepost_simulator::seeds::Seeds;
use milepost_simulator::tasks;
use milepost_simulator::threads;
use milepost_simulator::trace::Trace;
use milepost_simulator::{Tally, Violation, gate};

use amount::Range as Amount;
use parallel::Part;

/// Of so many seeds, one is run with renames as well.
const RENAMING: u64 = 4;

/// Of so many seeds, one is run with snapshots as well.
const OF_SESSIONS: u64 = 10;

/// Of so many seeds, one is run with task checkpoints as well.
const OF_TASKS: u64 = 10;

/// Of so many seeds, one is run with transcripts as well.
const OF_TRANSCRIPTS: u64 = 10;

/// Every order of a few writers, every death and loss of power in one operation, runs from seeds,
/// and the faults that all of them have to notice
#[derive(Parser)]
#[command(name = "cargo xtask simulate", bin_name = "cargo xtask simulate")]
struct Options {
    /// The amount to run
    #[arg(long, value_enum, default_value_t = Amount::All)]
    range: Amount,
    /// The number of seeds to run; 20,000 of everything, 4,000 of what is decisive
    #[arg(long)]
    seeds: Option<u64>,
    /// The first of them
    #[arg(long, default_value_t = 0)]
    from: u64,
    /// Nothing but the seeds
    #[arg(long)]
    only_seeds: bool,
    /// Run this seed alone, and print what happens in it
    #[arg(long, conflicts_with_all = ["seeds", "from", "only_seeds"])]
    seed: Option<u64>,
    /// Of the runs where checkpoints are renamed
    #[arg(long, requires = "seed", conflicts_with = "fault")]
    renaming: bool,
    /// Of the runs with snapshots
    #[arg(long, requires = "seed", conflicts_with_all = ["fault", "renaming"])]
    sessions: bool,
    /// Of the runs of task checkpoints
    #[arg(long, requires = "seed", conflicts_with_all = ["fault", "renaming", "sessions"])]
    tasks: bool,
    /// Of the runs of transcripts of agents' sessions
    #[arg(long, requires = "seed", conflicts_with_all = ["fault", "renaming", "sessions", "tasks"])]
    transcripts: bool,
    /// Put this fault into the protocol
    #[arg(long, requires = "seed", value_parser = fault)]
    fault: Option<Fault>,
    /// Put this fault into how the parts of tasks are kept
    #[arg(long, requires = "tasks", value_parser = parts_fault)]
    parts_fault: Option<PartsFault>,
}

fn fault(name: &str) -> Result<Fault, String> {
    named(name, &Fault::ALL)
}

fn parts_fault(name: &str) -> Result<PartsFault, String> {
    named(name, &PartsFault::ALL)
}

fn named<F: Copy + fmt::Debug>(name: &str, all: &[F]) -> Result<F, String> {
    let found = all.iter().find(|it| format!("{it:?}") == name);
    found.copied().ok_or_else(|| {
        let all: Vec<String> = all.iter().map(|it| format!("{it:?}")).collect();
        format!("expected one of {}", all.join(", "))
    })
}

impl Options {
    fn seeds(&self) -> u64 {
        self.seeds.unwrap_or_else(|| self.range.seeds())
    }
}

/// The runs, in words and numbers, and what was violated.
struct Line {
    what: String,
    did: Result<String, Violation>,
    states: usize,
    tally: Tally,
}

fn main() -> ExitCode {
    let options = Options::parse();
    if let Some(seed) = options.seed {
        return print_trace(seed, &options);
    }
    let start = Instant::now();
    let lines = run_all(&options);
    for line in &lines {
        match &line.did {
            Ok(did) => println!("{:55}  {did}", line.what),
            Err(violation) => {
                property::report(violation);
                println!("{:55}  VIOLATED, {violation}", line.what);
            }
        }
    }
    let mut is_well = lines.iter().all(|line| line.did.is_ok());
    let tally = lines
        .iter()
        .fold(Tally::default(), |sum, line| sum.and(line.tally));
    println!(
        "{:55}  {}",
        format!("in all {} seeds", options.seeds()),
        words(tally)
    );
    if !options.only_seeds {
        let states: usize = lines.iter().map(|line| line.states).sum();
        println!("{:55}  {states} states, each visited once", "in all");
        is_well &= show_gate(options.range);
    }
    println!("{:55}  {:.0} s", "took", start.elapsed().as_secs_f64());
    match is_well {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}

/// One run, a line for each thing that happens.
fn print_trace(seed: u64, options: &Options) -> ExitCode {
    let of_parts = options.parts_fault.map(Active::Parts);
    sabotage::activate(options.fault.map(Fault::into).or(of_parts));
    let trace = Trace::new(|line| println!("{line}"));
    let seeds = match () {
        () if options.renaming => Seeds::Renames,
        () if options.sessions => Seeds::Sessions,
        () if options.tasks => Seeds::Tasks,
        () if options.transcripts => Seeds::Transcripts,
        () => Seeds::Updates,
    };
    match seeds.run_traced(seed, trace) {
        Ok(_) => ExitCode::SUCCESS,
        Err(violation) => {
            property::report(&violation);
            ExitCode::FAILURE
        }
    }
}

/// The long ones first, on as many threads as there are cores.
fn run_all(options: &Options) -> Vec<Line> {
    let mut parts: Vec<Part<Line>> = Vec::new();
    if !options.only_seeds {
        for setting in options.range.orders() {
            parts.push(Box::new(move || orders(setting)));
        }
        for case in Case::ALL {
            let what = format!("one operation: {case:?}");
            let cuts = options.range.cuts(case);
            parts.push(Box::new(move || {
                every_point(what, || points::look(case, cuts))
            }));
        }
        let what = "one operation: Rename".to_owned();
        let cuts = options.range.cuts_of_renames();
        parts.push(Box::new(move || {
            every_point(what, || rename::points::look(cuts))
        }));
        let what = "the finishing of a rename".to_owned();
        parts.push(Box::new(move || {
            every_point(what, || rename::points::look_at_who_finishes(cuts))
        }));
        for case in restores::Case::ALL {
            let stride = options.range.stride();
            parts.push(Box::new(move || saves(case, stride)));
        }
        for case in threads::Case::ALL {
            let what = format!("one change of a thread: {case:?}");
            let cuts = options.range.cuts_of_threads();
            parts.push(Box::new(move || {
                every_point(what, || threads::look(case, cuts))
            }));
        }
        for case in tasks::pairs::Case::ALL {
            let stride = options.range.stride();
            parts.push(Box::new(move || pairs(case, stride)));
        }
    }
    let shares = 8;
    let seeds_in_all = options.seeds();
    for part in 0..shares {
        let share = |part: u64| options.from + seeds_in_all * part / shares;
        let (from, until) = (share(part), share(part + 1));
        parts.push(Box::new(move || {
            seeds("seeds", from..until, Seeds::Updates)
        }));
        let renaming = from / RENAMING..until / RENAMING;
        parts.push(Box::new(move || {
            seeds("renaming: seeds", renaming, Seeds::Renames)
        }));
        let of_sessions = from / OF_SESSIONS..until / OF_SESSIONS;
        parts.push(Box::new(move || Line {
            // Those of updates are compared from release to release.
            tally: Tally::default(),
            ..seeds("sessions: seeds", of_sessions, Seeds::Sessions)
        }));
        let of_tasks = from / OF_TASKS..until / OF_TASKS;
        parts.push(Box::new(move || Line {
            tally: Tally::default(),
            ..seeds("tasks: seeds", of_tasks, Seeds::Tasks)
        }));
        let of_transcripts = from / OF_TRANSCRIPTS..until / OF_TRANSCRIPTS;
        parts.push(Box::new(move || Line {
            tally: Tally::default(),
            ..seeds("transcripts: seeds", of_transcripts, Seeds::Transcripts)
        }));
    }
    parallel::run(parts)
}

fn orders(setting: Setting) -> Line {
    let _run = property::run(setting);
    let explored = exhaustive::explore(setting);
    Line {
        what: setting.to_string(),
        tally: Tally::default(),
        states: explored.as_ref().map_or(0, |visited| visited.states),
        did: explored.map(|visited| {
            format!(
                "{} states, {} steps, {} disks that a crash leaves",
                visited.states, visited.steps, visited.disks
            )
        }),
    }
}

fn every_point(what: String, look: impl FnOnce() -> Result<Looked, Violation>) -> Line {
    let run = property::run(&what);
    let looked = look();
    drop(run);
    Line {
        what,
        tally: Tally::default(),
        states: looked.as_ref().map_or(0, |it| it.deaths + it.losses),
        did: looked.map(|it| {
            format!(
                "{} effects; {} states after a death, {} after a loss of power",
                it.effects, it.deaths, it.losses
            )
        }),
    }
}

fn pairs(case: tasks::pairs::Case, stride: usize) -> Line {
    let _run = property::run(case);
    let looked = tasks::pairs::look(case, stride);
    Line {
        what: case.to_string(),
        tally: Tally::default(),
        states: 0,
        did: looked.map(|it| format!("{} orders, {} effects", it.orders, it.effects)),
    }
}

fn saves(case: restores::Case, stride: usize) -> Line {
    let _run = property::run(case);
    let looked = restores::look(case, stride);
    Line {
        what: case.to_string(),
        tally: Tally::default(),
        states: 0,
        did: looked.map(|it| {
            format!(
                "{} effects, {} saves, {} deaths",
                it.effects, it.saves, it.deaths
            )
        }),
    }
}

fn seeds(what: &str, seeds: Range<u64>, of: Seeds) -> Line {
    let mut tally = Tally::default();
    let what = format!("{what} {} to {}", seeds.start, seeds.end.saturating_sub(1));
    for seed in seeds {
        match of.run(seed) {
            Ok(one) => tally = tally.and(one),
            Err(violation) => {
                return Line {
                    what,
                    did: Err(violation),
                    states: 0,
                    tally,
                };
            }
        }
    }
    Line {
        what,
        did: Ok(words(tally)),
        states: 0,
        tally,
    }
}

fn words(tally: Tally) -> String {
    let Tally {
        effects,
        acknowledged,
        kills,
        power_losses,
        faults,
    } = tally;
    format!(
        "{effects} effects, {acknowledged} acknowledged; {kills} kills, {power_losses} losses of power, {faults} faults"
    )
}

/// The tables of the faults that were put in; whether each still applies and was noticed.
fn show_gate(range: Amount) -> bool {
    let each = Fault::ALL
        .map(|fault| -> Part<_> { Box::new(move || gate::put_in(fault.into(), &range.effort())) });
    let of_parts = PartsFault::ALL.map(|fault| -> Part<_> {
        Box::new(move || gate::put_into_parts(fault, &range.effort_of_parts()))
    });
    let of_restores = RestoreFault::ALL.map(|fault| -> Part<_> {
        Box::new(move || gate::put_into_restores(fault, range.stride()))
    });
    let is_well = show_caught(&parallel::run(each.into()));
    let is_well = is_well & show_caught(&parallel::run(of_parts.into()));
    is_well & show_caught(&parallel::run(of_restores.into()))
}

fn show_caught<F: fmt::Debug>(caught: &[gate::Caught<F>]) -> bool {
    println!(
        "\n{:26}  {:7}  {:20}  violation",
        "fault put in", "seed", "noticed also by"
    );
    for one in caught {
        let each = [&one.seed, &one.points, &one.orders];
        let first = each.into_iter().find_map(Option::as_ref);
        let also: Vec<&str> = [(&one.orders, "orders"), (&one.points, "points")]
            .into_iter()
            .filter_map(|(violation, name)| violation.as_ref().map(|_| name))
            .collect();
        let seed = one.seed.as_ref();
        let seed = seed.and_then(|violation| violation.origin.rsplit(' ').next());
        println!(
            "{:26}  {:7}  {:20}  {}",
            format!("{:?}", one.fault),
            seed.unwrap_or("-"),
            also.join(", "),
            match (one.applied, first) {
                (0, _) => "NO LONGER APPLIES: it found no step to change",
                (_, None) => "SURVIVED",
                (_, Some(violation)) => &violation.what,
            },
        );
    }
    caught.iter().all(gate::Caught::is_caught)
}
