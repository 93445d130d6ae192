//! Snapshots of many processes: made, restored, archived and removed side by side, with updates of
//! the run that they are made of, while a user works on the files.
//!
//! With workers killed at any time: no id is given twice; what was acknowledged is there unchanged, or its
//! removal is in the register; no checkpoint that is there lacks a content; no file is torn; and once all is
//! quiet, all that was begun is finished by the same command, and nothing is left over.

mod book;
mod repository;
mod settle;
mod task;
mod worker;

use std::fmt;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use fastrand::Rng;

use book::Book;
use repository::ChaosRepository;
use worker::{Crew, Worker};

use crate::cast::Cast;
use crate::child;
use crate::plan::{Amount, Plan};
use crate::run::all;
use crate::signal::Interrupt;

/// The amount of a run.
pub(crate) const AMOUNT: Amount = Amount {
    writers: 6,
    kills: 42,
    pauses: 30,
};

/// The interval at which a user works on the files, and looks at them.
const BETWEEN_CHANGES: Duration = Duration::from_millis(60);

/// The results of runs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sessions {
    created: usize,
    acknowledged: usize,
    refused: usize,
    kills: usize,
    took: Duration,
}

impl Sessions {
    /// Counts another run with it.
    pub(crate) fn add(&mut self, other: &Sessions) {
        self.created += other.created;
        self.acknowledged += other.acknowledged;
        self.refused += other.refused;
        self.kills += other.kills;
        self.took += other.took;
    }
}

impl fmt::Display for Sessions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} snapshots among {} acknowledged operations, {} refused, {} killed in the \
             middle, in {:.0} s: none twice, none lost, all whole",
            self.created,
            self.acknowledged,
            self.refused,
            self.kills,
            self.took.as_secs_f64(),
        )
    }
}

/// One run in `folder`, as a seed decides.
///
/// # Errors
///
/// A host could not be run, or something is wrong.
pub(crate) fn run(
    cast: &Cast,
    seed: u64,
    folder: &Path,
    interrupt: &Interrupt,
) -> Result<Sessions> {
    let started = Instant::now();
    let place = ChaosRepository::make(folder)?;
    let book = Book::new(&place);
    let crew = Crew {
        cast,
        book: &book,
        root: &place.root,
        interrupt,
    };
    let plan = Plan::new(seed, AMOUNT);
    act(crew, &place, &plan, seed)?;
    settle::settle(crew, &place, &mut Rng::with_seed(seed))?;
    let state = book.state();
    state.wrong.clone().judge()?;
    Ok(Sessions {
        created: state.made.len(),
        acknowledged: state.acknowledged,
        refused: state.refused,
        kills: state.kills,
        took: started.elapsed(),
    })
}

/// All workers, to the end of the plan, and the user who works on the files beside them.
fn act(crew: Crew<'_>, place: &ChaosRepository, plan: &Plan, seed: u64) -> Result<()> {
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        let user = scope.spawn(|| {
            let mut chance = Rng::with_seed(seed);
            while !is_over.load(Ordering::Relaxed) {
                place.work(&mut chance);
                place
                    .files()?
                    .torn
                    .into_iter()
                    .for_each(|torn| crew.book.wrong(torn));
                place.age_writers(false);
                child::wait(BETWEEN_CHANGES, crew.interrupt)?;
            }
            Ok(())
        });
        let workers = (0..).zip(&plan.writers).map(|(number, steps)| {
            let host = crew.cast.hosts[number % crew.cast.hosts.len()];
            let mut worker = Worker {
                crew,
                number,
                host,
                chance: Rng::with_seed(seed.wrapping_mul(1_000) + number as u64),
                tasks: 0,
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
        let worked = all(workers.collect());
        is_over.store(true, Ordering::Relaxed);
        let looked = all(vec![user]);
        worked.and(looked).map(drop)
    })
}
