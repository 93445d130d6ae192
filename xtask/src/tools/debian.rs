//! Programs that Debian packages: on the PATH, or installed where this may be done.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::ToolLookup;
use crate::process;

/// Finds programs on the PATH; as root on Debian, installs the packages where one is missing. What
/// is `called` so, for people who wait, has these programs in these packages.
pub(super) fn find<const N: usize>(
    called: &str,
    packages: &[&str],
    programs: [&str; N],
) -> [ToolLookup; N] {
    if programs.iter().any(|program| on_path(program).is_none()) {
        install(called, packages);
    }
    programs.map(|program| match on_path(program) {
        Some(found) => ToolLookup::At(found),
        None => ToolLookup::Missing(format!(
            "no {program} on the PATH (apt-get install {})",
            packages.join(" ")
        )),
    })
}

/// Another process may be installing something.
pub(super) const WAIT: [&str; 2] = ["-o", "DPkg::Lock::Timeout=600"];

fn install(called: &str, packages: &[&str]) {
    let is_root = process::stdout_of(Command::new("id").arg("-u")).is_some_and(|id| id == "0");
    if !is_root || !Path::new("/usr/bin/apt-get").exists() {
        return;
    }
    let apt = |words: &[&str]| {
        let mut apt = Command::new("apt-get");
        apt.env("DEBIAN_FRONTEND", "noninteractive")
            .args(WAIT)
            .args(words);
        process::run(&format!("apt-get ({called})"), &mut apt)
    };
    let flags = ["install", "--yes", "--no-remove", "--no-install-recommends"];
    let words = [&flags, packages].concat();
    // The package lists may be older than what the mirror still has.
    let installed = apt(&words).or_else(|_| {
        apt(&["update"])?;
        apt(&words)
    });
    if let Err(error) = installed {
        process::note(&format!("{called} cannot be installed.\n{error:#}"));
    }
}

fn on_path(name: &str) -> Option<PathBuf> {
    env::split_paths(&env::var_os("PATH")?)
        .map(|folder| folder.join(name))
        .find(|file| file.is_file())
}
