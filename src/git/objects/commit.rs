//! Commits: the tree of each, its parents and its time.

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

/// The parents of a commit, and when it was committed, in seconds since 1970.
///
/// # Errors
///
/// [`Unreadable::Malformed`] when a parent is no id of this hash, or the time is invalid.
pub fn parents(commit: &[u8], hash: Hash) -> Result<(Vec<Id>, i64), Unreadable> {
    let mut parents = Vec::new();
    for line in commit.split(|&byte| byte == b'\n') {
        if let Some(digits) = line.strip_prefix(b"parent ") {
            let id = Id::from_digits(digits)?;
            if id.hash() != hash {
                return Err(Unreadable::Malformed);
            }
            parents.push(id);
        } else if let Some(who) = line.strip_prefix(b"committer ") {
            let who = String::from_utf8_lossy(who);
            let time = who
                .rsplit_once("> ")
                .and_then(|(_, time)| time.split(' ').next());
            let seconds = time.and_then(|time| time.parse().ok());
            return Ok((parents, seconds.ok_or(Unreadable::Malformed)?));
        } else if line.is_empty() {
            break;
        }
    }
    Err(Unreadable::Malformed)
}

#[cfg(test)]
mod tests {
    use super::{parents, tree};
    use crate::git::id::Hash;

    #[test]
    fn a_commit_names_its_parents_and_its_time() {
        let (one, two) = ("1".repeat(40), "2".repeat(40));
        let text = format!(
            "tree {one}\nparent {one}\nparent {two}\nauthor A <a> 1 +0000\ncommitter B > C <b@c> 77 +0100\n\nparent x\n"
        );
        let (found, seconds) = parents(text.as_bytes(), Hash::Sha1).unwrap();
        let digits: Vec<String> = found.iter().map(super::Id::digits).collect();
        assert_eq!((digits, seconds), (vec![one.clone(), two], 77));
        for text in [
            "",
            "tree x\n\ncommitter A <a> 1 +0000\n",
            "parent x\n",
            "committer A\n",
        ] {
            assert!(parents(text.as_bytes(), Hash::Sha1).is_err(), "{text:?}");
        }
        assert!(parents(text.as_bytes(), Hash::Sha256).is_err());
    }

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
