//! The checkpoints themselves, and their histories.

use crate::agent::Agent;
use crate::checkpoint::command::agents;
use crate::checkpoint::command::document::{self, Changeability};
use crate::checkpoint::command::name;
use crate::doctor::facts::{
    DocumentFacts, ExaminedRun, HistoryFacts, HistoryState, Inside, Read, Secret, SideFiles,
    StoredRun, Wrong,
};
use crate::effect::{Io, PathKind};
use crate::error::{Code, Error, Target};
use crate::json::Json;
use crate::root::{NOTIFICATIONS, TASKS, THREADS};
use crate::store::{
    Document, Origin, RecordedContent, RetentionPolicy, SIDE, Stem, StoreFolder, VersionedDocument,
};
use crate::time;

use super::names::{checkpoint, entries, strays};
use super::secrets::of_document;

/// Lists the state folder, and reads every checkpoint and its history.
pub(super) async fn scan(
    io: &Io,
    folder: &StoreFolder,
    added: &[String],
    inside: &mut Inside,
    secrets: &mut Vec<Secret>,
) {
    let mut checkpoints = Vec::new();
    let mut others = Vec::new();
    for file in entries(
        io,
        folder,
        "",
        &["*-*.json", ".gitignore"],
        &mut inside.side_files,
    )
    .await
    {
        match checkpoint(&file, added) {
            Some(listed) => checkpoints.push(listed),
            None if [SIDE, TASKS, THREADS, NOTIFICATIONS].contains(&file.as_str()) => {}
            None => others.push(file),
        }
    }
    strays(io, folder, "", &others, &mut inside.side_files).await;
    for listed in checkpoints {
        let versioned =
            VersionedDocument::new(io, folder, &listed.stem, RetentionPolicy::default());
        let (read, history) = match versioned.read().await {
            Ok(stored) => match stored.document {
                Some(document) => {
                    let path = folder.shown(&listed.stem.file());
                    of_document(&path, &document.object, secrets);
                    (
                        Read::Document(content(&listed, *document, added)),
                        history(&versioned).await,
                    )
                }
                // Gone since the folder was listed.
                None => (Read::Nothing, HistoryFacts::default()),
            },
            Err(error) => {
                let history = history(&versioned).await;
                let failed = failed(io, folder, &listed, error, &mut inside.side_files).await;
                (failed, history)
            }
        };
        inside.checkpoints.push(ExaminedRun {
            listed,
            read,
            history,
        });
    }
}

/// The content of a document.
fn content(listed: &StoredRun, document: Document, added: &[String]) -> DocumentFacts {
    let says = |key: &str| document.object.get(key).and_then(Json::as_str);
    let Target { command, feature } = &listed.target;
    let own = [("command", Some(command)), ("feature", feature.as_ref())];
    let contradicts = |(key, expected): &(&str, Option<&String>)| {
        says(key).is_some_and(|stored| Some(stored) != expected.map(String::as_str))
    };
    let contradictions = own.into_iter().filter(contradicts).map(|(key, _)| key);
    let stem = |command: &str, feature: Option<&str>| {
        name::check_command(command, added).ok()?;
        Stem::new(name::stem(command, feature).ok()?).ok()
    };
    let belongs = stem(
        says("command").unwrap_or(command),
        says("feature").or(feature.as_deref()),
    );
    let updated = says("updated_at").and_then(time::parse);
    let contradictions = contradictions.collect();
    let heard = agents::heard(&document.object)
        .filter_map(|(agent, at)| Some((Agent::parse(agent)?, at)))
        .collect();
    let object = Json::Object(document.object);
    // A later version is a problem too.
    let problems = document::problems(&object, &[command]);
    let changeability = match object.as_object() {
        Some(object) => document::changeability(object, &problems),
        None => Changeability::Recover,
    };
    DocumentFacts {
        revision: document.stamp.revision,
        is_edited: document.origin == Origin::Edited,
        updated_ms: updated.map(time::Time::wall_ms),
        contradictions,
        heard,
        belongs,
        problems: problems.len(),
        changeability,
    }
}

/// Describes the entry in the place of a document that could not be read.
async fn failed(
    io: &Io,
    folder: &StoreFolder,
    listed: &StoredRun,
    error: Error,
    side_files: &mut SideFiles,
) -> Read {
    let file = listed.stem.file();
    let path = folder.shown(&file);
    let inspected = folder.inspect(io, std::slice::from_ref(&path)).await;
    let Ok(&[entry]) = inspected.as_deref() else {
        return Read::Nothing;
    };
    if error.code() == Code::UnsafePath {
        // It may be a part beside it, which the look at the side folders shows.
        if !matches!(entry.kind, PathKind::Absent | PathKind::File) {
            side_files.misplaced.push((file, entry.kind));
        }
        return Read::Nothing;
    }
    Read::Failed(error, entry)
}

/// Reads every kept revision. What cannot be listed, the look at the side folders shows.
async fn history(versioned: &VersionedDocument<'_>) -> HistoryFacts {
    let mut history = HistoryFacts::default();
    let Ok(revisions) = versioned.revisions().await else {
        history.kept = HistoryState::Unknown;
        return history;
    };
    for revision in revisions {
        let wrong = match versioned.recorded(&revision).await {
            Ok(Some(RecordedContent::Whole(_))) => {
                history.kept = HistoryState::Good;
                continue;
            }
            // Something else stands there, or it is gone.
            Ok(None) => continue,
            Err(error) if error.code() == Code::UnsafePath => continue,
            Ok(Some(RecordedContent::Altered)) => Wrong::Altered(versioned.entry(&revision)),
            Err(error) => {
                if history.kept == HistoryState::Nothing {
                    history.kept = HistoryState::Unknown;
                }
                Wrong::Unreadable(error)
            }
        };
        history.wrong.push((revision.number, wrong));
    }
    history
}
