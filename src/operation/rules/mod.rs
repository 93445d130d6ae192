//! Rules alone, on what the request brings.

#[cfg(any(feature = "library", not(target_family = "wasm")))]
mod given;

use super::rows;

rows! {
    #[cfg(any(feature = "library", not(target_family = "wasm")))]
    validate
    #[cfg(any(feature = "library", not(target_family = "wasm")))]
    check_handoff_request
    #[cfg(any(feature = "library", not(target_family = "wasm")))]
    check_handoff_response
}
