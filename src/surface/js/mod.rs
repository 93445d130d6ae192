//! The JavaScript binding, for wasm-bindgen. It has the blocking variant of the source
//! (feature `js`): an operation is one call, and each effect is one call of the host's `perform`
//! (`src/surface/js/host.rs`); or the other one, for hosts that answer later (feature `deferred`,
//! `src/surface/js/in_flight.rs`); or no host at all, and files in memory (feature `viewer`,
//! `src/surface/js/viewer.rs`), or vocabularies (feature `exact-tokens`, `src/surface/js/exact_tokens.rs`).
//!
//! Only numbers cross. Text comes in through one buffer in wasm memory: JavaScript gets a place
//! from [`reserve`], writes UTF-8 there with `TextEncoder.encodeInto` and names its length.
//! (wasm-bindgen's own string argument copies long text 20 times slower, and its wrappers take longer
//! to compile than a call takes.) A returned text is stored where the returned number says, as long
//! as [`reply_length`] says, until the next call.
//!
//! While a host performs an effect, it may begin another operation: nothing is held across that call.

// The attribute macro of wasm-bindgen expands to the unsafe half of the boundary.
#![allow(unsafe_code)]

#[cfg(any(feature = "js", feature = "deferred"))]
mod effect;
#[cfg(feature = "exact-tokens")]
pub mod exact_tokens;
#[cfg(feature = "js")]
mod host;
#[cfg(feature = "deferred")]
pub mod in_flight;
mod input;
#[cfg(any(feature = "js", feature = "deferred"))]
mod reply_buffer;
#[cfg(feature = "viewer")]
pub mod viewer;

use std::cell::RefCell;

use wasm_bindgen::prelude::wasm_bindgen;

#[cfg(feature = "js")]
use crate::blocking::effect::Io;
#[cfg(feature = "js")]
use crate::blocking::operation::request::ParsedRequest;
#[cfg(feature = "js")]
use crate::json::{Json, Object};
#[cfg(feature = "js")]
use crate::tokens;

use input::Input;

thread_local! {
    static INPUT: RefCell<Input> = RefCell::default();
    #[cfg(not(feature = "exact-tokens"))]
    static REPLY: RefCell<String> = RefCell::default();
}

/// Reserves `bytes` bytes of the buffer for text and returns where they begin. What was written there before
/// stays, as far as it fits, so that text which turned out longer can be continued.
#[wasm_bindgen]
pub fn reserve(bytes: usize) -> *mut u8 {
    INPUT.with_borrow_mut(|input| input.reserve(bytes))
}

/// The number of tokens in the first `length` bytes of the buffer; NaN where that is no text.
#[cfg(feature = "js")]
#[wasm_bindgen]
pub fn count_tokens(length: usize) -> f64 {
    INPUT.with_borrow(|input| match input.text(length) {
        Ok(text) => tokens::count(text) as f64,
        Err(_) => f64::NAN,
    })
}

/// Checks that the text in the buffer keeps to `limit` tokens. Returns JSON text:
/// `{"valid":…,"tokenCount":…,"limit":…,"error":…}`, where `error` is a sentence or null.
#[cfg(feature = "js")]
#[wasm_bindgen]
pub fn validate_summary(length: usize, limit: f64) -> *const u8 {
    let verdict = INPUT.with_borrow(|input| {
        // A whole number up to 2^53: the package checks it first.
        tokens::validate(input.text(length).unwrap_or_default(), limit as u64)
    });
    let members = Object::new()
        .with("valid", verdict.valid)
        .with("tokenCount", verdict.token_count)
        .with("limit", verdict.limit)
        .with("error", verdict.error);
    reply(Json::Object(members).to_line())
}

/// Returns the number of UTF-16 code units of the text in the buffer that keep to `limit` tokens.
#[cfg(feature = "js")]
#[wasm_bindgen]
pub fn truncate(length: usize, limit: f64) -> usize {
    INPUT.with_borrow(|input| {
        let text = input.text(length).unwrap_or_default();
        tokens::truncate(text, limit as u64).encode_utf16().count()
    })
}

/// Takes the secrets out of the text in the buffer, a message that the host makes by itself. Returns text.
#[cfg(all(feature = "js", not(feature = "hook")))]
#[wasm_bindgen]
pub fn without_secrets(length: usize) -> *const u8 {
    let redacted = INPUT.with_borrow(|input| {
        let text = input.text(length).unwrap_or_default();
        crate::secret::redact(text).text.into_owned()
    });
    reply(redacted)
}

/// Runs the operation whose request is the JSON text in the buffer. Returns its reply, JSON text.
#[cfg(feature = "js")]
#[wasm_bindgen]
pub fn operate(length: usize) -> *const u8 {
    let request = INPUT.with_borrow_mut(|input| {
        let request = ParsedRequest::read(input.bytes(length));
        input.let_go();
        request
    });
    reply(request.answer(&Io::new(host::perform_effect)).text)
}

/// Runs the command line whose request is the JSON text in the buffer. Returns its exit code.
#[cfg(feature = "cli")]
#[wasm_bindgen]
pub fn command_line(length: usize) -> u32 {
    use crate::blocking::cli::{Invocation, answer, watched};
    let invocation = INPUT.with_borrow(|input| Invocation::read(input.bytes(length)));
    let io = Io::new(watched(host::perform_effect, invocation.as_ref().ok()));
    u32::from(answer(io, invocation))
}

/// The database that the words of this request name, as JSON text; [`crate::cli::store()`].
#[cfg(feature = "cli")]
#[wasm_bindgen]
pub fn store(length: usize) -> *const u8 {
    use crate::blocking::cli::store;
    reply(INPUT.with_borrow(|input| store(input.bytes(length))))
}

/// Returns the verb that the host is to run for the words of this request, as JSON text; [`crate::cli::hosted()`].
#[cfg(feature = "cli")]
#[wasm_bindgen]
pub fn hosted(length: usize) -> *const u8 {
    use crate::blocking::cli::hosted;
    reply(INPUT.with_borrow(|input| hosted(input.bytes(length))))
}

/// Returns the number of bytes of the latest reply.
#[cfg(not(feature = "exact-tokens"))]
#[wasm_bindgen]
pub fn reply_length() -> usize {
    REPLY.with_borrow(String::len)
}

/// Reserves the buffer for the answer to an effect, and returns where it begins.
#[cfg(any(feature = "js", feature = "deferred"))]
#[wasm_bindgen]
pub fn reserve_outcome(length: usize) -> *mut u8 {
    reply_buffer::make(length)
}

/// The answer is only so long.
#[cfg(any(feature = "js", feature = "deferred"))]
#[wasm_bindgen]
pub fn shorten(length: usize) {
    reply_buffer::shorten(length);
}

#[cfg(not(feature = "exact-tokens"))]
fn reply(text: String) -> *const u8 {
    REPLY.with_borrow_mut(|reply| {
        *reply = text;
        reply.as_ptr()
    })
}
