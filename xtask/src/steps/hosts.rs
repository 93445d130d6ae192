//! Tests of the package on the hosts beside Node: Deno, Bun, and a page in Chromium.

use std::path::Path;

use anyhow::Result;

use super::Outcome;
use super::node::node_tests_with;
use crate::building::BuildContext;
use crate::test::Range;
use crate::tools::ToolLookup;

/// On Deno and Bun, beside Node.
pub(super) fn runtimes(context: &BuildContext, range: Range) -> Result<Outcome> {
    let npm = context.hosts()?;
    let (deno, bun) = match (npm.deno(), npm.bun()) {
        (ToolLookup::At(deno), ToolLookup::At(bun)) => (deno, bun),
        (ToolLookup::Missing(why), _) | (_, ToolLookup::Missing(why)) => {
            return Ok(Outcome::Skipped(why));
        }
    };
    let adapter = context.workspace.join("pkg/src");
    node_tests_with(
        context,
        range,
        &["tests/hosts/runtimes", "host-examples/deno"],
        &[
            ("MILEPOST_DENO", &deno),
            ("MILEPOST_BUN", &bun),
            ("MILEPOST_ADAPTER", &adapter),
        ],
    )
}

/// The page of the examples, in headless Chromium.
pub(super) fn page(context: &BuildContext, range: Range) -> Result<Outcome> {
    let npm = context.hosts()?;
    let chromium = match &context.chromium()?.browser {
        ToolLookup::At(program) => program,
        ToolLookup::Missing(why) => return Ok(Outcome::Skipped(why.clone())),
    };
    let variables: [(&str, &Path); 2] = [
        ("MILEPOST_CHROMIUM", chromium),
        ("MILEPOST_HOST_MODULES", npm.modules()),
    ];
    node_tests_with(context, range, &["host-examples/browser"], &variables)
}
