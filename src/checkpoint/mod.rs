//! Rules of checkpoints, pure: one module for each kind, independent of the others.

pub mod command;
#[cfg(any(feature = "sessions", not(target_family = "wasm")))]
pub mod session;
#[cfg(any(feature = "tasks", not(target_family = "wasm")))]
pub mod task;
#[cfg(any(feature = "threads", not(target_family = "wasm")))]
pub mod thread;
