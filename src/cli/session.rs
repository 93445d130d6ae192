//! Session checkpoints where a verb takes either kind.

use std::fmt::Write;

use crate::checkpoint::session::id::Id;
use crate::checkpoint::session::resume;
use crate::error::Error;
use crate::json::Json;
use crate::operation::session::diff::diff as diff_sessions;
use crate::operation::session::load::{Which, load};
use crate::text::visible;

use super::answer::Answer;
use super::call::Call;

/// What an id begins with, and no command.
const BEGINNING: &str = "chk-";

/// The session checkpoint that stands in the place of a command.
///
/// # Errors
///
/// [`Error::invalid_name`] for one that is no id; [`Error::usage`] beside what only a command checkpoint
/// has.
pub(super) fn named(which: &super::which::Which, has_more: bool) -> Result<Option<Id>, Error> {
    let name = which.command.as_deref();
    let Some(name) = name.filter(|name| name.starts_with(BEGINNING)) else {
        return Ok(None);
    };
    let id = name.parse()?;
    if has_more || which.feature.is_some() {
        let message = format!("A session checkpoint such as {id} has no revisions and no feature");
        return Err(Error::usage(message));
    }
    Ok(Some(id))
}

/// One session checkpoint, whole.
pub(super) async fn show(call: &Call, id: Id) -> Result<Answer, Error> {
    call.expect_files("Session checkpoints")?;
    let reply = load(call.io(), &call.settings, Which::Id(id)).await;
    let loaded = call.settle(reply).await?;
    let mut text = resume::text(&loaded.document);
    for (is_so, word) in [
        (loaded.is_pinned, "pinned"),
        (loaded.is_archived, "archived"),
    ] {
        if is_so {
            let _ = write!(text, "\n{word}\n");
        }
    }
    let document = Json::from(loaded.document).to_document();
    Ok(Answer::with_document(
        call.screen.lines(&text, ""),
        &document,
    ))
}

/// What differs between two.
pub(super) async fn diff(call: &Call, from: Id, to: Id) -> Result<Answer, Error> {
    call.expect_files("Session checkpoints")?;
    let reply = diff_sessions(call.io(), &call.settings, from, to).await;
    let diff = call.settle(reply).await?;
    let mut text = String::new();
    for change in &diff.changes {
        text.push_str(&call.screen.lines(&change.to_string(), ""));
    }
    for (path, change) in &diff.files {
        let _ = writeln!(text, "{:7}  {}", change.as_str(), visible(path));
    }
    if text.is_empty() {
        let _ = writeln!(text, "{from} and {to} say the same");
    }
    Ok(Answer::data(text, diff))
}
