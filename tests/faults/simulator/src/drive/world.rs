//! The world that the processes of a run share: the disk, the time, and chance.

use std::fmt;

use fastrand::Rng;
use milepost::effect::{Effect, Fault, Outcome, Sync};
use milepost_disk::{Disk, PowerLoss, failed};

use super::Tally;
use crate::listing::Listing;
use crate::trace::Trace;
use crate::trouble::{self, Trouble};

const YEAR_MS: f64 = 365.0 * 86_400_000.0;

/// The chances of things at each step.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Chances {
    /// A process dies.
    pub(crate) kill: f64,
    /// A process stands still for a while.
    pub(crate) pause: f64,
    /// A listing in which a name went ends early.
    pub(crate) interruption: f64,
    /// The clock jumps, in runs where it can.
    pub(crate) jump: Option<f64>,
}

/// A chance that some runs have: one in so many.
pub(crate) fn one_in(random: &mut Rng, so_many: u8, chance: f64) -> f64 {
    match random.u8(..so_many) {
        0 => chance,
        _ => 0.0,
    }
}

/// An error that comes from this effect of the run on, once or for good.
struct Planned {
    trouble: Trouble,
    from: usize,
    is_for_good: bool,
}

/// The world that the processes of a run share.
pub(crate) struct World {
    pub(crate) random: Rng,
    pub(crate) disk: Disk,
    pub(crate) now_ms: f64,
    /// The time that a clock on the wall shows beyond that.
    wall_ms: f64,
    pub(crate) durability: Sync,
    pub(crate) chances: Chances,
    /// Half of the runs are without the lock's help, which safety must not need.
    pub(crate) has_locks: bool,
    /// True if files are as old as they are; otherwise every file seems to be of long ago.
    pub(crate) has_dates: bool,
    planned: Option<Planned>,
    pub(crate) tally: Tally,
    trace: Trace,
}

impl World {
    /// Creates a world in which nothing has happened yet.
    pub(crate) fn new(random: Rng, disk: Disk, trace: Trace) -> Self {
        World {
            random,
            disk,
            now_ms: 1000.0,
            wall_ms: 1_800_000_000_000.0,
            durability: Sync::Durable,
            chances: Chances::default(),
            has_locks: true,
            has_dates: false,
            planned: None,
            tally: Tally::default(),
            trace,
        }
    }

    pub(crate) fn is_durable(&self) -> bool {
        self.durability == Sync::Durable
    }

    /// Something happens that no process does.
    pub(crate) fn happens(&mut self, what: impl FnOnce() -> String) {
        self.trace.line(self.now_ms, None::<&str>, what);
    }

    /// Something happens to a process.
    pub(super) fn trace(&mut self, who: &impl fmt::Display, what: impl FnOnce() -> String) {
        self.trace.line(self.now_ms, Some(who), what);
    }

    pub(super) fn befalls(&mut self, chance: f64) -> bool {
        self.random.f64() < chance
    }

    pub(super) fn may_jump(&mut self) {
        if let Some(chance) = self.chances.jump
            && self.befalls(chance)
        {
            self.wall_ms += [YEAR_MS, -YEAR_MS][self.random.usize(..2)];
            self.happens(|| "the clock jumps by a year".to_owned());
        }
    }

    /// One more effect, and what it takes.
    pub(super) fn passes(&mut self) {
        self.tally.effects += 1;
        self.now_ms += 0.05 + self.random.f64() / 4.0;
    }

    /// A process dies in an effect.
    pub(super) fn kill(&mut self, effect: &Effect) {
        self.tally.kills += 1;
        if let Effect::Create { path, bytes, .. } = effect {
            let length = self.random.usize(..=bytes.len());
            self.disk.create_in_part(path, bytes, length);
        }
    }

    pub(super) fn plan_trouble(&mut self, within: usize) {
        self.planned = match self.random.u8(..3) {
            0 => Some(Planned {
                trouble: trouble::ALL[self.random.usize(..trouble::ALL.len())],
                from: self.tally.effects + self.random.usize(..within),
                is_for_good: self.random.bool(),
            }),
            _ => None,
        };
    }

    /// No error comes any more.
    pub(super) fn is_spared(&mut self) {
        self.planned = None;
    }

    pub(super) fn lose_power(&mut self) -> PowerLoss {
        let kept = match self.random.bool() {
            true => PowerLoss::Any,
            false => PowerLoss::InOrder,
        };
        if let Some(journal) = self.disk.journal() {
            let nodes = journal.loss(kept, &mut self.random);
            self.disk = Disk::after(nodes, &self.disk);
        }
        self.tally.power_losses += 1;
        self.happens(|| format!("the power is lost, names come back {kept:?}"));
        kept
    }

    /// Refuses the lock in runs without its help.
    pub(super) fn refuse_lock(&self, effect: &Effect) -> Option<Outcome> {
        let Effect::Create { path, .. } = effect else {
            return None;
        };
        let is_refused = !self.has_locks && path.ends_with("/lock");
        is_refused.then(|| failed(Fault::Other))
    }

    /// The error in place of an effect, where one has come.
    pub(super) fn trouble(&mut self, effect: &Effect) -> Option<Outcome> {
        let planned = self.planned.as_ref()?;
        if self.tally.effects < planned.from {
            return None;
        }
        let is_for_good = planned.is_for_good;
        let outcome = planned
            .trouble
            .befall(effect, &mut self.disk, &mut self.random)?;
        if !is_for_good {
            self.planned = None;
        }
        self.tally.faults += 1;
        Some(outcome)
    }

    /// The outcome of an effect; a listing takes its time.
    pub(super) fn answer(&mut self, effect: &Effect) -> Result<Outcome, Listing> {
        Ok(match effect {
            Effect::Clock => Outcome::Clock {
                wall_ms: self.wall_ms + self.now_ms,
                monotonic_ms: self.now_ms,
            },
            Effect::Random { length } => {
                Outcome::Bytes((0..*length).map(|_| self.random.u8(..)).collect())
            }
            Effect::Wait { .. } => Outcome::Done,
            Effect::List { path, limit } => {
                return Err(Listing::begins(&self.disk, path, *limit));
            }
            effect => {
                if self.has_dates {
                    self.disk.set_clock(self.wall_ms + self.now_ms);
                }
                let outcome = self.disk.perform(effect);
                outcome.unwrap_or(failed(Fault::Unsupported))
            }
        })
    }

    pub(super) fn end_listing(&mut self, listing: Listing) -> Outcome {
        listing.ends(&self.disk, &mut self.random, self.chances.interruption)
    }
}
