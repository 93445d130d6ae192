//! The steps of `cargo xtask test`, in their order.

use std::cell::OnceCell;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, anyhow, bail};

use crate::folder;
use crate::inspect::{self, Size};
use crate::node;
use crate::setup::{self, Setup};
use crate::toolchain::{self, Toolchain};
use crate::wasm::Build;
use crate::workspace::Workspace;
use crate::{package, process};

/// The library's wasm after gzip: what it has reached, so that it does not grow unseen. The aim is
/// 60 KB; README.md says why it is missed.
const MAX_LIBRARY_GZIP: u64 = 112 * 1024;

/// Every feature whose code compiles, and is tested, on the machine itself.
const NATIVE_FEATURES: &str = "milepost/js,milepost/cli";

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
        run: format,
    },
    Step {
        name: "clippy",
        run: clippy,
    },
    Step {
        name: "cargo test",
        run: cargo_test,
    },
    Step {
        name: "cargo doc",
        run: cargo_doc,
    },
    Step {
        name: "build",
        run: build,
    },
    Step {
        name: "clippy of the library's wasm",
        run: |ground| clippy_wasm(ground, Build::Library),
    },
    Step {
        name: "clippy of the cli's wasm",
        run: |ground| clippy_wasm(ground, Build::CommandLine),
    },
    Step {
        name: "imports of the wasm",
        run: imports,
    },
    Step {
        name: "size of the wasm",
        run: size,
    },
    Step {
        name: "types of the package",
        run: types,
    },
    Step {
        name: "node tests",
        run: |ground| node_tests(ground, "tests/node"),
    },
    Step {
        name: "host examples",
        run: |ground| node_tests(ground, "host-examples"),
    },
    Step {
        name: "publint",
        run: publint,
    },
    Step {
        name: "attw",
        run: attw,
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
            .get_or_init(|| setup::build(self.workspace).map_err(|error| format!("{error:#}")));
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

/// `None` if `cargo SUBCOMMAND` is installed, or could be.
fn without(ground: &Ground, subcommand: &str, component: &str) -> Option<Outcome> {
    let found = || process::ask(ground.cargo(subcommand).arg("--version")).is_some();
    let add = || {
        let mut rustup = Command::new("rustup");
        rustup.args(["component", "add", component]);
        process::run("rustup component add", &mut rustup).is_ok()
    };
    if found() || (add() && found()) {
        return None;
    }
    let why = format!("no cargo {subcommand} (rustup component add {component})");
    Some(Outcome::Skipped(why))
}

fn format(ground: &Ground) -> Result<Outcome> {
    if let Some(skipped) = without(ground, "fmt", "rustfmt") {
        return Ok(skipped);
    }
    process::run(
        "cargo fmt",
        ground
            .cargo("fmt")
            .args(["--all", "--check", "--", "--color=never"]),
    )?;
    passed()
}

fn clippy(ground: &Ground) -> Result<Outcome> {
    if let Some(skipped) = without(ground, "clippy", "clippy") {
        return Ok(skipped);
    }
    for features in ["", NATIVE_FEATURES] {
        let mut clippy = ground.cargo("clippy");
        clippy.args(["--workspace", "--all-targets", "--features", features]);
        process::run("cargo clippy", clippy.args(["--", "-Dwarnings"]))?;
    }
    passed()
}

/// As it ships.
fn clippy_wasm(ground: &Ground, build: Build) -> Result<Outcome> {
    if let Some(skipped) = without(ground, "clippy", "clippy") {
        return Ok(skipped);
    }
    let toolchain = ground.built()?.toolchain();
    if let Toolchain::Debian { .. } = toolchain {
        return Ok(Outcome::Skipped(
            "Debian's toolchain for wasm has no clippy".to_owned(),
        ));
    }
    let mut clippy = toolchain.cargo("clippy");
    clippy
        .current_dir(ground.workspace.root())
        .args(["--package", "milepost", "--lib"]);
    clippy.args(["--features", build.features(), "--", "-Dwarnings"]);
    process::run(&format!("cargo clippy ({})", build.name()), &mut clippy)?;
    passed()
}

fn cargo_test(ground: &Ground) -> Result<Outcome> {
    let mut test = ground.cargo("test");
    let output = process::run(
        "cargo test",
        test.args(["--workspace", "--features", NATIVE_FEATURES]),
    )?;
    Ok(Outcome::Passed(format!(
        "{} tests",
        count(&output, "test result: ok. ")
    )))
}

fn cargo_doc(ground: &Ground) -> Result<Outcome> {
    let mut doc = ground.cargo("doc");
    doc.env("RUSTDOCFLAGS", "-Dwarnings");
    doc.args([
        "--package",
        "milepost",
        "--no-deps",
        "--features",
        NATIVE_FEATURES,
    ]);
    process::run("cargo doc", &mut doc)?;
    passed()
}

fn build(ground: &Ground) -> Result<Outcome> {
    ground.built()?;
    passed()
}

fn imports(ground: &Ground) -> Result<Outcome> {
    ground.built()?;
    let mut remark = Vec::new();
    for build in Build::ALL {
        let imports = inspect::imports(&fs::read(build.file(ground.workspace))?)?;
        let foreign = inspect::foreign(&imports);
        if !foreign.is_empty() {
            bail!(
                "the {} wasm imports more than glue: {}",
                build.name(),
                foreign.join(", ")
            );
        }
        let glue = fs::read_to_string(build.glue(ground.workspace))?;
        let ways_out = inspect::ways_out(&glue)?;
        if !ways_out.is_empty() {
            bail!(
                "the {} glue leads out of the core: {}",
                build.name(),
                ways_out.join(", ")
            );
        }
        let list: Vec<&str> = imports.iter().map(String::as_str).collect();
        remark.push(format!("{} {}", build.name(), list.join(" ")));
    }
    Ok(Outcome::Passed(remark.join("; ")))
}

fn size(ground: &Ground) -> Result<Outcome> {
    ground.built()?;
    let mut remark = Vec::new();
    for build in Build::ALL {
        let Size { raw, gzip } = Size::of(&build.file(ground.workspace))?;
        if build == Build::Library && gzip > MAX_LIBRARY_GZIP {
            bail!("the library's wasm is {gzip} bytes after gzip; at most {MAX_LIBRARY_GZIP}");
        }
        remark.push(format!("{} {raw} bytes, {gzip} after gzip", build.name()));
    }
    Ok(Outcome::Passed(remark.join("; ")))
}

fn types(ground: &Ground) -> Result<Outcome> {
    let node = ground.built()?.node();
    let mut tsc = node.tool("tsc");
    tsc.arg("--project")
        .arg(ground.workspace.join("pkg"))
        .arg("--typeRoots");
    tsc.arg(node.tools().join("node_modules/@types"));
    process::run("tsc", tsc.args(["--noEmit", "--pretty", "false"]))?;
    passed()
}

/// Runs the `*.test.*` files below a folder against the installed tarball: copied into a project
/// that has it, they find it as a user's code does.
fn node_tests(ground: &Ground, folder: &str) -> Result<Outcome> {
    let node = ground.built()?.node();
    let project = package::installed(ground.workspace)?;
    for copied in ["tests", "host-examples"] {
        folder::copy(&ground.workspace.join(copied), &project.join(copied))?;
    }
    let files: Vec<PathBuf> = folder::files(&project.join(folder))?
        .into_iter()
        .filter(|file| is_test(file))
        .collect();
    if files.is_empty() {
        bail!("no test file below {folder}");
    }
    let mut test = node::node();
    test.current_dir(&project)
        // Where a git hook starts the tests, these would lead them into its repository.
        .env_remove("GIT_ROOT")
        .env_remove("GIT_DIR")
        // For tests that compare with another validator.
        .env("NODE_PATH", node.tools().join("node_modules"))
        .args(["--test", "--test-reporter=tap"])
        .args(files);
    let output = process::run(folder, &mut test)?;
    Ok(Outcome::Passed(format!(
        "{} tests",
        count(&output, "# pass ")
    )))
}

fn is_test(file: &Path) -> bool {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    [".test.mjs", ".test.cjs", ".test.js"]
        .iter()
        .any(|ending| name.ends_with(ending))
}

fn publint(ground: &Ground) -> Result<Outcome> {
    let mut publint = ground.built()?.node().tool("publint");
    process::run(
        "publint",
        publint
            .arg("run")
            .arg(ground.workspace.tarball())
            .arg("--strict"),
    )?;
    passed()
}

fn attw(ground: &Ground) -> Result<Outcome> {
    let mut attw = ground.built()?.node().tool("attw");
    attw.arg(ground.workspace.tarball());
    // TypeScript's oldest resolution knows no exports map, and Node has one since version 12.
    attw.args(["--profile", "node16"]);
    // A wasm file has no types.
    attw.args(["--exclude-entrypoints", "core.wasm", "--format", "ascii"]);
    process::run("attw", &mut attw)?;
    passed()
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
