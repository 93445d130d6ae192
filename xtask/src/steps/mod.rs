//! The steps of `cargo xtask test`, in their order.

mod binding;
mod chaos;
mod components;
mod consumers;
mod corpus;
mod fuzz;
mod hosts;
mod jco;
mod node;
mod package;
mod rust;
mod simulator;
mod syscalls;
mod wasm;
mod wasmtime;

use std::cell::OnceCell;
use std::process::Command;

use anyhow::{Result, anyhow, bail};

use crate::building::component::Component;
use crate::building::wasm::Build;
use crate::building::{self, Setup};
use crate::tools::toolchain;
use crate::workspace::Workspace;

/// One named thing that CI runs.
pub(crate) struct Step {
    pub(crate) name: &'static str,
    pub(crate) run: fn(&Ground) -> Result<Outcome>,
}

/// What came of a step that did not fail.
pub(crate) enum Outcome {
    /// With a remark for its line, or an empty one.
    Passed(String),
    /// Why it could not run here.
    Skipped(String),
}

pub(crate) const ALL: &[Step] = &[
    Step {
        name: "format",
        run: rust::format,
    },
    Step {
        name: "clippy",
        run: rust::clippy,
    },
    Step {
        name: "cargo test",
        run: rust::cargo_test,
    },
    Step {
        name: "cargo doc",
        run: rust::cargo_doc,
    },
    Step {
        name: "simulator",
        run: simulator::promise,
    },
    Step {
        name: "fuzzing",
        run: fuzz::properties,
    },
    Step {
        name: "build",
        run: wasm::build,
    },
    Step {
        name: "clippy of the library's wasm",
        run: |ground| wasm::clippy(ground, Build::Library.features()),
    },
    Step {
        name: "clippy of the cli's wasm",
        run: |ground| wasm::clippy(ground, Build::CommandLine.features()),
    },
    Step {
        name: "clippy of the core component",
        run: |ground| wasm::clippy(ground, Component::Core.features()),
    },
    Step {
        name: "clippy of the command component",
        run: |ground| wasm::clippy(ground, Component::Command.features()),
    },
    Step {
        name: "imports of the wasm",
        run: wasm::imports,
    },
    Step {
        name: "size of the wasm",
        run: wasm::size,
    },
    Step {
        name: "WIT of the components",
        run: components::wit,
    },
    Step {
        name: "size of the components",
        run: components::size,
    },
    Step {
        name: "clippy of the binding's tests",
        run: wasm::clippy_of_binding_tests,
    },
    Step {
        name: "binding in Node",
        run: binding::in_node,
    },
    Step {
        name: "binding in Chromium",
        run: binding::in_chromium,
    },
    Step {
        name: "types of the package",
        run: package::types,
    },
    Step {
        name: "node tests",
        run: |ground| node::node_tests(ground, "tests/hosts/node"),
    },
    Step {
        name: "node hook",
        run: |ground| node::node_tests(ground, "host-examples/node-hook"),
    },
    Step {
        name: "package on Deno and Bun",
        run: hosts::runtimes,
    },
    Step {
        name: "page in Chromium",
        run: hosts::page,
    },
    Step {
        name: "wasmtime tests",
        run: wasmtime::wasmtime_tests,
    },
    Step {
        name: "faults at system calls",
        run: syscalls::faults,
    },
    Step {
        name: "paths of system calls",
        run: syscalls::audit,
    },
    Step {
        name: "core component on jco",
        run: jco::jco_tests,
    },
    Step {
        name: "consumers of the package",
        run: consumers::consumers,
    },
    Step {
        name: "corpus",
        run: corpus::same_bytes,
    },
    Step {
        name: "chaos",
        run: chaos::nothing_is_lost,
    },
    Step {
        name: "publint",
        run: package::publint,
    },
    Step {
        name: "attw",
        run: package::attw,
    },
];

/// What the steps share: set up and built once, by the first step that needs it.
pub(crate) struct Ground<'a> {
    workspace: &'a Workspace,
    built: OnceCell<Result<Setup, String>>,
}

impl<'a> Ground<'a> {
    pub(crate) fn new(workspace: &'a Workspace) -> Self {
        Self {
            workspace,
            built: OnceCell::new(),
        }
    }

    /// The set-up, with every artefact built. After a failure the later steps fail with it, in
    /// one line.
    fn built(&self) -> Result<&Setup> {
        let first = self.built.get().is_none();
        let built = self
            .built
            .get_or_init(|| building::build(self.workspace).map_err(|error| format!("{error:#}")));
        match built {
            Ok(setup) => Ok(setup),
            Err(error) if first => Err(anyhow!("{error}")),
            Err(_) => bail!("there is no build to check"),
        }
    }

    fn cargo(&self, subcommand: &str) -> Command {
        let mut cargo = toolchain::cargo();
        cargo.current_dir(self.workspace.root()).arg(subcommand);
        cargo
    }
}

fn passed() -> Result<Outcome> {
    Ok(Outcome::Passed(String::new()))
}

/// The sum of the numbers that follow `prefix` at the start of a line.
fn count(output: &str, prefix: &str) -> u64 {
    output
        .lines()
        .filter_map(|line| {
            line.strip_prefix(prefix)?
                .split(' ')
                .next()?
                .parse::<u64>()
                .ok()
        })
        .sum()
}
