//! Every task that has checkpoints. No row of the table: programs have `list_tasks`.

use crate::checkpoint::task::index::Index;
use crate::checkpoint::task::name::is_stem;
use crate::effect::Io;
use crate::operation::place::MOST_LISTED;
use crate::operation::reply::noticing;
use crate::operation::{Reply, Settings};

use super::opened::Opened;

/// The tasks, in no order of theirs. One that cannot be read is passed over, with a warning, and so are those beyond
/// the first 10,000.
///
/// Warns `corrupt`, `too_large`, `unsafe_path`, `io`, `invalid_document`. Fails with `unsafe_path`, `io`.
pub async fn summaries(io: &Io, settings: &Settings) -> Reply<Vec<Index>> {
    noticing(async |noticed| {
        let opened = Opened::open(io, settings).await?;
        let first = opened.place.first(is_stem, MOST_LISTED).await;
        let first = opened.place.rooted(first).await?;
        if first.stems.is_empty() {
            opened.place.expect_root().await?;
        }
        first.notice("tasks", noticed);
        let mut tasks: Vec<Index> = Vec::new();
        for name in &first.stems {
            match opened.read(name).await {
                Ok(Some(index)) if !index.is_empty() => tasks.push(index),
                Ok(_) => {}
                Err(error) => {
                    let error = opened.advise(name, None, error);
                    noticed.add(opened.place.passed_over(name, &error));
                }
            }
        }
        Ok(tasks)
    })
    .await
}
