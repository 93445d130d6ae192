//! An item of an agent's plan, and the phase that it is.

use std::collections::BTreeSet;

use super::super::phases::Status;
use super::parts::{phase, phases};
use crate::json::{Json, Object};

/// The member of a phase with the item that it is.
pub(super) const TASK: &str = "agent_task";
/// A phase's name has at most this many characters.
const LONGEST_NAME: usize = 100;
/// The most characters of an item's text that are kept where its phase has another name.
const LONGEST_TEXT: usize = 1_000;

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

/// A task as a phase has it.
pub(super) struct Task<'a> {
    pub(super) session: &'a str,
    pub(super) id: Option<&'a str>,
    text: Option<&'a str>,
    pub(super) call: Option<&'a str>,
    is_dropped: bool,
}

pub(super) fn task_of(phase: &Object) -> Option<Task<'_>> {
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
pub(super) fn is_listed_in(phase: &Object, session: &str) -> bool {
    task_of(phase)
        .is_some_and(|task| task.session == session && task.id.is_none() && !task.is_dropped)
}

/// Returns whether the phase is this very item already.
pub(super) fn is_item(phase: &Object, session: &str, item: &Planned) -> bool {
    task_of(phase).is_some_and(|task| {
        task.session == session && task.id == item.id.as_deref() && !task.is_dropped
    })
}

/// The text of the item that a phase is: its name, unless that is another one.
pub(super) fn text_in(name: &str, phase: &Object) -> String {
    let task = task_of(phase);
    let text = task.and_then(|task| task.text.map(str::to_owned));
    text.unwrap_or_else(|| name.to_owned())
}

pub(super) fn text_of(run: &Object, name: &str) -> String {
    phase(run, name).map_or_else(String::new, |phase| text_in(name, phase))
}

/// The text of an item as it is kept and compared.
pub fn stored_text(text: &str) -> String {
    text.chars().take(LONGEST_TEXT).collect()
}

pub(super) fn names(run: &Object) -> BTreeSet<String> {
    phases(run).map(|(name, _)| name.to_owned()).collect()
}

/// The name of a new phase for a text: its beginning, with a number where a phase has that name.
pub(super) fn new_name(taken: &BTreeSet<String>, text: &str) -> String {
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

/// The member of a phase that says which item it is.
pub(super) fn task_member(run: &Object, name: &str, session: &str, item: &Planned) -> Object {
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
