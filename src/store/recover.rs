//! A revision from history in the place of a document that cannot be read.
//!
//! It is a commit as any other: what stands there is the base, read again after every other token
//! was revoked, and the revision that is written is a new one. Only what it replaces is different:
//! corrupt bytes, which a copy in quarantine keeps, or nothing at all.

use crate::error::Error;

use super::aim::{Aim, Recovery, Taken, sound};
use super::document::Content;
use super::history::{Accept, History, Wanted};
use super::reader::{Reader, check_size};
use super::slot::Policy;
use super::update::{Committed, write};

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

/// See [`super::Slot::recover`].
pub(super) async fn recover(
    reader: &Reader<'_>,
    policy: Policy,
    wanted: Wanted,
    accept: &mut Accept<'_>,
) -> Result<Recovered, Error> {
    let Reader { io, folder, paths } = reader;
    let standing = folder.look(io, paths).await?;
    check_size(folder, paths, standing.document.size)?;
    // Looked at first, so that folders are made only where there is something to recover.
    match reader.content(standing.has_side).await? {
        Content::Document(document) => return Err(sound(reader, &document)),
        Content::Absent if (History { reader }).kept().await?.is_empty() => {
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
    let committed = write(reader, policy, &standing, Aim::Recover(recovery)).await?;
    let Taken { from, quarantined } = taken;
    Ok(Recovered {
        committed,
        from,
        quarantined,
    })
}
