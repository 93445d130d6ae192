//! The JavaScript binding, for wasm-bindgen.
//!
//! Text comes in through one buffer in wasm memory: JavaScript asks [`reserve`] for room, writes
//! UTF-8 there with `TextEncoder.encodeInto` and names its length. (wasm-bindgen's own string
//! argument copies long text 20 times slower.)
//!
//! An operation is driven in three steps:
//!
//! 1. [`start`] takes the request that lies in the buffer and returns the operation's handle.
//! 2. [`step`] returns `{effect: NAME, …}`: the host performs it; or `{reply}`, the JSON text of
//!    the end.
//! 3. [`resume`] takes the outcome and returns what [`step`] returns; repeat until the reply.
//!
//! The reply frees the handle; [`abandon`] frees it where the host gives up. A call out of turn
//! throws an `Error` and changes nothing.

// The attribute macro of wasm-bindgen expands to the unsafe half of the border.
#![allow(unsafe_code)]

mod convert;
mod input;
mod running;

use std::cell::RefCell;

use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsError, JsValue};

use crate::effect::Step;
use crate::operation::request;
use crate::tokens::{self, Verdict};

use input::Input;
use running::Running;

thread_local! {
    static INPUT: RefCell<Input> = RefCell::default();
    static RUNNING: RefCell<Running> = RefCell::default();
}

/// Makes room for `bytes` bytes of text and returns where it begins. What was written there before
/// stays, as far as it fits, so that text which turned out longer can be continued.
#[wasm_bindgen]
pub fn reserve(bytes: usize) -> *mut u8 {
    INPUT.with_borrow_mut(|input| input.reserve(bytes))
}

/// The number of tokens in the first `length` bytes of the buffer.
#[wasm_bindgen]
pub fn count_tokens(length: usize) -> Result<f64, JsError> {
    INPUT.with_borrow(|input| Ok(tokens::count(input.text(length)?) as f64))
}

/// Whether the text in the buffer keeps to `limit` tokens: `{valid, tokenCount, limit, error}`,
/// where `error` is a sentence or null.
#[wasm_bindgen]
pub fn validate_summary(length: usize, limit: f64) -> Result<JsValue, JsError> {
    let verdict = INPUT.with_borrow(|input| {
        // A whole number up to 2^53: the package checks it at the door.
        Ok::<_, JsError>(tokens::validate(input.text(length)?, limit as u64))
    })?;
    let Verdict {
        valid,
        token_count,
        limit,
        error,
    } = verdict;
    Ok(convert::object(&[
        ("valid", valid.into()),
        ("tokenCount", (token_count as f64).into()),
        ("limit", (limit as f64).into()),
        ("error", error.map_or(JsValue::NULL, JsValue::from)),
    ]))
}

/// How many UTF-16 code units of the text in the buffer keep to `limit` tokens.
#[wasm_bindgen]
pub fn truncate(length: usize, limit: f64) -> Result<usize, JsError> {
    INPUT.with_borrow(|input| {
        let kept = tokens::truncate(input.text(length)?, limit as u64);
        Ok(kept.encode_utf16().count())
    })
}

/// Begins the operation whose request is the JSON text in the buffer, and returns its handle.
#[wasm_bindgen]
pub fn start(length: usize) -> Result<u32, JsError> {
    let machine = INPUT
        .with_borrow(|input| Ok::<_, JsError>(request::start(input.text(length)?.as_bytes())))?;
    Ok(RUNNING.with_borrow_mut(|running| running.add(machine)))
}

/// Begins the command line whose request is the JSON text in the buffer, and returns its handle.
/// The reply is the exit code.
#[cfg(feature = "cli")]
#[wasm_bindgen]
pub fn start_command_line(length: usize) -> Result<u32, JsError> {
    let machine = INPUT
        .with_borrow(|input| Ok::<_, JsError>(crate::cli::start(input.text(length)?.as_bytes())))?
        .map(|code| code.to_string());
    Ok(RUNNING.with_borrow_mut(|running| running.add(machine)))
}

/// Runs an operation to its first effect or its reply.
#[wasm_bindgen]
pub fn step(handle: u32) -> Result<JsValue, JsError> {
    let step = RUNNING.with_borrow_mut(|running| running.step(handle))?;
    Ok(turn(step))
}

/// Hands in the outcome of the effect under way, and runs to the next effect or the reply.
#[wasm_bindgen]
pub fn resume(handle: u32, outcome: &JsValue) -> Result<JsValue, JsError> {
    // Before the operations are borrowed: an outcome with a getter could call in again.
    let outcome = convert::to_outcome(outcome)?;
    let step = RUNNING.with_borrow_mut(|running| running.resume(handle, outcome))?;
    Ok(turn(step))
}

/// Forgets an operation. One that has ended is forgotten already.
#[wasm_bindgen]
pub fn abandon(handle: u32) {
    RUNNING.with_borrow_mut(|running| running.remove(handle));
}

/// Both ends of a step are one flat object: `{effect: "read", path, …}` or `{reply}`.
fn turn(step: Step<String>) -> JsValue {
    match step {
        Step::Effect(effect) => convert::from_effect(effect),
        Step::Done(reply) => convert::object(&[("reply", reply.into())]),
    }
}
