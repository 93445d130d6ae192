//! The session at the root of a subagent that has a session of its own.
//!
//! An agent such as Copilot CLI names, with each event of a subagent, what started it. That may be a subagent as
//! well, of which this event says no more. Each subagent therefore has a record beside those of
//! `context_window.rs`, under the same rules: `session-ID.json`, with its parent. Where one is missing, the parent
//! that the payload names is taken.

use crate::agent::Payload;
use crate::effect::Io;
use crate::error::{Error, whole};
use crate::json::Json;
use crate::operation::Settings;
use crate::root::Root;
use crate::secret::suspect;

use super::records::Records;
use super::session::SessionKey;

const PARENT: &str = "parent_id";

/// The most levels of subagents that are followed: records that form a circle have no end.
const DEEPEST: usize = 16;

/// The most bytes of an id: a longer one is no agent's, and would not fit a record.
const LONGEST_ID: usize = 1024;

/// Returns the session at the root of a subagent, by the id that the agent gave, and records what started the
/// subagent. `id` is the session that the payload names, which is returned where nothing else is known.
///
/// A failure to record does not fail the event.
///
/// # Errors
///
/// Fails with `usage` if only the `library` build can do it.
pub(super) async fn root_session(
    io: &Io,
    root: &Root,
    settings: &Settings,
    payload: &Payload<'_>,
    id: &str,
) -> Result<String, Error> {
    let mut at = id.to_owned();
    let (Some(subagent), Some(parent)) = (payload.subagent, payload.parent) else {
        return Ok(at);
    };
    let subagent = SessionKey::new(payload.sender, subagent).id;
    let Some(records) = Records::of_session(io, root, settings, &subagent) else {
        return Ok(at);
    };
    let recorded = parent_in(&records).await;
    if recorded.as_deref() != Some(parent) && parent.len() <= LONGEST_ID && !suspect(parent) {
        whole::needed()?;
        // A subagent may be the first to write anything, and then its own ones have to know of it.
        if let Some(records) = records.of_other(&subagent).made(root).await {
            let record = (PARENT, Json::from(parent));
            records.write(record, recorded.is_none()).await;
        }
    }
    for _ in 0..DEEPEST {
        let above = SessionKey::new(payload.sender, &at).id;
        match parent_in(&records.of_other(&above)).await {
            Some(parent) => at = parent,
            None => break,
        }
    }
    Ok(at)
}

/// The parent of a subagent; `None` for a session that is no subagent, and where nothing was recorded.
async fn parent_in(records: &Records<'_>) -> Option<String> {
    let record = records.record().await?;
    record.get(PARENT)?.as_str().map(str::to_owned)
}
