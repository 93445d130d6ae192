//! The wasm that ships: cargo, then wasm-bindgen, then wasm-opt.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use wasm_bindgen_cli_support::Bindgen;

use super::compile::{CompileMode, Compiled, compile};
use super::optimise;
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

/// One wasm file of the package.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Build {
    /// The wasm that hooks call.
    Hot,
    /// The wasm that the hook of coding agents calls.
    Hook,
    /// Every operation of the library.
    Library,
    /// The operations of snapshots.
    Sessions,
    /// The operations of task checkpoints and of threads.
    Tasks,
    /// The operations of runs and task checkpoints and of threads, for hosts that answer later.
    Async,
    /// All of it with the command line, which only the package's bin loads.
    CommandLine,
    /// The part of the page about runs, over files in memory.
    Viewer,
    /// The part of the page with session and task checkpoints, which it loads once it shows some: they, YAML and their
    /// contents are almost half.
    ViewerAll,
    /// Exact token counts, over vocabularies that it is given.
    ExactTokens,
}

impl Build {
    pub(crate) const ALL: [Self; 10] = [
        Self::Hot,
        Self::Hook,
        Self::Library,
        Self::Sessions,
        Self::Tasks,
        Self::Async,
        Self::CommandLine,
        Self::Viewer,
        Self::ViewerAll,
        Self::ExactTokens,
    ];

    /// The folder of its glue and wasm, below [`folder`].
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Hot => "hot",
            Self::Hook => "hook",
            Self::Library => "library",
            Self::Sessions => "sessions",
            Self::Tasks => "tasks",
            Self::Async => "async",
            Self::CommandLine => "cli",
            Self::Viewer => "viewer",
            Self::ViewerAll => "viewer-all",
            Self::ExactTokens => "exact-tokens",
        }
    }

    pub(crate) fn features(self) -> &'static str {
        match self {
            Self::Hot => "hot",
            Self::Hook => "hot,capability,agents",
            Self::Library => "js",
            Self::Sessions => "capability,sessions,agents",
            Self::Tasks => "capability,threads",
            Self::Async => "async,threads",
            Self::CommandLine => "js,cli",
            Self::Viewer => "viewer",
            Self::ViewerAll => "viewer,sessions,threads",
            Self::ExactTokens => "exact-tokens",
        }
    }

    /// The mode in which it is compiled.
    pub(crate) fn mode(self) -> CompileMode {
        match self {
            Self::Library | Self::Tasks | Self::Async => CompileMode::Fast,
            Self::Hot | Self::Hook => CompileMode::FastCompact,
            // Much code of which one call runs little: reading the file takes the time.
            Self::Sessions | Self::CommandLine => CompileMode::Small,
            // A page waits for it: reading ten thousand documents takes a fifth longer so.
            Self::Viewer | Self::ViewerAll => CompileMode::SmallCompact,
            Self::ExactTokens => CompileMode::Counting,
        }
    }

    fn compiled(self) -> Compiled {
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

/// The folder that holds, for each build, `NAME/milepost.js` and `NAME/milepost_bg.wasm`.
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
    let inputs = optimise::inputs(node, OPTIMISE)?
        // Pins wasm-bindgen's version, which is exact there.
        .text(include_str!("../../Cargo.toml"))
        .bytes(compiled);
    let stamp = Stamp::new(folder.join("stamp"), inputs);
    if stamp.is_fresh(&output) {
        return Ok(false);
    }

    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    stamp.revoke()?;
    bind(&folder, compiled)?;
    optimise::optimise(node, build.name(), OPTIMISE, &output)?;
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
