//! The files that agents' hooks are registered in.

use crate::agent::Agent;

/// The scope of settings: the sessions that run the hooks in them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Those of everybody who works on the project: the file is part of it.
    Project,
    /// Those of the user, in every project.
    User,
    /// Those of the user in this project.
    Local,
}

impl Scope {
    /// Every scope, in the order of the documentation.
    pub const ALL: [Scope; 3] = [Scope::Project, Scope::User, Scope::Local];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Scope::Project => "project",
            Scope::User => "user",
            Scope::Local => "local",
        }
    }

    /// The scope of that name.
    pub fn parse(name: &str) -> Option<Scope> {
        Scope::ALL.into_iter().find(|scope| scope.name() == name)
    }
}

/// A file of settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct File {
    /// The folder that its path starts from.
    pub base: Base,
    /// Its path from there, with `/`.
    pub path: &'static str,
}

/// A folder that has settings below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
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

const CLAUDE: Base = Base::Configured(VARIABLES[0], ".claude");
const CODEX: Base = Base::Configured(VARIABLES[1], ".codex");
const CONFIG: Base = Base::Configured(VARIABLES[2], ".config");
const COPILOT: Base = Base::Configured(VARIABLES[3], ".copilot");

/// The file that an agent reads hooks from in a scope; `None` where the agent has no such scope.
pub fn file(agent: Agent, scope: Scope) -> Option<File> {
    let (base, path) = match (agent, scope) {
        (Agent::ClaudeCode, Scope::Project) => (Base::Project, ".claude/settings.json"),
        (Agent::ClaudeCode, Scope::Local) => (Base::Project, ".claude/settings.local.json"),
        (Agent::ClaudeCode, Scope::User) => (CLAUDE, "settings.json"),
        (Agent::Codex, Scope::Project) => (Base::Project, ".codex/hooks.json"),
        (Agent::Codex, Scope::User) => (CODEX, "hooks.json"),
        (Agent::Gemini, Scope::Project) => (Base::Project, ".gemini/settings.json"),
        (Agent::Gemini, Scope::User) => (Base::Home, ".gemini/settings.json"),
        (Agent::Cursor, Scope::Project) => (Base::Project, ".cursor/hooks.json"),
        (Agent::Cursor, Scope::User) => (Base::Home, ".cursor/hooks.json"),
        (Agent::Copilot, Scope::Project) => (Base::Project, ".github/hooks/milepost.json"),
        (Agent::Copilot, Scope::User) => (COPILOT, "hooks/milepost.json"),
        (Agent::OpenCode, Scope::Project) => (Base::Project, ".opencode/plugins/milepost.js"),
        (Agent::OpenCode, Scope::User) => (CONFIG, "opencode/plugins/milepost.js"),
        (Agent::QwenCode, Scope::Project) => (Base::Project, ".qwen/settings.json"),
        (Agent::QwenCode, Scope::User) => (Base::Home, ".qwen/settings.json"),
        (_, Scope::Local) => return None,
    };
    Some(File { base, path })
}

#[cfg(test)]
mod tests {
    use super::{Scope, file};
    use crate::agent::Agent;

    #[test]
    fn two_agents_or_scopes_never_share_a_file() {
        let mut files = Vec::new();
        for agent in Agent::ALL {
            files.extend(
                Scope::ALL
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
            assert!(file(agent, Scope::Project).is_some(), "{agent:?}");
            assert!(file(agent, Scope::User).is_some(), "{agent:?}");
        }
    }

    #[test]
    fn a_scope_has_the_name_that_it_is_parsed_from() {
        for scope in Scope::ALL {
            assert_eq!(Scope::parse(scope.name()), Some(scope));
        }
        assert_eq!(Scope::parse("Project"), None);
    }
}
