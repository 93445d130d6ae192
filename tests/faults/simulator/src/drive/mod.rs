//! Simulated processes in an order, with deaths, pauses, errors and losses of power, that a seed decides.
//! One seed is always one run, effect by effect.
//!
//! A [`Kind`] of jobs says what the processes do, and what has to hold.

mod seeds;
mod tally;
mod world;

use std::fmt;

use milepost::effect::{Effect, MachineStep, Outcome};
use milepost_disk::PowerLoss;

use crate::listing::Listing;
use crate::sabotage::Sabotaged;

pub(crate) use seeds::{Seeded, any_durability, empty_disk, run, settled};
pub use tally::Tally;
pub(crate) use world::{Chances, World, one_in};

/// The work of processes, and what is watched of it.
pub(crate) trait Kind {
    /// A job in progress; shown as traces show it.
    type Watched: fmt::Display;
    /// The end of a job.
    type End: fmt::Debug;

    /// The number of things that happen in a run.
    const PACE: Pace;

    /// A round begins, and no process is at work.
    fn round(&mut self, _: &mut World) {}

    /// Returns whether what was acknowledged has to survive a loss of power now.
    fn may_lose_power(&self, world: &World) -> bool {
        world.is_durable()
    }

    /// Decides what a process does next.
    fn begin(&mut self, world: &mut World) -> Begun<Self>;

    /// An effect is about to happen.
    fn about_to(&mut self, _: &World) {}

    /// An effect of a job has happened, or failed.
    ///
    /// # Errors
    ///
    /// The violation.
    fn did(&mut self, _: &World, _: &mut Self::Watched, _: &Effect) -> Result<(), String> {
        Ok(())
    }

    /// A job has ended; `had_trouble` where an effect of it failed. Whether a change was acknowledged.
    ///
    /// # Errors
    ///
    /// The violation.
    fn ended(
        &mut self,
        world: &World,
        watched: Self::Watched,
        end: &Self::End,
        had_trouble: bool,
    ) -> Result<bool, String>;

    /// The power came back.
    ///
    /// # Errors
    ///
    /// The loss.
    fn power_lost(&mut self, _: &World, _: PowerLoss) -> Result<(), String> {
        Ok(())
    }
}

/// A job that begins.
pub(crate) type Begun<K> = (Sabotaged<<K as Kind>::End>, <K as Kind>::Watched);

/// The number of things that happen in a run.
pub(crate) struct Pace {
    /// Processes of a round.
    pub(crate) processes: std::ops::RangeInclusive<u32>,
    /// An error comes within so many effects of a round.
    pub(crate) trouble_within: usize,
    /// The power is lost within so many.
    pub(crate) power_within: usize,
    /// No job asks for more; one that does would never end.
    pub(crate) most_effects: usize,
}

/// Rounds of a run.
const ROUNDS: std::ops::RangeInclusive<u32> = 1..=3;
/// Jobs of a process.
const JOBS: std::ops::RangeInclusive<u32> = 1..=4;
/// No process stands still for longer.
const LONGEST_PAUSE_MS: u32 = 4_000;

/// One simulated process: one job after the other.
struct Process<K: Kind + ?Sized> {
    machine: Sabotaged<K::End>,
    watched: K::Watched,
    jobs_left: u32,
    /// It goes on at this moment.
    ready_ms: f64,
    listing: Option<Listing>,
    had_trouble: bool,
    effects: usize,
}

/// One run.
pub(crate) struct Run<K: Kind> {
    pub(crate) world: World,
    pub(crate) kind: K,
    processes: Vec<Process<K>>,
}

impl<K: Kind> Run<K> {
    pub(crate) fn new(world: World, kind: K) -> Self {
        Run {
            world,
            kind,
            processes: Vec::new(),
        }
    }

    /// Some rounds of processes side by side; a round may end with a loss of power.
    pub(crate) fn rounds(&mut self) -> Result<(), String> {
        for _ in 0..self.world.random.u32(ROUNDS) {
            self.round()?;
        }
        self.world.is_spared();
        Ok(())
    }

    fn round(&mut self) -> Result<(), String> {
        let Run { world, kind, .. } = self;
        kind.round(world);
        world.plan_trouble(K::PACE.trouble_within);
        let loses_power = kind.may_lose_power(world) && world.random.u8(..3) == 0;
        let until = match loses_power {
            true => world.tally.effects + world.random.usize(..K::PACE.power_within),
            false => usize::MAX,
        };
        for _ in 0..self.world.random.u32(K::PACE.processes) {
            let jobs = self.world.random.u32(JOBS);
            let begun = self.kind.begin(&mut self.world);
            self.begin(begun, jobs - 1);
        }
        while !self.processes.is_empty() && self.world.tally.effects < until {
            self.step()?;
        }
        if loses_power {
            self.processes.clear();
            let kept = self.world.lose_power();
            self.kind.power_lost(&self.world, kept)?;
        }
        Ok(())
    }

    /// Runs a job to its end, with no other process at work; returns whether a change was acknowledged.
    pub(crate) fn alone(&mut self, begun: Begun<K>) -> Result<bool, String> {
        let before = self.world.tally.acknowledged;
        self.begin(begun, 0);
        while !self.processes.is_empty() {
            self.step()?;
        }
        Ok(self.world.tally.acknowledged > before)
    }

    fn begin(&mut self, (machine, watched): Begun<K>, jobs_left: u32) {
        self.processes.push(Process {
            machine,
            watched,
            jobs_left,
            ready_ms: self.world.now_ms,
            listing: None,
            had_trouble: false,
            effects: 0,
        });
    }

    /// One of those who can go on, by chance.
    fn turn(&mut self) -> Process<K> {
        let Run {
            world, processes, ..
        } = self;
        let first = processes.iter().map(|process| process.ready_ms);
        world.now_ms = world.now_ms.max(first.fold(f64::INFINITY, f64::min));
        let ready: Vec<usize> = (0..processes.len())
            .filter(|at| processes[*at].ready_ms <= world.now_ms)
            .collect();
        processes.swap_remove(ready[world.random.usize(..ready.len())])
    }

    /// One effect of one process, or its death, or its pause.
    fn step(&mut self) -> Result<(), String> {
        let mut process = self.turn();
        let world = &mut self.world;
        world.may_jump();
        if world.befalls(world.chances.pause) {
            process.ready_ms = world.now_ms + f64::from(world.random.u32(1..LONGEST_PAUSE_MS));
            world.trace(&process.watched, || "stopped".to_owned());
            self.processes.push(process);
            return Ok(());
        }
        if let Some(listing) = process.listing.take() {
            let outcome = world.end_listing(listing);
            return self.resume(process, outcome);
        }
        let step = process.machine.step();
        let effect = match step.map_err(|misuse| format!("{misuse:?}"))? {
            MachineStep::Effect(effect) => effect,
            MachineStep::Done(end) => return self.done(process, &end),
        };
        world.passes();
        process.effects += 1;
        if process.effects > K::PACE.most_effects {
            return Err(format!("{} does not come to an end", process.watched));
        }
        if world.befalls(world.chances.kill) {
            world.trace(&process.watched, || "killed".to_owned());
            world.kill(&effect);
            return Ok(());
        }
        world.trace(&process.watched, || match &effect {
            Effect::Create { path, bytes, .. } => format!("Create {path}, {} bytes", bytes.len()),
            effect => format!("{effect:?}"),
        });
        match self.perform(&mut process, &effect)? {
            Some(outcome) => self.resume(process, outcome),
            None => {
                self.processes.push(process);
                Ok(())
            }
        }
    }

    fn resume(&mut self, mut process: Process<K>, outcome: Outcome) -> Result<(), String> {
        self.world.trace(&process.watched, || match &outcome {
            Outcome::Bytes(bytes) => format!("  {} bytes", bytes.len()),
            outcome => format!("  {outcome:?}"),
        });
        let resumed = process.machine.resume(outcome);
        self.processes.push(process);
        resumed.map_err(|misuse| format!("{misuse:?}"))
    }

    fn done(&mut self, process: Process<K>, end: &K::End) -> Result<(), String> {
        let Process {
            watched,
            had_trouble,
            jobs_left,
            ..
        } = process;
        self.world.trace(&watched, || format!("{end:?}"));
        let is_acknowledged = self.kind.ended(&self.world, watched, end, had_trouble)?;
        self.world.tally.acknowledged += usize::from(is_acknowledged);
        if jobs_left > 0 {
            let begun = self.kind.begin(&mut self.world);
            self.begin(begun, jobs_left - 1);
        }
        Ok(())
    }

    /// `None` while a listing is in progress.
    fn perform(
        &mut self,
        process: &mut Process<K>,
        effect: &Effect,
    ) -> Result<Option<Outcome>, String> {
        self.kind.about_to(&self.world);
        let world = &mut self.world;
        let outcome = match world.refuse_lock(effect) {
            Some(refused) => Some(refused),
            None => match world.trouble(effect) {
                Some(outcome) => {
                    process.had_trouble = true;
                    Some(outcome)
                }
                None => match world.answer(effect) {
                    Ok(outcome) => Some(outcome),
                    Err(listing) => {
                        process.listing = Some(listing);
                        None
                    }
                },
            },
        };
        if let Effect::Wait { ms } = effect {
            process.ready_ms = world.now_ms + f64::from(*ms);
        }
        if let Effect::Remove { path } | Effect::Rename { from: path, .. } = effect {
            let listings = self.processes.iter_mut();
            for listing in listings.filter_map(|process| process.listing.as_mut()) {
                listing.goes(path);
            }
        }
        self.kind.did(&self.world, &mut process.watched, effect)?;
        Ok(outcome)
    }
}
