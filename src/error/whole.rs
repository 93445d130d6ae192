//! The part of the library that the wasm of hooks leaves out.
//!
//! It has what hooks ask for every day. An operation that comes to anything else before it has written
//! ends there, as a failure that wrote nothing and has no sentence, and is not answered: the package
//! asks the library for it, from the beginning. In every other build the functions here do
//! nothing.

use crate::extent::IS_WHOLE;

use super::{Error, ErrorKind, Written};

/// Stands before what the wasm of hooks leaves out, in an operation that has not written yet.
#[inline(always)]
pub(crate) fn needed() -> Result<(), Error> {
    match IS_WHOLE {
        true => Ok(()),
        false => Err(left_out()),
    }
}

#[cold]
#[inline(never)]
fn left_out() -> Error {
    ErrorKind::Usage(String::new()).into()
}

/// Returns whether the library is to be asked instead. An operation that wrote may not run
/// twice, and one that has waited for others until the deadline does not begin again. A failure of
/// the host is reported unchanged: after an `fsync` that failed, the next one may succeed with
/// nothing on the disk.
pub(crate) fn answers(failure: &Error) -> bool {
    let is_reported = matches!(
        failure.kind(),
        ErrorKind::Busy { .. } | ErrorKind::Io { .. }
    );
    !IS_WHOLE && failure.written() == Written::No && !is_reported
}
