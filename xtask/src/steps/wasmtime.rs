//! Tests of the command line as a component.

use anyhow::Result;

use super::node::node_tests_with;
use super::{Ground, Outcome};
use crate::building::component::Component;
use crate::tools::{self, Found};

/// On wasmtime, beside the package's command line on Node.
pub(super) fn wasmtime_tests(ground: &Ground) -> Result<Outcome> {
    ground.built()?;
    let wasmtime = match tools::wasmtime()? {
        Found::At(program) => program,
        Found::Missing(why) => return Ok(Outcome::Skipped(why)),
    };
    let component = Component::Command.file(ground.workspace);
    node_tests_with(
        ground,
        &["tests/hosts/wasmtime", "host-examples/wasmtime"],
        &[
            ("MILEPOST_WASMTIME", &wasmtime),
            ("MILEPOST_COMPONENT", &component),
        ],
    )
}
