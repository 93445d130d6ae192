//! Replies, failures and warnings as JSON: what programs see on every host.

use crate::error::whole;
use crate::error::{Advice, Error, ErrorKind, Warning, Written};
use crate::json::{Json, Object};
use crate::text::visible_lines;

use super::Reply;

/// The end of an operation that was asked for as text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ended {
    /// `{"ok":true,"value":…,"warnings":[…]}` or `{"ok":false,"error":{…},"warnings":[…]}`; empty
    /// where the wasm of hooks leaves the operation to the library.
    pub text: String,
    /// The extent of what was written, where it failed.
    pub failed: Option<Written>,
}

impl Ended {
    pub(super) fn new(reply: Reply<Json>) -> Self {
        if let Err(error) = &reply.result
            && whole::answers(error)
        {
            return Ended::default();
        }
        let warnings: Vec<Json> = reply.warnings.iter().map(warning_json).collect();
        let failed = reply.result.as_ref().err().map(Error::written);
        let (key, content) = match reply.result {
            Ok(value) => ("value", value),
            Err(error) => ("error", error_json(&error)),
        };
        let reply = Object::new()
            .with("ok", failed.is_none())
            .with(key, content)
            .with("warnings", warnings);
        Ended {
            text: Json::Object(reply).to_line(),
            failed,
        }
    }
}

/// A sentence for people, which may name what a file or a caller says.
fn sentence(message: &str) -> Json {
    visible_lines(message).into_owned().into()
}

/// A warning as replies and `--json` show it.
pub(crate) fn warning_json(warning: &Warning) -> Json {
    let mut object = Object::new()
        .with("code", warning.code.as_str())
        .with("message", sentence(&warning.message));
    if let Some(advice) = &warning.advice {
        object.set("advice", advice_json(advice));
    }
    object.into()
}

/// A failure as replies and `--json` show it.
pub(crate) fn error_json(error: &Error) -> Json {
    let mut object = Object::new();
    object.set("code", error.code().as_str());
    object.set("message", sentence(&error.to_string()));
    object.set("written", error.written().as_str());
    match error.kind() {
        ErrorKind::InvalidDocument(problems) => object.set("problems", problems.clone()),
        ErrorKind::SummaryTooLong { at, .. } => object.set("at", at.as_str()),
        ErrorKind::Conflict { fields, .. } => object.set("fields", fields.clone()),
        ErrorKind::Corrupt {
            path, last_good, ..
        } => {
            object.set("path", path.as_str());
            object.set("last_good", *last_good);
        }
        ErrorKind::Busy { path } | ErrorKind::UnsafePath { path, .. } => {
            object.set("path", path.as_str());
        }
        ErrorKind::Io { effect, path, .. } => {
            object.set("effect", *effect);
            if !path.is_empty() {
                object.set("path", path.as_str());
            }
        }
        _ => {}
    }
    if let Some(advice) = error.advice() {
        object.set("advice", advice_json(advice));
    }
    object.into()
}

fn advice_json(advice: &Advice) -> Json {
    let object = Object::new().with("kind", advice.as_str());
    match advice {
        Advice::DeleteTask(task) => return object.with("task", task.clone()).into(),
        Advice::DeleteThread(thread) | Advice::RecoverThread(thread) => {
            return object.with("thread", thread.clone()).into();
        }
        _ => {}
    }
    match advice.target() {
        Some(target) => object
            .with("command", target.command.as_str())
            .with("feature", target.feature.clone()),
        None => object,
    }
    .into()
}
