//! The tests of the JavaScript binding, compiled to wasm and run in JavaScript engines.

use std::path::Path;
use std::process::Command;

use anyhow::Result;

use super::{Outcome, count};
use crate::building::BuildContext;
use crate::building::wasm::Build;
use crate::process;
use crate::test::Range;
use crate::tools::{Chromium, ToolLookup};

pub(super) fn in_node(context: &BuildContext, _range: Range) -> Result<Outcome> {
    match context.test_runner()? {
        ToolLookup::At(runner) => run("the binding in Node", &mut tests(context, runner)?),
        ToolLookup::Missing(why) => Ok(Outcome::Skipped(why.clone())),
    }
}

pub(super) fn in_chromium(context: &BuildContext, _range: Range) -> Result<Outcome> {
    let runner = match context.test_runner()? {
        ToolLookup::At(runner) => runner,
        ToolLookup::Missing(why) => return Ok(Outcome::Skipped(why.clone())),
    };
    let Chromium { browser, driver } = context.chromium()?;
    let driver = match (browser, driver) {
        (ToolLookup::At(_), ToolLookup::At(driver)) => driver,
        (ToolLookup::Missing(why), _) | (_, ToolLookup::Missing(why)) => {
            return Ok(Outcome::Skipped(why.clone()));
        }
    };
    let mut tests = tests(context, runner)?;
    tests
        .env("WASM_BINDGEN_USE_BROWSER", "1")
        .env("CHROMEDRIVER", driver)
        // In seconds, for a machine that does much else.
        .env("WASM_BINDGEN_TEST_TIMEOUT", "120")
        .env("WASM_BINDGEN_TEST_DRIVER_TIMEOUT", "60")
        .env(
            "WASM_BINDGEN_TEST_WEBDRIVER_JSON",
            context.workspace.join("tests/hosts/binding/webdriver.json"),
        );
    run("the binding in Chromium", &mut tests)
}

/// In a target folder of their own: what ships is compiled with other flags.
fn tests(context: &BuildContext, runner: &Path) -> Result<Command> {
    let toolchain = context.toolchain()?;
    let mut cargo = toolchain.cargo("test");
    toolchain.build_std_for_tests(&mut cargo);
    cargo
        .current_dir(context.workspace.root())
        // A developer's flags for native builds (`-Ctarget-cpu=native`) are wrong here.
        .env("CARGO_ENCODED_RUSTFLAGS", "")
        .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", runner)
        .args(["--package", "milepost", "--test", "binding"])
        .args(["--no-default-features", "--features"])
        .args([Build::Library.features(), "--target-dir"])
        .arg(
            context
                .workspace
                .join(toolchain.target_folder())
                .join("binding"),
        );
    Ok(cargo)
}

fn run(label: &str, tests: &mut Command) -> Result<Outcome> {
    let output = process::run(label, tests)?;
    Ok(Outcome::Passed(format!(
        "{} tests",
        count(&output, "test result: ok. ")
    )))
}
