//! The files in the folder in the end.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Result;
use serde_json::Value;

use crate::actor::COMMAND;
use crate::board::feature;
use crate::ledger::Stored;

/// The folder of the documents of a repository.
pub(crate) const STATE: &str = ".claude/state";

/// The files beside the documents and their history, relative to the folder of documents.
pub(crate) fn left_over(root: &Path) -> Result<Vec<String>> {
    let folder = root.join(STATE);
    let mut found = Vec::new();
    for file in crate::folder::files(&folder)? {
        let name = file.strip_prefix(&folder)?.to_string_lossy().into_owned();
        if !belongs_there(&name) {
            found.push(name);
        }
    }
    Ok(found)
}

fn belongs_there(name: &str) -> bool {
    let parts: Vec<&str> = name.split('/').collect();
    match parts[..] {
        [".gitignore"] => true,
        [document] => document.ends_with(".json"),
        [".milepost", _, "history", entry] => entry.ends_with(".json"),
        _ => false,
    }
}

/// Returns whether a file is what a killed writer was preparing. No writer waits for it, and one that takes over
/// the lock of a dead writer removes it.
pub(crate) fn is_preparation(name: &str) -> bool {
    [".new", ".tmp", ".old"]
        .iter()
        .any(|ending| name.ends_with(ending))
}

/// The file of a document, for any writer.
pub(crate) fn file(root: &Path, document: usize) -> PathBuf {
    root.join(format!("{STATE}/{COMMAND}-{}.json", feature(document)))
}

/// The documents as they lie there.
pub(crate) fn stored(root: &Path, documents: usize) -> Vec<Stored> {
    (0..documents)
        .map(|document| {
            let text = fs::read_to_string(file(root, document)).unwrap_or_default();
            let value = serde_json::from_str(&text).unwrap_or_default();
            operations(&value)
        })
        .collect()
}

/// The operations of a document: a complete phase each, in the list of the complete ones as well.
fn operations(document: &Value) -> Stored {
    let phases = &document["phases"];
    let completed = document["state"]["completed_phases"].as_array();
    let names = completed.into_iter().flatten().filter_map(Value::as_str);
    Stored {
        revision: document["revision"].as_u64().unwrap_or(0),
        operations: names
            .filter(|name| phases.get(name).is_some())
            .map(str::to_owned)
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::{belongs_there, is_preparation, operations};

    #[test]
    fn a_token_or_lock_is_left_over() {
        assert!(belongs_there("implement-r0.json"));
        assert!(belongs_there(".milepost/implement-r0/history/7-00ff.json"));
        for name in ["lock", "waiting", "tokens/00ff", "quarantine/00ff.json"] {
            let name = format!(".milepost/implement-r0/{name}");
            assert!(!belongs_there(&name) && !is_preparation(&name), "{name}");
        }
        let preparing = ".milepost/implement-r0/tokens/00ff.new";
        assert!(!belongs_there(preparing) && is_preparation(preparing));
    }

    #[test]
    fn half_of_an_operation_does_not_count() {
        let text =
            r#"{"state":{"completed_phases":["a","b"]},"phases":{"a":{},"c":{}},"revision":3}"#;
        let stored = operations(&serde_json::from_str(text).expect("it is JSON"));
        assert_eq!(
            (stored.revision, stored.operations),
            (3, vec!["a".to_owned()])
        );
    }
}
