//! Steps that are skipped while nothing they read has changed.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use sha2::{Digest, Sha256};

use crate::folder;

/// A hash of everything that a step reads.
#[derive(Default)]
pub(crate) struct Inputs(Sha256);

impl Inputs {
    pub(crate) fn text(self, text: &str) -> Self {
        self.bytes(text.as_bytes())
    }

    /// With its length in front, so that two inputs never run into each other.
    pub(crate) fn bytes(mut self, bytes: &[u8]) -> Self {
        self.0.update((bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
        self
    }

    pub(crate) fn file(self, path: &Path) -> Result<Self> {
        let content = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        Ok(self.bytes(&content))
    }

    /// Every file below a folder, with its path in it, in the order of the paths: the same in a copy of the folder.
    pub(crate) fn folder(mut self, folder: &Path) -> Result<Self> {
        for path in folder::files(folder)? {
            let below = path.strip_prefix(folder)?;
            self = self
                .bytes(below.as_os_str().as_encoded_bytes())
                .file(&path)?;
        }
        Ok(self)
    }

    pub(crate) fn hash(self) -> String {
        hexadecimal(&self.0.finalize())
    }
}

/// The SHA-256 of some bytes, in hexadecimal digits.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The file beside a step's output that holds the hash of its inputs.
pub(crate) struct Stamp {
    path: PathBuf,
    hash: String,
}

impl Stamp {
    pub(crate) fn new(path: PathBuf, inputs: Inputs) -> Self {
        Self {
            path,
            hash: inputs.hash(),
        }
    }

    /// Returns whether `output` was made from these very inputs.
    pub(crate) fn is_fresh(&self, output: &Path) -> bool {
        output.exists() && fs::read_to_string(&self.path).is_ok_and(|stored| stored == self.hash)
    }

    /// Called first: a step that dies halfway must not look fresh afterwards.
    pub(crate) fn revoke(&self) -> Result<()> {
        match fs::remove_file(&self.path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(error).with_context(|| format!("cannot remove {}", self.path.display()))
            }
            _ => Ok(()),
        }
    }

    pub(crate) fn write(&self) -> Result<()> {
        fs::write(&self.path, &self.hash)
            .with_context(|| format!("cannot write {}", self.path.display()))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::{Inputs, Stamp};
    use std::fs;

    #[test]
    fn a_changed_input_makes_the_stamp_stale() {
        let folder = tempfile::tempdir().unwrap();
        let output = folder.path().join("out");
        fs::write(&output, "made").unwrap();
        let stamp = |text| Stamp::new(folder.path().join("stamp"), Inputs::default().text(text));

        assert!(!stamp("a").is_fresh(&output), "before it was ever made");
        stamp("a").write().unwrap();
        assert!(stamp("a").is_fresh(&output));
        assert!(!stamp("b").is_fresh(&output));
        stamp("a").revoke().unwrap();
        assert!(!stamp("a").is_fresh(&output), "after it was revoked");
    }

    #[test]
    fn a_missing_output_makes_the_stamp_stale() {
        let folder = tempfile::tempdir().unwrap();
        let stamp = Stamp::new(folder.path().join("stamp"), Inputs::default().text("a"));
        stamp.write().unwrap();
        assert!(!stamp.is_fresh(&folder.path().join("out")));
    }

    #[test]
    fn neighbouring_inputs_do_not_run_into_each_other() {
        let hash = |a, b| Inputs::default().text(a).text(b).hash();
        assert_ne!(hash("ab", "c"), hash("a", "bc"));
    }

    #[test]
    fn a_renamed_file_changes_the_hash_of_its_folder() {
        let folder = tempfile::tempdir().unwrap();
        let hash = || Inputs::default().folder(folder.path()).unwrap().hash();
        fs::write(folder.path().join("a"), "same").unwrap();
        let before = hash();
        fs::rename(folder.path().join("a"), folder.path().join("b")).unwrap();
        assert_ne!(before, hash());
    }

    #[test]
    fn copied_folder_has_the_hash_of_its_original() {
        let folders = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let hashes = folders.each_ref().map(|folder| {
            fs::create_dir(folder.path().join("below")).unwrap();
            fs::write(folder.path().join("below/a"), "same").unwrap();
            Inputs::default().folder(folder.path()).unwrap().hash()
        });
        assert_eq!(hashes[0], hashes[1]);
    }
}
