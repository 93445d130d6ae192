//! The licences of the crates that are compiled into what ships, as their makers ask for it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::process;
use crate::tools::toolchain;
use crate::workspace::Workspace;

/// The crate whose dependencies ship.
const LIBRARY: &str = "milepost";

/// The licence whose text is beside the list, as one of Milepost's own.
const WITH_TEXT: &str = "Apache-2.0";

/// The names of a file with a licence that asks for its notice, in capitals and without an ending: the shortest that a
/// maker leaves the choice of, first.
const FILES: [&str; 3] = ["LICENSE-MIT", "LICENSE", "COPYING"];

const RULE: &str =
    "--------------------------------------------------------------------------------";

/// The list, with the text of each: of all crates that any build for any machine may have, by their names.
///
/// # Errors
///
/// Names a crate that has no text with it.
pub(crate) fn of_crates(workspace: &Workspace) -> Result<String> {
    let mut cargo = toolchain::cargo();
    cargo
        .current_dir(workspace.root())
        .args(["metadata", "--locked", "--format-version", "1"]);
    let metadata = serde_json::from_str(&process::run("cargo metadata", &mut cargo)?)?;
    let mut text = "What is compiled has parts of these crates in it, and of Rust's standard library, which is licensed \
                    under MIT OR Apache-2.0:\n"
        .to_owned();
    for package in shipped(&metadata)? {
        text += &format!("\n{RULE}\n\n{}", notice(package)?);
    }
    Ok(text)
}

/// The packages of others that the library has, and those that these have: none that only runs in the compiler.
fn shipped(metadata: &Value) -> Result<Vec<&Value>> {
    let list = |pointer: &str| {
        let list = metadata.pointer(pointer).and_then(Value::as_array);
        list.with_context(|| format!("cargo metadata has no {pointer}"))
    };
    let packages: BTreeMap<&str, &Value> = list("/packages")?
        .iter()
        .filter_map(|it| Some((it["id"].as_str()?, it)))
        .collect();
    let nodes: BTreeMap<&str, &Value> = list("/resolve/nodes")?
        .iter()
        .filter_map(|it| Some((it["id"].as_str()?, it)))
        .collect();
    let library = packages.iter().find(|(_, it)| it["name"] == LIBRARY);
    let (library, _) = library.context("cargo metadata has no library")?;
    let (mut found, mut waiting) = (BTreeMap::new(), vec![*library]);
    while let Some(id) = waiting.pop() {
        let package = packages.get(id).context("a package that is not listed")?;
        let name = (package["name"].as_str(), package["version"].as_str(), id);
        if is_for_compiler(package) || found.insert(name, *package).is_some() {
            continue;
        }
        let needed = nodes.get(id).and_then(|it| it["deps"].as_array());
        for needed in needed.into_iter().flatten() {
            let kinds = needed["dep_kinds"].as_array();
            if kinds.is_some_and(|kinds| kinds.iter().any(|it| it["kind"].is_null())) {
                waiting.extend(needed["pkg"].as_str());
            }
        }
    }
    let of_others = found.into_values().filter(|it| !it["source"].is_null());
    Ok(of_others.collect())
}

fn is_for_compiler(package: &Value) -> bool {
    let targets = package["targets"].as_array();
    let mut kinds = targets
        .into_iter()
        .flatten()
        .filter_map(|it| it["kind"].as_array());
    kinds.any(|kinds| kinds.iter().any(|it| it == "proc-macro"))
}

/// The name, version and licence of a package, with the text.
fn notice(package: &Value) -> Result<String> {
    let member = |name: &str| package[name].as_str().unwrap_or_default();
    let (name, version, licence) = (member("name"), member("version"), member("license"));
    let head = format!("{name} {version}, {licence}\n");
    let has_text_here = format!("{head}\nLICENSE-APACHE has the text.\n");
    if licence == WITH_TEXT {
        return Ok(has_text_here);
    }
    let folder = Path::new(member("manifest_path"))
        .parent()
        .context("a manifest is in a folder")?;
    let Some(file) = file_of(folder)? else {
        // Its maker leaves the choice.
        if licence.split(" OR ").any(|it| it == WITH_TEXT) {
            return Ok(has_text_here);
        }
        bail!("{name} {version} has no file with its licence, {licence}");
    };
    let text = fs::read_to_string(&file).with_context(|| format!("no {}", file.display()))?;
    let text = text.replace("\r\n", "\n");
    Ok(format!("{head}\n{}\n", text.trim()))
}

/// The file of a package with the licence that is heeded.
fn file_of(folder: &Path) -> Result<Option<PathBuf>> {
    let mut found: Vec<(usize, PathBuf)> = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| format!("no {}", folder.display()))? {
        let path = entry?.path();
        let stem = path.file_stem().unwrap_or_default().to_ascii_uppercase();
        let rank = FILES.iter().position(|name| stem == *name);
        found.extend(rank.map(|rank| (rank, path)));
    }
    Ok(found.into_iter().min().map(|(_, path)| path))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::fs;

    use serde_json::json;

    use super::{file_of, of_crates, shipped};
    use crate::workspace::Workspace;

    #[test]
    fn list_has_each_crate_that_ships_and_none_of_the_build() {
        let text = of_crates(&Workspace::find().unwrap()).unwrap();
        for name in ["clap", "imara-diff", "memchr", "sha2", "strsim"] {
            assert!(text.contains(&format!("\n\n{name} ")), "{name}");
        }
        for name in ["milepost", "syn", "tempfile", "wasm-bindgen-cli-support"] {
            assert!(!text.contains(&format!("\n\n{name} ")), "{name}");
        }
    }

    #[test]
    fn what_only_tests_or_builds_a_crate_is_left_out() {
        let package = |id: &str, kind: &str| json!({ "id": id, "name": id, "source": "registry", "targets": [{ "kind": [kind] }] });
        let needs =
            |id: &str, kind: Option<&str>| json!({ "pkg": id, "dep_kinds": [{ "kind": kind }] });
        let metadata = json!({
            "packages": [
                { "id": "milepost", "name": "milepost", "source": null, "targets": [] },
                package("ships", "lib"), package("below", "lib"), package("derives", "proc-macro"),
                package("tests", "lib"), package("builds", "lib"), package("other", "lib"),
            ],
            "resolve": { "nodes": [
                { "id": "milepost", "deps": [
                    needs("ships", None), needs("derives", None), needs("tests", Some("dev")), needs("builds", Some("build")),
                ] },
                { "id": "ships", "deps": [needs("below", None), needs("milepost", None)] },
            ] },
        });
        let names: Vec<_> = shipped(&metadata)
            .unwrap()
            .into_iter()
            .map(|it| &it["name"])
            .collect();
        assert_eq!(names, ["below", "ships"]);
    }

    #[test]
    fn of_two_licences_the_one_that_asks_for_less_is_heeded() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(file_of(folder.path()).unwrap(), None);
        for name in ["COPYING", "LICENSE-APACHE", "license-mit", "src.rs"] {
            fs::write(folder.path().join(name), name).unwrap();
        }
        let found = file_of(folder.path()).unwrap().unwrap();
        assert!(found.ends_with("license-mit"), "{found:?}");
    }
}
