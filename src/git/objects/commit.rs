//! Commits: which tree each is of.

use crate::git::id::{Hash, Id};
use crate::git::unreadable::Unreadable;

/// The tree of a commit.
///
/// # Errors
///
/// [`Unreadable::Malformed`] when the bytes are no commit with an id of this hash.
pub fn tree(commit: &[u8], hash: Hash) -> Result<Id, Unreadable> {
    let line = commit.split(|&byte| byte == b'\n').next();
    let digits = line.and_then(|line| line.strip_prefix(b"tree "));
    let id = Id::from_digits(digits.ok_or(Unreadable::Malformed)?)?;
    let is_whole = id.hash() == hash && commit.contains(&b'\n');
    is_whole.then_some(id).ok_or(Unreadable::Malformed)
}

#[cfg(test)]
mod tests {
    use super::tree;
    use crate::git::id::Hash;

    #[test]
    fn a_commit_begins_with_its_tree() {
        let digits = "0123456789abcdef0123456789abcdef01234567";
        let commit = format!("tree {digits}\nauthor A\n\ntree x\n");
        assert_eq!(
            tree(commit.as_bytes(), Hash::Sha1).unwrap().digits(),
            digits
        );
        assert!(tree(commit.as_bytes(), Hash::Sha256).is_err());
        for text in [
            "",
            "tree ",
            "tree\n",
            &format!("tree {digits}"),
            "parent x\n",
        ] {
            assert!(tree(text.as_bytes(), Hash::Sha1).is_err(), "{text:?}");
        }
    }
}
