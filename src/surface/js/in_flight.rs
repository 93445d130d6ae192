//! Operations for hosts that answer later: the step machine, with a number for each operation in
//! flight. Any number of them can be, because nothing here waits: [`step`] runs one to its next effect or
//! its end, and [`resume`] hands in the outcome of that effect and goes on.
//!
//! The answer of an effect is written into the [`buffer`](super::reserve_outcome) right before [`resume`],
//! without another call between them, so that it belongs to the operation that is named there.

use std::cell::RefCell;

use wasm_bindgen::prelude::wasm_bindgen;

use crate::effect::{Effect, Machine, MachineStep, Outcome};
use crate::operation::request;

use super::effect::{self, AnswerForm, EffectCall, HostCall};
use super::effect_table::dispatch;
use super::reply::{REPLY, reply};
use super::{INPUT, reply_buffer};

thread_local! {
    static IN_FLIGHT: RefCell<InFlight> = RefCell::default();
}

/// Numbers that say which effect is asked for, and where its text and bytes are in memory: the
/// arguments of a host's `perform`.
const NUMBERS: usize = 7;

/// The operations in flight. A number is given once, so that a host that answers too late answers
/// none of them.
#[derive(Default)]
struct InFlight {
    begun: u32,
    operations: Vec<(u32, InFlightOperation)>,
}

struct InFlightOperation {
    machine: Machine<String>,
    pending: Option<PendingEffect>,
}

/// An effect that the host was asked to perform.
struct PendingEffect {
    answer: AnswerForm,
    numbers: [usize; NUMBERS],
    /// The text that the numbers point to.
    _text: String,
    _more: Vec<u8>,
    /// The effect, whose own bytes the latter may say the places of.
    _effect: Option<Effect>,
}

/// The next step of an operation.
enum NextStep {
    Effect(*const usize),
    End(String),
}

/// Begins the operation whose request is the JSON text in the buffer, and returns its number.
#[wasm_bindgen]
pub fn begin(length: usize) -> u32 {
    let machine = INPUT.with_borrow_mut(|input| {
        let machine = request::start(input.bytes(length));
        input.let_go();
        machine
    });
    IN_FLIGHT.with_borrow_mut(|in_flight| in_flight.add(machine))
}

/// Runs an operation to its first effect, and returns where its seven numbers lie: the effect, place and
/// length of a text, place and length of more bytes, a number, a flag. They stay there until the next
/// call, and what they point to until the operation is resumed.
///
/// 0: the operation has ended, and its reply is stored at [`reply_place`]. It is empty where there is no such
/// operation, or it waits for an outcome.
#[wasm_bindgen]
pub fn step(operation: u32) -> *const usize {
    go_on(operation, |found| found.pending.is_none())
}

/// Hands in the outcome of an effect, whose number of a fault, or 0, is `code`, and whose bytes are in
/// the buffer; then as [`step`].
#[wasm_bindgen]
pub fn resume(operation: u32, code: u32) -> *const usize {
    go_on(operation, |found| {
        let answered = found.pending.take();
        answered.is_some_and(|pending| {
            let outcome = effect::outcome(pending.answer, code, reply_buffer::take());
            found.machine.resume(outcome).is_ok()
        })
    })
}

/// The address of the latest reply.
#[wasm_bindgen]
pub fn reply_place() -> *const u8 {
    REPLY.with_borrow(|reply| reply.as_ptr())
}

/// Drops an operation whose host will not answer.
#[wasm_bindgen]
pub fn give_up(operation: u32) {
    IN_FLIGHT.with_borrow_mut(|in_flight| in_flight.remove(operation));
}

fn go_on(operation: u32, make_ready: impl FnOnce(&mut InFlightOperation) -> bool) -> *const usize {
    let next = IN_FLIGHT.with_borrow_mut(|in_flight| {
        let found = in_flight.find(operation)?;
        if !make_ready(found) {
            return None;
        }
        let next = found.next()?;
        if matches!(next, NextStep::End(_)) {
            in_flight.remove(operation);
        }
        Some(next)
    });
    match next {
        Some(NextStep::Effect(numbers)) => numbers,
        Some(NextStep::End(text)) => end(text),
        None => end(String::new()),
    }
}

fn end(text: String) -> *const usize {
    reply(text);
    std::ptr::null()
}

impl InFlight {
    fn add(&mut self, machine: Machine<String>) -> u32 {
        self.begun += 1;
        let operation = InFlightOperation {
            machine,
            pending: None,
        };
        self.operations.push((self.begun, operation));
        self.begun
    }

    fn find(&mut self, operation: u32) -> Option<&mut InFlightOperation> {
        let found = self.operations.iter_mut().find(|it| it.0 == operation);
        found.map(|it| &mut it.1)
    }

    fn remove(&mut self, operation: u32) {
        self.operations.retain(|it| it.0 != operation);
    }
}

impl InFlightOperation {
    /// To the next effect that the host is to perform, or the end; `None` out of turn.
    fn next(&mut self) -> Option<NextStep> {
        loop {
            match self.machine.step().ok()? {
                MachineStep::Done(text) => return Some(NextStep::End(text)),
                MachineStep::Effect(effect) => match dispatch::<PendingEffect>(&effect) {
                    Ok(pending) => {
                        let pending = self.pending.insert(PendingEffect {
                            _effect: Some(effect),
                            ..pending
                        });
                        return Some(NextStep::Effect(pending.numbers.as_ptr()));
                    }
                    Err(outcome) => self.machine.resume(outcome).ok()?,
                },
            }
        }
    }
}

/// The host answers later; the outcome instead, where it needs no host.
impl HostCall for PendingEffect {
    type Output = Result<Self, Outcome>;

    fn known(outcome: Outcome) -> Result<Self, Outcome> {
        Err(outcome)
    }

    fn call(call: EffectCall<'_>) -> Result<Self, Outcome> {
        let text = call.text.to_owned();
        let more = call.more.to_owned();
        Ok(PendingEffect {
            answer: call.answer,
            numbers: [
                call.effect as usize,
                text.as_ptr() as usize,
                text.len(),
                more.as_ptr() as usize,
                more.len(),
                call.number as usize,
                usize::from(call.flag),
            ],
            _text: text,
            _more: more,
            _effect: None,
        })
    }
}
