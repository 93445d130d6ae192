//! The removal of snapshots, and of the contents that none refers to.

use std::cell::RefCell;
use std::collections::BTreeMap;

use crate::checkpoint::session::id::SnapshotId;
use crate::checkpoint::session::register;
use crate::checkpoint::session::snapshot::Snapshot;
use crate::effect::boxed;
use crate::error::{Code, Error};
use crate::json::{Json, Object};
use crate::operation::reply::Warnings;
use crate::schema::Shaped;
use crate::store::Storage;
use crate::store::objects::{CollectAction, References, collect};
use crate::time;

use super::snapshot_store::{SnapshotStore, stem};

/// A snapshot that was removed, or would be.
#[derive(Clone, Debug, PartialEq, Eq, Shaped)]
#[shape(name = "CleanedUpSession")]
pub struct RemovedSnapshot {
    /// Its id.
    pub id: SnapshotId,
    /// Its file, relative to the root.
    pub path: String,
    /// Why.
    pub reason: String,
    /// Of what is kept for rewinds, the bytes that nothing else needs; null for any other snapshot.
    pub bytes: Option<u64>,
}

/// Removes the contents that no checkpoint refers to any more. Where one cannot be read, what it refers to
/// is not known, and everything stays.
///
/// `known` has what snapshots refer to that were read before.
pub(super) async fn collect_objects(
    store: &SnapshotStore<'_>,
    known: &BTreeMap<SnapshotId, Vec<String>>,
) -> Result<(), Error> {
    if store.folder.storage() == Storage::Records || !store.folder.is_there(store.io).await? {
        return Ok(());
    }
    let read = RefCell::new(ReadSnapshots::default());
    let referenced = async |to: &mut References| {
        // A checkpoint that is archived during the listing is in one of them.
        for is_archived in [false, true] {
            for one in store.ids(is_archived).await? {
                if read.borrow().ids.binary_search(&one.id).is_ok() {
                    continue;
                }
                if let Some(contents) = known.get(&one.id) {
                    read.borrow_mut().add(one.id, contents);
                    continue;
                }
                let document = match store.read(one.id).await {
                    Ok(session) => session.document,
                    Err(error) if error.code() == Code::NotFound => continue,
                    Err(error) => return Err(error),
                };
                read.borrow_mut().add(one.id, &contents(&document));
            }
        }
        to.add_all(&read.borrow().contents);
        Ok(())
    };
    let collected = collect(store.io, &store.folder, CollectAction::Remove, referenced).await;
    collected.map(drop)
}

/// The snapshots that a collection has read. Each is read once, because none is ever changed; what one refers to that is
/// removed in the meantime stays until the next collection.
#[derive(Default)]
struct ReadSnapshots {
    /// In their order.
    ids: Vec<SnapshotId>,
    contents: References,
}

impl ReadSnapshots {
    fn add(&mut self, id: SnapshotId, contents: &[String]) {
        let at = self.ids.binary_search(&id).unwrap_or_else(|at| at);
        self.ids.insert(at, id);
        for sha256 in contents {
            self.contents.add(sha256);
        }
    }
}

/// The SHA-256 of every content that a document refers to.
pub(super) fn contents(document: &Object) -> Vec<String> {
    let snapshot = Snapshot::of(document).unwrap_or_default();
    let files = snapshot.contents().into_iter().map(str::to_owned);
    let checkpoint = document.get("checkpoint").and_then(Json::as_object);
    let state = checkpoint.and_then(|it| it.get("sha256")?.as_str());
    files.chain(state.map(str::to_owned)).collect()
}

/// Writes into the register that these are gone, and then removes them, wherever they are; also those that a process
/// meant to remove before it died.
pub(super) async fn remove(
    store: &SnapshotStore<'_>,
    removed: &[RemovedSnapshot],
    warnings: &mut Warnings,
) -> Result<(), Error> {
    if !removed.is_empty() {
        let at = time::format(store.now().await?);
        let lines = removed.iter().map(|it| (it.id, it.reason.clone()));
        let lines: Vec<(SnapshotId, String)> = lines.collect();
        let mut change = |register: &Object| {
            // Since they were chosen, one may have been pinned.
            let kept = [register::pinned(register), register::in_use(register)].concat();
            match lines.iter().find(|(id, _)| kept.contains(id)) {
                Some((id, _)) => {
                    let message = format!("{id} was just pinned, and nothing was removed");
                    Err(Error::conflict(message, Vec::new()))
                }
                None => Ok(register::with_removals(register, &lines, &at)),
            }
        };
        boxed(super::register::commit(store, &mut change, warnings)).await?;
    }
    let register = super::register::read(store, warnings).await?;
    let gone = register::removed(&register).into_iter();
    let mut gone: Vec<SnapshotId> = gone.filter_map(|name| name.parse().ok()).collect();
    if gone.is_empty() {
        return Ok(());
    }
    gone.sort_unstable();
    let in_flight = store.ids(false).await?.into_iter();
    for one in in_flight.chain(store.ids(true).await?) {
        if gone.binary_search(&one.id).is_ok() {
            store
                .documents(one.is_archived)
                .remove(&stem(one.id)?)
                .await?;
        }
    }
    Ok(())
}
