//! Publishing a snapshot under an id that was never used.

use crate::checkpoint::session::document;
use crate::checkpoint::session::id::SnapshotId;
use crate::checkpoint::session::register;
use crate::error::{Code, Error, Warning};
use crate::json::Object;
use crate::operation::Warnings;
use crate::store::objects::ObjectWriter;

use super::snapshot_store::{OtherSnapshots, SnapshotStore, stem};

/// The number of tries for an id, which another creator may take first; after so many, a process holds the folder up.
const TRIES: u32 = 100;

/// The number of ids that may be held by processes that have not come to publish.
const MOST_HELD: usize = 16;

/// A checkpoint that was published.
pub(super) struct PublishedSnapshot {
    pub(super) id: SnapshotId,
    /// The checkpoints that were there before it.
    pub(super) other_snapshots: OtherSnapshots,
}

/// Publishes a document under the next id; with a writer, what it refers to is kept with it.
///
/// # Errors
///
/// As [`document::write`], and [`crate::store::ImmutableDocuments::publish`].
pub(super) async fn publish(
    store: &SnapshotStore<'_>,
    document: &Object,
    mut writer: Option<&mut ObjectWriter<'_>>,
    warnings: &mut Warnings,
) -> Result<PublishedSnapshot, Error> {
    let mut refused: Option<(SnapshotId, Error)> = None;
    let mut held: Vec<String> = Vec::new();
    for _ in 0..TRIES {
        let now = store.now().await?;
        let register = read_register(store, warnings).await?;
        let removed = register::removed(&register);
        let other_snapshots = store
            .other_snapshots(&removed.iter().copied().collect())
            .await?;
        let greatest = other_snapshots.greatest.map(|id| id.to_string());
        let held_now = held.iter().map(String::as_str);
        let names = removed
            .into_iter()
            .chain(greatest.as_deref())
            .chain(held_now);
        let id = SnapshotId::next(now, names);
        let id = id.ok_or_else(|| {
            Error::conflict(
                "There is no greater id for a snapshot than the greatest one that was \
                 used: remove the one with the wrong date"
                    .to_owned(),
                Vec::new(),
            )
        })?;
        match refused.take() {
            Some((last, error)) if last == id => {
                // The id is free. Without hard links, its name may be held by a process that is slow, or dead; else it
                // was refused for another reason.
                if held.len() == MOST_HELD {
                    return Err(error);
                }
                held.push(last.to_string());
                continue;
            }
            _ => {}
        }
        let text = document::write(document.clone(), id, now)?;
        let documents = store.documents(false);
        if other_snapshots.count == 0 {
            documents.begin().await?;
        }
        let published = match &mut writer {
            Some(writer) => {
                writer
                    .publish(&documents, &stem(id)?, text.as_bytes())
                    .await
            }
            None => documents.publish(&stem(id)?, text.as_bytes()).await,
        };
        match published {
            Ok(()) if was_used(store, id, warnings).await? => {
                // This process was slow, and published an id that had come and gone in between.
                documents.remove(&stem(id)?).await?;
            }
            Ok(()) => {
                return Ok(PublishedSnapshot {
                    id,
                    other_snapshots,
                });
            }
            Err(error) if error.code() == Code::Conflict => refused = Some((id, error)),
            Err(error) => return Err(error),
        }
    }
    Err(Error::busy(store.folder.shown("")))
}

/// Returns whether an id that was published just now belonged to another checkpoint before.
async fn was_used(
    store: &SnapshotStore<'_>,
    id: SnapshotId,
    warnings: &mut Warnings,
) -> Result<bool, Error> {
    let register = read_register(store, warnings).await?;
    let gone = register::removed(&register).into_iter();
    if SnapshotId::greatest(gone).is_some_and(|greatest| greatest >= id) {
        return Ok(true);
    }
    store.documents(true).is_taken(&stem(id)?).await
}

/// The register; a new checkpoint is made without it where neither it nor its history can be read.
async fn read_register(
    store: &SnapshotStore<'_>,
    warnings: &mut Warnings,
) -> Result<Object, Error> {
    match super::register::read(store, warnings).await {
        Err(error) if error.code() == Code::Corrupt => {
            warnings.add(Warning::passed_over(&error));
            Ok(Object::new())
        }
        read => read,
    }
}
