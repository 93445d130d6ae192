//! The moments that were kept for rewinds, in the order of time.

use std::collections::BTreeSet;
use std::rc::Rc;

use crate::checkpoint::session::id::SnapshotId;
use crate::checkpoint::session::moment_listing::MomentListing;
use crate::checkpoint::session::register as rules;
use crate::checkpoint::session::turns::Occasion;
use crate::error::{Code, Error, Warning};
use crate::json::{Json, Object};
use crate::operation::Warnings;
use crate::root;
use crate::secret::secret_in;

use super::register;
use super::request::TurnMark;
use super::snapshot_store::{SnapshotStore, StoredSnapshot};

/// The member of a snapshot that a rewind began with.
pub(super) const UNDO_OF: &str = "undo_of";

/// A moment that was kept.
pub(super) struct TurnMoment {
    pub(super) stored: StoredSnapshot,
    /// `None` for the scan that a rewind began with.
    pub(super) mark: Option<TurnMark>,
    /// The files that differed from HEAD; `None` where they are not all kept.
    pub(super) listing: Option<Rc<MomentListing>>,
    /// Some of them, where they are not all kept.
    pub(super) part: Option<Rc<MomentListing>>,
}

impl TurnMoment {
    /// A moment of a document; `None` for a document of another kind.
    fn of(
        stored: StoredSnapshot,
        earlier: &dyn Fn(SnapshotId) -> Option<Rc<MomentListing>>,
    ) -> Option<TurnMoment> {
        let mark = TurnMark::of(&stored.document);
        if mark.is_none() && stored.document.get(UNDO_OF).is_none() {
            return None;
        }
        let listing = MomentListing::of(&stored.document, earlier);
        let (listing, part) = match &mark {
            Some(mark) if mark.is_incomplete => (None, listing),
            _ => (listing, None),
        };
        Some(TurnMoment {
            stored,
            mark,
            listing,
            part,
        })
    }

    /// The document with all files in it, for a comparison; `None` where they are not all kept.
    pub(super) fn full_document(&self) -> Option<Object> {
        let snapshot = self.listing.as_ref()?.to_snapshot();
        let mut document = self.stored.document.clone();
        document.set("snapshot", snapshot.to_object());
        Some(document)
    }

    pub(super) fn id(&self) -> SnapshotId {
        self.stored.known.id
    }

    /// The moment whose rewind it is the undo of; `None` for a moment of a turn.
    pub(super) fn undo_of(&self) -> Option<SnapshotId> {
        let undone = self.stored.document.get(UNDO_OF)?.as_str()?;
        undone.parse().ok().filter(|_| self.mark.is_none())
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
}

/// Every moment, the oldest first. One that cannot be read is passed over, with a warning.
///
/// Those before one that was removed stay only for the files that later ones list as the same: they are left out.
pub(super) async fn moments(
    store: &SnapshotStore<'_>,
    warnings: &mut Warnings,
) -> Result<Vec<TurnMoment>, Error> {
    let mut all = all_moments(store, warnings).await?;
    let register = register::read(store, warnings).await?;
    let removed = rules::removed(&register);
    if let Some(last) = SnapshotId::greatest(removed) {
        all.retain(|it| it.id() > last);
    }
    Ok(all)
}

/// Every moment, with those that stay only for later ones.
async fn all_moments(
    store: &SnapshotStore<'_>,
    warnings: &mut Warnings,
) -> Result<Vec<TurnMoment>, Error> {
    let mut moments: Vec<TurnMoment> = Vec::new();
    for known in store.ids(false).await? {
        let stored = match store.read(known.id).await {
            Ok(stored) => stored,
            // It was pruned just now.
            Err(error) if error.code() == Code::NotFound => continue,
            Err(error) => {
                warnings.add(Warning::passed_over(&error));
                continue;
            }
        };
        let earlier = |id: SnapshotId| {
            let at = moments.binary_search_by_key(&id, TurnMoment::id).ok()?;
            moments[at].listing.clone()
        };
        let moment = TurnMoment::of(stored, &earlier);
        moments.extend(moment);
    }
    Ok(moments)
}

/// The branch that is checked out; `None` as well for one whose name holds a secret.
pub(super) async fn branch_here(store: &SnapshotStore<'_>) -> Option<String> {
    let here = root::checkout(store.io, &store.root).await;
    let branch = here.branch().filter(|it| secret_in(it).is_none());
    branch.map(str::to_owned)
}

/// The prompts of a branch, the newest first: those that were given on it, and those whose turn came to it, as where an
/// agent makes the branch that it works on.
pub(super) fn prompts_of<'a>(
    moments: &'a [TurnMoment],
    branch: Option<&str>,
) -> Vec<(usize, &'a TurnMark)> {
    let marks = moments.iter().filter_map(|it| it.mark.as_ref());
    let here = marks.filter(|it| it.rewind.is_none() && it.branch.as_deref() == branch);
    let turns: BTreeSet<(&str, u64)> = here.map(|it| (it.session.as_str(), it.number)).collect();
    let marked = moments.iter().enumerate().rev();
    let prompts = marked.filter_map(|(at, it)| Some((at, it.prompt()?)));
    prompts
        .filter(|(_, mark)| turns.contains(&(mark.session.as_str(), mark.number)))
        .collect()
}
