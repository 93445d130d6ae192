//! The command checkpoint that a session checkpoint is made of.

use crate::agent::Relation;
use crate::effect::boxed;
use crate::error::{Error, Warning};
use crate::operation::command::list::{Read, Wanted, read_all};
use crate::operation::command::load::{Loaded, load};
use crate::operation::command::relation::relation_of;
use crate::operation::{Noticed, Target};
use crate::root;
use crate::time;

use super::opened::Opened;

/// The command checkpoint to make it of: the one that is named, which has to be there, or the one that
/// was updated last, if there is any.
pub(super) async fn source(
    opened: &Opened<'_>,
    named: Option<Target>,
    noticed: &mut Noticed,
) -> Result<(Option<Target>, Option<Loaded>), Error> {
    let Opened { io, settings, .. } = *opened;
    let is_named = named.is_some();
    let target = match named {
        Some(target) => Some(target),
        None => latest(opened, noticed).await?,
    };
    let Some(target) = target else {
        return Ok((None, None));
    };
    let reply = load(io, settings, &target).await;
    for warning in reply.warnings {
        noticed.add(warning);
    }
    match reply.result {
        Ok(None) if is_named => Err(Error::no_checkpoint(&target)),
        // It was removed in the meantime.
        Ok(None) => Ok((None, None)),
        Ok(loaded) => Ok((Some(target), loaded)),
        Err(error) => Err(error),
    }
}

/// The command checkpoint that was updated last, be it complete; where hooks have recorded branches, the last one that
/// belongs to the checkout, if any does. One that cannot be read is passed over, with a warning.
async fn latest(opened: &Opened<'_>, noticed: &mut Noticed) -> Result<Option<Target>, Error> {
    let Opened {
        io, settings, root, ..
    } = opened;
    let all = boxed(read_all(io, settings, root, Wanted::All)).await?;
    let is_recorded = |(_, read): &Read| read.as_ref().is_ok_and(|run| run.branch().is_some());
    let here = match all.iter().any(is_recorded) {
        true => Some(root::checkout(io, root).await),
        false => None,
    };
    let mut newest = None;
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
                let updated = summary.updated_at().and_then(time::parse);
                let rank = (is_here, updated);
                if newest.as_ref().is_none_or(|(latest, _)| *latest < rank) {
                    newest = Some((rank, target));
                }
            }
            Err(error) => noticed.add(Warning::passed_over(&error).about(&target)),
        }
    }
    Ok(newest.map(|(_, target)| target))
}
