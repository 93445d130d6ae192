//! The rules of command checkpoints.

pub mod definition;
pub mod publish;
