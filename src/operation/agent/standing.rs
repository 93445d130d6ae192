//! Where the work of a session stands: what a new context is told, and a session checkpoint of it.

use crate::agent;
use crate::checkpoint::command::resume::point;
use crate::error::whole;
use crate::error::{Error, WarningCode};
use crate::json::{Json, Object};
use crate::operation::command::load::load;
use crate::operation::{Noticed, Reply, Target};
use crate::text::visible;
use crate::tokens;

use super::bound::Bound;

/// Warnings of a checkpoint that could not be read, or is gone.
const HIDES_WORK: [WarningCode; 5] = [
    WarningCode::Corrupt,
    WarningCode::TooLarge,
    WarningCode::UnsafePath,
    WarningCode::Io,
    WarningCode::Vanished,
];

/// What a context is told of a checkpoint, with all warnings; `None` where there is nothing to tell.
pub(super) async fn context(
    bound: &Bound<'_>,
    target: Option<&Target>,
    noticed: &mut Noticed,
) -> Result<Option<String>, Error> {
    let mut facts = Object::new();
    if let Some(target) = target {
        let Reply { result, warnings } = load(bound.io, bound.settings, target).await;
        warnings
            .into_iter()
            .for_each(|warning| noticed.add(warning));
        match result {
            Ok(Some(loaded)) => facts = facts_of(target, &loaded.object),
            Ok(None) => {}
            Err(error) => facts.set("error", error.to_string()),
        }
    }
    let hides = |code: &WarningCode| HIDES_WORK.contains(code);
    let hides_work = noticed
        .warnings()
        .iter()
        .any(|warning| hides(&warning.code));
    if facts.is_empty() && !hides_work {
        return Ok(None);
    }
    let warnings = noticed.warnings().iter();
    let warnings: Vec<Json> = warnings
        .map(|warning| Json::from(visible(&warning.message).into_owned()))
        .collect();
    facts.set("warnings", warnings);
    Ok(Some(agent::resume_context(&facts)))
}

/// What a checkpoint says of the work; empty where it says nothing yet.
fn facts_of(target: &Target, checkpoint: &Object) -> Object {
    let point = point(checkpoint);
    let phases = checkpoint.get("phases").and_then(Json::as_object);
    if point.is_empty() && phases.is_none_or(Object::is_empty) {
        return Object::new();
    }
    let state = checkpoint.get("state").and_then(Json::as_object);
    let list = |of: Option<&Object>, key: &str| {
        let list = of.and_then(|of| of.get(key)?.as_array());
        let texts = list
            .unwrap_or_default()
            .iter()
            .filter(|it| it.as_str().is_some());
        texts.cloned().collect::<Vec<Json>>()
    };
    let name = point.phase.as_deref();
    let phase = name.and_then(|name| phases?.get(name)?.as_object());
    let text = |of: Option<&Object>, key: &str| {
        let text = of.and_then(|of| of.get(key)?.as_str());
        text.map(|text| tokens::fit(text).to_owned())
    };
    let lately = |mut list: Vec<Json>| {
        list.reverse();
        list
    };
    Object::new()
        .with("command", target.command.as_str())
        .with("feature", target.feature.as_deref())
        .with("phase", name)
        .with("phase_status", text(phase, "status"))
        .with("phase_summary", text(phase, "context_summary"))
        .with("phase_error", text(phase, "error"))
        .with("other_phases_in_progress", point.alongside)
        .with("last_completed_phase_summary", point.summary)
        .with("summary", text(state, "context_summary"))
        .with("current_task", text(state, "current_task"))
        .with("pending_phases", list(state, "pending_phases"))
        .with("completed_phases", lately(list(state, "completed_phases")))
        .with("decisions", lately(list(Some(checkpoint), "decisions")))
        .with("files_created", lately(list(phase, "files_created")))
        .with("files_modified", lately(list(phase, "files_modified")))
}

/// Keeps the work of this moment, where anything changed since the session's last one: what command
/// checkpoints know is committed already, so that this adds a session checkpoint.
#[cfg(any(feature = "sessions", not(target_family = "wasm")))]
pub(super) async fn keep(
    bound: &Bound<'_>,
    reason: &str,
    noticed: &mut Noticed,
) -> Result<(), Error> {
    use crate::operation::session::create::{Create, Files, MadeBy, create_session};

    whole::needed()?;
    let Some(found) = bound.found().await? else {
        return Ok(());
    };
    let create = Create {
        reason: reason.parse()?,
        message: None,
        given: Object::new(),
        target: Some(found.target),
        files: Files::Kept(Vec::new()),
        undo_of: None,
        made_by: Some(MadeBy {
            agent: bound.session.agent.name().to_owned(),
            session: bound.session.id.clone(),
        }),
    };
    let Reply { result, warnings } = create_session(bound.io, bound.settings, create).await;
    warnings
        .into_iter()
        .for_each(|warning| noticed.add(warning));
    result.map(drop)
}

/// The wasm of hooks has no session checkpoints.
#[cfg(not(any(feature = "sessions", not(target_family = "wasm"))))]
pub(super) async fn keep(_: &Bound<'_>, _: &str, _: &mut Noticed) -> Result<(), Error> {
    whole::needed()
}
