//! The JavaScript binding, for wasm-bindgen. It has the blocking variant of the source
//! (feature `js`): an operation is one call, and each effect is one call of the host's `perform`
//! (`src/surface/js/host.rs`); or the other one, for hosts that answer later (feature `deferred`,
//! `src/surface/js/in_flight.rs`); or no host at all, and files in memory (feature `viewer`,
//! `src/surface/js/viewer.rs`), or vocabularies (feature `exact-tokens`, `src/surface/js/exact_tokens.rs`).
//!
//! Only numbers cross. Text comes in through one buffer in wasm memory: JavaScript gets a place
//! from [`reserve`], writes UTF-8 there with `TextEncoder.encodeInto` and names its length.
//! (wasm-bindgen's own string argument copies long text 20 times slower, and its wrappers take longer
//! to compile than a call takes.) A returned text is stored where the returned number says, as long
//! as [`reply_length`] says, until the next call.
//!
//! While a host performs an effect, it may begin another operation: nothing is held across that call.

// The attribute macro of wasm-bindgen expands to the unsafe half of the boundary.
#![allow(unsafe_code)]

#[cfg(feature = "js")]
mod calls;
#[cfg(all(feature = "cli", feature = "js"))]
mod command_line;
#[cfg(host_calls)]
mod effect;
#[cfg(all(host_calls, not(target_family = "wasm")))]
pub mod effect_modules;
#[cfg(host_calls)]
mod effect_table;
#[cfg(feature = "exact-tokens")]
pub mod exact_tokens;
#[cfg(feature = "js")]
mod host;
#[cfg(feature = "deferred")]
pub mod in_flight;
mod input;
#[cfg(not(feature = "exact-tokens"))]
mod reply;
#[cfg(host_calls)]
mod reply_buffer;
#[cfg(feature = "viewer")]
pub mod viewer;

use std::cell::RefCell;

use wasm_bindgen::prelude::wasm_bindgen;

#[cfg(feature = "js")]
pub use calls::*;
#[cfg(all(feature = "cli", feature = "js"))]
pub use command_line::*;
#[cfg(not(feature = "exact-tokens"))]
pub use reply::reply_length;
#[cfg(host_calls)]
pub use reply_buffer::{reserve_outcome, shorten};

use input::Input;

thread_local! {
    static INPUT: RefCell<Input> = RefCell::default();
}

/// Reserves `bytes` bytes of the buffer for text and returns where they begin. What was written there before
/// stays, as far as it fits, so that text which turned out longer can be continued.
#[wasm_bindgen]
pub fn reserve(bytes: usize) -> *mut u8 {
    INPUT.with_borrow_mut(|input| input.reserve(bytes))
}
