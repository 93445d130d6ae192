//! Chromium and its driver, as Debian packages them.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::Host;
use crate::process;

const WHAT_TO_INSTALL: &str = "apt-get install chromium chromium-driver";

/// Where the tests of pages run.
#[derive(Debug)]
pub(crate) struct Chromium {
    pub(crate) browser: Host,
    pub(crate) driver: Host,
}

/// Finds Chromium on the PATH; as root on Debian, installs it.
pub(crate) fn chromium() -> Chromium {
    if on_path("chromium").is_none() || on_path("chromedriver").is_none() {
        install();
    }
    Chromium {
        browser: host("chromium"),
        driver: host("chromedriver"),
    }
}

fn host(name: &str) -> Host {
    match on_path(name) {
        Some(program) => Host::At(program),
        None => Host::Missing(format!("no {name} on the PATH ({WHAT_TO_INSTALL})")),
    }
}

fn install() {
    let is_root = process::ask(Command::new("id").arg("-u")).is_some_and(|id| id == "0");
    if !is_root || !Path::new("/usr/bin/apt-get").exists() {
        return;
    }
    let apt = |words: &[&str]| {
        let mut apt = Command::new("apt-get");
        apt.env("DEBIAN_FRONTEND", "noninteractive").args(words);
        process::run("apt-get (Chromium)", &mut apt)
    };
    let packages = || {
        apt(&[
            "install",
            "--yes",
            "--no-remove",
            "--no-install-recommends",
            "chromium",
            "chromium-driver",
        ])
    };
    // The package lists may be older than what the mirror still has.
    let installed = packages().or_else(|_| {
        apt(&["update"])?;
        packages()
    });
    if let Err(error) = installed {
        process::note(&format!("Chromium cannot be installed.\n{error:#}"));
    }
}

fn on_path(name: &str) -> Option<PathBuf> {
    env::split_paths(&env::var_os("PATH")?)
        .map(|folder| folder.join(name))
        .find(|file| file.is_file())
}
