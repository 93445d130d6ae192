//! The rules of snapshots: each is one immutable moment, in a YAML file.
//!
//! A checkpoint is made in three steps, all of them pure. [`draft::draft`] fills in what the caller left
//! out, [`document::write`] checks the whole and gives its text, and [`document::read`] reads it again:
//!
//! ```
//! use milepost::checkpoint::session::{document, draft, id::SnapshotId, reason::SnapshotReason};
//! use milepost::json::Object;
//!
//! // 2025-01-26T10:30:00Z
//! let now = 1_737_887_400_000.0;
//! let work = draft::RunContext {
//!     command: "implement",
//!     feature: Some("dark-mode"),
//!     completed: vec![draft::Completed { name: "ThemeProvider", evidence: None }],
//!     remaining: vec!["useTheme hook", "Toggle component"],
//!     is_under_way: true,
//!     ..draft::RunContext::default()
//! };
//! let made = draft::draft(draft::SnapshotRequest {
//!     reason: SnapshotReason::Handoff,
//!     message: Some("80% tokens"),
//!     work: Some(&work),
//!     given: Object::new(),
//!     summary_words: 500,
//! });
//! let id = SnapshotId::next(now, ["chk-20250126-093000"]).expect("it is not the last one");
//! let text = document::write(made.document, id, now)?;
//! assert!(text.starts_with("id: \"chk-20250126-103000\"\ncreated_at: \"2025-01-26T10:30:00Z\"\n"));
//! assert!(text.contains("  current_phase: 2\n  total_phases: 3\n"));
//!
//! let read = document::read(text.as_bytes(), Some(id)).expect("it was just written");
//! assert_eq!(read.problems, []);
//! # Ok::<(), milepost::error::Error>(())
//! ```

pub mod compare;
pub mod compress;
pub mod definition;
pub mod document;
pub mod draft;
pub mod file_diffs;
pub mod id;
pub mod known_files;
pub mod listing_lines;
pub mod moment_listing;
pub mod next_listing;
pub mod plan;
pub mod prose;
pub mod publish;
pub mod reason;
pub mod redact;
pub mod register;
pub mod resume;
pub mod retention;
pub mod snapshot;
pub mod texts;
pub mod turns;
pub mod withheld;
pub mod yaml;

#[cfg(test)]
mod sample;
