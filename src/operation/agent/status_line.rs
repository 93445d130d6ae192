//! The work of a session as one line.

use crate::agent::Agent;
use crate::checkpoint::command::progress::progress;
use crate::checkpoint::command::resume::point;
use crate::effect::{Io, boxed};
use crate::error::{Error, whole};
use crate::json::{Json, Object};
use crate::operation::reply::with_warnings;
use crate::operation::row::{Answering, Arguments, Capability, Operation};
use crate::operation::{Reply, Settings};
use crate::root;
use crate::schema::{ArgumentMembers, Shaped};
use crate::secret::redact;
use crate::text::{short, visible};

use super::context_window;
use super::folders::Folders;
use super::hook_context::HookContext;
use super::session::SessionKey;

pub(super) const OPERATION: Operation =
    Operation::changing::<StatusLineArguments, StatusLineAnswer>(
        "status_line",
        "The work of a session of Claude Code as one line.",
        perform,
    )
    .of(Capability::Agents);

/// The payload that Claude Code sends to its status line.
#[derive(ArgumentMembers)]
struct StatusLineArguments<'a> {
    /// Its payload.
    payload: &'a Object,
}

/// A status line.
#[derive(Shaped)]
#[shape(name = "StatusLine")]
struct StatusLineAnswer {
    /// The line, such as `implement/dark-mode · printer 3/5 · 62 %`; null where nothing is known.
    line: Option<String>,
}

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        let StatusLineArguments { payload } = arguments.read();
        let reply = status_line(io, settings, payload).await;
        reply.map(|line| StatusLineAnswer { line }.into())
    })
}

/// The checkpoint that the session works on, its phase with how many of all are done, and how full the
/// context is: each where it is known. How full it is, is recorded for the hooks of the session.
///
/// Fails as a load does.
pub async fn status_line(io: &Io, settings: &Settings, payload: &Object) -> Reply<Option<String>> {
    with_warnings(async |_| {
        whole::needed()?;
        let mut parts = work(io, settings, payload).await?;
        parts.extend(percent(payload).map(|used| format!("{used} %")));
        let line = parts.join(" · ");
        let line = redact(&line).text;
        Ok((!line.is_empty()).then(|| visible(&line).into_owned()))
    })
    .await
}

/// The checkpoint and the phase of the session.
async fn work(io: &Io, settings: &Settings, payload: &Object) -> Result<Vec<String>, Error> {
    let text = |of: &Object, key: &str| of.get(key).and_then(Json::as_str).map(str::to_owned);
    let Some(id) = text(payload, "session_id").filter(|id| !id.is_empty()) else {
        return Ok(Vec::new());
    };
    let workspace = payload.get("workspace").and_then(Json::as_object);
    let project = workspace.and_then(|it| text(it, "project_dir"));
    let project = project.or(text(payload, "cwd"));
    let folders = Folders::of_project(settings, project.as_deref());
    let root = root::locate(io, &folders.settings).await?;
    let session = SessionKey::new(Agent::ClaudeCode, &id);
    let hook = HookContext::new(io, &folders.settings, &root, &session);
    let Some(found) = hook.found().await? else {
        return Ok(Vec::new());
    };
    // A session without a checkpoint has nothing to hand over.
    if let Some(used) = percent(payload) {
        context_window::record(&hook, used).await;
    }
    let mut parts = vec![match &found.target.feature {
        Some(feature) => format!("{}/{feature}", found.target.command),
        None => found.target.command.clone(),
    }];
    let of = progress(&found.object);
    let (done, total) = (of.done(), of.total());
    if let Some(phase) = point(&found.object).phase {
        let phase = visible(&short(&phase)).into_owned();
        parts.push(format!("{phase} {done}/{total}"));
    } else if total > 0 {
        parts.push(format!("{done}/{total}"));
    }
    Ok(parts)
}

/// The fill of the context, in whole percent. Where the host does not say it, nothing is guessed.
fn percent(payload: &Object) -> Option<u64> {
    let window = payload.get("context_window")?.as_object()?;
    let Json::Number(used) = window.get("used_percentage")? else {
        return None;
    };
    let used: f64 = used.parse().ok()?;
    (0.0..=1_000.0).contains(&used).then(|| used.round() as u64)
}
