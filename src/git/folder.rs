//! Where a repository's files are: a `.git` file and `commondir`, each of which holds one path.

/// The git folder that a `.git` file names, as it stands there: relative to the folder of that
/// file, or absolute. `None` when the bytes are no such file or the path is not UTF-8.
pub fn from_git_file(bytes: &[u8]) -> Option<&str> {
    path(bytes.strip_prefix(b"gitdir: ")?)
}

/// The folder that linked worktrees share, as it stands in `commondir`: relative to the git folder
/// that holds that file, or absolute. `None` when it names none or the path is not UTF-8.
pub fn from_commondir(bytes: &[u8]) -> Option<&str> {
    path(bytes)
}

/// The path of something in a folder; `below` has `/` between its parts, and the folder may be a
/// root, end in `/`, or be `.`.
pub fn join(folder: &str, below: &str) -> String {
    match folder.trim_end_matches('/') {
        "." => below.to_owned(),
        folder => format!("{folder}/{below}"),
    }
}

/// A path that git wrote into a file, which is absolute or relative to `folder`.
pub fn beside(folder: &str, path: &str) -> String {
    if is_absolute(path) {
        path.to_owned()
    } else {
        join(folder, path)
    }
}

/// Whether a path stands for itself: from the root, from a drive, or a share.
///
/// Drives count on every system, so that the same bytes mean the same everywhere.
pub fn is_absolute(path: &str) -> bool {
    match path.as_bytes() {
        [b'/' | b'\\', ..] => true,
        [drive, b':', b'/' | b'\\', ..] => drive.is_ascii_alphabetic(),
        _ => false,
    }
}

/// The worktree of a git folder, in git's own words: `worktrees/NAME` for that of a linked one, else
/// `main-worktree`.
#[cfg(any(feature = "cli", feature = "agents", not(target_family = "wasm")))]
pub fn worktree(own: &str) -> String {
    let mut parts = own.rsplit(['/', '\\']).filter(|part| !part.is_empty());
    match (parts.next(), parts.next()) {
        (Some(name), Some("worktrees")) => format!("worktrees/{name}"),
        _ => "main-worktree".to_owned(),
    }
}

/// Git drops the line end and nothing else: a path may end in a space.
fn path(bytes: &[u8]) -> Option<&str> {
    let line = std::str::from_utf8(bytes).ok()?;
    let path = line.trim_end_matches(['\n', '\r']);
    (!path.is_empty() && !path.contains('\0')).then_some(path)
}

#[cfg(test)]
mod tests {
    use super::{beside, from_commondir, from_git_file, is_absolute, worktree};

    #[test]
    fn a_git_file_names_a_folder() {
        for (bytes, expected) in [
            (
                &b"gitdir: ../.git/modules/a\n"[..],
                Some("../.git/modules/a"),
            ),
            (
                b"gitdir: /srv/a b/.git/worktrees/x",
                Some("/srv/a b/.git/worktrees/x"),
            ),
            (
                b"gitdir: C:/home/.git/worktrees/x\r\n",
                Some("C:/home/.git/worktrees/x"),
            ),
            (b"gitdir: ends in a space \n", Some("ends in a space ")),
            (b"gitdir: \n", None),
            (b"gitdir:/srv/no-space", None),
            (b"gitdir: a\0b\n", None),
            (b"gitdir: \xff\n", None),
            (b"ref: refs/heads/main\n", None),
            (b"", None),
        ] {
            assert_eq!(from_git_file(bytes), expected, "{}", bytes.escape_ascii());
        }
    }

    #[test]
    fn a_git_folder_below_worktrees_is_that_of_a_linked_worktree() {
        for (own, expected) in [
            ("/r/.git/worktrees/fix-b", "worktrees/fix-b"),
            ("C:\\r\\.git\\worktrees\\fix-b", "worktrees/fix-b"),
            ("/r/.git", "main-worktree"),
            ("/r/.git/modules/a", "main-worktree"),
        ] {
            assert_eq!(worktree(own), expected, "{own}");
        }
    }

    #[test]
    fn commondir_names_a_folder() {
        for (bytes, expected) in [
            (&b"../..\n"[..], Some("../..")),
            (b"/srv/repository/.git", Some("/srv/repository/.git")),
            (b"\n", None),
            (b"", None),
        ] {
            assert_eq!(from_commondir(bytes), expected, "{}", bytes.escape_ascii());
        }
    }

    #[test]
    fn a_path_from_a_root_a_drive_or_a_share_is_absolute() {
        for path in [
            "/",
            "/a",
            "C:/a",
            "c:\\a",
            "\\\\server\\share",
            "//server/share",
        ] {
            assert!(is_absolute(path), "{path}");
        }
        for path in ["", "a", "../a", "./a", "C:", "C:a", "7:/a", "ab:/c"] {
            assert!(!is_absolute(path), "{path}");
        }
    }

    #[test]
    fn a_path_that_git_wrote_is_beside_its_file_or_absolute() {
        for (path, expected) in [
            ("../.git/modules/a", "/r/a/../.git/modules/a"),
            ("/srv/a", "/srv/a"),
            ("C:/srv/a", "C:/srv/a"),
        ] {
            assert_eq!(beside("/r/a", path), expected, "{path}");
        }
    }
}
