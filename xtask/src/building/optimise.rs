//! wasm-opt. What it made is kept outside of the clone: all clones compile the same bytes, and it takes seconds for
//! each wasm.

use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::{Context, Result};

use crate::process;
use crate::stamp::Inputs;
use crate::tools::node::Node;
use crate::workspace;

/// Named one by one: `--all-features` would let wasm-opt use what Node 20 rejects.
const WASM_FEATURES: [&str; 7] = [
    "--enable-bulk-memory",
    "--enable-nontrapping-float-to-int",
    "--enable-sign-ext",
    "--enable-mutable-globals",
    "--enable-reference-types",
    "--enable-multivalue",
    "--enable-simd",
];

/// The number of files that are kept: those of the last twenty changes, about 100 MB.
const MOST_RESULTS: usize = 240;

/// All that the result depends on beside the file.
pub(crate) fn inputs(node: &Node, passes: &[&str]) -> Result<Inputs> {
    Inputs::default()
        .text(&passes.join(" "))
        .text(&WASM_FEATURES.join(" "))
        // Has the version, which npm has checked.
        .file(&node.tools().join("node_modules/binaryen/package.json"))
}

/// Replaces a wasm file by a smaller one that does the same.
pub(crate) fn optimise(node: &Node, name: &str, passes: &[&str], file: &Path) -> Result<()> {
    let hash = inputs(node, passes)?.file(file)?.hash();
    let results = Results::of_this_machine()?;
    let optimised = file.with_extension("optimised");
    match results.get(&hash)? {
        Some(bytes) => fs::write(&optimised, bytes)
            .with_context(|| format!("cannot write {}", optimised.display()))?,
        None => {
            let mut wasm_opt = node.tool("wasm-opt");
            wasm_opt
                .args(passes)
                .args(WASM_FEATURES)
                .arg(file)
                .arg("-o")
                .arg(&optimised);
            process::run(&format!("optimising the {name} wasm"), &mut wasm_opt)?;
            results.put(&hash, &fs::read(&optimised)?)?;
        }
    }
    fs::rename(&optimised, file).with_context(|| format!("cannot replace {}", file.display()))
}

/// Files named by the hash of what they were made of. Those that were not used for longest go first.
struct Results {
    folder: PathBuf,
    most: usize,
}

impl Results {
    fn of_this_machine() -> Result<Self> {
        Ok(Self {
            folder: workspace::cache()?.join("wasm-opt"),
            most: MOST_RESULTS,
        })
    }

    fn get(&self, hash: &str) -> Result<Option<Vec<u8>>> {
        let path = self.folder.join(hash);
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => {
                return Err(error).with_context(|| format!("cannot read {}", path.display()));
            }
        };
        // Only how long it stays depends on this, and another process may have removed it by now.
        if let Ok(file) = File::options().write(true).open(&path) {
            let _ = file.set_modified(SystemTime::now());
        }
        Ok(Some(bytes))
    }

    /// Written beside its place, synced and renamed: what is found under a hash is whole.
    fn put(&self, hash: &str, bytes: &[u8]) -> Result<()> {
        let folder = &self.folder;
        let keep = || -> Result<()> {
            fs::create_dir_all(folder)?;
            let mut file = tempfile::NamedTempFile::new_in(folder)?;
            file.write_all(bytes)?;
            file.as_file().sync_all()?;
            file.persist(folder.join(hash))?;
            self.remove_oldest()
        };
        keep().with_context(|| format!("cannot keep a result in {}", folder.display()))
    }

    fn remove_oldest(&self) -> Result<()> {
        let mut used = Vec::new();
        for entry in fs::read_dir(&self.folder)? {
            let entry = entry?;
            // Another process removes files as well.
            if let Ok(modified) = entry.metadata().and_then(|data| data.modified()) {
                used.push((modified, entry.path()));
            }
        }
        used.sort();
        let superfluous = used.len().saturating_sub(self.most);
        for (_, path) in &used[..superfluous] {
            match fs::remove_file(path) {
                Err(error) if error.kind() != ErrorKind::NotFound => return Err(error.into()),
                _ => {}
            }
        }
        Ok(())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::Results;
    use std::fs::{self, File};
    use std::time::{Duration, SystemTime};

    #[test]
    fn result_is_found_by_its_hash_until_newer_ones_take_its_place() {
        let folder = tempfile::tempdir().unwrap();
        let results = Results {
            folder: folder.path().join("results"),
            most: 2,
        };
        let set_age = |hash: &str, hours: u64| {
            let path = results.folder.join(hash);
            let time = SystemTime::now() - Duration::from_secs(hours * 3600);
            let file = File::options().write(true).open(path).unwrap();
            file.set_modified(time).unwrap();
        };
        assert_eq!(results.get("a").unwrap(), None, "before it was ever made");
        results.put("a", b"of a").unwrap();
        results.put("b", b"of b").unwrap();
        set_age("a", 3);
        set_age("b", 2);
        assert_eq!(results.get("a").unwrap().as_deref(), Some(&b"of a"[..]));

        results.put("c", b"of c").unwrap();
        assert_eq!(results.get("b").unwrap(), None, "used before a was");
        assert_eq!(results.get("a").unwrap().as_deref(), Some(&b"of a"[..]));
        assert_eq!(results.get("c").unwrap().as_deref(), Some(&b"of c"[..]));
        assert_eq!(fs::read_dir(&results.folder).unwrap().count(), 2);
    }
}
