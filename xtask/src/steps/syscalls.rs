//! Steps on the system calls that the hosts make.

use anyhow::Result;

use super::Outcome;
use crate::building::BuildContext;
use crate::command::syscalls::{self, AUDIT, FAULTS, Ready};
use crate::process;
use crate::test::Range;

/// A fault at every system call of one update, on Node, on wasmtime and natively.
pub(super) fn faults(context: &BuildContext, _range: Range) -> Result<Outcome> {
    run(context, "faults at system calls", &[FAULTS])
}

/// Bad input on both, which makes neither touch a path outside of the project.
pub(super) fn audit(context: &BuildContext, _range: Range) -> Result<Outcome> {
    run(context, "paths of system calls", &AUDIT)
}

fn run(context: &BuildContext, label: &str, words: &[&str]) -> Result<Outcome> {
    let mut node = match syscalls::prepare(context)? {
        Ready::Here(node) => node,
        Ready::Missing(why) => return Ok(Outcome::Skipped(why)),
    };
    let output = process::run(label, node.args(words))?;
    // The last line has the totals.
    let totals = output.trim_end().lines().last().unwrap_or_default();
    Ok(Outcome::Passed(totals.to_owned()))
}
