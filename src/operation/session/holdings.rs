//! The contents that the undo of a restore holds, so that no step takes away more.

use crate::checkpoint::session::plan::fact::{EntryState, Keeping, PathContent, Present};
use crate::checkpoint::session::plan::restore::Consent;
use crate::checkpoint::session::snapshot::{Snapshot, Unkept};
use crate::json::Json;
use crate::restore::UndoContent;
use crate::str_map::{StrMap, StrSet};

use super::compared::SnapshotComparison;
use super::snapshot_store::{SnapshotStore, StoredSnapshot};

/// The contents of an undo, beside those that stood there when the plan was made.
pub(super) struct Holdings<'a> {
    files: StrMap<'a, Option<&'a PathContent>>,
    unkept: Unkept<'a>,
    present: StrMap<'a, &'a Present<'a>>,
    /// Paths that stand as the checkpoint has them whose restore is undone.
    undone: StrSet<'a>,
    consent: Consent<'a>,
    compared: &'a SnapshotComparison,
}

impl<'a> Holdings<'a> {
    /// Those of an undo, of which this is the snapshot. It was made after the others were gathered.
    pub(super) fn new(
        undo: &'a Snapshot,
        compared: &'a SnapshotComparison,
        present: &'a [Present<'a>],
        undone: &'a [String],
        consent: Consent<'a>,
    ) -> Self {
        let files = undo.files.iter();
        Holdings {
            files: files
                .map(|it| (it.path.as_str(), it.content.as_ref()))
                .collect(),
            unkept: undo.unkept(),
            present: present.iter().map(|it| (it.path, it)).collect(),
            undone: undone.iter().map(String::as_str).collect(),
            consent,
            compared,
        }
    }

    /// Returns the content that a step may take away at a path.
    pub(super) fn of(&self, path: &str) -> UndoContent {
        match self.files.get(path) {
            Some(Some(content)) => return UndoContent::Content((*content).clone()),
            Some(None) => return UndoContent::Nothing,
            None => {}
        }
        let Some(present) = self.present.get(path) else {
            return UndoContent::Nothing;
        };
        let EntryState::Content(now) = &present.state else {
            return UndoContent::Nothing;
        };
        let is_left_out = present.keeping != Keeping::Keepable || self.unkept.above(path).is_some();
        match () {
            () if self.undone.contains(path) => UndoContent::Content(now.clone()),
            () if is_left_out && self.is_agreed(path) => UndoContent::Anything,
            // As in HEAD, which has it.
            () if !is_left_out && !self.compared.differs(path) => UndoContent::Content(now.clone()),
            () => UndoContent::Nothing,
        }
    }

    /// Returns whether the caller has agreed to lose what stands there.
    fn is_agreed(&self, path: &str) -> bool {
        match self.consent {
            Consent::Force => true,
            Consent::Paths(paths) => paths.contains(&path),
        }
    }
}

/// The paths whose content is that of the checkpoint whose restore is undone: that checkpoint has it, regardless of
/// what the next undo can keep. They may have been tracked then, and be ignored by now.
pub(super) async fn kept_by_the_undone(
    store: &SnapshotStore<'_>,
    session: &StoredSnapshot,
    compared: &SnapshotComparison,
) -> Vec<String> {
    let undone = session.document.get("undo_of").and_then(Json::as_str);
    let Some(Ok(undone)) = undone.map(str::parse) else {
        return Vec::new();
    };
    let Ok(undone) = store.read(undone).await else {
        return Vec::new();
    };
    let snapshot = Snapshot::of(&undone.document).unwrap_or_default();
    let files = snapshot.files.iter();
    let files: StrMap<'_, &PathContent> = files
        .filter_map(|it| Some((it.path.as_str(), it.content.as_ref()?)))
        .collect();
    let is_kept = |it: &&Present<'_>| {
        let then = files.get(it.path);
        matches!((&it.state, then), (EntryState::Content(now), Some(then)) if now.has_bytes_of(then))
    };
    let present = compared.facts.present();
    let kept = present.iter().filter(is_kept);
    kept.map(|it| it.path.to_owned()).collect()
}
