//! Scenarios as data: the reader of those that were written by hand, the world in memory, and what
//! comes of them on the native core.
//!
//! README.md has the language. Each runner of scenarios elsewhere prints the same lines as
//! [`run::outcome`], byte for byte.

pub mod expect;
pub mod generate;
pub mod hand;
pub mod run;
pub mod scenario;
pub mod spell;
pub mod text;
pub mod world;
