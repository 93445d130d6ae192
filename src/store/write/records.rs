//! Committing on a host that swaps records by itself: one effect, in which the replaced revision is
//! kept as well.

use crate::effect::{Failed, Fault, SideWrite, Swap};
use crate::error::Error;
use crate::store::keep::{History, PRUNE_EVERY, copy_name, surplus};
use crate::store::read::{DocumentFileContent, DocumentReader, Revision, Stamp};

use super::commit::Commit;
use super::next_revision::Keep;

/// The record that takes the place of the one that was found.
pub(super) struct NextRecord<'a> {
    pub(super) stamp: &'a Stamp,
    pub(super) bytes: Vec<u8>,
    pub(super) keeps: Keep,
    pub(super) side_writes: Vec<SideWrite>,
}

/// Swaps what was found. `false`: another writer was faster, or has put there what must be new.
#[inline(never)]
pub(super) async fn swap(
    commit: &Commit<'_>,
    base: &DocumentFileContent,
    next: NextRecord<'_>,
) -> Result<bool, Error> {
    let NextRecord {
        stamp,
        bytes,
        keeps,
        mut side_writes,
    } = next;
    let DocumentReader { io, folder, paths } = commit.reader;
    let (expected, keep) = match base {
        DocumentFileContent::Absent => (None, None),
        DocumentFileContent::Corrupt { bytes, .. } => (Some(bytes.clone()), Some(copy_name(bytes))),
        DocumentFileContent::Document(document) if keeps.is_nothing() => {
            (Some(document.bytes.clone()), None)
        }
        DocumentFileContent::Document(document) => {
            let replaced = Revision::of(&document.stamp).file();
            (Some(document.bytes.clone()), Some(replaced))
        }
    };
    if !keeps.is_nothing() && stamp.revision.is_multiple_of(PRUNE_EVERY) {
        let history = History {
            reader: commit.reader,
        };
        let revisions = history.revisions().await?;
        let surplus = surplus(&history, &revisions, commit.policy).await?;
        let names = surplus.iter().map(|revision| revision.file());
        let records = names.map(|name| folder.host(&paths.entry(&name)));
        side_writes.extend(records.map(SideWrite::removed));
    }
    let swap = Swap {
        record: folder.host(&paths.document),
        expected,
        bytes: Some(bytes),
        keep,
        side_writes,
    };
    match io.swap_record(swap).await {
        Ok(()) => Ok(true),
        Err(Failed {
            fault: Fault::Changed,
            ..
        }) => Ok(false),
        Err(failed) => commit.is_stored_though(stamp, &failed, base, keeps).await,
    }
}
