//! Claude Code's plugin: it registers the same events as settings do, and runs a file of its own for them.

use crate::agent::Agent;
use crate::json::{Json, Object};

use super::command::{COMPILED, Command, FILE};
use super::entry;
use super::file::{Base, Scope, file};

const AGENT: Agent = Agent::ClaudeCode;

/// The file that is run for an event. It is there wherever the plugin is, so that nothing has to be quiet
/// about it.
const HOOK: &str = "${CLAUDE_PLUGIN_ROOT}/hooks/hook.js";

const DESCRIPTION: &str =
    "Keeps checkpoints of the work, and tells each new context where it stands.";

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

/// Where settings may have entries for the same events, and what these run: the files of the project, the one
/// of the user with the variable that moves it, and how the paths of our programs end.
pub fn elsewhere() -> Json {
    let mut project = Vec::new();
    let mut user = Json::Null;
    let files = Scope::ALL.into_iter();
    for file in files.filter_map(|scope| file(AGENT, scope)) {
        match file.base {
            Base::Project => project.push(Json::from(file.path)),
            Base::Configured(variable, folder) => {
                let moved = Object::new().with("variable", variable);
                user = moved.with("folder", folder).with("file", file.path).into();
            }
            // Its settings can be moved.
            Base::Home => {}
        }
    }
    let programs = Object::new().with("node", FILE).with("wasmtime", COMPILED);
    Object::new()
        .with("project", project)
        .with("user", user)
        .with("programs", programs)
        .into()
}
