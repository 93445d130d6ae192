//! The files that agents' hooks are registered in.

use crate::agent::Agent;

/// The scope of settings: the sessions that run the hooks in them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettingsScope {
    /// Those of everybody who works on the project: the file is part of it.
    Project,
    /// Those of the user, in every project.
    User,
    /// Those of the user in this project.
    Local,
}

impl SettingsScope {
    /// Every scope, in the order of the documentation.
    pub const ALL: [SettingsScope; 3] = [
        SettingsScope::Project,
        SettingsScope::User,
        SettingsScope::Local,
    ];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            SettingsScope::Project => "project",
            SettingsScope::User => "user",
            SettingsScope::Local => "local",
        }
    }

    /// The scope of that name.
    pub fn parse(name: &str) -> Option<SettingsScope> {
        SettingsScope::ALL
            .into_iter()
            .find(|scope| scope.name() == name)
    }
}

/// A file of settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AgentSettingsFile {
    /// The folder that its path starts from.
    pub base: SettingsFolder,
    /// Its path from there, with `/`.
    pub path: &'static str,
}

/// A folder that has settings below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettingsFolder {
    /// The root of the project.
    Project,
    /// The folder that this variable of the environment names; where it is not set, the one of this path
    /// below the user's home.
    Configured(&'static str, &'static str),
    /// The user's home.
    Home,
}

/// The variables that move the user's settings of an agent, those that name its project, and the one that names the
/// session of a shell command.
pub const VARIABLES: [&str; 9] = [
    "CLAUDE_CONFIG_DIR",
    "CODEX_HOME",
    "XDG_CONFIG_HOME",
    "COPILOT_HOME",
    "CLAUDE_PROJECT_DIR",
    "CURSOR_PROJECT_DIR",
    "GEMINI_PROJECT_DIR",
    "QWEN_PROJECT_DIR",
    "CLAUDE_CODE_SESSION_ID",
];

const CLAUDE: SettingsFolder = SettingsFolder::Configured(VARIABLES[0], ".claude");
const CODEX: SettingsFolder = SettingsFolder::Configured(VARIABLES[1], ".codex");
const CONFIG: SettingsFolder = SettingsFolder::Configured(VARIABLES[2], ".config");
const COPILOT: SettingsFolder = SettingsFolder::Configured(VARIABLES[3], ".copilot");

/// The file that an agent reads hooks from in a scope; `None` where the agent has no such scope.
pub fn file(agent: Agent, scope: SettingsScope) -> Option<AgentSettingsFile> {
    let (base, path) = match (agent, scope) {
        (Agent::ClaudeCode, SettingsScope::Project) => {
            (SettingsFolder::Project, ".claude/settings.json")
        }
        (Agent::ClaudeCode, SettingsScope::Local) => {
            (SettingsFolder::Project, ".claude/settings.local.json")
        }
        (Agent::ClaudeCode, SettingsScope::User) => (CLAUDE, "settings.json"),
        (Agent::Codex, SettingsScope::Project) => (SettingsFolder::Project, ".codex/hooks.json"),
        (Agent::Codex, SettingsScope::User) => (CODEX, "hooks.json"),
        (Agent::Gemini, SettingsScope::Project) => {
            (SettingsFolder::Project, ".gemini/settings.json")
        }
        (Agent::Gemini, SettingsScope::User) => (SettingsFolder::Home, ".gemini/settings.json"),
        (Agent::Cursor, SettingsScope::Project) => (SettingsFolder::Project, ".cursor/hooks.json"),
        (Agent::Cursor, SettingsScope::User) => (SettingsFolder::Home, ".cursor/hooks.json"),
        (Agent::Copilot, SettingsScope::Project) => {
            (SettingsFolder::Project, ".github/hooks/milepost.json")
        }
        (Agent::Copilot, SettingsScope::User) => (COPILOT, "hooks/milepost.json"),
        (Agent::OpenCode, SettingsScope::Project) => {
            (SettingsFolder::Project, ".opencode/plugins/milepost.js")
        }
        (Agent::OpenCode, SettingsScope::User) => (CONFIG, "opencode/plugins/milepost.js"),
        (Agent::QwenCode, SettingsScope::Project) => {
            (SettingsFolder::Project, ".qwen/settings.json")
        }
        (Agent::QwenCode, SettingsScope::User) => (SettingsFolder::Home, ".qwen/settings.json"),
        (_, SettingsScope::Local) => return None,
    };
    Some(AgentSettingsFile { base, path })
}

#[cfg(test)]
mod tests {
    use super::{SettingsScope, file};
    use crate::agent::Agent;

    #[test]
    fn two_agents_or_scopes_never_share_a_file() {
        let mut files = Vec::new();
        for agent in Agent::ALL {
            files.extend(
                SettingsScope::ALL
                    .into_iter()
                    .filter_map(|scope| file(agent, scope)),
            );
        }
        for (at, file) in files.iter().enumerate() {
            assert!(!files[..at].contains(file), "{file:?}");
        }
    }

    #[test]
    fn every_agent_has_a_file_for_the_project_and_for_the_user() {
        for agent in Agent::ALL {
            assert!(file(agent, SettingsScope::Project).is_some(), "{agent:?}");
            assert!(file(agent, SettingsScope::User).is_some(), "{agent:?}");
        }
    }

    #[test]
    fn a_scope_has_the_name_that_it_is_parsed_from() {
        for scope in SettingsScope::ALL {
            assert_eq!(SettingsScope::parse(scope.name()), Some(scope));
        }
        assert_eq!(SettingsScope::parse("Project"), None);
    }
}
