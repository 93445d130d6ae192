//! The components: cargo, then wasm-opt, then wit-component.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use wit_component::ComponentEncoder;

use super::compile::{CompileMode, Compiled, compile};
use super::optimise;
use crate::process;
use crate::stamp::{Inputs, Stamp};
use crate::tools::node::Node;
use crate::tools::toolchain::Toolchain;
use crate::workspace::Workspace;

/// A runtime compiles a component ahead, so that its bytes before gzip count.
const OPTIMISE: &[&str] = &["-Oz"];

/// One component, made for a world of `wit/milepost.wit`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Component {
    /// The rules and operations, for any host: exports only.
    Core,
    /// The command line, for hosts of WASI 0.2.
    Command,
}

impl Component {
    pub(crate) const ALL: [Self; 2] = [Self::Core, Self::Command];

    /// The name of its world, and of its feature of cargo.
    pub(crate) fn world(self) -> &'static str {
        match self {
            Self::Core => "core",
            Self::Command => "command",
        }
    }

    /// The file that ships.
    pub(crate) fn file(self, workspace: &Workspace) -> PathBuf {
        workspace.artefacts().join(match self {
            Self::Core => "milepost-core.wasm",
            Self::Command => "milepost.wasm",
        })
    }

    pub(super) fn compiled(self) -> Compiled {
        Compiled {
            package: "milepost",
            name: match self {
                Self::Core => "core-component",
                Self::Command => "command-component",
            },
            features: self.world(),
            mode: CompileMode::SmallCompact,
        }
    }
}

/// Brings one component up to date; says if there was anything to do.
pub(crate) fn build(
    workspace: &Workspace,
    toolchain: &Toolchain,
    node: &Node,
    component: Component,
) -> Result<()> {
    let compiled = compile(workspace, toolchain, component.compiled())?;
    if finish(workspace, node, component, &compiled)? {
        process::note(&format!("{} component: built", component.world()));
    }
    Ok(())
}

/// The machine code that wasmtime makes of the command line's component, as an installation would: made again where
/// the component or wasmtime has changed.
pub(crate) fn compile_ahead(
    workspace: &Workspace,
    wasmtime: &Path,
    component: &Path,
) -> Result<PathBuf> {
    let output = workspace.artefacts().join("milepost.cwasm");
    let version = process::stdout_of(Command::new(wasmtime).arg("--version"));
    let inputs = Inputs::default()
        .text(&version.unwrap_or_default())
        .file(component)?;
    let stamp = Stamp::new(output.with_extension("cwasm.stamp"), inputs);
    if !stamp.is_fresh(&output) {
        stamp.revoke()?;
        let mut compile = Command::new(wasmtime);
        compile.args(["compile", "-o"]).arg(&output).arg(component);
        process::run("compiling milepost.wasm for this machine", &mut compile)?;
        stamp.write()?;
    }
    Ok(output)
}

/// From cargo's wasm to the component. Returns false where that was done before.
fn finish(
    workspace: &Workspace,
    node: &Node,
    component: Component,
    compiled: &[u8],
) -> Result<bool> {
    let output = component.file(workspace);
    let inputs = optimise::inputs(node, OPTIMISE)?
        // Pins wit-component's version.
        .text(include_str!("../../Cargo.toml"))
        .bytes(compiled);
    let stamp = Stamp::new(output.with_extension("wasm.stamp"), inputs);
    if stamp.is_fresh(&output) {
        return Ok(false);
    }

    stamp.revoke()?;
    // Optimised first: wasm-opt knows no components. It keeps the custom section in which
    // wit-bindgen left the world.
    let name = component.compiled().name;
    let core = output.with_extension("core.wasm");
    fs::write(&core, compiled).with_context(|| format!("cannot write {}", core.display()))?;
    optimise::optimise(node, name, OPTIMISE, &core)?;
    let encoded = encode(&fs::read(&core)?)
        .with_context(|| format!("cannot make a component of the {name} wasm"))?;
    fs::write(&output, encoded).with_context(|| format!("cannot write {}", output.display()))?;
    fs::remove_file(&core)?;
    stamp.write()?;
    Ok(true)
}

/// The optimised module of a component, with the names of its functions.
pub(crate) fn with_names(
    workspace: &Workspace,
    toolchain: &Toolchain,
    node: &Node,
    component: Component,
) -> Result<Vec<u8>> {
    let compiled = component.compiled();
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("named.wasm");
    fs::write(&file, compile(workspace, toolchain, compiled)?)?;
    let keeping_names = [OPTIMISE, &["--debuginfo"]].concat();
    optimise::optimise(node, compiled.name, &keeping_names, &file)?;
    Ok(fs::read(&file)?)
}

/// The component of a wasm module, which is checked against its world.
pub(crate) fn encode(module: &[u8]) -> Result<Vec<u8>> {
    ComponentEncoder::default()
        .validate(true)
        .module(module)?
        .encode()
}
