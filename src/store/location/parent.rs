//! The folder that contains a path.

/// Returns the folder that contains a path of the host.
pub(in crate::store) fn parent(path: &str) -> &str {
    match path.rsplit_once('/') {
        Some(("", _)) => "/",
        Some((parent, _)) => parent,
        None => ".",
    }
}

#[cfg(test)]
mod tests {
    use super::parent;

    /// Under wasmtime the root is often `.`, and its files have no folder in their paths.
    #[test]
    fn a_file_in_the_root_has_the_root_as_its_folder() {
        let parents = ["large", "/large", "a/b/large"].map(parent);
        assert_eq!(parents, [".", "/", "a/b"]);
    }
}
