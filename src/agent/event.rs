//! From a payload to what happened.

use super::fields::text_of;
use super::patch::WrittenFile;
use super::plan::PlanUpdate;
use super::table::{Agent, EventKind};
use super::tool::{self, Did};
use crate::json::{Json, Object};
use crate::repository_path::below;

/// The payload of a hook, in the words of this program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Payload<'a> {
    /// The agent whose payload it is: another one than the hook was registered for, where it plainly is.
    pub agent: Agent,
    /// The agent that sends it and takes the answer: Copilot CLI runs the entries of Claude Code as well, and sends
    /// them Claude Code's payloads.
    pub sender: Agent,
    /// The event, as the agent calls it.
    pub name: &'a str,
    /// The session; without one nothing can be kept for it. Of a subagent that has a session of its own it is the
    /// parent, which may be a subagent as well.
    pub session: Option<&'a str>,
    /// The folder that the agent works in: of several roots the one that has the file, or the working folder.
    pub folder: Option<&'a str>,
    /// The roots of the workspace, where the agent says them.
    pub roots: Vec<&'a str>,
    /// The subagent in which it happened, if it was one.
    pub subagent: Option<&'a str>,
    /// The parent of a subagent that has a session of its own: a session, or another subagent.
    pub parent: Option<&'a str>,
    /// The transcript that has the last words of the turn, where the event does not.
    pub transcript: Option<&'a str>,
    /// True if a turn ends that had ended before, and went on because a hook refused that.
    pub is_continued: bool,
    /// The event itself.
    pub event: Event<'a>,
}

/// The events that matter here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event<'a> {
    /// A context begins.
    SessionStart(ContextSource),
    /// A message of the user to the agent.
    Prompt(&'a str),
    /// A tool wrote these files, at least one.
    Wrote(Vec<WrittenFile>),
    /// The agent changed its plan.
    Planned(PlanUpdate),
    /// The user approved a plan of this text.
    Presented(String),
    /// The agent ended its turn with this message.
    Stop(Option<&'a str>),
    /// A subagent ended.
    SubagentStop {
        /// The purpose of the subagent.
        kind: Option<&'a str>,
        /// Its last message.
        message: Option<&'a str>,
    },
    /// The context is about to be summarised.
    BeforeCompaction,
    /// An error ended the turn.
    Failure,
    /// The session ends.
    SessionEnd,
    /// An error ended the session.
    SessionFailure,
    /// Nothing that matters.
    Other,
}

/// The reason that a context begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContextSource {
    /// A new session, or one that does not say more.
    Startup,
    /// A session of before goes on.
    Resume,
    /// The user started over within one.
    Clear,
    /// The context was summarised.
    Compact,
    /// A copy of another session.
    Fork,
}

/// Members that the agents' payloads have under one of these names.
const EVENT: [&str; 3] = ["hook_event_name", "hookEventName", "event"];
const FOLDER: [&str; 2] = ["cwd", "directory"];
const SUBAGENT: [&str; 3] = ["agent_id", "agentId", "agentID"];
const SUBAGENT_KIND: [&str; 3] = ["agent_type", "agentName", "subagent_type"];
const MESSAGE: [&str; 6] = [
    "last_assistant_message",
    "lastAssistantMessage",
    "prompt_response",
    "response",
    "text",
    "message",
];
/// Where hooks may refuse that a turn ends, its next end says that one did.
const CONTINUED: &str = "stop_hook_active";
/// Only Cursor's payloads have them, those on the entries of other agents too.
const CURSORS_OWN: [&str; 3] = ["cursor_version", "conversation_id", "workspace_roots"];

/// The marks around the text that Gemini CLI puts before a prompt: the context that hooks gave.
const HOOK_CONTEXT: (&str, &str) = ("<hook_context>", "</hook_context>");

/// Reads a payload that was sent to a hook of the agent `hook`. `named` is the event, for an agent whose payloads
/// do not say it. `None` where no event is named.
pub fn read<'a>(hook: Agent, named: Option<&'a str>, payload: &'a Object) -> Option<Payload<'a>> {
    let name = text_of(payload, &EVENT).or(named)?;
    let agent = whose(hook, name, payload);
    let sender = match (hook, agent) {
        (Agent::Copilot, Agent::ClaudeCode) => hook,
        _ => agent,
    };
    let row = agent.row();
    let occasion = row.events.iter().find(|(event, _)| *event == name);
    let subagent = id_of(payload, &SUBAGENT);
    let event = match occasion {
        Some((_, occasion)) => event(agent, *occasion, name, payload),
        None => Event::Other,
    };
    let event = match subagent {
        Some(_) if !is_of_subagent(&event) => Event::Other,
        _ => event,
    };
    let parent = subagent.and(id_of(payload, row.parent));
    let roots = roots(payload);
    let transcript = match event {
        Event::Stop(None) => row.transcript.and_then(|key| id_of(payload, &[key])),
        _ => None,
    };
    Some(Payload {
        agent,
        sender,
        name,
        session: parent.or(id_of(payload, row.session)),
        folder: folder(&roots, text_of(payload, &FOLDER), &event),
        roots,
        subagent,
        parent,
        transcript,
        is_continued: payload.get(CONTINUED).and_then(Json::as_bool) == Some(true),
        event,
    })
}

/// The first of these members that is a text, unless that is empty.
fn id_of<'a>(payload: &'a Object, keys: &[&str]) -> Option<&'a str> {
    text_of(payload, keys).filter(|id| !id.is_empty())
}

/// Returns whether an event of a subagent means anything for the work of its session: its prompt, plan and turn are its
/// own.
fn is_of_subagent(event: &Event<'_>) -> bool {
    matches!(event, Event::Wrote(_) | Event::SubagentStop { .. })
}

fn roots(payload: &Object) -> Vec<&str> {
    let roots = payload.get("workspace_roots").and_then(Json::as_array);
    let roots = roots.unwrap_or_default().iter().filter_map(Json::as_str);
    roots.filter(|root| !root.is_empty()).collect()
}

/// The folder that an event is of: the innermost root that has its file, else the working folder.
///
/// The working folder; the first of several roots where it is in none of them.
fn folder<'a>(roots: &[&'a str], working: Option<&'a str>, event: &Event<'_>) -> Option<&'a str> {
    let base = working.or(roots.first().copied()).unwrap_or_default();
    let has = |path: &str| {
        let has = |root: &&&str| below(root, base, path).is_some();
        roots.iter().filter(has).max_by_key(|root| root.len())
    };
    let of_file = match event {
        Event::Wrote(files) => files.first().and_then(|file| has(&file.path)),
        _ => None,
    };
    // A folder is in a root where an entry of it is: it may be the root itself.
    let of_working = working.and_then(|folder| has(&format!("{folder}/entry")));
    let root = of_file.or(of_working).or(roots.first());
    root.copied().or(working)
}

/// The agent that sends such a payload: the expected one, unless it is plainly another's.
fn whose(expected: Agent, name: &str, payload: &Object) -> Agent {
    let has_event = |agent: Agent| agent.row().events.iter().any(|(event, _)| *event == name);
    if CURSORS_OWN.iter().any(|key| payload.get(key).is_some()) {
        return Agent::Cursor;
    }
    if has_event(expected) {
        return expected;
    }
    let has_session = |agent: &Agent| text_of(payload, agent.row().session).is_some();
    let mut others = Agent::ALL.into_iter().filter(has_session);
    others.find(|agent| has_event(*agent)).unwrap_or(expected)
}

fn event<'a>(agent: Agent, occasion: EventKind, name: &str, payload: &'a Object) -> Event<'a> {
    let message = || text_of(payload, &MESSAGE);
    match occasion {
        EventKind::SessionStart => Event::SessionStart(source(payload)),
        // Qwen Code has one before each request to the model, and only the first has a prompt.
        EventKind::Prompt => match text_of(payload, agent.row().prompt) {
            None | Some("") => Event::Other,
            Some(prompt) => Event::Prompt(without_hook_context(prompt)),
        },
        EventKind::AfterTool => match tool::did(agent, name, payload) {
            Did::Wrote(files) => Event::Wrote(files),
            Did::Planned(plan) => Event::Planned(plan),
            Did::Presented(plan) => Event::Presented(plan),
            Did::Nothing => Event::Other,
        },
        EventKind::Stop => Event::Stop(message().filter(|message| !message.is_empty())),
        EventKind::SubagentStop => match text_of(payload, &SUBAGENT_KIND) {
            // Claude Code has one without a kind sum up the context: that is no report of work.
            Some("") => Event::Other,
            kind => Event::SubagentStop {
                kind,
                message: message(),
            },
        },
        EventKind::BeforeCompaction => Event::BeforeCompaction,
        EventKind::Failure if has_succeeded(payload) || is_recoverable(payload) => Event::Other,
        EventKind::Failure => Event::Failure,
        EventKind::SessionEnd if text_of(payload, &["reason"]) == Some("error") => {
            Event::SessionFailure
        }
        EventKind::SessionEnd => Event::SessionEnd,
    }
}

/// Codex reports every request to the model, and only a failed one says that it failed.
fn has_succeeded(payload: &Object) -> bool {
    let status = payload.get("status").and_then(Json::as_str);
    status.is_some_and(|status| status != "failed")
}

/// Copilot CLI reports every attempt that failed, in the same words whether it tries again or gives up: that it gave up
/// is said by the end of the session.
fn is_recoverable(payload: &Object) -> bool {
    payload.get("recoverable").and_then(Json::as_bool) == Some(true)
}

fn source(payload: &Object) -> ContextSource {
    match text_of(payload, &["source"]) {
        Some("resume") => ContextSource::Resume,
        Some("clear") => ContextSource::Clear,
        Some("compact") => ContextSource::Compact,
        Some("fork") => ContextSource::Fork,
        _ => ContextSource::Startup,
    }
}

fn without_hook_context(prompt: &str) -> &str {
    let (before, after) = HOOK_CONTEXT;
    let said = prompt
        .strip_prefix(before)
        .and_then(|rest| rest.split_once(after));
    said.map_or(prompt, |(_, prompt)| prompt.trim_start())
}
