//! The things that commands and steps share: each is found or made once, by the first that needs it.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use anyhow::{Result, anyhow};

use super::component::{self, Component};
use super::package;
use super::program::Program;
use super::vocabulary;
use super::wasm::{self, Build};
use crate::tools::node::Node;
use crate::tools::toolchain::{self, Toolchain};
use crate::tools::wine::{self, Wine};
use crate::tools::{self, Chromium, Npm, ToolLookup};
use crate::workspace::Workspace;

/// The clone, and what has been made of it so far.
pub(crate) struct BuildContext<'a> {
    pub(crate) workspace: &'a Workspace,
    node: Once<Node>,
    toolchain: Once<Toolchain>,
    builds: [Once<()>; Build::ALL.len()],
    vocabularies: Once<()>,
    core: Once<()>,
    command: Once<()>,
    package: Once<()>,
    project: Once<PathBuf>,
    compiled: Once<PathBuf>,
    hosts: Once<Npm>,
    wasmtime: Once<ToolLookup>,
    test_runner: Once<ToolLookup>,
    chromium: Once<Chromium>,
    firefox: Once<ToolLookup>,
    postgres: Once<ToolLookup>,
    strace: Once<ToolLookup>,
    valgrind: Once<ToolLookup>,
    wine: Once<Result<Wine, String>>,
    programs: [Once<PathBuf>; Program::ALL.len()],
}

impl<'a> BuildContext<'a> {
    pub(crate) fn new(workspace: &'a Workspace) -> Self {
        Self {
            workspace,
            node: Once::new(),
            toolchain: Once::new(),
            builds: Build::ALL.map(|_| Once::new()),
            vocabularies: Once::new(),
            core: Once::new(),
            command: Once::new(),
            package: Once::new(),
            project: Once::new(),
            compiled: Once::new(),
            hosts: Once::new(),
            wasmtime: Once::new(),
            test_runner: Once::new(),
            chromium: Once::new(),
            firefox: Once::new(),
            postgres: Once::new(),
            strace: Once::new(),
            valgrind: Once::new(),
            wine: Once::new(),
            programs: Program::ALL.map(|_| Once::new()),
        }
    }

    pub(crate) fn node(&self) -> Result<&Node> {
        self.node.get(|| Node::set_up(self.workspace))
    }

    pub(crate) fn toolchain(&self) -> Result<&Toolchain> {
        self.toolchain.get(Toolchain::set_up)
    }

    /// The file of a wasm of the package.
    pub(crate) fn wasm(&self, build: Build) -> Result<PathBuf> {
        let once = &self.builds[build as usize];
        once.get(|| wasm::build(self.workspace, self.toolchain()?, self.node()?, build))?;
        Ok(build.file(self.workspace))
    }

    /// The folder of the vocabularies.
    pub(crate) fn vocabularies(&self) -> Result<PathBuf> {
        self.vocabularies
            .get(|| vocabulary::build(self.workspace, self.node()?))?;
        Ok(vocabulary::folder(self.workspace))
    }

    /// The file of a component.
    pub(crate) fn component(&self, component: Component) -> Result<PathBuf> {
        let once = match component {
            Component::Core => &self.core,
            Component::Command => &self.command,
        };
        once.get(|| component::build(self.workspace, self.toolchain()?, self.node()?, component))?;
        Ok(component.file(self.workspace))
    }

    /// The packed npm package.
    pub(crate) fn package(&self) -> Result<PathBuf> {
        self.package.get(|| {
            for build in Build::ALL {
                self.wasm(build)?;
            }
            self.vocabularies()?;
            package::build(self.workspace, self.node()?)
        })?;
        Ok(self.workspace.tarball())
    }

    /// A project that has the package installed, and the tests and examples as they are now: there
    /// they find the package as a user's code does.
    pub(crate) fn project(&self) -> Result<&Path> {
        let project = self.project.get(|| {
            self.package()?;
            package::project(self.workspace)
        })?;
        Ok(project)
    }

    /// The command line's component as wasmtime runs it without compiling it.
    pub(crate) fn compiled(&self, wasmtime: &Path) -> Result<&Path> {
        let compiled = self.compiled.get(|| {
            let component = self.component(Component::Command)?;
            component::compile_ahead(self.workspace, wasmtime, &component)
        })?;
        Ok(compiled)
    }

    pub(crate) fn hosts(&self) -> Result<&Npm> {
        self.hosts.get(|| Npm::set_up(self.workspace))
    }

    pub(crate) fn wasmtime(&self) -> Result<&ToolLookup> {
        self.wasmtime.get(|| tools::wasmtime(self.workspace))
    }

    pub(crate) fn test_runner(&self) -> Result<&ToolLookup> {
        self.test_runner.get(tools::wasm_bindgen_test_runner)
    }

    pub(crate) fn chromium(&self) -> Result<&Chromium> {
        self.chromium.get(|| Ok(tools::chromium()))
    }

    pub(crate) fn firefox(&self) -> Result<&ToolLookup> {
        self.firefox.get(|| Ok(tools::firefox()))
    }

    /// The folder of the server's programs.
    pub(crate) fn postgres(&self) -> Result<&ToolLookup> {
        self.postgres.get(|| Ok(tools::postgres()))
    }

    pub(crate) fn strace(&self) -> Result<&ToolLookup> {
        self.strace.get(|| Ok(tools::strace()))
    }

    pub(crate) fn valgrind(&self) -> Result<&ToolLookup> {
        self.valgrind.get(|| Ok(tools::valgrind()))
    }

    /// Or why it is not there.
    pub(crate) fn wine(&self) -> Result<&Result<Wine, String>> {
        self.wine.get(|| wine::wine(self.workspace))
    }

    /// The start of a cargo command line for this machine.
    pub(crate) fn cargo(&self, subcommand: &str) -> Command {
        let mut cargo = toolchain::cargo();
        cargo.current_dir(self.workspace.root()).arg(subcommand);
        cargo
    }

    /// A program of this workspace, ready to start.
    pub(crate) fn program(&self, program: Program) -> Result<&Path> {
        let built = self.programs[program as usize].get(|| program.build(self.workspace))?;
        Ok(built)
    }
}

/// Made by the first who asks; the others wait for it. A failure is printed in full once.
struct Once<T>(OnceLock<Result<T, String>>);

impl<T> Once<T> {
    const fn new() -> Self {
        Self(OnceLock::new())
    }

    fn get(&self, make: impl FnOnce() -> Result<T>) -> Result<&T> {
        let mut full = None;
        let made = self.0.get_or_init(|| {
            make().map_err(|error| {
                let text = format!("{error:#}");
                let first_line = text.lines().next().unwrap_or_default().to_owned();
                full = Some(text);
                first_line
            })
        });
        match (made, full) {
            (Ok(made), _) => Ok(made),
            (Err(_), Some(full)) => Err(anyhow!(full)),
            (Err(first_line), None) => Err(anyhow!("{first_line} (see above)")),
        }
    }
}
