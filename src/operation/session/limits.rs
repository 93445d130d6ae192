//! The limits of what is kept: those of a project's `integrations.json`, else the usual ones.

use crate::checkpoint::session::retention::KEPT;
use crate::error::{Error, Warning};
use crate::integrations::Sessions;
use crate::operation::Warnings;
use crate::operation::project::load_integrations::{hook_settings, session_settings};
use crate::worktree::ScanAid;

use super::snapshot_store::SnapshotStore;

/// A larger file is not kept, unless it is allowed by name.
const MAX_FILE_BYTES: u64 = 256 << 20;

/// Of all files together, no more is kept.
const MAX_SNAPSHOT_BYTES: u64 = 4 << 30;

/// A longer `git_diff` is cut.
const MAX_DIFF_BYTES: u64 = 64 << 10;

/// The limits of what is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SnapshotLimits {
    /// The number of checkpoints; `None` where it is unknown, and all of them stay.
    pub(super) keep: Option<u64>,
    pub(super) max_file_bytes: u64,
    pub(super) max_snapshot_bytes: u64,
    pub(super) max_diff_bytes: usize,
    /// Paths of files that are kept even where they look like secrets.
    pub(super) allow: Vec<String>,
    /// The patterns of what is not kept for rewinds; `None` for any other snapshot.
    pub(super) rewind_exclude: Option<Vec<String>>,
}

impl SnapshotLimits {
    fn new(settings: Sessions) -> Self {
        let max_diff_bytes = settings.max_diff_bytes.unwrap_or(MAX_DIFF_BYTES);
        SnapshotLimits {
            keep: Some(settings.keep.unwrap_or(KEPT)),
            max_file_bytes: settings.max_file_bytes.unwrap_or(MAX_FILE_BYTES),
            max_snapshot_bytes: settings.max_snapshot_bytes.unwrap_or(MAX_SNAPSHOT_BYTES),
            max_diff_bytes: usize::try_from(max_diff_bytes).unwrap_or(usize::MAX),
            allow: settings.allow,
            rewind_exclude: None,
        }
    }

    /// Those of a project.
    ///
    /// # Errors
    ///
    /// Those of [`session_settings`].
    pub(super) async fn of(store: &SnapshotStore<'_>) -> Result<Self, Error> {
        let settings = session_settings(store.io, &store.root).await;
        settings.map(SnapshotLimits::new)
    }

    /// The limits, or the usual ones where the settings cannot be read, with a warning.
    pub(super) async fn known(store: &SnapshotStore<'_>, warnings: &mut Warnings) -> Self {
        match SnapshotLimits::of(store).await {
            Ok(limits) => limits,
            Err(error) => {
                warnings.add(Warning::passed_over(&error));
                SnapshotLimits {
                    keep: None,
                    ..SnapshotLimits::new(Sessions::default())
                }
            }
        }
    }

    /// The paths that a scan passes over.
    pub(super) fn scan_aid(&self) -> ScanAid {
        ScanAid {
            excluded: self.rewind_exclude.clone().unwrap_or_default(),
            has_usual: self.rewind_exclude.is_some(),
            ..ScanAid::default()
        }
    }

    /// Returns whether a file is kept even where it looks like a secret.
    pub(super) fn allows(&self, path: &str) -> bool {
        self.allow.iter().any(|it| it == path)
    }
}

/// The limits of a moment, which has no diff to read.
pub(super) async fn limits_of(
    store: &SnapshotStore<'_>,
    warnings: &mut Warnings,
) -> SnapshotLimits {
    let settings = hook_settings(store.io, &store.root).await;
    SnapshotLimits {
        max_diff_bytes: 0,
        rewind_exclude: Some(settings.unwrap_or_default().rewind_exclude),
        ..SnapshotLimits::known(store, warnings).await
    }
}
