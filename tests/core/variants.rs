//! The async and the blocking variant of the source: one waits for its host, the other is answered immediately.
//!
//! Everything that a test runs through here runs in the first, over its own host. Then the second has to
//! ask for the same effects, in the same order, and, given the same outcomes, to end with the same
//! reply.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use milepost::blocking;
use milepost::effect::{Effect, Outcome};
use milepost::operation::request;

/// Runs an operation in the async and the blocking variant and returns its reply.
pub(crate) fn reply(request: &[u8], perform: impl FnMut(Effect) -> Outcome) -> String {
    let mut tape = Tape::default();
    let reply = request::start(request).run(tape.recording(perform));
    let again = tape.replayed(|io| {
        let asked = blocking::operation::request::ParsedRequest::read(request);
        asked.answer(&io).text
    });
    assert_eq!(again, reply, "the variants differ");
    reply
}

/// Runs a call of the command line in the async and the blocking variant and returns its exit code.
#[cfg(feature = "cli")]
pub(crate) fn exit_code(request: &[u8], perform: impl FnMut(Effect) -> Outcome) -> u8 {
    let mut tape = Tape::default();
    let exit = milepost::cli::start(request).run(tape.recording(perform));
    let again = tape.replayed(|io| {
        let invocation = blocking::cli::Invocation::read(request);
        blocking::cli::answer(io, invocation)
    });
    assert_eq!(again, exit, "the variants differ");
    exit
}

/// The requests of the async variant, and their answers.
#[derive(Default)]
struct Tape(VecDeque<(Effect, Outcome)>);

impl Tape {
    fn recording(
        &mut self,
        mut perform: impl FnMut(Effect) -> Outcome,
    ) -> impl FnMut(Effect) -> Outcome {
        move |effect| {
            let outcome = perform(effect.clone());
            self.0.push_back((effect, outcome.clone()));
            outcome
        }
    }

    /// Runs the blocking variant on the same answers.
    fn replayed<T>(self, run: impl FnOnce(blocking::effect::Io) -> T) -> T {
        let tape = Rc::new(RefCell::new(self.0));
        let left = Rc::clone(&tape);
        let ended = run(blocking::effect::Io::new(move |effect| {
            let next = tape.borrow_mut().pop_front();
            let (asked, outcome) = next.unwrap_or_else(|| panic!("asked for more: {effect:?}"));
            assert_eq!(effect, asked, "the variants differ");
            outcome
        }));
        assert!(left.borrow().is_empty(), "the second asked for less");
        ended
    }
}
