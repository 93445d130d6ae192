//! What hooks of coding agents write into a checkpoint: which sessions work on it, the agent's plan as
//! phases, files, and summaries that nobody recorded on purpose.

use super::document::Draft;
use super::phases::{Status, Update};
use super::resume::point;
use crate::error::Error;
use crate::json::{Json, Object};
use crate::time;

/// The member of a checkpoint that has the sessions.
const SESSIONS: &str = "agent_sessions";
/// So many of them are remembered.
const MAX_SESSIONS: usize = 16;
/// So many of the reports of subagents are kept in a phase.
const MAX_REPORTS: usize = 10;
/// A session that was heard of so long ago is not noted again: a write would change times alone.
const RENEWED_AFTER_MS: f64 = 60_000.0;

/// The phase of work for which an agent named none.
const UNNAMED: &str = "work";

/// Where a summary comes from that nobody recorded on purpose.
const SOURCE: (&str, &str) = ("summary_source", "auto");

/// A session of an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Session<'a> {
    /// The agent, such as `claude-code`.
    pub agent: &'a str,
    /// The id that the agent gave it.
    pub id: &'a str,
}

/// The sessions of a checkpoint as one line, for whoever looks at many checkpoints: of each its id, when it
/// was last heard of, and whether it has ended. `None` where there is none.
pub fn line(checkpoint: &Object) -> Option<String> {
    let sessions = checkpoint.get(SESSIONS)?.as_object()?;
    let line = sessions.iter().filter_map(|(id, session)| {
        let session = session.as_object()?;
        let seen = session.get("seen_at")?.as_str()?;
        let end = match session.get("ended_at") {
            Some(_) => ENDED,
            None => "",
        };
        let is_plain = |text: &str| text.bytes().all(|it| it.is_ascii_graphic() && it != b';');
        (is_plain(id) && is_plain(seen)).then(|| format!("{id};{seen}{end}"))
    });
    let line: Vec<String> = line.collect();
    (!line.is_empty()).then(|| line.join(" "))
}

const ENDED: &str = ";ended";

/// Whether this session works on the checkpoint of this line: it has not ended there.
pub fn works_on(line: &str, id: &str) -> bool {
    let mut sessions = sessions_in(line);
    sessions.any(|(it, _, has_ended)| it == id && !has_ended)
}

/// Whether another session lives that works on the checkpoint of this line: it has not ended, and was heard
/// of within `idle_ms`.
pub fn is_taken(line: &str, except: &str, now_ms: f64, idle_ms: f64) -> bool {
    sessions_in(line).any(|(id, seen, has_ended)| {
        let age = time::parse(seen).map(|seen| now_ms - seen.wall_ms());
        id != except && !has_ended && age.is_some_and(|age| age < idle_ms)
    })
}

fn sessions_in(line: &str) -> impl Iterator<Item = (&str, &str, bool)> {
    line.split(' ').filter_map(|session| {
        let (session, has_ended) = match session.strip_suffix(ENDED) {
            Some(session) => (session, true),
            None => (session, false),
        };
        let (id, seen) = session.split_once(';')?;
        Some((id, seen, has_ended))
    })
}

/// The agents whose sessions worked on the checkpoint, each with when one of it was last heard of, in ms; an
/// agent may be there more than once.
pub fn heard(checkpoint: &Object) -> impl Iterator<Item = (&str, f64)> {
    let sessions = checkpoint.get(SESSIONS).and_then(Json::as_object);
    let sessions = sessions.into_iter().flat_map(Object::iter);
    sessions.filter_map(|(_, session)| {
        let session = session.as_object()?;
        Some((session.get("agent")?.as_str()?, seen_ms(session)?))
    })
}

/// The session that wrote a checkpoint, as far as that can be told: hooks note the session that they write
/// for unless it was heard of within the last minute, so it is the one that was heard of last, and within a minute
/// of the write.
pub fn writer(checkpoint: &Object) -> Option<Session<'_>> {
    let written = checkpoint.get("updated_at")?.as_str()?;
    let written_ms = time::parse(written)?.wall_ms();
    let sessions = checkpoint.get(SESSIONS)?.as_object()?;
    let mut last: Option<(f64, Session<'_>)> = None;
    for (id, session) in sessions.iter() {
        let Some(session) = session.as_object() else {
            continue;
        };
        let (Some(agent), Some(seen_ms)) = (session.get("agent"), seen_ms(session)) else {
            continue;
        };
        let is_later = last.as_ref().is_none_or(|(last, _)| seen_ms >= *last);
        if let Some(agent) = agent.as_str()
            && is_later
            && (written_ms - seen_ms).abs() <= RENEWED_AFTER_MS
        {
            last = Some((seen_ms, Session { agent, id }));
        }
    }
    last.map(|(_, session)| session)
}

fn session<'a>(checkpoint: &'a Object, id: &str) -> Option<&'a Object> {
    let sessions = checkpoint.get(SESSIONS)?.as_object()?;
    sessions.get(id)?.as_object()
}

fn seen_ms(session: &Object) -> Option<f64> {
    let seen = session.get("seen_at")?.as_str()?;
    time::parse(seen).map(time::Time::wall_ms)
}

/// Whether the session is to be noted: it is not there, has ended, or was not heard of for a minute.
pub fn is_due(checkpoint: &Object, id: &str, now_ms: f64) -> bool {
    let Some(session) = session(checkpoint, id) else {
        return true;
    };
    // A time ahead of this clock is of a wrong one.
    let is_recent = seen_ms(session).is_some_and(|seen| (now_ms - seen).abs() < RENEWED_AFTER_MS);
    !is_recent || session.get("ended_at").is_some()
}

/// Notes that the session works on the checkpoint, now. Of many sessions those that ended go first, then
/// those that were not heard of for longest.
pub fn note(draft: &mut Draft, session: Session<'_>, now: &str) {
    let sessions = sessions_of(draft);
    let known = Object::new()
        .with("agent", session.agent)
        .with("seen_at", now);
    sessions.set(session.id, known);
    while sessions.len() > MAX_SESSIONS {
        let age = |(_, session): &(&str, &Json)| {
            let session = session.as_object();
            let seen = session.and_then(|it| it.get("seen_at")?.as_str());
            let lives = session.is_some_and(|it| it.get("ended_at").is_none());
            (lives, seen.map(str::to_owned))
        };
        let others = sessions.iter().filter(|(id, _)| *id != session.id);
        let Some((oldest, _)) = others.min_by_key(age) else {
            return;
        };
        let oldest = oldest.to_owned();
        sessions.remove(&oldest);
    }
}

/// Notes that the session has ended.
pub fn end(draft: &mut Draft, id: &str, now: &str) {
    if let Some(Json::Object(session)) = sessions_of(draft).get_mut(id) {
        session.set("ended_at", now);
    }
}

/// The sessions of a draft, made where there are none; what a hand wrote in their place goes.
fn sessions_of(draft: &mut Draft) -> &mut Object {
    let document = draft.as_object_mut();
    if document.get(SESSIONS).and_then(Json::as_object).is_none() {
        document.set(SESSIONS, Object::new());
    }
    match document.get_mut(SESSIONS) {
        Some(Json::Object(sessions)) => sessions,
        _ => unreachable!("it was set above"),
    }
}

/// One item of an agent's plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Planned {
    /// Its id, where the agent has such.
    pub id: Option<String>,
    /// The name of its phase, where the agent said what it is.
    pub name: Option<String>,
    /// How far it is; `None` where that is not known.
    pub status: Option<Status>,
}

/// Makes phases of the items of a plan, of this session. What is complete stays so, unless the plan says
/// otherwise; an item that a whole plan has not any more is skipped, unless it is complete.
///
/// Returns whether anything changed.
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
    let mut changed = false;
    let mut named = Vec::new();
    for item in items {
        let Some(name) = phase_of(draft.as_object(), session, item) else {
            continue;
        };
        let known = phase(draft.as_object(), &name).and_then(status_of);
        let next = item.status.or(known).unwrap_or(Status::Pending);
        if known != Some(next) {
            if next == Status::InProgress {
                finish_unnamed(draft, &name, now)?;
            }
            let mut task = Object::new().with("session", session);
            if let Some(id) = &item.id {
                task.set("id", id.as_str());
            }
            let patch = Object::new()
                .with("status", next.as_str())
                .with("agent_task", task);
            Update::new(&name, &patch, None)?.apply(draft, now)?;
            changed = true;
        }
        named.push(name);
    }
    if is_whole {
        for name in dropped(draft.as_object(), session, &named) {
            let patch = Object::new().with("status", Status::Skipped.as_str());
            Update::new(&name, &patch, None)?.apply(draft, now)?;
            changed = true;
        }
    }
    Ok(changed)
}

/// The phase of an item: the one that has its id, else the one of its name.
fn phase_of(checkpoint: &Object, session: &str, item: &Planned) -> Option<String> {
    if let Some(id) = &item.id {
        let is_it = |phase: &Object| task_of(phase) == Some((session, Some(id.as_str())));
        let mut phases = phases(checkpoint);
        if let Some((name, _)) = phases.find(|(_, phase)| is_it(phase)) {
            return Some(name.to_owned());
        }
    }
    let name = item.name.as_deref()?;
    // Two tasks of one subject are two phases.
    let is_others = |name: &str| {
        let task = phase(checkpoint, name).and_then(task_of);
        item.id.is_some() && matches!(task, Some((of, Some(_))) if of == session)
    };
    if !is_others(name) {
        return Some(name.to_owned());
    }
    let shorter: String = name.chars().take(90).collect();
    let mut names = (2..).map(|number| format!("{shorter} ({number})"));
    names.find(|name| !is_others(name))
}

/// The phases of this session's plan that it does not name any more, and that are not complete.
fn dropped(checkpoint: &Object, session: &str, named: &[String]) -> Vec<String> {
    let is_dropped = |(name, phase): &(&str, &Object)| {
        let is_of_plan = task_of(phase).is_some_and(|(of, _)| of == session);
        let is_open = !matches!(
            status_of(phase),
            Some(Status::Complete | Status::Skipped) | None
        );
        is_of_plan && is_open && !named.iter().any(|it| it == name)
    };
    let dropped = phases(checkpoint).filter(is_dropped);
    dropped.map(|(name, _)| name.to_owned()).collect()
}

/// The phase of work without a name ends where a named one begins.
fn finish_unnamed(draft: &mut Draft, next: &str, now: &str) -> Result<(), Error> {
    let unnamed = phase(draft.as_object(), UNNAMED).and_then(status_of);
    if next == UNNAMED || unnamed != Some(Status::InProgress) {
        return Ok(());
    }
    let patch = Object::new().with("status", Status::Complete.as_str());
    Update::new(UNNAMED, &patch, None)?.apply(draft, now)
}

/// Whether some phase lists the file, and whether it is the one that a file written now belongs to.
pub fn is_listed(checkpoint: &Object, path: &str) -> (bool, bool) {
    let place = point(checkpoint).phase;
    let lists = |phase: &Object| {
        let mut lists = ["files_created", "files_modified"].into_iter();
        lists.any(|key| {
            let list = phase.get(key).and_then(Json::as_array).unwrap_or_default();
            list.iter().any(|item| item.as_str() == Some(path))
        })
    };
    let own = place.as_deref().and_then(|name| phase(checkpoint, name));
    (
        phases(checkpoint).any(|(_, phase)| lists(phase)),
        own.is_some_and(lists),
    )
}

/// Adds files to the phase that the work is in: the one to go on with, else one without a name. Those that
/// some phase lists already were modified, whatever is said of them. Returns whether anything changed.
///
/// # Errors
///
/// As [`Update::apply`].
pub fn wrote(draft: &mut Draft, files: &[(String, bool)], now: &str) -> Result<bool, Error> {
    let (mut created, mut modified) = (Vec::new(), Vec::new());
    for (path, is_new) in files {
        match is_listed(draft.as_object(), path) {
            (_, true) => {}
            (false, false) if *is_new => created.push(Json::from(path.as_str())),
            _ => modified.push(Json::from(path.as_str())),
        }
    }
    let mut add = Object::new();
    for (key, list) in [("files_created", created), ("files_modified", modified)] {
        if !list.is_empty() {
            add.set(key, list);
        }
    }
    if add.is_empty() {
        return Ok(false);
    }
    let place = point(draft.as_object()).phase;
    let patch = match &place {
        Some(_) => Object::new(),
        None => Object::new().with("status", Status::InProgress.as_str()),
    };
    let name = place.unwrap_or_else(|| UNNAMED.to_owned());
    let update = Update::new(&name, &patch, None)?.adding(Some(&add))?;
    update.apply(draft, now)?;
    Ok(true)
}

/// Takes the agent's last message for the summary of the phase that it worked in, unless somebody recorded
/// one: the phase in progress, else the one that was completed last. Returns whether anything changed.
///
/// # Errors
///
/// As [`Update::apply`].
pub fn summarise(draft: &mut Draft, message: &str, now: &str) -> Result<bool, Error> {
    let Some(name) = phase_in_hand(draft.as_object()) else {
        return Ok(false);
    };
    let present = phase(draft.as_object(), &name);
    let text = |key| present.and_then(|phase| phase.get(key)?.as_str());
    let (key, auto) = SOURCE;
    let stored = text("context_summary").filter(|summary| !summary.is_empty());
    if stored == Some(message) || stored.is_some() && text(key) != Some(auto) {
        return Ok(false);
    }
    let patch = Object::new()
        .with("context_summary", message)
        .with(key, auto);
    Update::new(&name, &patch, None)?.apply(draft, now)?;
    Ok(true)
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
    let Some(name) = phase_in_hand(draft.as_object()) else {
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

/// The phase that a summary of the work is of: the one in hand, else the one that comes next, else one
/// without a name.
pub fn phase_of_summary(checkpoint: &Object) -> String {
    let phase = phase_in_hand(checkpoint).or_else(|| point(checkpoint).phase);
    phase.unwrap_or_else(|| UNNAMED.to_owned())
}

/// Whether there is a phase that the last words of an agent would be kept with.
pub fn has_phase_in_hand(checkpoint: &Object) -> bool {
    phase_in_hand(checkpoint).is_some()
}

/// The phase in progress, else the one that was completed last.
fn phase_in_hand(checkpoint: &Object) -> Option<String> {
    let is_begun = |name: &String| {
        let status = phase(checkpoint, name).and_then(status_of);
        matches!(status, Some(Status::InProgress | Status::Failed))
    };
    if let Some(name) = point(checkpoint).phase.filter(is_begun) {
        return Some(name);
    }
    let state = checkpoint.get("state")?.as_object()?;
    let completed = state.get("completed_phases")?.as_array()?;
    let last = completed.last()?.as_str()?;
    phase(checkpoint, last).map(|_| last.to_owned())
}

fn phases(checkpoint: &Object) -> impl Iterator<Item = (&str, &Object)> {
    let phases = checkpoint.get("phases").and_then(Json::as_object);
    let phases = phases.into_iter().flat_map(Object::iter);
    phases.filter_map(|(name, phase)| Some((name, phase.as_object()?)))
}

fn phase<'a>(checkpoint: &'a Object, name: &str) -> Option<&'a Object> {
    checkpoint
        .get("phases")?
        .as_object()?
        .get(name)?
        .as_object()
}

fn status_of(phase: &Object) -> Option<Status> {
    phase.get("status")?.as_str().and_then(Status::parse)
}

/// Whose plan a phase is of, and its id there.
fn task_of(phase: &Object) -> Option<(&str, Option<&str>)> {
    let task = phase.get("agent_task")?.as_object()?;
    let id = task.get("id").and_then(Json::as_str);
    Some((task.get("session")?.as_str()?, id))
}

#[cfg(test)]
#[path = "agents_tests.rs"]
mod tests;
