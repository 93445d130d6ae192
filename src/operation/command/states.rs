//! Every state of a checkpoint that is kept.

use crate::effect::Io;
use crate::error::{Code, Error};
use crate::json::Object;
use crate::operation::{Noticed, Settings, Target};
use crate::store::{Mark, Recorded, Stored};

use super::opened::Opened;

/// A revision, its mark, and its content, or why there is none: it is altered.
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
        match opened.slot.recorded(&revision).await? {
            // Names that differ in case only share a history.
            Some(Recorded::Whole(object)) if opened.expect_own(&object).is_ok() => {
                states.push((revision.number, revision.mark, Ok(object)));
            }
            Some(Recorded::Altered) => {
                let error = opened.slot.altered(&revision);
                states.push((revision.number, revision.mark, Err(error)));
            }
            Some(Recorded::Whole(_)) | None => {}
        }
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
