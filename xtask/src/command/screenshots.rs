//! `cargo xtask screenshots`: the views of the sample project as `docs/guide/viewer.md` shows them.

use anyhow::{Result, bail};

use crate::building::BuildContext;
use crate::process;
use crate::tools::{ToolLookup, node};
use crate::workspace::Workspace;

/// Writes `docs/viewer/*.png` again.
pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    let context = BuildContext::new(workspace);
    let project = context.project()?;
    let chromium = match &context.chromium()?.browser {
        ToolLookup::At(program) => program,
        ToolLookup::Missing(why) => bail!("screenshots need Chromium: {why}"),
    };
    let mut script = node::node();
    script
        .current_dir(project)
        .env("MILEPOST_CHROMIUM", chromium)
        .env("MILEPOST_HOST_MODULES", context.hosts()?.modules())
        .arg(project.join("tests/hosts/viewer/screenshots.mjs"))
        .arg("--out")
        .arg(workspace.join("docs/viewer"));
    process::run("screenshots of the viewer", &mut script)?;
    Ok(())
}
