//! Runs the simulator, and prints what it did.

// A command line speaks on its streams.
#![allow(clippy::print_stdout)]

use std::fmt;
use std::ops::Range;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Instant;

use clap::Parser;
use milepost_simulator::exhaustive::{self, Setting, Start};
use milepost_simulator::points::{self, Case, Looked};
use milepost_simulator::rename;
use milepost_simulator::sabotage::{self, Active, Fault, PartsFault};
use milepost_simulator::seeds::Seeds;
use milepost_simulator::tasks;
use milepost_simulator::trace::Trace;
use milepost_simulator::{Tally, Violation, gate};

/// Of so many seeds, one is run with renames as well.
const RENAMING: u64 = 4;

/// Of so many seeds, one is run with session checkpoints as well.
const OF_SESSIONS: u64 = 10;

/// Of so many seeds, one is run with task checkpoints as well.
const OF_TASKS: u64 = 10;

/// Every order of a few writers, every death and loss of power in one operation, runs from seeds,
/// and the faults that all of them have to notice
#[derive(Parser)]
#[command(name = "cargo xtask simulate", bin_name = "cargo xtask simulate")]
struct Options {
    /// How many seeds to run
    #[arg(long, default_value_t = 20_000)]
    seeds: u64,
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
    /// Of the runs of session checkpoints
    #[arg(long, requires = "seed", conflicts_with_all = ["fault", "renaming"])]
    sessions: bool,
    /// Of the runs of task checkpoints
    #[arg(long, requires = "seed", conflicts_with_all = ["fault", "renaming", "sessions"])]
    tasks: bool,
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

/// What is run, in words and numbers, and what was violated.
struct Line {
    what: String,
    did: Result<String, Violation>,
    states: usize,
    tally: Tally,
}

fn main() -> ExitCode {
    let options = Options::parse();
    if let Some(seed) = options.seed {
        return tell(seed, &options);
    }
    let start = Instant::now();
    let lines = run_all(&options);
    for line in &lines {
        match &line.did {
            Ok(did) => println!("{:55}  {did}", line.what),
            Err(violation) => println!("{:55}  VIOLATED, {violation}", line.what),
        }
    }
    let mut is_well = lines.iter().all(|line| line.did.is_ok());
    let tally = lines
        .iter()
        .fold(Tally::default(), |sum, line| sum.and(line.tally));
    println!(
        "{:55}  {}",
        format!("in all {} seeds", options.seeds),
        words(tally)
    );
    if !options.only_seeds {
        let states: usize = lines.iter().map(|line| line.states).sum();
        println!("{:55}  {states} states, each visited once", "in all");
        is_well &= show_gate();
    }
    println!("{:55}  {:.0} s", "took", start.elapsed().as_secs_f64());
    match is_well {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}

/// One run, a line for each thing that happens.
fn tell(seed: u64, options: &Options) -> ExitCode {
    let of_parts = options.parts_fault.map(Active::Parts);
    sabotage::activate(options.fault.map(Fault::into).or(of_parts));
    let trace = Trace::new(|line| println!("{line}"));
    let seeds = match () {
        () if options.renaming => Seeds::Renames,
        () if options.sessions => Seeds::Sessions,
        () if options.tasks => Seeds::Tasks,
        () => Seeds::Updates,
    };
    match seeds.run_told(seed, trace) {
        Ok(_) => ExitCode::SUCCESS,
        Err(violation) => {
            println!("VIOLATED, {violation}");
            ExitCode::FAILURE
        }
    }
}

type Part = Box<dyn FnOnce() -> Line + Send>;

/// The long ones first, on as many threads as there are cores.
fn run_all(options: &Options) -> Vec<Line> {
    let mut parts: Vec<Part> = Vec::new();
    if !options.only_seeds {
        let interrupted = Setting {
            has_interruptions: true,
            ..Setting::new(3, 1, Start::Document)
        };
        let seen = Setting {
            shows_left: true,
            ..Setting::new(2, 2, Start::Document)
        };
        let without_links = |start| Setting {
            has_links: false,
            ..Setting::new(3, 1, start)
        };
        let settings = [
            Setting::new(3, 2, Start::Document),
            Setting::new(3, 2, Start::Nothing),
            interrupted,
            seen,
            without_links(Start::Document),
            without_links(Start::Nothing),
        ];
        for setting in settings {
            parts.push(Box::new(move || orders(setting)));
        }
        for case in Case::ALL {
            let what = format!("one operation: {case:?}");
            parts.push(Box::new(move || every_point(what, || points::look(case))));
        }
        let what = "one operation: Rename".to_owned();
        parts.push(Box::new(|| every_point(what, rename::points::look)));
        let what = "whoever finishes a rename".to_owned();
        parts.push(Box::new(|| {
            every_point(what, rename::points::look_at_who_finishes)
        }));
        for case in tasks::pairs::Case::ALL {
            parts.push(Box::new(move || pairs(case)));
        }
    }
    let shares = 8;
    for part in 0..shares {
        let share = |part: u64| options.from + options.seeds * part / shares;
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
            // Those of command checkpoints are compared from release to release.
            tally: Tally::default(),
            ..seeds("sessions: seeds", of_sessions, Seeds::Sessions)
        }));
        let of_tasks = from / OF_TASKS..until / OF_TASKS;
        parts.push(Box::new(move || Line {
            tally: Tally::default(),
            ..seeds("tasks: seeds", of_tasks, Seeds::Tasks)
        }));
    }
    in_parallel(parts)
}

fn in_parallel(parts: Vec<Part>) -> Vec<Line> {
    let count = parts.len() as u64;
    let parts: Vec<_> = parts
        .into_iter()
        .map(|part| std::sync::Mutex::new(Some(part)))
        .collect();
    let next = AtomicU64::new(0);
    let work = || {
        let mut lines = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            if at >= count {
                return lines;
            }
            let part = parts[at as usize]
                .lock()
                .ok()
                .and_then(|mut part| part.take());
            lines.extend(part.map(|part| (at, part())));
        }
    };
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let mut lines: Vec<(u64, Line)> = thread::scope(|scope| {
        let threads: Vec<_> = (0..cores).map(|_| scope.spawn(work)).collect();
        let ended = threads.into_iter().map(thread::ScopedJoinHandle::join);
        ended
            .flat_map(|lines| lines.expect("a run panicked"))
            .collect()
    });
    lines.sort_by_key(|(at, _)| *at);
    lines.into_iter().map(|(_, line)| line).collect()
}

fn orders(setting: Setting) -> Line {
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
    let looked = look();
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

fn pairs(case: tasks::pairs::Case) -> Line {
    let looked = tasks::pairs::look(case);
    Line {
        what: case.to_string(),
        tally: Tally::default(),
        states: 0,
        did: looked.map(|it| format!("{} orders, {} effects", it.orders, it.effects)),
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

/// Enough for every fault in how the parts of tasks are kept.
const SEEDS_OF_PARTS: u64 = 2_000;

/// The tables of the faults that were put in; whether each still applies and was noticed.
fn show_gate() -> bool {
    let is_well = show_caught(&gate::all());
    is_well & show_caught(&gate::all_of_parts(SEEDS_OF_PARTS))
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
