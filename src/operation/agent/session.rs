//! A session, by the names under which it is kept.

use crate::agent::Agent;
use crate::checkpoint::command::agents;
use crate::digest::digest;
use crate::secret::suspect;

/// The most bytes of an id: those of agents are short; a longer one is no agent's, and would fill the document.
const LONGEST_ID: usize = 80;

/// A session, by the names under which it is kept.
pub(super) struct SessionKey {
    pub(super) agent: Agent,
    pub(super) id: String,
}

impl SessionKey {
    /// From the id that the agent gave. One that is more than letters, digits and such, or may be a secret, is kept as
    /// its digest.
    pub(super) fn new(agent: Agent, id: &str) -> Self {
        let is_plain = |it: u8| it.is_ascii_alphanumeric() || matches!(it, b'-' | b'_' | b'.');
        let is_plain = id.len() <= LONGEST_ID && id.bytes().all(is_plain) && !suspect(id);
        SessionKey {
            agent,
            id: match is_plain {
                true => id.to_owned(),
                false => digest(&[id.as_bytes()]),
            },
        }
    }

    pub(super) fn named(&self) -> agents::SessionRef<'_> {
        agents::SessionRef {
            agent: self.agent.name(),
            id: &self.id,
        }
    }
}
