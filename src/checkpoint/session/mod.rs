//! The rules of session checkpoints: immutable snapshots of a moment, one YAML file each.

pub mod definition;
pub mod document;
pub mod id;
pub mod publish;
pub mod reason;
pub mod yaml;

#[cfg(test)]
mod sample;
