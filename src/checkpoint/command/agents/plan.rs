//! The plan of an agent as phases: which item is which phase.
//!
//! An item that has an id is known by it within its session. A whole list has no ids: it is compared with the list
//! of this session before it, as two versions of a text are.

use super::super::document::Draft;
use super::super::phases::{Status, Update};
use super::item::{
    Planned, TASK, is_item, names, new_name, task_member, task_of, text_in, text_of,
};
use super::matching::{Matched, matched};
use super::owners::{begin_turn, complete_in_turn};
use super::parts::{UNNAMED, phase, phases, status_of};
use crate::error::Error;
use crate::json::{Json, Object};
use crate::sorting;

/// Brings the phases of a run in line with the plan of this session, and returns whether anything changed.
///
/// A phase that is complete stays so, unless the plan says otherwise. An item that a whole list does not have any
/// more is skipped, unless it is complete. Phases of other sessions that the list does not name stay as they are.
///
/// # Errors
///
/// As [`Update::apply`].
pub fn plan(
    draft: &mut Draft,
    session: &str,
    items: &[Planned],
    is_whole: bool,
    now: &str,
) -> Result<bool, Error> {
    let changed = match is_whole {
        true => list(draft, session, items, now)?,
        false => {
            let mut changed = false;
            for item in items {
                changed |= task(draft, session, item, now)?;
            }
            changed
        }
    };
    if changed {
        begin_turn(draft, session);
    }
    Ok(changed)
}

/// One task that has an id.
fn task(draft: &mut Draft, session: &str, item: &Planned, now: &str) -> Result<bool, Error> {
    let run = draft.as_object();
    let name = match item.is_new {
        true => match created(run, session, item) {
            CreatedTask::Before => return Ok(false),
            CreatedTask::As(name) => {
                // It is the phase of an earlier session, as far as that has come.
                own(draft, &name, session, item, now)?;
                return Ok(true);
            }
            CreatedTask::New => None,
        },
        false => known(run, session, item),
    };
    let Some(name) = name else {
        let Some(text) = &item.text else {
            return Ok(false);
        };
        let name = new_name(&names(run), text);
        // A change of an unknown task completes nothing.
        let status = item
            .status
            .filter(|it| item.is_new || *it != Status::Complete);
        let item = Planned {
            status: Some(status.unwrap_or(Status::Pending)),
            ..item.clone()
        };
        return set(draft, &name, session, &item, now);
    };
    let mut changed = false;
    let name = match &item.text {
        Some(text) if text_of(draft.as_object(), &name) != *text => {
            changed = true;
            rename(draft, &name, text, session, item, now)?
        }
        _ => name,
    };
    Ok(set(draft, &name, session, item, now)? | changed)
}

/// The kind of a created task.
enum CreatedTask {
    /// An event that was delivered before.
    Before,
    /// A phase that no task of this session is yet.
    As(String),
    /// A new phase.
    New,
}

fn created(run: &Object, session: &str, item: &Planned) -> CreatedTask {
    let text = item.text.as_deref().unwrap_or_default();
    let mut taken = None;
    for (name, phase) in phases(run) {
        if text_in(name, phase) != text {
            continue;
        }
        let is_open = status_of(phase).is_some_and(Status::is_open);
        match task_of(phase) {
            Some(task) if task.session == session => {
                let is_same = task.id.is_some() && task.id == item.id.as_deref();
                let is_call = match (&item.call, task.call) {
                    (Some(call), Some(known)) => call == known,
                    _ => is_open,
                };
                if is_same && is_call {
                    return CreatedTask::Before;
                }
            }
            _ if is_open && taken.is_none() => taken = Some(name.to_owned()),
            _ => {}
        }
    }
    taken.map_or(CreatedTask::New, CreatedTask::As)
}

/// The phase of a task that changed: the newest task of that id in this session, else the newest of that id and
/// text in the run.
fn known(run: &Object, session: &str, item: &Planned) -> Option<String> {
    let id = item.id.as_deref()?;
    let mut of_run = None;
    let mut of_session = None;
    for (name, phase) in phases(run) {
        let Some(task) = task_of(phase).filter(|task| task.id == Some(id)) else {
            continue;
        };
        if task.session == session {
            of_session = Some(name);
        } else if item
            .text
            .as_deref()
            .is_some_and(|text| text == text_in(name, phase))
        {
            of_run = Some(name);
        }
    }
    of_session.or(of_run).map(str::to_owned)
}

/// A whole list.
fn list(draft: &mut Draft, session: &str, items: &[Planned], now: &str) -> Result<bool, Error> {
    let items: Vec<&Planned> = items.iter().filter(|item| item.text.is_some()).collect();
    let Matched { phases, dropped } = matched(draft.as_object(), session, &items);
    let mut changed = false;
    let mut taken = names(draft.as_object());
    let mut listed = Vec::with_capacity(items.len());
    for (item, phase) in items.iter().zip(phases) {
        let text = item.text.as_deref().unwrap_or_default();
        let name = match phase {
            Some(name) if text_of(draft.as_object(), &name) != *text => {
                changed = true;
                let new = rename(draft, &name, text, session, item, now)?;
                taken.insert(new.clone());
                new
            }
            Some(name) => name,
            None => {
                let name = new_name(&taken, text);
                taken.insert(name.clone());
                name
            }
        };
        changed |= set(draft, &name, session, item, now)?;
        listed.push(name);
    }
    for name in dropped {
        changed = true;
        let phase = phase(draft.as_object(), &name);
        let mut patch = Object::new();
        if phase.and_then(status_of).is_some_and(Status::is_open) {
            patch.set("status", Status::Skipped.as_str());
        }
        let task = Object::new().with("session", session);
        patch.set(TASK, task.with("dropped", true));
        Update::new(&name, &patch, None)?.apply(draft, now)?;
    }
    Ok(changed | arrange(draft, &listed))
}

/// Sets the status of a phase, and that it is this item. Returns whether anything changed.
fn set(
    draft: &mut Draft,
    name: &str,
    session: &str,
    item: &Planned,
    now: &str,
) -> Result<bool, Error> {
    let present = phase(draft.as_object(), name);
    let known = present.and_then(status_of);
    let next = item.status.or(known).unwrap_or(Status::Pending);
    let is_own = present.is_some_and(|phase| is_item(phase, session, item));
    if known == Some(next) && is_own {
        return Ok(false);
    }
    if known != Some(next) && next == Status::InProgress {
        finish_unnamed(draft, name, session, now)?;
    }
    let mut patch = Object::new().with(TASK, task_member(draft.as_object(), name, session, item));
    if known != Some(next) {
        patch.set("status", next.as_str());
    }
    Update::new(name, &patch, None)?.apply(draft, now)?;
    if known != Some(next) && next == Status::Complete {
        complete_in_turn(draft, session, name);
    }
    Ok(true)
}

/// Makes a phase the item of this session, as far as the phase has come.
fn own(
    draft: &mut Draft,
    name: &str,
    session: &str,
    item: &Planned,
    now: &str,
) -> Result<(), Error> {
    let patch = Object::new().with(TASK, task_member(draft.as_object(), name, session, item));
    Update::new(name, &patch, None)?.apply(draft, now)
}

/// Gives a phase a new name, for an item whose text was changed; all else of it stays. Returns the name.
fn rename(
    draft: &mut Draft,
    name: &str,
    text: &str,
    session: &str,
    item: &Planned,
    now: &str,
) -> Result<String, Error> {
    let mut others = names(draft.as_object());
    others.remove(name);
    let new = new_name(&others, text);
    let run = draft.as_object_mut();
    if new != name {
        if let Some(Json::Object(phases)) = run.get_mut("phases") {
            phases.rename(name, &new);
        }
        if let Some(Json::Object(state)) = run.get_mut("state") {
            let renamed = |value: &Json| match value.as_str() == Some(name) {
                true => Json::from(new.as_str()),
                false => value.clone(),
            };
            for key in ["current_phase", "completed_phases", "pending_phases"] {
                let value = match state.get(key) {
                    Some(Json::Array(items)) => Json::Array(items.iter().map(renamed).collect()),
                    Some(value) => renamed(value),
                    None => continue,
                };
                state.set(key, value);
            }
        }
    }
    let item = Planned {
        text: Some(text.to_owned()),
        ..item.clone()
    };
    own(draft, &new, session, &item, now)?;
    Ok(new)
}

/// The phase of work without a name ends where this session begins a named one.
fn finish_unnamed(draft: &mut Draft, next: &str, session: &str, now: &str) -> Result<(), Error> {
    let unnamed = phase(draft.as_object(), UNNAMED);
    let is_begun = unnamed.and_then(status_of) == Some(Status::InProgress);
    let is_own = unnamed
        .and_then(task_of)
        .is_some_and(|task| task.session == session);
    if next == UNNAMED || !is_begun || !is_own {
        return Ok(());
    }
    let patch = Object::new().with("status", Status::Complete.as_str());
    Update::new(UNNAMED, &patch, None)?.apply(draft, now)?;
    complete_in_turn(draft, session, UNNAMED);
    Ok(())
}

/// Puts the phases of a list in its order, behind those that are not in it, and the pending ones in that order
/// before those that are not in it. Returns whether anything moved.
fn arrange(draft: &mut Draft, listed: &[String]) -> bool {
    let rank: std::collections::BTreeMap<&str, usize> = listed
        .iter()
        .enumerate()
        .map(|(at, name)| (name.as_str(), at))
        .collect();
    let mut moved = false;
    let run = draft.as_object_mut();
    if let Some(Json::Object(phases)) = run.get_mut("phases") {
        let of = |(name, _): &(&str, &Json)| rank.get(name).map_or(0, |at| at + 1);
        if !phases.iter().map(|phase| of(&phase)).is_sorted() {
            let mut members: Vec<(String, Json)> = std::mem::take(phases).into_iter().collect();
            sorting::sort_by_key(&mut members, |(name, _)| {
                rank.get(name.as_str()).map_or(0, |at| at + 1)
            });
            *phases = members.into_iter().collect();
            moved = true;
        }
    }
    if let Some(Json::Object(state)) = run.get_mut("state")
        && let Some(Json::Array(pending)) = state.get_mut("pending_phases")
    {
        let of = |name: &Json| name.as_str().and_then(|name| rank.get(name).copied());
        let place = |name: &Json| of(name).unwrap_or(usize::MAX);
        if !pending.iter().map(place).is_sorted() {
            sorting::sort_by_key(pending, place);
            moved = true;
        }
    }
    moved
}

/// Notes that the session works in the phase without a name, so that it may end it.
pub(super) fn own_unnamed(draft: &mut Draft, session: &str, now: &str) -> Result<(), Error> {
    let unnamed = phase(draft.as_object(), UNNAMED);
    if unnamed
        .and_then(task_of)
        .is_some_and(|task| task.session == session)
    {
        return Ok(());
    }
    let patch = Object::new().with(TASK, Object::new().with("session", session));
    Update::new(UNNAMED, &patch, None)?.apply(draft, now)
}
