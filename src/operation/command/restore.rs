//! The content of a kept revision as the next one: a step back, a step forward again, or any of them.
//!
//! A document says in `restores` which revision it has the content of. Revisions in the order in which
//! an editor has them are those that restore none: a revision that restores another one stands for that
//! one, and for nothing between the two.
//!
//! Sessions, branch and worktree are no content of a run: they stay those of now.

use crate::checkpoint::command::agents::{differ_in_owners_alone, is_same_content, keep_owners};
use crate::checkpoint::command::restores::restored_by;
use crate::effect::Io;
use crate::error::Error;
use crate::json::Object;
use crate::operation::reply::about;
use crate::operation::{Reply, Settings, Target};
use crate::schema::{ArgumentMembers, Problem, Shaped};
use crate::store::{
    Change, CommitMark, Current, Document, Origin, Revision, RevisionChoice, Stamp,
};

use super::not_found::missing;
use super::run_store::{RunStore, updated_at};

/// The state that a caller has seen.
#[derive(ArgumentMembers)]
pub(super) struct SeenState<'a> {
    /// The revision that was seen; without it, the present one.
    revision: Option<u64>,
    /// The seal of the revision that was seen.
    seal: Option<&'a str>,
}

/// The state that the arguments say was seen.
pub(super) fn expected(state: &SeenState<'_>) -> Result<Option<ExpectedState>, Error> {
    match (state.revision, state.seal) {
        (None, None) => Ok(None),
        (Some(revision), Some(seal)) => Ok(Some(ExpectedState::State(Stamp {
            revision,
            seal: seal.to_owned(),
        }))),
        _ => Err(Error::usage(
            "Expected `revision` and `seal` together: they name the state that was seen".to_owned(),
        )),
    }
}

/// The wanted revision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RevisionDirection {
    /// The one before.
    Back,
    /// The one that was undone last.
    Forward,
    /// This one.
    To(u64),
}

/// A state that a caller has seen, and is about to undo.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExpectedState {
    /// This very one.
    State(Stamp),
    /// The one with this revision.
    Revision(u64),
}

/// A checkpoint that has the content of an earlier revision.
#[derive(Clone, Debug, PartialEq, Eq, Shaped)]
#[shape(name = "Restored")]
pub struct RestoredRun {
    /// The revision that is stored now.
    pub revision: u64,
    /// Its seal: with the revision, the base of a compare-and-swap.
    pub seal: String,
    /// The revision that it has the content of.
    pub restored: u64,
    /// True if something was written.
    pub changed: bool,
}

/// Writes the content of a kept revision as the next one.
pub(super) async fn restore(
    io: &Io,
    settings: &Settings,
    target: &Target,
    direction: RevisionDirection,
    expected: Option<&ExpectedState>,
) -> Reply<RestoredRun> {
    about(target, async |warnings| {
        let store = RunStore::open(io, settings, target).await?;
        let stored = store.read().await?;
        let Some(document) = stored.document else {
            return Err(missing(&store, target).await);
        };
        store.expect_own(&document.object)?;
        let seen = &document.stamp;
        match expected {
            Some(ExpectedState::State(stamp)) => expect_seen(stamp, seen)?,
            Some(ExpectedState::Revision(revision)) if *revision != seen.revision => {
                return Err(overtaken(*revision, seen.revision));
            }
            Some(ExpectedState::Revision(_)) | None => {}
        }
        let now = store.now().await?;
        store.gate.load_allowed(io, &store.root).await;
        let line = RevisionSteps {
            store: &store,
            now: &now,
        };
        let picked = match direction {
            RevisionDirection::To(to) if to == seen.revision => None,
            RevisionDirection::To(to) => line.pick(RevisionChoice::Exactly(to)).await?,
            RevisionDirection::Back => Some(line.back(&document).await?),
            RevisionDirection::Forward => Some(line.forward(&document).await?),
        };
        let restored = picked.as_ref().map_or(seen.revision, |it| it.number);
        let mut decide = |current: &Current<'_>| {
            store.expect_own_current(current)?;
            let stored = current
                .document
                .ok_or_else(|| Error::no_checkpoint(target))?;
            expect_seen(seen, &stored.stamp)?;
            let Some(picked) = &picked else {
                return Ok(Change::Keep);
            };
            let mut content = picked.content.clone();
            content.set("updated_at", updated_at(&now, current));
            keep_owners(&mut content, &stored.object);
            Ok(Change::write(content))
        };
        let committed = store.commit(None, &mut decide).await?;
        if let Some(before) = &committed.before {
            store.notice(before, committed.had_side, warnings).await;
        }
        warnings.left(&store.shown(), picked.as_ref().map_or(&[], |it| &it.left));
        store.gate.notice(&store.shown(), warnings);
        Ok(RestoredRun {
            revision: committed.stamp.revision,
            seal: committed.stamp.seal,
            restored,
            changed: committed.changed,
        })
    })
    .await
}

/// The revisions of a checkpoint, as steps.
struct RevisionSteps<'a> {
    store: &'a RunStore<'a>,
    now: &'a str,
}

/// A revision to go to.
struct Picked {
    /// The one that it has the content of: itself, or the one that it restores.
    number: u64,
    /// The revision where it was found.
    at: u64,
    content: Object,
    /// The problems that it had already.
    left: Vec<Problem>,
}

impl RevisionSteps<'_> {
    async fn pick(&self, choice: RevisionChoice) -> Result<Option<Picked>, Error> {
        let mut accept =
            |revision: &Revision, object: Object| self.store.restorable(revision, object, self.now);
        let picked = self.store.versioned.pick(choice, &mut accept).await?;
        Ok(picked.map(|(revision, content)| Picked {
            number: restored_by(&content).unwrap_or(revision.number),
            at: revision.number,
            content,
            left: self.store.left.take(),
        }))
    }

    /// The step before a revision: heartbeats belong to the change that they follow.
    async fn before(&self, number: u64, mark: CommitMark) -> Result<Option<Picked>, Error> {
        let choice = match mark {
            CommitMark::Change => RevisionChoice::Below(number),
            CommitMark::Heartbeat => RevisionChoice::BelowChange(number),
        };
        self.pick(choice).await
    }

    async fn mark(&self, number: u64) -> Result<CommitMark, Error> {
        let revisions = self.store.versioned.revisions().await?;
        let found = revisions.iter().find(|it| it.number == number);
        Ok(found.map_or(CommitMark::Change, |it| it.mark))
    }

    async fn back(&self, document: &Document) -> Result<Picked, Error> {
        let (number, mark) = match restored_revision(document) {
            Some(number) => (number, self.mark(number).await?),
            None => (document.stamp.revision, document.stamp.mark()),
        };
        let mut picked = self.before(number, mark).await?;
        // Sessions stay, so that a revision that differs in them alone is no step back.
        while let Some(same) = &picked
            && differ_in_owners_alone(&same.content, &document.object)
        {
            let passed = same.number;
            let mark = self.mark(passed).await?;
            picked = self.before(passed, mark).await?;
        }
        picked.ok_or_else(|| {
            let path = self.store.shown();
            Error::not_found(format!(
                "There is nothing to undo: no good revision of {path} before {number} is kept"
            ))
        })
    }

    async fn forward(&self, document: &Document) -> Result<Picked, Error> {
        let nothing = || {
            let path = self.store.shown();
            let message =
                format!("There is nothing to redo: the last change of {path} was not an undo");
            Error::not_found(message)
        };
        let restored = restored_revision(document).ok_or_else(nothing)?;
        // The revision before the first of these undos.
        let mut limit = document.stamp.revision;
        let mut next = loop {
            let picked = self
                .pick(RevisionChoice::Below(limit))
                .await?
                .ok_or_else(nothing)?;
            if picked.number == picked.at {
                break picked;
            }
            limit = picked.at;
        };
        let mut step = None;
        while next.number > restored {
            let mark = self.mark(next.number).await?;
            let before = self.before(next.number, mark).await?;
            // Sessions stay, so that a revision with the present content is no step forward.
            if !is_same_content(&next.content, &document.object) {
                step = Some(next);
            }
            match before {
                Some(before) => next = before,
                None => break,
            }
        }
        step.ok_or_else(nothing)
    }
}

/// The revision that a document restores, unless a hand changed it since.
fn restored_revision(document: &Document) -> Option<u64> {
    match document.origin {
        Origin::Store => restored_by(&document.object),
        Origin::Edited | Origin::Elsewhere => None,
    }
}

fn expect_seen(seen: &Stamp, stored: &Stamp) -> Result<(), Error> {
    if seen == stored {
        return Ok(());
    }
    if seen.revision != stored.revision {
        return Err(overtaken(seen.revision, stored.revision));
    }
    let message = format!(
        "Revision {} has another seal; load the run again",
        stored.revision
    );
    Err(Error::conflict(message, Vec::new()))
}

fn overtaken(seen: u64, stored: u64) -> Error {
    let message = format!("The run is at revision {stored}, not {seen}; load it again");
    Error::conflict(message, Vec::new())
}
