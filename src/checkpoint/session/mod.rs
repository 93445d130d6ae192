//! The rules of session checkpoints: immutable snapshots of a moment, one YAML file each.

pub mod yaml;

#[cfg(test)]
mod sample;
