//! Rules of checkpoints, pure: one module for each kind, independent of the others.

pub mod command;
#[cfg(sessions)]
pub mod session;
#[cfg(threads)]
pub mod task;
#[cfg(threads)]
pub mod thread;
