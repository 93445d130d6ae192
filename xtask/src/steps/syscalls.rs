//! Steps on what the store makes of the system's answers.

use anyhow::Result;

use super::{Ground, Outcome};
use crate::process;
use crate::syscalls::{self, Ready};

/// A fault at every system call of one update, on Node and on wasmtime.
pub(super) fn faults(ground: &Ground) -> Result<Outcome> {
    ground.built()?;
    let mut faults = match syscalls::prepare(ground.workspace)? {
        Ready::Here(command) => command,
        Ready::Missing(why) => return Ok(Outcome::Skipped(why)),
    };
    let table = process::run("faults at system calls", &mut faults)?;
    // The last line has the totals.
    let totals = table.trim_end().lines().last().unwrap_or_default();
    Ok(Outcome::Passed(totals.to_owned()))
}
