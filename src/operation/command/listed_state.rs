//! The meaning of one file of the folder for operations on all checkpoints.

use crate::checkpoint::command::document::is_completed;
use crate::checkpoint::command::name;
use crate::checkpoint::command::tombstone::{is_tombstone, unfinished_rename};
use crate::error::Error;
use crate::integrations::check_command_name;
use crate::json::Json;
use crate::operation::Target;
use crate::store::{Document, RecordedContent, Stem, VersionedDocument};

use super::deleted::deleted;

/// The entry under a stem.
pub(crate) enum ListedState {
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
    versioned: &VersionedDocument<'_>,
    stem: &Stem,
    added: &Result<Vec<String>, Error>,
) -> ListedState {
    let commands = added.as_deref().unwrap_or_default();
    let Some(target) = name::target(stem.as_str(), commands) else {
        return of_unknown(versioned, stem, added).await;
    };
    let stored = match versioned.read().await {
        Ok(stored) => stored,
        Err(error) => return ListedState::Broken(target, error),
    };
    match (stored.document, stored.tombstone) {
        (Some(document), _) => ListedState::Checkpoint(target, document),
        (None, Some(it)) if unfinished_rename(&it.object).is_some() => ListedState::Moving(target),
        (None, Some(tombstone)) => ListedState::Removed(tombstone),
        (None, None) => ListedState::Nothing,
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
async fn of_unknown(
    versioned: &VersionedDocument<'_>,
    stem: &Stem,
    added: &Result<Vec<String>, Error>,
) -> ListedState {
    unknown(versioned, stem, added)
        .await
        .unwrap_or(ListedState::Nothing)
}

async fn unknown(
    versioned: &VersionedDocument<'_>,
    stem: &Stem,
    added: &Result<Vec<String>, Error>,
) -> Option<ListedState> {
    if !is_of_other_command(stem) {
        return None;
    }
    let (command, feature) = name::of_stem(stem.as_str())?;
    let object = versioned.read().await.ok()?.document?.object;
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
    Some(ListedState::Broken(target, why))
}

/// A checkpoint that is gone though its history is kept, unless it was complete.
///
/// One that began since the folder was listed is there by now.
pub(crate) async fn of_history(
    versioned: &VersionedDocument<'_>,
    stem: &Stem,
    commands: &[String],
) -> ListedState {
    let Some(target) = name::target(stem.as_str(), commands) else {
        return ListedState::Nothing;
    };
    match versioned.read().await {
        Ok(stored) if stored.tombstone.is_some() => return ListedState::Nothing,
        Ok(stored) => {
            if let Some(document) = stored.document {
                return ListedState::Checkpoint(target, document);
            }
        }
        Err(error) => return ListedState::Broken(target, error),
    }
    let revisions = versioned.revisions().await.unwrap_or_default();
    let Some(newest) = revisions.last() else {
        return ListedState::Nothing;
    };
    if let Ok(Some(RecordedContent::Whole(object))) = versioned.recorded(newest).await
        && (is_completed(&object) || is_tombstone(&object))
    {
        return ListedState::Nothing;
    }
    let error = deleted(&target, None);
    ListedState::Broken(target, error)
}
