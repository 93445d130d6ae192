//! The viewer's exports: frames in, questions in, answers out. It imports no host, because every effect is
//! answered from the files that the frames brought (`src/view/`).

use std::cell::RefCell;

use wasm_bindgen::prelude::wasm_bindgen;

use crate::view::Dispatcher;

use super::{INPUT, reply};

thread_local! {
    static VIEWER: RefCell<Dispatcher> = RefCell::default();
}

/// Takes the frames, or parts of frames, in the first `length` bytes of the buffer.
#[wasm_bindgen]
pub fn take(length: usize) {
    INPUT.with_borrow(|input| VIEWER.with_borrow_mut(|viewer| viewer.take(input.bytes(length))));
}

/// Answers the question in the buffer, which is JSON text. Returns JSON text.
#[wasm_bindgen]
pub fn ask(length: usize) -> *const u8 {
    let answer =
        INPUT.with_borrow(|input| VIEWER.with_borrow_mut(|viewer| viewer.ask(input.bytes(length))));
    reply(answer)
}
