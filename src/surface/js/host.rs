//! Effects as calls of the one function that the host gives: only numbers cross, and texts and bytes
//! are in wasm memory.
//!
//! `perform(effect, text, more, number, flag)` answers as `effect.rs` says; its answer is stored in
//! the [`buffer`](super::reserve_outcome) that it reserved.

use wasm_bindgen::prelude::wasm_bindgen;

use crate::effect::{Effect, Outcome};

use super::effect::{self, EffectCall, HostCall};
use super::effect_table::dispatch;
use super::reply_buffer;

#[wasm_bindgen]
extern "C" {
    /// The host's; the package's build binds the name to `pkg/src/wasm/ffi.js`.
    #[wasm_bindgen(js_name = "milepost_perform")]
    fn perform(
        effect: u32,
        text: *const u8,
        text_length: usize,
        more: *const u8,
        more_length: usize,
        number: u32,
        flag: u32,
    ) -> u32;
}

/// Performs one effect.
pub(super) fn perform_effect(effect: Effect) -> Outcome {
    dispatch::<Blocking>(&effect)
}

/// The host answers when its function returns.
struct Blocking;

impl HostCall for Blocking {
    type Output = Outcome;

    #[inline(never)]
    fn call(call: EffectCall<'_>) -> Outcome {
        reply_buffer::reserve_outcome(0);
        let code = perform(
            call.effect,
            call.text.as_ptr(),
            call.text.len(),
            call.more.as_ptr(),
            call.more.len(),
            call.number,
            u32::from(call.flag),
        );
        let bytes = reply_buffer::take();
        effect::outcome(call.answer, code, bytes)
    }

    #[inline(always)]
    fn known(outcome: Outcome) -> Outcome {
        outcome
    }
}
