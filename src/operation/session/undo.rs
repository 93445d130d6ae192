//! The start of a restore: the checkpoint that brings back what is there.

use crate::checkpoint::session::id::SnapshotId;
use crate::checkpoint::session::plan::change::PathAction;
use crate::checkpoint::session::plan::fact::{EntryState, FolderMode, PathContent, Present};
use crate::checkpoint::session::plan::restore::{Consent, RestorePlan};
use crate::checkpoint::session::reason::SnapshotReason;
use crate::checkpoint::session::register;
use crate::checkpoint::session::snapshot::{Snapshot, SnapshotOmission};
use crate::effect::{PathKind, boxed};
use crate::error::{Advice, Error};
use crate::json::{Json, Object};
use crate::operation::reply::Warnings;
use crate::str_map::{StrMap, StrSet};

use super::compared::SnapshotComparison;
use super::create::create_at;
use super::limits::SnapshotLimits;
use super::plan::not_kept;
use super::request::{ChangedFiles, Create};
use super::snapshot::{EarlierSnapshot, Past};
use super::snapshot_store::{SnapshotStore, StoredSnapshot};
use super::state::Earlier;

/// A restore that is about to touch something.
pub(super) struct Beginning<'a> {
    pub(super) id: SnapshotId,
    /// The checkpoint that a restore that did not end began with.
    pub(super) begun: Option<&'a StoredSnapshot>,
    pub(super) consent: Consent<'a>,
    pub(super) plan: &'a RestorePlan<'a>,
    pub(super) state: Option<&'a Earlier>,
    pub(super) limits: &'a SnapshotLimits,
}

impl Beginning<'_> {
    /// Makes the checkpoint that brings back what is there, and notes that a restore begins. Where an earlier restore
    /// died midway, and nothing has changed since in the paths that are still to be done, that restore's checkpoint is
    /// enough.
    pub(super) async fn undo(
        &self,
        store: &SnapshotStore<'_>,
        compared: &SnapshotComparison,
        present: &[Present<'_>],
        warnings: &mut Warnings,
    ) -> Result<StoredSnapshot, Error> {
        let id = self.id;
        let mut message = format!("Before the restore of {id}");
        if let Some(begun) = self.begun {
            if self.goes_on_from(begun, compared, present) {
                return Ok(begun.clone());
            }
            let earlier = begun.known.id;
            message = format!("{message}, in the middle of one that began with {earlier}");
        }
        let standing: StrSet<'_> = present.iter().map(|it| it.path).collect();
        let written = self.plan.changes.iter().map(|it| it.path);
        let absent: Vec<&str> = written.filter(|it| !standing.contains(it)).collect();
        let modes = self.present_modes(compared, present);
        let past = Past {
            absent: &absent,
            before: None,
            modes: &modes,
        };
        let create = self.create(&message);
        let (made, _) = boxed(create_at(store, create, past, self.limits, warnings)).await?;
        if made.files.is_none() {
            return Err(Error::conflict(
                "The present files could not be kept in a snapshot, so that no file was restored"
                    .to_owned(),
                Vec::new(),
            ));
        }
        self.check_kept(&made.left_out, present)?;
        // Its contents are those that were kept, which may be later than the plan.
        let undo = store.read(made.id).await;
        if let Ok(undo) = &undo
            && undo.document.get("head_commit").and_then(Json::as_str) != compared.heads().present
        {
            return Err(Error::conflict(
                "Another commit was checked out after the plan was made, so that no file was restored"
                    .to_owned(),
                Vec::new(),
            ));
        }
        self.begin(store, made.id, warnings).await?;
        undo
    }

    /// Makes the undo complete after the restore has stopped, because something was changed after it was made: of
    /// the paths that were done it says what it said, and of all others what stands there now. From then on the
    /// restore begins with this one, and goes on from it. `deleted` are the paths among those that were done at which
    /// nothing was left: a file that was saved there since stands there now.
    ///
    /// # Errors
    ///
    /// As making one; [`Error::conflict`] where another commit is checked out by now. Then the undo stays as it
    /// is.
    pub(super) async fn complete(
        &self,
        store: &SnapshotStore<'_>,
        undo: &StoredSnapshot,
        (done, deleted): (&[&str], &[&str]),
        warnings: &mut Warnings,
    ) -> Result<SnapshotId, Error> {
        let saved = saved_at(store, deleted).await?;
        let done: Vec<&str> = done
            .iter()
            .copied()
            .filter(|it| !saved.contains(it))
            .collect();
        let snapshot = Snapshot::of(&undo.document).unwrap_or_default();
        let done_paths: StrSet<'_> = done.iter().copied().collect();
        let files = snapshot.files.iter();
        let files = files.filter(|it| it.content.is_none() && !done_paths.contains(&it.path));
        let paths = files.map(|it| it.path.as_str());
        let absent = still_absent(store, paths.collect()).await?;
        let past = Past {
            absent: &absent,
            before: Some(EarlierSnapshot {
                snapshot: &snapshot,
                head: undo.document.get("head_commit").and_then(Json::as_str),
                paths: &done,
            }),
            modes: &[],
        };
        let message = format!("Before the restore of {}, of which a part is done", self.id);
        let create = self.create(&message);
        let (made, _) = boxed(create_at(store, create, past, self.limits, warnings)).await?;
        if made.files.is_none() {
            let message = "The present files could not be kept in a snapshot".to_owned();
            return Err(Error::conflict(message, Vec::new()));
        }
        self.begin(store, made.id, warnings).await?;
        Ok(made.id)
    }

    /// The permission bits that are there now of what the restore touches, and of the folders on the way.
    fn present_modes(
        &self,
        compared: &SnapshotComparison,
        present: &[Present<'_>],
    ) -> Vec<(String, u32)> {
        let states: StrMap<'_, &EntryState<'_>> =
            present.iter().map(|it| (it.path, &it.state)).collect();
        let files = self.plan.changes.iter().filter_map(|change| {
            let Some(EntryState::Content(content)) = states.get(change.path) else {
                return None;
            };
            Some((change.path.to_owned(), content.permissions?))
        });
        let folders = compared.present_folders();
        let folders = folders.filter_map(|(path, bits)| Some((path.to_owned(), bits?)));
        files.chain(folders).collect()
    }

    /// The request for an undo of this restore.
    fn create<'m>(&self, message: &'m str) -> Create<'m> {
        Create {
            reason: SnapshotReason::UserRequested,
            message: Some(message),
            given: Object::new(),
            target: self.state.and_then(Earlier::present).cloned(),
            files: ChangedFiles::Kept(Vec::new()),
            undo_of: Some(self.id),
            made_by: None,
            turn: None,
        }
    }

    /// Notes that the restore begins with an undo.
    async fn begin(
        &self,
        store: &SnapshotStore<'_>,
        undo: SnapshotId,
        warnings: &mut Warnings,
    ) -> Result<(), Error> {
        let id = self.id;
        let mut began = |register: &Object| {
            // Neither was in use so far: a concurrent clean-up may have taken it.
            let mut both = [id, undo].into_iter();
            match both.find(|it| register::is_removed(register, *it)) {
                Some(gone) => Err(Error::conflict(
                    format!("{gone} was just removed, so that no file was restored"),
                    Vec::new(),
                )),
                None => Ok(Some(register::with_restore(register, id, undo))),
            }
        };
        boxed(super::register::commit(store, &mut began, warnings)).await
    }

    /// Returns whether the paths to touch are as an earlier restore found them.
    fn goes_on_from(
        &self,
        begun: &StoredSnapshot,
        compared: &SnapshotComparison,
        present: &[Present<'_>],
    ) -> bool {
        let head = begun.document.get("head_commit").and_then(Json::as_str);
        let Some(snapshot) = Snapshot::of(&begun.document) else {
            return false;
        };
        let unkept = snapshot.unkept();
        let files = snapshot.files.iter();
        let files: StrMap<'_, Option<&PathContent>> = files
            .map(|it| (it.path.as_str(), it.content.as_ref()))
            .collect();
        let present: StrMap<'_, &EntryState<'_>> =
            present.iter().map(|it| (it.path, &it.state)).collect();
        let is_as_found = |path: &str| {
            let now = match present.get(path) {
                Some(EntryState::Content(content)) => Some(content),
                _ => None,
            };
            match files.get(path) {
                Some(Some(found)) => now.is_some_and(|now| now.is_same(found)),
                Some(None) => now.is_none(),
                // The earlier restore was allowed to lose it.
                None if unkept.above(path).is_some() => true,
                // It was as in HEAD.
                None => !compared.differs(path),
            }
        };
        let modes = snapshot.modes.iter();
        let modes: StrMap<'_, u32> = modes.map(|(path, bits)| (path.as_str(), *bits)).collect();
        // One without a mode was not there, and the earlier restore made it.
        let is_mode_as_found = |it: &FolderMode<'_>| {
            let then = modes.get(it.path).copied();
            then.is_none() || then == it.present
        };
        head == compared.heads().present
            && self.plan.folders.iter().all(is_mode_as_found)
            && self.plan.changes.iter().all(|it| is_as_found(it.path))
            && self.state.is_none_or(|it| it.is_kept_in(&begun.document))
    }

    /// Refuses to touch a path that the undo has left out after all: all of it is too much, or it has changed since the
    /// plan was made.
    fn check_kept(
        &self,
        left_out: &[SnapshotOmission],
        present: &[Present<'_>],
    ) -> Result<(), Error> {
        let Consent::Paths(agreed) = self.consent else {
            return Ok(());
        };
        let stands: StrSet<'_> = present.iter().map(|it| it.path).collect();
        // A change of mode loses no content.
        let touched = self.plan.changes.iter();
        let touched = touched.filter(|it| {
            !matches!(
                it.act,
                PathAction::SetMode(_) | PathAction::SetPermissions(_)
            )
        });
        let touched = touched.map(|it| it.path);
        let touched: StrSet<'_> = touched
            .filter(|it| stands.contains(it) && !agreed.contains(it))
            .collect();
        let lost = left_out.iter().find(|it| touched.contains(&it.path));
        match lost {
            None => Ok(()),
            Some(SnapshotOmission { path, reason }) => {
                let message = format!("No file was restored: {}", not_kept(path, reason));
                Err(Error::conflict(message, Vec::new()).with_advice(Advice::AllowLoss))
            }
        }
    }
}

/// Those of the paths at which a file or a link stands.
async fn saved_at<'p>(store: &SnapshotStore<'_>, paths: &[&'p str]) -> Result<Vec<&'p str>, Error> {
    let entries = store.inspect(paths).await?;
    let looked = paths.iter().zip(entries);
    let saved = looked.filter(|(_, it)| !matches!(it.kind, PathKind::Absent | PathKind::Folder));
    Ok(saved.map(|(path, _)| *path).collect())
}

/// Those of the paths at which nothing stands.
async fn still_absent<'p>(
    store: &SnapshotStore<'_>,
    paths: Vec<&'p str>,
) -> Result<Vec<&'p str>, Error> {
    let entries = store.inspect(&paths).await?;
    let looked = paths.into_iter().zip(entries);
    let absent = looked.filter(|(_, it)| it.kind == PathKind::Absent);
    Ok(absent.map(|(path, _)| path).collect())
}
