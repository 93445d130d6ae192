//! Files and messages of agents: which phase each joins.

use std::collections::BTreeSet;

use super::super::document::Draft;
use super::super::phases::{Status, Update};
use super::super::resume::{in_progress, point};
use super::dirty::{CREATED, MODIFIED};
use super::owners;
use super::parts::{UNNAMED, phase, phases, status_of};
use super::plan;
use crate::error::Error;
use crate::json::{Json, Object};

/// The number of reports of subagents that are kept in a phase.
pub(super) const MAX_REPORTS: usize = 10;

/// The source of a summary that was not recorded on purpose.
const SOURCE: (&str, &str) = ("summary_source", "auto");

/// Returns whether some phase lists the file, and whether it is the one that a file written now
/// belongs to.
pub fn is_listed(checkpoint: &Object, path: &str) -> (bool, bool) {
    is_listed_at(checkpoint, path, point(checkpoint).phase.as_deref())
}

/// Returns whether some phase lists the file, and whether this one does.
fn is_listed_at(checkpoint: &Object, path: &str, place: Option<&str>) -> (bool, bool) {
    let lists = |phase: &Object| {
        [CREATED, MODIFIED].into_iter().any(|key| {
            let list = phase.get(key).and_then(Json::as_array).unwrap_or_default();
            list.iter().any(|item| item.as_str() == Some(path))
        })
    };
    let own = place.and_then(|name| phase(checkpoint, name));
    (
        phases(checkpoint).any(|(_, phase)| lists(phase)),
        own.is_some_and(lists),
    )
}

/// Adds files that this session wrote to the phase that the work is in: the one to go on with, else one without a
/// name. Those that some phase lists already were modified, regardless of `is_new`. Returns whether anything changed.
///
/// # Errors
///
/// As [`Update::apply`].
pub fn wrote(
    draft: &mut Draft,
    session: &str,
    files: &[(String, bool)],
    now: &str,
) -> Result<bool, Error> {
    let place = point(draft.as_object()).phase;
    add_files(draft, session, files, place, now)
}

/// Adds files of this session to a phase; `None` for one without a name.
fn add_files(
    draft: &mut Draft,
    session: &str,
    files: &[(String, bool)],
    place: Option<String>,
    now: &str,
) -> Result<bool, Error> {
    let (mut created, mut modified) = (Vec::new(), Vec::new());
    for (path, is_new) in files {
        match is_listed_at(draft.as_object(), path, place.as_deref()) {
            (_, true) => {}
            (false, false) if *is_new => created.push(Json::from(path.as_str())),
            _ => modified.push(Json::from(path.as_str())),
        }
    }
    let mut add = Object::new();
    for (key, list) in [(CREATED, created), (MODIFIED, modified)] {
        if !list.is_empty() {
            add.set(key, list);
        }
    }
    let is_first = owners::begin_turn(draft, session);
    if add.is_empty() {
        return Ok(is_first);
    }
    let patch = match &place {
        Some(_) => Object::new(),
        None => Object::new().with("status", Status::InProgress.as_str()),
    };
    let name = place.unwrap_or_else(|| UNNAMED.to_owned());
    let update = Update::new(&name, &patch, None)?.adding(Some(&add))?;
    update.apply(draft, now)?;
    if name == UNNAMED {
        plan::own_unnamed(draft, session, now)?;
    }
    Ok(true)
}

/// Notes new files of this turn that were seen to be there: they may be gone again at its end.
pub fn note_created(draft: &mut Draft, session: &str, files: &[String]) {
    for file in files {
        owners::add_to_turn(draft, session, ("created", file));
    }
}

/// The new files of this turn that were seen to be there.
pub fn created_in_turn<'a>(run: &'a Object, session: &str) -> BTreeSet<&'a str> {
    let created = owners::list_of_turn(run, session, "created");
    created.unwrap_or_default().into_iter().collect()
}

/// The member of a run with files that are in no root of it.
const OUTSIDE: &str = "files_outside";
/// The most of them that are listed.
const MAX_OUTSIDE: usize = 200;

/// Returns whether the run lists files outside of its repository.
pub fn has_outside(run: &Object) -> bool {
    run.get(OUTSIDE).is_some()
}

/// Returns those of the files that the run does not list as outside yet.
pub fn new_outside(run: &Object, files: &[String]) -> Vec<String> {
    let known = run
        .get(OUTSIDE)
        .and_then(Json::as_array)
        .unwrap_or_default();
    let is_known = |file: &String| known.iter().any(|it| it.as_str() == Some(file));
    files
        .iter()
        .filter(|file| !is_known(file))
        .cloned()
        .collect()
}

/// Lists files outside of the repository. Returns whether anything changed.
pub fn list_outside(draft: &mut Draft, files: &[String]) -> bool {
    let new = new_outside(draft.as_object(), files);
    if new.is_empty() {
        return false;
    }
    let run = draft.as_object_mut();
    let known = run.get(OUTSIDE).and_then(Json::as_array);
    let mut listed = known.unwrap_or_default().to_vec();
    listed.extend(new.into_iter().map(Json::from));
    listed.truncate(MAX_OUTSIDE);
    run.set(OUTSIDE, listed);
    true
}

/// Records the plan that the user approved. Returns whether it is another one.
pub fn present(draft: &mut Draft, session: &str, plan: &str) -> bool {
    let run = draft.as_object_mut();
    if run.get("plan").and_then(Json::as_str) == Some(plan) {
        return false;
    }
    run.set("plan", plan);
    owners::begin_turn(draft, session);
    true
}

/// Adds files that shell commands changed to the phase of the turn. They are work of the turn. Returns whether
/// anything changed.
///
/// # Errors
///
/// As [`Update::apply`].
pub fn add_changed(
    draft: &mut Draft,
    session: &str,
    files: &[(String, bool)],
    now: &str,
) -> Result<bool, Error> {
    if files.is_empty() {
        return Ok(false);
    }
    let place = place_of_turn(draft.as_object(), session);
    add_files(draft, session, files, place, now)
}

/// The files of the phases that the turn worked on; none where neither a tool nor the plan has begun the turn.
pub fn named_in_turn<'a>(run: &'a Object, session: &str) -> BTreeSet<&'a str> {
    let Some(completed) = owners::turn(run, session) else {
        return BTreeSet::new();
    };
    let completed = completed.into_iter().map(str::to_owned);
    let names = completed.chain(place_of_turn(run, session));
    let phases = names.filter_map(|name| phase(run, &name));
    let lists = phases.flat_map(|phase| [phase.get(CREATED), phase.get(MODIFIED)]);
    let lists = lists.filter_map(|list| list?.as_array());
    lists.flatten().filter_map(Json::as_str).collect()
}

/// The phase that the turn works on: the one in progress, else what it completed last, else the next one.
fn place_of_turn(run: &Object, session: &str) -> Option<String> {
    phase_of_turn(run, session).or_else(|| point(run).phase)
}

/// Ends the turn of a session. Its last message becomes the summary of the phase in progress, else of the phase
/// that the turn completed last: only where the turn changed a file or the plan, and in place of no summary that
/// was recorded on purpose. Returns whether the message was taken, and whether anything changed.
///
/// # Errors
///
/// As [`Update::apply`].
pub fn stop(
    draft: &mut Draft,
    session: &str,
    message: Option<&str>,
    now: &str,
) -> Result<(bool, bool), Error> {
    let name = phase_of_turn(draft.as_object(), session);
    let has_worked = owners::end_turn(draft, session);
    let (Some(name), Some(message)) = (name, message) else {
        return Ok((false, has_worked));
    };
    let present = phase(draft.as_object(), &name);
    let text = |key| present.and_then(|phase| phase.get(key)?.as_str());
    let (key, auto) = SOURCE;
    let stored = text("context_summary").filter(|summary| !summary.is_empty());
    if stored == Some(message) || stored.is_some() && text(key) != Some(auto) {
        return Ok((false, has_worked));
    }
    let patch = Object::new()
        .with("context_summary", message)
        .with(key, auto);
    Update::new(&name, &patch, None)?.apply(draft, now)?;
    Ok((true, true))
}

/// The phase that the last message of this turn belongs to; `None` where the turn changed nothing.
pub fn phase_of_turn(run: &Object, session: &str) -> Option<String> {
    let completed = owners::turn(run, session)?;
    phase_begun(run).or_else(|| {
        let mut latest = completed.into_iter().rev();
        let is_complete =
            |name: &&str| phase(run, name).and_then(status_of) == Some(Status::Complete);
        latest.find(is_complete).map(str::to_owned)
    })
}

/// Keeps the last message of a subagent with the phase that the work is in. Returns whether there is one.
///
/// # Errors
///
/// As [`Update::apply`].
pub fn report(
    draft: &mut Draft,
    kind: Option<&str>,
    message: &str,
    now: &str,
) -> Result<bool, Error> {
    let Some(name) = latest_phase(draft.as_object()) else {
        return Ok(false);
    };
    let mut report = Object::new();
    if let Some(kind) = kind {
        report.set("agent_type", kind);
    }
    report.set("ended_at", now);
    report.set("summary", message);
    let key = "subagent_summaries";
    let present = phase(draft.as_object(), &name).and_then(|phase| phase.get(key)?.as_array());
    let mut reports = present.unwrap_or_default().to_vec();
    reports.push(report.into());
    let surplus = reports.len().saturating_sub(MAX_REPORTS);
    reports.drain(..surplus);
    let patch = Object::new().with(key, reports);
    Update::new(&name, &patch, None)?.apply(draft, now)?;
    Ok(true)
}

/// The phase that a summary of the work is of: the one in progress or completed last, else
/// the one that comes next, else one without a name.
pub fn phase_of_summary(checkpoint: &Object) -> String {
    let phase = latest_phase(checkpoint).or_else(|| point(checkpoint).phase);
    phase.unwrap_or_else(|| UNNAMED.to_owned())
}

/// Returns whether there is a phase that the last words of an agent would be kept with.
pub fn has_current_phase(checkpoint: &Object) -> bool {
    latest_phase(checkpoint).is_some()
}

/// The phase in progress, else the one that was completed last.
fn latest_phase(checkpoint: &Object) -> Option<String> {
    if let Some(name) = phase_begun(checkpoint) {
        return Some(name);
    }
    let state = checkpoint.get("state")?.as_object()?;
    let completed = state.get("completed_phases")?.as_array()?;
    let last = completed.last()?.as_str()?;
    phase(checkpoint, last).map(|_| last.to_owned())
}

/// The phase in progress, where it has an entry.
fn phase_begun(run: &Object) -> Option<String> {
    let name = in_progress(run)?;
    phase(run, name).map(|_| name.to_owned())
}
