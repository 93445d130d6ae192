//! Locates the files of a repository: a `.git` file and `commondir`, each of which holds one path.

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
pub fn resolve(folder: &str, path: &str) -> String {
    if is_absolute(path) {
        path.to_owned()
    } else {
        join(folder, path)
    }
}

/// Returns whether a path stands for itself: from the root, from a drive, or a share.
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
pub fn worktree(own: &str) -> String {
    let mut parts = own.rsplit(['/', '\\']).filter(|part| !part.is_empty());
    match (parts.next(), parts.next()) {
        (Some(name), Some("worktrees")) => format!("worktrees/{name}"),
        _ => "main-worktree".to_owned(),
    }
}

/// The top of the main worktree, by the git folder of a linked one, `TOP/.git/worktrees/NAME`. `None` for every other
/// git folder: that of a submodule, and that of a worktree of a repository whose own is not named `.git`.
pub fn main_worktree(own: &str) -> Option<String> {
    let own = without_dots(own)?;
    let (worktrees, name) = own.rsplit_once('/')?;
    let top = worktrees.strip_suffix("/.git/worktrees")?;
    let top = match top {
        "" => "/",
        top => top,
    };
    (!name.is_empty()).then(|| top.to_owned())
}

/// The `.git` file that the file `gitdir` of a linked worktree's git folder names, as it stands there: absolute, or
/// relative to that folder.
pub fn from_gitdir(bytes: &[u8]) -> Option<&str> {
    path(bytes)
}

/// A path without `.` and `..`, as its text says, and without a final `/`. `None` where it leads to its beginning or
/// above: that of a relative path is unknown.
pub fn without_dots(path: &str) -> Option<String> {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "." => {}
            ".." => {
                // A part with another separator cannot be left out.
                if parts.pop()?.contains('\\') || parts.is_empty() {
                    return None;
                }
            }
            // The first part of an absolute path is empty.
            "" if !parts.is_empty() => {}
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// Git drops the line end and nothing else: a path may end in a space.
fn path(bytes: &[u8]) -> Option<&str> {
    let line = std::str::from_utf8(bytes).ok()?;
    let path = line.trim_end_matches(['\n', '\r']);
    (!path.is_empty() && !path.contains('\0')).then_some(path)
}

#[cfg(test)]
mod tests {
    use super::{
        from_commondir, from_git_file, is_absolute, main_worktree, resolve, without_dots, worktree,
    };

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
    fn the_main_worktree_holds_the_git_folder_of_a_linked_one() {
        for (own, expected) in [
            ("/r/.git/worktrees/fix-b", Some("/r")),
            ("/w/../r/.git/worktrees/fix-b", Some("/r")),
            ("/r/w/../.git/worktrees/fix-b/", Some("/r")),
            ("C:/r/.git/worktrees/fix-b", Some("C:/r")),
            ("/.git/worktrees/fix-b", Some("/")),
            ("../r/.git/worktrees/fix-b", None),
            ("C:\\w/../r/.git/worktrees/fix-b", None),
            ("/r/.git", None),
            ("/r/.git/modules/a", None),
            ("/r/.git/worktrees/fix-b/modules/a", None),
            ("/r/.git/modules/a/worktrees/fix-b", None),
            ("/r/bare.git/worktrees/fix-b", None),
            ("/r/.git/worktrees", None),
        ] {
            assert_eq!(main_worktree(own).as_deref(), expected, "{own}");
        }
    }

    #[test]
    fn dots_in_a_path_are_what_its_text_says() {
        for (path, expected) in [
            ("/a/./b//c/", Some("/a/b/c")),
            ("/a/b/../c", Some("/a/c")),
            ("a/../b", None),
            ("/../a", None),
            ("/a/../..", None),
            ("/", Some("")),
            ("C:/../a", None),
            ("/a\\b/../c", None),
        ] {
            assert_eq!(without_dots(path).as_deref(), expected, "{path}");
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
            assert_eq!(resolve("/r/a", path), expected, "{path}");
        }
    }
}
