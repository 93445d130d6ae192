//! All checkpoints of a place.

use crate::checkpoint::command::name;
use crate::checkpoint::command::progress::Progress;
use crate::checkpoint::command::tombstone::unfinished_rename;
use crate::effect::{Io, boxed};
use crate::error::whole;
use crate::error::{Advice, Code, Error};
use crate::json::Json;
use crate::operation::project::load_integrations::added_commands;
use crate::operation::reply::{Warnings, with_warnings};
use crate::operation::row::{Answering, Arguments, Operation};
use crate::operation::workspace::Workspace;
use crate::operation::{Reply, Settings, Target};
use crate::root::{self, Root};
use crate::schema::Shaped;
use crate::store::{self, Document, Overview, Stem};

use super::listed_state::{self, ListedState};
use super::names::versioned_document;
use super::run_store::RunStore;
use super::summary::{RunSummary, branch_or_null};

pub(super) const OPERATION: Operation = Operation::at::<(), Vec<ListedRun>>(
    "list",
    "All checkpoints, sorted by command and feature.",
    perform,
);

fn perform<'a>(io: &'a Io, settings: &'a Settings, _: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        if let Err(error) = whole::needed() {
            return Warnings::default().reply(Err(error));
        }
        list(io, settings).await.map(Json::from)
    })
}

/// One checkpoint of a list.
#[derive(Clone, Debug, PartialEq, Eq, Shaped)]
#[shape(name = "Listed")]
pub struct ListedRun {
    /// Its names.
    #[shape(flatten)]
    pub target: Target,
    /// True if its run is complete.
    #[shape(name = "complete")]
    pub is_completed: bool,
    /// True if there is something to do: a phase, or a plan without phases.
    pub has_work: bool,
    /// Its progress.
    #[shape(flatten, into = ListedProgress)]
    pub progress: Progress,
    /// The time at which it was last saved.
    pub updated_at: Option<String>,
    /// The time at which it was completed.
    pub completed_at: Option<String>,
    /// Its revision; 0 where it cannot be read.
    pub revision: u64,
    /// The branch that hooks recorded, null for a detached HEAD; absent where none was recorded.
    ///
    /// It is empty for a detached HEAD.
    #[shape(left_out, with = branch_or_null)]
    pub branch: Option<String>,
    /// Why it cannot be read, if it cannot.
    pub problem: Option<String>,
    /// True if it was changed by hand since it was last saved; absent otherwise.
    #[shape(name = "edited_by_hand", left_out)]
    pub is_edited: bool,
    /// True if its file was deleted and its history is kept, so that it can be recovered; absent otherwise.
    #[shape(name = "deleted", left_out)]
    pub is_deleted: bool,
}

/// The progress of a run in a list.
#[derive(Shaped)]
struct ListedProgress {
    /// The number of phases that are done: complete or skipped.
    done: u64,
    /// The number of phases.
    total: u64,
    /// The phase to resume, if it is in progress or has failed.
    current_phase: Option<String>,
    /// The number of phases that are complete.
    completed: u64,
    /// The number of phases in progress.
    in_progress: u64,
    /// The number of phases that have failed, and are to be retried.
    failed: u64,
    /// The number of phases that are not yet begun.
    pending: u64,
    /// The number of phases that were left out on purpose.
    skipped: u64,
}

impl From<Progress> for ListedProgress {
    fn from(progress: Progress) -> Self {
        ListedProgress {
            done: progress.done(),
            total: progress.total(),
            current_phase: progress.current_phase,
            completed: progress.completed,
            in_progress: progress.in_progress,
            failed: progress.failed,
            pending: progress.pending,
            skipped: progress.skipped,
        }
    }
}

/// All checkpoints, sorted by command and feature. One that cannot be read is listed with the
/// problem.
///
/// Fails with `usage`, `unsafe_path`, `io`.
pub async fn list(io: &Io, settings: &Settings) -> Reply<Vec<ListedRun>> {
    with_warnings(async |_| {
        let root = root::locate(io, settings).await?;
        let all = read_all(io, settings, &root, RunSelection::All)
            .await?
            .into_iter();
        Ok(all.map(|(target, read)| listed(target, read)).collect())
    })
    .await
}

/// A checkpoint in short, or why it cannot be read.
pub(in crate::operation) type Read = (Target, Result<RunSummary, Error>);

/// The checkpoints that are looked for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::operation) enum RunSelection<'a> {
    All,
    /// Those that are complete may be left out. Of those that this session of an agent works on, the document is
    /// kept as far as it is read.
    Unfinished {
        of: Option<&'a str>,
    },
}

impl<'a> RunSelection<'a> {
    fn leaves_out(self, line: &str) -> bool {
        let is_unfinished = matches!(self, RunSelection::Unfinished { .. });
        line == REMOVED || is_unfinished && RunSummary::is_of_completed(line)
    }

    fn session(self) -> Option<&'a str> {
        match self {
            RunSelection::All => None,
            RunSelection::Unfinished { of } => of,
        }
    }
}

/// Every checkpoint of a place, or why it cannot be read.
pub(in crate::operation) async fn read_all(
    io: &Io,
    settings: &Settings,
    root: &Root,
    selection: RunSelection<'_>,
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
        // An obstacle to all of them is reported for each.
        let is_looked_at = orphans.is_ok();
        let place = |stem: &Stem| match versioned_document(io, &folder, stem, settings) {
            versioned if is_looked_at => versioned.one_of_many(),
            versioned => versioned,
        };
        let orphans = orphans.unwrap_or_default();
        let added = match stems
            .iter()
            .chain(&orphans)
            .any(listed_state::is_of_other_command)
        {
            true => {
                whole::needed()?;
                added_commands(io, root).await
            }
            false => Ok(Vec::new()),
        };
        let commands = added.as_deref().unwrap_or_default();
        for stem in orphans {
            match listed_state::of_history(&place(&stem), &stem, commands).await {
                ListedState::Checkpoint(target, document) => {
                    all.push((target, Ok(RunSummary::of(&document))));
                }
                ListedState::Broken(target, error) => all.push((target, Err(error))),
                ListedState::Moving(_) | ListedState::Removed(_) | ListedState::Nothing => {}
            }
        }
        let mut overview = match is_looked_at {
            true => Overview::open(io, &folder, Stem::ENDING, &stems).await,
            false => Overview::default(),
        };
        for (at, stem) in stems.iter().enumerate() {
            let line = overview.said(at, stem);
            if line.is_some_and(|line| selection.leaves_out(line)) {
                continue;
            }
            if let Some(summary) = line.and_then(RunSummary::of_line)
                && let Some(target) = name::target(stem.as_str(), commands)
            {
                all.push((target, Ok(summary)));
                continue;
            }
            match listed_state::of_file(&place(stem), stem, &added).await {
                ListedState::Checkpoint(target, document) => {
                    let summary = RunSummary::of(&document);
                    note(&mut overview, at, stem, &document, || summary.line());
                    let summary = summary.keeping(&document, selection.session());
                    all.push((target, Ok(summary)));
                }
                ListedState::Removed(tombstone) => {
                    let line = || Some(REMOVED.to_owned());
                    note(&mut overview, at, stem, &tombstone, line);
                }
                ListedState::Broken(target, error) => all.push((target, Err(error))),
                ListedState::Moving(target) => unfinished = Some(target),
                ListedState::Nothing => {}
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
        // A checkpoint that moved may be listed under its new name then, or be back.
        let workspace = Workspace {
            io,
            settings,
            root: root.clone(),
        };
        let store = RunStore::at(workspace, &target).await?;
        let is_finished = |tombstone: &Document| unfinished_rename(&tombstone.object).is_none();
        match store.read().await {
            Ok(stored) if stored.tombstone.as_ref().is_none_or(|it| is_finished(it)) => {}
            // It cannot be finished here, and does not belong to the list.
            _ => return Ok(all),
        }
    }
}

/// Notes what there is to say of a document next time.
fn note(
    overview: &mut Overview,
    at: usize,
    stem: &Stem,
    document: &Document,
    line: impl Fn() -> Option<String>,
) {
    if overview.can_tell_of(at, document)
        && let Some(line) = line()
    {
        overview.note(at, stem, &line);
    }
}

/// The mark in the overview for a checkpoint that was removed.
const REMOVED: &str = "removed";

fn listed(target: Target, read: Result<RunSummary, Error>) -> ListedRun {
    match read {
        Ok(summary) => {
            let revision = summary.revision();
            let branch = summary.branch().map(str::to_owned);
            let (is_completed, has_work) = (summary.is_completed(), summary.has_work());
            let is_edited = summary.is_edited();
            let (progress, updated_at, completed_at) = summary.into_parts();
            ListedRun {
                target,
                is_completed,
                has_work,
                progress,
                updated_at,
                completed_at,
                revision,
                branch,
                problem: None,
                is_edited,
                is_deleted: false,
            }
        }
        Err(error) => ListedRun {
            target,
            is_completed: false,
            has_work: false,
            progress: Progress::default(),
            updated_at: None,
            completed_at: None,
            revision: 0,
            branch: None,
            is_deleted: matches!(error.advice(), Some(Advice::Recover(_)))
                && error.code() == Code::NotFound,
            problem: Some(error.to_string()),
            is_edited: false,
        },
    }
}
