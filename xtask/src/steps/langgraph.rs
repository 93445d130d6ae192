//! The saver for LangGraph.js: its own suite for savers, forks and conflicts as graphs make them, the examples, and
//! the types. In memory and in files; with everything also on a PostgreSQL server, where its programs are there.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::{Outcome, pages, postgres};
use crate::building::BuildContext;
use crate::test::Range;
use crate::tools::ToolLookup;
use crate::tools::node::{self, Platform};
use crate::{folder, process};

/// The number of tests in the suite: of each place that threads can be in, 718 tests of savers and 8 of delta channels.
const SUITE: u64 = 726;

/// Places that threads can be in without a server.
const PLACES: u64 = 2;

/// The files that its tests share with others.
const SHARED: [&str; 4] = [
    "tests/hosts/environment.mjs",
    "tests/hosts/gitconfig",
    "tests/hosts/pages/snippets.mjs",
    "tests/hosts/postgres/server.mjs",
];

/// Runs all of it. Where there is no PostgreSQL, the rest is tested, and what is missing is named.
pub(super) fn langgraph(context: &BuildContext, range: Range) -> Result<Outcome> {
    let manifest = context.workspace.join("xtask/npm-langgraph");
    let tools = match node::install(&manifest, "npm-langgraph", Platform::This) {
        Ok(tools) => tools.join("node_modules"),
        Err(error) => return Ok(Outcome::Skipped(format!("no LangGraph.js: {error:#}"))),
    };
    let project = project(context, &tools)?;
    types(context, &project)?;

    let server = match range {
        Range::Decisive => None,
        Range::All => Some(context.postgres()?),
    };
    let (programs, places) = match server {
        Some(ToolLookup::At(folder)) => (Some(folder.as_path()), PLACES + 1),
        Some(ToolLookup::Missing(_)) | None => (None, PLACES),
    };
    let mut files = vec![
        "conformance.test.mjs",
        "damaged.test.mjs",
        "deletion.test.mjs",
        "encryption.test.mjs",
        "going-on.test.mjs",
        "keeping.test.mjs",
        "runs.test.mjs",
        "snippets.test.mjs",
        "values.test.mjs",
    ];
    if programs.is_some() {
        files.extend([
            "clerks.all.test.mjs",
            "restart.all.test.mjs",
            "steps.all.test.mjs",
        ]);
    }
    let ran = vitest(context, &project, programs, range, &files)?;
    let suite = ran.passed_in("conformance.test.mjs");
    if !ran.is_well || ran.skipped != 0 || suite != SUITE * places {
        bail!(
            "{suite} of {} of the suite passed, {} skipped\n{}",
            SUITE * places,
            ran.skipped,
            ran.output
        );
    }
    if vitest(context, &project, None, range, &["control.test.mjs"])?.is_well {
        bail!("the suite takes a saver that loses what tasks wrote");
    }
    let passed = ran.passed();
    Ok(match server {
        Some(ToolLookup::Missing(why)) => Outcome::Skipped(format!("{passed} tests passed; {why}")),
        Some(ToolLookup::At(_)) | None => Outcome::Passed(format!("{passed} tests")),
    })
}

/// A project with the package, LangGraph.js, `pg`, the tests and the examples: what a user has who installs them.
fn project(context: &BuildContext, tools: &Path) -> Result<PathBuf> {
    let installed = context.project()?;
    let project = context.workspace.artefacts().join("langgraph");
    folder::make_empty(&project)?;
    let modules = project.join("node_modules");
    fs::create_dir_all(&modules).with_context(|| format!("cannot make {}", modules.display()))?;
    for entry in fs::read_dir(tools)? {
        let entry = entry?;
        folder::link(&entry.path(), &modules.join(entry.file_name()))?;
    }
    postgres::driver_into(context, &modules)?;
    // Not a link: it has to find LangGraph.js beside it.
    folder::copy(
        &installed.join("node_modules/milepost"),
        &modules.join("milepost"),
    )?;
    for from in ["tests/hosts/langgraph", "host-examples/langgraph"] {
        folder::copy(&context.workspace.join(from), &project.join(from))?;
    }
    folder::copy(&context.workspace.join("pkg"), &project.join("pkg"))?;
    for folder in ["tests/hosts/pages", "tests/hosts/postgres"] {
        fs::create_dir_all(project.join(folder))?;
    }
    for shared in SHARED {
        fs::copy(context.workspace.join(shared), project.join(shared))
            .with_context(|| format!("cannot copy {shared}"))?;
    }
    Ok(project)
}

/// The types of the saver's code, and of those who use it, beside those of LangGraph.js.
fn types(context: &BuildContext, project: &Path) -> Result<()> {
    let node = context.node()?;
    let mut tsc = node.tool("tsc");
    tsc.current_dir(project)
        .args(["--project", "pkg/tsconfig.langgraph.json", "--typeRoots"])
        .arg(node.tools().join("node_modules/@types"))
        .args(["--noEmit", "--pretty", "false"]);
    process::run("tsc", &mut tsc)?;
    Ok(())
}

/// The end of vitest.
struct Ran {
    is_well: bool,
    /// Of each file, by its path, how many tests passed.
    passed: Vec<(String, u64)>,
    skipped: u64,
    output: String,
}

impl Ran {
    fn passed(&self) -> u64 {
        self.passed.iter().map(|(_, count)| count).sum()
    }

    fn passed_in(&self, file: &str) -> u64 {
        let found = self.passed.iter().find(|(path, _)| path.ends_with(file));
        found.map_or(0, |(_, count)| *count)
    }
}

/// Runs the tests of some files, with the programs of PostgreSQL where they are there.
fn vitest(
    context: &BuildContext,
    project: &Path,
    programs: Option<&Path>,
    range: Range,
    files: &[&str],
) -> Result<Ran> {
    let report = project.join("report.json");
    let _ = fs::remove_file(&report);
    let mut vitest = Command::new(project.join("node_modules/.bin/vitest"));
    vitest
        .current_dir(project)
        .env("NO_COLOR", "1")
        .env(Range::VARIABLE, range.name())
        .env(pages::CLONE, context.workspace.root())
        .env_remove("MILEPOST_POSTGRES")
        .envs(programs.map(|folder| ("MILEPOST_POSTGRES", folder)))
        .args(["run", "--globals", "--reporter=default", "--reporter=json"])
        .arg(format!("--outputFile={}", report.display()))
        .args(["--testTimeout=60000", "--hookTimeout=60000"])
        .args(files);
    let output = vitest.output().context("vitest cannot be started")?;
    let text = fs::read_to_string(&report).unwrap_or_default();
    let report: Value = serde_json::from_str(&text).unwrap_or_default();
    let (mut passed, mut skipped) = (Vec::new(), 0);
    for file in report["testResults"].as_array().into_iter().flatten() {
        let name = file["name"].as_str().unwrap_or_default();
        let of_status = |status: &[&str]| {
            let tests = file["assertionResults"].as_array().into_iter().flatten();
            let has = |test: &&Value| {
                test["status"]
                    .as_str()
                    .is_some_and(|it| status.contains(&it))
            };
            tests.filter(has).count() as u64
        };
        passed.push((name.to_owned(), of_status(&["passed"])));
        skipped += of_status(&["skipped", "pending", "todo"]);
    }
    Ok(Ran {
        is_well: output.status.success(),
        passed,
        skipped,
        output: String::from_utf8_lossy(&output.stdout).into_owned(),
    })
}
