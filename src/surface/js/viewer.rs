//! The viewer's exports: frames in, questions in, answers out. It imports no host, because every effect is
//! answered from the files that the frames brought (`src/view/`).

use std::arch::wasm32::memory_size;
use std::cell::{Cell, RefCell};
use std::hint::black_box;

use wasm_bindgen::prelude::wasm_bindgen;

use crate::view::Dispatcher;

use super::INPUT;
use super::reply::reply;

const PAGE_BYTES: usize = 64 << 10;

/// So much memory is asked of the engine in one call, at least and at most.
const AHEAD_BYTES: (usize, usize) = (2 << 20, 16 << 20);

thread_local! {
    /// The pages of memory that there were when some was asked for ahead.
    static PAGES: Cell<usize> = const { Cell::new(0) };
    static VIEWER: RefCell<Dispatcher> = RefCell::default();
}

/// Takes the frames, or parts of frames, in the first `length` bytes of the buffer.
#[wasm_bindgen]
pub fn take(length: usize) {
    INPUT.with_borrow(|input| VIEWER.with_borrow_mut(|viewer| viewer.take(input.bytes(length))));
    grow_ahead();
}

/// Answers the question in the buffer, which is JSON text. Returns JSON text.
#[wasm_bindgen]
pub fn query(length: usize) -> *const u8 {
    let answer = INPUT
        .with_borrow(|input| VIEWER.with_borrow_mut(|viewer| viewer.query(input.bytes(length))));
    grow_ahead();
    reply(answer)
}

/// Asks for more memory once there had to be more. By itself the allocator asks for 64 KiB a thousand times, and each
/// time the engine looks for what it can collect: half of the time that ten thousand files take.
fn grow_ahead() {
    let pages = memory_size::<0>();
    if pages == PAGES.get() {
        return;
    }
    let (least, most) = AHEAD_BYTES;
    let ahead = (pages * PAGE_BYTES / 2).clamp(least, most);
    // Freed immediately: the allocator keeps it.
    drop(black_box(Vec::<u8>::with_capacity(ahead)));
    PAGES.set(memory_size::<0>());
}
