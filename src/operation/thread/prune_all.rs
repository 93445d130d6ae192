//! Removing the threads that have not changed for some days.

use crate::checkpoint::thread::index::Thread;
use crate::checkpoint::thread::log::{LoadedParts, Log};
use crate::checkpoint::thread::name::is_stem;
use crate::checkpoint::thread::retain;
use crate::effect::{Io, boxed};
use crate::error::Error;
use crate::json::Json;
use crate::operation::document_folder::days_ago;
use crate::operation::reply::with_warnings;
use crate::operation::row::{Answering, Arguments, Capability, Operation};
use crate::operation::{Reply, Settings, Warnings};
use crate::schema::{ArgumentMembers, Shaped};
use crate::store::Stem;
use crate::time;

use super::thread_store::ThreadStore;

pub(super) const OPERATION: Operation =
    Operation::changing::<PruneThreadsArguments, PrunedThreads>(
        "prune_threads",
        "Removes the threads whose newest checkpoint is older than some days.",
        perform,
    )
    .of(Capability::Threads);

/// The age.
#[derive(ArgumentMembers)]
struct PruneThreadsArguments {
    /// The number of days, from 1 on.
    days: u64,
    /// Only says which would go.
    dry_run: bool,
}

/// The outcome.
#[derive(Clone, Debug, Default, PartialEq, Eq, Shaped)]
pub struct PrunedThreads {
    /// The threads that went.
    pub threads: Vec<String>,
}

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        let PruneThreadsArguments { days, dry_run } = arguments.read();
        prune_all(io, settings, days, dry_run).await.map(Json::from)
    })
}

/// Removes the threads whose newest checkpoint is older than so many days, as a deletion does, each in one commit; or
/// only names them. The time of a checkpoint is that which its maker wrote, or that of its id; a thread without one
/// stays. One that cannot be read is passed over, with a warning.
///
/// Warns `corrupt`, `too_large`, `unsafe_path`, `io`, `invalid_document`, `lost_changes`. Fails with `usage`,
/// `unsafe_path`, `io`.
pub async fn prune_all(
    io: &Io,
    settings: &Settings,
    days: u64,
    is_dry_run: bool,
) -> Reply<PrunedThreads> {
    with_warnings(async |warnings| {
        let store = ThreadStore::open(io, settings).await?;
        let now_ms = io.now().await?.wall_ms;
        let before_ms = days_ago(now_ms, days)?;
        let at = time::format(now_ms);
        let mut names = store.documents.manifest().names().await?;
        if names.is_empty() {
            store.documents.expect_root().await?;
        }
        names.retain(|name| is_stem(name.as_str()));
        let mut pruned = PrunedThreads::default();
        for name in &names {
            let mut rule = |log: Log<'_>| {
                let newest = retain::newest_ms(log)?;
                let is_old = newest.is_some_and(|it| it < before_ms);
                Ok(is_old.then(|| log.thread().name().to_owned()))
            };
            let found = store.apply_to(name, warnings, &mut rule).await;
            let removed = match found {
                Ok(Some(Some(thread))) if is_dry_run => Ok(Some(thread)),
                Ok(Some(Some(thread))) => {
                    let removed = expire(&store, name, &thread, (before_ms, &at), warnings).await;
                    removed.map(|is_gone| is_gone.then_some(thread))
                }
                Ok(_) => Ok(None),
                Err(error) => Err(error),
            };
            match removed {
                Ok(thread) => pruned.threads.extend(thread),
                Err(error) => store.pass_over(name, error, warnings),
            }
        }
        Ok(pruned)
    })
    .await
}

/// Puts a tombstone in the place of a thread, unless something came to it since; whether it did.
async fn expire(
    store: &ThreadStore<'_>,
    name: &Stem,
    thread: &str,
    (before_ms, at): (f64, &str),
    warnings: &mut Warnings,
) -> Result<bool, Error> {
    let mut rule = |present: &Thread, loaded: &LoadedParts, token: &str| {
        retain::expire(Log::new(present, loaded), before_ms, token, at)
    };
    let results = store.change_at(name, thread, warnings, &mut rule).await?;
    let is_gone = matches!(results.first(), Some(Ok(true)));
    if is_gone {
        store.documents.manifest().forget_copies(name).await?;
    }
    Ok(is_gone)
}
