//! The hooks with the real command lines of coding agents, against model servers that the tests start.

use std::path::Path;

use anyhow::Result;

use super::Outcome;
use super::node::node_tests_with;
use crate::building::Ground;
use crate::tools::node::{self, Platform};

/// Codex and Gemini CLI, whose licence lets anybody run them.
pub(super) fn free(ground: &Ground) -> Result<Outcome> {
    let manifest = ground.workspace.join("xtask/npm-agents");
    let modules = match node::install(&manifest, "npm-agents", Platform::This) {
        Ok(tools) => tools.join("node_modules"),
        Err(error) => return Ok(Outcome::Skipped(format!("no coding agents: {error:#}"))),
    };
    tests(
        ground,
        "tests/hosts/cli-agents",
        ("MILEPOST_AGENTS", &modules),
    )
}

/// The tests of a folder, which install the package as users do.
fn tests(ground: &Ground, folder: &str, agent: (&str, &Path)) -> Result<Outcome> {
    let tarball = ground.workspace.tarball();
    node_tests_with(ground, &[folder], &[agent, ("MILEPOST_TARBALL", &tarball)])
}
