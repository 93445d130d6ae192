//! The moments that were kept for rewinds, in the order of time.

use crate::checkpoint::session::id::SnapshotId;
use crate::checkpoint::session::plan::fact::PathContent;
use crate::checkpoint::session::snapshot::Snapshot;
use crate::checkpoint::session::turns::Occasion;
use crate::error::{Code, Error, Warning};
use crate::json::Json;
use crate::operation::Warnings;
use crate::root;
use crate::secret::secret_in;
use crate::str_map::StrMap;

use super::request::TurnMark;
use super::snapshot_store::{SnapshotStore, StoredSnapshot};

/// The member of a snapshot that a rewind began with.
const UNDO_OF: &str = "undo_of";

/// A moment that was kept.
pub(super) struct TurnMoment {
    pub(super) stored: StoredSnapshot,
    /// `None` for the scan that a rewind began with.
    pub(super) mark: Option<TurnMark>,
    /// The files that differed from HEAD; `None` where they could not be kept.
    pub(super) snapshot: Option<Snapshot>,
}

impl TurnMoment {
    /// A moment of a document; `None` for a document of another kind.
    fn of(stored: StoredSnapshot) -> Option<TurnMoment> {
        let mark = TurnMark::of(&stored.document);
        if mark.is_none() && stored.document.get(UNDO_OF).is_none() {
            return None;
        }
        let snapshot = Snapshot::of(&stored.document);
        Some(TurnMoment {
            stored,
            mark,
            snapshot,
        })
    }

    pub(super) fn id(&self) -> SnapshotId {
        self.stored.known.id
    }

    /// The commit that was checked out.
    pub(super) fn head(&self) -> Option<&str> {
        self.stored
            .document
            .get("head_commit")
            .and_then(Json::as_str)
    }

    /// The mark of a prompt.
    pub(super) fn prompt(&self) -> Option<&TurnMark> {
        let mark = self.mark.as_ref()?;
        (mark.occasion == Occasion::Prompt).then_some(mark)
    }

    /// The files that tools of the session have named so far, as its run lists them.
    pub(super) fn named(&self) -> Vec<&str> {
        let files = self.stored.document.get("files").and_then(Json::as_object);
        let lists = ["created", "modified"].map(|key| files?.get(key)?.as_array());
        let paths = lists.into_iter().flatten().flatten();
        paths.filter_map(Json::as_str).collect()
    }

    /// The contents that it has of paths, by their path, and `None` for nothing.
    pub(super) fn contents(&self) -> StrMap<'_, Option<&PathContent>> {
        let files = self.snapshot.iter().flat_map(|it| &it.files);
        files
            .map(|it| (it.path.as_str(), it.content.as_ref()))
            .collect()
    }
}

/// Every moment, the oldest first. One that cannot be read is passed over, with a warning.
pub(super) async fn moments(
    store: &SnapshotStore<'_>,
    warnings: &mut Warnings,
) -> Result<Vec<TurnMoment>, Error> {
    let mut moments = Vec::new();
    for known in store.ids(false).await? {
        match store.read(known.id).await {
            Ok(stored) => moments.extend(TurnMoment::of(stored)),
            // It was pruned just now.
            Err(error) if error.code() == Code::NotFound => {}
            Err(error) => warnings.add(Warning::passed_over(&error)),
        }
    }
    Ok(moments)
}

/// The branch that is checked out; `None` as well for one whose name holds a secret.
pub(super) async fn branch_here(store: &SnapshotStore<'_>) -> Option<String> {
    let here = root::checkout(store.io, &store.root).await;
    let branch = here.branch().filter(|it| secret_in(it).is_none());
    branch.map(str::to_owned)
}

/// The prompts of a branch, the newest first.
pub(super) fn prompts_of<'a>(
    moments: &'a [TurnMoment],
    branch: Option<&str>,
) -> Vec<(usize, &'a TurnMark)> {
    let marked = moments.iter().enumerate().rev();
    let prompts = marked.filter_map(|(at, it)| Some((at, it.prompt()?)));
    prompts
        .filter(|(_, mark)| mark.branch.as_deref() == branch)
        .collect()
}
