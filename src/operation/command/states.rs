//! Every state of a checkpoint that is kept.

use std::fmt::Write;

use crate::effect::Io;
use crate::error::{Advice, Code, Error, ErrorKind};
use crate::json::Object;
use crate::operation::{Noticed, Settings, Target};
use crate::store::{Mark, Recorded, Stored};

use super::opened::Opened;

/// A revision, its mark, and its content, or why that cannot be had.
pub(super) type State = (u64, Mark, Result<Object, Error>);

/// Every kept state, oldest first, the current one last; and the error of a current one that is
/// corrupt.
pub(super) async fn states(
    io: &Io,
    settings: &Settings,
    target: &Target,
    noticed: &mut Noticed,
) -> Result<(Vec<State>, Option<Error>), Error> {
    let opened = Opened::open(io, settings, target).await?;
    let (stored, corrupt) = match opened.read().await {
        Ok(stored) => (Some(stored), None),
        Err(error) if error.code() == Code::Corrupt => (None, Some(error)),
        Err(error) => return Err(error),
    };
    let mut states = Vec::new();
    for revision in opened.slot.revisions().await? {
        let state = match opened.slot.recorded(&revision).await {
            // Names that differ in case only share a history.
            Ok(Some(Recorded::Whole(object))) if opened.expect_own(&object).is_err() => continue,
            Ok(Some(Recorded::Whole(object))) => Ok(object),
            Ok(Some(Recorded::Altered)) => Err(opened.slot.altered(&revision)),
            // It says nothing about the others.
            Err(error) => Err(error),
            Ok(None) => continue,
        };
        states.push((revision.number, revision.mark, state));
    }
    if let Some(Stored {
        document: Some(document),
        has_side,
        ..
    }) = stored
    {
        opened.expect_own(&document.object)?;
        opened.notice(&document, has_side, noticed).await;
        let (current, mark) = (document.stamp.revision, document.stamp.mark());
        states.retain(|(revision, ..)| *revision < current);
        states.push((current, mark, Ok(document.object)));
    }
    match corrupt {
        Some(error) if states.is_empty() => Err(error),
        None if states.is_empty() => Err(Error::no_checkpoint(target)),
        corrupt => Ok((states, corrupt)),
    }
}

/// Why one revision of these cannot be had, with the one to take instead: the newest good one before
/// it, else the oldest after it.
pub(super) fn beside(error: Error, number: u64, states: &[State], target: &Target) -> Error {
    let good = |(revision, _, state): &State| state.is_ok().then_some(*revision);
    let before = states.iter().rev().filter_map(good).find(|it| *it < number);
    let nearest = before.or_else(|| states.iter().filter_map(good).find(|it| *it > number));
    let Some(nearest) = nearest else {
        return error;
    };
    let mut kind = error.into_kind();
    if let ErrorKind::Corrupt { reason: said, .. }
    | ErrorKind::UnsafePath { message: said, .. }
    | ErrorKind::TooLarge { message: said, .. }
    | ErrorKind::Io { message: said, .. } = &mut kind
    {
        let _ = write!(said, "; the nearest good revision is {nearest}");
        return Error::from(kind).with_advice(Advice::Log(target.clone()));
    }
    kind.into()
}
