//! The hooks with the real command lines of coding agents, against model servers that the tests start.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::Outcome;
use super::node::node_tests_with;
use crate::building::Ground;
use crate::process;
use crate::test::Range;
use crate::tools::node::{self, Platform};

/// Codex and Gemini CLI, whose licence lets anybody run them.
pub(super) fn free(ground: &Ground, range: Range) -> Result<Outcome> {
    let manifest = ground.workspace.join("xtask/npm-agents");
    let modules = match node::install(&manifest, "npm-agents", Platform::This) {
        Ok(tools) => tools.join("node_modules"),
        Err(error) => return Ok(Outcome::Skipped(format!("no coding agents: {error:#}"))),
    };
    tests(
        ground,
        range,
        "tests/hosts/cli-agents",
        ("MILEPOST_AGENTS", &modules),
    )
}

/// Claude Code: that of the user, else the one of the recordings. Its terms are its maker's, so that only who asks
/// for this step installs it.
pub(super) fn claude_code(ground: &Ground, range: Range) -> Result<Outcome> {
    let program = match process::ask(Command::new("claude").arg("--version")) {
        Some(_) => PathBuf::from("claude"),
        None => installed(ground).context("Claude Code cannot be installed")?,
    };
    tests(
        ground,
        range,
        "tests/hosts/claude-code",
        ("MILEPOST_CLAUDE_CODE", &program),
    )
}

/// The launcher for where npm runs no install scripts.
fn installed(ground: &Ground) -> Result<PathBuf> {
    let manifest = ground.workspace.join("xtask/npm-claude-code");
    let tools = node::install(&manifest, "npm-claude-code", Platform::This)?;
    Ok(tools.join("node_modules/@anthropic-ai/claude-code/cli-wrapper.cjs"))
}

/// The tests of a folder, which install the package as users do.
fn tests(ground: &Ground, range: Range, folder: &str, agent: (&str, &Path)) -> Result<Outcome> {
    let tarball = ground.workspace.tarball();
    node_tests_with(
        ground,
        range,
        &[folder],
        &[agent, ("MILEPOST_TARBALL", &tarball)],
    )
}
