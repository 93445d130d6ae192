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
            .args(["--no-default-features", "--features", set])
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
    let components = Component::ALL.map(Component::world);
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
        let has_no_host = matches!(build, Build::Viewer | Build::ExactTokens);
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
        let (name, most) = (build.name(), build.most_gzip());
        if gzip > most {
            bail!("the {name} wasm is {gzip} bytes after gzip; at most {most}");
        }
        remark.push(format!("{} {raw} bytes, {gzip} after gzip", build.name()));
    }
    Ok(Outcome::Passed(remark.join("; ")))
}
