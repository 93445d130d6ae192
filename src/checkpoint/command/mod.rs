//! The rules of runs: a run is the mutable record of one execution of a command.

pub mod additions;
pub mod agents;
pub mod begin;
pub mod completion;
pub mod context;
pub mod definition;
pub mod diff;
pub mod document;
pub mod files;
pub mod gate;
pub mod heartbeat;
pub mod import;
pub mod lists;
pub mod merge;
pub mod milestone;
pub mod name;
pub mod phases;
pub mod progress;
pub mod publish;
pub mod remove_phase;
pub mod restores;
pub mod resume;
pub mod status;
pub mod stopped_phase;
pub mod summaries;
pub mod texts;
pub mod tombstone;

#[cfg(test)]
mod sample;
