//! strace, as Debian packages it, where the system lets it trace.

use std::process::Command;

use super::{ToolLookup, debian};
use crate::process;

/// Finds strace on the PATH; as root on Debian, installs it.
pub(crate) fn strace() -> ToolLookup {
    let [found] = debian::find("strace", &["strace"], ["strace"]);
    let ToolLookup::At(program) = found else {
        return found;
    };
    // With the very options that the tests need: a fault at a call, and one file for each thread.
    let mut trial = Command::new(&program);
    trial.args(["-f", "-qq", "-o", "/dev/null", "--seccomp-bpf"]);
    trial.args(["-e", "trace=fsync", "-e", "inject=fsync:error=EIO:when=1"]);
    match process::stdout_of(trial.args(["--", "true"])) {
        Some(_) => ToolLookup::At(program),
        None => ToolLookup::Missing(format!(
            "{} cannot trace a program here: ptrace is forbidden, or this strace is older than 5.3",
            program.display()
        )),
    }
}
