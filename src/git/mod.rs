//! Git's files, from bytes to facts: which commit HEAD is at, and which paths the index tracks.
//!
//! Nothing here reads a file or runs git. The formats are those of git's own documentation:
//! gitrepository-layout, gitformat-index and git-pack-refs.

pub mod folder;
pub mod head;
pub mod index;
