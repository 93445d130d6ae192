//! `cargo xtask run`: the command line on the current directory, or the tour.

use std::env;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result, anyhow};
use launch::{BEGAN, Board, Part, Step};

use super::tour;
use crate::building::program::Program;
use crate::building::wasm::Build;
use crate::building::{BuildContext, package};
use crate::process;
use crate::tools::node;
use crate::workspace::Workspace;

/// Sets up, builds what the arguments need, and runs `milepost ARGS…` in the current directory with this process's
/// streams; without arguments, the tour. Returns the exit code.
pub(crate) fn run(workspace: &Workspace, arguments: &[String]) -> Result<u8> {
    let lock = workspace.lock()?;
    let part = Part::of(arguments);
    let board = Board::new(part.steps().len(), 1, announced());
    let program = build(&BuildContext::new(workspace), part, Some(&board))?;
    drop(board);
    if arguments.is_empty() {
        tour::run(workspace, &program, &mut io::stdout())?;
        print!("{}", what_to_type(workspace.root(), &program));
        return Ok(0);
    }
    // The program that runs now may take long, or start another.
    drop(lock);
    let status = node::node()
        .arg(program)
        .args(arguments)
        .status()
        .context("cannot start the package's milepost")?;
    Ok(code(status))
}

/// The tour for tests: of what it builds itself, and unseen.
pub(crate) fn check_tour(context: &BuildContext) -> Result<()> {
    let program = build(context, Part::Tour, None)?;
    tour::run(context.workspace, &program, &mut io::sink())
}

/// Builds a part of the package, and shows the progress on a board, if there is one. Returns the file of its command
/// line.
fn build(context: &BuildContext, part: Part, board: Option<&Board>) -> Result<PathBuf> {
    context.node()?;
    context.toolchain()?;
    let begin = |step: Step| board.iter().for_each(|board| board.begin(step.name()));
    let end = |step: Step| board.iter().for_each(|board| board.end(step.name()));
    let builds = part.builds();
    let next = AtomicUsize::new(0);
    let work = || -> Result<()> {
        while let Some(&step) = builds.get(next.fetch_add(1, Ordering::Relaxed)) {
            begin(step);
            if let Err(error) = make(context, step) {
                // The others begin nothing more.
                next.store(builds.len(), Ordering::Relaxed);
                return Err(error);
            }
            end(step);
        }
        Ok(())
    };
    let workers = thread::available_parallelism()
        .map_or(2, usize::from)
        .clamp(2, 4);
    let results = thread::scope(|scope| {
        let started: Vec<_> = (0..workers)
            .map(|_| scope.spawn(|| process::collecting_notes(work)))
            .collect();
        started
            .into_iter()
            .map(thread::ScopedJoinHandle::join)
            .collect::<Vec<_>>()
    });
    for result in results {
        let (_, made) = result.map_err(|_| anyhow!("a build panicked"))?;
        made?;
    }

    begin(Step::Package);
    let (_, folder) = process::collecting_notes(|| folder(context, part));
    let folder = folder?;
    end(Step::Package);
    Ok(folder.join("bin/milepost.js"))
}

/// Makes what a step is of.
fn make(context: &BuildContext, step: Step) -> Result<()> {
    if step == Step::ExactTokens {
        context.vocabularies()?;
    }
    if let Some(build) = wasm(step) {
        context.wasm(build)?;
    }
    Ok(())
}

/// The wasm of a step.
fn wasm(step: Step) -> Option<Build> {
    Build::ALL
        .into_iter()
        .find(|build| step.wasm() == Some(build.name()))
}

/// The folder of the package, or of a part of it.
fn folder(context: &BuildContext, part: Part) -> Result<PathBuf> {
    if part == Part::Whole {
        return Ok(context.project()?.join("node_modules/milepost"));
    }
    let builds: Vec<_> = part.builds().into_iter().filter_map(wasm).collect();
    package::part(context.workspace, context.node()?, part.folder(), &builds)
}

/// The time at which the launcher said how long this takes, if it did.
fn announced() -> Option<SystemTime> {
    let milliseconds = env::var(BEGAN).ok()?.parse().ok()?;
    Some(SystemTime::UNIX_EPOCH + Duration::from_millis(milliseconds))
}

/// The last words of the tour. Paths are of this clone, so that they work in any folder.
fn what_to_type(root: &Path, program: &Path) -> String {
    let program = quoted(program);
    let root_text = quoted(root);
    let tarball = quoted(&root.join("target/milepost/milepost.tgz"));
    format!(
        "
In a repository of yours, with what is built now (no viewer, and words are
counted, not a model's tokens): hooks for you alone, then the state of the
work, at any time

  node {program} \\
    hooks install claude-code --scope local
  node {program} status

The whole package as a dependency, with the library, the viewer and hooks for
all who work there

  (cd {root_text} && cargo xtask build)
  npm install --save-dev {tarball}
  npx milepost hooks install claude-code
"
    )
}

/// A path as a word for a shell.
fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let is_plain = |it: char| it.is_ascii_alphanumeric() || "/._-+:\\".contains(it);
    match text.chars().all(is_plain) {
        true => text,
        false if cfg!(windows) => format!("\"{text}\""),
        false => format!("'{}'", text.replace('\'', r"'\''")),
    }
}

/// Builds a program of this workspace and runs it on this process's streams; `false` when it ended
/// otherwise than with 0.
pub(crate) fn program(
    workspace: &Workspace,
    program: Program,
    arguments: &[String],
) -> Result<bool> {
    let context = BuildContext::new(workspace);
    let mut command = Command::new(context.program(program)?);
    command.current_dir(workspace.root()).args(arguments);
    let status = command.status().context("cannot start it")?;
    Ok(status.success())
}

/// 1 for a process that was killed: it has no code of its own.
fn code(status: ExitStatus) -> u8 {
    status
        .code()
        .and_then(|code| u8::try_from(code).ok())
        .unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::{Build, Part, quoted, wasm};
    use std::path::Path;

    #[test]
    fn every_step_with_a_wasm_is_a_build() {
        let steps = Part::Whole.builds();
        let builds: Vec<_> = steps.iter().filter_map(|&step| wasm(step)).collect();
        assert_eq!(builds.len(), steps.len());
        assert_eq!(builds.len(), Build::ALL.len());
    }

    #[test]
    #[cfg(unix)]
    fn path_with_a_blank_is_one_word() {
        assert_eq!(quoted(Path::new("/a/b-c_1.tgz")), "/a/b-c_1.tgz");
        assert_eq!(quoted(Path::new("/my a/it's")), r"'/my a/it'\''s'");
    }
}
