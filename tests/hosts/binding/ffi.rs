//! The other side of the FFI: writes and reads wasm memory as the package's JavaScript does.

use js_sys::{Uint8Array, WebAssembly};
use milepost::surface::js;
use wasm_bindgen::JsCast;

/// Writes `text` into the buffer and returns its length.
pub(crate) fn write(text: &str) -> usize {
    let start = js::reserve(text.len());
    put(start, text.as_bytes());
    text.len()
}

/// Writes into wasm memory from outside.
pub(crate) fn put(start: *mut u8, bytes: &[u8]) {
    memory().set(&Uint8Array::from(bytes), start as u32);
}

/// The bytes of a range of wasm memory.
pub(crate) fn get(start: u32, length: u32) -> Vec<u8> {
    memory().slice(start, start + length).to_vec()
}

/// All of wasm memory as it is now: when it grows, older views lose their bytes.
fn memory() -> Uint8Array {
    let memory = wasm_bindgen::memory().unchecked_into::<WebAssembly::Memory>();
    Uint8Array::new(&memory.buffer())
}

/// The reply that a call returned the place of.
pub(crate) fn reply(start: *const u8) -> String {
    let bytes = get(start as u32, js::reply_length() as u32);
    String::from_utf8(bytes).unwrap()
}
