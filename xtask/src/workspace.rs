//! The paths of the workspace.

use std::env;
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::process;

/// The folder of the package whose binary or test cargo runs, set when it does.
const MANIFEST: &str = "CARGO_MANIFEST_DIR";

/// The clone, and the fixed paths in it.
#[derive(Clone, Debug)]
pub(crate) struct Workspace {
    root: PathBuf,
}

impl Workspace {
    /// The clone in which cargo runs this binary. Not the one that it was compiled in: a clone that was copied or
    /// moved has a binary that cargo takes for its own.
    ///
    /// # Errors
    ///
    /// Cargo has not started it.
    pub(crate) fn find() -> Result<Self> {
        let manifest = env::var_os(MANIFEST).with_context(|| {
            format!(
                "{MANIFEST} is not set: start it as `cargo xtask`, so that cargo names the clone"
            )
        })?;
        Self::above(Path::new(&manifest))
    }

    /// The clone that holds this folder.
    fn above(folder: &Path) -> Result<Self> {
        let root = folder
            .ancestors()
            .find(|it| it.join("Cargo.lock").is_file())
            .with_context(|| format!("no Cargo.lock at or above {}", folder.display()))?;
        Ok(Self {
            root: root.to_path_buf(),
        })
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    pub(crate) fn join(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    /// Artefacts have fixed paths, wherever `CARGO_TARGET_DIR` points.
    pub(crate) fn artefacts(&self) -> PathBuf {
        self.root.join("target/milepost")
    }

    /// Waits until no other process builds or tests in this clone; the lock ends with the file.
    pub(crate) fn lock(&self) -> Result<File> {
        let folder = self.artefacts();
        fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
        let path = folder.join("lock");
        let file =
            File::create(&path).with_context(|| format!("cannot make {}", path.display()))?;
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            process::note("waiting for another cargo xtask in this clone …");
        }
        file.lock()
            .with_context(|| format!("cannot lock {}", path.display()))?;
        Ok(file)
    }

    /// The packed npm package.
    pub(crate) fn tarball(&self) -> PathBuf {
        self.artefacts().join("milepost.tgz")
    }

    /// The packed npm package that counts exact tokens.
    pub(crate) fn exact_tokens_tarball(&self) -> PathBuf {
        self.artefacts().join("milepost-exact-tokens.tgz")
    }

    /// The folder of the plugin for Claude Code.
    pub(crate) fn claude_plugin(&self) -> PathBuf {
        self.artefacts().join("claude-plugin")
    }

    /// The folder of the package of JSR, as `deno publish` takes it.
    pub(crate) fn jsr(&self) -> PathBuf {
        self.artefacts().join("jsr")
    }

    /// The folder of the viewer's page, which any server can give out.
    pub(crate) fn viewer(&self) -> PathBuf {
        self.artefacts().join("viewer")
    }
}

/// The folder outside the clone, for all clones together.
pub(crate) fn cache() -> Result<PathBuf> {
    let home = env::home_dir().context("no home folder: set HOME")?;
    Ok(home.join(".cache/milepost"))
}

/// Returns the folder of tools that are no part of the clone.
pub(crate) fn tools() -> Result<PathBuf> {
    Ok(cache()?.join("tools"))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::Workspace;
    use std::fs;

    #[test]
    fn the_clone_is_the_folder_above_with_the_lock_file() {
        let folder = tempfile::tempdir().unwrap();
        let package = folder.path().join("clone/xtask/launch");
        fs::create_dir_all(&package).unwrap();
        fs::write(folder.path().join("clone/Cargo.lock"), "").unwrap();
        let workspace = Workspace::above(&package).unwrap();
        assert_eq!(workspace.root(), folder.path().join("clone"));
    }
}
