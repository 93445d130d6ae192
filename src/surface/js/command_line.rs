//! The command line, whose host is JavaScript.

use wasm_bindgen::prelude::wasm_bindgen;

use super::reply::reply;
use super::{INPUT, host};
use crate::blocking::cli::{self, Invocation, answer, watched};
use crate::blocking::effect::Io;

/// Runs the command line whose request is the JSON text in the buffer. Returns its exit code.
#[wasm_bindgen]
pub fn command_line(length: usize) -> u32 {
    let invocation = INPUT.with_borrow(|input| Invocation::read(input.bytes(length)));
    let io = Io::new(watched(host::perform_effect, invocation.as_ref().ok()));
    u32::from(answer(io, invocation))
}

/// The database that the words of this request name, as JSON text; [`crate::cli::store()`].
#[wasm_bindgen]
pub fn store(length: usize) -> *const u8 {
    reply(INPUT.with_borrow(|input| cli::store(input.bytes(length))))
}

/// Returns the verb that the host is to run for the words of this request, as JSON text; [`crate::cli::hosted()`].
#[wasm_bindgen]
pub fn hosted(length: usize) -> *const u8 {
    reply(INPUT.with_borrow(|input| cli::hosted(input.bytes(length))))
}
