//! The rules of task checkpoints: the last few execution snapshots of each task.
//!
//! A snapshot is checked by [`state`] and stays unchanged. It is an immutable part under a
//! [name](name::TaskId::key) that follows from its id; which parts a task has, in which order, says its
//! [`index`], the one document of it that changes. The [`limits`] bound their number and size.
//!
//! ```
//! use milepost::checkpoint::task::entry::CheckpointPart;
//! use milepost::checkpoint::task::index::{Save, TaskIndex};
//! use milepost::checkpoint::task::limits::TaskLimits;
//! use milepost::checkpoint::task::state::TaskState;
//! use milepost::json;
//!
//! let text = br#"{"id": "cp-1", "taskId": "Fix: the login", "agentId": "a", "stepIndex": 0,
//!     "totalSteps": 2, "context": {}, "completedSteps": [], "pendingSteps": ["read", "write"],
//!     "createdAt": "2026-01-29T10:30:00.000Z"}"#;
//! let limits = TaskLimits::default();
//! limits.check_checkpoint(text.len() as u64)?;
//! let state = TaskState::new(json::read(text).expect("it is JSON").value)?;
//!
//! let index = TaskIndex::new(state.task().clone());
//! let part = CheckpointPart {
//!     token: "5f0c8a9e1d2b3c4d5e6f708192a3b4c5".to_owned(),
//!     bytes: state.text().len() as u64,
//!     saved_at: "2026-01-29T10:30:00.250Z".to_owned(),
//! };
//! let saved = index.saved(Save::of(&state, part), &limits)?;
//! assert_eq!(saved.dropped().count(), 0);
//! assert_eq!(saved.next.latest().map(|entry| entry.id()), Some(state.id()));
//! # Ok::<(), milepost::error::Error>(())
//! ```

pub mod definition;
pub mod entry;
pub mod index;
pub mod limits;
pub mod name;
pub mod state;

#[cfg(test)]
mod interface_tests;
#[cfg(test)]
mod model_tests;
#[cfg(test)]
mod sample;
