//! The arguments that operations on transcripts share, and the call that changes one.

use crate::checkpoint::thread::name;
use crate::checkpoint::thread::transcript::TranscriptCall;
use crate::digest;
use crate::effect::Io;
use crate::error::Error;
use crate::schema::ArgumentMembers;
use crate::time;

/// The bytes of the random id of a call.
const CALL_BYTES: u32 = 8;

/// One transcript of a session.
#[derive(ArgumentMembers)]
pub(super) struct TranscriptArguments<'a> {
    /// The project, free text.
    project: &'a str,
    /// The session, free text.
    session: &'a str,
    /// The transcript of a subagent; that of the session itself without.
    subpath: Option<&'a str>,
}

/// The place of a transcript: the thread of its session, and its namespace there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TranscriptKey {
    pub(super) thread: String,
    pub(super) subpath: String,
}

impl TranscriptArguments<'_> {
    pub(super) fn key(&self) -> Result<TranscriptKey, Error> {
        let subpath = self.subpath.unwrap_or_default();
        name::check_namespace("subpath", subpath)?;
        Ok(TranscriptKey {
            thread: thread_of(self.project, self.session)?,
            subpath: subpath.to_owned(),
        })
    }
}

/// The thread of a session.
pub(super) fn thread_of(project: &str, session: &str) -> Result<String, Error> {
    name::check_namespace("project", project)?;
    name::check("session id", session)?;
    let thread = name::of_session(project, session);
    name::check("session id", &thread)?;
    Ok(thread)
}

/// The time and the random id of a call.
pub(super) struct CallId {
    at: String,
    id: String,
}

impl CallId {
    pub(super) async fn new(io: &Io) -> Result<Self, Error> {
        let id = io.random(CALL_BYTES).await;
        let id = id.map_err(|failed| failed.cannot_do("get random bytes"))?;
        Ok(CallId {
            at: time::format(io.now().await?.wall_ms),
            id: digest::hex(&id),
        })
    }

    pub(super) fn on<'a>(&'a self, key: &'a TranscriptKey) -> TranscriptCall<'a> {
        TranscriptCall {
            subpath: &key.subpath,
            at: &self.at,
            id: &self.id,
        }
    }
}
