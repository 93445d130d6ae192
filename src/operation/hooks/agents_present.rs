//! The coding agents that a project is worked on with.

use crate::agent::Agent;
use crate::agent::registration::{SettingsScope, find};
use crate::effect::{Io, PathEntry, PathKind};
use crate::error::Error;
use crate::operation::reply::with_warnings;
use crate::operation::{Reply, Settings};
use crate::root::{self, Root};

use super::settings_file::SettingsFile;
use super::settings_path::{SettingsPath, User};

/// The folder of Claude Code, in which this program keeps state for every agent.
const SHARED: &str = ".claude";

/// The names in it that this program makes.
const OWN: [&str; 5] = ["checkpoints", "config", "protocols", "state", "sub-agents"];

/// More names than that are not looked at.
const MAX_NAMES: u32 = 1_000;

/// Traces of an agent, or of those who work with it, in a project; of Claude Code those outside of its folder.
fn traces(agent: Agent) -> &'static [&'static str] {
    match agent {
        Agent::ClaudeCode => &["CLAUDE.md", ".mcp.json"],
        Agent::Codex => &[".codex"],
        Agent::Gemini => &[".gemini", "GEMINI.md"],
        Agent::Cursor => &[".cursor", ".cursorrules"],
        Agent::Copilot => &[".github/hooks", ".github/copilot-instructions.md"],
        Agent::OpenCode => &[".opencode", "opencode.json", "opencode.jsonc"],
        Agent::QwenCode => &[".qwen", "QWEN.md"],
    }
}

/// The agents that have left a trace in the project, and have no hooks registered for it, be it in the project or by
/// the user.
///
/// Fails with `usage`, `io`.
pub async fn agents_present(io: &Io, settings: &Settings, user: &User) -> Reply<Vec<Agent>> {
    with_warnings(async |_| {
        let root = root::locate(io, settings).await?;
        let mut present = Vec::new();
        for agent in Agent::ALL {
            if has_trace(io, &root, agent).await? && !has_hooks(io, &root, agent, user).await {
                present.push(agent);
            }
        }
        Ok(present)
    })
    .await
}

async fn has_trace(io: &Io, root: &Root, agent: Agent) -> Result<bool, Error> {
    let paths = traces(agent).iter().map(|path| root.join(path)).collect();
    let looked = io.inspect(paths).await;
    let looked = looked.map_err(|failed| failed.cannot("look at", "the project"))?;
    let is_there = |entry: &PathEntry| !matches!(entry.kind, PathKind::Absent | PathKind::Denied);
    if looked.iter().any(is_there) {
        return Ok(true);
    }
    if agent != Agent::ClaudeCode {
        return Ok(false);
    }
    let listed = io.list(root.join(SHARED), MAX_NAMES).await;
    let is_own = |name: &String| OWN.contains(&name.as_str());
    Ok(listed.is_ok_and(|it| !it.names.iter().all(is_own)))
}

async fn has_hooks(io: &Io, root: &Root, agent: Agent, user: &User) -> bool {
    for scope in SettingsScope::ALL {
        // Where nothing can be seen of the user's own settings, nothing is known of them.
        let Ok(path) = SettingsPath::of(agent, scope, root, user) else {
            continue;
        };
        let text = SettingsFile { io, path }
            .read_following_links()
            .await
            .ok()
            .flatten();
        if text.is_some_and(|text| find(agent, &text).is_ok_and(|found| found.events > 0)) {
            return true;
        }
    }
    false
}
