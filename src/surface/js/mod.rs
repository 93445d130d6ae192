//! The JavaScript binding, for wasm-bindgen.
//!
//! Text comes in through one buffer in wasm memory: JavaScript asks [`reserve`] for room, writes
//! UTF-8 there with `TextEncoder.encodeInto` and names its length. (wasm-bindgen's own string
//! argument copies long text 20 times slower.)
//!
//! An operation is driven in three steps:
//!
//! 1. [`start`] takes the request that lies in the buffer and returns the operation's handle.
//! 2. [`step`] returns a line of JSON: `{"effect":NAME,…}`, which the host performs, or the reply.
//! 3. [`resume`] takes the outcome, a line of JSON in the buffer, and returns what [`step`]
//!    returns; repeat until the reply. Bytes of an outcome are written where [`payload`] says.
//!
//! The reply frees the handle; [`abandon`] frees it where the host gives up. A call out of turn
//! throws an `Error` and changes nothing.

// The attribute macro of wasm-bindgen expands to the unsafe half of the border.
#![allow(unsafe_code)]

mod convert;
mod input;
mod running;

use std::cell::RefCell;

use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::effect::Step;
use crate::json::{Json, Object};
use crate::operation::request;
use crate::tokens;

use input::Input;
use running::Running;

thread_local! {
    static INPUT: RefCell<Input> = RefCell::default();
    static RUNNING: RefCell<Running> = RefCell::default();
    /// Bytes of the effect that is under way, or of its outcome.
    static PAYLOAD: RefCell<Vec<u8>> = RefCell::default();
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

/// Whether the text in the buffer keeps to `limit` tokens, as JSON text:
/// `{"valid":…,"tokenCount":…,"limit":…,"error":…}`, where `error` is a sentence or null.
#[wasm_bindgen]
pub fn validate_summary(length: usize, limit: f64) -> Result<String, JsError> {
    let verdict = INPUT.with_borrow(|input| {
        // A whole number up to 2^53: the package checks it at the door.
        Ok::<_, JsError>(tokens::validate(input.text(length)?, limit as u64))
    })?;
    let members = Object::new()
        .with("valid", verdict.valid)
        .with("tokenCount", verdict.token_count)
        .with("limit", verdict.limit)
        .with("error", verdict.error);
    Ok(Json::Object(members).to_line())
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
pub fn step(handle: u32) -> Result<String, JsError> {
    let step = RUNNING.with_borrow_mut(|running| running.step(handle))?;
    Ok(turn(step))
}

/// Makes room for the bytes of an outcome and returns where it begins.
#[wasm_bindgen]
pub fn payload(length: usize) -> *mut u8 {
    PAYLOAD.with_borrow_mut(|payload| {
        *payload = vec![0; length];
        payload.as_mut_ptr()
    })
}

/// Hands in the outcome of the effect under way, and runs to the next effect or the reply.
#[wasm_bindgen]
pub fn resume(handle: u32, length: usize) -> Result<String, JsError> {
    let outcome = INPUT.with_borrow(|input| {
        let line = input.text(length)?;
        let outcome = PAYLOAD.with_borrow_mut(|payload| convert::to_outcome(line, payload))?;
        Ok::<_, JsError>(outcome)
    })?;
    let step = RUNNING.with_borrow_mut(|running| running.resume(handle, outcome))?;
    Ok(turn(step))
}

/// Forgets an operation. One that has ended is forgotten already.
#[wasm_bindgen]
pub fn abandon(handle: u32) {
    RUNNING.with_borrow_mut(|running| running.remove(handle));
}

/// A line that begins with `{"effect":` is an effect; no reply does.
fn turn(step: Step<String>) -> String {
    match step {
        Step::Effect(effect) => {
            PAYLOAD.with_borrow_mut(|payload| convert::from_effect(effect, payload))
        }
        Step::Done(reply) => reply,
    }
}
