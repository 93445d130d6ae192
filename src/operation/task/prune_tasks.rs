//! Removing the tasks that were not saved for some days.

use crate::checkpoint::task::index::TaskIndex;
use crate::checkpoint::task::name::{TaskId, is_stem};
use crate::effect::{Io, boxed};
use crate::error::Error;
use crate::json::Json;
use crate::operation::document_folder::days_ago;
use crate::operation::reply::with_warnings;
use crate::operation::row::{Answering, Arguments, Capability, Operation};
use crate::operation::{Reply, Settings};
use crate::schema::{ArgumentMembers, Shaped};
use crate::store::Stem;
use crate::store::manifest::{ManifestIndex, ManifestPlan, NextIndex};
use crate::time;

use super::task_store::{TaskStore, index};

pub(super) const OPERATION: Operation = Operation::changing::<PruneTasksArguments, PrunedTasks>(
    "prune_tasks",
    "Removes the tasks whose latest checkpoint was saved more than some days ago.",
    perform,
)
.of(Capability::Tasks);

/// The age.
#[derive(ArgumentMembers)]
struct PruneTasksArguments {
    /// The number of days, from 1 on.
    days: u64,
    /// Only says which would go.
    dry_run: bool,
}

/// The outcome.
#[derive(Clone, Debug, Default, PartialEq, Eq, Shaped)]
pub struct PrunedTasks {
    /// The tasks that went.
    pub tasks: Vec<TaskId>,
    /// The number of their checkpoints.
    #[shape(with = Json::from_count)]
    pub checkpoints: usize,
}

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        let PruneTasksArguments { days, dry_run } = arguments.read();
        prune_tasks(io, settings, days, dry_run)
            .await
            .map(Json::from)
    })
}

/// Removes the tasks whose latest checkpoint was saved more than so many days ago, each in one commit; or only names
/// them. A task that is saved at the same time stays. One that cannot be read is passed over, with a warning.
///
/// Warns `corrupt`, `too_large`, `unsafe_path`, `io`, `invalid_document`, `busy`. Fails with `usage`, `unsafe_path`,
/// `io`.
pub async fn prune_tasks(
    io: &Io,
    settings: &Settings,
    days: u64,
    is_dry_run: bool,
) -> Reply<PrunedTasks> {
    with_warnings(async |warnings| {
        let store = TaskStore::open(io, settings).await?;
        let now_ms = io.now().await?.wall_ms;
        let before_ms = days_ago(now_ms, days)?;
        let names = store.documents.manifest().names().await;
        let mut names = store.documents.rooted(names).await?;
        if names.is_empty() {
            store.documents.expect_root().await?;
        }
        names.retain(|name| is_stem(name.as_str()));
        let mut pruned = PrunedTasks::default();
        let mut empty_ones = Vec::new();
        for name in &names {
            let found = match store.read(name).await {
                Ok(Some(index)) if is_old(&index, before_ms) => match is_dry_run {
                    true => Ok(Some(index)),
                    false => {
                        empty_ones.push(name);
                        empty(&store, name, before_ms).await
                    }
                },
                // Of a call that was ended halfway.
                Ok(Some(index)) if index.is_empty() => {
                    empty_ones.push(name);
                    Ok(None)
                }
                Ok(_) => Ok(None),
                Err(error) => Err(error),
            };
            match found {
                Ok(Some(index)) => {
                    pruned.checkpoints += index.entries().len();
                    pruned.tasks.push(index.task().clone());
                }
                Ok(None) => {}
                Err(error) => {
                    let error = store.advise(name, None, error);
                    warnings.add(store.documents.passed_over(name, &error));
                }
            }
        }
        if !is_dry_run {
            forget_empty(&store, &empty_ones, now_ms).await;
        }
        Ok(pruned)
    })
    .await
}

/// Returns whether the latest checkpoint of a task was saved before this time.
fn is_old(index: &TaskIndex, before_ms: f64) -> bool {
    let latest = index.entries().iter().filter_map(|it| {
        let at = time::parse(&it.part().saved_at)?;
        Some(at.wall_ms())
    });
    let all = index.entries().len();
    let times: Vec<f64> = latest.collect();
    all > 0 && times.len() == all && times.iter().all(|it| is_before(*it, before_ms))
}

/// Returns whether a save is so old that it keeps no task.
pub(super) fn is_before(saved_ms: f64, before_ms: f64) -> bool {
    saved_ms < before_ms
}

/// Removes the checkpoints of a task that is still old, and returns the task with them.
async fn empty(
    store: &TaskStore<'_>,
    name: &Stem,
    before_ms: f64,
) -> Result<Option<TaskIndex>, Error> {
    let mut removed = None;
    let mut decide = |found: Option<&ManifestIndex>, _: &str| {
        let present = found.map(|it| index(it, name)).transpose()?;
        removed = present.filter(|it| is_old(it, before_ms));
        Ok(match removed.as_ref().and_then(TaskIndex::cleared) {
            Some(cleared) => ManifestPlan::Write(NextIndex {
                object: cleared.next.into_object(),
                add: Vec::new(),
            }),
            None => ManifestPlan::Keep,
        })
    };
    let manifest = store.documents.manifest();
    manifest.change(name, &mut decide).await?;
    Ok(removed)
}

/// Removes the documents of tasks that have no checkpoint. Readers take one for a task that is not there, so that a
/// failure is no matter.
async fn forget_empty(store: &TaskStore<'_>, names: &[&Stem], now_ms: f64) {
    let manifest = store.documents.manifest();
    for name in names {
        let mut is_unwanted =
            |found: &ManifestIndex| index(found, name).is_ok_and(|it| it.is_empty());
        let _ = manifest.remove_if(name, now_ms, &mut is_unwanted).await;
    }
    let _ = manifest.forget_removed(now_ms).await;
}
