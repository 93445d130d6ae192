//! The wasm that ships: cargo, then wasm-bindgen, then wasm-opt.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use wasm_bindgen_cli_support::Bindgen;

use super::compile::{CompileMode, Compiled, compile};
use super::{deflate, optimise};
use crate::process;
use crate::stamp::Stamp;
use crate::tools::node::Node;
use crate::tools::toolchain::Toolchain;
use crate::workspace::Workspace;

/// Fewer bytes are faster here: a hook's process compiles the whole file to call it once or
/// twice.
///
/// The flags of wasm-opt. A function that LLVM left stays one, unless it is tiny: repeated calls are what
/// gzip finds. So are repeated expressions, which `local-cse` would keep in variables.
const OPTIMISE: &[&str] = &[
    "-Oz",
    "--one-caller-inline-max-function-size",
    "20",
    "--skip-pass=local-cse",
];

/// One wasm file of the package, each with a row in [`TABLE`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Build {
    Hook,
    AgentHook,
    Library,
    Deferred,
    Cli,
    Viewer,
    ExactTokens,
}

/// A row of the table of builds.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(
    not(test),
    expect(
        dead_code,
        reason = "a test holds the table, and the page, to some of it"
    )
)]
struct Row {
    build: Build,
    /// The name of the build everywhere: of its feature of cargo, its folder, and its file in the package.
    name: &'static str,
    /// The first one is that of its name.
    features: &'static str,
    mode: CompileMode,
    /// The size that it has reached after gzip, in KiB, so that it does not grow unseen.
    most_kib: u64,
    /// For docs/internals/builds.md.
    has: &'static str,
    readers: &'static str,
}

/// Every build. Compiling, clippy, the sizes, the bundles and the page docs/internals/builds.md read it.
static TABLE: [Row; Build::ALL.len()] = [
    Row {
        build: Build::Hook,
        name: "hook",
        features: "hook",
        mode: CompileMode::FastCompact,
        // The aim is 60; docs/internals/benchmarks.md says why it is missed. 10 of it came with the suspicion of
        // secrets, before a hook stores anything.
        most_kib: 103,
        has: "counting, and the common course of what hooks in scripts call: load, save, update, complete, resume, latest",
        readers: "`index`, at the first call; Deno, as the package is imported",
    },
    Row {
        build: Build::AgentHook,
        name: "agent-hook",
        features: "agent-hook",
        mode: CompileMode::FastCompact,
        most_kib: 148,
        has: "the common course of an event of a coding agent",
        readers: "`hook-event`, at an event that means something",
    },
    Row {
        build: Build::Library,
        name: "library",
        features: "library",
        // Its first call compiles as much as it runs: `s` takes as long, and makes 14 % more to download.
        mode: CompileMode::Small,
        // Some 25 came with the table of secrets and its gate, 12 with restores that compare what they take away, 10
        // with permission bits and differences, 9 with the tallies of journals and with threads that are recovered.
        most_kib: 652,
        has: "every operation on runs, snapshots, task checkpoints and threads, and the events of agents",
        readers: "`library`, at the first operation that the hook build has not, or leaves; `hook-library`, at an event with a snapshot",
    },
    Row {
        build: Build::Deferred,
        name: "deferred",
        features: "deferred",
        mode: CompileMode::Fast,
        // 12 came with the tallies of journals and with threads that are recovered.
        most_kib: 450,
        has: "the operations on runs, task checkpoints and threads, as a step machine, for hosts that answer later",
        readers: "`deferred`, at the first operation on such a host",
    },
    Row {
        build: Build::Cli,
        name: "cli",
        features: "cli,js",
        // Much code of which one call runs little: reading the file takes the time.
        mode: CompileMode::Small,
        // 32 came with hooks in the settings of agents: the tables, an editor of JSON with comments that keeps every
        // other byte, diffs, three operations and their verb; 64 with task checkpoints and threads, which it examines
        // and recovers.
        most_kib: 1012,
        has: "the command line, with every operation; `init`, `doctor` and rewinds for the library",
        readers: "`bin/milepost.js`, `cli`, and the threads of `mcp` and `view`",
    },
    Row {
        build: Build::Viewer,
        name: "viewer",
        features: "viewer",
        // A page waits for it: reading ten thousand documents takes a fifth longer so.
        mode: CompileMode::SmallCompact,
        most_kib: 336,
        has: "what the page shows of runs, snapshots, task checkpoints and threads, over files in memory",
        readers: "the worker of the page, immediately",
    },
    Row {
        build: Build::ExactTokens,
        name: "exact-tokens",
        features: "exact-tokens",
        mode: CompileMode::Counting,
        most_kib: 45,
        has: "the tokens of OpenAI's models, by vocabularies that it is given",
        readers: "`milepost-exact-tokens`, at the first count",
    },
];

impl Build {
    pub(crate) const ALL: [Self; 7] = [
        Self::Hook,
        Self::AgentHook,
        Self::Library,
        Self::Deferred,
        Self::Cli,
        Self::Viewer,
        Self::ExactTokens,
    ];

    fn row(self) -> &'static Row {
        &TABLE[self as usize]
    }

    /// The folder of its glue and wasm, below [`folder`], and its file in the package, without the ending.
    pub(crate) fn name(self) -> &'static str {
        self.row().name
    }

    pub(crate) fn features(self) -> &'static str {
        self.row().features
    }

    /// The mode in which it is compiled.
    pub(crate) fn mode(self) -> CompileMode {
        self.row().mode
    }

    /// The most bytes that it may have after gzip.
    pub(crate) fn most_gzip(self) -> u64 {
        self.row().most_kib * 1024
    }

    /// The names of several builds, as a word of a command line.
    pub(crate) fn names(builds: &[Self]) -> String {
        let names: Vec<_> = builds.iter().map(|build| build.name()).collect();
        names.join(",")
    }

    pub(super) fn compiled(self) -> Compiled {
        Compiled {
            package: "milepost",
            name: self.name(),
            features: self.features(),
            mode: self.mode(),
        }
    }

    /// The JavaScript that wasm-bindgen made for it.
    pub(crate) fn glue(self, workspace: &Workspace) -> PathBuf {
        folder(workspace).join(self.name()).join("milepost.js")
    }

    /// The file that ships.
    pub(crate) fn file(self, workspace: &Workspace) -> PathBuf {
        folder(workspace).join(self.name()).join("milepost_bg.wasm")
    }
}

/// The folder that holds, for each build, `NAME/milepost.js` and `NAME/milepost_bg.wasm`, and as `NAME/milepost_bg.deflate`
/// the same packed.
pub(crate) fn folder(workspace: &Workspace) -> PathBuf {
    workspace.artefacts().join("wasm")
}

/// Brings one wasm file up to date; says if there was anything to do.
pub(crate) fn build(
    workspace: &Workspace,
    toolchain: &Toolchain,
    node: &Node,
    build: Build,
) -> Result<()> {
    let compiled = compile(workspace, toolchain, build.compiled())?;
    if finish(workspace, node, build, &compiled)? {
        process::note(&format!("{} wasm: built", build.name()));
    }
    Ok(())
}

/// From cargo's wasm to the one that ships. Returns false where that was done before.
fn finish(workspace: &Workspace, node: &Node, build: Build, compiled: &[u8]) -> Result<bool> {
    let folder = folder(workspace).join(build.name());
    let output = build.file(workspace);
    let packed = output.with_extension("deflate");
    let inputs = optimise::inputs(node, OPTIMISE)?
        // Pins wasm-bindgen's version, which is exact there.
        .text(include_str!("../../Cargo.toml"))
        .bytes(compiled);
    let stamp = Stamp::new(folder.join("stamp"), inputs);
    if stamp.is_fresh(&output) && stamp.is_fresh(&packed) {
        return Ok(false);
    }

    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    stamp.revoke()?;
    bind(&folder, compiled)?;
    optimise::optimise(node, build.name(), OPTIMISE, &output)?;
    deflate::pack(&output, &packed)?;
    stamp.write()?;
    Ok(true)
}

/// Writes `milepost.js` and `milepost_bg.wasm`. The `web` glue is the one that runs everywhere:
/// it is given the module, and looks for nothing itself.
fn bind(folder: &Path, compiled: &[u8]) -> Result<()> {
    let bind = || {
        Bindgen::new()
            .input_bytes("milepost", compiled.to_vec())
            .web(true)?
            .typescript(true)
            .omit_default_module_path(true)
            // After a trap the package drops the instance and makes a new one.
            .reset_state_function(true)
            .remove_name_section(true)
            .remove_producers_section(true)
            .generate(folder)
    };
    bind().map_err(|error| anyhow!("wasm-bindgen: {error:#}"))
}

#[cfg(test)]
mod tests {
    use std::env;
    use std::fmt::Write;
    use std::fs;

    use anyhow::{Context, Result};

    use super::{Build, TABLE};
    use crate::workspace::Workspace;

    /// The page that has the table, between its first row and the next line without one.
    const PAGE: &str = "docs/internals/builds.md";
    const HEAD: &str = "| build | features | `opt-level` | stack | what it has | who reads it |\n|---|---|---|---|---|---|\n";

    #[test]
    fn each_build_has_its_row() {
        let builds: Vec<_> = TABLE.iter().map(|row| row.build).collect();
        assert_eq!(builds, Build::ALL);
        for row in &TABLE {
            assert_eq!(row.features.split(',').next(), Some(row.name));
        }
    }

    #[test]
    fn page_has_the_table_of_builds() -> Result<()> {
        let mut expected = HEAD.to_owned();
        for row in &TABLE {
            let features = row.build.features().replace(',', "`, `");
            let (level, stack) = (row.mode.opt_level(), row.mode.stack());
            let (name, has, readers) = (row.name, row.has, row.readers);
            writeln!(
                expected,
                "| `{name}` | `{features}` | {level} | {stack} | {has} | {readers} |"
            )?;
        }
        let file = Workspace::find()?.join(PAGE);
        let page = fs::read_to_string(&file)?;
        let start = page.find(HEAD).context("the page has no table of builds")?;
        let end = start + page[start..].find("\n\n").context("it has no end")? + 1;
        if env::var_os("MILEPOST_BLESS").is_some() {
            fs::write(
                &file,
                format!("{}{expected}{}", &page[..start], &page[end..]),
            )?;
            return Ok(());
        }
        assert_eq!(page[start..end], expected, "MILEPOST_BLESS=1 writes it");
        Ok(())
    }
}
