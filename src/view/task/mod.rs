//! Task checkpoints, in builds that read them.

#[cfg(any(feature = "tasks", not(target_family = "wasm")))]
mod enabled;
#[cfg(not(any(feature = "tasks", not(target_family = "wasm"))))]
#[path = "stub.rs"]
mod enabled;

#[cfg(any(feature = "tasks", not(target_family = "wasm")))]
pub(super) use enabled::all_of;
pub(super) use enabled::{TaskKey, key, read, text, title};
#[cfg(any(feature = "threads", not(target_family = "wasm")))]
pub(super) use enabled::{decoded, encoded};
