//! The simulator's usual amount, and the faults that it has to notice.

use anyhow::Result;

use super::{Ground, Outcome};
use crate::building::program::SIMULATOR;
use crate::process;

/// A failure is told with the seed that repeats it.
pub(super) fn promise(ground: &Ground) -> Result<Outcome> {
    let output = process::run("the simulator", &mut SIMULATOR.command(ground.workspace))?;
    let in_all = output
        .lines()
        .filter_map(|line| line.strip_prefix("in all"));
    let sums = in_all.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    Ok(Outcome::Passed(sums.collect::<Vec<_>>().join("; ")))
}
