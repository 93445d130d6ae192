//! The plan of an agent as phases: which item is which phase.
//!
//! An item that has an id is known by it within its session. A whole list has no ids: it is compared with the list
//! of this session before it, as two versions of a text are.

use std::collections::BTreeSet;

use super::super::document::Draft;
use super::super::phases::{Status, Update};
use super::owners::{begin_turn, complete_in_turn};
use super::parts::{UNNAMED, phase, phases, status_of};
use crate::error::Error;
use crate::json::{Json, Object};

/// The member of a phase with the item that it is.
const TASK: &str = "agent_task";
/// A phase's name has at most this many characters.
const LONGEST_NAME: usize = 100;
/// The most characters of an item's text that are kept where its phase has another name.
const LONGEST_TEXT: usize = 1_000;
/// Lists that differ in more than this many pairs are compared by their texts alone.
const MAX_PAIRS: usize = 1 << 20;

/// One item of an agent's plan.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Planned {
    /// Its id, where the agent has such.
    pub id: Option<String>,
    /// Its text on one line, where the agent said what it is.
    pub text: Option<String>,
    /// Its status; `None` where that is not known.
    pub status: Option<Status>,
    /// True if the event created it.
    pub is_new: bool,
    /// The call of the tool that created it: the same event may be delivered twice.
    pub call: Option<String>,
}

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
            Created::Before => return Ok(false),
            Created::As(name) => {
                // It is the phase of an earlier session, as far as that has come.
                own(draft, &name, session, item, now)?;
                return Ok(true);
            }
            Created::New => None,
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
enum Created {
    /// An event that was delivered before.
    Before,
    /// A phase that no task of this session is yet.
    As(String),
    /// A new phase.
    New,
}

fn created(run: &Object, session: &str, item: &Planned) -> Created {
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
                    return Created::Before;
                }
            }
            _ if is_open && taken.is_none() => taken = Some(name.to_owned()),
            _ => {}
        }
    }
    taken.map_or(Created::New, Created::As)
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

/// The phase of each item, and those of the list before that are in the new one no more.
#[derive(Debug, PartialEq)]
struct Matched {
    phases: Vec<Option<String>>,
    dropped: Vec<String>,
}

fn matched(run: &Object, session: &str, items: &[&Planned]) -> Matched {
    let before: Vec<(&str, &Object)> = phases(run)
        .filter(|(name, phase)| *name != UNNAMED && is_listed_in(phase, session))
        .collect();
    let old: Vec<String> = before
        .iter()
        .map(|(name, phase)| text_in(name, phase))
        .collect();
    let new: Vec<&str> = items
        .iter()
        .map(|it| it.text.as_deref().unwrap_or_default())
        .collect();
    let mut to: Vec<Option<usize>> = vec![None; new.len()];
    let mut is_used = vec![false; old.len()];
    for (at, place) in common(&old, &new) {
        to[place] = Some(at);
        is_used[at] = true;
    }
    let anchors = to.clone();
    // Items that moved.
    for (place, text) in new
        .iter()
        .enumerate()
        .filter(|(place, _)| anchors[*place].is_none())
    {
        let at = (0..old.len()).find(|at| !is_used[*at] && old[*at] == *text);
        if let Some(at) = at {
            to[place] = Some(at);
            is_used[at] = true;
        }
    }
    let mut names: Vec<Option<String>> = to
        .iter()
        .map(|at| at.map(|at| before[at].0.to_owned()))
        .collect();
    adopt(run, session, items, &mut names);
    // Items whose text was changed where they stand.
    let is_bounded = old.len().saturating_mul(new.len()) <= MAX_PAIRS;
    let mut from = 0;
    for place in (0..new.len()).filter(|_| is_bounded) {
        if let Some(at) = anchors[place] {
            from = at + 1;
            continue;
        }
        if names[place].is_some() {
            continue;
        }
        let end = anchors[place..]
            .iter()
            .find_map(|at| *at)
            .unwrap_or(old.len());
        let is_alike = |at: &usize| {
            let status = status_of(before[*at].1);
            !is_used[*at] && status.is_some_and(Status::is_open) && are_alike(&old[*at], new[place])
        };
        if let Some(at) = (from..end).find(is_alike) {
            names[place] = Some(before[at].0.to_owned());
            is_used[at] = true;
        }
    }
    let dropped = before
        .iter()
        .zip(&is_used)
        .filter(|(_, is_used)| !**is_used);
    let named: BTreeSet<&str> = names.iter().flatten().map(String::as_str).collect();
    let dropped = dropped.map(|((name, _), _)| (*name).to_owned());
    Matched {
        dropped: dropped
            .filter(|name| !named.contains(name.as_str()))
            .collect(),
        phases: names,
    }
}

/// Gives items without a phase the phases of the run that no list of this session has: an unfinished one of that
/// text, or, for an item that is complete, a complete one. Each phase once, in order.
fn adopt(run: &Object, session: &str, items: &[&Planned], names: &mut [Option<String>]) {
    let is_other = |(name, phase): &(&str, &Object)| {
        *name != UNNAMED && task_of(phase).is_none_or(|task| task.session != session)
    };
    let mut others: Vec<(&str, &Object)> = phases(run).filter(is_other).collect();
    for (item, name) in items.iter().zip(names).filter(|(_, name)| name.is_none()) {
        let is_done = item.status == Some(Status::Complete);
        let at = others.iter().position(|(name, phase)| {
            let status = status_of(phase);
            let fits =
                status.is_some_and(Status::is_open) || is_done && status == Some(Status::Complete);
            fits && item.text.as_deref() == Some(text_in(name, phase).as_str())
        });
        *name = at.map(|at| others.remove(at).0.to_owned());
    }
}

/// The pairs of a longest common subsequence, in order.
fn common(old: &[String], new: &[&str]) -> Vec<(usize, usize)> {
    let start = old
        .iter()
        .zip(new)
        .take_while(|(old, new)| old == *new)
        .count();
    let (old_rest, new_rest) = (&old[start..], &new[start..]);
    let ends = old_rest.iter().rev().zip(new_rest.iter().rev());
    let end = ends.take_while(|(old, new)| old == *new).count();
    let (rows, columns) = (old_rest.len() - end, new_rest.len() - end);
    let mut pairs: Vec<(usize, usize)> = (0..start).map(|at| (at, at)).collect();
    if rows > 0 && columns > 0 && rows * columns <= MAX_PAIRS {
        // The lengths of the longest common subsequences of what follows each pair of places.
        let mut lengths = vec![0_u32; (rows + 1) * (columns + 1)];
        let place = |row: usize, column: usize| row * (columns + 1) + column;
        for row in (0..rows).rev() {
            for column in (0..columns).rev() {
                lengths[place(row, column)] = match old_rest[row] == new_rest[column] {
                    true => lengths[place(row + 1, column + 1)] + 1,
                    false => lengths[place(row + 1, column)].max(lengths[place(row, column + 1)]),
                };
            }
        }
        let (mut row, mut column) = (0, 0);
        while row < rows && column < columns {
            if old_rest[row] == new_rest[column] {
                pairs.push((start + row, start + column));
                (row, column) = (row + 1, column + 1);
            } else if lengths[place(row + 1, column)] >= lengths[place(row, column + 1)] {
                row += 1;
            } else {
                column += 1;
            }
        }
    }
    let ends = (0..end).map(|at| (start + rows + at, start + columns + at));
    pairs.extend(ends);
    pairs
}

/// Returns whether two texts share at least half of their words, so that one is the other in new
/// words.
fn are_alike(old: &str, new: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        let words = text.split(|it: char| !it.is_alphanumeric());
        let words = words.filter(|word| !word.is_empty());
        words.map(str::to_lowercase).collect()
    };
    let (old, mut rest) = (words(old), words(new));
    let total = old.len() + rest.len();
    let mut shared = 0;
    for word in old {
        if let Some(at) = rest.iter().position(|it| *it == word) {
            rest.swap_remove(at);
            shared += 2;
        }
    }
    total > 0 && 2 * shared >= total
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

/// The member of a phase that says which item it is.
fn task_member(run: &Object, name: &str, session: &str, item: &Planned) -> Object {
    let mut task = Object::new().with("session", session);
    if let Some(id) = &item.id {
        task.set("id", id.as_str());
    }
    let present = phase(run, name).map(|phase| text_in(name, phase));
    let text = item.text.as_deref().map(stored_text).or(present);
    if let Some(text) = text.filter(|text| text != name) {
        task.set("text", text);
    }
    let call = match item.is_new {
        true => item.call.as_deref(),
        false => phase(run, name)
            .and_then(task_of)
            .and_then(|task| task.call),
    };
    if let Some(call) = call {
        task.set("call", call);
    }
    task
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
            members.sort_by_key(|(name, _)| rank.get(name.as_str()).map_or(0, |at| at + 1));
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
            pending.sort_by_key(place);
            moved = true;
        }
    }
    moved
}

/// A task as a phase has it.
struct Task<'a> {
    session: &'a str,
    id: Option<&'a str>,
    text: Option<&'a str>,
    call: Option<&'a str>,
    is_dropped: bool,
}

fn task_of(phase: &Object) -> Option<Task<'_>> {
    let task = phase.get(TASK)?.as_object()?;
    let text = |key| task.get(key).and_then(Json::as_str);
    Some(Task {
        session: text("session")?,
        id: text("id"),
        text: text("text"),
        call: text("call"),
        is_dropped: task.get("dropped").and_then(Json::as_bool) == Some(true),
    })
}

/// Returns whether the phase is an item of the last whole list of this session.
fn is_listed_in(phase: &Object, session: &str) -> bool {
    task_of(phase)
        .is_some_and(|task| task.session == session && task.id.is_none() && !task.is_dropped)
}

/// Returns whether the phase is this very item already.
fn is_item(phase: &Object, session: &str, item: &Planned) -> bool {
    task_of(phase).is_some_and(|task| {
        task.session == session && task.id == item.id.as_deref() && !task.is_dropped
    })
}

/// The text of the item that a phase is: its name, unless that is another one.
fn text_in(name: &str, phase: &Object) -> String {
    let task = task_of(phase);
    let text = task.and_then(|task| task.text.map(str::to_owned));
    text.unwrap_or_else(|| name.to_owned())
}

fn text_of(run: &Object, name: &str) -> String {
    phase(run, name).map_or_else(String::new, |phase| text_in(name, phase))
}

/// The text of an item as it is kept and compared.
pub fn stored_text(text: &str) -> String {
    text.chars().take(LONGEST_TEXT).collect()
}

fn names(run: &Object) -> BTreeSet<String> {
    phases(run).map(|(name, _)| name.to_owned()).collect()
}

/// The name of a new phase for a text: its beginning, with a number where a phase has that name.
fn new_name(taken: &BTreeSet<String>, text: &str) -> String {
    let cut = |length: usize| -> String {
        let cut: String = text.chars().take(length).collect();
        cut.trim_end().to_owned()
    };
    let name = cut(LONGEST_NAME);
    if !taken.contains(&name) {
        return name;
    }
    let shorter = cut(LONGEST_NAME - 10);
    let mut numbered = (2..).map(|number| format!("{shorter} ({number})"));
    match numbered.find(|name| !taken.contains(name)) {
        Some(name) => name,
        None => unreachable!("there are finitely many phases"),
    }
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
