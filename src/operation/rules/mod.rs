//! Rules alone, on what the request brings.

#[cfg(not(all(feature = "hook", target_family = "wasm")))]
mod input;

use super::rows;

rows! {
    #[cfg(not(all(feature = "hook", target_family = "wasm")))]
    validate
    #[cfg(not(all(any(feature = "hook", feature = "viewer"), target_family = "wasm")))]
    check_handoff_request
    #[cfg(not(all(any(feature = "hook", feature = "viewer"), target_family = "wasm")))]
    check_handoff_response
}
