//! The operations under way, by handle.

use std::fmt;

use crate::effect::{Machine, Misuse, Outcome, Step};

/// Operations under way. There is rarely more than one, so that a list is the fastest map.
#[derive(Debug, Default)]
pub(super) struct Running {
    machines: Vec<(u32, Machine<String>)>,
    /// Handles are not used again, so that a late call never reaches another operation.
    last: u32,
}

/// A call that no operation expects. Nothing was changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OutOfTurn {
    /// No operation under way has this handle.
    Unknown(u32),
    /// The operation is elsewhere.
    Misuse(Misuse),
}

impl fmt::Display for OutOfTurn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OutOfTurn::Unknown(handle) => write!(f, "no operation under way has handle {handle}"),
            OutOfTurn::Misuse(misuse) => misuse.fmt(f),
        }
    }
}

impl std::error::Error for OutOfTurn {}

impl Running {
    /// Takes an operation that has not begun and returns its handle.
    pub(super) fn add(&mut self, machine: Machine<String>) -> u32 {
        self.last = self.last.wrapping_add(1);
        self.machines.push((self.last, machine));
        self.last
    }

    /// Runs an operation to its next effect or its end, which frees the handle.
    pub(super) fn step(&mut self, handle: u32) -> Result<Step<String>, OutOfTurn> {
        let step = self.machine(handle)?.step().map_err(OutOfTurn::Misuse)?;
        if let Step::Done(_) = step {
            self.remove(handle);
        }
        Ok(step)
    }

    /// Hands in an outcome and goes on.
    pub(super) fn resume(
        &mut self,
        handle: u32,
        outcome: Outcome,
    ) -> Result<Step<String>, OutOfTurn> {
        let machine = self.machine(handle)?;
        machine.resume(outcome).map_err(OutOfTurn::Misuse)?;
        self.step(handle)
    }

    /// Forgets an operation, if it is under way.
    pub(super) fn remove(&mut self, handle: u32) {
        self.machines.retain(|(present, _)| *present != handle);
    }

    fn machine(&mut self, handle: u32) -> Result<&mut Machine<String>, OutOfTurn> {
        self.machines
            .iter_mut()
            .find(|(present, _)| *present == handle)
            .map(|(_, machine)| machine)
            .ok_or(OutOfTurn::Unknown(handle))
    }
}

#[cfg(test)]
mod tests {
    use super::{OutOfTurn, Running};
    use crate::effect::{Effect, Machine, Misuse, Outcome, Step};

    fn waiting() -> Machine<String> {
        Machine::start(|io| async move {
            match io.wait(1).await {
                Ok(()) => "waited".to_owned(),
                Err(failed) => failed.detail,
            }
        })
    }

    #[test]
    fn the_end_of_an_operation_frees_its_handle() {
        let mut running = Running::default();
        let handle = running.add(waiting());
        assert_eq!(
            running.step(handle),
            Ok(Step::Effect(Effect::Wait { ms: 1 }))
        );
        let end = running.resume(handle, Outcome::Done);
        assert_eq!(end, Ok(Step::Done("waited".to_owned())));
        assert_eq!(running.step(handle), Err(OutOfTurn::Unknown(handle)));
        assert!(running.machines.is_empty());
    }

    #[test]
    fn an_abandoned_handle_never_reaches_the_next_operation() {
        let mut running = Running::default();
        let first = running.add(waiting());
        running.remove(first);
        let second = running.add(waiting());
        assert_ne!(first, second);
        assert_eq!(running.step(first), Err(OutOfTurn::Unknown(first)));
    }

    #[test]
    fn a_call_out_of_turn_leaves_the_operation_under_way() {
        let mut running = Running::default();
        let handle = running.add(waiting());
        let early = running.resume(handle, Outcome::Done);
        assert_eq!(early, Err(OutOfTurn::Misuse(Misuse::NothingPending)));
        assert!(running.step(handle).is_ok());
        assert_eq!(
            running.step(handle),
            Err(OutOfTurn::Misuse(Misuse::NotReady))
        );
        assert!(running.resume(handle, Outcome::Done).is_ok());
    }
}
