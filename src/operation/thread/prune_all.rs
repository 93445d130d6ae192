//! Removing the threads whose newest checkpoint is older than some days.

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
/// stays. One that cannot be read is passed over, with a warning. Expired tombstones go as well.
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
        let pruning = ThreadPruning {
            store: &store,
            now_ms,
            before_ms,
            is_dry_run,
        };
        let mut names = store.documents.manifest().names().await?;
        if names.is_empty() {
            store.documents.expect_root().await?;
        }
        names.retain(|name| is_stem(name.as_str()));
        let mut pruned = PrunedThreads::default();
        for name in &names {
            if let Err(error) = pruning.prune(name, &mut pruned, warnings).await {
                store.pass_over(name, error, warnings);
            }
        }
        if !is_dry_run {
            store.forget_removed(now_ms).await;
        }
        Ok(pruned)
    })
    .await
}

/// The removal of old threads.
struct ThreadPruning<'a> {
    store: &'a ThreadStore<'a>,
    now_ms: f64,
    before_ms: f64,
    is_dry_run: bool,
}

impl ThreadPruning<'_> {
    /// Removes a thread that is old. Of one that went, also in a call before this one that was ended halfway, no copies
    /// of what was damaged stay.
    async fn prune(
        &self,
        name: &Stem,
        pruned: &mut PrunedThreads,
        warnings: &mut Warnings,
    ) -> Result<(), Error> {
        let store = self.store;
        let mut rule = |log: Log<'_>| {
            let newest = retain::newest_ms(log)?;
            let is_old = newest.is_some_and(|it| it < self.before_ms);
            Ok(is_old.then(|| log.thread().name().to_owned()))
        };
        match store.apply_to(name, warnings, &mut rule).await? {
            Some(None) => return Ok(()),
            Some(Some(thread)) => {
                if !self.is_dry_run && !self.expire(name, &thread, warnings).await? {
                    return Ok(());
                }
                pruned.threads.push(thread);
            }
            None if self.is_dry_run => {}
            None => store.remove_expired(name, self.now_ms).await,
        }
        match self.is_dry_run {
            true => Ok(()),
            false => store.documents.manifest().forget_copies(name).await,
        }
    }

    /// Puts a tombstone in the place of a thread, unless something came to it since; whether it did.
    async fn expire(
        &self,
        name: &Stem,
        thread: &str,
        warnings: &mut Warnings,
    ) -> Result<bool, Error> {
        let at = time::format(self.now_ms);
        let mut rule = |present: &Thread, loaded: &LoadedParts, token: &str| {
            retain::expire(Log::new(present, loaded), self.before_ms, token, &at)
        };
        let store = self.store;
        let results = store.change_at(name, thread, warnings, &mut rule).await?;
        Ok(matches!(results.first(), Some(Ok(true))))
    }
}
