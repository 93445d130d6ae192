//! Which coding agents a project is worked on with.

use crate::agent::Agent;
use crate::agent::registration::{Scope, file, find};
use crate::effect::{Io, Kind};
use crate::operation::reply::noticing;
use crate::operation::{Reply, Settings};
use crate::root;

use super::place::{Place, User};
use super::settings_file::SettingsFile;

/// What an agent, or whoever works with it, keeps in a project. The folder that this program keeps state in
/// says nothing of an agent.
fn traces(agent: Agent) -> &'static [&'static str] {
    match agent {
        Agent::ClaudeCode => &[
            "CLAUDE.md",
            ".claude/settings.json",
            ".claude/settings.local.json",
            ".claude/commands",
            ".claude/agents",
            ".claude/skills",
            ".mcp.json",
        ],
        Agent::Codex => &[".codex"],
        Agent::Gemini => &[".gemini", "GEMINI.md"],
        Agent::Cursor => &[".cursor", ".cursorrules"],
        Agent::Copilot => &[".github/hooks", ".github/copilot-instructions.md"],
        Agent::OpenCode => &[".opencode", "opencode.json", "opencode.jsonc"],
        Agent::QwenCode => &[".qwen", "QWEN.md"],
    }
}

/// The agents that have left a trace in the project, and have no hooks registered for it.
///
/// Fails with `usage`, `io`.
pub async fn agents_present(io: &Io, settings: &Settings) -> Reply<Vec<Agent>> {
    noticing(async |_| {
        let root = root::locate(io, settings).await?;
        let mut present = Vec::new();
        for agent in Agent::ALL {
            let paths = traces(agent).iter().map(|path| root.join(path)).collect();
            let looked = io.inspect(paths).await;
            let looked = looked.map_err(|failed| failed.cannot("look at", "the project"))?;
            if looked
                .iter()
                .all(|entry| matches!(entry.kind, Kind::Absent | Kind::Denied))
            {
                continue;
            }
            let mut has_hooks = false;
            for scope in [Scope::Project, Scope::Local] {
                if file(agent, scope).is_none() {
                    continue;
                }
                let place = Place::of(agent, scope, &root, &User::default())?;
                let text = SettingsFile { io, place }.read().await.ok().flatten();
                let found = text.and_then(|text| find(agent, &text).ok());
                has_hooks |= found.is_some_and(|found| found.events > 0);
            }
            if !has_hooks {
                present.push(agent);
            }
        }
        Ok(present)
    })
    .await
}
