//! The vocabularies of exact token counts, and the ranks that they are made of as OpenAI publishes them.

use std::path::PathBuf;

use anyhow::Result;

use crate::folder;
use crate::process;
use crate::stamp::{Inputs, Stamp};
use crate::tools::node::{self, Node};
use crate::workspace::Workspace;

/// The script that makes them.
const GENERATOR: &str = "pkg/build/vocabulary.mjs";

/// The folder that holds, for each encoding, `NAME.vocabulary` and `NAME_base.tiktoken`.
pub(crate) fn folder(workspace: &Workspace) -> PathBuf {
    workspace.artefacts().join("vocabularies")
}

/// Brings them up to date; they change with the generator, and with the package that has the ranks.
pub(crate) fn build(workspace: &Workspace, node: &Node) -> Result<()> {
    let generator = workspace.join(GENERATOR);
    let inputs = Inputs::default()
        .text(&node.tools().to_string_lossy())
        .file(&generator)?;
    let folder = folder(workspace);
    let stamp = Stamp::new(folder.with_extension("stamp"), inputs);
    if stamp.is_fresh(&folder) {
        return Ok(());
    }

    stamp.revoke()?;
    folder::make_empty(&folder)?;
    let mut generate = node::node();
    generate.arg(generator).arg("--tools").arg(node.tools());
    process::run(
        "making the vocabularies",
        generate.arg("--out").arg(&folder),
    )?;
    stamp.write()?;
    process::note("vocabularies: built");
    Ok(())
}
