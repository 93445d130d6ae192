//! Restores that began and did not end.

use crate::checkpoint::session::id::SnapshotId;
use crate::checkpoint::session::plan::fact::{Present, RecordedPath};
use crate::checkpoint::session::register;
use crate::checkpoint::session::snapshot::Snapshot;
use crate::effect::PathKind;
use crate::error::{Advice, Error, Warning, WarningCode};
use crate::operation::reply::Warnings;
use crate::restore::settle;
use crate::str_map::{StrSet, sort};

use super::snapshot_store::{SnapshotStore, StoredSnapshot};

/// The state that a restore that died left to the next restore of a checkpoint; nothing where there was none, or where
/// it is unknown.
#[derive(Default)]
pub(super) struct UnfinishedRestore {
    /// Set where one is noted.
    is_noted: bool,
    /// The checkpoint that brings back the state before it, where it is the same checkpoint's.
    pub(super) begun: Option<StoredSnapshot>,
    /// The other checkpoint, where this one brings back the state before it.
    undone: Option<StoredSnapshot>,
}

impl UnfinishedRestore {
    pub(super) async fn find(store: &SnapshotStore<'_>, id: SnapshotId) -> Self {
        let mut unfinished = UnfinishedRestore::default();
        // The restore reports its warnings where it writes it.
        let warnings = &mut Warnings::default();
        let Ok(register) = super::register::read(store, warnings).await else {
            return unfinished;
        };
        if let Some(undo) = register::undo_of(&register, id) {
            unfinished.is_noted = true;
            unfinished.begun = store.read(undo).await.ok();
        }
        if let Some(undone) = register::undone_by(&register, id) {
            unfinished.is_noted = true;
            unfinished.undone = store.read(undone).await.ok();
        }
        unfinished
    }

    pub(super) fn is_none(&self) -> bool {
        !self.is_noted
    }

    /// The folders that it may have emptied and not removed, or made and not filled, the deepest first.
    ///
    /// # Errors
    ///
    /// [`Error::io`].
    pub(super) async fn folders(
        &self,
        store: &SnapshotStore<'_>,
        recorded: &[RecordedPath<'_>],
        present: &[Present<'_>],
    ) -> Result<Vec<String>, Error> {
        if self.is_none() {
            return Ok(Vec::new());
        }
        let sessions = [&self.begun, &self.undone];
        let snapshots = sessions.into_iter().flatten();
        let snapshots: Vec<Snapshot> = snapshots
            .filter_map(|it| Snapshot::of(&it.document))
            .collect();
        let files = snapshots.iter().flat_map(|it| &it.files);
        let absent = recorded.iter().filter(|it| it.content.is_none());
        let standing: StrSet<'_> = present.iter().map(|it| it.path).collect();
        let gone = files
            .map(|it| it.path.as_str())
            .chain(absent.map(|it| it.path))
            .filter(|it| !standing.contains(it));
        let folders = gone.flat_map(|it| it.rmatch_indices('/').map(|(at, _)| &it[..at]));
        let mut folders = sort(folders.map(str::to_owned).collect());
        folders.dedup();
        let paths: Vec<&str> = folders.iter().map(String::as_str).collect();
        let entries = store.inspect(&paths).await?;
        let mut real: Vec<String> = Vec::new();
        for (folder, entry) in folders.iter().zip(entries) {
            // The folder above comes first; nothing is looked for beyond a link.
            let above = folder.rsplit_once('/');
            let is_real = above.is_none_or(|(it, _)| is_in(&real, it));
            if is_real && entry.kind == PathKind::Folder {
                real.push(folder.clone());
            }
        }
        real.reverse();
        Ok(real)
    }
}

/// Puts back what restores that died have left aside, so that nothing seems to be missing, and warns of what stays
/// there.
///
/// # Errors
///
/// As [`settle`].
pub(super) async fn settle_asides(
    store: &SnapshotStore<'_>,
    warnings: &mut Warnings,
) -> Result<(), Error> {
    let own = store.own_folders()?;
    let own: Vec<&str> = own.iter().map(String::as_str).collect();
    let kept = settle(store.io, store.root.path(), &own, &store.folder).await?;
    for aside in kept {
        let shown = store.folder.shown(&aside.below);
        let message = match aside.path {
            Some(path) => format!(
                "What was in {path} when a restore stopped is kept in {shown}, because something else \
                 stands in its place"
            ),
            None => format!("A file that a restore has moved aside is kept in {shown}"),
        };
        warnings.add(Warning::new(WarningCode::Io, message).with_advice(Some(Advice::Doctor)));
    }
    Ok(())
}

fn is_in(sorted: &[String], path: &str) -> bool {
    sorted.binary_search_by(|it| it.as_str().cmp(path)).is_ok()
}
