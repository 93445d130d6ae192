//! A revision from history in the place of a document that cannot be read.
//!
//! It is a commit as any other: what stands there is the base, read again after every other token
//! was revoked, and the revision that is written is a new one. Only what it replaces is different:
//! corrupt bytes, which a copy in quarantine keeps, or nothing at all.

use crate::effect::{Io, Sync};
use crate::error::Error;

use super::document::{Content, Reader, check_size};
use super::folder::Folder;
use super::history::{Accept, History, Wanted};
use super::paths::Paths;
use super::update::{Aim, Change, Committed, write};
use super::{Document, Name};

/// A recovered document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recovered {
    /// What is stored now.
    pub committed: Box<Committed>,
    /// The revision that it has the content of.
    pub from: u64,
    /// Where the corrupt original is kept, as messages show paths; `None` where there was none.
    pub quarantined: Option<String>,
}

/// Writes the revision that is wanted, as `accept` made it, in the place of a document that is
/// corrupt, or absent though it has a history. What is corrupt is first kept, durably, in
/// quarantine. `accept` runs once per revision that is looked at, in every try.
///
/// # Errors
///
/// [`Error::not_found`] when the document can be read, when nothing was ever stored, and when no
/// revision is left to take; for a revision wanted by its number as [`super::pick`]; as
/// [`super::update`] otherwise. Nothing was written, except where [`Error::io`] says that the
/// outcome is unknown or that the commit could not be made durable.
pub async fn recover(
    io: &Io,
    folder: &Folder,
    name: &Name,
    sync: Sync,
    wanted: Wanted,
    accept: &mut Accept<'_>,
) -> Result<Recovered, Error> {
    let paths = Paths::new(name);
    let reader = Reader {
        io,
        folder,
        paths: &paths,
    };
    let standing = folder.look(io, &paths).await?;
    check_size(folder, &paths, standing.document.size)?;
    // Looked at first, so that folders are made only where there is something to recover.
    match reader.content(standing.has_side).await? {
        Content::Document(document) => return Err(sound(&reader, &document)),
        Content::Absent if (History { reader: &reader }).kept().await?.is_empty() => {
            return Err(Error::not_found(format!(
                "{} does not exist, and no revision of it is kept",
                reader.shown()
            )));
        }
        Content::Absent | Content::Corrupt { .. } => {}
    }
    let mut taken = Taken::default();
    let recovery = Recovery {
        wanted,
        accept,
        taken: &mut taken,
    };
    let committed = write(&reader, sync, &standing, Aim::Recover(recovery)).await?;
    let Taken { from, quarantined } = taken;
    Ok(Recovered {
        committed,
        from,
        quarantined,
    })
}

/// Which revision is to take the document's place.
pub(super) struct Recovery<'a> {
    wanted: Wanted,
    accept: &'a mut Accept<'a>,
    taken: &'a mut Taken,
}

/// What the latest try came to.
#[derive(Default)]
struct Taken {
    from: u64,
    quarantined: Option<String>,
}

impl Recovery<'_> {
    /// What is to take the place of what was found: first its copy, then its successor.
    pub(super) async fn next(
        &mut self,
        history: &History<'_>,
        id: &str,
        found: &Content,
    ) -> Result<Change, Error> {
        let reader = history.reader;
        self.taken.quarantined = match found {
            Content::Document(document) => return Err(sound(reader, document)),
            Content::Absent => None,
            Content::Corrupt { bytes, .. } => {
                let copy = history.quarantine(bytes, id).await?;
                Some(reader.folder.shown(&copy))
            }
        };
        let Some((from, object)) = history.pick(self.wanted, self.accept).await? else {
            let copy = match &self.taken.quarantined {
                Some(copy) => format!("; the corrupt file was copied to {copy}"),
                None => String::new(),
            };
            return Err(Error::not_found(format!(
                "There is no good revision of {} to recover{copy}",
                reader.shown()
            )));
        };
        self.taken.from = from.number;
        Ok(Change::Write(object))
    }
}

fn sound(reader: &Reader<'_>, document: &Document) -> Error {
    Error::not_found(format!(
        "There is nothing to recover: {} can be read, and is at revision {}",
        reader.shown(),
        document.stamp.revision
    ))
}
