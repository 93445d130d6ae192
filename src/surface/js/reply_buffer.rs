//! The buffer in wasm memory that the answer to an effect is written into.

use std::cell::RefCell;

thread_local! {
    static BUFFER: RefCell<Vec<u8>> = RefCell::default();
}

/// Makes the buffer for an answer of so many bytes.
#[inline(always)]
pub(super) fn make(length: usize) -> *mut u8 {
    BUFFER.with_borrow_mut(|buffer| {
        *buffer = vec![0; length];
        buffer.as_mut_ptr()
    })
}

/// The answer turned out shorter than its buffer.
pub(super) fn shorten(length: usize) {
    BUFFER.with_borrow_mut(|buffer| buffer.truncate(length));
}

/// The answer, once.
#[inline(always)]
pub(super) fn take() -> Vec<u8> {
    BUFFER.take()
}
