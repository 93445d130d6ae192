//! A reference to a version: one state of one checkpoint of any kind.

use std::fmt;

use crate::blocking::operation::Reply;
use crate::blocking::operation::command::load::{load, load_revision};
use crate::checkpoint::command::name;
use crate::error::{Error, Target};
use crate::integrations::check_command_name;
use crate::json::{Json, Object};
use crate::text::quoted;

use super::session::{self, SessionId};
use super::task::{self, TaskKey};
use super::viewer::Viewer;

/// The checkpoint that a question is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum CheckpointKey {
    /// `c/STEM`: that of a command.
    Command(Target),
    /// `s/ID`: that of a session.
    Session(SessionId),
    /// `t/TASK/ID`: that of a task, both encoded as parts of an address.
    Task(TaskKey),
}

impl CheckpointKey {
    /// From its text.
    ///
    /// # Errors
    ///
    /// [`Error::usage`] for none of the three; [`Error::invalid_name`] for an invalid id.
    pub(super) fn parse(text: &str) -> Result<Self, Error> {
        let unknown = || {
            Error::usage(format!(
                "Expected a key such as c/implement-auth, s/chk-20250126-103000 or t/TASK/ID, got {}",
                quoted(text)
            ))
        };
        let (kind, rest) = text.split_once('/').ok_or_else(unknown)?;
        match kind {
            "c" => {
                let (command, feature) = name::of_stem(rest).ok_or_else(unknown)?;
                if check_command_name(command).is_err() {
                    return Err(unknown());
                }
                Ok(CheckpointKey::Command(Target {
                    command: command.to_owned(),
                    feature: feature.map(str::to_owned),
                }))
            }
            "s" => Ok(CheckpointKey::Session(session::id(rest)?)),
            "t" => Ok(CheckpointKey::Task(task::key(rest)?.ok_or_else(unknown)?)),
            _ => Err(unknown()),
        }
    }

    /// The run that a question about revisions is about.
    ///
    /// # Errors
    ///
    /// [`Error::usage`] for any other, which has no revisions.
    pub(super) fn target(self) -> Result<Target, Error> {
        match self {
            CheckpointKey::Command(target) => Ok(target),
            CheckpointKey::Session(_) | CheckpointKey::Task(_) => Err(Error::usage(
                "Expected the key of a run: no other has revisions".to_owned(),
            )),
        }
    }

    /// The name of the checkpoint, to be shown.
    pub(super) fn title(&self) -> String {
        match self {
            CheckpointKey::Command(target) => target.title(),
            CheckpointKey::Session(id) => id.to_string(),
            CheckpointKey::Task(key) => task::title(key),
        }
    }

    /// Its kind, as answers name it.
    pub(super) const fn kind(&self) -> &'static str {
        match self {
            CheckpointKey::Command(_) => "command",
            CheckpointKey::Session(_) => "session",
            CheckpointKey::Task(_) => "task",
        }
    }
}

impl fmt::Display for CheckpointKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CheckpointKey::Command(target) => {
                let stem = name::stem(&target.command, target.feature.as_deref());
                write!(f, "c/{}", stem.unwrap_or_default())
            }
            CheckpointKey::Session(id) => write!(f, "s/{id}"),
            CheckpointKey::Task(key) => write!(f, "t/{}", task::text(key)),
        }
    }
}

/// The checkpoint and the state of it that a question is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct VersionRef {
    pub(super) key: CheckpointKey,
    /// `None` for the present one.
    pub(super) revision: Option<u64>,
}

/// The document of a version.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct DocumentVersion {
    pub(super) revision: Option<u64>,
    pub(super) object: Object,
    /// As it is stored.
    pub(super) text: String,
    /// Its time, as it says itself.
    pub(super) at: Option<String>,
}

impl VersionRef {
    /// From `{"key":K,"revision":N|null}`, the member `name` of a question.
    ///
    /// # Errors
    ///
    /// Those of [`CheckpointKey::parse`]; [`Error::usage`] for a text that names no version.
    pub(super) fn of(question: &Object, name: &str) -> Result<Self, Error> {
        let member = question.get(name).and_then(Json::as_object);
        let member = member.ok_or_else(|| {
            let message =
                format!("Expected `{name}` to be a moment: a key, and a revision or null");
            Error::usage(message)
        })?;
        let key = key(member)?;
        let revision = match member.get("revision") {
            None | Some(Json::Null) => None,
            Some(number) => Some(number.as_u64().ok_or_else(|| {
                Error::usage("Expected `revision` to be a whole number or null".to_owned())
            })?),
        };
        match (&key, revision) {
            (CheckpointKey::Command(_), _) | (_, None) => Ok(VersionRef { key, revision }),
            _ => Err(key
                .target()
                .err()
                .unwrap_or_else(|| Error::usage("Expected `revision` to be null".to_owned()))),
        }
    }

    /// Reads it.
    ///
    /// # Errors
    ///
    /// [`Error::not_found`] where it does not exist, and those of reading it.
    pub(super) fn read(&self, viewer: &mut Viewer) -> Result<DocumentVersion, Error> {
        match &self.key {
            CheckpointKey::Command(target) => command(viewer, target, self.revision),
            CheckpointKey::Session(id) => {
                let (read, warnings) = session::read(viewer, *id);
                viewer.warn(warnings);
                let (object, text) = read?;
                Ok(DocumentVersion {
                    revision: None,
                    at: string(&object, "created_at"),
                    object,
                    text,
                })
            }
            CheckpointKey::Task(key) => {
                let (read, warnings) = task::read(viewer, key);
                viewer.warn(warnings);
                let (object, saved_at) = read?;
                Ok(DocumentVersion {
                    revision: None,
                    at: Some(saved_at),
                    text: object.to_document(),
                    object,
                })
            }
        }
    }
}

fn command(
    viewer: &mut Viewer,
    target: &Target,
    revision: Option<u64>,
) -> Result<DocumentVersion, Error> {
    let (io, settings) = (viewer.io(), viewer.settings());
    let loaded = match revision {
        Some(revision) => settle(viewer, load_revision(&io, &settings, target, revision))?,
        None => {
            let loaded = settle(viewer, load(&io, &settings, target))?;
            loaded.ok_or_else(|| Error::no_checkpoint(target))?
        }
    };
    Ok(DocumentVersion {
        revision: Some(loaded.revision),
        at: string(&loaded.object, "updated_at"),
        object: loaded.object,
        text: loaded.text,
    })
}

/// The key in the member `key`.
///
/// # Errors
///
/// Those of [`CheckpointKey::parse`].
pub(super) fn key(object: &Object) -> Result<CheckpointKey, Error> {
    CheckpointKey::parse(object.get("key").and_then(Json::as_str).unwrap_or_default())
}

/// The value of a reply, whose warnings become those of the answer.
///
/// # Errors
///
/// That of the reply.
pub(super) fn settle<T>(viewer: &mut Viewer, reply: Reply<T>) -> Result<T, Error> {
    viewer.warn(reply.warnings);
    reply.result
}

fn string(object: &Object, key: &str) -> Option<String> {
    object.get(key)?.as_str().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::CheckpointKey;
    use crate::error::Code;

    #[test]
    fn a_key_leads_back_to_its_text() {
        for key in [
            "c/implement-auth",
            "c/ship-checkpoint",
            "s/chk-20250126-103000",
            "t/fix%20the%2Flogin/%E2%82%AC%01'(x)*~!_-.",
        ] {
            assert_eq!(CheckpointKey::parse(key).unwrap().to_string(), key);
        }
    }

    #[test]
    fn an_invalid_key_is_refused() {
        for key in [
            "", "c", "c/", "c/x", "c/../x-y", "s/x", "s/", "x/y", "t/x", "t/%zz/x", "t/%+1/x",
            "t/%", "t/%ff/x", "t//x",
        ] {
            let code = CheckpointKey::parse(key).unwrap_err().code();
            assert!(
                matches!(code, Code::Usage | Code::InvalidName),
                "{key}: {code:?}"
            );
        }
    }
}
