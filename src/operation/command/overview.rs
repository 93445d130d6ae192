//! All checkpoints of a place at once.

use crate::checkpoint::command::document::Command;
use crate::checkpoint::command::name;
use crate::checkpoint::command::resume::ResumePoint;
use crate::effect::Io;
use crate::error::Error;
use crate::json::{Json, Object};
use crate::store::{self, Document};
use crate::time;

use super as command;
use super::opened::slot;
use crate::operation::{Noticed, Reply, Settings, Target};
use crate::root;

/// One checkpoint of a place, in a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Its names.
    pub target: Target,
    /// The phase under way.
    pub current_phase: Option<String>,
    /// How many phases are complete.
    pub completed: usize,
    /// How many phases are pending.
    pub pending: usize,
    /// When it was last changed.
    pub updated_at: Option<String>,
    /// When it was completed, if it was.
    pub completed_at: Option<String>,
    /// Its revision; 0 where it cannot be read.
    pub revision: u64,
    /// Why it cannot be read, if it cannot.
    pub problem: Option<String>,
}

/// The unfinished checkpoint that was updated last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Latest {
    /// Its names.
    pub target: Target,
    /// Where to go on.
    pub point: ResumePoint,
}

/// All checkpoints, sorted by command and feature. One that cannot be read is listed with the
/// problem.
///
/// Fails with `usage`, `unsafe_path`, `io`.
pub async fn list(io: &Io, settings: &Settings) -> Reply<Vec<Listed>> {
    let result = async {
        let all = read_all(io, settings).await?;
        Ok(all
            .into_iter()
            .map(|(target, read)| listed(target, read))
            .collect())
    };
    Noticed::default().reply(result.await)
}

/// The unfinished checkpoint that was updated last, and where to go on; `None` when all are
/// complete, or there is none. One that cannot be loaded does not count.
///
/// Warns as [`load`](command::load) does. Fails with `usage`, `unsafe_path`, `io`.
pub async fn latest(io: &Io, settings: &Settings) -> Reply<Option<Latest>> {
    let mut unfinished = match unfinished(io, settings).await {
        Ok(unfinished) => unfinished,
        Err(error) => return Noticed::default().reply(Err(error)),
    };
    while let Some(target) = take_newest(&mut unfinished) {
        // What came with a clone, or is stale, is told of as where the checkpoint is named.
        let Reply { result, warnings } = command::resume_point(io, settings, &target).await;
        if let Ok(point) = result {
            let result = Ok(Some(Latest { target, point }));
            return Reply { result, warnings };
        }
    }
    Noticed::default().reply(Ok(None))
}

/// When a checkpoint was updated last, as it says itself, and its revision.
type Rank = (Option<time::Time>, u64);

async fn unfinished(io: &Io, settings: &Settings) -> Result<Vec<(Rank, Target)>, Error> {
    let mut found = Vec::new();
    for (target, read) in read_all(io, settings).await? {
        let Ok(document) = read else { continue };
        let object = &document.object;
        if object
            .get("completed_at")
            .is_none_or(|at| *at == Json::Null)
        {
            let updated = text(object, "updated_at").and_then(|at| time::parse(&at));
            found.push(((updated, document.stamp.revision), target));
        }
    }
    Ok(found)
}

/// Of those that are equal the first.
fn take_newest(unfinished: &mut Vec<(Rank, Target)>) -> Option<Target> {
    let ranks = unfinished.iter().map(|(rank, _)| rank).enumerate();
    let (at, _) = ranks.reduce(|newest, next| if newest.1 < next.1 { next } else { newest })?;
    Some(unfinished.remove(at).1)
}

type Read = (Target, Result<Box<Document>, Error>);

async fn read_all(io: &Io, settings: &Settings) -> Result<Vec<Read>, Error> {
    let root = root::locate(io, settings).await?;
    let folder = root::state_folder(&root, settings)?;
    let mut all = Vec::new();
    for stem in store::stems(io, &folder).await? {
        let Some((command, feature)) = name::of_stem(stem.as_str()) else {
            continue;
        };
        if Command::parse(command).is_none() {
            continue;
        }
        let target = Target {
            command: command.to_owned(),
            feature: feature.map(str::to_owned),
        };
        match slot(io, &folder, &stem, settings).read().await {
            Ok(stored) => {
                all.extend(stored.document.map(|document| (target, Ok(document))));
            }
            Err(error) => all.push((target, Err(error))),
        }
    }
    Ok(all)
}

fn listed(target: Target, read: Result<Box<Document>, Error>) -> Listed {
    match read {
        Ok(document) => {
            let state = document.object.get("state").and_then(Json::as_object);
            let length = |key: &str| {
                state
                    .and_then(|state| state.get(key))
                    .and_then(Json::as_array)
                    .map_or(0, <[_]>::len)
            };
            Listed {
                target,
                current_phase: state.and_then(|state| text(state, "current_phase")),
                completed: length("completed_phases"),
                pending: length("pending_phases"),
                updated_at: text(&document.object, "updated_at"),
                completed_at: text(&document.object, "completed_at"),
                revision: document.stamp.revision,
                problem: None,
            }
        }
        Err(error) => Listed {
            target,
            current_phase: None,
            completed: 0,
            pending: 0,
            updated_at: None,
            completed_at: None,
            revision: 0,
            problem: Some(error.to_string()),
        },
    }
}

fn text(object: &Object, key: &str) -> Option<String> {
    object.get(key).and_then(Json::as_str).map(str::to_owned)
}
