//! Rules of checkpoints, pure: one wing for each kind, and none knows another.

pub mod command;
#[cfg(any(feature = "sessions", not(target_family = "wasm")))]
pub mod session;
#[cfg(any(feature = "tasks", not(target_family = "wasm")))]
pub mod task;
#[cfg(any(feature = "threads", not(target_family = "wasm")))]
pub mod thread;
