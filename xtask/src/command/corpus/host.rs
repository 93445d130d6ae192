//! The hosts of the corpus: how each is started.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use super::{component, finish, in_project};
use crate::building::BuildContext;
use crate::building::component::Component;
use crate::building::program::Program;
use crate::tools::ToolLookup;

/// The things that the hosts share.
pub(super) struct CorpusContext<'a> {
    pub(super) build: &'a BuildContext<'a>,
    /// A project with the package in it.
    pub(super) project: PathBuf,
    /// The folder of outcomes.
    pub(super) folder: PathBuf,
    pub(super) scenarios: PathBuf,
}

/// The result of a host, or the reason that it was not there.
pub(super) enum Ran {
    Here,
    /// Why not.
    Missing(String),
}

/// One way to run the core.
pub(super) struct CorpusHost {
    /// As the table shows it.
    pub(super) name: &'static str,
    /// The name of the file of its outcomes.
    pub(super) file: &'static str,
    /// Runs the scenarios and writes their outcomes to a file.
    pub(super) run: fn(&CorpusContext, &Path) -> Result<Ran>,
}

/// The first is what the others are compared with.
pub(super) const ALL: [CorpusHost; 9] = [
    CorpusHost {
        name: "native Rust",
        file: "native",
        run: |corpus, outcomes| native(corpus, &[], outcomes),
    },
    CorpusHost {
        name: "native program",
        file: "native-program",
        run: |corpus, outcomes| native(corpus, &["--blocking"], outcomes),
    },
    CorpusHost {
        name: "Node, CommonJS",
        file: "commonjs",
        run: |corpus, outcomes| script(corpus, &mut in_project(corpus), "commonjs.cjs", outcomes),
    },
    CorpusHost {
        name: "Node, ES module",
        file: "module",
        run: |corpus, outcomes| script(corpus, &mut in_project(corpus), "module.mjs", outcomes),
    },
    CorpusHost {
        name: "Deno",
        file: "deno",
        run: |corpus, outcomes| {
            let deno = match corpus.build.hosts()?.deno() {
                ToolLookup::At(program) => program,
                ToolLookup::Missing(why) => return Ok(Ran::Missing(why)),
            };
            let mut deno = Command::new(deno);
            deno.current_dir(&corpus.project)
                .args(["run", "--quiet", "--no-prompt", "--allow-read"])
                .arg(format!("--allow-write={}", corpus.folder.display()));
            script(corpus, &mut deno, "module.mjs", outcomes)
        },
    },
    CorpusHost {
        name: "Bun",
        file: "bun",
        run: |corpus, outcomes| {
            let bun = match corpus.build.hosts()?.bun() {
                ToolLookup::At(program) => program,
                ToolLookup::Missing(why) => return Ok(Ran::Missing(why)),
            };
            let mut bun = Command::new(bun);
            script(
                corpus,
                bun.current_dir(&corpus.project),
                "module.mjs",
                outcomes,
            )
        },
    },
    CorpusHost {
        name: "Chromium",
        file: "chromium",
        run: |corpus, outcomes| {
            let chromium = match corpus.build.chromium()?.browser.clone() {
                ToolLookup::At(program) => program,
                ToolLookup::Missing(why) => return Ok(Ran::Missing(why)),
            };
            let npm = corpus.build.hosts()?;
            let mut node = in_project(corpus);
            node.env("MILEPOST_HOST_MODULES", npm.modules())
                .env("MILEPOST_CHROMIUM", chromium);
            script(corpus, &mut node, "chromium.mjs", outcomes)
        },
    },
    CorpusHost {
        name: "jco in Node",
        file: "jco",
        run: |corpus, outcomes| {
            let npm = corpus.build.hosts()?;
            let mut node = in_project(corpus);
            node.env("MILEPOST_HOST_MODULES", npm.modules())
                .env("MILEPOST_CORE", corpus.build.component(Component::Core)?);
            script(corpus, &mut node, "jco.mjs", outcomes)
        },
    },
    CorpusHost {
        name: "wasmtime",
        file: "wasmtime",
        run: |corpus, outcomes| {
            let wasmtime = match corpus.build.wasmtime()?.clone() {
                ToolLookup::At(program) => program,
                ToolLookup::Missing(why) => return Ok(Ran::Missing(why)),
            };
            let composed = component::build(corpus.build)?;
            let mut wasmtime = Command::new(wasmtime);
            wasmtime.arg("run").arg(composed);
            finish(
                "wasmtime",
                &mut wasmtime,
                Some(&corpus.scenarios),
                Some(outcomes),
            )?;
            Ok(Ran::Here)
        },
    },
];

/// Runs the scenarios in a program of this machine.
fn native(corpus: &CorpusContext, options: &[&str], outcomes: &Path) -> Result<Ran> {
    let mut native = Command::new(corpus.build.program(Program::Corpus)?);
    native.arg("run").args(options).arg(&corpus.scenarios);
    finish("native Rust", &mut native, None, Some(outcomes))?;
    Ok(Ran::Here)
}

/// Runs one of `tests/scenarios/hosts` on a JavaScript host.
fn script(corpus: &CorpusContext, host: &mut Command, name: &str, outcomes: &Path) -> Result<Ran> {
    host.arg(format!("tests/scenarios/hosts/{name}"))
        .arg(&corpus.scenarios)
        .arg(outcomes);
    finish(name, host, None, None)?;
    Ok(Ran::Here)
}
