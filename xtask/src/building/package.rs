//! The npm packages: bundled, packed, and installed as a user would; and the plugin for Claude Code, the package of JSR
//! and the viewer's page, which have a part of them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::wasm::{self, Build};
use super::{deflate, licences, vocabulary};
use crate::folder;
use crate::process;
use crate::stamp::{Inputs, Stamp};
use crate::tools::node::{self, Node};
use crate::workspace::Workspace;

/// The texts of the package beside its code.
const PAPERS: [&str; 3] = ["README.md", LICENCES[0], LICENCES[1]];

/// Those of them that the plugin has, beside a page of its own.
const LICENCES: [&str; 2] = ["LICENSE-MIT", "LICENSE-APACHE"];

/// The licences of what is bundled of others, which the bundler writes of packages, and to which those of crates come.
const BUNDLED_LICENCES: &str = "LICENSES-BUNDLED.txt";

/// The names of the packages: the second one counts exact tokens, and is installed beside the first.
pub(crate) const NAMES: [&str; 2] = ["milepost", EXACT_TOKENS];

const EXACT_TOKENS: &str = "milepost-exact-tokens";

/// The folder that is packed.
pub(crate) fn folder(workspace: &Workspace) -> PathBuf {
    workspace.artefacts().join("npm")
}

/// The folder that is packed of exact tokens.
pub(crate) fn exact_tokens_folder(workspace: &Workspace) -> PathBuf {
    workspace.artefacts().join("npm-exact-tokens")
}

/// A list of the packages that the bundles of each package have parts of, in JSON.
pub(crate) fn bundled(workspace: &Workspace) -> PathBuf {
    workspace.artefacts().join("bundled.json")
}

/// Brings `target/milepost/milepost.tgz`, `milepost-exact-tokens.tgz` beside it, the plugin, the package of JSR and the
/// viewer's page up to date. `pkg/build.mjs` knows the entries and how each is bundled; here they get the wasm, the papers, and a fixed name.
pub(crate) fn build(workspace: &Workspace, node: &Node) -> Result<()> {
    let source = workspace.join("pkg");
    let (tarball, plugin) = (workspace.tarball(), workspace.claude_plugin());
    let (viewer, jsr) = (workspace.viewer(), workspace.jsr());
    let exact_tokens_tarball = workspace.exact_tokens_tarball();
    let mut inputs = Inputs::default()
        .text(&node.tools().to_string_lossy())
        .folder(&source)?
        .folder(&wasm::folder(workspace))?
        .folder(&vocabulary::folder(workspace))?;
    // The lock file names the crates, whose licences go along.
    for file in PAPERS.iter().chain(&["Cargo.lock"]) {
        inputs = inputs.file(&workspace.join(file))?;
    }
    let stamp = Stamp::new(workspace.artefacts().join("milepost.tgz.stamp"), inputs);
    let made = [&tarball, &exact_tokens_tarball, &plugin, &viewer, &jsr];
    if made.iter().all(|made| stamp.is_fresh(made)) {
        return Ok(());
    }

    stamp.revoke()?;
    let folder = folder(workspace);
    let exact_tokens = exact_tokens_folder(workspace);
    for made in [&folder, &exact_tokens, &plugin, &viewer, &jsr] {
        folder::make_empty(made)?;
    }
    let mut bundle = bundler(workspace, node, &folder, &exact_tokens);
    bundle
        .arg("--plugin")
        .arg(&plugin)
        .arg("--viewer")
        .arg(&viewer)
        .arg("--jsr")
        .arg(&jsr)
        .arg("--bundled")
        .arg(bundled(workspace));
    process::run("bundling the npm package", &mut bundle)?;
    for paper in PAPERS {
        fs::copy(workspace.join(paper), folder.join(paper))?;
        fs::copy(workspace.join(paper), jsr.join(paper))?;
    }
    let crates = licences::of_crates(workspace)?;
    for folder in [&folder, &plugin, &jsr] {
        let file = folder.join(BUNDLED_LICENCES);
        let of_packages = fs::read_to_string(&file)
            .with_context(|| format!("the bundler left no {}", file.display()))?;
        fs::write(&file, format!("{of_packages}\n{crates}"))?;
    }
    for licence in LICENCES {
        fs::copy(workspace.join(licence), plugin.join(licence))?;
        fs::copy(workspace.join(licence), exact_tokens.join(licence))?;
    }
    for folder in [&folder, &jsr] {
        let page = folder.join(PAPERS[0]);
        let text = without_dead_links(&fs::read_to_string(&page)?, folder);
        fs::write(&page, text)?;
    }
    pack(&folder, &tarball)?;
    pack(&exact_tokens, &exact_tokens_tarball)?;
    stamp.write()?;
    process::note("npm packages: built");
    Ok(())
}

/// A page with the texts of its links to files that are not in this folder in place of those links.
fn without_dead_links(page: &str, folder: &Path) -> String {
    let mut kept = String::with_capacity(page.len());
    let mut rest = page;
    while let Some(middle) = rest.find("](") {
        let Some(length) = rest[middle..].find(')') else {
            break;
        };
        let end = middle + length + 1;
        let target = &rest[middle + 2..end - 1];
        let file = target.split('#').next().unwrap_or_default();
        let is_there = file.is_empty() || target.contains("://") || folder.join(file).exists();
        match rest[..middle].rfind('[').filter(|_| !is_there) {
            Some(start) => {
                kept.push_str(&rest[..start]);
                kept.push_str(&rest[start + 1..middle]);
            }
            None => kept.push_str(&rest[..end]),
        }
        rest = &rest[end..];
    }
    kept + rest
}

/// npm names the file after the version; the artefact's path must not change with it.
fn pack(folder: &Path, tarball: &Path) -> Result<()> {
    let temporary = tempfile::tempdir_in(folder.parent().context("the artefacts' folder")?)?;
    // npm packs the modes that files have.
    folder::set_modes(folder)?;
    let mut pack = node::npm();
    pack.current_dir(folder)
        .args(["pack", "--ignore-scripts", "--pack-destination"]);
    process::run("packing the npm package", pack.arg(temporary.path()))?;
    let packed = folder::files(temporary.path())?;
    let [packed] = packed.as_slice() else {
        bail!("npm pack made {} files instead of one", packed.len());
    };
    deflate::repack(packed)?;
    fs::rename(packed, tarball).with_context(|| format!("cannot replace {}", tarball.display()))
}

/// Bundles what some wasm files are enough for: a package to run from where it is, whose folder is returned. That is
/// named as an installed package's is, by which agents' hooks know it.
pub(crate) fn part(
    workspace: &Workspace,
    node: &Node,
    name: &str,
    builds: &[Build],
) -> Result<PathBuf> {
    let names = Build::names(builds);
    let mut inputs = Inputs::default()
        .text(&node.tools().to_string_lossy())
        .text(&names)
        .folder(&workspace.join("pkg"))?;
    for build in builds {
        inputs = inputs
            .file(&build.file(workspace))?
            .file(&build.glue(workspace))?;
    }
    if builds.contains(&Build::ExactTokens) {
        inputs = inputs.folder(&vocabulary::folder(workspace))?;
    }
    let around = workspace.artefacts().join(name);
    let folder = around.join("milepost");
    let stamp = Stamp::new(around.with_extension("stamp"), inputs);
    if stamp.is_fresh(&folder) {
        return Ok(folder);
    }

    stamp.revoke()?;
    // Hooks may be registered with files of the folder, which is replaced by a finished one.
    let unfinished = around.with_extension("unfinished");
    folder::make_empty(&unfinished)?;
    let viewer = tempfile::tempdir()?;
    // Code of the package finds it there as an installed one.
    let exact_tokens = unfinished.join("node_modules").join(EXACT_TOKENS);
    let mut bundle = bundler(workspace, node, &unfinished, &exact_tokens);
    bundle.arg("--viewer").arg(viewer.path());
    bundle.arg("--part").arg(names);
    process::run("bundling a part of the npm package", &mut bundle)?;
    let old = around.with_extension("old");
    folder::make_empty(&old)?;
    fs::create_dir_all(&around).with_context(|| format!("cannot make {}", around.display()))?;
    if folder.exists() {
        fs::rename(&folder, old.join("milepost"))
            .with_context(|| format!("cannot move {} aside", folder.display()))?;
    }
    fs::rename(&unfinished, &folder)
        .with_context(|| format!("cannot replace {}", folder.display()))?;
    fs::remove_dir_all(&old).with_context(|| format!("cannot remove {}", old.display()))?;
    stamp.write()?;
    Ok(folder)
}

/// The start of a command line that bundles into a folder, and the package of exact tokens into another one.
fn bundler(workspace: &Workspace, node: &Node, folder: &Path, exact_tokens: &Path) -> Command {
    let mut bundle = node::node();
    bundle.arg(workspace.join("pkg/build.mjs"));
    bundle.arg("--tools").arg(node.tools());
    bundle.arg("--builds").arg(Build::names(&Build::ALL));
    bundle.arg("--wasm").arg(wasm::folder(workspace));
    bundle
        .arg("--vocabularies")
        .arg(vocabulary::folder(workspace));
    bundle.arg("--out").arg(folder);
    bundle.arg("--exact-tokens").arg(exact_tokens);
    bundle
}

/// Makes `folder` a project that has both packed packages installed, offline and from nothing: npm
/// would keep an older tarball of the same name.
pub(crate) fn install(workspace: &Workspace, folder: &Path) -> Result<()> {
    folder::make_empty(folder)?;
    fs::write(folder.join("package.json"), "{ \"private\": true }\n")?;
    let mut install = node::npm();
    install
        .current_dir(folder)
        .args(["install", "--offline", "--no-package-lock"])
        .args(["--ignore-scripts", "--no-audit", "--no-fund"])
        .arg(workspace.tarball())
        .arg(workspace.exact_tokens_tarball());
    process::run("installing the packed packages", &mut install)?;
    Ok(())
}

/// The folders in the project beside the package: there it finds the package as a user's code does.
const IN_PROJECT: [&str; 2] = ["tests", "host-examples"];

/// The project in which tests and benches use the package; made again when the tarball or
/// anything in it has changed.
pub(crate) fn project(workspace: &Workspace) -> Result<PathBuf> {
    let folder = workspace.artefacts().join("project");
    let mut inputs = Inputs::default()
        .file(&workspace.tarball())?
        .file(&workspace.exact_tokens_tarball())?;
    for name in IN_PROJECT {
        inputs = inputs.folder(&workspace.join(name))?;
    }
    let stamp = Stamp::new(workspace.artefacts().join("project.stamp"), inputs);
    if !stamp.is_fresh(&folder) {
        stamp.revoke()?;
        install(workspace, &folder)?;
        for name in IN_PROJECT {
            folder::copy(&workspace.join(name), &folder.join(name))?;
        }
        stamp.write()?;
    }
    Ok(folder)
}

#[cfg(test)]
mod tests {
    use super::{Result, without_dead_links};

    #[test]
    fn the_packed_page_links_only_to_packed_files() -> Result<()> {
        let folder = tempfile::tempdir()?;
        std::fs::write(folder.path().join("there.md"), "")?;
        for (page, expected) in [
            ("see [it](there.md#part).", "see [it](there.md#part)."),
            (
                "[up](#up) [web](https://example.org/a)",
                "[up](#up) [web](https://example.org/a)",
            ),
            ("[`a/b`](a/b) is, [c](c.md#d) too", "`a/b` is, c too"),
            ("a list[0] and a call](", "a list[0] and a call]("),
        ] {
            assert_eq!(without_dead_links(page, folder.path()), expected);
        }
        Ok(())
    }
}
