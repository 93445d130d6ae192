//! The room in wasm memory that an effect is answered in.

use std::cell::RefCell;

thread_local! {
    static ROOM: RefCell<Vec<u8>> = RefCell::default();
}

/// Makes room for an answer.
#[inline(always)]
pub(super) fn make(length: usize) -> *mut u8 {
    ROOM.with_borrow_mut(|room| {
        *room = vec![0; length];
        room.as_mut_ptr()
    })
}

/// The answer turned out shorter than its room.
pub(super) fn shorten(length: usize) {
    ROOM.with_borrow_mut(|room| room.truncate(length));
}

/// The answer, once.
#[inline(always)]
pub(super) fn take() -> Vec<u8> {
    ROOM.take()
}
