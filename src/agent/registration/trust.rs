//! The folders that an agent trusts, as far as its files say.

use crate::agent::Agent;
use crate::json::Json;

use super::file::{AgentSettingsFile, SettingsFolder, VARIABLES};

/// The file that lists the projects whose hooks an agent runs; `None` for agents that keep no such list, or ask
/// otherwise.
pub fn trust_file(agent: Agent) -> Option<AgentSettingsFile> {
    let (base, path) = match agent {
        Agent::Codex => (
            SettingsFolder::Configured(VARIABLES[1], ".codex"),
            "config.toml",
        ),
        Agent::Copilot => (
            SettingsFolder::Configured(VARIABLES[3], ".copilot"),
            "config.json",
        ),
        _ => return None,
    };
    Some(AgentSettingsFile { base, path })
}

/// The variable of the environment with which an agent runs the hooks of every project.
pub(super) fn trusts_anyway(agent: Agent) -> Option<&'static str> {
    (agent == Agent::Copilot).then_some("COPILOT_ALLOW_ALL")
}

/// Returns whether the text of that file has an agent trust a folder, or one that the folder is in. Codex writes that
/// of a project in TOML, Copilot CLI a list in JSON: in either the folder is a string in double quotes.
pub fn trusts(text: &str, folder: &str) -> bool {
    let mut folder = folder;
    loop {
        let quoted = Json::from(folder).to_line();
        if let Some((_, behind)) = text.split_once(quoted.as_str()) {
            return !is_untrusted(behind);
        }
        match folder.rsplit_once('/') {
            Some((above, _)) if !above.is_empty() => folder = above,
            _ => return false,
        }
    }
}

/// Returns whether Codex has written behind a folder that it is not trusted.
fn is_untrusted(behind: &str) -> bool {
    let behind = behind.trim_start_matches(']').trim_start();
    let level = behind.strip_prefix("trust_level").map(str::trim_start);
    let level = level
        .and_then(|it| it.strip_prefix('='))
        .map(str::trim_start);
    level.is_some_and(|it| it.starts_with("\"untrusted\""))
}

#[cfg(test)]
mod tests {
    use super::trusts;

    #[test]
    fn a_folder_is_trusted_where_it_or_one_above_it_is_listed() {
        let copilot = "// Managed.\n{\"trustedFolders\": [\"/home/me/a b\", \"/srv\"]}";
        for (folder, expected) in [
            ("/home/me/a b", true),
            ("/home/me/a b/packages/c", true),
            ("/srv/x", true),
            ("/home/me", false),
            ("/home/me/a", false),
            ("/", false),
        ] {
            assert_eq!(trusts(copilot, folder), expected, "{folder}");
        }
        let codex = "[projects.\"/p\"]\ntrust_level = \"trusted\"\n[projects.\"/q\"]\ntrust_level=\"untrusted\"\n";
        assert!(trusts(codex, "/p"));
        assert!(!trusts(codex, "/q"));
        assert!(!trusts("", "/p"));
    }
}
