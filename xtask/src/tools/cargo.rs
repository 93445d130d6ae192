//! Programs that are built from source where there is no other way to have them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::ToolLookup;
use super::toolchain;
use crate::{process, workspace};

/// A program that cargo can install.
pub(super) struct Program {
    package: &'static str,
    version: &'static str,
    name: &'static str,
    /// The features of the package.
    features: &'static [&'static str],
    /// True if any later version on the PATH serves as well.
    later_serves: bool,
    /// The level that rustc optimises at; 3 where its speed is measured.
    opt_level: &'static str,
    /// The time that building it takes, for people who wait.
    takes: &'static str,
}

/// The first version with all of WASI 0.2.12 is 46. Optimised as its makers release it, since the bench measures it.
pub(super) const WASMTIME: Program = Program {
    package: "wasmtime-cli",
    // Later ones need a later compiler than the crate does.
    version: "48.0.8",
    name: "wasmtime",
    features: &[
        "--no-default-features",
        "--features",
        "run,compile,cranelift,cache,component-model",
    ],
    later_serves: true,
    opt_level: "3",
    takes: "about 9 minutes",
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

/// Writes what a crate is compiled from, in CycloneDX's form (Apache-2.0). A subcommand of cargo: its name is said again.
const CYCLONEDX: Program = Program {
    package: "cargo-cyclonedx",
    version: "0.5.9",
    name: "cargo-cyclonedx",
    features: &[],
    later_serves: false,
    opt_level: "0",
    takes: "some minutes",
};

/// `cargo-cyclonedx`, from the PATH or built.
pub(crate) fn cargo_cyclonedx() -> Result<ToolLookup> {
    CYCLONEDX.find_or_install()
}

/// `wasm-bindgen-test-runner`, from the PATH or built.
pub(crate) fn wasm_bindgen_test_runner() -> Result<ToolLookup> {
    TEST_RUNNER.find_or_install()
}

impl Program {
    /// From the PATH, or built before, or built now.
    pub(super) fn find_or_install(&self) -> Result<ToolLookup> {
        if let Some(program) = self.on_path() {
            return Ok(ToolLookup::At(program));
        }
        if let Some(program) = self.built()? {
            return Ok(ToolLookup::At(program));
        }
        let folder = self.folder()?;
        match self.install(&folder) {
            Ok(()) => Ok(ToolLookup::At(self.program(&folder))),
            Err(error) => Ok(ToolLookup::Missing(format!(
                "no {} {}, and cargo could not build it: {error:#}",
                self.name, self.version
            ))),
        }
    }

    pub(super) fn on_path(&self) -> Option<PathBuf> {
        let program = PathBuf::from(self.name);
        self.serves(&program).then_some(program)
    }

    /// Built by an earlier run.
    pub(super) fn built(&self) -> Result<Option<PathBuf>> {
        let program = self.program(&self.folder()?);
        Ok(self.serves(&program).then_some(program))
    }

    /// The folder of the installation, for all clones.
    fn folder(&self) -> Result<PathBuf> {
        let name = format!("{}-{}-o{}", self.package, self.version, self.opt_level);
        Ok(workspace::tools()?.join(name))
    }

    fn program(&self, folder: &Path) -> PathBuf {
        folder.join("bin").join(self.name)
    }

    /// Returns whether it starts here, and is of a version that will do.
    pub(super) fn serves(&self, program: &Path) -> bool {
        let Some(answer) = process::stdout_of(Command::new(program).arg("--version")) else {
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
        if folder.exists() && !self.serves(&self.program(folder)) {
            fs::remove_dir_all(folder)
                .with_context(|| format!("cannot remove {}", folder.display()))?;
        }
        let renamed = fs::rename(&root, folder);
        // Another process may have been faster.
        if self.serves(&self.program(folder)) {
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
