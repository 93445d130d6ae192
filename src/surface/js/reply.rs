//! The buffer that JavaScript reads replies from.

use std::cell::RefCell;

use wasm_bindgen::prelude::wasm_bindgen;

thread_local! {
    pub(super) static REPLY: RefCell<String> = RefCell::default();
}

/// Returns the number of bytes of the latest reply.
#[wasm_bindgen]
pub fn reply_length() -> usize {
    REPLY.with_borrow(String::len)
}

pub(super) fn reply(text: String) -> *const u8 {
    REPLY.with_borrow_mut(|reply| {
        *reply = text;
        reply.as_ptr()
    })
}
