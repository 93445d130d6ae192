//! A revision from history in the place of a document that cannot be read, or that nothing else can
//! change.
//!
//! It is a commit as any other: what stands there is the base, read again after every other token
//! was revoked, and the revision that is written is a new one. Only what it replaces is different:
//! corrupt bytes, which a copy in quarantine keeps, or nothing at all.

use crate::error::Error;

use crate::store::keep::{Accept, History, RetentionPolicy, RevisionChoice};
use crate::store::location::{AccessPurpose, inspect};
use crate::store::read::{DocumentFileContent, DocumentReader, check_size, content};

use super::next_revision::{NextRevision, Recovery, RecoveryAttempt, sound};
use super::update::{Committed, write};

/// A recovered document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecoveredDocument {
    /// The stored state.
    pub committed: Box<Committed>,
    /// The revision that it has the content of.
    pub from: u64,
    /// The place of the corrupt original, as messages show paths; `None` without one.
    pub quarantined: Option<String>,
}

/// See [`super::VersionedDocument::recover`].
pub(in crate::store) async fn recover(
    reader: &DocumentReader<'_>,
    policy: RetentionPolicy,
    choice: RevisionChoice,
    accept: &mut Accept<'_>,
) -> Result<RecoveredDocument, Error> {
    let DocumentReader { io, folder, paths } = reader;
    let state = inspect(io, folder, paths, AccessPurpose::Writing).await?;
    check_size(folder, paths, state.document.size)?;
    // Looked at first, so that folders are made only where there is something to recover.
    let history = History { reader };
    match content(reader, history.listed(state.has_side).await).await? {
        DocumentFileContent::Document(document) if !(policy.is_lost)(&document.object) => {
            return Err(sound(reader, &document));
        }
        DocumentFileContent::Absent if history.stored().await?.is_empty() => {
            return Err(Error::not_found(format!(
                "{} does not exist, and no revision of it is kept",
                reader.shown()
            )));
        }
        DocumentFileContent::Document(_)
        | DocumentFileContent::Absent
        | DocumentFileContent::Corrupt { .. } => {}
    }
    let mut taken = RecoveryAttempt::default();
    let recovery = Recovery {
        choice,
        accept,
        taken: &mut taken,
    };
    let committed = write(reader, policy, &state, NextRevision::Recover(recovery)).await?;
    let RecoveryAttempt { from, quarantined } = taken;
    Ok(RecoveredDocument {
        committed,
        from,
        quarantined,
    })
}
