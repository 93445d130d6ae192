//! The simulator, and the faults that it has to notice.

use std::process::Command;

use anyhow::Result;

use super::Outcome;
use crate::building::BuildContext;
use crate::building::program::Program;
use crate::process;
use crate::test::Range;

/// Half as many again as `cargo xtask simulate` has.
const SEEDS: &str = "30000";

/// A failure comes with the seed that repeats it.
pub(super) fn promise(context: &BuildContext, range: Range) -> Result<Outcome> {
    let mut simulator = Command::new(context.program(Program::Simulator)?);
    simulator.args(match range {
        Range::Decisive => ["--range", "decisive"].as_slice(),
        Range::All => &["--range", "all", "--seeds", SEEDS],
    });
    let output = process::run(
        "the simulator",
        simulator.current_dir(context.workspace.root()),
    )?;
    let in_all = output
        .lines()
        .filter_map(|line| line.strip_prefix("in all"));
    let sums = in_all.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    Ok(Outcome::Passed(sums.collect::<Vec<_>>().join("; ")))
}
