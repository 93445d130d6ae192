//! Tests of the command line as a component.

use anyhow::Result;

use super::Outcome;
use super::node::node_tests_with;
use crate::building::BuildContext;
use crate::building::component::Component;
use crate::test::Range;
use crate::tools::ToolLookup;

/// On wasmtime, beside the package's command line on Node.
pub(super) fn wasmtime_tests(context: &BuildContext, range: Range) -> Result<Outcome> {
    let wasmtime = match context.wasmtime()? {
        ToolLookup::At(program) => program,
        ToolLookup::Missing(why) => return Ok(Outcome::Skipped(why.clone())),
    };
    let component = context.component(Component::Command)?;
    node_tests_with(
        context,
        range,
        &["tests/hosts/wasmtime", "host-examples/wasmtime"],
        &[
            ("MILEPOST_WASMTIME", wasmtime),
            ("MILEPOST_COMPONENT", &component),
            ("MILEPOST_COMPILED", context.compiled(wasmtime)?),
        ],
    )
}
