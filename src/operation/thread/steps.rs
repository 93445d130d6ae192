//! The steps of a thread, and what each changed. No row of the table: programs have the checkpoints themselves.

use crate::checkpoint::thread::log::Log;
use crate::checkpoint::thread::steps::{self as rules, ThreadSteps};
use crate::effect::Io;
use crate::error::Error;
use crate::operation::meant::{MOST_READ, meant, unknown};
use crate::operation::reply::with_warnings;
use crate::operation::{Reply, Settings, Warnings};
use crate::secret::redact_text;

use super::thread_store::ThreadStore;

/// The newest steps of a thread, at most so many. The beginning of an id stands for the only thread whose id begins
/// with it.
///
/// Warns `untrusted_origin`, `lost_changes`. Fails with `not_found`, with an id that is near; `invalid_name`;
/// `invalid_document`, `unsupported_version`, `corrupt` for what is stored; `busy`, `unsafe_path`, `io`.
pub async fn steps(io: &Io, settings: &Settings, thread: &str, limit: usize) -> Reply<ThreadSteps> {
    with_warnings(async |warnings| {
        let store = ThreadStore::open(io, settings).await?;
        if let Some(found) = steps_of(&store, thread, limit, warnings).await? {
            return Ok(found);
        }
        let known = store.ids(MOST_READ).await?;
        let thread = meant("thread", thread, known.as_deref())?;
        let found = steps_of(&store, &thread, limit, warnings).await?;
        // It was removed since.
        found.ok_or_else(|| unknown("thread", &thread, &[]))
    })
    .await
}

async fn steps_of(
    store: &ThreadStore<'_>,
    thread: &str,
    limit: usize,
    warnings: &mut Warnings,
) -> Result<Option<ThreadSteps>, Error> {
    let mut rule = |log: Log<'_>| rules::steps(log, limit, redact_text);
    store.apply(thread, warnings, &mut rule).await
}
