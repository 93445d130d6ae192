//! Parts of the clone, as patterns of paths: `folder/` is all below it, `*.rs` all that ends so,
//! and anything else is one file.

/// The files that every step depends on.
pub(crate) const EVERYTHING: &[&str] = &[
    "xtask/",
    "shape/",
    ".ci/",
    ".cargo/",
    "Cargo.toml",
    "Cargo.lock",
];

/// The files that no step reads: they are for people, or for git.
#[cfg(test)]
pub(super) const FOR_PEOPLE: &[&str] = &["*.md", "*.gitignore", ".gitattributes", "docs/viewer/"];

/// Returns whether a file of the clone belongs to one of these parts; the path is relative, with `/`
/// between names.
pub(crate) fn has(parts: &[&str], path: &str) -> bool {
    parts.iter().any(|part| match part.strip_prefix('*') {
        Some(ending) => path.ends_with(ending),
        None if part.ends_with('/') => path.starts_with(part),
        None => path == *part,
    })
}

#[cfg(test)]
mod tests {
    use super::has;

    #[test]
    fn a_folder_an_ending_and_a_file_are_distinguished() {
        assert!(has(&["src/"], "src/store/mod.rs"));
        assert!(!has(&["src/"], "pkg/src/client/store.js"));
        assert!(has(&["wit/", "*.rs"], "fuzz/src/lib.rs"));
        assert!(has(&["README.md"], "README.md"));
        assert!(!has(&["README.md"], "benches/README.md"));
    }
}
