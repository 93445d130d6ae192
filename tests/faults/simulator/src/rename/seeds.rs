//! Runs of writers, readers and renames side by side, with kills, pauses, errors and losses of power,
//! that a seed decides.

use std::collections::BTreeSet;

use fastrand::Rng;
use milepost::effect::{Effect, Machine, Outcome, Step, Sync};
use milepost::error::{Error, Written};
use milepost_disk::{Disk, Kept, Node, failed};

use super::{Answer, FEATURES, Peace, Task};
use crate::Violation;
use crate::job::{ROOT, phase};
use crate::listing::Listing;
use crate::random::Tally;
use crate::trace::Trace;
use crate::trouble::{self, Trouble};
use milepost::effect::Fault;

/// No operation asks for more within its 5 s; one that does would never end.
const MOST_EFFECTS: usize = 20_000;

/// Runs what the seed says.
///
/// # Errors
///
/// What was violated.
pub fn run(seed: u64) -> Result<Tally, Violation> {
    run_told(seed, Trace::default())
}

/// The same, with each thing that happens told to `trace`.
///
/// # Errors
///
/// As [`run`].
pub fn run_told(seed: u64, trace: Trace) -> Result<Tally, Violation> {
    let mut run = Run::new(seed, trace);
    run.all().map_err(|what| Violation {
        origin: format!("renaming seed {seed}"),
        what,
    })?;
    Ok(run.tally)
}

/// One simulated process: one task after the other.
struct Process {
    by: u32,
    task: Task,
    machine: Machine<Result<Answer, Error>>,
    tasks_left: u32,
    /// It goes on at this moment.
    ready_ms: f64,
    listing: Option<Listing>,
    effects: usize,
}

struct Run {
    random: Rng,
    disk: Disk,
    now_ms: f64,
    processes: Vec<Process>,
    durability: Sync,
    has_locks: bool,
    kill_chance: f64,
    pause_chance: f64,
    interruption_chance: f64,
    trouble: Option<(Trouble, usize, bool)>,
    numbers: u32,
    acknowledged: BTreeSet<u32>,
    /// Numbers of writers who were answered that nothing was written.
    refused: BTreeSet<u32>,
    tally: Tally,
    trace: Trace,
}

impl Run {
    fn new(seed: u64, trace: Trace) -> Self {
        let mut random = Rng::with_seed(seed);
        let mut disk = Disk::new();
        disk.put_node(ROOT, Node::Folder);
        if random.u8(..8) == 0 {
            disk = disk.without_links();
        }
        disk.settle();
        let mut some = |one_in: u8, chance: f64| match random.u8(..one_in) {
            0 => chance,
            _ => 0.0,
        };
        Run {
            kill_chance: some(2, 0.01),
            pause_chance: some(2, 0.01),
            interruption_chance: some(2, 0.3),
            durability: match random.u8(..5) {
                0 => Sync::Lazy,
                _ => Sync::Durable,
            },
            has_locks: random.bool(),
            random,
            disk,
            now_ms: 1000.0,
            processes: Vec::new(),
            trouble: None,
            numbers: 0,
            acknowledged: BTreeSet::new(),
            refused: BTreeSet::new(),
            tally: Tally::default(),
            trace,
        }
    }

    /// Some rounds of processes side by side; a round may end with a loss of power.
    fn all(&mut self) -> Result<(), String> {
        for _ in 0..self.random.u32(1..=3) {
            self.trouble = match self.random.u8(..3) {
                0 => {
                    let trouble = trouble::ALL[self.random.usize(..trouble::ALL.len())];
                    let from = self.tally.effects + self.random.usize(..400);
                    Some((trouble, from, self.random.bool()))
                }
                _ => None,
            };
            let loses_power = self.durability == Sync::Durable && self.random.u8(..3) == 0;
            let until = match loses_power {
                true => self.tally.effects + self.random.usize(..600),
                false => usize::MAX,
            };
            for _ in 0..self.random.u32(2..=5) {
                let tasks = self.random.u32(1..=4);
                self.begin(tasks);
            }
            while !self.processes.is_empty() && self.tally.effects < until {
                self.step()?;
            }
            if loses_power {
                self.lose_power();
            }
        }
        self.trouble = None;
        self.quiet()
    }

    /// Its next task is decided now, most often on the first two names.
    fn begin(&mut self, tasks: u32) {
        let mut name = || FEATURES[[0, 0, 0, 1, 1, 2][self.random.usize(..6)]];
        let (name, other) = (name(), name());
        let task = match self.random.u8(..8) {
            0 | 1 if name != other => Task::Rename(name, other),
            2 => Task::Load(name),
            _ => {
                self.numbers += 1;
                Task::Phase(name, self.numbers)
            }
        };
        let by = self.random.u32(100..1000);
        self.processes.push(Process {
            by,
            task,
            machine: task.start(self.durability),
            tasks_left: tasks - 1,
            ready_ms: self.now_ms,
            listing: None,
            effects: 0,
        });
    }

    fn lose_power(&mut self) {
        self.processes.clear();
        let kept = match self.random.bool() {
            true => Kept::Any,
            false => Kept::InOrder,
        };
        if let Some(journal) = self.disk.journal() {
            let nodes = journal.loss(kept, &mut self.random);
            self.disk = Disk::after(nodes, &self.disk);
        }
        self.tally.power_losses += 1;
        let what = || format!("the power is lost, names come back {kept:?}");
        self.trace.tells(self.now_ms, what);
    }

    /// Whoever reads finds each number once, and whoever writes comes through.
    fn quiet(&mut self) -> Result<(), String> {
        let mut peace = Peace::new(&mut self.disk, u64::MAX);
        let found = [peace.load(&FEATURES)?, peace.load(&FEATURES)?];
        for feature in FEATURES {
            self.numbers += 1;
            peace.perform(Task::Phase(feature, self.numbers))?;
            self.acknowledged.insert(self.numbers);
        }
        peace.left_over()?;
        let last = peace.load(&FEATURES)?;
        // Reading one name may finish a rename from or to another that was read before.
        self.check(&found[1], self.numbers - FEATURES.len() as u32)?;
        self.check(&last, self.numbers)
    }

    fn check(&self, found: &[Option<BTreeSet<String>>], until: u32) -> Result<(), String> {
        for number in 1..=until {
            let each = found.iter().flatten();
            let times = each.filter(|it| it.contains(&phase(number))).count();
            let is_wrong = match times {
                0 => self.acknowledged.contains(&number),
                1 => self.refused.contains(&number),
                _ => true,
            };
            if is_wrong {
                let answer = match () {
                    () if self.acknowledged.contains(&number) => "acknowledged",
                    () if self.refused.contains(&number) => "refused",
                    () => "never answered",
                };
                let number = phase(number);
                return Err(format!(
                    "{number}, {answer}, is there {times} times: {found:?}"
                ));
            }
        }
        Ok(())
    }

    /// One effect of one process, or its death, or its pause.
    fn step(&mut self) -> Result<(), String> {
        let ready = self.processes.iter().map(|process| process.ready_ms);
        self.now_ms = self.now_ms.max(ready.fold(f64::INFINITY, f64::min));
        let ready: Vec<usize> = (0..self.processes.len())
            .filter(|at| self.processes[*at].ready_ms <= self.now_ms)
            .collect();
        let turn = ready[self.random.usize(..ready.len())];
        let mut process = self.processes.swap_remove(turn);
        if self.random.f64() < self.pause_chance {
            process.ready_ms = self.now_ms + f64::from(self.random.u32(1..4_000));
            self.tells(&process, || "stopped".to_owned());
            self.processes.push(process);
            return Ok(());
        }
        if let Some(listing) = process.listing.take() {
            let outcome = listing.ends(&self.disk, &mut self.random, self.interruption_chance);
            return self.resume(process, outcome);
        }
        let effect = match process
            .machine
            .step()
            .map_err(|misuse| format!("{misuse:?}"))?
        {
            Step::Effect(effect) => effect,
            Step::Done(result) => {
                self.done(process, &result);
                return Ok(());
            }
        };
        self.tally.effects += 1;
        process.effects += 1;
        if process.effects > MOST_EFFECTS {
            return Err(format!("{:?} does not come to an end", process.task));
        }
        self.now_ms += 0.05 + self.random.f64() / 4.0;
        if self.random.f64() < self.kill_chance {
            self.tally.kills += 1;
            self.tells(&process, || "killed".to_owned());
            if let Effect::Create { path, bytes, .. } = &effect {
                let length = self.random.usize(..=bytes.len());
                self.disk.create_in_part(path, bytes, length);
            }
            return Ok(());
        }
        self.tells(&process, || match &effect {
            Effect::Create { path, bytes, .. } => format!("Create {path}, {} bytes", bytes.len()),
            effect => format!("{effect:?}"),
        });
        match self.perform(&mut process, &effect) {
            Some(outcome) => self.resume(process, outcome),
            None => {
                self.processes.push(process);
                Ok(())
            }
        }
    }

    fn resume(&mut self, mut process: Process, outcome: Outcome) -> Result<(), String> {
        self.tells(&process, || match &outcome {
            Outcome::Bytes(bytes) => format!("  {} bytes", bytes.len()),
            outcome => format!("  {outcome:?}"),
        });
        let resumed = process.machine.resume(outcome);
        self.processes.push(process);
        resumed.map_err(|misuse| format!("{misuse:?}"))
    }

    fn tells(&mut self, process: &Process, what: impl FnOnce() -> String) {
        let (by, task) = (process.by, process.task);
        let what = || format!("#{by} {task:?}  {}", what());
        self.trace.tells(self.now_ms, what);
    }

    fn done(&mut self, process: Process, result: &Result<Answer, Error>) {
        self.tells(&process, || format!("{result:?}"));
        if let Ok(Answer::Written) = result {
            self.tally.acknowledged += 1;
        }
        if let Task::Phase(_, number) = process.task {
            match result {
                Ok(_) => drop(self.acknowledged.insert(number)),
                Err(error) if error.written() == Written::No => {
                    self.refused.insert(number);
                }
                Err(_) => {}
            }
        }
        if process.tasks_left > 0 {
            self.begin(process.tasks_left);
        }
    }

    /// `None` while a listing is under way.
    fn perform(&mut self, process: &mut Process, effect: &Effect) -> Option<Outcome> {
        if let Effect::Create { path, .. } = effect
            && !self.has_locks
            && path.ends_with("/lock")
        {
            return Some(failed(Fault::Other));
        }
        let outcome = match self.befall(effect) {
            Some(outcome) => {
                self.tally.faults += 1;
                Some(outcome)
            }
            None => self.answer(process, effect),
        };
        if let Effect::Remove { path } | Effect::Rename { from: path, .. } = effect {
            let listings = self.processes.iter_mut();
            for listing in listings.filter_map(|process| process.listing.as_mut()) {
                listing.goes(path);
            }
        }
        outcome
    }

    fn befall(&mut self, effect: &Effect) -> Option<Outcome> {
        let (trouble, from, for_good) = self.trouble?;
        if self.tally.effects < from {
            return None;
        }
        let outcome = trouble.befall(effect, &mut self.disk, &mut self.random);
        if outcome.is_some() && !for_good {
            self.trouble = None;
        }
        outcome
    }

    fn answer(&mut self, process: &mut Process, effect: &Effect) -> Option<Outcome> {
        Some(match effect {
            Effect::Clock => Outcome::Clock {
                wall_ms: 1_800_000_000_000.0 + self.now_ms,
                monotonic_ms: self.now_ms,
            },
            Effect::Random { length } => {
                Outcome::Bytes((0..*length).map(|_| self.random.u8(..)).collect())
            }
            Effect::Wait { ms } => {
                process.ready_ms = self.now_ms + f64::from(*ms);
                Outcome::Done
            }
            Effect::List { path, limit } => {
                process.listing = Some(Listing::begins(&self.disk, path, *limit));
                return None;
            }
            effect => self
                .disk
                .perform(effect)
                .unwrap_or(failed(Fault::Unsupported)),
        })
    }
}
