//! Tiny projects that install the tarball as a user does, one for each kind of consumer.

use std::env;
use std::ffi::OsString;
use std::iter;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::Outcome;
use crate::building::BuildContext;
use crate::building::package;
use crate::test::Range;
use crate::tools::node;
use crate::tools::{Npm, ToolLookup};
use crate::{folder, process};

/// A project of `tests/packaging`, and what runs its test.
struct Consumer {
    project: &'static str,
    on: On,
    /// The smallest range that has it.
    range: Range,
}

#[derive(Clone, Copy)]
enum On {
    /// The Node on the PATH.
    ThisNode,
    /// A Node of this major version.
    Node(u32),
    Deno,
    Bun,
}

const CONSUMERS: &[Consumer] = &[
    consumer("node-cjs", On::Node(20)),
    only_with_all("node-cjs", On::Node(22)),
    only_with_all("node-cjs", On::Node(24)),
    consumer("node-esm", On::Node(20)),
    only_with_all("node-esm", On::Node(22)),
    only_with_all("node-esm", On::Node(24)),
    consumer("typescript-node16", On::ThisNode),
    consumer("typescript-bundler", On::ThisNode),
    consumer("esbuild", On::ThisNode),
    consumer("vite", On::ThisNode),
    consumer("webpack", On::ThisNode),
    consumer("rollup", On::ThisNode),
    consumer("deno", On::Deno),
    consumer("bun", On::Bun),
    only_with_all("bun-compile", On::Bun),
];

const fn consumer(project: &'static str, on: On) -> Consumer {
    Consumer {
        project,
        on,
        range: Range::Decisive,
    }
}

const fn only_with_all(project: &'static str, on: On) -> Consumer {
    Consumer {
        range: Range::All,
        ..consumer(project, on)
    }
}

/// Runs all of them, also after one has failed.
pub(super) fn consumers(context: &BuildContext, range: Range) -> Result<Outcome> {
    context.package()?;
    let projects = context.workspace.artefacts().join("consumers");
    folder::make_empty(&projects)?;
    let installed = projects.join("installed");
    package::install(context.workspace, &installed)?;
    of(context, range, &installed)
}

/// Runs them in folders beside one that has the packages installed: each project gets a copy.
pub(super) fn of(context: &BuildContext, range: Range, installed: &Path) -> Result<Outcome> {
    let npm = context.hosts()?;
    // For all projects the tools that they would install: npm and Node look in the folders above.
    folder::link(npm.modules(), &installed.with_file_name("node_modules"))?;
    let (mut passed, mut missing, mut failed) = (0, Vec::new(), Vec::new());
    for consumer in CONSUMERS.iter().filter(|it| it.range <= range) {
        let program = match consumer.on.program(npm) {
            ToolLookup::At(program) => program,
            ToolLookup::Missing(why) => {
                missing.push(why);
                continue;
            }
        };
        match test(context, consumer, &program, installed) {
            Ok(()) => passed += 1,
            Err(error) => failed.push(format!("{error:#}")),
        }
    }

    if !failed.is_empty() {
        bail!(failed.join("\n"));
    }
    if !missing.is_empty() {
        return Ok(Outcome::Skipped(missing.join("; ")));
    }
    Ok(Outcome::Passed(format!("{passed} projects")))
}

/// Puts the project with its sources beside the folder that has the package installed, copies the package, and runs
/// its test.
fn test(
    context: &BuildContext,
    consumer: &Consumer,
    program: &Path,
    installed: &Path,
) -> Result<()> {
    let name = consumer.name();
    let project = installed.with_file_name(&name);
    let packaging = context.workspace.join("tests/packaging");
    folder::copy(&packaging.join(consumer.project), &project)?;
    folder::copy(&packaging.join("source"), &project.join("source"))?;
    // Installing them in each of them would take npm longer than most of the tests.
    for name in package::NAMES {
        let package = Path::new("node_modules").join(name);
        folder::copy(&installed.join(&package), &project.join(&package))?;
    }
    let mut test = consumer.on.test(program)?;
    test.current_dir(&project)
        // Where a git hook starts the tests, these would lead them into its repository.
        .env_remove("GIT_ROOT")
        .env_remove("GIT_DIR");
    process::run(&name, &mut test)?;
    Ok(())
}

impl Consumer {
    fn name(&self) -> String {
        match self.on {
            On::Node(major) => format!("{}-{major}", self.project),
            On::ThisNode | On::Deno | On::Bun => self.project.to_owned(),
        }
    }
}

impl On {
    fn program(self, npm: &Npm) -> ToolLookup {
        match self {
            Self::ThisNode => ToolLookup::At("node".into()),
            Self::Node(major) => npm.node(major),
            Self::Deno => npm.deno(),
            Self::Bun => npm.bun(),
        }
    }

    /// The command that tests a project.
    fn test(self, program: &Path) -> Result<Command> {
        let mut test = match self {
            Self::ThisNode | Self::Node(_) => node::npm(),
            Self::Deno | Self::Bun => Command::new(program),
        };
        match self {
            Self::Node(_) => test.env("PATH", first_on_path(program)?).arg("test"),
            Self::ThisNode | Self::Bun => test.arg("test"),
            Self::Deno => test.args(["task", "test"]),
        };
        Ok(test)
    }
}

/// The PATH on which this program is found before any other of its name.
fn first_on_path(program: &Path) -> Result<OsString> {
    let folder = program.parent().context("a program is in a folder")?;
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = iter::once(folder.to_path_buf()).chain(env::split_paths(&path));
    Ok(env::join_paths(folders)?)
}
