//! Task checkpoints of many processes: saved, restored and removed side by side.
//!
//! Each worker has a task of its own, whose state follows from what it has asked for; all add to one chain, each
//! link by the revision that it follows from; and two tasks are of all workers, and want the same ids. With workers
//! killed at any time: what was acknowledged is there, what was evicted or removed stays away, a list is in the
//! order of first saves, no checkpoint is torn, no id is of two tasks; and once all is quiet, a clean-up leaves
//! nothing that is not needed.

mod job;
mod journal;
mod own;
mod shared;
mod state_dir;
mod worker;

use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use fastrand::Rng;
use serde_json::Value;

use job::{CHAIN, Job, SHARED, is_own, own};
use journal::{Journal, Outcome, Record};
use state_dir::TaskRoot;
use worker::{Clock, Crew, Worker};

use crate::actor::{MOST_TRIES, patiently};
use crate::cast::{Cast, Host};
use crate::child;
use crate::faults::Faults;
use crate::plan::{Amount, Plan};
use crate::run::all;
use crate::signal::Interrupt;
use crate::write_strategy::WriteStrategy;

/// The amount of a run.
const AMOUNT: Amount = Amount {
    writers: 6,
    kills: 60,
    pauses: 40,
};

/// The results of runs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tasks {
    saved: usize,
    linked: u64,
    acknowledged: usize,
    refused: usize,
    kills: usize,
    took: Duration,
}

impl Tasks {
    /// Counts another run with it.
    pub(crate) fn add(&mut self, other: &Tasks) {
        self.saved += other.saved;
        self.linked += other.linked;
        self.acknowledged += other.acknowledged;
        self.refused += other.refused;
        self.kills += other.kills;
        self.took += other.took;
    }
}

impl fmt::Display for Tasks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} saves of task checkpoints among {} acknowledged operations, {} of them by the revision \
             that they follow from, {} refused, {} killed in the middle, in {:.0} s: none lost, none torn, \
             none came back",
            self.saved,
            self.acknowledged,
            self.linked,
            self.refused,
            self.kills,
            self.took.as_secs_f64(),
        )
    }
}

/// Returns whether there is a host for it: the command line has no operation on tasks.
pub(crate) fn has_host(cast: &Cast) -> bool {
    cast.able(WriteStrategy::Rename).next().is_some()
}

/// One run in `folder`, as a seed decides.
///
/// # Errors
///
/// A host could not be run, or something is wrong.
pub(crate) fn run(cast: &Cast, seed: u64, folder: &Path, interrupt: &Interrupt) -> Result<Tasks> {
    let started = Instant::now();
    let place = TaskRoot {
        root: folder.join("tasks"),
    };
    fs::create_dir_all(&place.root)?;
    // Where no repository is to be seen, Deno does not know where state belongs.
    let mut git = Command::new("git");
    child::run(git.args(["init", "--quiet"]).arg(&place.root))?;
    let journal = Journal::default();
    let crew = Crew {
        cast,
        journal: &journal,
        root: &place.root,
        interrupt,
        // With every other seed everybody collects what everybody prepares.
        clock: if seed % 2 == 1 {
            Clock::Ahead
        } else {
            Clock::Right
        },
    };
    let hosts: Vec<Host> = cast.able(WriteStrategy::Rename).collect();
    let plan = Plan::new(seed, AMOUNT);
    act(crew, &hosts, &plan, seed)?;
    let mut faults = settle(crew, &hosts, plan.writers.len())?;
    let records = journal.records();
    let lines: Vec<String> = records.iter().map(|it| format!("{it:?}")).collect();
    fs::write(folder.join("journal.txt"), lines.join("\n"))?;
    let linked = judge(&records, plan.writers.len(), &mut faults);
    faults.extend(place.faults()?);
    faults.judge()?;
    let count = |is_meant: fn(&Record) -> bool| records.iter().filter(|it| is_meant(it)).count();
    Ok(Tasks {
        saved: count(|it| {
            matches!(it.job, Job::Save(_) | Job::Follow { .. }) && it.answer().is_some()
        }),
        linked,
        acknowledged: count(|it| it.answer().is_some()),
        refused: count(|it| matches!(it.outcome, Outcome::Refused(_))),
        kills: count(|it| matches!(it.outcome, Outcome::Silent)),
        took: started.elapsed(),
    })
}

/// All workers, to the end of the plan.
fn act(crew: Crew<'_>, hosts: &[Host], plan: &Plan, seed: u64) -> Result<()> {
    thread::scope(|scope| {
        let workers = plan.writers.iter().enumerate().map(|(number, steps)| {
            let host = hosts[number % hosts.len()];
            let mut worker = Worker {
                crew,
                number,
                host,
                chance: Rng::with_seed(seed.wrapping_mul(1_000) + number as u64),
                jobs: 0,
                revision: None,
            };
            scope.spawn(move || {
                let worked = worker.work(steps);
                if worked.is_err() {
                    // A failed one ends the run for the others.
                    crew.interrupt.raise();
                }
                worked.with_context(|| format!("worker {number} on {}", host.name()))
            })
        });
        all(workers.collect()).map(drop)
    })
}

/// Returns whether a clean-up had nothing to do.
fn is_nothing(found: &Value) -> bool {
    let lists = ["parts", "marks", "folders"].map(|it| found[it].as_array());
    lists.iter().all(|it| it.is_some_and(Vec::is_empty))
}

/// When all is quiet: a clean-up, after which nothing is left to clean up, and each task is read on every host.
fn settle(crew: Crew<'_>, hosts: &[Host], writers: usize) -> Result<Faults> {
    let clock = Clock::Ahead;
    let crew = Crew { clock, ..crew };
    let mut faults = Faults::default();
    let shared = SHARED.into_iter().chain([CHAIN]).map(str::to_owned);
    let tasks: Vec<String> = (0..writers).map(own).chain(shared).collect();
    for host in hosts {
        let mut actor = crew.start(*host)?;
        let mut refused = Faults::default();
        let mut perform = |job: &Job| {
            let outcome = patiently(|| crew.perform(&mut actor, job), Outcome::refusal)?;
            if let Outcome::Refused(refusal) = &outcome {
                let (host, message) = (host.name(), &refusal.message);
                let what = format!("in peace, {job:?} is refused on {host}: {message}");
                refused.refused(refusal, what);
            }
            anyhow::Ok(outcome)
        };
        let mut there = BTreeSet::new();
        for task in &tasks {
            let task = task.clone();
            perform(&Job::Restore { task: task.clone() })?;
            let listed = perform(&Job::List { task: task.clone() })?;
            let Outcome::Answered(listed) = listed else {
                continue;
            };
            for shown in listed.as_array().into_iter().flatten() {
                let id = shown["id"].as_str().unwrap_or_default().to_owned();
                perform(&Job::RestoreById { id })?;
                there.insert(task.clone());
            }
        }
        if let Outcome::Answered(all) = perform(&Job::Tasks)? {
            let all = all.as_array().into_iter().flatten();
            let all: Vec<&str> = all.filter_map(|it| it.as_str()).collect();
            let different: BTreeSet<String> = all.iter().map(|it| (*it).to_owned()).collect();
            if different != there || different.len() < all.len() {
                faults.push(format!(
                    "{all:?} are said to have checkpoints, but {there:?} have"
                ));
            }
        }
        // A worker leaves what it waits for in vain.
        let mut left = None;
        for _ in 0..MOST_TRIES {
            left = match perform(&Job::CleanUp)? {
                Outcome::Answered(found) if !is_nothing(&found) => Some(found),
                _ => None,
            };
            if left.is_none() {
                break;
            }
        }
        faults.extend(left.map(|left| format!("{left} was left by {MOST_TRIES} clean-ups")));
        // A read shows from now on what is there in the end.
        for task in &tasks {
            perform(&Job::Restore { task: task.clone() })?;
            perform(&Job::List { task: task.clone() })?;
        }
        faults.add(refused);
        actor.end()?;
    }
    Ok(faults)
}

/// Adds what is wrong; how many links of the chain were acknowledged.
fn judge(records: &[Record], writers: usize, faults: &mut Faults) -> u64 {
    for record in records {
        if let Some((refusal, what)) = shared::refused_wrongly(record) {
            faults.refused(refusal, what);
        }
    }
    for task in (0..writers).map(own) {
        let of_task = records.iter().filter(|it| it.job.task() == Some(&task));
        faults.extend(own::replay(of_task).err());
    }
    let of_shared: Vec<Record> = records
        .iter()
        .filter(|it| it.job.task().is_none_or(|task| !is_own(task)))
        .cloned()
        .collect();
    faults.extend(shared::faults(&of_shared));
    let (linked, wrong) = shared::chain(records);
    faults.extend(wrong);
    linked
}
