//! A Rust toolchain that builds for `wasm32-unknown-unknown`: rustup's, else Debian's.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, bail};

use super::debian;
use crate::process;

/// The one target of everything that is built here.
pub(crate) const TARGET: &str = "wasm32-unknown-unknown";

/// Set to `rustup` or `debian`, it leaves out the other.
const CHOICE: &str = "MILEPOST_WASM_TOOLCHAIN";

const DEBIAN_CARGO: &str = "/usr/bin/cargo";
const DEBIAN_RUSTC: &str = "/usr/bin/rustc";
const DEBIAN_PACKAGES: [&str; 3] = ["rustc-web", "cargo-web", "rust-web-src"];

const WHAT_TO_INSTALL: &str = "\
Building needs Rust's standard library for wasm32-unknown-unknown. Install it in one of these ways:
  rustup target add wasm32-unknown-unknown
  apt-get install --no-install-recommends rustc-web cargo-web rust-web-src lld   (Debian, as root)";

/// The way in which cargo is called to build wasm.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Toolchain {
    /// The cargo that runs this, which has the target's standard library.
    Installed {
        /// True if it has the sources of the standard library too.
        has_sources: bool,
    },
    /// Debian's compiler with the sources of the standard library, which is built with the crate.
    Debian {
        /// A linker for wasm.
        linker: PathBuf,
    },
}

impl Toolchain {
    /// Finds a toolchain, and sets one up where that is possible without asking.
    ///
    /// # Errors
    ///
    /// Says what to install.
    pub(crate) fn set_up() -> Result<Self> {
        let choice = env::var(CHOICE).unwrap_or_default();
        match choice.as_str() {
            "" => {
                if is_installed() || add_with_rustup() {
                    return Ok(installed());
                }
                debian()
            }
            "rustup" if is_installed() || add_with_rustup() => Ok(installed()),
            "rustup" => bail!("rustup could not add the target.\n{WHAT_TO_INSTALL}"),
            "debian" => debian(),
            other => bail!("{CHOICE} is `{other}`; it can be `rustup` or `debian`"),
        }
    }

    /// The start of a cargo command line for the target.
    pub(crate) fn cargo(&self, subcommand: &str) -> Command {
        match self {
            Self::Installed { .. } => {
                let mut command = cargo();
                command.args([subcommand, "--target", TARGET]);
                command
            }
            Self::Debian { linker } => {
                let mut command = Command::new(DEBIAN_CARGO);
                command
                    // This process runs under another toolchain, whose traces mislead Debian's.
                    .env_remove("RUSTUP_TOOLCHAIN")
                    .env_remove("RUSTC_WRAPPER")
                    .env("RUSTC", DEBIAN_RUSTC)
                    .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker)
                    .args([subcommand, "--target", TARGET]);
                command
            }
        }
    }

    /// Has cargo build the standard library too, for size, and returns what rustc needs then.
    ///
    /// A panic is a bare trap: its message, and all that prints it, would be a tenth of the wasm.
    /// Nothing that comes from outside panics, and JavaScript sees the trap either way. To read the
    /// message of a panic, build without this.
    pub(crate) fn build_std(&self, cargo: &mut Command) -> &'static [&'static str] {
        if let Self::Installed { has_sources: false } = self {
            return &[];
        }
        cargo
            // The flags are for the nightly compiler; this lets the stable one take them.
            .env("RUSTC_BOOTSTRAP", "1")
            .arg("-Zbuild-std=std,panic_abort")
            .arg("-Zbuild-std-features=optimize_for_size");
        &["-Zunstable-options", "-Cpanic=immediate-abort"]
    }

    /// Has cargo build the standard library where none is installed, as tests need it: a panic says
    /// why.
    pub(crate) fn build_std_for_tests(&self, cargo: &mut Command) {
        if let Self::Debian { .. } = self {
            cargo
                .env("RUSTC_BOOTSTRAP", "1")
                .arg("-Zbuild-std=std,panic_abort,test");
        }
    }

    /// Two compilers do not share a target folder: each would discard the other's work.
    pub(crate) fn target_folder(&self) -> &'static str {
        match self {
            Self::Installed { .. } => "target/wasm",
            Self::Debian { .. } => "target/wasm-debian",
        }
    }
}

/// The cargo that runs this.
pub(crate) fn cargo() -> Command {
    Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

fn rustc() -> Command {
    Command::new(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
}

/// Finds the compiler's own folder, which has its libraries and their sources.
pub(crate) fn sysroot() -> Option<PathBuf> {
    process::stdout_of(rustc().args(["--print", "sysroot"])).map(PathBuf::from)
}

/// A line of what the compiler says of itself: `host`, `commit-hash`.
pub(crate) fn fact(name: &str) -> Option<String> {
    let said = process::stdout_of(rustc().arg("-vV"))?;
    let mut lines = said.lines().filter_map(|line| line.split_once(": "));
    let (_, fact) = lines.find(|(key, _)| *key == name)?;
    Some(fact.to_owned())
}

/// Returns whether the compiler has the standard library for a target.
pub(crate) fn has_target(target: &str) -> bool {
    let folder = process::stdout_of(rustc().args(["--print", "target-libdir", "--target", target]));
    folder.is_some_and(|folder| Path::new(&folder).is_dir())
}

fn is_installed() -> bool {
    has_target(TARGET)
}

fn installed() -> Toolchain {
    let has_sources = || sysroot().is_some_and(|sysroot| standard_library(&sysroot).is_dir());
    if !has_sources() {
        let mut rustup = Command::new("rustup");
        rustup.args(["component", "add", "rust-src"]);
        if let Err(error) = process::run("rustup component add rust-src", &mut rustup) {
            process::note(&format!(
                "without the sources of the standard library the wasm is larger.\n{error:#}"
            ));
        }
    }
    Toolchain::Installed {
        has_sources: has_sources(),
    }
}

/// The folder of a toolchain's sources of the standard library.
fn standard_library(sysroot: &Path) -> PathBuf {
    sysroot.join("lib/rustlib/src/rust/library/std")
}

fn add_with_rustup() -> bool {
    let mut rustup = Command::new("rustup");
    rustup.args(["target", "add", TARGET]);
    if let Err(error) = process::run("rustup target add", &mut rustup) {
        process::note(&format!(
            "rustup cannot add the wasm target; trying Debian's.\n{error:#}"
        ));
    }
    // Another process may have added it by now.
    is_installed()
}

fn debian() -> Result<Toolchain> {
    if !debian_is_complete() {
        install_debian()?;
    }
    let Some(linker) = wasm_linker() else {
        bail!("No linker for wasm: neither rust-lld nor wasm-ld.\n{WHAT_TO_INSTALL}");
    };
    Ok(Toolchain::Debian { linker })
}

fn debian_is_complete() -> bool {
    let Some(sysroot) = process::stdout_of(Command::new(DEBIAN_RUSTC).args(["--print", "sysroot"]))
    else {
        return false;
    };
    standard_library(Path::new(&sysroot)).is_dir() && Path::new(DEBIAN_CARGO).is_file()
}

fn install_debian() -> Result<()> {
    let is_root = process::stdout_of(Command::new("id").arg("-u")).is_some_and(|id| id == "0");
    if !is_root || process::stdout_of(Command::new("apt-get").arg("--version")).is_none() {
        bail!(WHAT_TO_INSTALL);
    }
    let install = || {
        let mut packages = DEBIAN_PACKAGES.to_vec();
        if wasm_linker().is_none() {
            packages.push("lld");
        }
        let mut apt = Command::new("apt-get");
        apt.env("DEBIAN_FRONTEND", "noninteractive")
            .args(debian::WAIT)
            // These packages conflict with Debian's `rustc` and `rustup`: never remove those.
            .args(["install", "--yes", "--no-remove", "--no-install-recommends"])
            .args(packages);
        process::run("apt-get install (Rust for wasm)", &mut apt)
    };
    if install().is_ok() {
        return Ok(());
    }
    // The package lists may be older than what the mirror still has.
    let updated = process::run("apt-get update", Command::new("apt-get").arg("update"));
    match updated.and_then(|_| install()) {
        Ok(_) => Ok(()),
        Err(error) => bail!("{error:#}\n\n{WHAT_TO_INSTALL}"),
    }
}

/// rustup's `rust-lld`, else Debian's `wasm-ld`.
fn wasm_linker() -> Option<PathBuf> {
    let in_sysroot = || {
        let library = process::stdout_of(rustc().args(["--print", "target-libdir"]))?;
        let linker = Path::new(&library).parent()?.join("bin/rust-lld");
        linker.is_file().then_some(linker)
    };
    let on_path = || {
        let folders = env::var_os("PATH")?;
        env::split_paths(&folders)
            .map(|folder| folder.join("wasm-ld"))
            .find(|file| file.is_file())
    };
    in_sysroot().or_else(on_path)
}
