//! Programs that this one starts, and their output.

use std::io::ErrorKind;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::effect::{Failed, Fault, GIT_ELSEWHERE, GIT_OPTIONS, GIT_VARIABLES, Outcome};

use super::facts::NextPiece;
use super::fault::{Result, other};
use super::system::{self, Pieces, io_failed};

/// The time that git may take.
const GIT_TIME: Duration = Duration::from_secs(5);
/// The number of bytes that git may print. The core asks for single lines.
const GIT_OUTPUT: usize = 1024 * 1024;
/// Between two looks at a program that has closed its output and not ended.
const END_PAUSE: Duration = Duration::from_millis(1);

/// The output of a program, and its end.
pub(super) struct ProgramOutput {
    pub(super) bytes: Vec<u8>,
    pub(super) end: ProgramEnd,
}

pub(super) enum ProgramEnd {
    Exited(ExitStatus),
    /// It was killed, because its time was over.
    TooLate,
    /// It was killed, because it printed more than it may.
    TooLong,
}

pub(super) fn git(folder: &str, arguments: &[String]) -> Result<Outcome> {
    let mut git = Command::new("git");
    system::start_apart(&mut git);
    git.args(["-C", folder]).args(GIT_OPTIONS).args(arguments);
    git.envs(GIT_VARIABLES);
    for name in GIT_ELSEWHERE {
        git.env_remove(name);
    }
    git.stdin(Stdio::null()).stderr(Stdio::null());
    let ProgramOutput { bytes, end } = run(&mut git, GIT_TIME, GIT_OUTPUT)?;
    match end {
        ProgramEnd::Exited(status) if status.success() => Ok(Outcome::Bytes(bytes)),
        ProgramEnd::Exited(status) => {
            Err(other(format!("git ended with {}", system::ended(status))))
        }
        ProgramEnd::TooLate => Err(other("ETIMEDOUT: git took too long".to_owned())),
        ProgramEnd::TooLong => Err(other("ENOBUFS: git printed too much".to_owned())),
    }
}

/// Runs a program to its end, or kills it; [`Fault::Unsupported`] where no program has this name.
pub(super) fn run(program: &mut Command, time: Duration, most: usize) -> Result<ProgramOutput> {
    let deadline = Instant::now() + time;
    let started = program.stdout(Stdio::piped()).spawn();
    let mut child = started.map_err(|error| match error.kind() {
        ErrorKind::NotFound => Failed {
            fault: Fault::Unsupported,
            ..io_failed(error)
        },
        _ => io_failed(error),
    })?;
    let mut bytes = Vec::new();
    let read = read_until(&mut child, deadline, most, &mut bytes);
    let end = match read {
        Ok(None) => wait_until(&mut child, deadline),
        Ok(Some(end)) => Ok(end),
        Err(failed) => Err(failed),
    };
    if !matches!(end, Ok(ProgramEnd::Exited(_))) {
        // One that has ended by now is not there to be killed.
        let _ = child.kill();
        let _ = child.wait();
    }
    Ok(ProgramOutput { bytes, end: end? })
}

/// Reads the output to its end; the reason where that is not waited for.
fn read_until(
    child: &mut Child,
    deadline: Instant,
    most: usize,
    bytes: &mut Vec<u8>,
) -> Result<Option<ProgramEnd>> {
    let Some(output) = child.stdout.take() else {
        return Ok(None);
    };
    let mut output = Pieces::of(output);
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        match output.next(bytes, left)? {
            NextPiece::Came if bytes.len() > most => return Ok(Some(ProgramEnd::TooLong)),
            NextPiece::Came => {}
            NextPiece::Ended => return Ok(None),
            NextPiece::Silent => return Ok(Some(ProgramEnd::TooLate)),
        }
    }
}

fn wait_until(child: &mut Child, deadline: Instant) -> Result<ProgramEnd> {
    loop {
        if let Some(status) = child.try_wait().map_err(io_failed)? {
            return Ok(ProgramEnd::Exited(status));
        }
        if Instant::now() >= deadline {
            return Ok(ProgramEnd::TooLate);
        }
        thread::sleep(END_PAUSE);
    }
}
