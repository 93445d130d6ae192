//! Task checkpoints, in builds that read them.

#[cfg(any(feature = "tasks", not(target_family = "wasm")))]
mod kept;
#[cfg(not(any(feature = "tasks", not(target_family = "wasm"))))]
#[path = "without.rs"]
mod kept;

#[cfg(any(feature = "tasks", not(target_family = "wasm")))]
pub(super) use kept::all_of;
pub(super) use kept::{TaskKey, key, read, text, title};
#[cfg(any(feature = "threads", not(target_family = "wasm")))]
pub(super) use kept::{decoded, encoded};
