//! One operation in the async and the blocking variant.
//!
//! The one that waits for its host is driven. Where it ends, the blocking one is run on
//! the same outcomes: it has to ask for the same effects, in the same order, and to end as the first.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::fmt;
use std::rc::Rc;

use milepost::blocking::effect::Io;
use milepost::effect::{Effect, Machine, MachineStep, Misuse, Outcome};

/// An operation in progress.
pub(crate) struct Twins<T> {
    machine: Machine<T>,
    second: Option<Second<T>>,
}

struct Second<T> {
    run: Box<dyn FnOnce(Io) -> T>,
    /// The effects that the first asked for, and their outcomes.
    tape: VecDeque<(Effect, Option<Outcome>)>,
}

impl<T: fmt::Debug> Twins<T> {
    /// An operation that has not begun, in one variant alone.
    pub(crate) fn new(machine: Machine<T>) -> Self {
        Twins {
            machine,
            second: None,
        }
    }

    /// Adds the blocking variant.
    pub(crate) fn expect(&mut self, run: impl FnOnce(Io) -> T + 'static) {
        self.second = Some(Second {
            run: Box::new(run),
            tape: VecDeque::new(),
        });
    }

    /// As [`Machine::step`].
    pub(crate) fn step(&mut self) -> Result<MachineStep<T>, Misuse> {
        let step = self.machine.step()?;
        match &step {
            MachineStep::Effect(effect) => {
                if let Some(second) = &mut self.second {
                    second.tape.push_back((effect.clone(), None));
                }
            }
            MachineStep::Done(ended) => {
                if let Some(second) = self.second.take() {
                    second.run(ended);
                }
            }
        }
        Ok(step)
    }

    /// As [`Machine::resume`].
    pub(crate) fn resume(&mut self, outcome: Outcome) -> Result<(), Misuse> {
        let asked = self.second.as_mut().and_then(|it| it.tape.back_mut());
        if let Some((_, answered)) = asked {
            *answered = Some(outcome.clone());
        }
        self.machine.resume(outcome)
    }
}

impl<T: fmt::Debug> Second<T> {
    fn run(self, ended: &T) {
        let tape = Rc::new(RefCell::new(self.tape));
        let left = Rc::clone(&tape);
        let again = (self.run)(Io::new(move |effect| match tape.borrow_mut().pop_front() {
            Some((asked, Some(outcome))) if asked == effect => outcome,
            other => panic!("the variants differ: {effect:?}, where the first has {other:?}"),
        }));
        assert!(
            left.borrow().is_empty(),
            "the variants differ: one asks for less"
        );
        // Neither failures nor documents are distinguished by anything that this does not show.
        let (again, ended) = (format!("{again:?}"), format!("{ended:?}"));
        assert_eq!(again, ended, "the variants differ");
    }
}
