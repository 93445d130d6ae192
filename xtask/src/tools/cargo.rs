//! Programs that are built from source where they are not on the PATH.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use super::Found;
use super::toolchain;
use crate::{process, workspace};

/// A program that cargo can install.
struct Program {
    package: &'static str,
    version: &'static str,
    name: &'static str,
    /// What of the package.
    features: &'static [&'static str],
    /// Whether any later version on the PATH serves as well.
    later_serves: bool,
    /// What rustc is told; 3 where its speed is measured.
    opt_level: &'static str,
    /// How long building it takes, for whoever waits.
    takes: &'static str,
}

/// What the tests run on. The first version with all of WASI 0.2.12 is 46.
const WASMTIME: Program = Program {
    package: "wasmtime-cli",
    version: "48.0.8",
    name: "wasmtime",
    features: &[
        "--no-default-features",
        "--features",
        "run,compile,cranelift,cache,component-model",
    ],
    later_serves: true,
    // What tests run of it is little: a better one takes longer to be built.
    opt_level: "1",
    takes: "about 8 minutes",
};

/// What the bench runs on: as its makers release it.
const MEASURED_WASMTIME: Program = Program {
    opt_level: "3",
    takes: "about 9 minutes",
    ..WASMTIME
};

/// Exactly the version of `wasm-bindgen` in the crate: their format has no compatibility.
const TEST_RUNNER: Program = Program {
    package: "wasm-bindgen-cli",
    version: "0.2.130",
    name: "wasm-bindgen-test-runner",
    // It talks to programs of this machine alone: no TLS.
    features: &["--no-default-features", "--bin", "wasm-bindgen-test-runner"],
    later_serves: false,
    opt_level: "1",
    takes: "some minutes",
};

/// `wasmtime`, from the PATH or built.
pub(crate) fn wasmtime() -> Result<Found> {
    WASMTIME.find_or_install()
}

/// The same for the bench, whose numbers are of a program made for speed.
pub(crate) fn measured_wasmtime() -> Result<Found> {
    MEASURED_WASMTIME.find_or_install()
}

/// `wasm-bindgen-test-runner`, from the PATH or built.
pub(crate) fn wasm_bindgen_test_runner() -> Result<Found> {
    TEST_RUNNER.find_or_install()
}

impl Program {
    fn find_or_install(&self) -> Result<Found> {
        if self.serves(Path::new(self.name)) {
            return Ok(Found::At(self.name.into()));
        }
        let folder = workspace::tools()?.join(format!(
            "{}-{}-o{}",
            self.package, self.version, self.opt_level
        ));
        let program = folder.join("bin").join(self.name);
        if self.serves(&program) {
            return Ok(Found::At(program));
        }
        match self.install(&folder) {
            Ok(()) => Ok(Found::At(program)),
            Err(error) => Ok(Found::Missing(format!(
                "no {} {}, and cargo could not build it: {error:#}",
                self.name, self.version
            ))),
        }
    }

    fn serves(&self, program: &Path) -> bool {
        let Some(answer) = process::ask(Command::new(program).arg("--version")) else {
            return false;
        };
        let version = answer.split(' ').nth(1).and_then(numbers);
        match (version, numbers(self.version)) {
            (Some(found), Some(wanted)) if self.later_serves => found >= wanted,
            (found, wanted) => found == wanted,
        }
    }

    /// Built beside its place and renamed: what is there is whole.
    fn install(&self, folder: &Path) -> Result<()> {
        let parent = folder.parent().context("tools have a folder")?;
        fs::create_dir_all(parent).with_context(|| format!("cannot make {}", parent.display()))?;
        let temporary = tempfile::Builder::new()
            .prefix(&format!("{}-unfinished-", self.package))
            .tempdir_in(parent)?;
        let label = format!(
            "building {} {} ({})",
            self.package, self.version, self.takes
        );
        let root = temporary.path().join("installed");
        // Not every registry serves what a lock file names.
        let locked = process::run(
            &label,
            &mut self.cargo_install(temporary.path(), &root, true),
        );
        if locked.is_err() {
            process::run(
                &label,
                &mut self.cargo_install(temporary.path(), &root, false),
            )?;
        }
        // Of another machine, or another version of the C library.
        if folder.exists() && !self.serves(&folder.join("bin").join(self.name)) {
            fs::remove_dir_all(folder)
                .with_context(|| format!("cannot remove {}", folder.display()))?;
        }
        let renamed = fs::rename(&root, folder);
        // Another process may have been faster.
        if self.serves(&folder.join("bin").join(self.name)) {
            return Ok(());
        }
        renamed.with_context(|| format!("cannot rename {} to its place", self.package))
    }

    fn cargo_install(&self, temporary: &Path, root: &Path, locked: bool) -> Command {
        let mut cargo = toolchain::cargo();
        cargo
            .args(["install", self.package, "--version", self.version])
            .args(self.features)
            .args(locked.then_some("--locked"))
            .arg("--root")
            .arg(root)
            .arg("--target-dir")
            .arg(temporary.join("target"))
            // Outside of this workspace, whose settings are for Milepost.
            .current_dir(temporary)
            .env_remove("RUSTFLAGS")
            .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", self.opt_level);
        cargo
    }
}

/// `48.0.8` in an order in which later versions are greater.
fn numbers(version: &str) -> Option<[u32; 3]> {
    let mut parts = version.split('.').map(|part| part.parse().ok());
    match [parts.next(), parts.next(), parts.next()] {
        [Some(Some(major)), Some(Some(minor)), Some(Some(patch))] => Some([major, minor, patch]),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::numbers;

    #[test]
    fn version_48_0_10_is_later_than_48_0_8() {
        assert!(numbers("48.0.10") > numbers("48.0.8"));
        assert!(numbers("48.0.8") > numbers("9.12.12"));
        assert_eq!(numbers("48.0"), None);
    }
}
