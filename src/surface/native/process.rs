//! Programs that this one starts, and their output.

use std::io::{ErrorKind, Read};
use std::os::fd::AsFd;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::event::{self, PollFd, PollFlags, Timespec};
use rustix::io::Errno;

use crate::effect::{Failed, Fault, GIT_ELSEWHERE, GIT_OPTIONS, GIT_VARIABLES, Outcome};

use super::fault::{Result, failed, io_failed, other};

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
    git.args(["-C", folder]).args(GIT_OPTIONS).args(arguments);
    git.envs(GIT_VARIABLES);
    for name in GIT_ELSEWHERE {
        git.env_remove(name);
    }
    git.stdin(Stdio::null()).stderr(Stdio::null());
    let ProgramOutput { bytes, end } = run(&mut git, GIT_TIME, GIT_OUTPUT)?;
    match end {
        ProgramEnd::Exited(status) if status.success() => Ok(Outcome::Bytes(bytes)),
        ProgramEnd::Exited(status) => Err(other(format!("git ended with {}", ended(status)))),
        ProgramEnd::TooLate => Err(other("ETIMEDOUT: git took too long".to_owned())),
        ProgramEnd::TooLong => Err(other("ENOBUFS: git printed too much".to_owned())),
    }
}

fn ended(status: ExitStatus) -> String {
    use std::os::unix::process::ExitStatusExt;

    match (status.code(), status.signal()) {
        (Some(code), _) => format!("status {code}"),
        (None, signal) => format!("signal {}", signal.unwrap_or_default()),
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
    let Some(output) = &mut child.stdout else {
        return Ok(None);
    };
    let mut chunk = [0; 4096];
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        match is_ready(&*output, left) {
            Ok(true) => {}
            Ok(false) => return Ok(Some(ProgramEnd::TooLate)),
            Err(failed) => return Err(failed),
        }
        match output.read(&mut chunk) {
            Ok(0) => return Ok(None),
            Ok(more) => bytes.extend_from_slice(&chunk[..more]),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(io_failed(error)),
        }
        if bytes.len() > most {
            return Ok(Some(ProgramEnd::TooLong));
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

/// Waits until something can be read, or the end can be seen; false where nothing comes for so long.
pub(super) fn is_ready(input: &impl AsFd, time: Duration) -> Result<bool> {
    let deadline = Instant::now() + time;
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        let left = Timespec {
            tv_sec: left.as_secs() as _,
            tv_nsec: left.subsec_nanos() as _,
        };
        let mut waited = [PollFd::new(input, PollFlags::IN)];
        match event::poll(&mut waited, Some(&left)) {
            Ok(ready) => return Ok(ready > 0),
            Err(Errno::INTR) => {}
            Err(errno) => return Err(failed(errno)),
        }
    }
}
