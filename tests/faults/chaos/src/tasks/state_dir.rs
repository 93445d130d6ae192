//! The folder of a run, read without the product.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::folder::files;

/// A number of 128 bits.
const DIGITS: usize = 32;

/// The root of task checkpoints.
pub(super) struct TaskRoot {
    pub(super) root: PathBuf,
}

impl TaskRoot {
    pub(super) fn folder(&self) -> PathBuf {
        self.root.join("state/tasks")
    }

    /// The faults of the files once no worker is at work, and everything is cleaned up.
    pub(super) fn faults(&self) -> Result<Vec<String>> {
        let folder = self.folder();
        let mut faults = Vec::new();
        let mut names = BTreeSet::new();
        for file in files(&folder)? {
            let name = file.strip_prefix(&folder)?.to_string_lossy().into_owned();
            names.insert(name);
        }
        let mut holders: BTreeMap<String, String> = BTreeMap::new();
        let mut parts = BTreeSet::new();
        for index in names.iter().filter(|it| it.ends_with("/index.json")) {
            if index.starts_with('.') {
                continue;
            }
            let stem = index.trim_end_matches("/index.json");
            let document = self.read(index)?;
            for entry in document["checkpoints"].as_array().into_iter().flatten() {
                let text = |name: &str| entry[name].as_str().unwrap_or_default().to_owned();
                let (id, key, token) = (text("id"), text("key"), text("token"));
                if let Some(other) = holders.insert(id.clone(), stem.to_owned()) {
                    faults.push(format!("{id} is in {other} and {stem}"));
                }
                let part = format!("{stem}/{key}-{token}.json");
                match self.read(&part) {
                    Ok(state) if state["id"] == id && state["taskId"] == document["task"] => {}
                    Ok(_) => faults.push(format!("{part} is not {id}")),
                    Err(why) => faults.push(format!("{id} is listed, and {why:#}")),
                }
                parts.insert(part);
                let shard = key.get(..2).unwrap_or_default();
                let mark = format!(".milepost/keys/{shard}/{key}.{stem}.{token}");
                if !names.contains(&mark) {
                    faults.push(format!("{mark} is missing"));
                }
                parts.insert(mark);
            }
        }
        let strange = names.iter().filter(|name| {
            !parts.contains(*name) && !name.ends_with("/index.json") && !belongs_there(name)
        });
        faults.extend(strange.map(|name| format!("{name} is left over")));
        Ok(faults)
    }

    fn read(&self, name: &str) -> Result<Value> {
        let bytes = fs::read(self.folder().join(name));
        let bytes = bytes.with_context(|| format!("cannot read {name}"))?;
        serde_json::from_slice(&bytes).with_context(|| format!("{name} is no JSON"))
    }
}

/// Returns whether a file is neither an index nor one of its parts, and no more than the protocol needs: one that is
/// being prepared, or may be committed, of a writer that died, is revoked by the next one, and so is the hint that it
/// was at work or waited.
fn belongs_there(name: &str) -> bool {
    let is_hint = ["lock", "waiting"]
        .iter()
        .any(|it| name.ends_with(&format!("/.milepost/index/{it}")));
    let file = name.rsplit_once('/').map_or(name, |it| it.1);
    let is_token =
        |text: &str| text.len() == DIGITS && text.bytes().all(|it| it.is_ascii_hexdigit());
    let is_of_protocol = name.contains("/.milepost/index/tokens/")
        && is_token(file.strip_suffix(".new").unwrap_or(file));
    file == ".gitignore" || is_hint || is_of_protocol
}

#[cfg(test)]
mod tests {
    use super::belongs_there;

    #[test]
    fn the_hint_of_a_writer_that_died_last_belongs_there() {
        for name in [
            "lock",
            "waiting",
            "tokens/0123456789abcdef0123456789abcdef.new",
        ] {
            assert!(
                belongs_there(&format!("a/.milepost/index/{name}")),
                "{name}"
            );
        }
    }

    #[test]
    fn a_file_that_no_writer_takes_away_does_not_belong_there() {
        for name in [
            "a/lock",
            "a/.milepost/index/more",
            "a/.milepost/index/tokens/lock",
            "a/0-1.json",
        ] {
            assert!(!belongs_there(name), "{name}");
        }
    }
}
