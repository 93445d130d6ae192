//! Coding agents: what their hooks send, what they take for an answer, and where each says what.
//!
//! Pure: payload in, typed event out; answer in, bytes out. All that differs from agent to agent stands in
//! one table (`table.rs`). Unknown events, fields and tools are accepted, and mean nothing.

mod answer;
mod belongs;
mod command_words;
mod context;
mod event;
mod fields;
mod handoff;
mod kept_in_files;
mod patch;
mod plan;
mod prompt;
pub mod registration;
mod table;
mod tool;
mod transcript;

pub use answer::{answer, gives_context};
pub use belongs::{Relation, RunPlace, feature_if_taken, feature_of, relation};
pub use command_words::CommandWords;
pub use context::{AS_DATA, MAX_CHARACTERS, notice, resume_context};
pub use event::{ContextSource, Event, Payload, read};
pub use handoff::{HandoffRequestState, handoff_request, take_over};
pub use kept_in_files::kept_in_files;
pub use patch::WrittenFile;
pub use plan::{Item, PlanItemProgress, PlanUpdate, one_line};
pub use prompt::{feature_of_branch, slash_command, with_digest};
pub use table::{Agent, UNREAD, published};
pub use transcript::{LastTurn, last_turn};

pub use crate::repository_path::below;
