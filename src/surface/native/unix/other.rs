//! Chance, terminals, and programs.

use std::fs::Metadata;
use std::os::fd::AsFd;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, ExitStatus};

use rustix::termios::tcgetwinsize;

use super::super::fault::Result;
use crate::effect::Outcome;

/// The folders of programs where the PATH names none.
pub(in super::super) const PROGRAM_FOLDERS: &str = "/usr/bin:/bin";

/// The shell, with a line to read.
pub(in super::super) fn shell(line: &str) -> Command {
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", line]);
    shell
}

/// Has a program look for others as it does by itself: Unix looks for none in the working folder.
pub(in super::super) fn start_apart(_: &mut Command) {}

/// The end of a program, in words.
pub(in super::super) fn ended(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("status {code}"),
        (None, signal) => format!("signal {}", signal.unwrap_or_default()),
    }
}

/// Returns whether a regular file may be executed.
pub(in super::super) fn is_executable(file: &Metadata) -> bool {
    file.permissions().mode() & 0o111 != 0
}

/// The columns of a terminal; 0 where it does not say.
pub(in super::super) fn columns(terminal: &impl AsFd) -> u64 {
    tcgetwinsize(terminal).map_or(0, |size| size.ws_col.into())
}

#[cfg(any(target_os = "linux", target_os = "android"))]
pub(in super::super) fn random(length: u32) -> Result<Outcome> {
    use rustix::io::retry_on_intr;
    use rustix::rand::{GetRandomFlags, getrandom};

    let mut bytes = vec![0; length as usize];
    let mut got = 0;
    while got < bytes.len() {
        let more = retry_on_intr(|| getrandom(&mut bytes[got..], GetRandomFlags::empty()));
        got += more.map_err(super::fault::failed)?;
    }
    Ok(Outcome::Bytes(bytes))
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(in super::super) fn random(length: u32) -> Result<Outcome> {
    use std::fs::File;
    use std::io::Read;

    let mut bytes = vec![0; length as usize];
    let read = File::open("/dev/urandom").and_then(|mut device| device.read_exact(&mut bytes));
    read.map_err(super::fault::io_failed)?;
    Ok(Outcome::Bytes(bytes))
}
