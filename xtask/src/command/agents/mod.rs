//! `cargo xtask agents`: the story of the tests with the real command lines of coding agents.

mod report;

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use clap::Args;
use serde_json::Value;

use crate::building::BuildContext;
use crate::process;
use crate::steps::Outcome;
use crate::steps::agents::{recorded_or_own, story};
use crate::tools::agents::{self, CodingAgent};
use crate::workspace::Workspace;

use report::{Difference, Report, Story};

/// The choice of agents, and their versions.
#[derive(Args, Clone, Debug)]
pub(crate) struct Options {
    /// The newest versions, and what differs in their payloads from the recorded ones
    ///
    /// A difference is information and does not change the exit code; a story that fails does.
    #[arg(long)]
    latest: bool,
    /// Such as `codex`; all but `claude-code` without it
    ///
    /// `codex`, `gemini`, `copilot`, `opencode`, `qwen-code`, or `claude-code`, which is no free
    /// software: who names it agrees to the terms of its maker, Anthropic.
    #[arg(value_name = "AGENT")]
    agents: Vec<String>,
}

/// Runs the story of each agent, and prints what came of it. Returns whether none failed.
///
/// # Errors
///
/// There is no agent of a name, or the package could not be built.
pub(crate) fn run(workspace: &Workspace, options: &Options) -> Result<bool> {
    let chosen = agents::chosen(&options.agents)?;
    let context = BuildContext::new(workspace);
    context.project()?;
    let mut reports = Vec::new();
    for agent in chosen {
        let report = report_of(&context, agent, options.latest)?;
        print!("{}", report.text());
        reports.push(report);
    }
    println!("{}", report::totals(&reports));
    Ok(reports.iter().all(|report| report.story != Story::Failed))
}

/// The story of one agent. One that cannot be installed is one that failed.
fn report_of(
    context: &BuildContext,
    agent: &'static CodingAgent,
    is_latest: bool,
) -> Result<Report> {
    let recorded = agent.recorded_version(context.workspace)?;
    let mut report = Report {
        title: agent.title,
        version: recorded.clone(),
        recorded,
        story: Story::Failed,
        differences: None,
    };
    let installed = match is_latest {
        true => agent.newest().map(|newest| (newest, false)),
        false => recorded_or_own(context, agent),
    };
    let (installed, is_recorded) = match installed {
        Ok(installed) => installed,
        Err(error) => {
            process::note(&format!("{}: {error:#}", agent.title));
            return Ok(report);
        }
    };
    report.version.clone_from(&installed.version);
    let folder = tempfile::tempdir()?;
    let payloads = (!is_recorded).then(|| folder.path());
    match story(context, agent, &installed, payloads) {
        Ok(Outcome::Passed(remark)) => report.story = Story::Passed(remark),
        Ok(Outcome::Skipped(why)) => process::note(&format!("{}: {why}", agent.title)),
        Err(error) => process::note(&format!("{}: {error:#}", agent.title)),
    }
    if let Some(folder) = payloads {
        report.differences = differences(&folder.join(format!("{}.json", agent.name)))?;
    }
    Ok(report)
}

/// The differences that the tests found; `None` where they did not come to it.
fn differences(file: &Path) -> Result<Option<Vec<Difference>>> {
    if !file.is_file() {
        return Ok(None);
    }
    let text = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    let found: Value = serde_json::from_slice(&text)
        .with_context(|| format!("{} is not valid JSON", file.display()))?;
    let items = found.as_array().context("differences are a list")?;
    let parsed: Option<Vec<Difference>> = items.iter().map(Difference::of).collect();
    let parsed = parsed.context("a difference has an event, a path, a change and types")?;
    Ok(Some(parsed))
}
