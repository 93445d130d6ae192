//! The wasm that cargo makes of a crate, before any other tool has changed it.

use std::fs;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result, bail};

use super::remap;
use crate::process;
use crate::tools::toolchain::{TARGET, Toolchain};
use crate::workspace::Workspace;

/// The profile and the other flags of rustc. All that is compiled in one way shares a target folder: the
/// standard library, built from its sources, takes longer than most of what is built on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CompileMode {
    Fast,
    FastCompact,
    Small,
    SmallCompact,
    Counting,
}

/// SHA-256 as a loop: written out, as it is for speed elsewhere, it is 7 KB more, which a runtime makes
/// 63 KB of machine code of.
const COMPACT_SHA256: &str = "--cfg=sha2_backend_soft=\"compact\"";

/// A megabyte is what the linker gives a stack by itself, a tenth of all that exact token counts take.
const SMALL_STACK: &str = "-Clink-arg=-zstack-size=262144";

impl CompileMode {
    const COUNT: usize = 5;

    fn name(self) -> &'static str {
        match self {
            Self::Fast => "fast",
            Self::FastCompact => "fast-compact",
            Self::Small => "small",
            Self::SmallCompact => "small-compact",
            Self::Counting => "counting",
        }
    }

    fn profile(self) -> &'static str {
        match self {
            Self::Fast | Self::FastCompact => "wasm",
            Self::Small | Self::SmallCompact => "component",
            Self::Counting => "counting",
        }
    }

    /// The level of its profile in Cargo.toml.
    #[cfg(test)]
    pub(crate) fn opt_level(self) -> &'static str {
        match self {
            Self::Fast | Self::FastCompact => "s",
            Self::Small | Self::SmallCompact => "z",
            Self::Counting => "3",
        }
    }

    /// The size of its stack.
    #[cfg(test)]
    pub(crate) fn stack(self) -> &'static str {
        match self {
            Self::Counting => "256 KiB",
            _ => "1 MiB",
        }
    }

    fn flags(self) -> &'static [&'static str] {
        match self {
            Self::Fast | Self::Small => &[],
            Self::FastCompact | Self::SmallCompact => &[COMPACT_SHA256],
            Self::Counting => &[SMALL_STACK],
        }
    }
}

/// One wasm that cargo makes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Compiled {
    pub(crate) package: &'static str,
    /// Of its file, without the ending.
    pub(crate) name: &'static str,
    pub(crate) features: &'static str,
    pub(crate) mode: CompileMode,
}

impl Compiled {
    /// The words that choose the package and its features: none that is a default of `cargo install`.
    fn selection(&self) -> [&'static str; 5] {
        [
            "--package",
            self.package,
            "--no-default-features",
            "--features",
            self.features,
        ]
    }
}

/// A compilation reads its result in the folder before the next one begins.
static FOLDERS: [Mutex<()>; CompileMode::COUNT] = [const { Mutex::new(()) }; CompileMode::COUNT];

/// Returns the wasm, and leaves a copy in the target folder, under its name.
pub(crate) fn compile(
    workspace: &Workspace,
    toolchain: &Toolchain,
    what: Compiled,
) -> Result<Vec<u8>> {
    let _alone = FOLDERS[what.mode as usize]
        .lock()
        .unwrap_or_else(PoisonError::into_inner);
    let folder = workspace.join(toolchain.target_folder());
    let target = folder.join(what.mode.name());
    let label = format!("compiling the {} wasm", what.name);
    let mut cargo = toolchain.cargo("build");
    let for_std = toolchain.build_std(&mut cargo);
    let flags = [for_std, what.mode.flags()].concat();
    remap::in_place_of_rustc(&mut cargo, workspace)?;
    cargo
        .current_dir(workspace.root())
        // A developer's flags for native builds (`-Ctarget-cpu=native`) are wrong here.
        .env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}"))
        // By itself cargo gives a `cdylib` one file name for all features: builds that share a folder would take
        // each other's file for their own.
        .env("__CARGO_DEFAULT_LIB_METADATA", "milepost")
        .args(what.selection())
        .args(["--lib", "--profile", what.mode.profile()])
        .arg("--target-dir")
        .arg(&target);
    process::run(&label, &mut cargo)?;

    let compiled = target.join(TARGET).join(what.mode.profile());
    let file = format!("{}.wasm", what.package.replace('-', "_"));
    expect_names_of_their_own(&compiled.join("deps").join(&file))?;
    let file = compiled.join(file);
    let bytes = fs::read(&file).with_context(|| format!("cargo left no {}", file.display()))?;
    let copy = folder.join(what.name).with_extension("wasm");
    fs::write(&copy, &bytes).with_context(|| format!("cannot write {}", copy.display()))?;
    Ok(bytes)
}

/// Where cargo does not heed its variable, a file could be another build's.
fn expect_names_of_their_own(shared: &Path) -> Result<()> {
    if shared.exists() {
        bail!(
            "this cargo made {}, a name that several builds would share: give each build a target folder of its own \
             again, in {}",
            shared.display(),
            file!()
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{Compiled, TARGET};
    use crate::building::component::Component;
    use crate::building::wasm::Build;
    use crate::command::corpus;
    use crate::process;
    use crate::tools::toolchain;
    use crate::workspace::Workspace;

    /// The features of the library in a build, as cargo resolves them.
    fn features(what: &Compiled) -> BTreeSet<String> {
        let mut tree = toolchain::cargo();
        tree.current_dir(Workspace::find().expect("the tests run in a clone").root())
            .args(["tree", "--offline", "--edges", "normal", "--target", TARGET])
            .args(["--prefix", "none", "--format", "{p}|{f}"])
            .args(what.selection());
        let output = process::stdout_of(&mut tree).expect("cargo knows the packages of a build");
        let mut library = output.lines().filter(|line| line.starts_with("milepost v"));
        let line = library.next().expect("each build has the library");
        let (_, features) = line.rsplit_once('|').expect("the format has it");
        features
            .split(',')
            .map(|it| it.trim_end_matches(" (*)").to_owned())
            .collect()
    }

    #[test]
    fn no_build_to_wasm_has_the_native_host_or_any_default_feature() {
        let builds = Build::ALL.iter().map(|build| build.compiled());
        let components = Component::ALL.iter().map(|component| component.compiled());
        for what in builds.chain(components).chain([corpus::RUNNER]) {
            let features = features(&what);
            for unwanted in ["default", "native"] {
                assert!(!features.contains(unwanted), "{}: {features:?}", what.name);
            }
            for asked in what.features.split(',').filter(|it| !it.is_empty()) {
                let is_of_library = what.package == "milepost";
                assert!(
                    !is_of_library || features.contains(asked),
                    "{}: {asked}",
                    what.name
                );
            }
        }
    }
}
