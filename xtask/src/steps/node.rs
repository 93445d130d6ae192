//! Tests that run on Node against the installed package.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, bail};

use super::{Outcome, count};
use crate::building::BuildContext;
use crate::test::Range;
use crate::tools::node;
use crate::{folder, process};

/// Runs the `*.test.*` files below a folder against the installed tarball.
pub(super) fn node_tests(context: &BuildContext, range: Range, folder: &str) -> Result<Outcome> {
    node_tests_with(context, range, &[folder], &[])
}

/// Runs the tests of several folders, which find these programs and files in their environment.
pub(super) fn node_tests_with(
    context: &BuildContext,
    range: Range,
    folders: &[&str],
    variables: &[(&str, &Path)],
) -> Result<Outcome> {
    node_tests_by(context, range, node::node(), folders, variables)
}

/// Runs them by a Node of another version.
pub(super) fn node_tests_by(
    context: &BuildContext,
    range: Range,
    test: Command,
    folders: &[&str],
    variables: &[(&str, &Path)],
) -> Result<Outcome> {
    let project = context.project()?;
    let mut files = Vec::new();
    for folder in folders {
        files.extend(test_files(&project.join(folder), range)?);
    }
    run_files(context, range, test, &folders.join(" "), &files, variables)
}

/// Runs one file of tests, from the root of the clone.
pub(super) fn node_file(
    context: &BuildContext,
    range: Range,
    file: &str,
    variables: &[(&str, &Path)],
) -> Result<Outcome> {
    let files = [context.project()?.join(file)];
    run_files(context, range, node::node(), file, &files, variables)
}

fn run_files(
    context: &BuildContext,
    range: Range,
    mut test: Command,
    label: &str,
    files: &[PathBuf],
    variables: &[(&str, &Path)],
) -> Result<Outcome> {
    let (node, project) = (context.node()?, context.project()?);
    test.current_dir(project)
        // Where a git hook starts the tests, these would lead them into its repository.
        .env_remove("GIT_ROOT")
        .env_remove("GIT_DIR")
        // For tests that compare with another validator.
        .env("NODE_PATH", node.tools().join("node_modules"))
        .env(Range::VARIABLE, range.name())
        .envs(variables.iter().copied())
        .args(["--test", "--test-reporter=tap"])
        .args(files);
    totals(&process::run(label, &mut test)?)
}

/// The totals that Node's test runner printed. Its exit code alone is not enough: a test that sets the code of its
/// process, or ends it, would hide a failure.
pub(super) fn totals(output: &str) -> Result<Outcome> {
    let passed = count(output, "# pass ");
    let bad = count(output, "# fail ") + count(output, "# cancelled ");
    if bad > 0 || passed == 0 {
        bail!("{passed} tests passed, {bad} did not\n{output}");
    }
    Ok(Outcome::Passed(format!("{passed} tests")))
}

/// The test files below a folder that are in a range.
pub(super) fn test_files(folder: &Path, range: Range) -> Result<Vec<PathBuf>> {
    let files = folder::files(folder)?.into_iter();
    let files: Vec<PathBuf> = files.filter(|file| is_test(file, range)).collect();
    if files.is_empty() {
        bail!("no test file below {}", folder.display());
    }
    Ok(files)
}

/// `NAME.test.mjs` runs in both ranges, `NAME.all.test.mjs` with everything.
fn is_test(file: &Path, range: Range) -> bool {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let Some(stem) = ENDINGS.iter().find_map(|ending| name.strip_suffix(ending)) else {
        return false;
    };
    range == Range::All || !stem.ends_with(".all")
}

const ENDINGS: [&str; 3] = [".test.mjs", ".test.cjs", ".test.js"];

#[cfg(test)]
mod tests {
    use super::{Outcome, Range, is_test, totals};
    use std::path::Path;

    #[test]
    fn a_file_for_everything_is_left_out_of_the_decisive_range() {
        let runs = |name: &str, range| is_test(Path::new(name), range);
        assert!(runs("a/store.test.mjs", Range::Decisive));
        assert!(!runs("a/store.all.test.mjs", Range::Decisive));
        assert!(runs("a/store.all.test.mjs", Range::All));
        assert!(!runs("a/store.mjs", Range::All));
    }

    #[test]
    fn totals_with_a_failure_or_without_a_test_are_a_failure() {
        let passed = totals("ok 1\n# pass 3\n# fail 0\n# cancelled 0\n");
        assert!(matches!(passed, Ok(Outcome::Passed(remark)) if remark == "3 tests"));
        for output in [
            "# pass 3\n# fail 1\n",
            "# pass 3\n# cancelled 1\n",
            "ok 1\n",
        ] {
            assert!(totals(output).is_err(), "{output}");
        }
    }
}
