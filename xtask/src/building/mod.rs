//! What a fresh machine needs before anything can be built, and the build itself.

pub(crate) mod component;
pub(crate) mod inspect;
pub(crate) mod package;
pub(crate) mod program;
pub(crate) mod wasm;

use anyhow::Result;

use crate::tools::node::Node;
use crate::tools::toolchain::Toolchain;
use crate::workspace::Workspace;

/// The tools of a build, found or installed.
#[derive(Clone, Debug)]
pub(crate) struct Setup {
    toolchain: Toolchain,
    node: Node,
}

impl Setup {
    pub(crate) fn toolchain(&self) -> &Toolchain {
        &self.toolchain
    }

    pub(crate) fn node(&self) -> &Node {
        &self.node
    }
}

/// Sets up what is missing, then brings every artefact up to date.
///
/// # Errors
///
/// Says what to install, or shows the output of the step that failed.
pub(crate) fn build(workspace: &Workspace) -> Result<Setup> {
    let node = Node::set_up(workspace)?;
    let toolchain = Toolchain::set_up()?;
    wasm::build(workspace, &toolchain, &node)?;
    package::build(workspace, &node)?;
    component::build(workspace, &toolchain, &node)?;
    Ok(Setup { toolchain, node })
}
