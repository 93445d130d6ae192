//! Tests against the real file system and the real git, in one binary.

#![allow(clippy::unwrap_used)]

mod disk;
mod git;
