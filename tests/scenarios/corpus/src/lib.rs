//! Scenarios as data, the world that they run in, and what comes of them on the native core.
//!
//! README.md has the format. Whatever runs scenarios elsewhere prints the same lines as
//! [`run::outcome`], byte for byte.

pub mod generate;
pub mod hand;
pub mod run;
pub mod scenario;
pub mod world;
