//! Tests that run on Node against the installed package.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use super::{Ground, Outcome, count};
use crate::{folder, node, package, process};

/// Runs the `*.test.*` files below a folder against the installed tarball: copied into a project
/// that has it, they find it as a user's code does.
pub(super) fn node_tests(ground: &Ground, folder: &str) -> Result<Outcome> {
    let node = ground.built()?.node();
    let project = package::installed(ground.workspace)?;
    for copied in ["tests", "host-examples"] {
        folder::copy(&ground.workspace.join(copied), &project.join(copied))?;
    }
    let files: Vec<PathBuf> = folder::files(&project.join(folder))?
        .into_iter()
        .filter(|file| is_test(file))
        .collect();
    if files.is_empty() {
        bail!("no test file below {folder}");
    }
    let mut test = node::node();
    test.current_dir(&project)
        // Where a git hook starts the tests, these would lead them into its repository.
        .env_remove("GIT_ROOT")
        .env_remove("GIT_DIR")
        // For tests that compare with another validator.
        .env("NODE_PATH", node.tools().join("node_modules"))
        .args(["--test", "--test-reporter=tap"])
        .args(files);
    let output = process::run(folder, &mut test)?;
    Ok(Outcome::Passed(format!(
        "{} tests",
        count(&output, "# pass ")
    )))
}

fn is_test(file: &Path) -> bool {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    [".test.mjs", ".test.cjs", ".test.js"]
        .iter()
        .any(|ending| name.ends_with(ending))
}
