//! Where things are.

use std::env;
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::process;

/// The clone, and the fixed paths in it.
#[derive(Clone, Debug)]
pub(crate) struct Workspace {
    root: PathBuf,
}

impl Workspace {
    /// The clone that this binary was built from.
    pub(crate) fn find() -> Result<Self> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"))
            .parent()
            .context("xtask lies in a folder of the workspace")?;
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

    /// The folder of the plugin for Claude Code.
    pub(crate) fn claude_plugin(&self) -> PathBuf {
        self.artefacts().join("claude-plugin")
    }

    /// The folder of the viewer's page, which any server can give out.
    pub(crate) fn viewer(&self) -> PathBuf {
        self.artefacts().join("viewer")
    }
}

/// Where tools that are no part of the clone are kept, for all clones together.
pub(crate) fn tools() -> Result<PathBuf> {
    let home = env::home_dir().context("no home folder: set HOME")?;
    Ok(home.join(".cache/milepost/tools"))
}
