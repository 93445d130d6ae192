//! The package in projects with tools of their own: under test runners, most of which give each file of tests a realm of
//! its own, on workerd, which compiles no wasm while a program runs, and in an agents' SDK.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::Outcome;
use crate::building::{BuildContext, package};
use crate::test::Range;
use crate::tools::node::{self, Platform};
use crate::{folder, process};

/// The end of the line of each thing that passed, in the output of the project's test.
const PASSED: &str = " passed";

/// A use of every entry under each runner, also after one has failed.
pub(super) fn test_runners(context: &BuildContext, _range: Range) -> Result<Outcome> {
    tested(context, "test-runners", "runners")
}

/// A use of every entry that is there without files, in a bundle for workerd and in one that is for a page.
pub(super) fn workerd(context: &BuildContext, _range: Range) -> Result<Outcome> {
    tested(context, "workerd", "bundles")
}

/// A session of `milepost/session-store` in runs of OpenAI's Agents SDK, with a model of the test.
pub(super) fn agents_sdk(context: &BuildContext, _range: Range) -> Result<Outcome> {
    tested(context, "agents-sdk", "tests")
}

/// Runs the test of a project of `tests/packaging` with its own tools; `nouns` are the things that passed.
fn tested(context: &BuildContext, name: &str, nouns: &str) -> Result<Outcome> {
    let tools_name = format!("npm-{name}");
    let manifest = context.workspace.join(&format!("xtask/{tools_name}"));
    let tools = match node::install(&manifest, &tools_name, Platform::This) {
        Ok(tools) => tools.join("node_modules"),
        Err(error) => return Ok(Outcome::Skipped(format!("no {name}: {error:#}"))),
    };
    let installed = context.project()?;
    let project = context.workspace.artefacts().join(name);
    folder::copy(
        &context.workspace.join(&format!("tests/packaging/{name}")),
        &project,
    )?;
    let modules = project.join("node_modules");
    fs::create_dir_all(&modules).with_context(|| format!("cannot make {}", modules.display()))?;
    for entry in fs::read_dir(tools)? {
        let entry = entry?;
        folder::link(&entry.path(), &modules.join(entry.file_name()))?;
    }
    // Not a link: it has to find what it needs of others beside it.
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
    let output = process::run(name, &mut test)?;
    let passed = output.lines().filter(|line| line.ends_with(PASSED));
    Ok(Outcome::Passed(format!("{} {nouns}", passed.count())))
}
