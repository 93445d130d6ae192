//! The command checkpoint that a session checkpoint is made of.

use crate::effect::boxed;
use crate::error::{Error, Warning};
use crate::operation::command::list::{Wanted, read_all};
use crate::operation::command::load::{Loaded, load};
use crate::operation::{Noticed, Target};
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

/// The command checkpoint that was updated last, be it complete. One that cannot be read is passed over,
/// with a warning.
async fn latest(opened: &Opened<'_>, noticed: &mut Noticed) -> Result<Option<Target>, Error> {
    let mut newest = None;
    for (target, read) in boxed(read_all(
        opened.io,
        opened.settings,
        &opened.root,
        Wanted::All,
    ))
    .await?
    {
        match read {
            Ok(summary) => {
                let updated = summary.updated_at().and_then(time::parse);
                if newest.as_ref().is_none_or(|(latest, _)| *latest < updated) {
                    newest = Some((updated, target));
                }
            }
            Err(error) => noticed.add(Warning::passed_over(&error).about(&target)),
        }
    }
    Ok(newest.map(|(_, target)| target))
}
