//! The hooks with the real command lines of coding agents, against model servers that the tests start.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::Outcome;
use super::node::{node_file, node_tests_with};
use crate::building::BuildContext;
use crate::test::Range;
use crate::tools::ToolLookup;
use crate::tools::agents::{self, CodingAgent, Installed};
use crate::tools::node;

/// The test of the Claude Agent SDK, without its command line, which is Claude Code again.
const SDK_TEST: &str = "tests/hosts/claude-code/session-store.test.mjs";

/// The folder in which tests leave what differs in payloads, instead of failing for it.
const PAYLOADS: &str = "MILEPOST_PAYLOADS";

/// Those whose licence lets anybody install and run them, at the versions of the recorded payloads.
pub(super) fn command_lines(context: &BuildContext, range: Range) -> Result<Outcome> {
    let mut variables = vec![("MILEPOST_TARBALL", context.workspace.tarball())];
    for agent in agents::chosen(&[])? {
        match agent.recorded(context.workspace) {
            Ok(installed) => variables.push((agent.variable, installed.path)),
            Err(error) => return Ok(Outcome::Skipped(format!("no {}: {error:#}", agent.title))),
        }
        variables.extend(node_of(context, agent)?);
    }
    node_tests_with(
        context,
        range,
        &["tests/hosts/cli-agents"],
        &borrowed(&variables),
    )
}

/// Claude Code: that of the user, else the one of the recordings; and the SDK of its maker with a stored session. Their
/// terms are their maker's, so that only who asks for this step installs them.
pub(super) fn claude_code(context: &BuildContext, _: Range) -> Result<Outcome> {
    let chosen = agents::chosen(&["claude-code".to_owned()])?;
    let agent = *chosen.first().context("the table has no Claude Code")?;
    let (installed, is_recorded) = recorded_or_own(context, agent)?;
    // The payloads of another version are not those that were recorded.
    let payloads = (!is_recorded).then(|| context.workspace.join("target/test/payloads"));
    if let Some(folder) = &payloads {
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    let outcome = story(context, agent, &installed, payloads.as_deref())?;
    let sdk = node::install_without_optional(
        &context.workspace.join("xtask/npm-claude-agent-sdk"),
        "npm-claude-agent-sdk",
    )?;
    let modules = sdk.join("node_modules");
    let variables = [("MILEPOST_CLAUDE_AGENT_SDK", modules.as_path())];
    node_file(context, Range::All, SDK_TEST, &variables)?;
    Ok(outcome)
}

/// The agent at the version of the recordings, or Claude Code as the user has it; and whether it is the former.
pub(crate) fn recorded_or_own(
    context: &BuildContext,
    agent: &CodingAgent,
) -> Result<(Installed, bool)> {
    let own = match agent.is_asked_for {
        true => agents::claude_of_user(),
        false => None,
    };
    if let Some(own) = own {
        return Ok((own, false));
    }
    let installed = agent
        .recorded(context.workspace)
        .with_context(|| format!("{} cannot be installed", agent.title))?;
    Ok((installed, true))
}

/// The tests of one agent. What differs from the recorded payloads goes to a file in `payloads`; without that it is a
/// failure.
pub(crate) fn story(
    context: &BuildContext,
    agent: &CodingAgent,
    installed: &Installed,
    payloads: Option<&Path>,
) -> Result<Outcome> {
    let mut variables = vec![
        ("MILEPOST_TARBALL", context.workspace.tarball()),
        (agent.variable, installed.path.clone()),
    ];
    variables.extend(node_of(context, agent)?);
    variables.extend(payloads.map(|folder| (PAYLOADS, folder.to_path_buf())));
    node_file(context, Range::All, agent.tests, &borrowed(&variables))
}

/// The Node that an agent needs; what runs the tests where that one is not there.
fn node_of(context: &BuildContext, agent: &CodingAgent) -> Result<Option<(&'static str, PathBuf)>> {
    let Some(major) = agent.node else {
        return Ok(None);
    };
    Ok(match context.hosts()?.node(major) {
        ToolLookup::At(node) => Some(("MILEPOST_AGENTS_NODE", node)),
        ToolLookup::Missing(_) => None,
    })
}

fn borrowed<'a>(variables: &'a [(&'static str, PathBuf)]) -> Vec<(&'a str, &'a Path)> {
    let borrowed = variables.iter().map(|(name, path)| (*name, path.as_path()));
    borrowed.collect()
}
