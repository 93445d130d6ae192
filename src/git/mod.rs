//! Git's files, from bytes to facts: which commit HEAD is at, and which paths the index tracks; and for
//! snapshots what the index says of each path, objects, what is ignored or stored changed, and which programs
//! would run for that.
//!
//! Nothing here reads a file or runs git. The formats are those of git's own documentation:
//! gitrepository-layout, gitformat-index, gitformat-pack, git-pack-refs, gitignore, gitattributes.

#[cfg(any(feature = "sessions", not(target_family = "wasm")))]
pub mod attributes;
mod bytes;
mod checkout;
#[cfg(any(feature = "sessions", not(target_family = "wasm")))]
pub mod config;
#[cfg(any(feature = "sessions", not(target_family = "wasm")))]
pub mod entries;
pub mod folder;
pub mod head;
#[cfg(any(feature = "sessions", not(target_family = "wasm")))]
pub mod id;
#[cfg(any(feature = "sessions", not(target_family = "wasm")))]
pub mod ignore;
pub mod index;
#[cfg(any(feature = "sessions", not(target_family = "wasm")))]
pub mod line_ends;
#[cfg(any(feature = "sessions", not(target_family = "wasm")))]
pub mod objects;
#[cfg(any(feature = "sessions", not(target_family = "wasm")))]
pub mod programs;
#[cfg(any(feature = "sessions", not(target_family = "wasm")))]
pub(crate) mod quoted;
#[cfg(any(feature = "sessions", not(target_family = "wasm")))]
pub mod status;
#[cfg(any(feature = "sessions", not(target_family = "wasm")))]
pub mod unreadable;

pub use checkout::{Checkout, TRUNKS};
