//! `cargo xtask screenshots`: the views of the sample project as `docs/guide/viewer.md` shows them.

use anyhow::{Result, bail};

use crate::building::Ground;
use crate::process;
use crate::tools::{ToolLookup, node};
use crate::workspace::Workspace;

/// Writes `docs/viewer/*.png` again.
pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    let ground = Ground::new(workspace);
    let project = ground.project()?;
    let chromium = match &ground.chromium()?.browser {
        ToolLookup::At(program) => program,
        ToolLookup::Missing(why) => bail!("screenshots need Chromium: {why}"),
    };
    let mut script = node::node();
    script
        .current_dir(project)
        .env("MILEPOST_CHROMIUM", chromium)
        .env("MILEPOST_HOST_MODULES", ground.hosts()?.modules())
        .arg(project.join("tests/hosts/viewer/screenshots.mjs"))
        .arg("--out")
        .arg(workspace.join("docs/viewer"));
    process::run("screenshots of the viewer", &mut script)?;
    Ok(())
}
