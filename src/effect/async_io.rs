//! The handle over which an operation asks a host that answers later.

use std::cell::RefCell;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use super::answer::{Failed, Fitting, failed};
use super::machine::Slot;
use super::{Effect, Outcome};

/// Asks the host for effects. Handed to an operation by its machine.
#[derive(Clone, Debug)]
pub struct Io {
    slot: Rc<RefCell<Slot>>,
}

impl Io {
    pub(super) fn new(slot: Rc<RefCell<Slot>>) -> Self {
        Io { slot }
    }

    pub(super) fn request<T>(&self, effect: Effect, fitting: Fitting<T>) -> Answer<'_, T> {
        self.slot.replace(Slot::Requested(effect));
        Answer {
            slot: &self.slot,
            fitting,
        }
    }
}

/// The answer to an effect that was asked for; one effect is in flight at a time, so it is awaited
/// before the next one is asked for.
///
/// Asking is done by the call, not by the future: an operation has many such steps, and each costs
/// it no more than these two words.
#[must_use = "the host gets the effect when its answer is awaited"]
pub struct Answer<'a, T> {
    slot: &'a RefCell<Slot>,
    fitting: Fitting<T>,
}

impl<T> Future for Answer<'_, T> {
    type Output = Result<T, Failed>;

    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Self::Output> {
        match answered(self.slot) {
            Some((effect, outcome)) => {
                Poll::Ready((self.fitting)(outcome).map_err(|outcome| failed(effect, outcome)))
            }
            None => Poll::Pending,
        }
    }
}

fn answered(slot: &RefCell<Slot>) -> Option<(&'static str, Outcome)> {
    match slot.take() {
        Slot::Answered(effect, outcome) => Some((effect, outcome)),
        other => {
            slot.replace(other);
            None
        }
    }
}
