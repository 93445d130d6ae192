//! The bills of materials, in CycloneDX's form: each made by the package manager's own tool.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::Value;

use super::PROGRAM;
use crate::building::{BuildContext, package};
use crate::folder;
use crate::process;
use crate::tools::{self, ToolLookup, node, toolchain};
use crate::workspace::Workspace;

/// Members that differ each time: of what is in an artefact they tell nothing.
const VARYING: [&str; 2] = ["/serialNumber", "/metadata/timestamp"];

/// The bills of the crate: for whom, for which target, with which features.
const OF_CRATES: [(&str, Option<&str>, &str); 3] = [
    ("program", None, "native"),
    ("milepost.wasm", Some(toolchain::TARGET), "command"),
    ("milepost-core.wasm", Some(toolchain::TARGET), "core"),
];

/// Of each npm package: what its bundles have in them of others, as npm lists it.
pub(super) fn of_the_packages(
    workspace: &Workspace,
    context: &BuildContext,
    out: &Path,
) -> Result<()> {
    let tools = context.node()?.tools().join("node_modules");
    let bundled: BTreeMap<String, Vec<String>> = serde_json::from_str(
        &fs::read_to_string(package::bundled(workspace)).context("the package was not bundled")?,
    )?;
    for folder in [
        package::folder(workspace),
        package::exact_tokens_folder(workspace),
    ] {
        let mut manifest = read(&folder.join("package.json"))?;
        let name = manifest["name"]
            .as_str()
            .context("a package has a name")?
            .to_owned();
        let names = bundled
            .get(&name)
            .with_context(|| format!("no list of {name}"))?;
        // npm names the bill's subject by its folder.
        let temporary = tempfile::tempdir()?;
        let project = temporary.path().join(&name);
        // These are no dependencies of who installs the package: they are in it.
        let mut dependencies = serde_json::Map::new();
        for name in names {
            let mut of_other = read(&tools.join(name).join("package.json"))?;
            dependencies.insert(name.clone(), of_other["version"].clone());
            let members = of_other
                .as_object_mut()
                .context("a manifest is an object")?;
            members.retain(|key, _| !key.ends_with("ependencies") && !key.starts_with('_'));
            let to = project.join("node_modules").join(name);
            fs::create_dir_all(&to)?;
            fs::write(to.join("package.json"), of_other.to_string())?;
        }
        let members = manifest
            .as_object_mut()
            .context("a manifest is an object")?;
        members.retain(|key, _| !key.starts_with("peerDependencies"));
        members.insert("dependencies".to_owned(), dependencies.into());
        fs::create_dir_all(&project)?;
        fs::write(project.join("package.json"), manifest.to_string())?;
        let mut npm = node::npm();
        npm.current_dir(&project)
            .args(["sbom", "--sbom-format", "cyclonedx"]);
        let bill = process::run(
            "npm's bill of materials",
            npm.args(["--sbom-type", "library"]),
        )?;
        write(&bill, &out.join(format!("{name}.tgz.cdx.json")))?;
    }
    Ok(())
}

fn read(manifest: &Path) -> Result<Value> {
    let text = fs::read_to_string(manifest)
        .with_context(|| format!("cannot read {}", manifest.display()))?;
    serde_json::from_str(&text).with_context(|| format!("{} is no JSON", manifest.display()))
}

/// Of what is compiled from crates.
pub(super) fn of_the_crates(workspace: &Workspace, out: &Path) -> Result<()> {
    let program = match tools::cargo_cyclonedx()? {
        ToolLookup::At(program) => program,
        ToolLookup::Missing(why) => anyhow::bail!(why),
    };
    for (name, target, features) in OF_CRATES {
        let mut cyclonedx = std::process::Command::new(&program);
        cyclonedx
            .current_dir(workspace.root())
            .env("CARGO", toolchain::cargo().get_program())
            // It writes beside each manifest of the workspace.
            .args(["cyclonedx", "--format", "json", "--spec-version", "1.5"])
            .args(["--override-filename", "bill", "--no-build-deps"])
            .args(["--no-default-features", "--features", features]);
        match target {
            Some(target) => cyclonedx.args(["--target", target]),
            None => &mut cyclonedx,
        };
        process::run("cargo's bill of materials", &mut cyclonedx)?;
        let file = workspace.join("bill.json");
        let bill = fs::read_to_string(&file).context("cargo-cyclonedx wrote no bill.json")?;
        for written in folder::files(workspace.root())? {
            if written.file_name().is_some_and(|it| it == "bill.json") {
                fs::remove_file(&written)?;
            }
        }
        write(
            &without_folder(&bill, &workspace.root().to_string_lossy()),
            &out.join(format!("{name}.cdx.json")),
        )?;
    }
    Ok(())
}

/// A bill that does not tell where the clone stands. Cargo leaves the name of a package out of its id where the folder has
/// the same name.
fn without_folder(bill: &str, root: &str) -> String {
    const TOP: &str = "path+file://#";
    let without = bill.replace(root, "");
    let mut parts = without.split(TOP);
    let first = parts.next().unwrap_or_default();
    parts.fold(first.to_owned(), |text, part| {
        let is_version = part.starts_with(|it: char| it.is_ascii_digit());
        let name = if is_version {
            format!("{PROGRAM}@")
        } else {
            String::new()
        };
        text + TOP + &name + part
    })
}

/// Writes a bill without what differs each time.
fn write(bill: &str, to: &Path) -> Result<()> {
    let mut bill: Value = serde_json::from_str(bill)?;
    for pointer in VARYING {
        let (parent, member) = pointer.rsplit_once('/').context("a pointer has a slash")?;
        if let Some(parent) = bill.pointer_mut(parent).and_then(Value::as_object_mut) {
            parent.remove(member);
        }
    }
    fs::write(to, format!("{bill:#}\n")).with_context(|| format!("cannot write {}", to.display()))
}

#[cfg(test)]
mod tests {
    use super::without_folder;

    #[test]
    fn a_bill_is_the_same_in_a_folder_of_any_name() {
        let bill = |root: &str, top: &str| {
            without_folder(
                &format!(
                    r#"["path+file://{root}#{top}", "path+file://{root}/shape#milepost-shape@1.2.3"]"#
                ),
                root,
            )
        };
        let one = bill("/a/milepost", "1.2.3");
        assert_eq!(one, bill("/b/clone", "milepost@1.2.3"));
        assert_eq!(
            one,
            r#"["path+file://#milepost@1.2.3", "path+file:///shape#milepost-shape@1.2.3"]"#
        );
    }
}
