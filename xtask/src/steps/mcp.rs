//! The server for agents: raw frames of both eras of the protocol, and what others have made to try servers.

use std::path::Path;

use anyhow::Result;

use super::Outcome;
use super::node::node_tests_with;
use super::package::types_beside_bundled;
use super::pages::CLONE;
use crate::building::BuildContext;
use crate::test::Range;
use crate::tools::ToolLookup;
use crate::tools::node::{self, Platform};

/// MCP Inspector and the conformance scenarios need a newer Node than the package does.
const NODE_OF_SUITES: u32 = 24;

/// Its types, and the tests that ask nothing of the network.
pub(super) fn server(context: &BuildContext, range: Range) -> Result<Outcome> {
    types_beside_bundled(context, "mcp")?;
    let clone = context.workspace.root();
    node_tests_with(context, range, &["tests/hosts/mcp"], &[(CLONE, clone)])
}

/// MCP Inspector's command line, and MCP's conformance scenarios.
pub(super) fn suites(context: &BuildContext, range: Range) -> Result<Outcome> {
    let node = match context.hosts()?.node(NODE_OF_SUITES) {
        ToolLookup::At(node) => node,
        ToolLookup::Missing(why) => return Ok(Outcome::Skipped(why)),
    };
    let manifest = context.workspace.join("xtask/npm-mcp");
    let modules = match node::install(&manifest, "npm-mcp", Platform::This) {
        Ok(tools) => tools.join("node_modules"),
        Err(error) => return Ok(Outcome::Skipped(format!("no MCP Inspector: {error:#}"))),
    };
    let variables: [(&str, &Path); 2] = [
        ("MILEPOST_MCP_NODE", &node),
        ("MILEPOST_MCP_SUITES", &modules),
    ];
    node_tests_with(context, range, &["tests/hosts/mcp-suites"], &variables)
}
