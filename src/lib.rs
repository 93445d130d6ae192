//! Milepost keeps the state of a coding agent's work, so that the next process, the next context
//! window or the next machine can carry on.
//!
//! The core is pure: it performs no I/O and knows no clock, no randomness and no environment. An
//! operation yields an [`effect::Effect`], a host performs it, and the operation is resumed
//! with the [`effect::Outcome`]. ARCHITECTURE.md shows the layers.

#![cfg_attr(test, allow(clippy::unwrap_used))]

#[macro_use]
mod extent;
#[cfg(any(
    feature = "agents",
    feature = "sessions",
    feature = "viewer",
    not(target_family = "wasm")
))]
pub mod agent;
/// The modules that request effects, once more and without `async`: for hosts that answer within the
/// call.
///
/// `build/` makes it from the same source. The lints have seen that.
#[allow(warnings, clippy::all)]
pub mod blocking {
    include!(concat!(env!("OUT_DIR"), "/blocking/mod.rs"));
}
pub mod checkpoint;
#[cfg(all(feature = "cli", not(target_family = "wasm")))]
pub mod cli;
#[cfg(any(feature = "cli", feature = "viewer", not(target_family = "wasm")))]
pub mod diff;
pub mod digest;
#[cfg(not(target_family = "wasm"))]
pub mod doctor;
pub mod effect;
pub mod encoding;
pub mod error;
pub mod file_name;
pub mod git;
pub mod handoff;
pub mod integrations;
pub mod json;
#[cfg(any(feature = "cli", not(target_family = "wasm")))]
pub mod notification;
#[cfg(not(all(
    target_family = "wasm",
    any(feature = "js", feature = "viewer", feature = "command")
)))]
pub mod operation;
pub mod repository_path;
#[cfg(any(
    not(target_family = "wasm"),
    all(
        feature = "sessions",
        not(any(feature = "js", feature = "viewer", feature = "command"))
    )
))]
pub mod restore;
#[cfg(not(all(
    target_family = "wasm",
    any(feature = "js", feature = "viewer", feature = "command")
)))]
pub mod root;
pub mod schema;
pub mod secret;
#[cfg(any(feature = "sessions", feature = "threads", not(target_family = "wasm")))]
pub mod spelling;
mod step_count;
#[cfg(not(all(
    target_family = "wasm",
    any(feature = "js", feature = "viewer", feature = "command")
)))]
pub mod store;
pub mod str_map;
pub mod surface;
pub mod text;
pub mod time;
pub mod tokens;
#[cfg(any(feature = "viewer", not(target_family = "wasm")))]
pub mod view;
#[cfg(any(
    not(target_family = "wasm"),
    all(
        feature = "sessions",
        not(any(feature = "js", feature = "viewer", feature = "command"))
    )
))]
pub mod worktree;
