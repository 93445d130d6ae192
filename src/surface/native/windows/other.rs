//! Chance, terminals, and programs.

use std::env;
use std::fs::Metadata;
use std::os::windows::io::AsHandle;
use std::os::windows::process::CommandExt;
use std::process::{Command, ExitStatus};

use super::super::fault::{Result, other};
use crate::effect::Outcome;

/// The folders of programs where the PATH names none.
pub(in super::super) const PROGRAM_FOLDERS: &str = "C:\\Windows\\System32";

/// CreateProcess: no console opens for it.
const CREATE_NO_WINDOW: u32 = 0x0800_0000;

/// The shell, with a line to read: as Node starts it.
pub(in super::super) fn shell(line: &str) -> Command {
    let program = env::var_os("ComSpec").unwrap_or("cmd.exe".into());
    let mut shell = Command::new(program);
    shell.creation_flags(CREATE_NO_WINDOW);
    shell.raw_arg(format!("/d /s /c \"{line}\""));
    shell
}

/// Has a program look for others beside this one first, and not in the working folder, which may be a clone.
pub(in super::super) fn start_apart(program: &mut Command) {
    program.creation_flags(CREATE_NO_WINDOW);
    let own = env::current_exe();
    if let Some(folder) = own.as_ref().ok().and_then(|own| own.parent()) {
        program.current_dir(folder);
    }
}

/// The end of a program, in words.
pub(in super::super) fn ended(status: ExitStatus) -> String {
    format!("status {}", status.code().unwrap_or_default())
}

/// Returns whether a regular file may be executed: its name says it.
pub(in super::super) fn is_executable(_: &Metadata) -> bool {
    true
}

/// The columns of a terminal; 0 where it does not say.
pub(in super::super) fn columns(terminal: &impl AsHandle) -> u64 {
    terminal_size::terminal_size_of(terminal).map_or(0, |(width, _)| width.0.into())
}

pub(in super::super) fn random(length: u32) -> Result<Outcome> {
    let mut bytes = vec![0; length as usize];
    getrandom::fill(&mut bytes).map_err(|error| other(error.to_string()))?;
    Ok(Outcome::Bytes(bytes))
}
