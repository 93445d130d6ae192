//! The precedence among several entries for an event that an agent runs all of them for.
//!
//! The entry in the project takes it; without one, the one of the user in this project, then the one of the user, and
//! last a plugin. An agent that also runs the entries of Claude Code has its own before all of those. So an entry of
//! the project asks nothing, and each other one looks for those before it (`pkg/src/program/precedence.js`).

use crate::agent::Agent;
use crate::json::{Json, Object};

use super::command::{COMPILED, ENTRY, FILE, IN_PROJECT, QUIETLY};
use super::file::{AgentSettingsFile, SettingsFolder, SettingsScope, file};
use super::native_line;
use super::trust::{trust_file, trusts_anyway};

/// The scopes, from the one whose entry takes an event on.
pub(super) const ORDER: [SettingsScope; 3] = [
    SettingsScope::Project,
    SettingsScope::Local,
    SettingsScope::User,
];

/// The files with the entries of each agent, in this order, the marks of an entry, and the words of JavaScript that
/// start it.
pub fn published() -> Json {
    let mut agents = Object::new();
    for agent in Agent::ALL {
        let files = ORDER
            .into_iter()
            .filter_map(|scope| scope_file(agent, scope));
        agents.set(agent.name(), files.collect::<Vec<_>>());
    }
    let programs = Object::new()
        .with("entry", ENTRY)
        .with("node", FILE)
        .with("wasmtime", COMPILED)
        .with("native", native_line::NAME);
    Object::new()
        .with("programs", programs)
        .with("scripts", [QUIETLY, IN_PROJECT].map(Json::from).to_vec())
        .with("agents", agents)
        .with("trust", trust())
        .into()
}

fn scope_file(agent: Agent, scope: SettingsScope) -> Option<Json> {
    let location = Object::new().with("scope", scope.name());
    Some(with_file(location, file(agent, scope)?).into())
}

fn with_file(location: Object, file: AgentSettingsFile) -> Object {
    let location = location.with("file", file.path);
    match file.base {
        SettingsFolder::Project => location,
        SettingsFolder::Home => location.with("folder", ""),
        SettingsFolder::Configured(variable, folder) => {
            location.with("folder", folder).with("variable", variable)
        }
    }
}

/// The file that lists the projects an agent trusts, for agents that run hooks of trusted projects only and have such a
/// file.
fn trust() -> Object {
    let mut trust = Object::new();
    for agent in Agent::ALL {
        if let Some(file) = trust_file(agent) {
            let mut location = with_file(Object::new(), file);
            if let Some(variable) = trusts_anyway(agent) {
                location.set("anyway", variable);
            }
            trust.set(agent.name(), location);
        }
    }
    trust
}
