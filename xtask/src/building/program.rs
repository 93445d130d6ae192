//! Programs of this workspace that take their own arguments.

use std::path::PathBuf;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::process;
use crate::tools::toolchain;
use crate::workspace::Workspace;

/// The packages and features that are compiled for the machine itself: one choice of packages and features, so that
/// programs and tests share each compiled crate. Not xtask, whose dependencies would be compiled again with the
/// features of the others.
pub(crate) const NATIVE: [&str; 5] = [
    "--workspace",
    "--exclude",
    "xtask-steps",
    "--features",
    NATIVE_FEATURES,
];

/// Every feature whose code compiles, and is tested, on the machine itself.
pub(crate) const NATIVE_FEATURES: &str =
    "milepost/js,milepost/cli,milepost/native,milepost/command,milepost/core";

/// One of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Program {
    /// Properties on bytes that chance makes.
    Fuzz,
    /// Every crash, loss of power and order of a few writers, in memory.
    Simulator,
    /// Scenarios by hand and from a seed, and the native host that runs them.
    Corpus,
    /// Processes that are stopped and killed at random.
    Chaos,
    /// The command line, as `cargo install` makes it, but for the profile.
    CommandLine,
}

impl Program {
    pub(crate) const ALL: [Self; 5] = [
        Self::Fuzz,
        Self::Simulator,
        Self::Corpus,
        Self::Chaos,
        Self::CommandLine,
    ];

    /// Its name, and that of its package.
    fn package(self) -> &'static str {
        match self {
            Self::Fuzz => "milepost-fuzz",
            Self::Simulator => "milepost-simulator",
            Self::Corpus => "milepost-scenarios",
            Self::Chaos => "milepost-chaos",
            Self::CommandLine => "milepost",
        }
    }

    /// Brings it up to date, and returns its path.
    pub(crate) fn build(self, workspace: &Workspace) -> Result<PathBuf> {
        let mut cargo = toolchain::cargo();
        cargo
            .current_dir(workspace.root())
            .args(["build", "--bin", self.package()])
            .args(NATIVE)
            .arg("--message-format=json-render-diagnostics");
        let messages = process::run(&format!("building {}", self.package()), &mut cargo)?;
        executable(&messages, self.package())
            .with_context(|| format!("cargo named no program of {}", self.package()))
    }
}

/// The program that cargo's messages name for a package.
fn executable(messages: &str, name: &str) -> Option<PathBuf> {
    messages.lines().find_map(|line| {
        let message: Value = serde_json::from_str(line).ok()?;
        let is_it = message["target"]["name"] == name;
        let path = message["executable"].as_str().filter(|_| is_it)?;
        Some(PathBuf::from(path))
    })
}

#[cfg(test)]
mod tests {
    use super::executable;
    use std::path::Path;

    #[test]
    fn a_program_is_found_among_what_cargo_says() {
        let messages = r#"{"reason":"compiler-artifact","target":{"name":"a"},"executable":null}
{"reason":"compiler-artifact","target":{"name":"b"},"executable":"/t/b"}
{"reason":"build-finished","success":true}"#;
        assert_eq!(
            executable(messages, "b").as_deref(),
            Some(Path::new("/t/b"))
        );
        assert_eq!(executable(messages, "a"), None);
    }
}
