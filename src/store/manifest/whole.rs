//! Reading an index with its journal, and the damage of both.

use super::index::{ManifestFolder, ManifestIndex, ManifestState};
use super::journal::Journal;
use super::name::PartName;
use super::tally::Tally;
use super::{part, state};
use crate::error::{Code, Error};
use crate::store::location::Stem;

/// Each look that finds a journal gone was overtaken by a commit.
const READ_ATTEMPTS: u32 = 100;

/// The journal of an index, as far as it can be read.
pub(super) enum JournalReading {
    /// The index has none.
    Without,
    /// It is as it should be, or as a loss of power may leave it.
    Whole(Box<Journal>),
    /// This file of it is not there.
    Missing(PartName),
    /// It is something else.
    Damaged(Damaged),
}

/// A journal that cannot be read.
pub(super) struct Damaged {
    part: PartName,
    bytes: Vec<u8>,
    reason: String,
}

/// The treatment of a journal that is damaged, before the failure is returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OnDamage {
    /// Nothing: it is only read.
    Leave,
    /// A copy is kept in quarantine.
    Keep,
}

/// The index of a document with its journal.
pub(super) async fn whole(
    location: &ManifestFolder<'_>,
    name: &Stem,
    on_damage: OnDamage,
) -> Result<Option<ManifestState>, Error> {
    let mut missed = None;
    for _ in 0..READ_ATTEMPTS {
        let Some(mut state) = state::read(location, name).await? else {
            return Ok(None);
        };
        let Some(index) = &mut state.index else {
            return Ok(Some(state));
        };
        match reading(location, name, index).await? {
            JournalReading::Without => return Ok(Some(state)),
            JournalReading::Whole(journal) => {
                index.journal = Some(*journal);
                return Ok(Some(state));
            }
            JournalReading::Missing(part) if missed.as_ref() == Some(&part) => {
                // No token comes back, so that it was named all the time.
                let reason = format!(
                    "the index of {} names it, and it is not there",
                    name.as_str()
                );
                return Err(corrupt(location, name, &part, reason));
            }
            JournalReading::Missing(part) => missed = Some(part),
            JournalReading::Damaged(damaged) => {
                return Err(refused(location, name, damaged, on_damage).await);
            }
        }
    }
    Err(Error::busy(location.folder.shown(name.as_str())))
}

/// The journal of an index as it is now.
pub(super) async fn reading(
    location: &ManifestFolder<'_>,
    name: &Stem,
    index: &ManifestIndex,
) -> Result<JournalReading, Error> {
    let Some(part) = index.journal_part() else {
        return Ok(JournalReading::Without);
    };
    // The tally first: what it claims is in the journal by then.
    let mut tally = None;
    if let Some(beside) = index.tally_part() {
        let Some(bytes) = part::read(location, name, &beside).await? else {
            return Ok(JournalReading::Missing(beside));
        };
        tally = Some(Tally::read(&beside.token, &bytes));
    }
    let Some(bytes) = part::read(location, name, &part).await? else {
        return Ok(JournalReading::Missing(part));
    };
    Ok(match Journal::read(&part, &bytes, tally.as_ref()) {
        Ok(journal) => JournalReading::Whole(Box::new(journal)),
        Err(reason) => JournalReading::Damaged(Damaged {
            part,
            bytes,
            reason,
        }),
    })
}

/// The failure to use a damaged journal. If a copy cannot be kept, the failure says so too.
async fn refused(
    location: &ManifestFolder<'_>,
    name: &Stem,
    damaged: Damaged,
    on_damage: OnDamage,
) -> Error {
    let mut reason = damaged.reason;
    if on_damage == OnDamage::Keep {
        match keep(location, name, &damaged.part, &damaged.bytes).await {
            Ok(Some(copy)) => reason = format!("{reason}; a copy is kept as {copy}"),
            Ok(None) => {}
            Err(error) if error.code() == Code::UnsafePath => return error,
            Err(error) => reason = format!("{reason}; no copy was kept: {error}"),
        }
    }
    corrupt(location, name, &damaged.part, reason)
}

/// The failure to use a part of a document.
pub(super) fn corrupt(
    location: &ManifestFolder<'_>,
    name: &Stem,
    part: &PartName,
    reason: String,
) -> Error {
    let path = location.folder.shown(&part::below(location, name, part));
    Error::corrupt(path, reason, None)
}

/// Keeps a durable copy of the bytes of a part in quarantine; returns where, and `None` where there is nothing to
/// keep.
pub(super) async fn keep(
    location: &ManifestFolder<'_>,
    name: &Stem,
    part: &PartName,
    bytes: &[u8],
) -> Result<Option<String>, Error> {
    if bytes.is_empty() {
        return Ok(None);
    }
    let copy = location
        .versioned_document(name)?
        .quarantine(&part.label(), bytes)
        .await?;
    Ok(Some(copy))
}
