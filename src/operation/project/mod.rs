//! The operations on a project as a whole.

pub(crate) mod budget;
pub(in crate::operation) mod files;
#[cfg(feature = "cli")]
pub(crate) mod handoff;

use super::rows;

rows! {
    load_integrations
    #[cfg(not(all(any(feature = "hook", feature = "viewer"), target_family = "wasm")))]
    location
    #[cfg(any(feature = "cli", not(target_family = "wasm")))]
    init
    #[cfg(any(feature = "cli", not(target_family = "wasm")))]
    doctor
}
