//! The main job on real input: one hook process saves the phases of a command and is killed,
//! another carries on from what it left.

use std::fs;
use std::path::Path;
use std::process::{Command, ExitStatus};

use anyhow::{Context, Result, bail};

use crate::workspace::Workspace;
use crate::{node, package, run};

const STATE_FILE: &str = ".claude/state/implement-checkpoint.json";

/// Runs the tour in a throwaway git repository and prints what happens.
///
/// # Errors
///
/// Something did not happen as it says.
pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    let temporary = tempfile::tempdir()?;
    let repository = temporary.path().join("repository");
    let scripts = temporary.path().join("scripts");

    heading("A git repository, and beside it a project with the packed package");
    println!("{}", repository.display());
    make_repository(&repository)?;
    package::install(workspace, &scripts)?;
    for script in ["work.cjs", "resume.cjs"] {
        fs::copy(
            workspace.join("xtask/tour").join(script),
            scripts.join(script),
        )?;
    }

    heading("One hook process saves the phases of a command, and is killed in the middle");
    let status = in_repository(node::node().arg(scripts.join("work.cjs")), &repository)?;
    if was_not_killed(status) {
        bail!("the first process should have been killed, and ended with {status}");
    }
    println!("killed ({status})");

    heading("What it left");
    println!("{STATE_FILE}:");
    print!("{}", fs::read_to_string(repository.join(STATE_FILE))?);
    println!("\n$ milepost status");
    expect_success(in_repository(
        run::milepost(&scripts).arg("status"),
        &repository,
    )?)?;
    println!("\n$ git status --short");
    expect_success(in_repository(
        Command::new("git").args(["status", "--short"]),
        &repository,
    )?)?;
    println!("(the state is never committed)");

    heading("Another hook process resumes");
    let script = scripts.join("resume.cjs");
    expect_success(in_repository(node::node().arg(script), &repository)?)?;

    heading("Done");
    println!("Everything above ran in a folder that is gone now.");
    println!("On the current directory: cargo xtask run status");
    Ok(())
}

fn heading(text: &str) {
    println!("\n== {text}");
}

fn make_repository(folder: &Path) -> Result<()> {
    fs::create_dir(folder)?;
    let git = |arguments: &[&str]| -> Result<()> {
        let mut git = Command::new("git");
        git.args(["-c", "user.name=tour", "-c", "user.email=tour@localhost"]);
        git.args(["-c", "commit.gpgsign=false"]).args(arguments);
        expect_success(in_repository(&mut git, folder)?)
    };
    git(&["init", "--quiet"])?;
    git(&["commit", "--quiet", "--allow-empty", "--message", "first"])
}

/// Runs with this process's streams, where nothing of the caller's environment leads to another
/// repository.
fn in_repository(command: &mut Command, folder: &Path) -> Result<ExitStatus> {
    let program = command.get_program().to_string_lossy().into_owned();
    for name in ["GIT_ROOT", "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"] {
        command.env_remove(name);
    }
    command
        .current_dir(folder)
        .status()
        .with_context(|| format!("cannot start `{program}`"))
}

fn expect_success(status: ExitStatus) -> Result<()> {
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
