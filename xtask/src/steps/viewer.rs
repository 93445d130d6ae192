//! The viewer's page in browsers: what a user does with it, what hostile documents do not do to it, and how large it
//! is. What takes time is measured by the bench, where nothing else runs.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use super::Outcome;
use super::node::{node_tests_by, test_files, totals};
use crate::building::BuildContext;
use crate::process;
use crate::test::Range;
use crate::tools::ToolLookup;
use crate::tools::node::{self, Platform};

const PAGE: &str = "tests/hosts/viewer/page";

const PICTURES: &str = "tests/hosts/viewer/pictures";

/// Runs all test files in one process, which has one browser.
const TOGETHER: &str = "tests/hosts/viewer/together.mjs";

/// Puppeteer needs a newer Node than the package does.
const NODE_OF_FIREFOX: u32 = 24;

/// The views in Chromium: the tasks, hostile texts, a folder that changes, accessibility; and whether the page says
/// what the command line says.
pub(super) fn in_chromium(context: &BuildContext, range: Range) -> Result<Outcome> {
    together(context, range, PAGE)
}

/// Pictures of views against golden ones, with a font that the tests bring.
pub(super) fn pictures(context: &BuildContext, range: Range) -> Result<Outcome> {
    if !cfg!(target_os = "linux") {
        let why = "Chromium draws letters by the system's own code elsewhere than on Linux";
        return Ok(Outcome::Skipped(why.to_owned()));
    }
    together(context, range, PICTURES)
}

/// The test files of a folder in one process and one Chromium.
fn together(context: &BuildContext, range: Range, folder: &str) -> Result<Outcome> {
    let chromium = match &context.chromium()?.browser {
        ToolLookup::At(program) => program,
        ToolLookup::Missing(why) => return Ok(Outcome::Skipped(why.clone())),
    };
    let modules = match modules(context) {
        Ok(modules) => modules,
        Err(error) => {
            let why = format!("no npm packages of the viewer's tests: {error:#}");
            return Ok(Outcome::Skipped(why));
        }
    };
    let project = context.project()?;
    let mut test = node::node();
    test.current_dir(project)
        // Where a git hook starts the tests, these would lead them into its repository.
        .env_remove("GIT_ROOT")
        .env_remove("GIT_DIR")
        .env(Range::VARIABLE, range.name())
        .env("MILEPOST_CHROMIUM", chromium)
        .env("MILEPOST_HOST_MODULES", context.hosts()?.modules())
        .env("MILEPOST_VIEWER_MODULES", modules)
        // The folder in which `MILEPOST_BLESS` writes golden files: the tests run on a copy.
        .env(
            "MILEPOST_GOLDEN",
            context.workspace.join("tests/hosts/viewer/golden"),
        )
        // The folder of pictures that differ from their golden files.
        .env(
            "MILEPOST_PICTURES",
            context.workspace.join("target/test/pictures"),
        )
        .arg("--test-reporter=tap")
        .arg(project.join(TOGETHER))
        .args(test_files(&project.join(folder), range)?);
    totals(&process::run(folder, &mut test)?)
}

/// The tasks and the export in Firefox.
pub(super) fn in_firefox(context: &BuildContext, range: Range) -> Result<Outcome> {
    let program = match context.hosts()?.node(NODE_OF_FIREFOX) {
        ToolLookup::At(program) => program,
        ToolLookup::Missing(why) => return Ok(Outcome::Skipped(why)),
    };
    let firefox = match context.firefox()? {
        ToolLookup::At(program) => program,
        ToolLookup::Missing(why) => return Ok(Outcome::Skipped(why.clone())),
    };
    let puppeteer = match modules(context) {
        Ok(modules) => modules,
        Err(error) => return Ok(Outcome::Skipped(format!("no Puppeteer: {error:#}"))),
    };
    let variables: [(&str, &Path); 2] = [
        ("MILEPOST_FIREFOX", firefox),
        ("MILEPOST_VIEWER_MODULES", &puppeteer),
    ];
    node_tests_by(
        context,
        range,
        Command::new(program),
        &["tests/hosts/viewer/firefox"],
        &variables,
    )
}

/// The `node_modules` with axe-core, Puppeteer, and what pictures are drawn and compared with.
pub(crate) fn modules(context: &BuildContext) -> Result<PathBuf> {
    let manifest = context.workspace.join("xtask/npm-viewer");
    let folder = node::install(&manifest, "npm-viewer", Platform::This)?;
    Ok(folder.join("node_modules"))
}
