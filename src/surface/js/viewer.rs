//! The viewer's exports: frames in, questions in, answers out. It imports no host, because every effect is
//! answered from the files that the frames brought (`src/view/`).

use std::cell::{Cell, RefCell};
use std::hint::black_box;

use wasm_bindgen::prelude::wasm_bindgen;

use crate::view::Dispatcher;

use super::{INPUT, reply};

/// Memory is asked of the engine in pieces of this size. The allocator would ask for 64 KiB a thousand times, and
/// each time the engine looks for what it can collect: two thirds of the time that ten thousand files take.
const AHEAD_BYTES: usize = 16 << 20;

/// What is kept of a file, and of what is known of it, takes up to so many times its bytes.
const KEPT_TIMES: usize = 3;

thread_local! {
    /// How much of what was asked for ahead may be used up.
    static USED: Cell<usize> = const { Cell::new(AHEAD_BYTES) };
    static VIEWER: RefCell<Dispatcher> = RefCell::default();
}

/// Takes the frames, or parts of frames, in the first `length` bytes of the buffer.
#[wasm_bindgen]
pub fn take(length: usize) {
    let used = USED.get() + KEPT_TIMES * length;
    USED.set(used);
    if used >= AHEAD_BYTES {
        USED.set(0);
        // Freed at once: the allocator keeps it.
        drop(black_box(Vec::<u8>::with_capacity(AHEAD_BYTES)));
    }
    INPUT.with_borrow(|input| VIEWER.with_borrow_mut(|viewer| viewer.take(input.bytes(length))));
}

/// Answers the question in the buffer, which is JSON text. Returns JSON text.
#[wasm_bindgen]
pub fn ask(length: usize) -> *const u8 {
    let answer =
        INPUT.with_borrow(|input| VIEWER.with_borrow_mut(|viewer| viewer.ask(input.bytes(length))));
    reply(answer)
}
