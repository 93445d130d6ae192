//! The request for a snapshot.

use crate::checkpoint::session::id::SnapshotId;
use crate::checkpoint::session::reason::SnapshotReason;
use crate::checkpoint::session::turns::Occasion;
use crate::json::{Json, Object};
use crate::operation::Target;

/// The member that says on which occasion a snapshot for rewinds was made.
pub(super) const ORIGIN: &str = "origin";
/// The member with the rest of its mark.
pub(super) const TURN: &str = "turn";
/// The member of the mark of a moment that does not have all files.
pub(super) const INCOMPLETE: &str = "incomplete";

/// The request for a snapshot.
#[derive(Clone, Debug)]
pub struct Create<'a> {
    /// The occasion.
    pub reason: SnapshotReason,
    /// The message of its maker.
    pub message: Option<&'a str>,
    /// Fields of the document.
    pub given: Object,
    /// The command whose run is captured; by default that of the run updated last.
    pub target: Option<Target>,
    /// The treatment of the files.
    pub files: ChangedFiles,
    /// The checkpoint before whose restore it is made.
    pub undo_of: Option<SnapshotId>,
    /// The hook that makes it, if it was not asked for.
    pub made_by: Option<MadeBy>,
    /// The moment of a turn that it is of, where it is kept for rewinds.
    pub turn: Option<TurnMark>,
}

/// The hook of a coding agent, in a session of its.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MadeBy {
    /// The agent, such as `claude-code`.
    pub agent: String,
    /// The session.
    pub session: String,
}

/// A moment of a turn of an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TurnMark {
    /// The moment.
    pub occasion: Occasion,
    /// The agent, such as `claude-code`.
    pub agent: String,
    /// The session.
    pub session: String,
    /// The branch that is checked out.
    pub branch: Option<String>,
    /// The number of the prompt in its session, from 1.
    pub number: u64,
    /// The first characters of the prompt.
    pub prompt: Option<String>,
    /// The files that a tool wrote after the end of the turn.
    pub wrote: Vec<String>,
    /// True if a turn ends that had ended before, and went on because a hook of the user refused that.
    pub is_continued: bool,
    /// The other sessions whose turns were given up by then.
    pub given_up: Vec<String>,
    /// The rewind that it follows.
    pub rewind: Option<RewindMark>,
    /// True if it does not have all files.
    pub is_incomplete: bool,
}

impl TurnMark {
    /// As it is stored, but for the occasion.
    pub(super) fn to_object(&self) -> Object {
        let mut object = Object::new()
            .with("number", self.number)
            .with("agent", self.agent.as_str())
            .with("session", self.session.as_str())
            .with("branch", self.branch.as_deref());
        if let Some(prompt) = &self.prompt {
            object.set("prompt", prompt.as_str());
        }
        for (key, texts) in [("wrote", &self.wrote), ("given_up", &self.given_up)] {
            if !texts.is_empty() {
                object.set(key, texts.clone());
            }
        }
        if self.is_continued {
            object.set("continued", true);
        }
        if let Some(RewindMark {
            to,
            undo,
            paths,
            sessions,
        }) = &self.rewind
        {
            object.set("to", to.to_string());
            object.set("undo", undo.to_string());
            object.set("paths", paths.clone());
            if !sessions.is_empty() {
                object.set("sessions", sessions.clone());
            }
        }
        object
    }

    /// The mark of a document, where it has one.
    pub(super) fn of(document: &Object) -> Option<TurnMark> {
        let occasion = Occasion::of(document.get(ORIGIN)?.as_str()?)?;
        let turn = document.get(TURN)?.as_object()?;
        let text = |key: &str| turn.get(key).and_then(Json::as_str).map(str::to_owned);
        let id = |key: &str| text(key)?.parse::<SnapshotId>().ok();
        let texts = |key: &str| -> Vec<String> {
            let listed = turn.get(key).and_then(Json::as_array).unwrap_or_default();
            let texts = listed.iter().filter_map(Json::as_str);
            texts.map(str::to_owned).collect()
        };
        let is_set = |key: &str| turn.get(key).and_then(Json::as_bool) == Some(true);
        Some(TurnMark {
            occasion,
            agent: text("agent")?,
            session: text("session")?,
            branch: text("branch"),
            number: turn.get("number").and_then(Json::as_u64)?,
            is_incomplete: is_set(INCOMPLETE),
            is_continued: is_set("continued"),
            wrote: texts("wrote"),
            prompt: text("prompt"),
            given_up: texts("given_up"),
            rewind: id("to").zip(id("undo")).map(|(to, undo)| RewindMark {
                to,
                undo,
                paths: texts("paths"),
                sessions: texts("sessions"),
            }),
        })
    }
}

/// The result of a rewind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RewindMark {
    /// The moment whose files are back.
    pub to: SnapshotId,
    /// The snapshot that brings back what was there.
    pub undo: SnapshotId,
    /// The paths that were touched.
    pub paths: Vec<String>,
    /// The other sessions whose changes were taken back, or brought back.
    pub sessions: Vec<String>,
}

/// The treatment of the files that differ from HEAD.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChangedFiles {
    /// Nothing.
    None,
    /// They are kept. These also where they look like files of secrets, or are large.
    Kept(Vec<String>),
}
