//! The steps of `cargo xtask test`.

pub(crate) mod agents;
mod binding;
mod chaos;
pub(crate) mod checkers;
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
mod native;
mod need;
mod node;
mod package;
mod pages;
mod part;
mod plugin;
pub(crate) mod postgres;
mod registries;
mod rust;
mod simulator;
mod syscalls;
mod table;
mod test_runners;
mod tour;
pub(crate) mod viewer;
mod wasm;
mod wasmtime;
mod windows;

use anyhow::Result;

use crate::building::BuildContext;
use crate::test::{Lock, Range};

pub(crate) use need::Need;
pub(crate) use part::{EVERYTHING, has};
pub(crate) use table::{ALL, ASKED_FOR};

/// One named check of `cargo xtask test`.
#[derive(Clone, Copy)]
pub(crate) struct Step {
    pub(crate) name: &'static str,
    /// The smallest range that has it.
    pub(crate) range: Range,
    /// Runs it, in the range that the whole run has.
    pub(crate) run: fn(&BuildContext, Range) -> Result<Outcome>,
    /// The things that have to be there before it begins.
    needs: &'static [Need],
    /// The things that its part needs that only `--all` has.
    needs_with_all: &'static [Need],
    /// The things that nothing else may use at the same time.
    pub(crate) locks: &'static [Lock],
    /// The files that it reads in the clone, beside what it needs: patterns of paths.
    reads: &'static [&'static str],
}

impl Step {
    /// A step of the decisive range that needs and reads nothing.
    pub(crate) const fn new(
        name: &'static str,
        run: fn(&BuildContext, Range) -> Result<Outcome>,
    ) -> Self {
        Self {
            name,
            range: Range::Decisive,
            run,
            needs: &[],
            needs_with_all: &[],
            locks: &[],
            reads: &[],
        }
    }

    const fn only_with_all(mut self) -> Self {
        self.range = Range::All;
        self
    }

    const fn needs(mut self, needs: &'static [Need]) -> Self {
        self.needs = needs;
        self
    }

    const fn needs_with_all(mut self, needs: &'static [Need]) -> Self {
        self.needs_with_all = needs;
        self
    }

    const fn locks(mut self, locks: &'static [Lock]) -> Self {
        self.locks = locks;
        self
    }

    const fn reading(mut self, reads: &'static [&'static str]) -> Self {
        self.reads = reads;
        self
    }

    /// Everything that has to be there before it begins in a range.
    pub(crate) fn needed(&self, range: Range) -> Vec<Need> {
        let more = match range.max(self.range) {
            Range::Decisive => &[],
            Range::All => self.needs_with_all,
        };
        [self.needs, more].concat()
    }

    /// Everything in the clone that can change what comes of it.
    pub(crate) fn reads(&self) -> Vec<&'static str> {
        let mut reads = self.reads.to_vec();
        let mut needs = self.needed(Range::All);
        while let Some(need) = needs.pop() {
            reads.extend(need.reads());
            needs.extend(need.needs());
        }
        reads.sort_unstable();
        reads.dedup();
        reads
    }
}

/// The result of a step that did not fail.
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
