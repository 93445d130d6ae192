//! Tests of the core component in a JavaScript host.

use anyhow::Result;

use super::Outcome;
use super::node::node_tests_with;
use crate::building::BuildContext;
use crate::building::component::Component;
use crate::test::Range;

/// Transpiled by jco, in Node.
pub(super) fn jco_tests(context: &BuildContext, range: Range) -> Result<Outcome> {
    let npm = context.hosts()?;
    let component = context.component(Component::Core)?;
    node_tests_with(
        context,
        range,
        &["tests/hosts/jco"],
        &[
            ("MILEPOST_HOST_MODULES", npm.modules()),
            ("MILEPOST_CORE", &component),
        ],
    )
}
