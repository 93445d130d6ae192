//! The calls of the library's wasm: counts of tokens, and operations.

use wasm_bindgen::prelude::wasm_bindgen;

use super::reply::reply;
use super::{INPUT, host};
use crate::blocking::effect::Io;
use crate::blocking::operation::request::ParsedRequest;
use crate::json::{Json, Object};
#[cfg(not(feature = "hook"))]
use crate::secret::redact;
use crate::tokens;

/// The number of tokens in the first `length` bytes of the buffer; NaN where that is no text.
#[wasm_bindgen]
pub fn count_tokens(length: usize) -> f64 {
    INPUT.with_borrow(|input| match input.text(length) {
        Ok(text) => tokens::count(text) as f64,
        Err(_) => f64::NAN,
    })
}

/// Checks that the text in the buffer keeps to `limit` tokens. Returns JSON text:
/// `{"valid":…,"tokenCount":…,"limit":…,"error":…}`, where `error` is a sentence or null.
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
#[wasm_bindgen]
pub fn truncate(length: usize, limit: f64) -> usize {
    INPUT.with_borrow(|input| {
        let text = input.text(length).unwrap_or_default();
        tokens::truncate(text, limit as u64).encode_utf16().count()
    })
}

/// Takes the secrets out of the text in the buffer, a message that the host makes by itself. Returns text.
#[cfg(not(feature = "hook"))]
#[wasm_bindgen]
pub fn without_secrets(length: usize) -> *const u8 {
    let redacted = INPUT.with_borrow(|input| {
        let text = input.text(length).unwrap_or_default();
        redact(text).text.into_owned()
    });
    reply(redacted)
}

/// Runs the operation whose request is the JSON text in the buffer. Returns its reply, JSON text.
#[wasm_bindgen]
pub fn operate(length: usize) -> *const u8 {
    let request = INPUT.with_borrow_mut(|input| {
        let request = ParsedRequest::read(input.bytes(length));
        input.let_go();
        request
    });
    reply(request.answer(&Io::new(host::perform_effect)).text)
}
