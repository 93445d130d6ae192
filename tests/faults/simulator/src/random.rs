//! Runs of many operations in an order, with crashes, pauses, errors and losses of power, that a
//! seed decides. The same seed is the same run, effect by effect.

use fastrand::Rng;
use milepost::effect::{Effect, Fault, Outcome, Step, Sync};
use milepost::error::Error;

use crate::Violation;
use crate::job::{DOCUMENT, Ended, Job, ROOT};
use crate::listing::Listing;
use crate::oracle::{Oracle, Watched};
use crate::sabotage::Sabotaged;
use crate::trace::Trace;
use crate::trouble::{self, Trouble};
use milepost_disk::{Disk, Kept, failed};

/// No operation asks for more within its 5 s; one that does would never end.
const MOST_EFFECTS: usize = 20_000;
/// After the last fault a writer has to succeed within the lock's time to live, and this.
const LONGEST_QUIET_MS: f64 = 2_500.0;
const YEAR_MS: f64 = 365.0 * 86_400_000.0;

/// What one run did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Effects performed, or failed.
    pub effects: usize,
    /// Jobs that were acknowledged.
    pub acknowledged: usize,
    /// Processes killed.
    pub kills: usize,
    /// Losses of power.
    pub power_losses: usize,
    /// Effects that failed.
    pub faults: usize,
}

impl Tally {
    /// Both together.
    #[must_use]
    pub fn and(self, other: Tally) -> Tally {
        Tally {
            effects: self.effects + other.effects,
            acknowledged: self.acknowledged + other.acknowledged,
            kills: self.kills + other.kills,
            power_losses: self.power_losses + other.power_losses,
            faults: self.faults + other.faults,
        }
    }
}

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
        origin: format!("seed {seed}"),
        what,
    })?;
    Ok(run.tally)
}

/// One simulated process: one job after the other.
struct Process {
    machine: Sabotaged<Result<Ended, Error>>,
    watched: Watched,
    jobs_left: u32,
    /// It goes on at this moment.
    ready_ms: f64,
    listing: Option<Listing>,
    had_trouble: bool,
    effects: usize,
}

impl Process {
    fn resume(&mut self, outcome: Outcome) -> Result<(), String> {
        let resumed = self.machine.resume(outcome);
        resumed.map_err(|misuse| format!("{misuse:?}"))
    }
}

struct Run {
    random: Rng,
    disk: Disk,
    oracle: Oracle,
    now_ms: f64,
    wall_ms: f64,
    processes: Vec<Process>,
    durability: Sync,
    has_locks: bool,
    has_hands: bool,
    kill_chance: f64,
    pause_chance: f64,
    jump_chance: f64,
    interruption_chance: f64,
    heartbeat_chance: f64,
    trouble: Option<(Trouble, usize, bool)>,
    numbers: u32,
    /// The phase that was added last.
    phase: u32,
    tally: Tally,
    trace: Trace,
}

impl Run {
    fn new(seed: u64, trace: Trace) -> Self {
        let mut random = Rng::with_seed(seed);
        let mut disk = Disk::new();
        disk.put_node(ROOT, milepost_disk::Node::Folder);
        if random.u8(..8) == 0 {
            disk = disk.without_links();
        }
        disk.settle();
        let some = |random: &mut Rng, one_in: u8, chance: f64| match random.u8(..one_in) {
            0 => chance,
            _ => 0.0,
        };
        Run {
            durability: match random.u8(..5) {
                0 => Sync::Lazy,
                _ => Sync::Durable,
            },
            // Half of the runs are without the lock's help, which safety must not need.
            has_locks: random.bool(),
            has_hands: random.u8(..4) == 0,
            kill_chance: some(&mut random, 2, 0.01),
            pause_chance: some(&mut random, 2, 0.01),
            jump_chance: some(&mut random, 4, 0.01),
            interruption_chance: some(&mut random, 2, 0.3),
            // In some runs they are more than history keeps.
            heartbeat_chance: some(&mut random, 4, 0.9),
            random,
            disk,
            oracle: Oracle::default(),
            now_ms: 1000.0,
            wall_ms: 1_800_000_000_000.0,
            processes: Vec::new(),
            trouble: None,
            numbers: 0,
            phase: 0,
            tally: Tally::default(),
            trace,
        }
    }

    /// Some rounds of processes side by side; between two of them a hand may touch the document, and
    /// a round may end with a loss of power.
    fn all(&mut self) -> Result<(), String> {
        for _ in 0..self.random.u32(1..=3) {
            if self.has_hands && self.random.bool() {
                self.tamper();
            }
            self.trouble = match self.random.u8(..3) {
                0 => {
                    let trouble = trouble::ALL[self.random.usize(..trouble::ALL.len())];
                    let from = self.tally.effects + self.random.usize(..150);
                    Some((trouble, from, self.random.bool()))
                }
                _ => None,
            };
            // What a hand wrote is not durable.
            let loses_power =
                self.durability == Sync::Durable && !self.has_hands && self.random.u8(..3) == 0;
            let until = match loses_power {
                true => self.tally.effects + self.random.usize(..300),
                false => usize::MAX,
            };
            for _ in 0..self.random.u32(1..=4) {
                let jobs = self.random.u32(1..=4);
                let job = self.job();
                let process = self.process(job, jobs);
                self.processes.push(process);
            }
            while !self.processes.is_empty() && self.tally.effects < until {
                self.step()?;
            }
            if loses_power {
                self.lose_power()?;
            }
        }
        self.trouble = None;
        self.quiet()
    }

    /// Another program tears the document, removes it, or edits it well. Nobody is at work then: a
    /// hand in the very moment of a commit is outside the promise.
    fn tamper(&mut self) {
        let Some(bytes) = self.disk.bytes(DOCUMENT).map(<[u8]>::to_vec) else {
            return;
        };
        match self.random.u8(..3) {
            0 => self
                .disk
                .put(DOCUMENT, &bytes[..self.random.usize(..bytes.len())]),
            1 => drop(self.disk.remove(DOCUMENT)),
            _ => {
                let text = String::from_utf8_lossy(&bytes).replacen('{', "{\"note\":\"\",", 1);
                self.disk.put(DOCUMENT, text.into_bytes());
            }
        }
        self.oracle.tampered(&self.disk);
        self.trace
            .happens(self.now_ms, "a hand touches the document");
    }

    fn lose_power(&mut self) -> Result<(), String> {
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
        self.trace.happens(self.now_ms, "the power is lost");
        self.oracle.power_lost(&self.disk, kept)
    }

    /// One writer in peace, which has to come through soon and to leave nothing behind. Where a hand
    /// tore the document, it is recovered first, if there is a revision to recover.
    fn quiet(&mut self) -> Result<(), String> {
        self.kill_chance = 0.0;
        self.pause_chance = 0.0;
        self.has_locks = true;
        let start_ms = self.now_ms;
        if self.is_torn() && !self.in_peace(Job::Recover)? {
            return match self.oracle.is_recoverable(&self.disk) {
                true => Err("a torn document is not recovered from its history".to_owned()),
                false => Ok(()),
            };
        }
        let number = self.number();
        if !self.in_peace(Job::Phase(number))? {
            return Err("a writer in peace does not come through".to_owned());
        }
        let took_ms = self.now_ms - start_ms;
        if took_ms > LONGEST_QUIET_MS {
            return Err(format!("a writer in peace took {took_ms} ms"));
        }
        self.oracle.over(&self.disk)
    }

    fn is_torn(&self) -> bool {
        let bytes = self.disk.bytes(DOCUMENT);
        bytes.is_some_and(|bytes| milepost::json::read(bytes).is_err())
    }

    /// Runs one job alone; whether it was acknowledged.
    fn in_peace(&mut self, job: Job) -> Result<bool, String> {
        let process = self.process(job, 1);
        self.processes.push(process);
        let before = self.tally.acknowledged;
        while !self.processes.is_empty() {
            self.step()?;
        }
        Ok(self.tally.acknowledged > before)
    }

    fn job(&mut self) -> Job {
        match self.random.u8(..16) {
            0 | 1 => Job::Read,
            2 => Job::Complete,
            3 => Job::Replace(self.number()),
            4 => Job::Undo,
            5 => Job::Recover,
            10 => Job::Redo,
            8 => Job::Trim,
            6..8 if self.is_torn() => Job::Recover,
            9 => Job::Heartbeat(self.phase),
            _ if self.random.f64() < self.heartbeat_chance => Job::Heartbeat(self.phase),
            _ => {
                self.phase = self.number();
                Job::Phase(self.phase)
            }
        }
    }

    fn process(&mut self, job: Job, jobs: u32) -> Process {
        let by = self.number();
        Process {
            machine: job.start(self.durability),
            watched: self.oracle.begins(by, job),
            jobs_left: jobs - 1,
            ready_ms: self.now_ms,
            listing: None,
            had_trouble: false,
            effects: 0,
        }
    }

    fn number(&mut self) -> u32 {
        self.numbers += 1;
        self.numbers
    }

    /// One effect of one process, or its death, or its pause.
    fn step(&mut self) -> Result<(), String> {
        let ready = |process: &&Process| process.ready_ms;
        let first = self
            .processes
            .iter()
            .min_by(|a, b| ready(a).total_cmp(&ready(b)));
        self.now_ms = self
            .now_ms
            .max(first.map_or(0.0, |process| process.ready_ms));
        let ready: Vec<usize> = (0..self.processes.len())
            .filter(|at| self.processes[*at].ready_ms <= self.now_ms)
            .collect();
        let turn = ready[self.random.usize(..ready.len())];
        let mut process = self.processes.swap_remove(turn);
        if self.random.f64() < self.jump_chance {
            self.wall_ms += [YEAR_MS, -YEAR_MS][self.random.usize(..2)];
            self.trace.happens(self.now_ms, "the clock jumps by a year");
        }
        if self.random.f64() < self.pause_chance {
            process.ready_ms = self.now_ms + f64::from(self.random.u32(1..4_000));
            self.trace.is(&process.watched, self.now_ms, "stopped");
            self.processes.push(process);
            return Ok(());
        }
        if let Some(listing) = process.listing.take() {
            let outcome = listing.ends(&self.disk, &mut self.random, self.interruption_chance);
            self.trace.sees(&process.watched, self.now_ms, &outcome);
            process.resume(outcome)?;
            self.processes.push(process);
            return Ok(());
        }
        let effect = match process
            .machine
            .step()
            .map_err(|misuse| format!("{misuse:?}"))?
        {
            Step::Effect(effect) => effect,
            Step::Done(result) => return self.done(process, &result),
        };
        self.tally.effects += 1;
        process.effects += 1;
        if process.effects > MOST_EFFECTS {
            let job = process.watched.job;
            return Err(format!("{job:?} does not come to an end"));
        }
        self.now_ms += 0.05 + self.random.f64() / 4.0;
        if self.random.f64() < self.kill_chance {
            self.tally.kills += 1;
            self.trace.is(&process.watched, self.now_ms, "killed");
            if let Effect::Create { path, bytes, .. } = &effect {
                let length = self.random.usize(..=bytes.len());
                self.disk.create_in_part(path, bytes, length);
            }
            return Ok(());
        }
        self.trace.does(&process.watched, self.now_ms, &effect);
        if let Some(outcome) = self.perform(&mut process, &effect)? {
            self.trace.sees(&process.watched, self.now_ms, &outcome);
            process.resume(outcome)?;
        }
        self.processes.push(process);
        Ok(())
    }

    fn done(&mut self, process: Process, result: &Result<Ended, Error>) -> Result<(), String> {
        let had_trouble = process.had_trouble;
        self.trace.ends(&process.watched, self.now_ms, result);
        self.oracle
            .ended(process.watched, result, had_trouble, &self.disk)?;
        self.tally.acknowledged += usize::from(matches!(result, Ok(Ended::Acknowledged { .. })));
        if process.jobs_left > 0 {
            let job = self.job();
            let next = self.process(job, process.jobs_left);
            self.processes.push(next);
        }
        Ok(())
    }

    /// `None` while a listing is under way.
    fn perform(
        &mut self,
        process: &mut Process,
        effect: &Effect,
    ) -> Result<Option<Outcome>, String> {
        let document = self.disk.bytes(DOCUMENT).map(<[u8]>::to_vec);
        let outcome = match self.refuse_lock(effect) {
            Some(refused) => Some(refused),
            None => match self.befall(effect) {
                Some(outcome) => {
                    process.had_trouble = true;
                    self.tally.faults += 1;
                    Some(outcome)
                }
                None => self.answer(process, effect),
            },
        };
        if let Effect::Remove { path } | Effect::Rename { from: path, .. } = effect {
            let listings = self.processes.iter_mut();
            for listing in listings.filter_map(|process| process.listing.as_mut()) {
                listing.goes(path);
            }
        }
        let after = self.disk.bytes(DOCUMENT);
        if after != document.as_deref() {
            self.oracle
                .changed(document.as_deref(), &self.disk, process.watched)?;
        }
        Ok(outcome)
    }

    /// Where the run is without the lock's help.
    fn refuse_lock(&self, effect: &Effect) -> Option<Outcome> {
        let Effect::Create { path, .. } = effect else {
            return None;
        };
        let is_refused = !self.has_locks && path.ends_with("/lock");
        is_refused.then(|| failed(Fault::Other))
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
                wall_ms: self.wall_ms + self.now_ms,
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
