//! Runs an operation from effect to effect.

use std::cell::RefCell;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use super::{Effect, Io, Outcome};

/// The meeting point of an operation and its host. One effect is in flight at a time.
#[derive(Debug, Default)]
pub(super) enum Slot {
    /// The operation runs, or has not asked for anything.
    #[default]
    Idle,
    /// The operation requested it; the host has not seen the effect yet.
    Requested(Effect),
    /// The host is performing the effect of this name; the operation waits.
    Pending(&'static str),
    /// The host answered the effect of this name; the operation has not seen it.
    Answered(&'static str, Outcome),
}

/// The next step of an operation.
#[derive(Debug, PartialEq)]
pub enum MachineStep<T> {
    /// The host performs this and resumes the machine with its outcome.
    Effect(Effect),
    /// The operation has ended with this.
    Done(T),
}

/// A machine was driven out of turn. It is unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Misuse {
    /// An outcome came while no effect was in flight.
    NothingPending,
    /// The operation has ended, or waits for an outcome.
    NotReady,
}

impl fmt::Display for Misuse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Misuse::NothingPending => "an outcome came while no effect was in flight",
            Misuse::NotReady => "the operation has ended or waits for an outcome",
        })
    }
}

impl std::error::Error for Misuse {}

/// One operation in progress.
///
/// A host that answers later takes each effect from [`Machine::step`], performs it, and hands its outcome to
/// [`Machine::resume`]; one that answers within the call uses [`Machine::run`]. A call out of turn is a [`Misuse`],
/// and leaves the machine unchanged.
///
/// ```
/// use milepost::effect::{Effect, Machine, MachineStep, Misuse, Outcome};
///
/// let mut machine = Machine::start(|io| async move { io.random(2).await.ok() });
/// let random = Effect::Random { length: 2 };
/// assert_eq!(machine.step(), Ok(MachineStep::Effect(random)));
/// assert_eq!(machine.step(), Err(Misuse::NotReady));
/// assert_eq!(machine.resume(Outcome::Bytes(vec![7, 8])), Ok(()));
/// assert_eq!(machine.step(), Ok(MachineStep::Done(Some(vec![7, 8]))));
/// ```
pub struct Machine<T> {
    /// `None` once it has ended.
    operation: Option<Pin<Box<dyn Future<Output = T>>>>,
    slot: Rc<RefCell<Slot>>,
}

impl<T> fmt::Debug for Machine<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Machine")
            .field("slot", &self.slot)
            .finish_non_exhaustive()
    }
}

impl<T> Machine<T> {
    /// A machine that has not begun.
    pub fn start<F: Future<Output = T> + 'static>(operation: impl FnOnce(Io) -> F) -> Self {
        let slot = Rc::new(RefCell::new(Slot::Idle));
        let io = Io::new(Rc::clone(&slot));
        Machine {
            operation: Some(Box::pin(operation(io))),
            slot,
        }
    }

    /// Returns the operation with another end.
    pub fn map<U>(self, end: impl FnOnce(T) -> U + 'static) -> Machine<U>
    where
        T: 'static,
    {
        Machine {
            operation: self
                .operation
                .map(|operation| -> Pin<Box<dyn Future<Output = U>>> {
                    Box::pin(async move { end(operation.await) })
                }),
            slot: self.slot,
        }
    }

    /// Runs the operation to its next effect or its end.
    ///
    /// # Errors
    ///
    /// [`Misuse::NotReady`] after the end, and while an effect is in flight.
    pub fn step(&mut self) -> Result<MachineStep<T>, Misuse> {
        let operation = match (&mut self.operation, &*self.slot.borrow()) {
            (Some(operation), Slot::Idle | Slot::Answered(..)) => operation,
            _ => return Err(Misuse::NotReady),
        };
        let mut context = Context::from_waker(Waker::noop());
        if let Poll::Ready(value) = operation.as_mut().poll(&mut context) {
            self.operation = None;
            return Ok(MachineStep::Done(value));
        }
        match self.slot.take() {
            Slot::Requested(effect) => {
                self.slot.replace(Slot::Pending(effect.name()));
                Ok(MachineStep::Effect(effect))
            }
            // An operation awaits nothing but effects, so it cannot be suspended without one.
            other => {
                self.slot.replace(other);
                Err(Misuse::NotReady)
            }
        }
    }

    /// Hands in the outcome of the effect that [`Machine::step`] returned.
    ///
    /// # Errors
    ///
    /// [`Misuse::NothingPending`] when no effect is in flight.
    pub fn resume(&mut self, outcome: Outcome) -> Result<(), Misuse> {
        let mut slot = self.slot.borrow_mut();
        match *slot {
            Slot::Pending(effect) => {
                *slot = Slot::Answered(effect, outcome);
                Ok(())
            }
            _ => Err(Misuse::NothingPending),
        }
    }

    /// Runs the operation to its end on a host that answers within the call, and returns its value.
    ///
    /// ```
    /// use milepost::effect::{Effect, Machine, Outcome};
    ///
    /// let machine = Machine::start(|io| async move { io.random(2).await.ok() });
    /// let bytes = machine.run(|effect| match effect {
    ///     Effect::Random { length } => Outcome::Bytes(vec![7; length as usize]),
    ///     other => panic!("this operation needs nothing else: {other:?}"),
    /// });
    /// assert_eq!(bytes, Some(vec![7, 7]));
    /// ```
    pub fn run(mut self, mut perform: impl FnMut(Effect) -> Outcome) -> T {
        loop {
            match self.step() {
                Ok(MachineStep::Done(value)) => return value,
                Ok(MachineStep::Effect(effect)) => {
                    let outcome = perform(effect);
                    self.resume(outcome)
                        .expect("the effect of this step is in flight");
                }
                Err(misuse) => unreachable!("each step is followed by its outcome: {misuse}"),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Machine, MachineStep, Misuse};
    use crate::effect::{Effect, Outcome};

    #[test]
    fn an_operation_stops_at_each_effect_and_goes_on_with_its_outcome() {
        let mut machine = Machine::start(|io| async move {
            let first = io.random(1).await.unwrap();
            let second = io.random(2).await.unwrap();
            [first, second].concat()
        });
        assert_eq!(
            machine.step(),
            Ok(MachineStep::Effect(Effect::Random { length: 1 }))
        );
        machine.resume(Outcome::Bytes(vec![7])).unwrap();
        assert_eq!(
            machine.step(),
            Ok(MachineStep::Effect(Effect::Random { length: 2 }))
        );
        machine.resume(Outcome::Bytes(vec![8, 9])).unwrap();
        assert_eq!(machine.step(), Ok(MachineStep::Done(vec![7, 8, 9])));
    }

    #[test]
    fn a_step_out_of_turn_is_an_error_and_changes_nothing() {
        let mut machine = Machine::start(|io| async move { io.wait(1).await.is_ok() });
        assert_eq!(machine.resume(Outcome::Done), Err(Misuse::NothingPending));
        assert_eq!(
            machine.step(),
            Ok(MachineStep::Effect(Effect::Wait { ms: 1 }))
        );
        assert_eq!(machine.step(), Err(Misuse::NotReady));
        machine.resume(Outcome::Done).unwrap();
        assert_eq!(machine.resume(Outcome::Done), Err(Misuse::NothingPending));
        assert_eq!(machine.step(), Ok(MachineStep::Done(true)));
        assert_eq!(machine.step(), Err(Misuse::NotReady));
    }

    #[test]
    fn an_outcome_of_the_wrong_kind_is_a_failure_of_the_effect() {
        let answer = Machine::start(|io| async move { io.random(4).await }).run(|_| Outcome::Done);
        assert!(answer.is_err());
    }
}
