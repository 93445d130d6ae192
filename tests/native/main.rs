//! Native tests that need a host: in memory, or over the real file system and the real git.

#![allow(clippy::unwrap_used)]

mod disk;
mod git;
mod memory;
mod store;
