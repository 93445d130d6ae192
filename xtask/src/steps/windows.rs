//! The package on Windows, as far as wine is Windows.

use std::fs::{self, File};
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use super::node::test_files;
use super::{Outcome, count};
use crate::building::BuildContext;
use crate::process::CERTIFICATES;
use crate::test::Range;
use crate::tools::wine::{Wine, windows_path};

/// Far longer than the tests take: what is not over by then hangs.
const LIMIT: Duration = Duration::from_secs(40 * 60);

/// The tests of the package on Node for Windows.
pub(super) fn package(context: &BuildContext, range: Range) -> Result<Outcome> {
    let wine = match context.wine()? {
        Ok(wine) => wine,
        Err(why) => return Ok(Outcome::Skipped(why.clone())),
    };
    let project = context.project()?;
    let files = test_files(&project.join("tests/hosts/node"), range)?;
    let folder = tempfile::tempdir()?;
    let printed = folder.path().join("printed");
    let output = File::create(&printed)?;

    let mut tests = wine.node();
    tests
        .current_dir(project)
        .stdin(Stdio::null())
        .stderr(output.try_clone()?)
        .stdout(output)
        .env_remove("GIT_ROOT")
        .env_remove("GIT_DIR")
        .env_remove(CERTIFICATES)
        // For tests that compare with another validator.
        .env(
            "NODE_PATH",
            windows_path(&context.node()?.tools().join("node_modules")),
        )
        .args(["--test", "--test-reporter=tap"])
        .args(files.iter().map(|file| windows_path(file)));
    let status = end_of(wine, &mut tests)?;
    let output = fs::read_to_string(&printed)?;
    if !status.success() {
        bail!(
            "Node under {} failed ({status})\n{}",
            wine.version,
            output.trim_end()
        );
    }
    Ok(Outcome::Passed(format!(
        "{} tests, {} skipped, {}",
        count(&output, "# pass "),
        count(&output, "# skipped "),
        wine.version
    )))
}

fn end_of(wine: &Wine, command: &mut Command) -> Result<ExitStatus> {
    let mut child = command.spawn().context("cannot start wine")?;
    let started = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        if started.elapsed() > LIMIT {
            wine.kill()?;
            child.kill()?;
            child.wait()?;
            bail!(
                "the tests under {} did not end within {LIMIT:?}",
                wine.version
            );
        }
        thread::sleep(Duration::from_millis(100));
    }
}
