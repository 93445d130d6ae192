//! Makes the artefacts of the clone that this runs in.

use std::env::consts::EXE_SUFFIX;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::{archive, bill, oci, registry_entry};
use crate::building::component::Component;
use crate::building::{self, BuildContext, licences, remap};
use crate::folder;
use crate::process;
use crate::tools::toolchain;
use crate::workspace::Workspace;

/// The crates that are published, each after those that it depends on.
const CRATES: [&str; 2] = ["milepost-shape", PROGRAM];

/// The crate that has the program.
pub(crate) const PROGRAM: &str = "milepost";

/// The texts in every archive that neither npm nor cargo makes.
const PAPERS: [&str; 3] = ["README.md", "LICENSE-MIT", "LICENSE-APACHE"];

/// The licences of the crates in the program and in both components.
const LICENCES_OF_CRATES: &str = "LICENSES-CRATES.txt";

/// Makes all of them in `out`, which is emptied.
pub(super) fn make(workspace: &Workspace, out: &Path) -> Result<()> {
    let version = super::version(workspace)?;
    let context = BuildContext::new(workspace);
    building::build(&context)?;
    folder::make_empty(out)?;
    for tarball in [workspace.tarball(), workspace.exact_tokens_tarball()] {
        let stem = tarball
            .file_stem()
            .context("a package has a name")?
            .to_string_lossy();
        copy(&tarball, &out.join(format!("{stem}-{version}.tgz")))?;
    }
    let mut digests = String::new();
    for component in Component::ALL {
        let file = component.file(workspace);
        let stem = file
            .file_stem()
            .context("a component has a name")?
            .to_string_lossy();
        let name = format!("{stem}-{version}");
        copy(&file, &out.join(format!("{name}.wasm")))?;
        let layout = tempfile::tempdir()?;
        digests += &format!("{}  {stem}\n", oci::write(&file, &version, layout.path())?);
        archive::bundle(
            layout.path(),
            "",
            fs::File::create(out.join(format!("{name}.oci.tar")))?,
        )?;
    }
    fs::write(out.join("OCI-DIGESTS"), digests)?;
    let plugin = format!("milepost-claude-plugin-{version}");
    archive::pack(
        &workspace.claude_plugin(),
        &plugin,
        &out.join(format!("{plugin}.tar.gz")),
    )?;
    // A name without the version, which a step of the workflow can go to.
    archive::pack(
        &workspace.jsr(),
        "milepost-jsr",
        &out.join(format!("milepost-jsr-{version}.tar.gz")),
    )?;
    for file in crates(workspace, &version)? {
        copy(
            &file,
            &out.join(file.file_name().context("a crate has a name")?),
        )?;
    }
    let crates = licences::of_crates(workspace)?;
    fs::write(out.join(LICENCES_OF_CRATES), &crates)?;
    programs(workspace, &version, &crates, out)?;
    let manifest = fs::read_to_string(workspace.join("pkg/package.json"))?;
    fs::write(out.join("server.json"), registry_entry::text(&manifest)?)?;
    bill::of_the_packages(workspace, &context, out)?;
    bill::of_the_crates(workspace, out)
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::copy(from, to).with_context(|| format!("cannot copy {}", from.display()))?;
    Ok(())
}

/// Packs the crates as they are published, without compiling them: the step `packed crates` does.
pub(crate) fn crates(workspace: &Workspace, version: &str) -> Result<Vec<PathBuf>> {
    let target = workspace.join("target/crates");
    let mut cargo = toolchain::cargo();
    cargo
        .current_dir(workspace.root())
        // A clone that is being worked on has files that differ; one that is released has none.
        .args(["package", "--no-verify", "--locked", "--allow-dirty"])
        .arg("--target-dir")
        .arg(&target);
    for name in CRATES {
        cargo.args(["--package", name]);
    }
    process::run("packing the crates", &mut cargo)?;
    let packed = target.join("package");
    Ok(CRATES
        .map(|name| packed.join(format!("{name}-{version}.crate")))
        .into())
}

/// The program of this machine, and where the standard library for it is installed, one that needs no C library.
fn programs(workspace: &Workspace, version: &str, crates: &str, out: &Path) -> Result<()> {
    let host = toolchain::fact("host").context("`rustc -vV` names no host")?;
    let pack = |file: &Path, target: &str| {
        let name = format!("milepost-{version}-{target}");
        let temporary = tempfile::tempdir()?;
        copy(
            file,
            &temporary.path().join(format!("milepost{EXE_SUFFIX}")),
        )?;
        for paper in PAPERS {
            copy(&workspace.join(paper), &temporary.path().join(paper))?;
        }
        fs::write(temporary.path().join(LICENCES_OF_CRATES), crates)?;
        archive::pack(temporary.path(), &name, &out.join(format!("{name}.tar.gz")))
    };
    pack(&program(workspace, None)?, &host)?;
    match free_of_libraries(&host) {
        Some(target) if toolchain::has_target(&target) => {
            pack(&program(workspace, Some(&target))?, &target)
        }
        _ => Ok(()),
    }
}

/// The target of a program of this machine that needs no C library; `None` on a machine without such a target.
pub(super) fn free_of_libraries(host: &str) -> Option<String> {
    let machine = host.strip_suffix("-unknown-linux-gnu")?;
    Some(format!("{machine}-unknown-linux-musl"))
}

/// Builds the program for a target, or for this machine, stripped, and returns its file.
fn program(workspace: &Workspace, target: Option<&str>) -> Result<PathBuf> {
    let mut built = workspace.join("target/program");
    let mut cargo = toolchain::cargo();
    cargo
        .current_dir(workspace.root())
        .env_remove("RUSTFLAGS")
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .args(["build", "--release", "--bin", "milepost", "--locked"])
        .arg("--target-dir")
        .arg(&built);
    if let Some(target) = target {
        cargo.args(["--target", target]);
        built.push(target);
    }
    remap::in_place_of_rustc(&mut cargo, workspace)?;
    process::run("building the native program", &mut cargo)?;
    Ok(built.join(format!("release/milepost{EXE_SUFFIX}")))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::free_of_libraries;

    #[test]
    fn linux_has_a_target_that_needs_no_c_library() {
        let of = |host: &str| free_of_libraries(host).unwrap_or_default();
        assert_eq!(of("x86_64-unknown-linux-gnu"), "x86_64-unknown-linux-musl");
        assert_eq!(
            of("aarch64-unknown-linux-gnu"),
            "aarch64-unknown-linux-musl"
        );
        assert_eq!(of("aarch64-apple-darwin"), "");
        assert_eq!(of("x86_64-unknown-linux-musl"), "");
    }
}
