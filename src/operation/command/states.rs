//! Every state of a checkpoint that is kept.

use std::borrow::Cow;
use std::fmt::Write;

use crate::effect::Io;
use crate::error::{Advice, Code, Error, ErrorKind};
use crate::json::Object;
use crate::operation::{Settings, Target, Warnings};
use crate::store::{CommitMark, Document, RecordedContent, Revision, StoredDocument};

use super::run_store::RunStore;

/// The content of a state, or why it is unavailable.
pub(super) type State<'a> = Result<Cow<'a, Object>, Error>;

/// A revision, and what it holds.
pub(super) type RevisionContent<'a> = (u64, Cow<'a, Object>);

/// Every kept state, oldest first, the present one last. Each is read when it is asked for: few of a large document fit
/// into memory together, and most operations need two.
pub(super) struct States<'a> {
    store: Box<RunStore<'a>>,
    /// Those before the present one.
    revisions: Vec<Revision>,
    present: Option<Box<Document>>,
    /// The failure to read the present one, where it is corrupt.
    pub(super) corrupt: Option<Error>,
}

impl<'a> States<'a> {
    /// Lists the states, and reads the present one, with its warnings.
    pub(super) async fn open(
        io: &'a Io,
        settings: &'a Settings,
        target: &'a Target,
        warnings: &mut Warnings,
    ) -> Result<Self, Error> {
        let store = RunStore::open(io, settings, target).await?;
        let (stored, corrupt) = match store.read().await {
            Ok(stored) => (Some(stored), None),
            Err(error) if error.code() == Code::Corrupt => (None, Some(error)),
            Err(error) => return Err(error),
        };
        let mut states = States {
            revisions: store.versioned.revisions().await?,
            store,
            present: None,
            corrupt,
        };
        if let Some(StoredDocument {
            document: Some(document),
            has_side,
            ..
        }) = stored
        {
            let store = &states.store;
            store.expect_own(&document.object)?;
            store.notice(&document, has_side, warnings).await;
            let present = document.stamp.revision;
            states.revisions.retain(|it| it.number < present);
            states.present = Some(document);
        }
        match states.len() {
            0 => Err(states.none()),
            _ => Ok(states),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.revisions.len() + usize::from(self.present.is_some())
    }

    /// The revision of a state, and its mark.
    pub(super) fn revision(&self, at: usize) -> (u64, CommitMark) {
        match (self.revisions.get(at), &self.present) {
            (Some(revision), _) => (revision.number, revision.mark),
            (None, Some(document)) => (document.stamp.revision, document.stamp.mark()),
            (None, None) => (0, CommitMark::Change),
        }
    }

    /// Reads a state; `None` where it is gone, or is another checkpoint's.
    pub(super) async fn read(&self, at: usize) -> Option<State<'_>> {
        let Some(revision) = self.revisions.get(at) else {
            let present = self.present.as_ref()?;
            return Some(Ok(Cow::Borrowed(&present.object)));
        };
        match self.store.versioned.recorded(revision).await {
            // Names that differ in case only share a history.
            Ok(Some(RecordedContent::Whole(object))) if self.store.expect_own(&object).is_err() => {
                None
            }
            Ok(Some(RecordedContent::Whole(object))) => Some(Ok(Cow::Owned(object))),
            Ok(Some(RecordedContent::Altered)) => Some(Err(self.store.versioned.altered(revision))),
            // It says nothing about the others.
            Err(error) => Some(Err(error)),
            Ok(None) => None,
        }
    }

    /// The state of this revision.
    ///
    /// Fails with `not_found` where it is not kept, and with why it cannot be had, and which one can.
    pub(super) async fn find(&self, number: u64) -> Result<Cow<'_, Object>, Error> {
        match self.newest(number, number).await {
            (Some((_, object)), _) => Ok(object),
            (None, Some(bad)) => Err(self.suggest_nearest(bad, number).await),
            (None, None) => Err(ErrorKind::NotKept(number).into()),
        }
    }

    /// The newest state from one revision to another that can be read, and why the newest one that was
    /// passed over for it cannot.
    pub(super) async fn newest(
        &self,
        from: u64,
        to: u64,
    ) -> (Option<RevisionContent<'_>>, Option<Error>) {
        let mut passed: Option<(u64, Error)> = None;
        let mut found = None;
        for at in (0..self.len()).rev() {
            let (revision, _) = self.revision(at);
            if found.is_none() && (from..=to).contains(&revision) {
                match self.read(at).await {
                    Some(Ok(object)) => found = Some((revision, object)),
                    Some(Err(error)) => passed = passed.or(Some((revision, error))),
                    None => {}
                }
            }
        }
        let after = found.as_ref().map_or(0, |(revision, _)| *revision);
        let passed = passed.filter(|(passed, _)| *passed > after);
        (found, passed.map(|(_, error)| error))
    }

    /// The failure where there is no state.
    pub(super) fn none(&self) -> Error {
        let corrupt = self.corrupt.clone();
        corrupt.unwrap_or_else(|| Error::no_checkpoint(self.store.target))
    }

    /// The failure to read one revision, with the one to take instead: the newest good one before it, else the oldest
    /// after it.
    pub(super) async fn suggest_nearest(&self, error: Error, number: u64) -> Error {
        let mut nearest = None;
        for at in 0..self.len() {
            let (revision, _) = self.revision(at);
            let is_nearer = revision < number || revision > number && nearest.is_none();
            if is_nearer && matches!(self.read(at).await, Some(Ok(_))) {
                nearest = Some(revision);
            }
        }
        let Some(nearest) = nearest else {
            return error;
        };
        let mut kind = error.into_kind();
        if let ErrorKind::Corrupt { reason: said, .. }
        | ErrorKind::UnsafePath { message: said, .. }
        | ErrorKind::TooLarge { message: said, .. }
        | ErrorKind::Io { message: said, .. } = &mut kind
        {
            let _ = write!(said, "; the nearest good revision is {nearest}");
            let target = self.store.target.clone();
            return Error::from(kind).with_advice(Advice::Log(target));
        }
        kind.into()
    }
}
