//! Steps on the crates as they are on this machine.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use super::{Outcome, count, passed};
use crate::building::BuildContext;
use crate::building::program::{NATIVE, NATIVE_FEATURES};
use crate::process;
use crate::test::Range;

const XTASK: [&str; 2] = ["--package", "xtask-steps"];

/// `None` if `cargo SUBCOMMAND` is installed, or could be.
pub(super) fn without(
    context: &BuildContext,
    subcommand: &str,
    component: &str,
) -> Option<Outcome> {
    let found = || process::stdout_of(context.cargo(subcommand).arg("--version")).is_some();
    let add = || {
        let mut rustup = Command::new("rustup");
        rustup.args(["component", "add", component]);
        process::run("rustup component add", &mut rustup).is_ok()
    };
    if found() || (add() && found()) {
        return None;
    }
    let why = format!("no cargo {subcommand} (rustup component add {component})");
    Some(Outcome::Skipped(why))
}

pub(super) fn format(context: &BuildContext, _range: Range) -> Result<Outcome> {
    if let Some(skipped) = without(context, "fmt", "rustfmt") {
        return Ok(skipped);
    }
    let mut fmt = context.cargo("fmt");
    fmt.args(["--all", "--check", "--", "--color=never"]);
    // Macros name some of them, where rustfmt does not look for modules.
    fmt.args(sources(&context.workspace.join("src"))?);
    process::run("cargo fmt", &mut fmt)?;
    passed()
}

/// Every Rust source below a folder.
fn sources(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(sources(&path)?);
        } else if path.extension().is_some_and(|it| it == "rs") {
            found.push(path);
        }
    }
    Ok(found)
}

pub(super) fn clippy(context: &BuildContext, _range: Range) -> Result<Outcome> {
    if let Some(skipped) = without(context, "clippy", "clippy") {
        return Ok(skipped);
    }
    // The targets of `fuzz/` use the command line, and would bring its feature to the others, as the default of the
    // library itself would.
    let without_cli = [
        "--workspace",
        "--exclude",
        "xtask-steps",
        "--exclude",
        "milepost-fuzz",
        "--no-default-features",
        "--features",
        "milepost-scenarios/default",
    ];
    for packages in [&without_cli[..], &NATIVE, &XTASK] {
        let mut clippy = context.cargo("clippy");
        clippy.arg("--all-targets").args(packages);
        process::run("cargo clippy", clippy.args(["--", "-Dwarnings"]))?;
    }
    passed()
}

pub(super) fn cargo_test(context: &BuildContext, range: Range) -> Result<Outcome> {
    let mut tests = 0;
    for packages in [&NATIVE[..], &XTASK] {
        let mut test = context.cargo("test");
        test.args(packages).env(Range::VARIABLE, range.name());
        let output = process::run("cargo test", &mut test)?;
        tests += count(&output, "test result: ok. ");
    }
    Ok(Outcome::Passed(format!("{tests} tests")))
}

pub(super) fn cargo_doc(context: &BuildContext, _range: Range) -> Result<Outcome> {
    let mut doc = context.cargo("doc");
    doc.env("RUSTDOCFLAGS", "-Dwarnings");
    doc.args([
        "--package",
        "milepost",
        "--no-deps",
        "--features",
        NATIVE_FEATURES,
    ]);
    process::run("cargo doc", &mut doc)?;
    passed()
}
