//! All checkpoints of a place.

use crate::checkpoint::command::document::is_completed;
use crate::checkpoint::command::name;
use crate::checkpoint::command::progress::Progress;
use crate::checkpoint::command::tombstone::{is_tombstone, unfinished_rename};
use crate::effect::{Io, boxed};
use crate::error::Error;
use crate::error::whole;
use crate::integrations::MAX_COMMAND;
use crate::json::{Json, Object};
use crate::operation::project::load_integrations::added_commands;
use crate::operation::reply::{Noticed, noticing};
use crate::operation::row::{Answering, Arguments, NONE, Operation, required, shape};
use crate::operation::{Reply, Settings, Target};
use crate::portable;
use crate::root::{self, Root};
use crate::schema::{Kind, Shape};
use crate::store::{self, Document, Overview, Recorded, Slot, Stem};

use super::absent::kept;
use super::names::slot;
use super::opened::Opened;
use super::summary::Summary;

pub(super) const OPERATION: Operation = Operation::at(
    "list",
    "All checkpoints, sorted by command and feature.",
    &NONE,
    Kind::List(&Kind::Object(&LISTED)),
    perform,
);

const LISTED: Shape = shape(
    "Listed",
    "One checkpoint of a list.",
    &[
        required("command", Kind::String, "Its command."),
        required(
            "feature",
            Kind::Nullable(&Kind::String),
            "Its feature, if it has one.",
        ),
        required(
            "current_phase",
            Kind::Nullable(&Kind::String),
            "The phase to resume, if it is in progress or has failed.",
        ),
        required("completed", Kind::Integer, "How many phases are complete."),
        required("in_progress", Kind::Integer, "How many are in progress."),
        required(
            "failed",
            Kind::Integer,
            "How many have failed, and are to be tried again.",
        ),
        required("pending", Kind::Integer, "How many are not yet begun."),
        required(
            "skipped",
            Kind::Integer,
            "How many were left out on purpose.",
        ),
        required(
            "updated_at",
            Kind::Nullable(&Kind::String),
            "When it was last saved.",
        ),
        required(
            "completed_at",
            Kind::Nullable(&Kind::String),
            "When it was completed.",
        ),
        required(
            "revision",
            Kind::Integer,
            "Its revision; 0 where it cannot be read.",
        ),
        required(
            "problem",
            Kind::Nullable(&Kind::String),
            "Why it cannot be read, if it cannot.",
        ),
    ],
);

fn perform<'a>(io: &'a Io, settings: &'a Settings, _: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        if let Err(error) = whole::needed() {
            return Noticed::default().reply(Err(error));
        }
        let reply = list(io, settings).await;
        reply.map(|listed| {
            listed
                .into_iter()
                .map(Json::from)
                .collect::<Vec<_>>()
                .into()
        })
    })
}

/// One checkpoint of a place, in a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Its names.
    pub target: Target,
    /// How far it is.
    pub progress: Progress,
    /// When it was last changed.
    pub updated_at: Option<String>,
    /// When it was completed, if it was.
    pub completed_at: Option<String>,
    /// Its revision; 0 where it cannot be read.
    pub revision: u64,
    /// Why it cannot be read, if it cannot.
    pub problem: Option<String>,
}

impl From<Listed> for Json {
    fn from(listed: Listed) -> Self {
        Object::new()
            .with("command", listed.target.command)
            .with("feature", listed.target.feature)
            .with("current_phase", listed.progress.current_phase)
            .with("completed", listed.progress.completed)
            .with("in_progress", listed.progress.in_progress)
            .with("failed", listed.progress.failed)
            .with("pending", listed.progress.pending)
            .with("skipped", listed.progress.skipped)
            .with("updated_at", listed.updated_at)
            .with("completed_at", listed.completed_at)
            .with("revision", listed.revision)
            .with("problem", listed.problem)
            .into()
    }
}

/// All checkpoints, sorted by command and feature. One that cannot be read is listed with the
/// problem.
///
/// Fails with `usage`, `unsafe_path`, `io`.
pub async fn list(io: &Io, settings: &Settings) -> Reply<Vec<Listed>> {
    noticing(async |_| {
        let root = root::locate(io, settings).await?;
        let all = read_all(io, settings, &root, Wanted::All)
            .await?
            .into_iter();
        Ok(all.map(|(target, read)| listed(target, read)).collect())
    })
    .await
}

/// A checkpoint in short, or why it cannot be read.
pub(in crate::operation) type Read = (Target, Result<Summary, Error>);

/// Which checkpoints are looked for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::operation) enum Wanted<'a> {
    All,
    /// Those that are complete may be left out. Of those that this session of an agent works on, the document is
    /// kept as far as it is read.
    Unfinished {
        of: Option<&'a str>,
    },
}

impl<'a> Wanted<'a> {
    fn leaves_out(self, line: &str) -> bool {
        let is_unfinished = matches!(self, Wanted::Unfinished { .. });
        line == REMOVED || is_unfinished && Summary::is_of_completed(line)
    }

    fn session(self) -> Option<&'a str> {
        match self {
            Wanted::All => None,
            Wanted::Unfinished { of } => of,
        }
    }
}

/// Every checkpoint of a place, or why it cannot be read.
pub(in crate::operation) async fn read_all(
    io: &Io,
    settings: &Settings,
    root: &Root,
    wanted: Wanted<'_>,
) -> Result<Vec<Read>, Error> {
    let folder = root::state_folder(root, settings)?;
    loop {
        let mut all = Vec::new();
        let mut unfinished = None;
        let stems = store::stems(io, &folder).await;
        if stems.as_ref().map_or(true, Vec::is_empty) {
            root::expect_there(io, root, &folder).await?;
        }
        let stems = stems?;
        let orphans = store::orphans(io, &folder, &stems).await;
        // What stands in the way of all of them is told of each.
        let is_looked_at = orphans.is_ok();
        let place = |stem: &Stem| match slot(io, &folder, stem, settings) {
            slot if is_looked_at => slot.one_of_many(),
            slot => slot,
        };
        let orphans = orphans.unwrap_or_default();
        let added = match stems.iter().chain(&orphans).any(is_of_other_command) {
            true => {
                whole::needed()?;
                added_commands(io, root).await
            }
            false => Ok(Vec::new()),
        };
        let commands = added.as_deref().unwrap_or_default();
        for stem in orphans {
            if let Some(target) = name::target(stem.as_str(), commands) {
                let slot = place(&stem);
                all.extend(vanished(&slot, target).await);
            }
        }
        let mut overview = match is_looked_at {
            true => Overview::open(io, &folder, Stem::ENDING, &stems).await,
            false => Overview::default(),
        };
        for (at, stem) in stems.iter().enumerate() {
            let line = overview.said(at, stem);
            if line.is_some_and(|line| wanted.leaves_out(line)) {
                continue;
            }
            let known = line.and_then(Summary::of_line);
            let Some(target) = name::target(stem.as_str(), commands) else {
                all.extend(unknown(&place(stem), stem, &added).await);
                continue;
            };
            if let Some(summary) = known {
                all.push((target, Ok(summary)));
                continue;
            }
            match summary_of(&place(stem), &mut overview, at, stem, wanted).await {
                Ok(Found::Summary(summary)) => all.push((target, Ok(summary))),
                Ok(Found::Moving) => unfinished = Some(target),
                Ok(Found::Nothing) => {}
                Err(error) => all.push((target, Err(error))),
            }
        }
        let Some(target) = unfinished else {
            if overview.is_due() {
                whole::needed()?;
                overview.keep(io, &folder).await;
            }
            return Ok(all);
        };
        whole::needed()?;
        // What moved may be listed under its new name then, or be back.
        let opened = Opened::at(io, settings, root.clone(), &target).await?;
        let is_finished = |tombstone: &Document| unfinished_rename(&tombstone.object).is_none();
        match opened.read().await {
            Ok(stored) if stored.tombstone.as_ref().is_none_or(|it| is_finished(it)) => {}
            // It cannot be finished here, and is none of what is listed.
            _ => return Ok(all),
        }
    }
}

enum Found {
    Summary(Summary),
    /// A rename that somebody has to finish.
    Moving,
    Nothing,
}

/// Reads a checkpoint, and notes what there is to say of it next time.
async fn summary_of(
    slot: &Slot<'_>,
    overview: &mut Overview,
    at: usize,
    stem: &Stem,
    wanted: Wanted<'_>,
) -> Result<Found, Error> {
    let stored = slot.read().await?;
    let (document, found, line) = match (&stored.document, &stored.tombstone) {
        (Some(document), _) => {
            let summary = Summary::of(document);
            let line = summary.line();
            let summary = summary.keeping(document, wanted.session());
            (document, Found::Summary(summary), line)
        }
        (None, Some(it)) if unfinished_rename(&it.object).is_some() => return Ok(Found::Moving),
        (None, Some(tombstone)) => (tombstone, Found::Nothing, Some(REMOVED.to_owned())),
        (None, None) => return Ok(Found::Nothing),
    };
    if let Some(line) = line
        && overview.can_tell_of(at, document)
    {
        overview.note(at, stem, &line);
    }
    Ok(found)
}

/// Whether a file may be that of a command which the project adds, or added once.
fn is_of_other_command(stem: &Stem) -> bool {
    let command = name::of_stem(stem.as_str()).map(|(command, _)| command);
    command.is_some_and(|command| {
        !name::is_built_in(command) && portable::check_word(command, MAX_COMMAND).is_ok()
    })
}

/// A checkpoint of a command that there is not, or not any more, unless it was complete; `None` for a
/// file of anything else.
async fn unknown(slot: &Slot<'_>, stem: &Stem, added: &Result<Vec<String>, Error>) -> Option<Read> {
    if !is_of_other_command(stem) {
        return None;
    }
    let (command, feature) = name::of_stem(stem.as_str())?;
    let object = slot.read().await.ok()?.document?.object;
    let is_checkpoint = object.get("command").and_then(Json::as_str) == Some(command);
    if !is_checkpoint || is_completed(&object) {
        return None;
    }
    // Where it cannot be told which commands there are, that is what is wrong.
    let why = match added {
        Ok(added) => name::check_command(command, added).err()?,
        Err(error) => error.clone(),
    };
    let target = Target {
        command: command.to_owned(),
        feature: feature.map(str::to_owned),
    };
    Some((target, Err(why)))
}

/// A checkpoint that is gone though its history is kept, unless it was complete.
///
/// One that began since the folder was listed is there by now.
async fn vanished(slot: &Slot<'_>, target: Target) -> Option<Read> {
    match slot.read().await {
        Ok(stored) if stored.tombstone.is_some() => return None,
        Ok(stored) => {
            if let Some(document) = stored.document {
                return Some((target, Ok(Summary::of(&document))));
            }
        }
        Err(error) => return Some((target, Err(error))),
    }
    let revisions = slot.revisions().await.unwrap_or_default();
    let newest = slot.recorded(revisions.last()?).await;
    if let Ok(Some(Recorded::Whole(object))) = newest
        && (is_completed(&object) || is_tombstone(&object))
    {
        return None;
    }
    let error = kept(&target);
    Some((target, Err(error)))
}

/// What stands in the overview for a checkpoint that was removed.
const REMOVED: &str = "removed";

fn listed(target: Target, read: Result<Summary, Error>) -> Listed {
    match read {
        Ok(summary) => {
            let revision = summary.revision();
            let (progress, updated_at, completed_at) = summary.into_parts();
            Listed {
                target,
                progress,
                updated_at,
                completed_at,
                revision,
                problem: None,
            }
        }
        Err(error) => Listed {
            target,
            progress: Progress::default(),
            updated_at: None,
            completed_at: None,
            revision: 0,
            problem: Some(error.to_string()),
        },
    }
}
