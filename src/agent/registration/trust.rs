//! What an agent trusts, as far as its files say.

use crate::agent::Agent;

use super::file::{Base, File, VARIABLES};

/// The file that lists the projects whose hooks an agent runs; `None` for agents that keep no such list, or ask
/// otherwise.
pub fn trust_file(agent: Agent) -> Option<File> {
    let (base, path) = match agent {
        Agent::Codex => (Base::Configured(VARIABLES[1], ".codex"), "config.toml"),
        Agent::Copilot => (Base::Configured("COPILOT_HOME", ".copilot"), "config.json"),
        _ => return None,
    };
    Some(File { base, path })
}
