//! The meaning of one file of the folder for operations on all checkpoints.

use crate::checkpoint::command::document::is_completed;
use crate::checkpoint::command::name;
use crate::checkpoint::command::tombstone::{is_tombstone, unfinished_rename};
use crate::error::Error;
use crate::integrations::check_command_name;
use crate::json::Json;
use crate::operation::Target;
use crate::store::{Document, Recorded, Slot, Stem};

use super::absent::kept;

/// The entry under a stem.
pub(crate) enum Standing {
    /// A checkpoint that can be read.
    Checkpoint(Target, Box<Document>),
    /// One that cannot be, and why.
    Broken(Target, Error),
    /// A rename that is still to be finished.
    Moving(Target),
    /// The tombstone of one that was removed.
    Removed(Box<Document>),
    /// Nothing to list.
    Nothing,
}

/// Classifies a file. `added` are the commands that the project adds, or why they are unknown.
pub(crate) async fn of_file(
    slot: &Slot<'_>,
    stem: &Stem,
    added: &Result<Vec<String>, Error>,
) -> Standing {
    let commands = added.as_deref().unwrap_or_default();
    let Some(target) = name::target(stem.as_str(), commands) else {
        return of_unknown(slot, stem, added).await;
    };
    let stored = match slot.read().await {
        Ok(stored) => stored,
        Err(error) => return Standing::Broken(target, error),
    };
    match (stored.document, stored.tombstone) {
        (Some(document), _) => Standing::Checkpoint(target, document),
        (None, Some(it)) if unfinished_rename(&it.object).is_some() => Standing::Moving(target),
        (None, Some(tombstone)) => Standing::Removed(tombstone),
        (None, None) => Standing::Nothing,
    }
}

/// Returns whether a file may be that of a command which the project adds, or added once.
pub(crate) fn is_of_other_command(stem: &Stem) -> bool {
    let command = name::of_stem(stem.as_str()).map(|(command, _)| command);
    command
        .is_some_and(|command| !name::is_built_in(command) && check_command_name(command).is_ok())
}

/// A checkpoint of a command that there is not, or not any more, unless it was complete; nothing for a
/// file of anything else.
async fn of_unknown(slot: &Slot<'_>, stem: &Stem, added: &Result<Vec<String>, Error>) -> Standing {
    unknown(slot, stem, added)
        .await
        .unwrap_or(Standing::Nothing)
}

async fn unknown(
    slot: &Slot<'_>,
    stem: &Stem,
    added: &Result<Vec<String>, Error>,
) -> Option<Standing> {
    if !is_of_other_command(stem) {
        return None;
    }
    let (command, feature) = name::of_stem(stem.as_str())?;
    let object = slot.read().await.ok()?.document?.object;
    let is_checkpoint = object.get("command").and_then(Json::as_str) == Some(command);
    if !is_checkpoint || is_completed(&object) {
        return None;
    }
    // Where the commands are unknown, that is the problem.
    let why = match added {
        Ok(added) => name::check_command(command, added).err()?,
        Err(error) => error.clone(),
    };
    let target = Target {
        command: command.to_owned(),
        feature: feature.map(str::to_owned),
    };
    Some(Standing::Broken(target, why))
}

/// A checkpoint that is gone though its history is kept, unless it was complete.
///
/// One that began since the folder was listed is there by now.
pub(crate) async fn of_history(slot: &Slot<'_>, stem: &Stem, commands: &[String]) -> Standing {
    let Some(target) = name::target(stem.as_str(), commands) else {
        return Standing::Nothing;
    };
    match slot.read().await {
        Ok(stored) if stored.tombstone.is_some() => return Standing::Nothing,
        Ok(stored) => {
            if let Some(document) = stored.document {
                return Standing::Checkpoint(target, document);
            }
        }
        Err(error) => return Standing::Broken(target, error),
    }
    let revisions = slot.revisions().await.unwrap_or_default();
    let Some(newest) = revisions.last() else {
        return Standing::Nothing;
    };
    if let Ok(Some(Recorded::Whole(object))) = slot.recorded(newest).await
        && (is_completed(&object) || is_tombstone(&object))
    {
        return Standing::Nothing;
    }
    let error = kept(&target);
    Standing::Broken(target, error)
}
