//! The state of a document, and the loss of its index.

use super::age;
use super::index::{Keys, ManifestFolder, ManifestState};
use super::name::PartName;
use crate::effect::PathKind;
use crate::error::Error;
use crate::store::MAX_DOCUMENTS;
use crate::store::location::{Stem, Storage};
use crate::str_map;

/// Each look that finds a part of a lost index gone was overtaken by a commit.
const READ_ATTEMPTS: u32 = 100;

/// The wait before the second look for an index that is missing beside an old part. Without a journal, the part may be
/// that of a writer that was overtaken and whose clock is wrong, and another writer may be about to make the index.
const SECOND_LOOK_MS: u32 = 50;

/// Returns the state of the place where a document belongs. One whose index is gone and whose journal or parts are
/// there, is damaged.
pub(super) async fn read(
    location: &ManifestFolder<'_>,
    name: &Stem,
) -> Result<Option<ManifestState>, Error> {
    let mut missed = None;
    for _ in 0..READ_ATTEMPTS {
        if let Some(state) = location.read(name).await? {
            return Ok(Some(state));
        }
        let Some(part) = part_of_lost_index(location, name).await? else {
            return Ok(None);
        };
        if missed.as_ref() == Some(&part) {
            // No token comes back, so that it was there without an index all the time.
            let reason = "it is missing, and what it names is there".to_owned();
            return Err(Error::corrupt(
                location.versioned_document(name)?.shown(),
                reason,
                None,
            ));
        }
        if location.layout.keys == Keys::OfAll {
            // A host that cannot wait takes the second look immediately: a failure here would keep the document from
            // being removed.
            let _ = location.io.wait(SECOND_LOOK_MS).await;
        }
        missed = Some(part);
    }
    Err(Error::busy(location.folder.shown(name.as_str())))
}

/// Returns a remaining file of a document without an index that had one: a journal with a line,
/// which is added only to one that an index names, or a part that was written long ago. A new part
/// may be that of a writer that is overtaken by the removal of the document and by another one that
/// is about to begin it.
async fn part_of_lost_index(
    location: &ManifestFolder<'_>,
    name: &Stem,
) -> Result<Option<PartName>, Error> {
    if location.storage() == Storage::Records {
        return Ok(None);
    }
    let inner = location.inner(name);
    let folder = [inner.path().to_owned()];
    let entries = inner.inspect(location.io, &folder).await?;
    if entries.iter().any(|it| it.kind != PathKind::Folder) {
        return Ok(None);
    }
    let files = inner.names(location.io, "", MAX_DOCUMENTS).await?;
    let files = str_map::sort(files);
    let parts = files.iter().filter_map(|file| PartName::of_file(file));
    let (journals, parts): (Vec<PartName>, Vec<PartName>) =
        parts.partition(PartName::is_of_journal);
    let shown: Vec<String> = journals.iter().map(|it| inner.shown(&it.file())).collect();
    if !shown.is_empty() {
        let entries = inner.inspect(location.io, &shown).await?;
        let mut found = journals.into_iter().zip(entries);
        if let Some((journal, _)) = found.find(|(_, it)| it.kind == PathKind::File && it.size > 0) {
            return Ok(Some(journal));
        }
    }
    if parts.is_empty() {
        return Ok(None);
    }
    let files = parts.iter().map(PartName::file).collect();
    let old = age::old(location, inner.host(""), files).await?;
    let mut old = parts.into_iter().zip(old.unwrap_or_default());
    Ok(old.find(|(_, is_old)| *is_old).map(|(part, _)| part))
}
