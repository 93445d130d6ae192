//! Tests of the core component in a JavaScript host.

use anyhow::Result;

use super::node::node_tests_with;
use super::{Ground, Outcome};
use crate::building::component::Component;
use crate::tools::Npm;

/// Transpiled by jco, in Node.
pub(super) fn jco_tests(ground: &Ground) -> Result<Outcome> {
    ground.built()?;
    let npm = Npm::set_up(ground.workspace)?;
    let component = Component::Core.file(ground.workspace);
    node_tests_with(
        ground,
        &["tests/hosts/jco"],
        &[
            ("MILEPOST_HOST_MODULES", npm.modules()),
            ("MILEPOST_CORE", &component),
        ],
    )
}
