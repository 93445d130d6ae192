//! `cargo xtask audit`: what is known by now of holes in dependencies, and who signed the packages of npm.
//!
//! The network is asked for both each time, and the same clone may pass today and fail tomorrow: no step of `test`.

use anyhow::{Result, bail};

use crate::building::BuildContext;
use crate::process;
use crate::steps::{Outcome, checkers};
use crate::tools::node;
use crate::workspace::Workspace;

/// Questions to npm about the packages of which parts are bundled: advisories, then the registry's signatures.
const OF_NPM: [&[&str]; 2] = [&["audit"], &["audit", "signatures"]];

/// Asks all of them, also after one has a finding.
///
/// # Errors
///
/// Each finding, or what could not be asked.
pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    let context = BuildContext::new(workspace);
    let mut findings = Vec::new();
    match checkers::advisories(&context) {
        Ok(Outcome::Passed(_)) => process::note("crates: no finding"),
        Ok(Outcome::Skipped(why)) => findings.push(why),
        Err(error) => findings.push(format!("{error:#}")),
    }
    let folder = context.node()?.tools();
    for words in OF_NPM {
        let label = format!("npm {}", words.join(" "));
        match process::run(&label, node::npm().current_dir(folder).args(words)) {
            Ok(_) => process::note(&format!("{label}: no finding")),
            Err(error) => findings.push(format!("{error:#}")),
        }
    }
    if findings.is_empty() {
        return Ok(());
    }
    bail!(findings.join("\n\n"))
}
