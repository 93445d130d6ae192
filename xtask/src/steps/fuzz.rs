//! The targets of `fuzz/`, for a bounded time.

use anyhow::Result;

use super::{Ground, Outcome};
use crate::building::program::FUZZ;
use crate::process;

/// For each target: a million inputs of some, tens of thousands of others.
const SECONDS: &str = "4";

/// A failure is told with the seed that leads to it again, and with the bytes of its input.
pub(super) fn properties(ground: &Ground) -> Result<Outcome> {
    let mut runner = FUZZ.command(ground.workspace);
    let output = process::run("fuzzing", runner.args(["--seconds", SECONDS]))?;
    let of_each = output.lines().filter_map(|line| line.split(" in ").next());
    Ok(Outcome::Passed(of_each.collect::<Vec<_>>().join("; ")))
}
