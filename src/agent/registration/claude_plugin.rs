//! Claude Code's plugin: it registers the same events as settings do, and runs a file of its own for them.

use crate::agent::Agent;
use crate::json::{Json, Object};

use super::command::Command;
use super::entry;

const AGENT: Agent = Agent::ClaudeCode;

/// The file that is run for an event. It is there wherever the plugin is, so that nothing has to be quiet
/// about it.
const HOOK: &str = "${CLAUDE_PLUGIN_ROOT}/hooks/hook.js";

const DESCRIPTION: &str =
    "Records the agent's work as runs, and gives each new context the resume point.";

/// The plugin's `hooks/hooks.json`. Each entry names its event, so that what it runs knows whether settings
/// have one for it before it reads anything.
pub fn hooks() -> Json {
    let words = |event: &str| [HOOK, AGENT.name(), event].map(str::to_owned).to_vec();
    let entries = entry::entries(AGENT, |event| Command::Exec("node", words(event)));
    let hooks = Object::new()
        .with("description", DESCRIPTION)
        .with("hooks", entry::hooks(&entries));
    hooks.into()
}
