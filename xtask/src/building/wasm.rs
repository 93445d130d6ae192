//! The wasm that ships: cargo, then wasm-bindgen, then wasm-opt.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use wasm_bindgen_cli_support::Bindgen;

use crate::process;
use crate::stamp::{Inputs, Stamp};
use crate::tools::node::Node;
use crate::tools::toolchain::Toolchain;
use crate::workspace::Workspace;

/// Fewer bytes are faster here: a hook's process compiles the whole file to call it once or
/// twice.
///
/// What LLVM left as a function of its own stays one, unless it is tiny: repeated calls are what
/// gzip finds. So are repeated expressions, which `local-cse` would keep in variables.
const OPTIMISE: &[&str] = &[
    "-Oz",
    "--one-caller-inline-max-function-size",
    "20",
    "--skip-pass=local-cse",
];

/// Named one by one: `--all-features` would let wasm-opt use what Node 20 rejects.
const WASM_FEATURES: [&str; 7] = [
    "--enable-bulk-memory",
    "--enable-nontrapping-float-to-int",
    "--enable-sign-ext",
    "--enable-mutable-globals",
    "--enable-reference-types",
    "--enable-multivalue",
    "--enable-simd",
];

/// SHA-256 as a loop: written out, as it is for speed elsewhere, it is 7 KB more, which a runtime makes
/// 63 KB of machine code of.
pub(super) const COMPACT_SHA256: [&str; 1] = ["--cfg=sha2_backend_soft=\"compact\""];

/// A megabyte is what the linker gives a stack by itself, a tenth of all that exact token counts take.
const SMALL_STACK: [&str; 1] = ["-Clink-arg=-zstack-size=262144"];

/// One wasm file of the package.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Build {
    /// What hooks call.
    Hot,
    /// What the hook of coding agents calls.
    Hook,
    /// Every operation of the library.
    Library,
    /// The operations of session checkpoints.
    Sessions,
    /// The operations of task checkpoints and of threads.
    Tasks,
    /// The operations of command and task checkpoints and of threads, for hosts that answer later.
    Async,
    /// All of it with the command line, which only the package's bin loads.
    CommandLine,
    /// What a page shows of command checkpoints, over files in memory.
    Viewer,
    /// The same with session and task checkpoints, which a page loads once it shows some: they, YAML and their
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
            Self::Hook => "hot,wing,agents",
            Self::Library => "js",
            Self::Sessions => "wing,sessions,agents",
            Self::Tasks => "wing,threads",
            Self::Async => "async,threads",
            Self::CommandLine => "js,cli",
            Self::Viewer => "viewer",
            Self::ViewerAll => "viewer,sessions,tasks",
            Self::ExactTokens => "exact-tokens",
        }
    }

    fn compiled(self) -> Compiled {
        Compiled {
            package: "milepost",
            name: self.name(),
            features: self.features(),
            profile: match self {
                Self::Hot | Self::Hook | Self::Library | Self::Tasks | Self::Async => "wasm",
                // Much code of which one call runs little: reading the file takes the time.
                Self::Sessions | Self::CommandLine => "component",
                // A page waits for it: reading ten thousand documents takes a fifth longer so.
                Self::Viewer | Self::ViewerAll => "component",
                Self::ExactTokens => "counting",
            },
            flags: match self {
                Self::Hot | Self::Hook | Self::Viewer | Self::ViewerAll => &COMPACT_SHA256,
                Self::Library | Self::Sessions | Self::Tasks | Self::Async | Self::CommandLine => {
                    &[]
                }
                Self::ExactTokens => &SMALL_STACK,
            },
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

/// What cargo makes of the crate, before any tool has looked at it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Compiled {
    pub(crate) package: &'static str,
    /// Its target folder.
    pub(crate) name: &'static str,
    pub(crate) features: &'static str,
    pub(crate) profile: &'static str,
    /// What rustc is told beside.
    pub(crate) flags: &'static [&'static str],
}

/// Each build has a target folder of its own: a `cdylib` has one file name whatever its features,
/// so that in a common folder the builds would replace each other and never be fresh.
pub(crate) fn compile(
    workspace: &Workspace,
    toolchain: &Toolchain,
    what: Compiled,
) -> Result<Vec<u8>> {
    let target = workspace.join(toolchain.target_folder()).join(what.name);
    let label = format!("compiling the {} wasm", what.name);
    let mut cargo = toolchain.cargo("build");
    let mut flags = rust_flags(workspace);
    let for_std = toolchain.build_std(&mut cargo).iter();
    flags.extend(for_std.chain(what.flags).map(|&flag| flag.to_owned()));
    cargo
        .current_dir(workspace.root())
        // What a developer sets for native builds (`-Ctarget-cpu=native`) is wrong here.
        .env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}"))
        .args([
            "--package",
            what.package,
            "--lib",
            "--profile",
            what.profile,
        ])
        .args(["--no-default-features", "--features", what.features])
        .arg("--target-dir")
        .arg(&target);
    process::run(&label, &mut cargo)?;

    let file = target
        .join(crate::tools::toolchain::TARGET)
        .join(what.profile)
        .join(format!("{}.wasm", what.package.replace('-', "_")));
    fs::read(&file).with_context(|| format!("cargo left no {}", file.display()))
}

/// Panic messages name source files: relative ones, so that the bytes are the same in every
/// clone.
fn rust_flags(workspace: &Workspace) -> Vec<String> {
    let mut flags = vec![format!(
        "--remap-path-prefix={}=.",
        workspace.root().display()
    )];
    let home = env::var_os("CARGO_HOME")
        .map(PathBuf::from)
        .or_else(|| env::home_dir().map(|home| home.join(".cargo")));
    if let Some(home) = home {
        flags.push(format!("--remap-path-prefix={}=cargo", home.display()));
    }
    flags
}

/// From cargo's wasm to the one that ships. Returns false where that was done before.
fn finish(workspace: &Workspace, node: &Node, build: Build, compiled: &[u8]) -> Result<bool> {
    let folder = folder(workspace).join(build.name());
    let output = build.file(workspace);
    let inputs = optimising(node, OPTIMISE)
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
    optimise(node, build.name(), OPTIMISE, &output)?;
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

/// What [`optimise`] depends on beside the file.
pub(crate) fn optimising(node: &Node, passes: &[&str]) -> Inputs {
    Inputs::default()
        .text(&passes.join(" "))
        .text(&WASM_FEATURES.join(" "))
        .text(&node.tools().to_string_lossy())
}

/// Replaces a wasm file by a smaller one that does the same.
pub(crate) fn optimise(node: &Node, name: &str, passes: &[&str], file: &Path) -> Result<()> {
    let optimised = file.with_extension("optimised");
    let mut wasm_opt = node.tool("wasm-opt");
    wasm_opt
        .args(passes)
        .args(WASM_FEATURES)
        .arg(file)
        .arg("-o")
        .arg(&optimised);
    process::run(&format!("optimising the {name} wasm"), &mut wasm_opt)?;
    fs::rename(&optimised, file).with_context(|| format!("cannot replace {}", file.display()))
}
