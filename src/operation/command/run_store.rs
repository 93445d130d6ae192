//! The context of every operation on one run: its names, its place and its time.

use std::cell::{Cell, RefCell};
use std::ops::Deref;

use crate::checkpoint::command::document::{Draft, RunDocument, check_version, is_changeable};
use crate::checkpoint::command::gate;
use crate::checkpoint::command::heartbeat::is_heartbeat;
use crate::checkpoint::command::restores::{changed, restored_by, restoring};
use crate::checkpoint::command::tombstone::{is_tombstone, unfinished_rename};
use crate::effect::{Io, boxed};
use crate::error::{Advice, Code, Error, Warning, WarningCode};
use crate::json::{Json, Object};
use crate::schema::Problem;
use crate::store::{
    Change, CommitMark, Committed, Current, Decide, Document, DocumentWrite, Origin, Revision,
    Stamp, StoredDocument, VersionedDocument,
};
use crate::time;

use crate::operation::secrets::{self, Gate, SecretNames};
use crate::operation::workspace::Workspace;
use crate::operation::{Settings, Target, Warnings};
use crate::root::{self, Head};

use super::deleted::deleted;
use super::names::{self, expect_own, versioned_document};
use super::unfinished;

/// No writer waits longer for others, with time to spare.
const WAITED_MS: f64 = 10_000.0;

/// One checkpoint at its place. The names are valid.
pub(in crate::operation) struct RunStore<'a> {
    workspace: Workspace<'a>,
    pub(in crate::operation) versioned: VersionedDocument<'a>,
    pub(in crate::operation) target: &'a Target,
    /// Set where the latest try met a rename that is still to be finished.
    met_rename: Cell<bool>,
    /// Set where that rename cannot be finished.
    is_hopeless: Cell<bool>,
    /// The problems that the latest try left as they were stored.
    pub(in crate::operation) left: RefCell<Vec<Problem>>,
    /// The gate that every change passes.
    pub(in crate::operation) gate: Gate,
}

impl<'a> Deref for RunStore<'a> {
    type Target = Workspace<'a>;

    fn deref(&self) -> &Workspace<'a> {
        &self.workspace
    }
}

impl<'a> RunStore<'a> {
    /// Checks the names, then finds the place.
    pub(in crate::operation) async fn open(
        io: &'a Io,
        settings: &'a Settings,
        target: &'a Target,
    ) -> Result<Box<Self>, Error> {
        // An invalid name touches no file.
        names::stem(target)?;
        RunStore::at(Workspace::open(io, settings).await?, target).await
    }

    /// Opens it in a workspace whose root is found already.
    pub(in crate::operation) async fn at(
        workspace: Workspace<'a>,
        target: &'a Target,
    ) -> Result<Box<Self>, Error> {
        let stem = names::stem(target)?;
        let Workspace { io, settings, .. } = workspace;
        names::expect_command(io, &workspace.root, &target.command).await?;
        let folder = root::state_folder(&workspace.root, settings)?;
        Ok(Box::new(RunStore {
            workspace,
            versioned: versioned_document(io, &folder, &stem, settings),
            target,
            met_rename: Cell::new(false),
            is_hopeless: Cell::new(false),
            left: RefCell::default(),
            gate: Gate::default(),
        }))
    }

    /// Refuses to begin a checkpoint where its place is a guess; see [`root::expect_known`]. Nor is one begun under a
    /// name that holds a secret.
    pub(in crate::operation) async fn expect_known_place(&self) -> Result<(), Error> {
        secrets::expect_feature(self.target.feature.as_deref())?;
        self.workspace.expect_known(self.versioned.folder()).await
    }

    /// The document's path, as messages show it.
    pub(in crate::operation) fn shown(&self) -> String {
        self.versioned.shown()
    }

    /// Refuses a document that belongs to another checkpoint.
    pub(in crate::operation) fn expect_own(&self, object: &Object) -> Result<(), Error> {
        expect_own(self.target, object, &self.shown())
    }

    /// Reads the checkpoint; a rename that was left unfinished is finished first.
    pub(in crate::operation) async fn read(&self) -> Result<StoredDocument, Error> {
        loop {
            let stored = match self.versioned.read().await {
                Ok(stored) => stored,
                Err(error) => return Err(self.rooted(error).await),
            };
            match &stored.tombstone {
                Some(document) if unfinished_rename(&document.object).is_some() => {
                    let Workspace { io, settings, .. } = self.workspace;
                    let versioned = &self.versioned;
                    match boxed(unfinished::finish(
                        io,
                        settings,
                        versioned,
                        self.target,
                        document,
                    ))
                    .await
                    {
                        // The name is taken, so that the checkpoint is back here.
                        Err(error) if error.code() == Code::Conflict => {}
                        // The revision that it replaced is not kept any more.
                        Err(error) if error.code() == Code::NotFound => return Ok(stored),
                        finished => finished?,
                    }
                }
                _ => {
                    if stored.document.is_none() && !stored.has_side {
                        self.expect_root().await?;
                    }
                    return Ok(stored);
                }
            }
        }
    }

    /// The failure, or that the root does not exist, where that may be why.
    #[cold]
    async fn rooted(&self, error: Error) -> Error {
        self.workspace.rooted(self.versioned.folder(), error).await
    }

    /// Refuses a root that does not exist, where something is missing.
    pub(in crate::operation) async fn expect_root(&self) -> Result<(), Error> {
        self.workspace.expect_root(self.versioned.folder()).await
    }

    /// Refuses to write over a document of another checkpoint, or of a higher version, and over a rename that is still
    /// to be finished.
    pub(in crate::operation) fn expect_own_current(
        &self,
        current: &Current<'_>,
    ) -> Result<(), Error> {
        if let Some(document) = current.tombstone {
            self.expect_own(&document.object)?;
            let is_unfinished = unfinished_rename(&document.object).is_some();
            let is_unfinished = is_unfinished && !self.is_hopeless.get();
            self.met_rename.set(is_unfinished);
            return match is_unfinished {
                true => Err(Error::busy(self.shown())),
                false => Ok(()),
            };
        }
        let Some(document) = current.document else {
            return Ok(());
        };
        self.expect_own(&document.object)?;
        check_version(&document.object)
    }

    /// Warns of what parsing a document showed.
    pub(in crate::operation) async fn notice(
        &self,
        document: &Document,
        had_side: bool,
        warnings: &mut Warnings,
    ) {
        let path = self.shown();
        warnings.reading(
            &path,
            document.duplicate_key.as_deref(),
            document.text_replaced,
        );
        if document.origin == Origin::Edited {
            warnings.warn(
                WarningCode::EditedByHand,
                format!(
                    "{path} was changed by hand; it counts as revision {}",
                    document.stamp.revision
                ),
            );
        }
        if self.is_tracked(&path, had_side).await {
            warnings.tracked(&path);
        }
    }

    /// Returns whether git tracks the document. A side folder proves nothing, for it can be tracked too; where the
    /// index cannot be read, it is all there is to go by.
    async fn is_tracked(&self, path: &str, had_side: bool) -> bool {
        let folder = self.versioned.folder();
        let tracked = self.workspace.tracks_state(folder, path).await;
        tracked.unwrap_or(!had_side)
    }

    /// The current HEAD, with a warning where there is one that cannot be read.
    pub(in crate::operation) async fn head(&self, warnings: &mut Warnings) -> Head {
        let head = root::head(self.io, &self.root).await;
        if let Head::Unreadable(why) = &head {
            warnings.warn(WarningCode::HeadUnreadable, why.as_str());
        }
        head
    }

    /// The time and HEAD that a change is made at.
    pub(in crate::operation) async fn moment(
        &self,
        warnings: &mut Warnings,
    ) -> Result<Moment, Error> {
        Ok(Moment {
            now: self.now().await?,
            head: self.head(warnings).await,
        })
    }

    /// The time, as documents have it.
    pub(in crate::operation) async fn now(&self) -> Result<String, Error> {
        Ok(time::format(self.io.now().await?.wall_ms))
    }

    /// A kept revision as a document to write, which says what it restores.
    pub(in crate::operation) fn restorable(
        &self,
        revision: &Revision,
        object: Object,
        now: &str,
    ) -> Result<Object, Error> {
        self.expect_own(&object)?;
        if is_tombstone(&object) {
            return Err(Error::not_found(
                "The checkpoint was not here at that revision".to_owned(),
            ));
        }
        // A document that was edited by hand is no copy of another revision, regardless of what it says.
        let restored = restored_by(&object).filter(|_| revision.is_seal_of(&object));
        let mut object = restoring(object, restored.unwrap_or(revision.number));
        self.gate.pass(&mut object, &[], SecretNames::Allowed)?;
        object.remove("revision");
        object.remove("seal");
        object.set("updated_at", now);
        // Problems that it had when it was stored do not keep it from coming back, as long as something can be changed
        // in it.
        let stored = is_changeable(&object).then(|| object.clone());
        let (checkpoint, left) =
            Draft::from(object).check_since(&[&self.target.command], stored.as_ref().as_slice())?;
        self.left.replace(left);
        Ok(checkpoint.into_object())
    }

    /// Checks what rules made of `current`, without its secrets, and writes time and HEAD into it. A problem
    /// that these documents have as well stays.
    pub(in crate::operation) fn sign(
        &self,
        moment: &Moment,
        mut next: Draft,
        current: &Current<'_>,
        before: &[&Object],
    ) -> Result<Change, Error> {
        self.gate
            .pass(next.as_object_mut(), before, SecretNames::Refused)?;
        let (next, left) = next.check_since(&[&self.target.command], before)?;
        self.left.replace(left);
        Ok(moment.date(next, current))
    }

    /// Warns of problems that were left as they were stored.
    pub(in crate::operation) fn notice_left(&self, warnings: &mut Warnings) {
        warnings.left(&self.shown(), &self.left.borrow());
    }

    /// Takes the secrets out of a whole document that replaces the stored one.
    ///
    /// # Errors
    ///
    /// Those of [`Gate::pass`].
    pub(in crate::operation) async fn hide_in(&self, document: &mut Object) -> Result<(), Error> {
        let mut hidden = document.clone();
        let mut passed = self.gate.pass(&mut hidden, &[], SecretNames::Refused);
        if self.gate.needs_allowed() {
            self.gate.load_allowed(self.io, &self.root).await;
            hidden = document.clone();
            passed = self.gate.pass(&mut hidden, &[], SecretNames::Refused);
        }
        passed?;
        *document = hidden;
        Ok(())
    }

    /// Commits what `decide` makes of the checkpoint, as [`VersionedDocument::update`] does; a rename that it meets
    /// is finished first.
    pub(in crate::operation) async fn commit(
        &self,
        base: Option<&Stamp>,
        decide: &mut Decide<'_>,
    ) -> Result<Box<Committed>, Error> {
        loop {
            self.met_rename.set(false);
            let updated = match self.versioned.update(base, decide).await {
                Err(_) if self.gate.needs_allowed() => {
                    self.gate.load_allowed(self.io, &self.root).await;
                    continue;
                }
                Err(error) => Err(self.rooted(error).await),
                updated => updated,
            };
            if !self.met_rename.get() || updated.is_ok() {
                return updated;
            }
            // Where what it replaced is lost, the rename is of nothing, and is written over.
            let left = self.read().await?.tombstone;
            let is_hopeless = |it: Box<Document>| unfinished_rename(&it.object).is_some();
            self.is_hopeless.set(left.is_some_and(is_hopeless));
        }
    }

    /// Updates, with the warnings of a change.
    pub(in crate::operation) async fn update(
        &self,
        base: Option<&Stamp>,
        decide: &mut Decide<'_>,
        head: &Head,
        warnings: &mut Warnings,
    ) -> Result<Box<Committed>, Error> {
        let committed = self.commit(base, decide).await?;
        if let Some(before) = &committed.before {
            self.notice(before, committed.had_side, warnings).await;
        }
        self.notice_left(warnings);
        self.gate.notice(&self.shown(), warnings);
        // The number of the first commit of all is 1.
        if committed.before.is_none() && committed.stamp.revision > 1 {
            let gone = deleted(self.target, None);
            let message = format!("{gone}; this change began a new run");
            let advice = Some(Advice::Undo(self.target.clone()));
            warnings.add(Warning::new(WarningCode::Vanished, message).with_advice(advice));
        }
        let commit = committed.object.get("head_commit").and_then(Json::as_str);
        if *head == Head::OutOfSight && committed.changed && commit.is_some() {
            warnings.warn(
                WarningCode::HeadUnreadable,
                "No .git is visible to this program, so head_commit keeps its value",
            );
        }
        Ok(committed)
    }
}

fn stored_head<'a>(current: &Current<'a>) -> Option<&'a Json> {
    current.document?.object.get("head_commit")
}

/// Commits what follows `current`: as a heartbeat where it only renews the time.
pub(in crate::operation) fn change(next: Object, current: &Current<'_>) -> Change {
    // A document that a hand wrote is no copy of another revision, and the note that it is one goes.
    let has_note = |document: &Document| {
        document.origin != Origin::Store && restored_by(&document.object).is_some()
    };
    let renews = |document: &Document| is_heartbeat(&document.object, &next) && !has_note(document);
    match current.document.is_some_and(renews) {
        true => Change::Write(DocumentWrite {
            mark: CommitMark::Heartbeat,
            ..DocumentWrite::new(next)
        }),
        false => Change::write(changed(next)),
    }
}

/// The time and the commit at which a change is made.
pub(in crate::operation) struct Moment {
    pub(in crate::operation) now: String,
    pub(in crate::operation) head: Head,
}

/// Now; or the stored time where that is a little later, because this writer looked at the clock
/// before it waited for another one. A stored time far ahead is a wrong clock's.
pub(in crate::operation) fn updated_at<'a>(now: &'a str, current: &Current<'a>) -> &'a str {
    let stored = current
        .document
        .and_then(|document| document.object.get("updated_at")?.as_str());
    let moment = |text| time::parse(text).map(time::Time::wall_ms);
    match (stored, stored.and_then(moment), moment(now)) {
        (Some(stored), Some(then), Some(now)) if (0.0..WAITED_MS).contains(&(then - now)) => stored,
        _ => now,
    }
}

/// The failure of a change that something stored stands in the way of.
#[cold]
pub(in crate::operation) fn unchangeable(error: Error, target: &Target) -> Error {
    error.with_advice(Advice::Restore(target.clone()))
}

impl Moment {
    /// Writes time and HEAD into what follows `current`.
    pub(in crate::operation) fn date(&self, next: RunDocument, current: &Current<'_>) -> Change {
        let head_commit = match &self.head {
            Head::Commit(commit) => Some(Json::from(commit.as_str())),
            Head::NoRepository | Head::Unborn => Some(Json::Null),
            Head::OutOfSight => Some(stored_head(current).cloned().unwrap_or(Json::Null)),
            Head::Unreadable(_) => stored_head(current).cloned(),
        };
        let next = next.saved_at(updated_at(&self.now, current), head_commit);
        let mut next = next.into_object();
        let before = current.document.map(|document| &document.object);
        gate::record(&mut next, before, self.head.commit());
        change(next, current)
    }
}
