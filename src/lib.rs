//! Milepost keeps the state of a coding agent's work, so that the next process, the next context
//! window or the next machine can carry on.
//!
//! The core is pure: it performs no I/O and knows no clock, no randomness and no environment. An
//! operation yields an [`effect::Effect`], a host performs it, and the operation is resumed
//! with the [`effect::Outcome`]. ARCHITECTURE.md shows the house.

#![cfg_attr(test, allow(clippy::unwrap_used))]

pub mod checkpoint;
#[cfg(feature = "cli")]
pub mod cli;
pub mod digest;
pub mod doctor;
pub mod effect;
pub mod error;
pub mod git;
pub mod handoff;
pub mod integrations;
pub mod json;
pub mod keys;
pub mod operation;
pub mod portable;
pub mod root;
pub mod schema;
mod secret;
pub mod store;
pub mod surface;
pub mod text;
pub mod time;
pub mod tokens;
