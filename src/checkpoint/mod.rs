//! Rules of checkpoints, pure: one wing for each kind, and none knows another.

pub mod command;
