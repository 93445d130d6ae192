//! Tests of the core component in a JavaScript host.

use anyhow::Result;

use super::Outcome;
use super::node::node_tests_with;
use crate::building::Ground;
use crate::building::component::Component;
use crate::test::Range;

/// Transpiled by jco, in Node.
pub(super) fn jco_tests(ground: &Ground, range: Range) -> Result<Outcome> {
    let npm = ground.hosts()?;
    let component = ground.component(Component::Core)?;
    node_tests_with(
        ground,
        range,
        &["tests/hosts/jco"],
        &[
            ("MILEPOST_HOST_MODULES", npm.modules()),
            ("MILEPOST_CORE", &component),
        ],
    )
}
