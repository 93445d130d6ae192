//! Every thread by its newest step. No row of the table: programs have `list_threads`.

use crate::checkpoint::thread::log::Log;
use crate::checkpoint::thread::name::is_stem;
use crate::checkpoint::thread::steps::{self as rules, ThreadSummary};
use crate::effect::Io;
use crate::operation::document_folder::MOST_LISTED;
use crate::operation::reply::with_warnings;
use crate::operation::{Reply, Settings};

use super::thread_store::ThreadStore;

/// The threads, those with the newest steps first. One that cannot be read is passed over, with a warning, and so are
/// those beyond the first 10,000.
///
/// Warns `corrupt`, `too_large`, `unsafe_path`, `io`, `invalid_document`, `lost_changes`. Fails with `unsafe_path`,
/// `io`.
pub async fn summaries(io: &Io, settings: &Settings) -> Reply<Vec<ThreadSummary>> {
    with_warnings(async |warnings| {
        let store = ThreadStore::open(io, settings).await?;
        let first = store.documents.first(is_stem, MOST_LISTED).await?;
        if first.stems.is_empty() {
            store.documents.expect_root().await?;
        }
        first.notice("threads", warnings);
        let mut threads: Vec<ThreadSummary> = Vec::new();
        for name in &first.stems {
            let mut rule = |log: Log<'_>| rules::summary(log);
            match store.apply_to(name, warnings, &mut rule).await {
                Ok(found) => threads.extend(found),
                Err(error) => store.pass_over(name, error, warnings),
            }
        }
        rules::newest_first(&mut threads);
        Ok(threads)
    })
    .await
}
