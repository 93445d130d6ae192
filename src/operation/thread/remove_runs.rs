//! Removing the checkpoints of some runs.

use crate::checkpoint::thread::name::{self, is_stem};
use crate::checkpoint::thread::retain::KeptCheckpoints;
use crate::effect::{Io, boxed};
use crate::error::Error;
use crate::json::Json;
use crate::operation::reply::with_warnings;
use crate::operation::row::{Answering, Arguments, Capability, Operation};
use crate::operation::{Reply, Settings, Warnings};
use crate::schema::{ArgumentMembers, Shaped};
use crate::store::Stem;

use super::input::optional_id;
use super::thread_store::{ThreadStore, stem};

pub(super) const OPERATION: Operation = Operation::changing::<DeleteRunsArguments, DeletedRuns>(
    "delete_thread_runs",
    "Removes the checkpoints of runs, from one thread or from all. Those of other runs read as before: the values and \
     writes that they go on from stay.",
    perform,
)
.of(Capability::Threads);

/// The runs.
#[derive(ArgumentMembers)]
struct DeleteRunsArguments<'a> {
    /// Their ids: `run` of a put, or `run_id` of the metadata.
    runs: Vec<String>,
    /// The thread, free text; all threads without.
    thread_id: Option<&'a str>,
}

/// The outcome.
#[derive(Clone, Debug, Default, PartialEq, Eq, Shaped)]
pub struct DeletedRuns {
    /// The number of checkpoints that went.
    #[shape(with = Json::from_count)]
    pub removed: usize,
    /// The threads that had them.
    pub threads: Vec<String>,
}

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        let DeleteRunsArguments { runs, thread_id } = arguments.read();
        let reply = match checked(&runs, thread_id) {
            Ok(thread) => remove_runs(io, settings, runs, thread.as_deref()).await,
            Err(error) => Warnings::default().reply(Err(error)),
        };
        reply.map(Json::from)
    })
}

fn checked(runs: &[String], thread: Option<&str>) -> Result<Option<String>, Error> {
    for run in runs {
        name::check("run id", run)?;
    }
    optional_id("thread_id", thread)
}

/// Removes the checkpoints of runs, each thread in one commit; a call that was ended halfway is made again. Of all
/// threads, one that cannot be read is passed over, with a warning.
///
/// Warns `corrupt`, `too_large`, `unsafe_path`, `io`, `invalid_document`, `lost_changes`. Fails with `invalid_name`,
/// `too_large`; for one thread `invalid_document`, `unsupported_version`, `corrupt`; `busy`, `unsafe_path`, `io`.
pub async fn remove_runs(
    io: &Io,
    settings: &Settings,
    runs: Vec<String>,
    thread: Option<&str>,
) -> Reply<DeletedRuns> {
    with_warnings(async |warnings| {
        let keep = KeptCheckpoints::AllBut(runs);
        let store = ThreadStore::open(io, settings).await?;
        let mut deleted = DeletedRuns::default();
        if let Some(thread) = thread {
            let removed = store.retain(thread, &keep, warnings).await?.removed;
            deleted.count(thread, removed);
            if removed == 0 {
                store.documents.expect_root().await?;
            }
            let manifest = store.documents.manifest();
            manifest.forget_copies(&stem(thread)?).await?;
            return Ok(deleted);
        }
        let mut names = store.documents.manifest().names().await?;
        if names.is_empty() {
            store.documents.expect_root().await?;
        }
        names.retain(|name| is_stem(name.as_str()));
        for name in &names {
            let removed = deleted.take_from(&store, name, &keep, warnings).await;
            if let Err(error) = removed {
                store.pass_over(name, error, warnings);
            }
        }
        Ok(deleted)
    })
    .await
}

impl DeletedRuns {
    /// Removes the checkpoints of one of all threads. Copies of what was damaged in it may have something of the runs,
    /// also where a call before this one was ended halfway.
    async fn take_from(
        &mut self,
        store: &ThreadStore<'_>,
        name: &Stem,
        keep: &KeptCheckpoints,
        warnings: &mut Warnings,
    ) -> Result<(), Error> {
        if let Some(present) = store.read(name, warnings).await? {
            let thread = present.name();
            let retained = store.retain_at(name, thread, keep, warnings).await?;
            self.count(thread, retained.removed);
        }
        store.documents.manifest().forget_copies(name).await
    }

    /// Counts what went from a thread.
    fn count(&mut self, thread: &str, removed: usize) {
        if removed > 0 {
            self.removed += removed;
            self.threads.push(thread.to_owned());
        }
    }
}
