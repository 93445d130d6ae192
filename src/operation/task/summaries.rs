//! Every task that has checkpoints. No row of the table: programs have `list_tasks`.

use crate::checkpoint::task::index::TaskIndex;
use crate::checkpoint::task::name::is_stem;
use crate::effect::Io;
use crate::operation::document_folder::MOST_LISTED;
use crate::operation::reply::with_warnings;
use crate::operation::{Reply, Settings};

use super::task_store::TaskStore;

/// The tasks, in no order of theirs. One that cannot be read is passed over, with a warning, and so are those beyond
/// the first 10,000.
///
/// Warns `corrupt`, `too_large`, `unsafe_path`, `io`, `invalid_document`. Fails with `unsafe_path`, `io`.
pub async fn summaries(io: &Io, settings: &Settings) -> Reply<Vec<TaskIndex>> {
    with_warnings(async |warnings| {
        let store = TaskStore::open(io, settings).await?;
        let first = store.documents.first(is_stem, MOST_LISTED).await;
        let first = store.documents.rooted(first).await?;
        if first.stems.is_empty() {
            store.documents.expect_root().await?;
        }
        first.notice("tasks", warnings);
        let mut tasks: Vec<TaskIndex> = Vec::new();
        for name in &first.stems {
            match store.read(name).await {
                Ok(Some(index)) if !index.is_empty() => tasks.push(index),
                Ok(_) => {}
                Err(error) => {
                    let error = store.advise(name, None, error);
                    warnings.add(store.documents.passed_over(name, &error));
                }
            }
        }
        Ok(tasks)
    })
    .await
}
