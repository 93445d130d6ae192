//! Doing the plan of a restore on a work tree.
//!
//! A plan's steps ([`crate::checkpoint::session::plan`]) are done one after the other. Each looks right
//! before it changes anything at every folder on the way: one that is a symbolic link is not followed. A
//! file is prepared in the folder of documents, whole, with its mode and synced. The file at its path is
//! moved aside, compared with what the undo of the restore holds, and given up only where that is the same; then
//! the prepared file takes the place, which nothing else may have taken. So each path has its old content or its
//! new one, and for a moment none. A step that is done already does nothing, so that the same steps, done again
//! after a failure or a death in the middle, finish what was begun; [`settle`] comes before them, and puts back
//! what a death has left aside.

mod aside;
mod leftovers;
mod path_guard;
mod perform;
mod prepare;

pub use aside::UndoContent;
pub use leftovers::{Aside, bring_back, has_room, left_aside, settle};
pub use perform::{Done, Stopped, perform};
pub use prepare::{ContentSource, Workshop};
