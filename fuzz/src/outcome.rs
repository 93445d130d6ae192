//! The outcome of one input: nothing, or a panic and where it arose.

use std::cell::RefCell;
use std::panic::{self, AssertUnwindSafe};

use milepost_fuzz::Target;

thread_local! {
    static LAST: RefCell<Option<Failure>> = const { RefCell::new(None) };
}

/// A property that does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    /// The file and line of the panic, by which one failure is distinguished from another.
    pub(crate) location: String,
    pub(crate) message: String,
}

/// Keeps the panics of this process for [`of`] instead of printing them.
pub(crate) fn collect_panics() {
    panic::set_hook(Box::new(|info| {
        let location = info.location().map(ToString::to_string);
        let failure = Failure {
            location: location.unwrap_or_default(),
            message: info.payload_as_str().unwrap_or("no text").to_owned(),
        };
        LAST.with(|last| last.replace(Some(failure)));
    }));
}

/// Runs the target on one input.
pub(crate) fn of(target: &Target, input: &[u8]) -> Option<Failure> {
    let ended = panic::catch_unwind(AssertUnwindSafe(|| (target.run)(input)));
    ended.is_err().then(|| {
        let failure = LAST.with(RefCell::take);
        failure.unwrap_or_else(|| Failure {
            location: String::new(),
            message: "a panic without a trace".to_owned(),
        })
    })
}
