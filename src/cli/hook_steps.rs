//! The steps that are left to the user once hooks are in the settings of agents.

use crate::agent::Agent;
use crate::agent::registration::{DatabaseRef, SettingsScope};
use crate::operation::hooks::install_hooks::Installed;
use crate::text::visible;

/// The sentence about hooks that run the program which the PATH has.
pub(super) fn is_on_path() -> String {
    "The hooks run the program milepost of the PATH, and do nothing where it is missing: `cargo install --path CLONE \
     --locked` installs it."
        .to_owned()
}

/// The steps that are left to the user.
pub(super) fn of(installed: &Installed, scope: SettingsScope) -> Vec<String> {
    let mut steps = Vec::new();
    if installed.lacks_package {
        let step = "The project does not depend on milepost yet, and until then the hooks do nothing: `npm install \
                    --save-dev PATH/milepost.tgz` adds the packed package.";
        steps.push(step.to_owned());
    }
    if let Some(package) = &installed.borrowed {
        steps.push(format!(
            "The hooks run the package in {}, and do nothing once that is gone: one that stays is installed globally, as \
             `npm install --global PATH/milepost.tgz` does with the packed package.",
            visible(package)
        ));
    }
    for other in &installed.others {
        let (agent, path) = (other.agent.name(), visible(&other.path));
        steps.push(match other.of == other.agent {
            true => format!(
                "{agent} has hooks in {path} as well. An event is taken once, by the first of these whose program is \
                 there: the entry of the project, yours in the project, yours for all projects."
            ),
            false => format!(
                "{agent} also runs the hooks in {path}. An event is taken once, by the agent's own entry."
            ),
        });
    }
    for path in &installed.kept_status_lines {
        steps.push(format!(
            "The status line in {} stays as it is, and ours is not registered{}.",
            visible(path),
            match scope {
                SettingsScope::User => "",
                _ => ": it would hide that one. With --scope user both are run",
            }
        ));
    }
    for change in &installed.changes {
        steps.extend(trust_step(change.agent, scope).map(str::to_owned));
    }
    steps
}

/// The sentence about the database that the hooks keep runs in.
pub(super) fn reaches(database: &DatabaseRef) -> String {
    let variable = database.variable.as_deref().unwrap_or("PGHOST");
    format!(
        "The hooks keep runs in {}: start the agent with {variable} set. Where it is not, runs are kept in files, which \
         `milepost doctor --fix` brings into the database.",
        visible(&database.shown())
    )
}

/// The step that an agent still needs from its user.
fn trust_step(agent: Agent, scope: SettingsScope) -> Option<&'static str> {
    match agent {
        Agent::ClaudeCode if scope != SettingsScope::User => Some(
            "Claude Code runs hooks of a project once its folder is trusted, which it asks for when it is \
             started there.",
        ),
        Agent::Codex if scope == SettingsScope::User => Some(
            "Codex silently skips hooks that were not reviewed: type /hooks in Codex and trust these, again after \
             each change.",
        ),
        Agent::Codex => Some(
            "Codex silently skips hooks of a project that it does not trust, and hooks that were not reviewed: trust \
             the project when Codex is started there, then type /hooks in it and trust these, again after each \
             change.",
        ),
        Agent::Copilot if scope != SettingsScope::User => Some(
            "Copilot CLI silently skips hooks of a project in a folder that it does not trust: trust the folder when \
             it is started there; with --prompt, which does not ask, add --trust-folder.",
        ),
        Agent::Gemini if scope != SettingsScope::User => Some(
            "Gemini CLI runs hooks of a project in folders that are trusted, and warns of new or changed \
             ones once.",
        ),
        Agent::Cursor => Some(
            "Cursor also runs the hooks that stand in .claude/settings.json; an event is taken once.",
        ),
        Agent::OpenCode => Some("OpenCode loads the plugin when it is started next."),
        _ => None,
    }
}
