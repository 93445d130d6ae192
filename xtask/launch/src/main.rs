//! `cargo xtask`: builds the tool that performs the commands, and becomes it.
//!
//! The tool has many dependencies. This has none, so that the first words come after a second.

// A command line speaks on its streams.
#![allow(clippy::print_stderr)]

mod compile;

use std::env;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::thread;
use std::time::SystemTime;

use launch::{BEGAN, Board, Part, Step, announcement};

/// The package of the tool, and its program.
const TOOL: &str = "xtask-steps";

/// The folder of the package that cargo runs, as cargo says.
const MANIFEST_DIR: &str = "CARGO_MANIFEST_DIR";

fn main() -> ExitCode {
    match launch() {
        Ok(code) => code,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

fn launch() -> Result<ExitCode, String> {
    // Not where this was compiled: that clone may have been moved or copied since.
    let own = env::var_os(MANIFEST_DIR)
        .map(PathBuf::from)
        .ok_or("start this as `cargo xtask …`, in a folder of the clone")?;
    let folder = own.parent().ok_or("this package is in the tool's folder")?;
    let root = folder.parent().ok_or("the tool is in the workspace")?;
    let beside = env::current_exe().map_err(|error| format!("no path of this program: {error}"))?;
    let tool = beside.with_file_name(format!("{TOOL}{}", env::consts::EXE_SUFFIX));

    let arguments: Vec<OsString> = env::args_os().skip(1).collect();
    let (steps, began) = announce(&arguments, root, &tool);
    let board = Board::new(steps, 0, began);
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    board.begin(Step::Tool.name());
    let built = compile::tool(&cargo, root, TOOL, &board)?;
    if let compile::Built::UpToDate(_) = built {
        board.end(Step::Tool.name());
    }
    drop(board);
    match built {
        compile::Built::UpToDate(remarks) => eprint!("{remarks}"),
        compile::Built::Failed(code, all) => {
            eprint!("{all}");
            return Ok(code);
        }
    }

    let mut command = Command::new(&tool);
    command.args(arguments).env(MANIFEST_DIR, folder);
    command.env_remove(BEGAN);
    if let Some(began) = began.and_then(|began| began.duration_since(SystemTime::UNIX_EPOCH).ok()) {
        command.env(BEGAN, began.as_millis().to_string());
    }
    become_it(&mut command)
}

/// Says how long `run` takes, where it takes long; returns how many steps are counted, and when that was.
fn announce(arguments: &[OsString], root: &Path, tool: &Path) -> (usize, Option<SystemTime>) {
    let [first, rest @ ..] = arguments else {
        return (1, None);
    };
    if first != OsStr::new("run") {
        return (1, None);
    }
    let words: Vec<_> = rest.iter().map(|word| word.to_string_lossy()).collect();
    let part = Part::of(&words);
    let steps = part.steps().len();
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let Some(sentence) = announcement(steps, &part.missing(root, tool), cores) else {
        return (steps, None);
    };
    eprintln!("{sentence}");
    (steps, Some(SystemTime::now()))
}

/// Signals, streams and the exit code are the tool's own.
#[cfg(unix)]
fn become_it(command: &mut Command) -> Result<ExitCode, String> {
    use std::os::unix::process::CommandExt;
    let error = command.exec();
    Err(format!(
        "cannot start {}: {error}",
        command.get_program().display()
    ))
}

#[cfg(not(unix))]
fn become_it(command: &mut Command) -> Result<ExitCode, String> {
    let status = command
        .status()
        .map_err(|error| format!("cannot start {}: {error}", command.get_program().display()))?;
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Ok(ExitCode::from(code.unwrap_or(1)))
}
