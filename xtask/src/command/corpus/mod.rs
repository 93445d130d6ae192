//! `cargo xtask corpus`: the same scenarios on every host, and the same bytes from all of them.

mod component;
mod host;
mod table;

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::building::BuildContext;
use crate::building::program::Program;
use crate::process;
use crate::test::Range;
use crate::tools::node;
use crate::workspace::Workspace;

#[cfg(test)]
pub(crate) use component::RUNNER;
use host::{ALL, CorpusContext, Ran};
use table::Table;

/// The scenarios that are run, and the host that is made to lie, if any.
#[derive(Args, Clone, Debug)]
pub(crate) struct Options {
    /// The first seed of the generated scenarios
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The number of generated scenarios
    #[arg(long, default_value_t = 10_000)]
    count: u64,
    /// Change one byte of this host's outcomes, to see the run fail
    #[arg(long, value_name = "HOST")]
    tamper: Option<String>,
}

impl Options {
    /// The scenarios that a test run compares, beside all that are written by hand.
    pub(crate) const fn of(range: Range) -> Self {
        Self {
            seed: 1,
            count: match range {
                Range::Decisive => 2_000,
                Range::All => 10_000,
            },
            tamper: None,
        }
    }
}

/// Sets up, runs and prints the table.
///
/// # Errors
///
/// A host could not be run, or its outcomes are not those of the native core.
pub(crate) fn run(workspace: &Workspace, options: &Options) -> Result<()> {
    let (table, missing) = compare(&BuildContext::new(workspace), options)?;
    println!("{table}");
    for why in missing {
        println!("skipped: {why}");
    }
    table.verdict()
}

/// Runs the scenarios on every host that is there; the texts say why a host is not.
pub(crate) fn compare(context: &BuildContext, options: &Options) -> Result<(Table, Vec<String>)> {
    if let Some(name) = &options.tamper
        && !ALL.iter().any(|host| host.name == name)
    {
        let known: Vec<&str> = ALL.iter().map(|host| host.name).collect();
        bail!("there is no host `{name}`; there are: {}", known.join(", "));
    }
    let corpus = prepare(context, options)?;
    let mut table = Table::default();
    let mut missing = Vec::new();
    for host in ALL {
        let outcomes = corpus.folder.join(format!("{}.jsonl", host.file));
        match (host.run)(&corpus, &outcomes).with_context(|| host.name.to_owned())? {
            Ran::Here => {}
            Ran::Missing(why) => {
                missing.push(format!("{}: {why}", host.name));
                continue;
            }
        }
        if options.tamper.as_deref() == Some(host.name) {
            tamper(&outcomes)?;
        }
        table.add(host.name, &outcomes)?;
    }
    Ok((table, missing))
}

/// Generates the scenarios, beside the project in which the runners find the package.
fn prepare<'a>(context: &'a BuildContext<'a>, options: &Options) -> Result<CorpusContext<'a>> {
    let project = context.project()?.to_path_buf();
    let folder = context.workspace.artefacts().join("corpus");
    fs::create_dir_all(&folder)?;
    let scenarios = folder.join("scenarios.jsonl");
    let mut generate = Command::new(context.program(Program::Corpus)?);
    generate
        .args(["scenarios", "--hand"])
        .arg(context.workspace.join("tests/scenarios/hand"))
        .args(["--seed", &options.seed.to_string()])
        .args(["--count", &options.count.to_string()]);
    finish(
        "generating the scenarios",
        &mut generate,
        None,
        Some(&scenarios),
    )?;
    Ok(CorpusContext {
        build: context,
        project,
        folder,
        scenarios,
    })
}

/// Runs a program with a file as its standard input, and one as its standard output.
fn finish(
    label: &str,
    command: &mut Command,
    input: Option<&Path>,
    output: Option<&Path>,
) -> Result<()> {
    process::note(&format!("{label} …"));
    if let Some(path) = input {
        command.stdin(File::open(path)?);
    }
    if let Some(path) = output {
        command.stdout(File::create(path)?);
    }
    let program = command.get_program().to_string_lossy().into_owned();
    let ended = command
        .output()
        .with_context(|| format!("cannot start `{program}`"))?;
    if !ended.status.success() {
        let errors = String::from_utf8_lossy(&ended.stderr);
        bail!(
            "`{program}` failed ({})\n{}",
            ended.status,
            errors.trim_end()
        );
    }
    Ok(())
}

/// Another letter in the middle of a file.
fn tamper(file: &PathBuf) -> Result<()> {
    let mut bytes = fs::read(file)?;
    let middle = bytes.len() / 2;
    let found = bytes[middle..].iter().position(u8::is_ascii_lowercase);
    let at = middle + found.context("no letter to change")?;
    bytes[at] = if bytes[at] == b'z' {
        b'a'
    } else {
        bytes[at] + 1
    };
    fs::write(file, bytes)?;
    Ok(())
}

/// Node in the project that has the package.
fn in_project(corpus: &CorpusContext) -> Command {
    let mut node = node::node();
    node.current_dir(&corpus.project);
    node
}
