//! Changing a document among records: index, parts and marks in one swap.

use std::rc::Rc;

use super::index::{Keys, ManifestFolder, ManifestState, set_generation};
use super::keys;
use super::name::{PartName, holder};
use super::plan::{Decide, ManifestPlan, PlannedParts, Unwanted, no_journal};
use crate::effect::{Failed, Fault, SideWrite, Swap};
use crate::error::Error;
use crate::store::location::Stem;
use crate::store::write::{Change, Current, DocumentWrite, Keep};

/// The result of a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Changed {
    /// It is stored, as durable as it has to be.
    Written(Box<crate::store::Committed>),
    /// The index is as it should be, and its journal has what was to be added.
    Unchanged(Option<Box<super::ManifestIndex>>),
    /// Nothing was changed: a key that is new here is another document's.
    Taken {
        /// The key.
        key: String,
        /// The document that it belongs to.
        by: Stem,
    },
}

/// One try; `None` where what was found is not there any more.
pub(super) async fn attempt(
    location: &ManifestFolder<'_>,
    name: &Stem,
    token: &str,
    decide: &mut Decide<'_>,
) -> Result<Option<Changed>, Error> {
    let state = location.read(name).await?;
    let index = state.as_ref().and_then(|it| it.index.as_ref());
    let next = match decide(index, token)? {
        ManifestPlan::Write(next) => next,
        ManifestPlan::Append(_) => return Err(no_journal(location.folder.shown(name.as_str()))),
        ManifestPlan::Keep => {
            let index = index.map(|it| Box::new(it.clone()));
            return Ok(Some(Changed::Unchanged(index)));
        }
    };
    let present: &[PartName] = state.as_ref().map_or(&[], ManifestState::parts);
    let mut draft = PlannedParts::new(&location.layout, present, next, token)?;
    let is_of_all = location.layout.keys == Keys::OfAll;
    for key in draft.new_keys.iter().filter(|_| is_of_all) {
        if let Some(by) = keys::find(location, key, Some(name)).await? {
            let key = key.clone();
            return Ok(Some(Changed::Taken { key, by }));
        }
    }
    let side_writes = side_writes(location, name, &mut draft);
    let generation = state.as_ref().and_then(|it| it.generation.as_deref());
    set_generation(&mut draft.object, generation.unwrap_or(token));
    let versioned = location.versioned_document(name)?;
    let stamp = state.as_ref().map(|it| it.stamp.clone());
    let found = state.and_then(|it| it.index).map(|it| it.document);
    let mut write = Some(DocumentWrite {
        keeps: Keep::Nothing,
        side_writes,
        ..DocumentWrite::new(draft.object)
    });
    let mut is_outdated = false;
    let mut swap = |current: &Current<'_>| {
        let is_same = current.document.map(|it| &it.stamp) == stamp.as_ref();
        // The second time, a key is taken by now, if nothing else.
        match write.take().filter(|_| is_same) {
            Some(write) => Ok(Change::Write(write)),
            None => {
                is_outdated = true;
                Err(Error::busy(versioned.shown()))
            }
        }
    };
    let swapped = versioned.update_found(found, &mut swap).await;
    match is_outdated {
        true => Ok(None),
        false => swapped.map(|it| Some(Changed::Written(it))),
    }
}

fn side_writes(
    location: &ManifestFolder<'_>,
    name: &Stem,
    draft: &mut PlannedParts,
) -> Vec<SideWrite> {
    let host = |below: String| location.folder.host(&below);
    let put = |record, bytes| SideWrite {
        record,
        must_be_new: true,
        bytes: Some(bytes),
    };
    let holding = || name.as_str().as_bytes().to_vec();
    // Not copies: one value may be half of the memory that there is.
    let parts = std::mem::take(&mut draft.added).into_iter();
    let parts = parts.map(|(part, bytes)| put(host(part.record(name)), Rc::unwrap_or_clone(bytes)));
    let is_of_all = location.layout.keys == Keys::OfAll;
    let keys = draft.new_keys.iter().filter(|_| is_of_all);
    let keys = keys.map(|key| put(host(holder(key)), holding()));
    let mut side_writes: Vec<SideWrite> = parts.chain(keys).collect();
    let parts = draft.dropped.iter().map(|part| part.record(name));
    let keys = draft.gone_keys.iter().filter(|_| is_of_all);
    let keys = keys.map(|key| holder(key));
    side_writes.extend(parts.chain(keys).map(|it| SideWrite::removed(host(it))));
    side_writes
}

/// Removes a document that is unwanted, with all that belongs to it; `None` where another writer was faster.
pub(super) async fn remove(
    location: &ManifestFolder<'_>,
    name: &Stem,
    is_unwanted: &mut Unwanted<'_>,
) -> Result<Option<bool>, Error> {
    let Some(state) = location.read(name).await? else {
        return Ok(Some(false));
    };
    let host = |below: String| location.folder.host(&below);
    let Some(index) = state.index.as_ref().filter(|it| is_unwanted(it)) else {
        return Ok(Some(false));
    };
    let parts = index.parts.iter().map(|part| part.record(name));
    let is_of_all = location.layout.keys == Keys::OfAll;
    let keys = index.parts.iter().filter(|_| is_of_all);
    let keys = keys.map(|part| holder(&part.key));
    let swap = Swap {
        record: host(name.as_str().to_owned()),
        expected: Some(index.document.bytes.clone()),
        bytes: None,
        keep: None,
        side_writes: parts
            .chain(keys)
            .map(|it| SideWrite::removed(host(it)))
            .collect(),
    };
    match location.io.swap_record(swap).await {
        Ok(()) => Ok(Some(true)),
        Err(Failed {
            fault: Fault::Changed,
            ..
        }) => Ok(None),
        Err(failed) => Err(location.folder.error("remove", name.as_str(), &failed)),
    }
}
