//! Trees: the names in a folder.

use crate::git::bytes::ByteCursor;
use crate::git::id::{Hash, Id};
use crate::git::unreadable::Unreadable;

/// A name in a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeEntry<'a> {
    /// Any bytes but NUL and `/`; never empty, `.`, `..` or `.git`.
    pub name: &'a [u8],
    /// As in the index: 100644, 100755, 120000 (symbolic link), 160000 (submodule), or 040000 for a
    /// folder, in octal.
    pub mode: u32,
    /// The object that it names.
    pub id: Id,
}

/// The folder's mode.
pub const FOLDER: u32 = 0o040_000;

/// The entries of a tree, in git's order: of their names' bytes, where a folder's ends in `/`.
///
/// # Errors
///
/// [`Unreadable::Malformed`] when the bytes are no tree, when names are out of order or there twice,
/// or when a name could lead out of the folder or into `.git`.
pub fn entries(tree: &[u8], hash: Hash) -> Result<Vec<TreeEntry<'_>>, Unreadable> {
    let mut rest = ByteCursor(tree);
    let mut entries: Vec<TreeEntry<'_>> = Vec::new();
    while !rest.0.is_empty() {
        let entry = entry(&mut rest, hash).ok_or(Unreadable::Malformed)?;
        let is_later = |last: &TreeEntry<'_>| key(last).lt(key(&entry));
        if !is_safe(entry.name)
            || !entries.last().is_none_or(is_later)
            || is_there(&entries, entry.name)
        {
            return Err(Unreadable::Malformed);
        }
        entries.push(entry);
    }
    Ok(entries)
}

/// Returns whether the name is among those that come last: as a file, before a folder, with others between.
fn is_there(entries: &[TreeEntry<'_>], name: &[u8]) -> bool {
    let longer = entries.iter().rev();
    let mut longer = longer.take_while(|entry| entry.name.starts_with(name));
    longer.any(|entry| entry.name == name)
}

/// The key that entries are sorted by.
fn key<'a>(entry: &TreeEntry<'a>) -> impl Iterator<Item = u8> + use<'a> {
    let end = (entry.mode == FOLDER).then_some(b'/');
    entry.name.iter().copied().chain(end)
}

fn entry<'a>(rest: &mut ByteCursor<'a>, hash: Hash) -> Option<TreeEntry<'a>> {
    let head = rest.until_nul()?;
    let space = head.iter().position(|&byte| byte == b' ')?;
    let (digits, name) = (
        std::str::from_utf8(&head[..space]).ok()?,
        &head[space + 1..],
    );
    let is_octal = digits.bytes().all(|digit| digit.is_ascii_digit());
    let mode = u32::from_str_radix(digits, 8).ok().filter(|_| is_octal)?;
    let id = Id::new(hash, rest.take(hash.bytes())?).ok()?;
    let mode = as_staged(mode);
    Some(TreeEntry { name, mode, id })
}

/// Early versions of git wrote other permissions.
fn as_staged(mode: u32) -> u32 {
    match mode & 0o170_000 {
        0o100_000 if mode & 0o100 != 0 => 0o100_755,
        0o100_000 => 0o100_644,
        0o120_000 => 0o120_000,
        0o040_000 => FOLDER,
        _ => 0o160_000,
    }
}

fn is_safe(name: &[u8]) -> bool {
    let is_special = matches!(name, b"" | b"." | b"..") || name.eq_ignore_ascii_case(b".git");
    !is_special && !name.contains(&b'/')
}

#[cfg(test)]
mod tests {
    use super::entries;
    use crate::git::id::Hash;
    use crate::git::unreadable::Unreadable;

    fn tree(entries: &[(&str, &str)], hash: Hash) -> Vec<u8> {
        let mut bytes = Vec::new();
        for (mode, name) in entries {
            bytes.extend(format!("{mode} {name}\0").bytes());
            bytes.resize(bytes.len() + hash.bytes(), 7);
        }
        bytes
    }

    #[test]
    fn a_tree_is_read_in_both_lengths_of_ids_and_with_old_modes() {
        for hash in Hash::ALL {
            let named = [
                ("100664", "a"),
                ("100644", "a.b"),
                ("40000", "a.c"),
                ("100775", "a0"),
                ("120000", "link with spaces"),
                ("160000", "module"),
            ];
            let bytes = tree(&named, hash);
            let read = entries(&bytes, hash).unwrap();
            let modes: Vec<String> = read.iter().map(|it| format!("{:06o}", it.mode)).collect();
            assert_eq!(
                modes,
                ["100644", "100644", "040000", "100755", "120000", "160000"]
            );
            for (entry, (_, name)) in read.iter().zip(named) {
                assert_eq!(entry.name, name.as_bytes());
                assert_eq!(entry.id.as_bytes(), vec![7; hash.bytes()]);
            }
            for length in 1..bytes.len() {
                let cut = entries(&bytes[..length], hash);
                let step = cut.map_or(0, |entries| entries.len());
                assert!(step < named.len(), "cut at {length}");
            }
        }
    }

    #[test]
    fn a_name_that_leads_elsewhere_or_stands_twice_is_refused() {
        let order = tree(
            &[("100644", "a-"), ("40000", "a"), ("100644", "a0")],
            Hash::Sha1,
        );
        assert_eq!(entries(&order, Hash::Sha1).unwrap().len(), 3);
        for named in [
            &[("100644", "")][..],
            &[("40000", ".")],
            &[("40000", "..")],
            &[("40000", ".git")],
            &[("40000", ".GIT")],
            &[("100644", "a/b")],
            &[("100644", "b"), ("100644", "a")],
            &[("100644", "a"), ("100644", "a")],
            &[("100644", "a"), ("40000", "a")],
            &[
                ("100644", "a"),
                ("100644", "a-"),
                ("100644", "a.b"),
                ("40000", "a"),
            ],
            &[("+100644", "a")],
            &[("100648", "a")],
        ] {
            let read = entries(&tree(named, Hash::Sha1), Hash::Sha1).map(|_| ());
            assert_eq!(read, Err(Unreadable::Malformed), "{named:?}");
        }
    }
}
