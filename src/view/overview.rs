//! All checkpoints, a row each.

use crate::error::Error;
use crate::json::{Json, Object};

use super::index::{Badge, IndexedRun, RunFilter, RunStatus, Sort};
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
    let rows: Vec<Json> = window
        .map(|at| {
            let (stem, facts, _) = all[*at];
            row(stem, facts)
        })
        .collect();
    let answer = Object::new()
        .with("version", version)
        .with("pending", pending)
        .with("total", all.len() as u64)
        .with("matching", found.places.len() as u64)
        .with("facets", found.facets)
        .with("rows", rows)
        .with("place", place);
    Ok(answer.into())
}

fn row(stem: &str, facts: &IndexedRun) -> Json {
    let phases = facts.phases.iter().map(|(name, status)| {
        let phase = Object::new().with("name", name.as_str());
        Json::from(phase.with("status", status.as_str()))
    });
    let badges = facts.badges.iter().map(|badge| {
        let text = match &facts.since_recorded {
            Some(since) if badge == Badge::Stale => since.as_str(),
            _ => badge.text(),
        };
        let shown = Object::new().with("code", badge.code());
        Json::from(shown.with("text", text))
    });
    let progress = Object::new()
        .with("completed", facts.progress.completed)
        .with("in_progress", facts.progress.in_progress)
        .with("failed", facts.progress.failed)
        .with("pending", facts.progress.pending)
        .with("skipped", facts.progress.skipped);
    let problem = facts.problem.as_ref().map(|problem| {
        let shown = Object::new().with("code", problem.code);
        shown.with("message", problem.message.as_str())
    });
    let mut row = Object::new()
        .with("key", format!("{COMMAND}{stem}"))
        .with("command", facts.target.command.as_str())
        .with("feature", facts.target.feature.clone())
        .with("title", facts.target.title())
        .with("status", facts.status.as_str())
        .with("complete", facts.status == RunStatus::Complete)
        .with("has_work", facts.has_work)
        .with("done", facts.progress.done())
        .with("total", facts.progress.total())
        .with("phases", phases.collect::<Vec<_>>())
        .with("progress", progress)
        .with("current_phase", facts.progress.current_phase.clone())
        .with("updated_at", facts.updated_at.clone())
        .with("updated_ms", facts.updated_ms)
        .with("completed_at", facts.completed_at.clone())
        .with("revision", facts.revision)
        .with("badges", badges.collect::<Vec<_>>())
        .with("problem", problem)
        .with("summary", facts.summary.as_str())
        .with("error", facts.error.clone());
    if let Some(branch) = &facts.branch {
        row.set("branch", branch.as_str());
    }
    row.into()
}
