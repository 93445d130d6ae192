//! The core component, composed with one that runs scenarios on it.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use wac_graph::types::Package;
use wac_graph::{CompositionGraph, EncodeOptions, plug};

use crate::building::BuildContext;
use crate::building::compile::{CompileMode, Compiled, compile};
use crate::building::component::{self, Component};
use crate::stamp::{Inputs, Stamp};

/// The wasm that runs the scenarios.
pub(crate) const RUNNER: Compiled = Compiled {
    package: "milepost-scenarios-component",
    name: "scenarios-component",
    features: "",
    mode: CompileMode::SmallCompact,
};

/// Builds it where the core or the runner has changed.
pub(super) fn build(context: &BuildContext) -> Result<PathBuf> {
    let workspace = context.workspace;
    let output = workspace.artefacts().join("corpus/wasmtime.wasm");
    let runner = compile(workspace, context.toolchain()?, RUNNER)?;
    let core = fs::read(context.component(Component::Core)?)?;
    let inputs = Inputs::default()
        .text(include_str!("../../../Cargo.toml"))
        .bytes(&runner)
        .bytes(&core);
    let stamp = Stamp::new(output.with_extension("wasm.stamp"), inputs);
    if !stamp.is_fresh(&output) {
        stamp.revoke()?;
        let runner = component::encode(&runner)?;
        fs::write(&output, compose(core, runner)?)?;
        stamp.write()?;
    }
    Ok(output)
}

/// Binds the imports that the runner has of the core to it; the rest stays an import.
fn compose(core: Vec<u8>, runner: Vec<u8>) -> Result<Vec<u8>> {
    let mut graph = CompositionGraph::new();
    let mut register = |name: &str, bytes: Vec<u8>| -> Result<_> {
        let package = Package::from_bytes(name, None, bytes, graph.types_mut())?;
        Ok(graph.register_package(package)?)
    };
    let core = register("milepost:core", core)?;
    let runner = register("milepost:runner", runner)?;
    plug(&mut graph, vec![core], runner).context("cannot compose the runner with the core")?;
    Ok(graph.encode(EncodeOptions::default())?)
}
