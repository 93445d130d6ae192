//! The rules of command checkpoints: the mutable record of one run of a command.

pub mod definition;
pub mod document;
pub mod gate;
pub mod phases;
pub mod publish;
pub mod resume;

