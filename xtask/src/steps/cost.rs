//! The cost of a hook's process: numbers that do not depend on what else the machine does.

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::Outcome;
use super::node::test_files;
use crate::building::BuildContext;
use crate::process;
use crate::test::Range;
use crate::tools::ToolLookup;

/// The Node whose compiler and whose start the limits are of: a pinned one.
const NODE: u32 = 20;

/// Bytes of the wasm that V8 compiles in one hook: what has been reached, so that they do not grow
/// unseen.
const MAX_COMPILED: u64 = 124_500;

/// Instructions in user mode that a hook adds to an empty script: what has been reached, and room for
/// the threads of V8, which do more or less of their work before the end: counts of one build were
/// between 60 and 73 million. The compiled bytes are the exact guard. The aim is 35 million.
const MAX_INSTRUCTIONS: u64 = 85_000_000;

/// Counts the bytes with `benches/cost.mjs`, whose tests run first; with everything also the instructions, for which
/// a process takes a hundred times as long.
pub(super) fn of_a_hook(context: &BuildContext, range: Range) -> Result<Outcome> {
    let node = match context.hosts()?.node(NODE) {
        ToolLookup::At(program) => program,
        ToolLookup::Missing(why) => return Ok(Outcome::Skipped(why)),
    };
    let benches = context.workspace.join("benches");
    let mut tests = std::process::Command::new(&node);
    tests
        .args(["--test", "--test-reporter=tap"])
        .args(test_files(&benches, range)?);
    process::run("tests of the bench", &mut tests)?;

    let mut count = std::process::Command::new(&node);
    count
        .arg(benches.join("cost.mjs"))
        .arg("--project")
        .arg(context.project()?);
    let valgrind = match range {
        Range::Decisive => None,
        Range::All => Some(context.valgrind()?),
    };
    if let Some(ToolLookup::At(program)) = valgrind {
        count.arg("--valgrind").arg(program);
    }
    let cost = Cost::read(&process::run("counting what a hook costs", &mut count)?)?;
    cost.check()?;
    match valgrind {
        Some(ToolLookup::At(_)) | None => Ok(Outcome::Passed(cost.remark())),
        // The bytes were checked all the same.
        Some(ToolLookup::Missing(why)) => Ok(Outcome::Skipped(why.clone())),
    }
}

/// The output of `benches/cost.mjs`.
#[derive(Debug)]
struct Cost {
    compiled: u64,
    functions: u64,
    /// Set if they could be counted.
    instructions: Option<u64>,
}

impl Cost {
    fn read(line: &str) -> Result<Self> {
        let cost: Value = serde_json::from_str(line).context("the cost of a hook is no JSON")?;
        let number = |name: &str| cost[name].as_u64();
        Ok(Self {
            compiled: number("bytes").context("the compiled bytes of a hook are no number")?,
            functions: number("functions").context("its functions are no number")?,
            instructions: number("instructions"),
        })
    }

    fn check(&self) -> Result<()> {
        let compiled = self.compiled;
        if compiled > MAX_COMPILED {
            bail!("V8 compiles {compiled} bytes of wasm in one hook; at most {MAX_COMPILED}");
        }
        match self.instructions {
            Some(count) if count > MAX_INSTRUCTIONS => bail!(
                "a hook adds {count} instructions to an empty script; at most {MAX_INSTRUCTIONS}"
            ),
            _ => Ok(()),
        }
    }

    fn remark(&self) -> String {
        let (compiled, functions) = (self.compiled, self.functions);
        let bytes = format!("{compiled} bytes in {functions} functions compiled");
        match self.instructions {
            Some(instructions) => format!("{bytes}, {instructions} instructions"),
            None => bytes,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Cost, MAX_COMPILED, MAX_INSTRUCTIONS};

    fn cost(compiled: u64, instructions: Option<u64>) -> Cost {
        Cost {
            compiled,
            functions: 1,
            instructions,
        }
    }

    #[test]
    fn a_hook_that_compiles_more_than_was_reached_is_refused() {
        assert!(cost(MAX_COMPILED, None).check().is_ok());
        assert!(cost(MAX_COMPILED + 1, None).check().is_err());
    }

    #[test]
    fn a_hook_that_runs_more_instructions_than_was_reached_is_refused() {
        assert!(cost(1, Some(MAX_INSTRUCTIONS)).check().is_ok());
        assert!(cost(1, Some(MAX_INSTRUCTIONS + 1)).check().is_err());
    }

    #[test]
    fn a_cost_without_instructions_is_one_that_was_not_counted() -> super::Result<()> {
        let cost = Cost::read("{\"bytes\":156000,\"functions\":414}\n")?;
        assert_eq!((cost.compiled, cost.instructions), (156_000, None));
        assert!(Cost::read("{}").is_err());
        Ok(())
    }
}
