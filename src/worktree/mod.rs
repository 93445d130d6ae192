//! The differences from HEAD in a worktree, as git sees them, and the contents of HEAD and the
//! worktree.
//!
//! [`scan()`] reads HEAD's trees and the index from the repository's files, and goes once through
//! all folders below the root. A file that the index still knows by its size, times and number is
//! unchanged; any other one is hashed, in parts. Nothing is written. Git is asked where it alone
//! knows: the user's configuration for all repositories, once, and only where it matters; the
//! effect of a user's filter on a file; and all of it where the index is split or sparse. No
//! program that the repository itself configures is run. [`scan_without_git()`] says nothing of
//! these.

mod classify;
mod commits;
mod configured;
mod content;
mod git_status;
mod head_files;
mod names;
mod objects;
mod patterns;
mod present;
pub mod report;
mod scan;
mod scan_aid;
#[cfg(all(agents, sessions))]
mod since;
mod staged;
mod table;
mod tree;
mod walk;

pub use commits::{blobs_at, differing_paths};
pub use head_files::{at_commit, at_head};
pub use present::{FactScope, WorktreeFacts, content_of, facts};
pub use scan::{WorktreeScan, scan, scan_with, scan_without_git};
pub use scan_aid::{FileComparison, KnownComparisons, ScanAid, ScanBudget};
#[cfg(all(agents, sessions))]
pub use since::ChangesSince;
#[cfg(all(agents, sessions))]
pub(crate) use since::{Unknown, since};
pub use table::StoredBlob;
