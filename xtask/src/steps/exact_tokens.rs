//! Exact token counts against OpenAI's own tokenizer, on every host that runs JavaScript.

use std::path::Path;

use anyhow::Result;

use super::Outcome;
use super::node::node_tests_with;
use crate::building::BuildContext;
use crate::test::Range;
use crate::tools::{self, ToolLookup};

/// Hosts that are not there are left out, and named.
pub(super) fn against_tiktoken(context: &BuildContext, range: Range) -> Result<Outcome> {
    let tiktoken = match tools::python::packages(context.workspace, "pip")? {
        Ok(folder) => folder,
        Err(why) => return Ok(Outcome::Skipped(why)),
    };
    let npm = context.hosts()?;
    let ranks = context.vocabularies()?;
    let (deno, bun) = (npm.deno(), npm.bun());
    let chromium = &context.chromium()?.browser;
    let mut variables: Vec<(&str, &Path)> = vec![
        ("MILEPOST_PYTHON", Path::new(tools::python::PYTHON)),
        ("MILEPOST_TIKTOKEN", &tiktoken),
        ("MILEPOST_RANKS", &ranks),
        ("MILEPOST_CLONE", context.workspace.root()),
        ("MILEPOST_HOST_MODULES", npm.modules()),
    ];
    let mut missing = Vec::new();
    for (variable, host) in [
        ("MILEPOST_DENO", &deno),
        ("MILEPOST_BUN", &bun),
        ("MILEPOST_CHROMIUM", chromium),
    ] {
        match host {
            ToolLookup::At(program) => variables.push((variable, program)),
            ToolLookup::Missing(why) => missing.push(why.as_str()),
        }
    }
    let outcome = node_tests_with(context, range, &["tests/hosts/exact-tokens"], &variables)?;
    Ok(match (outcome, missing.is_empty()) {
        (Outcome::Passed(remark), false) => {
            Outcome::Skipped(format!("{remark} passed; {}", missing.join("; ")))
        }
        (outcome, _) => outcome,
    })
}
