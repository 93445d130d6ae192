//! The main job on real input: one hook process saves the phases of a command and is killed,
//! others carry on from what it left.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, ExitStatus};

use anyhow::{Context, Result, bail};

use crate::building::package;
use crate::folder;
use crate::tools::node;
use crate::workspace::Workspace;

const STATE_FILE: &str = ".claude/state/implement-checkpoint.json";

/// What a coding agent sends to its hooks when a session begins.
const SESSION_START: &str = "{ \"hook_event_name\": \"SessionStart\", \"source\": \"startup\" }\n";

/// Runs the tour in a throwaway git repository and prints what happens.
///
/// # Errors
///
/// Something did not happen as it says.
pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    let temporary = tempfile::tempdir()?;
    let repository = temporary.path().join("repository");
    let project = temporary.path().join("project");

    heading("A git repository, and beside it a project with the packed package");
    println!("{}", repository.display());
    make_repository(&repository)?;
    package::install(workspace, &project)?;
    folder::copy(&workspace.join("xtask/tour"), &project.join("tour"))?;
    let hook = project.join("node-hook");
    folder::copy(&workspace.join("host-examples/node-hook"), &hook)?;

    heading("One hook process saves the phases of a command, and is killed in the middle");
    let mut work = node::node();
    work.arg(project.join("tour/work.cjs"));
    let status = run_in(&repository, &mut work)?;
    if was_not_killed(status) {
        bail!("the first process should have been killed, and ended with {status}");
    }
    println!("killed ({status})");

    heading("What it left");
    println!("{STATE_FILE}:");
    print!("{}", fs::read_to_string(repository.join(STATE_FILE))?);
    println!("\n$ milepost status");
    succeed_in(&repository, package::milepost(&project).arg("status"))?;
    println!("\n$ git status --short");
    let mut git = Command::new("git");
    succeed_in(&repository, git.args(["status", "--short"]))?;
    println!("(nothing: the state is never committed)");

    heading("A new session begins: its SessionStart hook tells the agent where the work stands");
    let payload = temporary.path().join("payload.json");
    fs::write(&payload, SESSION_START)?;
    let mut session_start = node::node();
    session_start
        .arg(hook.join("hook.cjs"))
        .stdin(File::open(payload)?);
    session_start.env("CLAUDE_PROJECT_DIR", &repository);
    succeed_in(&repository, &mut session_start)?;

    heading("Another process resumes and completes the command");
    let mut resume = node::node();
    resume.arg(project.join("tour/resume.cjs"));
    succeed_in(&repository, &mut resume)?;

    heading("Done");
    println!("All of it ran in a folder that is gone now.");
    println!("On the current directory: cargo xtask run status");
    Ok(())
}

fn heading(text: &str) {
    println!("\n== {text}");
}

fn make_repository(folder: &Path) -> Result<()> {
    fs::create_dir(folder)?;
    let git = |arguments: &[&str]| {
        let mut git = Command::new("git");
        git.args(["-c", "user.name=tour", "-c", "user.email=tour@localhost"]);
        git.args(["-c", "commit.gpgsign=false"]).args(arguments);
        succeed_in(folder, &mut git)
    };
    git(&["init", "--quiet"])?;
    git(&["commit", "--quiet", "--allow-empty", "--message", "first"])
}

/// Runs with this process's streams, where nothing of the caller's environment leads to another
/// repository or checkpoint.
fn run_in(folder: &Path, command: &mut Command) -> Result<ExitStatus> {
    let program = command.get_program().to_string_lossy().into_owned();
    for name in [
        "GIT_ROOT",
        "GIT_DIR",
        "GIT_WORK_TREE",
        "GIT_INDEX_FILE",
        "MILEPOST_COMMAND",
        "MILEPOST_FEATURE",
    ] {
        command.env_remove(name);
    }
    let started = command.current_dir(folder).status();
    started.with_context(|| format!("cannot start `{program}`"))
}

fn succeed_in(folder: &Path, command: &mut Command) -> Result<()> {
    let status = run_in(folder, command)?;
    if !status.success() {
        bail!("that should have succeeded ({status})");
    }
    Ok(())
}

/// A killed process has no exit code, except on Windows.
fn was_not_killed(status: ExitStatus) -> bool {
    if cfg!(windows) {
        status.success()
    } else {
        status.code().is_some()
    }
}
