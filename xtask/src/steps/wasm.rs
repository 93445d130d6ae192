//! Steps on the wasm that ships.

use std::fs;

use anyhow::{Result, bail};

use super::rust::without;
use super::{Outcome, passed};
use crate::building::component::Component;
use crate::building::inspect::{self, Size};
use crate::building::wasm::Build;
use crate::building::{self, BuildContext};
use crate::process;
use crate::test::Range;
use crate::tools::toolchain::Toolchain;

/// The size that each wasm has reached after gzip, so that none grows unseen. The aim of the hot one is 60 KB;
/// docs/internals/benchmarks.md says why it is missed.
fn most_gzip(build: Build) -> u64 {
    match build {
        // 10 KB of it came with the suspicion of secrets, before a hook stores anything.
        Build::Hot => 103 * 1024,
        Build::Hook => 146 * 1024,
        // Some 25 KB of each build that stores text, from here on, came with the table of secrets and its gate.
        Build::Library => 192 * 1024,
        // 12 KB came with restores that compare what they take away, 10 KB with permission bits and differences.
        Build::Sessions => 458 * 1024,
        // Of the next two, 12 KB and 9 KB came with the tallies of journals and with threads that are recovered.
        Build::Async => 383 * 1024,
        Build::Tasks => 192 * 1024,
        // 32 KB of it came with hooks in the settings of agents: the tables, an editor of JSON with comments
        // that keeps every other byte, diffs, three operations and their verb.
        // 64 KB came with task checkpoints and threads, which it examines and recovers.
        Build::CommandLine => 902 * 1024,
        Build::Viewer => 161 * 1024,
        Build::ViewerAll => 317 * 1024,
        Build::ExactTokens => 42 * 1024,
    }
}

/// Of all that is compiled to wasm: each build and component with its features, and the tests of the binding.
pub(super) fn clippy(context: &BuildContext, _range: Range) -> Result<Outcome> {
    if let Some(skipped) = without(context, "clippy", "clippy") {
        return Ok(skipped);
    }
    let toolchain = context.toolchain()?;
    if let Toolchain::Debian { .. } = toolchain {
        return Ok(Outcome::Skipped(
            "Debian's toolchain for wasm has no clippy".to_owned(),
        ));
    }
    let features = feature_sets();
    let library = Build::Library.features();
    let libraries = features.iter().map(|&set| (&["--lib"][..], set));
    for (target, set) in libraries.chain([(&["--test", "binding"][..], library)]) {
        let mut clippy = toolchain.cargo("clippy");
        clippy
            .current_dir(context.workspace.root())
            .args(["--package", "milepost"])
            .args(target)
            .args(["--features", set])
            // In a folder of its own, so that it runs beside what is compiled for this machine.
            .arg("--target-dir")
            .arg(
                context
                    .workspace
                    .join(toolchain.target_folder())
                    .join("clippy"),
            )
            .args(["--", "-Dwarnings"]);
        process::run(&format!("cargo clippy ({set})"), &mut clippy)?;
    }
    Ok(Outcome::Passed(format!(
        "{} sets of features",
        features.len()
    )))
}

/// Every choice of features that something is built with, once.
fn feature_sets() -> Vec<&'static str> {
    let components = Component::ALL.map(Component::features);
    let mut sets = Vec::from(Build::ALL.map(Build::features));
    sets.extend(components);
    sets.sort_unstable();
    sets.dedup();
    sets
}

pub(super) fn build(context: &BuildContext, _range: Range) -> Result<Outcome> {
    building::build(context)?;
    passed()
}

pub(super) fn imports(context: &BuildContext, _range: Range) -> Result<Outcome> {
    let mut remark = Vec::new();
    for build in Build::ALL {
        let imports = inspect::imports(&fs::read(context.wasm(build)?)?)?;
        let foreign = inspect::foreign(&imports);
        if !foreign.is_empty() {
            bail!(
                "the {} wasm imports more than glue: {}",
                build.name(),
                foreign.join(", ")
            );
        }
        let has_no_host = matches!(build, Build::Viewer | Build::ViewerAll | Build::ExactTokens);
        if has_no_host && imports.contains(inspect::PERFORM) {
            bail!("the {} wasm asks a host", build.name());
        }
        let glue = fs::read_to_string(build.glue(context.workspace))?;
        let ways_out = inspect::ways_out(&glue)?;
        if !ways_out.is_empty() {
            bail!(
                "the {} glue leads out of the core: {}",
                build.name(),
                ways_out.join(", ")
            );
        }
        let list: Vec<&str> = imports.iter().map(String::as_str).collect();
        remark.push(format!("{} {}", build.name(), list.join(" ")));
    }
    Ok(Outcome::Passed(remark.join("; ")))
}

pub(super) fn size(context: &BuildContext, _range: Range) -> Result<Outcome> {
    let mut remark = Vec::new();
    for build in Build::ALL {
        let Size { raw, gzip } = Size::of(&context.wasm(build)?)?;
        let (name, most) = (build.name(), most_gzip(build));
        if gzip > most {
            bail!("the {name} wasm is {gzip} bytes after gzip; at most {most}");
        }
        remark.push(format!("{} {raw} bytes, {gzip} after gzip", build.name()));
    }
    Ok(Outcome::Passed(remark.join("; ")))
}
