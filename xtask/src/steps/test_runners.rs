//! The package under test runners, most of which give each file of tests a realm of its own: a use of every entry.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::Outcome;
use crate::building::{BuildContext, package};
use crate::test::Range;
use crate::tools::node::{self, Platform};
use crate::{folder, process};

/// The end of a runner's line, in the output of the project's test.
const PASSED: &str = " passed";

/// Runs all of them, also after one has failed.
pub(super) fn test_runners(context: &BuildContext, _range: Range) -> Result<Outcome> {
    let manifest = context.workspace.join("xtask/npm-test-runners");
    let tools = match node::install(&manifest, "npm-test-runners", Platform::This) {
        Ok(tools) => tools.join("node_modules"),
        Err(error) => return Ok(Outcome::Skipped(format!("no test runners: {error:#}"))),
    };
    let installed = context.project()?;
    let project = context.workspace.artefacts().join("test-runners");
    folder::copy(
        &context.workspace.join("tests/packaging/test-runners"),
        &project,
    )?;
    let modules = project.join("node_modules");
    fs::create_dir_all(&modules).with_context(|| format!("cannot make {}", modules.display()))?;
    for entry in fs::read_dir(tools)? {
        let entry = entry?;
        folder::link(&entry.path(), &modules.join(entry.file_name()))?;
    }
    // Not a link: it has to find LangGraph.js and `pg` beside it.
    for name in package::NAMES {
        let package = Path::new("node_modules").join(name);
        folder::copy(&installed.join(&package), &project.join(&package))?;
    }

    let mut test = node::npm();
    test.current_dir(&project)
        .arg("test")
        // Where a git hook starts the tests, these would lead them into its repository.
        .env_remove("GIT_ROOT")
        .env_remove("GIT_DIR");
    let output = process::run("test runners", &mut test)?;
    let runners = output.lines().filter(|line| line.ends_with(PASSED));
    Ok(Outcome::Passed(format!("{} runners", runners.count())))
}
