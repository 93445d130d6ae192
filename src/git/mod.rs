//! Git's files, from bytes to facts: which commit HEAD is at, and which paths the index tracks; and for
//! snapshots what the index says of each path, objects, what is ignored or stored changed, and which programs
//! would run for that.
//!
//! Nothing here reads a file or runs git. The formats are those of git's own documentation:
//! gitrepository-layout, gitformat-index, gitformat-pack, git-pack-refs, gitignore, gitattributes.

pub mod attributes;
mod bytes;
mod checkout;
pub mod config;
pub mod entries;
pub mod folder;
pub mod head;
pub mod id;
pub mod ignore;
pub mod index;
pub mod line_ends;
#[cfg(sessions)]
pub mod objects;
pub mod programs;
pub(crate) mod quoted;
pub mod status;
pub mod unreadable;

pub use checkout::{Checkout, TRUNKS};
