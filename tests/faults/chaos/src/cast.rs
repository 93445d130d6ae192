//! The hosts of a run, and how a writer or reader is started on each.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};

use crate::write_strategy::WriteStrategy;

/// The programs that `cargo xtask` has set up.
#[derive(Args, Clone, Debug)]
pub(crate) struct Programs {
    /// The scripts, in a project that has the package
    #[arg(long, hide = true, required_unless_present = "plan")]
    scripts: Option<PathBuf>,
    /// The program
    #[arg(long, hide = true)]
    deno: Option<PathBuf>,
    /// The program
    #[arg(long, hide = true, requires = "component")]
    wasmtime: Option<PathBuf>,
    /// The command line as a component, compiled for this machine, as an installation would: no
    /// process compiles it again
    #[arg(long, hide = true)]
    component: Option<PathBuf>,
    /// The command line as a program of this machine
    #[arg(long, hide = true)]
    native: Option<PathBuf>,
}

/// The runtime of a writer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub(crate) enum Host {
    Node,
    Deno,
    Wasmtime,
    Native,
}

impl Host {
    pub(crate) const ALL: [Self; 4] = [Self::Node, Self::Deno, Self::Wasmtime, Self::Native];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Node => "Node",
            Self::Deno => "Deno",
            Self::Wasmtime => "wasmtime",
            Self::Native => "native",
        }
    }

    /// Returns whether each request is a call of the command line, in a process of its own.
    pub(crate) fn is_command_line(self) -> bool {
        matches!(self, Self::Wasmtime | Self::Native)
    }
}

/// The script that a process of Node or Deno runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Script {
    /// Updates, by this strategy.
    Updates(WriteStrategy),
    /// Snapshots.
    Sessions,
    /// Task checkpoints.
    Tasks,
}

/// Everything that is needed to start a process of a run.
pub(crate) struct Cast {
    /// Those that are there, of those that were asked for.
    pub(crate) hosts: Vec<Host>,
    /// The scripts, in a project that has the package.
    scripts: PathBuf,
    deno: PathBuf,
    wasmtime: PathBuf,
    component: PathBuf,
    native: PathBuf,
}

impl Cast {
    /// Takes the hosts that were set up.
    pub(crate) fn find(programs: &Programs, wanted: &[Host]) -> Result<Self> {
        let mut cast = Cast {
            hosts: Vec::new(),
            scripts: programs.scripts.clone().unwrap_or_default(),
            deno: programs.deno.clone().unwrap_or_default(),
            wasmtime: programs.wasmtime.clone().unwrap_or_default(),
            component: programs.component.clone().unwrap_or_default(),
            native: programs.native.clone().unwrap_or_default(),
        };
        for &host in wanted {
            let is_here = match host {
                Host::Node => true,
                Host::Deno => programs.deno.is_some(),
                Host::Wasmtime => programs.wasmtime.is_some(),
                Host::Native => programs.native.is_some(),
            };
            if is_here && !cast.hosts.contains(&host) {
                cast.hosts.push(host);
            }
        }
        if cast.hosts.is_empty() {
            bail!("no host is there");
        }
        Ok(cast)
    }

    /// The host of a writer. Where a write strategy is a script, those without scripts are left out.
    pub(crate) fn host(&self, strategy: WriteStrategy, writer: usize) -> Result<Host> {
        let able: Vec<Host> = self.able(strategy).collect();
        let number = writer.checked_rem(able.len());
        number
            .map(|number| able[number])
            .with_context(|| format!("{} needs Node or Deno", strategy.name()))
    }

    /// The hosts on which a write strategy can be had.
    pub(crate) fn able(&self, strategy: WriteStrategy) -> impl Iterator<Item = Host> {
        let hosts = self.hosts.iter().copied();
        hosts.filter(move |host| strategy == WriteStrategy::Milepost || !host.is_command_line())
    }

    /// A process that answers one request a line.
    pub(crate) fn script(&self, host: Host, script: Script, root: &Path) -> Command {
        let mut command = match host {
            Host::Deno => {
                let mut deno = Command::new(&self.deno);
                deno.args(["run", "--quiet", "--no-prompt"])
                    .arg(format!("--allow-read={}", root.display()))
                    .arg(format!("--allow-write={}", root.display()));
                deno
            }
            Host::Node | Host::Wasmtime | Host::Native => Command::new("node"),
        };
        let (name, naive) = match script {
            Script::Updates(strategy) => match strategy.script() {
                Some(naive) => ("naive/naive.mjs", Some(naive)),
                None => ("milepost.mjs", None),
            },
            Script::Sessions => ("sessions.mjs", None),
            Script::Tasks => ("tasks.mjs", None),
        };
        command.arg(self.scripts.join(name)).args(naive);
        command.arg(root).current_dir(root).env_remove("GIT_ROOT");
        command
    }

    /// A process for one call of the command line.
    pub(crate) fn call(&self, host: Host, root: &Path, words: &[&str]) -> Command {
        let mut command = match host {
            Host::Native => Command::new(&self.native),
            Host::Node | Host::Deno | Host::Wasmtime => {
                let mut wasmtime = Command::new(&self.wasmtime);
                wasmtime
                    .args(["run", "--allow-precompiled", "--dir", "."])
                    .arg(&self.component);
                wasmtime
            }
        };
        command.args(words).arg("--json").current_dir(root);
        command.env_remove("GIT_ROOT");
        command
    }
}
