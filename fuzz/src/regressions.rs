//! `regressions/TARGET/NAME`: inputs that broke a property once, and are tried before all others.

use std::env;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use milepost_fuzz::Target;

/// In the clone that this is run in, which can be another one than it was compiled in.
fn folder(target: &Target) -> Result<PathBuf> {
    // Of this package, or of xtask, where that has started it.
    let package = env::var_os("CARGO_MANIFEST_DIR").context("cargo has to start this")?;
    let folders = Path::new(&package).ancestors();
    let fuzz = folders
        .map(|folder| folder.join("fuzz"))
        .find(|folder| folder.join("Cargo.toml").is_file())
        .with_context(|| format!("no folder `fuzz` above {}", package.display()))?;
    Ok(fuzz.join("regressions").join(target.name))
}

/// The kept inputs of a target by file, sorted; none where it has no folder.
pub(crate) fn of(target: &Target) -> Result<Vec<(PathBuf, Vec<u8>)>> {
    let folder = folder(target)?;
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let read = || -> Result<Vec<(PathBuf, Vec<u8>)>> {
        let mut files = Vec::new();
        for entry in fs::read_dir(&folder)? {
            let path = entry?.path();
            let bytes = fs::read(&path)?;
            files.push((path, bytes));
        }
        files.sort();
        Ok(files)
    };
    read().with_context(|| format!("cannot read {}", folder.display()))
}

/// Keeps an input under a name that its bytes give it.
pub(crate) fn keep(target: &Target, input: &[u8]) -> Result<PathBuf> {
    let mut hasher = DefaultHasher::new();
    input.hash(&mut hasher);
    let folder = folder(target)?;
    let path = folder.join(format!("{:016x}", hasher.finish()));
    fs::create_dir_all(&folder)
        .and_then(|()| fs::write(&path, input))
        .with_context(|| format!("cannot write {}", path.display()))?;
    Ok(path)
}

#[cfg(test)]
mod tests {
    use milepost_fuzz::ALL;

    use super::of;

    #[test]
    fn inputs_of_past_failures_pass() {
        for target in ALL {
            for (_, input) in of(target).unwrap() {
                (target.run)(&input);
            }
        }
    }
}
