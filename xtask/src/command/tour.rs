//! The tour: an agent is killed in the middle of its plan and the next one carries on, then a file that is
//! lost comes back from a snapshot. Each event that it reports is checked, and a missing one is an error.

mod agent;
mod project;
mod screen;
mod session;

use std::fs;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};

use crate::workspace::Workspace;
use project::Project;
use screen::Screen;
use session::Session;

/// The phase that the first session leaves in the middle, one that it has not begun, and the file of the former.
const CURRENT: &str = "Add the switch";
const PENDING: &str = "Describe it";
const LOST: &str = "src/switch.js";

/// Runs the tour in a throwaway git repository and shows it. `program` is the file of the command line.
///
/// # Errors
///
/// Something did not happen as it says.
pub(crate) fn run(workspace: &Workspace, program: &Path, out: &mut dyn Write) -> Result<()> {
    let temporary = tempfile::tempdir()?;
    let mut screen = Screen::new(out);
    let project = Project::make(temporary.path(), program)?;
    let sessions = workspace.join("xtask/tour");

    screen.heading("A git repository gets hooks for Claude Code")?;
    screen.command("milepost hooks install claude-code --scope local")?;
    let installed = project.milepost(&["hooks", "install", "claude-code", "--scope", "local"])?;
    screen.text(&project.shortened(&installed))?;

    screen.heading("A session of Claude Code works, and is killed in the middle of its plan")?;
    let first = Session::read(&sessions.join("first-session.jsonl"), &project)?;
    let mut agent = project.agent()?;
    first.play(&project, &mut agent, &mut screen)?;
    agent.kill()?;
    screen.command("kill -9 AGENT")?;
    screen.command("milepost status")?;
    let status = project.milepost(&["status"])?;
    screen.text(&status)?;
    ensure!(
        status.contains(CURRENT),
        "the status does not name the phase `{CURRENT}`"
    );
    let changes = project.git(&[
        "status",
        "--short",
        "--",
        ".claude/state",
        ".claude/checkpoints",
    ])?;
    ensure!(changes.is_empty(), "git would commit the state:\n{changes}");

    screen.heading("The next session begins: its hook says to the agent where to carry on")?;
    let second = Session::read(&sessions.join("second-session.jsonl"), &project)?;
    let mut agent = project.agent()?;
    let context = second.play(&project, &mut agent, &mut screen)?;
    agent.kill()?;
    let context = context.context("the hook gave the next session no context")?;
    for expected in [CURRENT, PENDING, LOST] {
        ensure!(
            context.contains(expected),
            "the next session does not learn of `{expected}`:\n{context}"
        );
    }
    screen.quoted(&context)?;

    screen.heading("A file is lost: the snapshot of the first session has it")?;
    bring_back(&project, &mut screen)?;
    screen.end()
}

/// Removes a file and has it restored.
fn bring_back(project: &Project, screen: &mut Screen<'_>) -> Result<()> {
    screen.command("milepost snapshot list")?;
    let list = project.milepost(&["snapshot", "list"])?;
    screen.text(&list)?;
    ensure!(list.contains("chk-"), "there is no snapshot in the list");
    let file = project.join(LOST);
    let content = fs::read(&file).with_context(|| format!("the session left no {LOST}"))?;
    fs::remove_file(&file)?;
    screen.command(&format!("rm {LOST}"))?;
    screen.command("milepost snapshot restore --latest --files")?;
    let restored = project.milepost(&["snapshot", "restore", "--latest", "--files"])?;
    screen.text(&restored)?;
    match fs::read(&file) {
        Ok(found) if found == content => screen.text(&format!("{LOST} is back, byte for byte")),
        Ok(_) => bail!("{LOST} came back with another content"),
        Err(error) => bail!("{LOST} did not come back: {error}"),
    }
}
