//! The other side of the border: writes and reads wasm memory as the package's JavaScript does.

use js_sys::{Error, Uint8Array, WebAssembly};
use milepost::surface::js;
use wasm_bindgen::{JsCast, JsError, JsValue};

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

/// What JavaScript catches.
pub(crate) fn thrown<T>(result: Result<T, JsError>) -> String {
    let Err(error) = result else {
        return "nothing was thrown".to_owned();
    };
    match JsValue::from(error).dyn_into::<Error>() {
        Ok(error) => error.message().into(),
        Err(other) => format!("not an Error: {other:?}"),
    }
}

/// What JavaScript gets.
pub(crate) fn returned<T>(result: Result<T, JsError>) -> T {
    result.unwrap_or_else(|error| panic!("thrown: {}", thrown::<T>(Err(error))))
}
