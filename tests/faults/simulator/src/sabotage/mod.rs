//! Faults in the protocols, put in from outside: between the machine that ships and its host stands
//! one that asks for something else than the machine did, or answers something else than the host.
//!
//! No protocol has a branch for it. A fault that finds nothing to change any more, because the
//! protocol takes other steps now, is seen by [`applied`], and the gate fails.

mod commit;
mod parts;
mod restore;

use std::cell::Cell;
use std::fmt;

use milepost::blocking::effect::Io;
use milepost::effect::{Effect, Machine, MachineStep, Misuse, Outcome};

use crate::twins::Twins;

pub use commit::{Fault, Sabotage};
pub use parts::PartsFault;
pub use restore::RestoreFault;

/// The fault that is put in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Active {
    /// In how a document is committed.
    Commit(Sabotage),
    /// In how the parts of a task are kept.
    Parts(PartsFault),
    /// In how a restore takes files away.
    Restore(RestoreFault),
}

impl From<Fault> for Active {
    fn from(fault: Fault) -> Self {
        Active::Commit(fault.into())
    }
}

thread_local! {
    static ACTIVE: Cell<Option<Active>> = const { Cell::new(None) };
    static APPLIED: Cell<u64> = const { Cell::new(0) };
}

/// Has every operation that this thread begins go wrong in this way, or in none.
pub fn activate(active: Option<Active>) {
    ACTIVE.set(active);
    APPLIED.set(0);
}

/// The number of times that the active fault has changed what was asked for or answered.
pub fn applied() -> u64 {
    APPLIED.get()
}

/// A machine whose host does something else than it is asked for, where a fault is active.
pub(crate) struct Sabotaged<T> {
    machine: Twins<T>,
    saboteur: Option<Saboteur>,
}

impl<T: fmt::Debug> Sabotaged<T> {
    pub(crate) fn new(machine: Machine<T>) -> Self {
        Sabotaged {
            machine: Twins::new(machine),
            saboteur: ACTIVE.get().map(Saboteur::new),
        }
    }

    /// Adds the operation in its blocking variant.
    pub(crate) fn with_twin(mut self, twin: impl FnOnce(Io) -> T + 'static) -> Self {
        self.machine.expect(twin);
        self
    }

    /// As [`Machine::step`].
    pub(crate) fn step(&mut self) -> Result<MachineStep<T>, Misuse> {
        let Some(saboteur) = &mut self.saboteur else {
            return self.machine.step();
        };
        loop {
            if let Some(effect) = saboteur.next() {
                return Ok(MachineStep::Effect(effect));
            }
            match self.machine.step()? {
                MachineStep::Effect(effect) => {
                    if let Some(outcome) = saboteur.is_asked(effect) {
                        self.machine.resume(outcome)?;
                    }
                }
                done => return Ok(done),
            }
        }
    }

    /// As [`Machine::resume`].
    pub(crate) fn resume(&mut self, outcome: Outcome) -> Result<(), Misuse> {
        let outcome = match &mut self.saboteur {
            Some(saboteur) => saboteur.is_answered(outcome),
            None => Some(outcome),
        };
        outcome.map_or(Ok(()), |outcome| self.machine.resume(outcome))
    }
}

/// The layer between a machine and its host.
enum Saboteur {
    Commit(commit::Saboteur),
    Parts(parts::Saboteur),
    Restore(restore::Saboteur),
}

impl Saboteur {
    fn new(active: Active) -> Self {
        match active {
            Active::Commit(sabotage) => Saboteur::Commit(commit::Saboteur::new(sabotage)),
            Active::Parts(fault) => Saboteur::Parts(parts::Saboteur::new(fault)),
            Active::Restore(fault) => Saboteur::Restore(restore::Saboteur::new(fault)),
        }
    }

    /// The effect that the host is to perform next.
    fn next(&mut self) -> Option<Effect> {
        match self {
            Saboteur::Commit(saboteur) => saboteur.next(),
            Saboteur::Parts(saboteur) => saboteur.next(),
            Saboteur::Restore(saboteur) => saboteur.next(),
        }
    }

    /// The machine asks for an effect: the answer, unless the host has something to do first.
    fn is_asked(&mut self, effect: Effect) -> Option<Outcome> {
        match self {
            Saboteur::Commit(saboteur) => saboteur.is_asked(effect),
            Saboteur::Parts(saboteur) => saboteur.is_asked(effect),
            Saboteur::Restore(saboteur) => saboteur.is_asked(effect),
        }
    }

    /// The host has answered: returns the outcome for the machine, unless there is more to do first.
    fn is_answered(&mut self, outcome: Outcome) -> Option<Outcome> {
        match self {
            Saboteur::Commit(saboteur) => saboteur.is_answered(outcome),
            Saboteur::Parts(saboteur) => saboteur.is_answered(outcome),
            Saboteur::Restore(saboteur) => saboteur.is_answered(outcome),
        }
    }
}

fn applies() {
    APPLIED.set(APPLIED.get() + 1);
}
