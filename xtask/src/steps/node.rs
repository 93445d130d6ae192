//! Tests that run on Node against the installed package.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, bail};

use super::{Outcome, count};
use crate::building::Ground;
use crate::tools::node;
use crate::{folder, process};

/// Runs the `*.test.*` files below a folder against the installed tarball.
pub(super) fn node_tests(ground: &Ground, folder: &str) -> Result<Outcome> {
    node_tests_with(ground, &[folder], &[])
}

/// The same for several folders, whose tests find these programs and files in their environment.
pub(super) fn node_tests_with(
    ground: &Ground,
    folders: &[&str],
    given: &[(&str, &Path)],
) -> Result<Outcome> {
    node_tests_by(ground, node::node(), folders, given)
}

/// The same by a Node of another version.
pub(super) fn node_tests_by(
    ground: &Ground,
    mut test: Command,
    folders: &[&str],
    given: &[(&str, &Path)],
) -> Result<Outcome> {
    let (node, project) = (ground.node()?, ground.project()?);
    let mut files = Vec::new();
    for folder in folders {
        files.extend(test_files(&project.join(folder))?);
    }
    test.current_dir(project)
        // Where a git hook starts the tests, these would lead them into its repository.
        .env_remove("GIT_ROOT")
        .env_remove("GIT_DIR")
        // For tests that compare with another validator.
        .env("NODE_PATH", node.tools().join("node_modules"))
        .envs(given.iter().copied())
        .args(["--test", "--test-reporter=tap"])
        .args(files);
    let output = process::run(&folders.join(" "), &mut test)?;
    Ok(Outcome::Passed(format!(
        "{} tests",
        count(&output, "# pass ")
    )))
}

pub(super) fn test_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let files = folder::files(folder)?.into_iter();
    let files: Vec<PathBuf> = files.filter(|file| is_test(file)).collect();
    if files.is_empty() {
        bail!("no test file below {}", folder.display());
    }
    Ok(files)
}

fn is_test(file: &Path) -> bool {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    [".test.mjs", ".test.cjs", ".test.js"]
        .iter()
        .any(|ending| name.ends_with(ending))
}
