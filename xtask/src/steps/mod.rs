//! The steps of `cargo xtask test`.

mod agents;
mod binding;
mod chaos;
mod components;
mod consumers;
mod corpus;
mod cost;
mod exact_tokens;
mod fuzz;
mod hosts;
mod jco;
mod langgraph;
mod mcp;
mod need;
mod node;
mod package;
mod part;
mod plugin;
pub(crate) mod postgres;
mod rust;
mod simulator;
mod syscalls;
mod table;
pub(crate) mod viewer;
mod wasm;
mod wasmtime;
mod windows;

use anyhow::Result;

use crate::building::Ground;
use crate::test::Lock;

pub(crate) use need::Need;
pub(crate) use part::{EVERYTHING, has};
pub(crate) use table::{ALL, ASKED_FOR};

/// One named thing that CI runs.
#[derive(Clone, Copy)]
pub(crate) struct Step {
    pub(crate) name: &'static str,
    pub(crate) run: fn(&Ground) -> Result<Outcome>,
    /// What has to be there before it begins.
    pub(crate) needs: &'static [Need],
    /// What nothing else may use meanwhile.
    pub(crate) locks: &'static [Lock],
    /// What it looks at in the clone, beside what it needs: patterns of paths.
    reads: &'static [&'static str],
}

impl Step {
    /// Everything in the clone that can change what comes of it.
    pub(crate) fn reads(&self) -> Vec<&'static str> {
        let mut reads = self.reads.to_vec();
        let mut needs = self.needs.to_vec();
        while let Some(need) = needs.pop() {
            reads.extend(need.reads());
            needs.extend(need.needs());
        }
        reads.sort_unstable();
        reads.dedup();
        reads
    }
}

/// What came of a step that did not fail.
pub(crate) enum Outcome {
    /// With a remark for its line, or an empty one.
    Passed(String),
    /// Why it could not run here.
    Skipped(String),
}

fn passed() -> Result<Outcome> {
    Ok(Outcome::Passed(String::new()))
}

/// The sum of the numbers that follow `prefix` at the start of a line.
fn count(output: &str, prefix: &str) -> u64 {
    output
        .lines()
        .filter_map(|line| {
            line.strip_prefix(prefix)?
                .split(' ')
                .next()?
                .parse::<u64>()
                .ok()
        })
        .sum()
}
