//! Adding to the journal of an index.

use super::index::ManifestFolder;
use super::journal::Journal;
use super::part;
use super::tally::{Tally, TallyClaim};
use super::whole::corrupt;
use crate::effect::{Failed, Fault, PathKind, Sync};
use crate::error::{Error, Written};
use crate::store::location::Stem;

/// The result of adding a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Added {
    /// It counts: the claim to add to its tally.
    Yes(TallyClaim),
    /// Another one was faster.
    No,
    /// The journal is gone, and whether the line was in time is unknown.
    Unknown,
}

/// The journal as it is now, which was sound before; `None` where the file is gone.
async fn again(
    location: &ManifestFolder<'_>,
    name: &Stem,
    journal: &Journal,
) -> Result<Option<Journal>, Error> {
    let Some(bytes) = part::read(location, name, &journal.part).await? else {
        return Ok(None);
    };
    // The earlier claims were there before.
    let none = Tally::default();
    let tally = journal.has_tally.then_some(&none);
    match Journal::read(&journal.part, &bytes, tally) {
        Ok(now) => Ok(Some(now)),
        Err(reason) => Err(corrupt(location, name, &journal.part, reason)),
    }
}

/// Adds a line, durably, and claims it; `writer` is unique, and used once.
pub(super) async fn add(
    location: &ManifestFolder<'_>,
    name: &Stem,
    journal: &Journal,
    writer: &str,
    text: &[u8],
) -> Result<Added, Error> {
    let sync = location.layout.durability;
    let failed = match append(location, name, journal, writer, text, sync).await {
        Ok(added) => {
            let added = added?;
            if let Added::Yes(claim) = &added {
                claim_in_tally(location, name, journal, claim).await;
            }
            return Ok(added);
        }
        Err(failed) if failed.fault == Fault::NotFound => return Ok(Added::No),
        Err(failed) => failed,
    };
    let error = location
        .inner(name)
        .error("write", &journal.part.file(), &failed);
    let Ok(Some(now)) = again(location, name, journal).await else {
        return Err(error.with_written(Written::Unknown));
    };
    // A line that a failed sync left may not be on a disk, and a line after it would be lost with
    // it.
    if !now.is_closed {
        let _ = append(location, name, &now, writer, &[], Sync::Lazy).await;
    }
    Err(error.with_written(match now.has(writer) {
        true => Written::Yes,
        false => Written::No,
    }))
}

/// Adds a claim to the tally of a journal, where it has one. If that fails, the line is there all the same, and
/// unclaimed until the next change, whose claim is about both.
pub(super) async fn claim_in_tally(
    location: &ManifestFolder<'_>,
    name: &Stem,
    journal: &Journal,
    claim: &TallyClaim,
) {
    if !journal.has_tally {
        return;
    }
    let tally = journal.part.tally();
    let path = location.inner(name).host(&tally.file());
    let line = claim.line(&tally.token);
    let _ = location.io.append(path, line, Sync::Lazy).await;
}

/// Adds the line after which no other one counts; whether it does itself. It need not be durable: what is
/// committed next has all that came before it, and the sync of another line covers it.
pub(super) async fn close(
    location: &ManifestFolder<'_>,
    name: &Stem,
    journal: &Journal,
    writer: &str,
) -> Result<bool, Error> {
    if journal.is_closed {
        return Ok(true);
    }
    match append(location, name, journal, writer, &[], Sync::Lazy).await {
        Ok(added) => Ok(matches!(added?, Added::Yes(_))),
        Err(failed) if failed.fault == Fault::NotFound => Ok(false),
        Err(failed) => {
            let file = journal.part.file();
            Err(location.inner(name).error("write", &file, &failed))
        }
    }
}

/// Makes the lines durable that others have added, and claims them; `false` where the journal is gone.
pub(super) async fn make_durable(
    location: &ManifestFolder<'_>,
    name: &Stem,
    journal: &Journal,
) -> Result<bool, Error> {
    let (inner, file) = (location.inner(name), journal.part.file());
    let sync = location.layout.durability;
    let nothing = location.io.append(inner.host(&file), Vec::new(), sync);
    match nothing.await {
        Ok(()) => {
            if let Some(claim) = journal.unclaimed(sync) {
                claim_in_tally(location, name, journal, &claim).await;
            }
            Ok(true)
        }
        Err(failed) if failed.fault == Fault::NotFound => Ok(false),
        Err(failed) => Err(inner.error("sync", &file, &failed)),
    }
}

/// The outer failure is that of the host, while it adds; the inner one comes after that.
async fn append(
    location: &ManifestFolder<'_>,
    name: &Stem,
    journal: &Journal,
    writer: &str,
    text: &[u8],
    sync: Sync,
) -> Result<Result<Added, Error>, Failed> {
    let (inner, file) = (location.inner(name), journal.part.file());
    let line = journal.line(writer, text);
    let size = (journal.size + line.bytes.len()) as u64;
    location
        .io
        .append(inner.host(&file), line.bytes, sync)
        .await?;
    let next = journal.claim_next(line.digest, sync);
    Ok(find(location, name, journal, writer, size, next).await)
}

/// Looks whether a line counts that was added, after which the file is so large if it is the last one, and then
/// `next` is its claim. A file that is gone by then may have been gone before, as a name that another process had
/// opened.
async fn find(
    location: &ManifestFolder<'_>,
    name: &Stem,
    journal: &Journal,
    writer: &str,
    size: u64,
    next: TallyClaim,
) -> Result<Added, Error> {
    let unknown = |error: Error| error.with_written(Written::Unknown);
    let inner = location.inner(name);
    let path = inner.shown(&journal.part.file());
    let entries = inner.inspect(location.io, &[path]).await.map_err(unknown)?;
    if entries
        .iter()
        .any(|it| it.kind == PathKind::File && it.size == size)
    {
        return Ok(Added::Yes(next));
    }
    let now = again(location, name, journal).await.map_err(unknown)?;
    Ok(match now {
        None => Added::Unknown,
        Some(now) => match now.claim_of(writer, next.sync) {
            Some(claim) => Added::Yes(claim),
            None => Added::No,
        },
    })
}
