//! The targets of `fuzz/`, for a bounded time.

use std::process::Command;

use anyhow::Result;

use super::Outcome;
use crate::building::Ground;
use crate::building::program::Program;
use crate::process;
use crate::test::Range;

/// For each target: a million inputs of some, tens of thousands of others.
const SECONDS: &str = "4";

/// A failure is told with the seed that leads to it again, and with the bytes of its input.
pub(super) fn properties(ground: &Ground, _range: Range) -> Result<Outcome> {
    let mut runner = Command::new(ground.program(Program::Fuzz)?);
    let output = process::run(
        "fuzzing",
        runner
            .current_dir(ground.workspace.root())
            .args(["--seconds", SECONDS]),
    )?;
    let of_each = output.lines().filter_map(|line| line.split(" in ").next());
    Ok(Outcome::Passed(of_each.collect::<Vec<_>>().join("; ")))
}
