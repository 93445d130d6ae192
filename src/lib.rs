//! Milepost keeps the state of a coding agent's work, so that the next process, the next context
//! window or the next machine can carry on.
//!
//! The core is pure: it performs no I/O and knows no clock, no randomness and no environment. An
//! operation yields an [`effect::Effect`], a host performs it, and the operation is resumed
//! with the [`effect::Outcome`]. ARCHITECTURE.md shows the layers.

#![cfg_attr(test, allow(clippy::unwrap_used))]
// A wasm has the modules of its features, and uses some of each: the native build has all of it, and shows what is dead.
#![cfg_attr(target_family = "wasm", allow(dead_code, unused_imports))]

#[macro_use]
mod extent;
#[cfg(any(agents, sessions))]
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
#[cfg(any(all_operations, viewer))]
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
#[cfg(all_operations)]
pub mod notification;
#[cfg(async_variant)]
pub mod operation;
pub mod repository_path;
#[cfg(all(async_variant, sessions))]
pub mod restore;
#[cfg(async_variant)]
pub mod root;
pub mod schema;
pub mod secret;
pub mod sorting;
#[cfg(any(sessions, threads))]
pub mod spelling;
mod step_count;
#[cfg(async_variant)]
pub mod store;
pub mod str_map;
pub mod surface;
pub mod text;
pub mod time;
pub mod tokens;
#[cfg(viewer)]
pub mod view;
#[cfg(all(async_variant, sessions))]
pub mod worktree;
