//! The targets of `fuzz/`, a fixed number of inputs each.

use std::process::Command;

use anyhow::Result;

use super::Outcome;
use crate::building::BuildContext;
use crate::building::program::Program;
use crate::process;
use crate::test::Range;

/// The seed of a run that decides a change: the same inputs each time.
const SEED: &str = "1";

/// A failure comes with the seed that leads to it again, and with the bytes of its input.
pub(super) fn properties(context: &BuildContext, range: Range) -> Result<Outcome> {
    let mut runner = Command::new(context.program(Program::Fuzz)?);
    runner.args(match range {
        Range::Decisive => ["--range", "decisive", "--seed", SEED].as_slice(),
        // Elsewhere each time.
        Range::All => &["--range", "all"],
    });
    let output = process::run("fuzzing", runner.current_dir(context.workspace.root()))?;
    let of_each = output.lines().filter_map(|line| line.split(" in ").next());
    Ok(Outcome::Passed(of_each.collect::<Vec<_>>().join("; ")))
}
