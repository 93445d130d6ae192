//! Tests of the command line as a program of this machine.

use anyhow::Result;

use super::Outcome;
use super::node::node_tests_with;
use crate::building::BuildContext;
use crate::building::program::Program;
use crate::test::Range;

/// Beside the package's command line on Node.
pub(super) fn native_tests(context: &BuildContext, range: Range) -> Result<Outcome> {
    node_tests_with(
        context,
        range,
        &["tests/hosts/native"],
        &[("MILEPOST_NATIVE", context.program(Program::CommandLine)?)],
    )
}
