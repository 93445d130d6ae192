//! Adding to the journal of an index, and reading an index with it.

use super::index::{Place, State};
use super::journal::Journal;
use super::name::PartName;
use super::part;
use crate::effect::{Failed, Fault, Kind, Sync};
use crate::error::{Error, Written};
use crate::store::place::Stem;

/// Each look that finds a journal gone was overtaken by a commit.
const LOOKS: u32 = 100;

/// What became of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Added {
    /// It counts.
    Yes,
    /// Another one was faster.
    No,
    /// The journal is gone, and whether the line was in time is unknown.
    Unknown,
}

/// The index of a document with its journal.
pub(super) async fn whole(place: &Place<'_>, name: &Stem) -> Result<Option<State>, Error> {
    let mut missed = None;
    for _ in 0..LOOKS {
        let Some(mut state) = place.read(name).await? else {
            return Ok(None);
        };
        let Some(index) = &mut state.index else {
            return Ok(Some(state));
        };
        let Some(part) = index.journal_part() else {
            return Ok(Some(state));
        };
        if missed.as_ref() == Some(&part) {
            // No token comes back, so that it was named all the time.
            let path = place.folder.shown(&part::below(place, name, &part));
            let reason = format!(
                "the index of {} names it, and it is not there",
                name.as_str()
            );
            return Err(Error::corrupt(path, reason, None));
        }
        if let Some(journal) = read(place, name, &part).await? {
            index.journal = Some(journal);
            return Ok(Some(state));
        }
        missed = Some(part);
    }
    Err(Error::busy(place.folder.shown(name.as_str())))
}

/// The journal as it is now; `None` where the file is gone.
async fn read(place: &Place<'_>, name: &Stem, part: &PartName) -> Result<Option<Journal>, Error> {
    let Some(bytes) = part::read(place, name, part).await? else {
        return Ok(None);
    };
    match Journal::read(part, &bytes) {
        Some(journal) => Ok(Some(journal)),
        None => {
            let path = place.folder.shown(&part::below(place, name, part));
            let reason = "a line of it is damaged, and others come after it".to_owned();
            Err(Error::corrupt(path, reason, None))
        }
    }
}

/// Adds a line, durably; `writer` is nobody else's, and used once.
pub(super) async fn add(
    place: &Place<'_>,
    name: &Stem,
    journal: &Journal,
    writer: &str,
    text: &[u8],
) -> Result<Added, Error> {
    let sync = place.layout.durability;
    let failed = match append(place, name, journal, writer, text, sync).await {
        Ok(added) => return added,
        Err(failed) if failed.fault == Fault::NotFound => return Ok(Added::No),
        Err(failed) => failed,
    };
    let error = place
        .inner(name)
        .error("write", &journal.part.file(), &failed);
    let Ok(Some(now)) = read(place, name, &journal.part).await else {
        return Err(error.with_written(Written::Unknown));
    };
    // What a failed sync left is on no disk, perhaps, and what came after it would be lost with it.
    if !now.is_closed {
        let _ = append(place, name, &now, writer, &[], Sync::Lazy).await;
    }
    Err(error.with_written(match now.has(writer) {
        true => Written::Yes,
        false => Written::No,
    }))
}

/// Adds the line after which no other one counts; whether it does itself. It need not be durable: what is
/// committed next has all that came before it, and whoever adds another line syncs it along.
pub(super) async fn close(
    place: &Place<'_>,
    name: &Stem,
    journal: &Journal,
    writer: &str,
) -> Result<bool, Error> {
    if journal.is_closed {
        return Ok(true);
    }
    match append(place, name, journal, writer, &[], Sync::Lazy).await {
        Ok(added) => Ok(added? == Added::Yes),
        Err(failed) if failed.fault == Fault::NotFound => Ok(false),
        Err(failed) => {
            let file = journal.part.file();
            Err(place.inner(name).error("write", &file, &failed))
        }
    }
}

/// Makes the lines durable that others have added; `false` where the journal is gone.
pub(super) async fn make_durable(
    place: &Place<'_>,
    name: &Stem,
    journal: &Journal,
) -> Result<bool, Error> {
    let (inner, file) = (place.inner(name), journal.part.file());
    let nothing = place
        .io
        .append(inner.host(&file), Vec::new(), place.layout.durability);
    match nothing.await {
        Ok(()) => Ok(true),
        Err(failed) if failed.fault == Fault::NotFound => Ok(false),
        Err(failed) => Err(inner.error("sync", &file, &failed)),
    }
}

/// The outer failure is that of the host, while it adds; the inner one comes after that.
async fn append(
    place: &Place<'_>,
    name: &Stem,
    journal: &Journal,
    writer: &str,
    text: &[u8],
    sync: Sync,
) -> Result<Result<Added, Error>, Failed> {
    let (inner, file) = (place.inner(name), journal.part.file());
    let line = journal.line(writer, text);
    let size = (journal.size + line.len()) as u64;
    place.io.append(inner.host(&file), line, sync).await?;
    Ok(find(place, name, journal, writer, size).await)
}

/// Looks whether a line counts that was added, after which the file is so large if nobody else was faster. A
/// file that is gone by then may have been gone before, as a name that another process had opened.
async fn find(
    place: &Place<'_>,
    name: &Stem,
    journal: &Journal,
    writer: &str,
    size: u64,
) -> Result<Added, Error> {
    let unknown = |error: Error| error.with_written(Written::Unknown);
    let inner = place.inner(name);
    let path = inner.shown(&journal.part.file());
    let entries = inner.inspect(place.io, &[path]).await.map_err(unknown)?;
    if entries
        .iter()
        .any(|it| it.kind == Kind::File && it.size == size)
    {
        return Ok(Added::Yes);
    }
    let now = read(place, name, &journal.part).await.map_err(unknown)?;
    Ok(match now {
        None => Added::Unknown,
        Some(now) if now.has(writer) => Added::Yes,
        Some(_) => Added::No,
    })
}
