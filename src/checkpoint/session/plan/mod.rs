//! The comparison of a work tree with a checkpoint, and the plan of bringing the checkpoint back.
//!
//! Facts go in, answers come out: [`fact`] says what was recorded, what stands there, and what an undo
//! could bring back; [`verify`] compares; [`restore`] makes the plan, in steps whose order works, or says
//! why it must not be done; [`path`] refuses paths that lead elsewhere. Nothing here touches a file.

pub mod change;
pub mod fact;
mod obstacle;
pub mod path;
pub mod restore;
mod steps;
pub mod verify;

#[cfg(test)]
mod model_tests;
