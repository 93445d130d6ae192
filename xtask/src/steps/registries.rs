//! The artefacts that a release publishes, out of registries on this machine.

use std::fs;

use anyhow::{Context, Result};

use super::node::node_file;
use super::{Outcome, passed};
use crate::building::BuildContext;
use crate::building::component::Component;
use crate::command::release;
use crate::process;
use crate::test::Range;
use crate::tools::node::{self, Platform};
use crate::tools::{self, ToolLookup};

/// The major version of Node that npm's registry needs.
const NODE_OF_REGISTRY: u32 = 24;

/// The package, published and installed by npm, pnpm, Yarn, Bun and Deno.
pub(super) fn npm(context: &BuildContext, range: Range) -> Result<Outcome> {
    let manifest = context.workspace.join("xtask/npm-registry");
    let modules = match node::install(&manifest, "npm-registry", Platform::This) {
        Ok(folder) => folder.join("node_modules"),
        Err(error) => return Ok(Outcome::Skipped(format!("no registry: {error:#}"))),
    };
    let hosts = context.hosts()?;
    let mut programs = Vec::new();
    for lookup in [hosts.node(NODE_OF_REGISTRY), hosts.bun(), hosts.deno()] {
        match lookup {
            ToolLookup::At(program) => programs.push(program),
            ToolLookup::Missing(why) => return Ok(Outcome::Skipped(why)),
        }
    }
    let [node, bun, deno] = programs.as_slice() else {
        anyhow::bail!("three programs were looked for");
    };
    node_file(
        context,
        range,
        "tests/hosts/registries/npm.test.mjs",
        &[
            ("MILEPOST_TARBALL", &context.package()?),
            ("MILEPOST_REGISTRY_MODULES", &modules),
            ("MILEPOST_NODE", node),
            ("MILEPOST_BUN", bun),
            ("MILEPOST_DENO", deno),
        ],
    )
}

/// The components, pushed to a registry of OCI's protocol, pulled and run.
pub(super) fn components(context: &BuildContext, range: Range) -> Result<Outcome> {
    let wasmtime = match context.wasmtime()? {
        ToolLookup::At(program) => program,
        ToolLookup::Missing(why) => return Ok(Outcome::Skipped(why.clone())),
    };
    let (registry, skopeo) = match tools::oci() {
        [ToolLookup::At(registry), ToolLookup::At(skopeo)] => (registry, skopeo),
        [ToolLookup::Missing(why), _] | [_, ToolLookup::Missing(why)] => {
            return Ok(Outcome::Skipped(why));
        }
    };
    let folder = tempfile::tempdir()?;
    let mut variables = Vec::new();
    for (component, file, layout) in [
        (
            Component::Command,
            "MILEPOST_COMPONENT",
            "MILEPOST_COMMAND_LAYOUT",
        ),
        (Component::Core, "MILEPOST_CORE", "MILEPOST_CORE_LAYOUT"),
    ] {
        let wasm = context.component(component)?;
        let at = folder.path().join(component.world());
        fs::create_dir(&at)?;
        release::oci_layout(context.workspace, &wasm, &at)?;
        variables.extend([(file, wasm), (layout, at)]);
    }
    let mut variables: Vec<_> = variables
        .iter()
        .map(|(name, path)| (*name, path.as_path()))
        .collect();
    variables.extend([
        ("MILEPOST_WASMTIME", wasmtime.as_path()),
        ("MILEPOST_OCI_REGISTRY", registry.as_path()),
        ("MILEPOST_SKOPEO", skopeo.as_path()),
    ]);
    node_file(
        context,
        range,
        "tests/hosts/registries/oci.test.mjs",
        &variables,
    )
}

/// The crates as they are published: each is compiled from what is packed, and nothing else.
pub(super) fn crates(context: &BuildContext, _range: Range) -> Result<Outcome> {
    let target = context.workspace.join("target/packed-crates");
    let mut cargo = context.cargo("package");
    // A clone that is being worked on has files that differ.
    cargo
        .args(["--locked", "--allow-dirty", "--target-dir"])
        .arg(&target);
    for name in release::CRATES {
        cargo.args(["--package", name]);
    }
    process::run("compiling the packed crates", &mut cargo)?;
    let packed = target.join("package");
    let files = fs::read_dir(&packed).with_context(|| format!("no {}", packed.display()))?;
    let crates = files.filter_map(Result::ok).filter(|it| {
        it.path()
            .extension()
            .is_some_and(|ending| ending == "crate")
    });
    anyhow::ensure!(
        crates.count() == release::CRATES.len(),
        "cargo packed other crates than {:?}",
        release::CRATES
    );
    passed()
}
