//! The commands of `cargo xtask` that are more than a build or its tests.

pub(crate) mod agents;
pub(crate) mod audit;
pub(crate) mod bench;
pub(crate) mod chaos;
pub(crate) mod corpus;
pub(crate) mod release;
pub(crate) mod run;
pub(crate) mod screenshots;
pub(crate) mod space;
pub(crate) mod syscalls;
mod tour;
