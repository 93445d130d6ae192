//! The artefacts that a release publishes, out of registries on this machine.

use std::env::consts::EXE_SUFFIX;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use super::consumers;
use super::node::node_file;
use super::{Outcome, passed};
use crate::building::BuildContext;
use crate::building::component::Component;
use crate::command::release;
use crate::test::Range;
use crate::tools::node::{self, Platform};
use crate::tools::{self, ToolLookup, toolchain};
use crate::{folder, process, stamp};

/// The major version of Node that npm's registry needs.
const NODE_OF_REGISTRY: u32 = 24;

/// The packages, published and installed by npm, pnpm, Yarn, Bun and Deno; then each kind of consumer, with what npm
/// installed from there.
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
    let projects = context.workspace.artefacts().join("registry-consumers");
    folder::make_empty(&projects)?;
    let installed = projects.join("installed");
    let tests = node_file(
        context,
        range,
        "tests/hosts/registries/npm.test.mjs",
        &[
            ("MILEPOST_TARBALL", &context.package()?),
            (
                "MILEPOST_EXACT_TOKENS",
                &context.workspace.exact_tokens_tarball(),
            ),
            ("MILEPOST_INSTALLED", &installed),
            ("MILEPOST_REGISTRY_MODULES", &modules),
            ("MILEPOST_NODE", node),
            ("MILEPOST_BUN", bun),
            ("MILEPOST_DENO", deno),
        ],
    )?;
    match (tests, consumers::of(context, range, &installed)?) {
        (Outcome::Passed(tests), Outcome::Passed(projects)) => {
            Ok(Outcome::Passed(format!("{tests}, {projects}")))
        }
        (Outcome::Passed(_), skipped) | (skipped, _) => Ok(skipped),
    }
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

/// The package of JSR: its own checks, and Deno with it.
pub(super) fn jsr(context: &BuildContext, range: Range) -> Result<Outcome> {
    let deno = match context.hosts()?.deno() {
        ToolLookup::At(program) => program,
        ToolLookup::Missing(why) => return Ok(Outcome::Skipped(why)),
    };
    context.package()?;
    node_file(
        context,
        range,
        "tests/hosts/registries/jsr.test.mjs",
        &[
            ("MILEPOST_JSR", &context.workspace.jsr()),
            ("MILEPOST_DENO", &deno),
        ],
    )
}

/// The crates as they are published: `cargo install milepost --locked` out of a registry that has them beside all that
/// they depend on. It compiles what is packed, and nothing else.
pub(super) fn crates(context: &BuildContext, _range: Range) -> Result<Outcome> {
    let version = release::version(context.workspace)?;
    let folder = tempfile::tempdir()?;
    let registry = folder.path().join("registry");
    let mut vendor = context.cargo("vendor");
    vendor.args(["--locked", "--quiet"]).arg(&registry);
    process::run("copying the crates of others", &mut vendor)?;
    for file in release::crates(context.workspace, &version)? {
        unpack(&file, &registry)?;
    }
    let (root, target) = (
        folder.path().join("root"),
        context.workspace.join("target/packed-crates"),
    );
    let mut install = toolchain::cargo();
    install
        .current_dir(folder.path())
        .args(["install", release::PROGRAM, "--version", &version])
        // As anyone installs it, but for the time that an optimised one takes.
        .args(["--locked", "--offline", "--debug"])
        .arg("--config")
        .arg("source.crates-io.replace-with = 'packed'")
        .arg("--config")
        .arg(format!(
            "source.packed.directory = '{}'",
            registry.display()
        ))
        .arg("--root")
        .arg(&root)
        .arg("--target-dir")
        .arg(&target);
    process::run("installing the packed crate", &mut install)?;
    let program = root.join(format!("bin/milepost{EXE_SUFFIX}"));
    let said = process::stdout_of(Command::new(&program).arg("--version"));
    let expected = format!("milepost {version}");
    anyhow::ensure!(
        said.as_ref().is_some_and(|it| it.starts_with(&expected)),
        "expected `{expected}` of the installed program, got {said:?}"
    );
    passed()
}

/// Puts a packed crate into a registry that is a folder.
fn unpack(packed: &Path, registry: &Path) -> Result<()> {
    let bytes = fs::read(packed).with_context(|| format!("no {}", packed.display()))?;
    tar::Archive::new(flate2::read::GzDecoder::new(bytes.as_slice())).unpack(registry)?;
    let name = packed.file_stem().context("a crate has a name")?;
    let sums = serde_json::json!({ "files": {}, "package": stamp::sha256(&bytes) });
    let file = registry.join(name).join(".cargo-checksum.json");
    fs::write(&file, sums.to_string()).with_context(|| format!("cannot write {}", file.display()))
}
