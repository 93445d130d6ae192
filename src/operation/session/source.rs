//! The run that a snapshot is made of.

use crate::agent::Relation;
use crate::effect::boxed;
use crate::error::{Error, Warning};
use crate::operation::command::list::{Read, RunSelection, read_all};
use crate::operation::command::load::{Loaded, load};
use crate::operation::command::relation::relation_of;
use crate::operation::workspace::Workspace;
use crate::operation::{Target, Warnings};
use crate::root;
use crate::time;

use super::snapshot_store::SnapshotStore;

/// The run that a snapshot is made of.
#[derive(Default)]
pub(super) struct RunSource {
    /// Its names; `None` where there is no run.
    pub(super) target: Option<Target>,
    /// Its document.
    pub(super) loaded: Option<Loaded>,
    /// The other unfinished runs, in the order of a list, where none was named.
    pub(super) others: Vec<Target>,
}

/// The run that is captured: the named one, which has to exist, or the one that
/// was updated last, if there is any.
pub(super) async fn source(
    store: &SnapshotStore<'_>,
    named: Option<Target>,
    warnings: &mut Warnings,
) -> Result<RunSource, Error> {
    let Workspace { io, settings, .. } = **store;
    let is_named = named.is_some();
    let (target, others) = match named {
        Some(target) => (Some(target), Vec::new()),
        None => latest(store, warnings).await?,
    };
    let Some(target) = target else {
        return Ok(RunSource::default());
    };
    let reply = load(io, settings, &target).await;
    for warning in reply.warnings {
        warnings.add(warning);
    }
    match reply.result {
        Ok(None) if is_named => Err(Error::no_checkpoint(&target)),
        // It was removed in the meantime.
        Ok(None) => Ok(RunSource::default()),
        Ok(loaded) => Ok(RunSource {
            target: Some(target),
            loaded,
            others,
        }),
        Err(error) => Err(error),
    }
}

/// The run that was updated last, be it complete; where hooks have recorded branches, the last one that
/// belongs to the checkout, if any does. One that cannot be read is passed over, with a warning. Beside it the other
/// unfinished ones.
async fn latest(
    store: &SnapshotStore<'_>,
    warnings: &mut Warnings,
) -> Result<(Option<Target>, Vec<Target>), Error> {
    let Workspace { io, settings, root } = &**store;
    let all = boxed(read_all(io, settings, root, RunSelection::All)).await?;
    let is_recorded = |(_, read): &Read| read.as_ref().is_ok_and(|run| run.branch().is_some());
    let here = match all.iter().any(is_recorded) {
        true => Some(root::checkout(io, root).await),
        false => None,
    };
    let mut newest = None;
    let mut unfinished = Vec::new();
    for (target, read) in all {
        match read {
            Ok(summary) => {
                let is_here = match &here {
                    Some(here) => {
                        let relation = relation_of(io, root, here, &target, &summary).await;
                        relation != Relation::Other
                    }
                    None => true,
                };
                if !summary.is_completed() {
                    unfinished.push(target.clone());
                }
                let updated = summary.updated_at().and_then(time::parse);
                let rank = (is_here, updated);
                if newest.as_ref().is_none_or(|(latest, _)| *latest < rank) {
                    newest = Some((rank, target));
                }
            }
            Err(error) => warnings.add(Warning::passed_over(&error).about(&target)),
        }
    }
    let newest = newest.map(|(_, target)| target);
    unfinished.retain(|it| newest.as_ref() != Some(it));
    Ok((newest, unfinished))
}
