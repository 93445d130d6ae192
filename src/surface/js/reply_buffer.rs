//! The buffer in wasm memory that the answer to an effect is written into.

use std::cell::RefCell;

use wasm_bindgen::prelude::wasm_bindgen;

thread_local! {
    static BUFFER: RefCell<Vec<u8>> = RefCell::default();
}

/// Reserves the buffer for the answer to an effect, and returns where it begins.
#[wasm_bindgen]
pub fn reserve_outcome(length: usize) -> *mut u8 {
    BUFFER.with_borrow_mut(|buffer| {
        *buffer = vec![0; length];
        buffer.as_mut_ptr()
    })
}

/// The answer is only so long.
#[wasm_bindgen]
pub fn shorten(length: usize) {
    BUFFER.with_borrow_mut(|buffer| buffer.truncate(length));
}

/// The answer, once.
pub(super) fn take() -> Vec<u8> {
    BUFFER.take()
}
