//! All checkpoints, a row each.

use crate::error::Error;
use crate::json::{Json, Object};
use crate::schema::{Kind, Shaped};

use super::index::{Badge, Facets, IndexedRun, RunFilter, RunStatus, ShownBadge, Sort};
use super::problem::RunProblem;
use super::viewer::Viewer;

/// So many rows are given at most: more fit on no screen.
const MAX_ROWS: usize = 1_000;

/// So many are given where no number is asked for.
const ROWS: usize = 100;

/// The prefix of the keys of runs.
const COMMAND: &str = "c/";

/// The stem of a run's key.
pub(super) fn stem(key: &str) -> Option<&str> {
    key.strip_prefix(COMMAND)
}

/// Gives the rows from `from` on that a filter leaves, how many there are, and how many there would be.
pub(super) fn answer(viewer: &mut Viewer, question: &Object) -> Result<Json, Error> {
    viewer.expect_folder()?;
    let filter = RunFilter::of(question)?;
    let number = |key: &str| usize::try_from(question.get(key)?.as_u64()?).ok();
    let from = number("from").unwrap_or_default();
    let count = number("count").unwrap_or(ROWS).min(MAX_ROWS);
    let place = viewer.meta().shown();
    let index = viewer.index();
    let (version, pending) = (index.version(), index.pending() as u64);
    let all = index.searched(&filter);
    let found = filter.find(&all, Sort::of(question));
    let window = found.places.iter().skip(from).take(count);
    let rows = window.map(|at| {
        let (stem, facts, _) = all[*at];
        row(stem, facts)
    });
    let answer = OverviewAnswer {
        version,
        pending,
        total: all.len(),
        matching: found.places.len(),
        rows: rows.collect(),
        facets: found.facets,
        place,
    };
    Ok(answer.into())
}

/// All checkpoints that a filter leaves, as far as they are asked for.
#[derive(Shaped)]
#[shape(name = "Overview")]
pub(super) struct OverviewAnswer {
    /// The number of changes that a page may see.
    version: u64,
    /// The number of checkpoints that are still to be read.
    pending: u64,
    /// The number of all checkpoints.
    #[shape(with = Json::from_count)]
    total: usize,
    /// The number of those that the filter leaves.
    #[shape(with = Json::from_count)]
    matching: usize,
    /// The choices that a filter has.
    facets: Facets,
    /// The rows.
    rows: Vec<OverviewRow>,
    /// The origin of the checkpoints, as the source says it.
    #[shape(kind = Kind::Record)]
    place: Json,
}

/// One checkpoint.
#[derive(Shaped)]
#[shape(name = "Row")]
struct OverviewRow {
    /// The key that questions about it have.
    key: String,
    /// The command.
    command: String,
    /// The feature, if it has one.
    feature: Option<String>,
    /// The command and the feature, to be shown.
    title: String,
    /// One word for how it stands.
    status: &'static str,
    /// True if the run is complete.
    complete: bool,
    /// True if there is something to do.
    has_work: bool,
    /// The number of phases that are done: complete or skipped.
    done: u64,
    /// The number of all phases.
    total: u64,
    /// The phases, in order.
    phases: Vec<RowPhase>,
    /// The number of phases of each status.
    progress: RowProgress,
    /// The phase to go on with.
    current_phase: Option<String>,
    /// The time at which it was last saved.
    updated_at: Option<String>,
    /// That time in milliseconds since 1970.
    updated_ms: Option<u64>,
    /// The time at which it was completed.
    completed_at: Option<String>,
    /// Its revision; 0 where it cannot be read.
    revision: u64,
    /// Its warnings.
    badges: Vec<ShownBadge>,
    /// Why it cannot be read, if it cannot.
    problem: Option<RunProblem>,
    /// The beginning of the last summary.
    summary: String,
    /// The phase that failed and its error, where the run has failed.
    error: Option<String>,
    /// The branch that hooks recorded, if they did.
    #[shape(left_out, kind = Kind::String)]
    branch: Option<String>,
}

/// A phase by its name.
#[derive(Shaped)]
struct RowPhase {
    /// The name.
    name: String,
    /// The status.
    status: &'static str,
}

/// The number of phases of each status.
#[derive(Shaped)]
#[shape(name = "Progress")]
struct RowProgress {
    /// Complete.
    completed: u64,
    /// In progress.
    in_progress: u64,
    /// Failed, and to be retried.
    failed: u64,
    /// Not yet begun.
    pending: u64,
    /// Left out on purpose.
    skipped: u64,
}

fn row(stem: &str, facts: &IndexedRun) -> OverviewRow {
    let phases = facts.phases.iter().map(|(name, status)| RowPhase {
        name: name.clone(),
        status: status.as_str(),
    });
    let badges = facts.badges.iter().map(|badge| {
        let since = facts.since_recorded.as_deref();
        ShownBadge::new(badge, since.filter(|_| badge == Badge::Stale))
    });
    let progress = &facts.progress;
    OverviewRow {
        key: format!("{COMMAND}{stem}"),
        command: facts.target.command.clone(),
        feature: facts.target.feature.clone(),
        title: facts.target.title(),
        status: facts.status.as_str(),
        complete: facts.status == RunStatus::Complete,
        has_work: facts.has_work,
        done: progress.done(),
        total: progress.total(),
        phases: phases.collect(),
        progress: RowProgress {
            completed: progress.completed,
            in_progress: progress.in_progress,
            failed: progress.failed,
            pending: progress.pending,
            skipped: progress.skipped,
        },
        current_phase: progress.current_phase.clone(),
        updated_at: facts.updated_at.clone(),
        updated_ms: facts.updated_ms,
        completed_at: facts.completed_at.clone(),
        revision: facts.revision,
        badges: badges.collect(),
        problem: facts.problem.clone(),
        summary: facts.summary.clone(),
        error: facts.error.clone(),
        branch: facts.branch.clone(),
    }
}
