//! The saver for LangGraph.js: its own suite for savers, forks and conflicts as graphs make them, the examples, and
//! the types. In memory, in files and, where its programs are there, on a PostgreSQL server.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::{Outcome, postgres};
use crate::building::Ground;
use crate::test::Range;
use crate::tools::Found;
use crate::tools::node::{self, Platform};
use crate::{folder, process};

/// What the suite has: of each place that threads can be in, 718 tests of savers and 8 of delta channels.
const SUITE: u64 = 726;

/// Places that threads can be in without a server.
const PLACES: u64 = 2;

/// What its tests share with others.
const SHARED: [&str; 3] = [
    "tests/hosts/environment.mjs",
    "tests/hosts/gitconfig",
    "tests/hosts/postgres/server.mjs",
];

/// Runs all of it. Where there is no PostgreSQL, the rest is tested, and what is missing is told.
pub(super) fn langgraph(ground: &Ground, _range: Range) -> Result<Outcome> {
    let manifest = ground.workspace.join("xtask/npm-langgraph");
    let tools = match node::install(&manifest, "npm-langgraph", Platform::This) {
        Ok(tools) => tools.join("node_modules"),
        Err(error) => return Ok(Outcome::Skipped(format!("no LangGraph.js: {error:#}"))),
    };
    let project = project(ground, &tools)?;
    types(ground, &project)?;

    let server = ground.postgres()?;
    let (programs, places) = match server {
        Found::At(folder) => (Some(folder.as_path()), PLACES + 1),
        Found::Missing(_) => (None, PLACES),
    };
    let vitest = |file: &str, more: &[&str]| vitest(&project, programs, file, more);

    let suite = vitest("conformance.test.mjs", &["--globals"])?;
    if !suite.is_well || suite.passed != SUITE * places || suite.skipped != 0 {
        let Ran {
            passed,
            skipped,
            output,
            ..
        } = suite;
        bail!(
            "{passed} of {} passed, {skipped} skipped\n{output}",
            SUITE * places
        );
    }
    let control = vitest("control.test.mjs", &["--globals"])?;
    if control.is_well {
        bail!("the suite takes a saver that loses what tasks wrote");
    }
    let mut passed = suite.passed;
    let on_server: &[&str] = match programs {
        Some(_) => &["clerks.test.mjs", "restart.test.mjs"],
        None => &[],
    };
    for file in ["going-on.test.mjs", "review.test.mjs"]
        .into_iter()
        .chain(on_server.iter().copied())
    {
        let ran = vitest(file, &[])?;
        if !ran.is_well || ran.skipped != 0 {
            bail!("{file} failed\n{}", ran.output);
        }
        passed += ran.passed;
    }
    Ok(match server {
        Found::At(_) => Outcome::Passed(format!("{passed} tests")),
        Found::Missing(why) => Outcome::Skipped(format!("{passed} tests passed; {why}")),
    })
}

/// A project with the package, LangGraph.js, `pg`, the tests and the examples: what a user has who installs them.
fn project(ground: &Ground, tools: &Path) -> Result<PathBuf> {
    let installed = ground.project()?;
    let project = ground.workspace.artefacts().join("langgraph");
    folder::make_empty(&project)?;
    let modules = project.join("node_modules");
    fs::create_dir_all(&modules).with_context(|| format!("cannot make {}", modules.display()))?;
    for entry in fs::read_dir(tools)? {
        let entry = entry?;
        folder::link(&entry.path(), &modules.join(entry.file_name()))?;
    }
    postgres::driver_into(ground, &modules)?;
    // Not a link: it has to find LangGraph.js beside it.
    folder::copy(
        &installed.join("node_modules/milepost"),
        &modules.join("milepost"),
    )?;
    for from in ["tests/hosts/langgraph", "host-examples/langgraph"] {
        folder::copy(&ground.workspace.join(from), &project.join(from))?;
    }
    folder::copy(&ground.workspace.join("pkg"), &project.join("pkg"))?;
    fs::create_dir_all(project.join("tests/hosts/postgres"))?;
    for shared in SHARED {
        fs::copy(ground.workspace.join(shared), project.join(shared))
            .with_context(|| format!("cannot copy {shared}"))?;
    }
    Ok(project)
}

/// The types of the saver's code, and of those who use it, beside those of LangGraph.js.
fn types(ground: &Ground, project: &Path) -> Result<()> {
    let node = ground.node()?;
    let mut tsc = node.tool("tsc");
    tsc.current_dir(project)
        .args(["--project", "pkg/tsconfig.langgraph.json", "--typeRoots"])
        .arg(node.tools().join("node_modules/@types"))
        .args(["--noEmit", "--pretty", "false"]);
    process::run("tsc", &mut tsc)?;
    Ok(())
}

/// How vitest ended.
struct Ran {
    is_well: bool,
    passed: u64,
    skipped: u64,
    output: String,
}

/// Runs the tests of a file, with the programs of PostgreSQL where they are there.
fn vitest(project: &Path, programs: Option<&Path>, file: &str, more: &[&str]) -> Result<Ran> {
    let report = project.join(format!("{file}.json"));
    let mut vitest = Command::new(project.join("node_modules/.bin/vitest"));
    vitest
        .current_dir(project)
        .env("NO_COLOR", "1")
        .env_remove("MILEPOST_POSTGRES")
        .envs(programs.map(|folder| ("MILEPOST_POSTGRES", folder)))
        .args(["run", "--reporter=default", "--reporter=json"])
        .arg(format!("--outputFile={}", report.display()))
        .args(["--testTimeout=60000", "--hookTimeout=60000"])
        .args(more)
        .arg(file);
    let output = vitest.output().context("vitest cannot be started")?;
    let text = fs::read_to_string(&report).unwrap_or_default();
    let number = |key: &str| {
        let rest = text.split(&format!("\"{key}\":")).nth(1)?;
        let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
        digits.parse::<u64>().ok()
    };
    let skipped = number("numPendingTests").zip(number("numTodoTests"));
    let (pending, todo) = skipped.unwrap_or((u64::MAX, 0));
    Ok(Ran {
        is_well: output.status.success(),
        passed: number("numPassedTests").unwrap_or_default(),
        skipped: pending.saturating_add(todo),
        output: String::from_utf8_lossy(&output.stdout).into_owned(),
    })
}
