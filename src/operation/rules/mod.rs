//! Rules alone, on what the request brings.

mod input;

use super::rows;

rows! {
    #[cfg(not(hook_wasm))] validate
    #[cfg(not(any(hook_wasm, viewer_wasm)))] check_handoff_request
    #[cfg(not(any(hook_wasm, viewer_wasm)))] check_handoff_response
}
