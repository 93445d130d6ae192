//! Texts of this repository, in which next to nothing looks like a secret: lock files, programs, pages, and what agents
//! sent to their hooks. `docs/reference/secrets.md` has a row for each kind.

use std::fs;
use std::path::{Path, PathBuf};

use milepost::secret::redact;

/// A kind of texts, the file or folder that has them, and the ending of their files.
const KINDS: [(&str, &str, &str); 6] = [
    ("lock file of cargo", "Cargo.lock", ".lock"),
    ("lock files of npm", "xtask", "package-lock.json"),
    ("programs in Rust", "src", ".rs"),
    ("programs in JavaScript", "pkg/src", ".js"),
    ("pages", "docs", ".md"),
    ("payloads of agents", "tests/agents", ".jsonl"),
];

/// These have the beginnings of tokens, and tokens that are made up.
const LEFT_OUT: [&str; 4] = [
    "src/secret",
    "docs/reference/secrets.md",
    "node_modules",
    "target",
];

/// A text has so many bytes at most, or one line.
const TEXT: usize = 2_000;

/// So many texts of a kind are looked at, from its beginning to its end.
const MOST: usize = 500;

/// The files below a path with an ending, in the order of their names.
fn files(path: &Path, ending: &str, files_found: &mut Vec<PathBuf>) {
    if LEFT_OUT.iter().any(|it| path.ends_with(it)) {
        return;
    }
    if !path.is_dir() {
        if path.to_string_lossy().ends_with(ending) {
            files_found.push(path.to_owned());
        }
        return;
    }
    let entries = fs::read_dir(path).unwrap();
    let mut entries: Vec<PathBuf> = entries.map(|it| it.unwrap().path()).collect();
    entries.sort();
    for entry in entries {
        files(&entry, ending, files_found);
    }
}

/// Whole lines of a file, as many as a text may have; of payloads each line.
fn texts(file: &str, is_of_lines: bool) -> Vec<&str> {
    let mut texts = Vec::new();
    let (mut start, mut end) = (0, 0);
    for line in file.split_inclusive('\n') {
        if end > start && (is_of_lines || end - start + line.len() > TEXT) {
            texts.push(&file[start..end]);
            start = end;
        }
        end += line.len();
    }
    texts.push(&file[start..]);
    texts.retain(|text| !text.trim().is_empty());
    texts
}

#[test]
fn of_100_texts_of_this_repository_one_is_changed_at_most() {
    let mut all = 0;
    for (kind, path, ending) in KINDS {
        let mut paths = Vec::new();
        files(&crate::in_package(path), ending, &mut paths);
        let contents: Vec<String> = paths
            .iter()
            .map(|path| fs::read_to_string(path).unwrap())
            .collect();
        let of_kind: Vec<&str> = contents
            .iter()
            .flat_map(|file| texts(file, ending == ".jsonl"))
            .collect();
        let step = of_kind.len().div_ceil(MOST).max(1);
        let looked_at: Vec<&str> = of_kind.into_iter().step_by(step).collect();
        let changed: Vec<_> = looked_at
            .iter()
            .map(|text| (text, redact(text)))
            .filter(|(text, redacted)| redacted.text != **text)
            .map(|(_, redacted)| redacted.findings)
            .collect();
        assert!(looked_at.len() >= 20, "{kind}: {}", looked_at.len());
        assert!(
            changed.len() * 100 <= looked_at.len(),
            "{kind}: {} of {}: {changed:?}",
            changed.len(),
            looked_at.len()
        );
        all += looked_at.len();
    }
    assert!(all >= 1_000, "{all}");
}
