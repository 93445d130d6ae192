//! Doing the plan of a restore on a work tree.
//!
//! A plan's steps ([`crate::checkpoint::session::plan`]) are done one after the other. Each looks right
//! before it changes anything at every folder on the way: one that is a symbolic link is not followed. A
//! file is prepared in the folder of documents, whole, with its mode and synced, and renamed over its path, so
//! that each path has its old content or its new one. A step that is done already does nothing, so that the
//! same steps, done again after a failure or a death in the middle, finish what was begun.

mod perform;
mod prepare;
mod way;

pub use perform::{Done, Stopped, perform};
pub use prepare::{Source, Workshop};
