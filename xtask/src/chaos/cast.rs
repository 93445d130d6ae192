//! The hosts of a run, and how a writer or reader is started on each.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use clap::ValueEnum;

use super::way::Way;
use crate::component::Component;
use crate::hosts::{self, Npm};
use crate::workspace::Workspace;
use crate::{folder, node, package, process};

/// Where a writer runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub(super) enum Host {
    Node,
    Deno,
    Wasmtime,
}

impl Host {
    pub(super) const ALL: [Self; 3] = [Self::Node, Self::Deno, Self::Wasmtime];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Node => "Node",
            Self::Deno => "Deno",
            Self::Wasmtime => "wasmtime",
        }
    }
}

/// Everything that is needed to start a process of a run.
pub(super) struct Cast {
    /// Those that are there, of those that were asked for.
    pub(super) hosts: Vec<Host>,
    /// Why the others are not.
    pub(super) missing: Vec<String>,
    /// The scripts, in a project that has the package.
    scripts: PathBuf,
    deno: PathBuf,
    wasmtime: PathBuf,
    component: PathBuf,
}

impl Cast {
    /// Finds the hosts. `folder` takes what is compiled for them.
    pub(super) fn find(workspace: &Workspace, wanted: &[Host], folder: &Path) -> Result<Self> {
        let scripts = package::installed(workspace)?.join("tests/faults/chaos");
        folder::copy(&workspace.join("tests/faults/chaos"), &scripts)?;
        let mut cast = Cast {
            hosts: Vec::new(),
            missing: Vec::new(),
            scripts,
            deno: PathBuf::new(),
            wasmtime: PathBuf::new(),
            component: folder.join("milepost.cwasm"),
        };
        for &host in wanted {
            let found = match host {
                Host::Node => hosts::Host::At("node".into()),
                Host::Deno => Npm::set_up(workspace)?.deno(),
                Host::Wasmtime => hosts::wasmtime()?,
            };
            match (host, found) {
                (_, hosts::Host::Missing(why)) => {
                    cast.missing.push(format!("{}: {why}", host.name()));
                    continue;
                }
                (Host::Node, hosts::Host::At(_)) => {}
                (Host::Deno, hosts::Host::At(program)) => cast.deno = program,
                (Host::Wasmtime, hosts::Host::At(program)) => {
                    cast.wasmtime = program;
                    cast.compile(workspace)?;
                }
            }
            if !cast.hosts.contains(&host) {
                cast.hosts.push(host);
            }
        }
        if cast.hosts.is_empty() {
            bail!("no host is there\n{}", cast.missing.join("\n"));
        }
        Ok(cast)
    }

    /// As an installation would: no process compiles the component anew.
    fn compile(&self, workspace: &Workspace) -> Result<()> {
        let mut compile = Command::new(&self.wasmtime);
        compile
            .args(["compile", "-o"])
            .arg(&self.component)
            .arg(Component::Command.file(workspace));
        process::run("compiling milepost.wasm", &mut compile)?;
        Ok(())
    }

    /// The host of a writer. Where a way of writing is a script, those without scripts are left out.
    pub(super) fn host(&self, way: Way, writer: usize) -> Result<Host> {
        let able: Vec<Host> = self.able(way).collect();
        let number = writer.checked_rem(able.len());
        number
            .map(|number| able[number])
            .with_context(|| format!("{} needs Node or Deno", way.name()))
    }

    /// The hosts on which a way of writing can be had.
    pub(super) fn able(&self, way: Way) -> impl Iterator<Item = Host> {
        let hosts = self.hosts.iter().copied();
        hosts.filter(move |host| way == Way::Milepost || *host != Host::Wasmtime)
    }

    /// A process that answers one request a line.
    pub(super) fn script(&self, host: Host, way: Way, root: &Path) -> Command {
        let mut command = match host {
            Host::Deno => {
                let mut deno = Command::new(&self.deno);
                deno.args(["run", "--quiet", "--no-prompt"])
                    .arg(format!("--allow-read={}", root.display()))
                    .arg(format!("--allow-write={}", root.display()));
                deno
            }
            Host::Node | Host::Wasmtime => node::node(),
        };
        match way.script() {
            None => command.arg(self.scripts.join("milepost.mjs")),
            Some(script) => command
                .arg(self.scripts.join("naive/naive.mjs"))
                .arg(script),
        };
        command.arg(root).current_dir(root).env_remove("GIT_ROOT");
        command
    }

    /// A process for one call of the command line.
    pub(super) fn component(&self, root: &Path, words: &[&str]) -> Command {
        let mut command = Command::new(&self.wasmtime);
        command
            .args(["run", "--allow-precompiled", "--dir", "."])
            .arg(&self.component)
            .args(words)
            .arg("--json")
            .current_dir(root);
        command
    }
}
