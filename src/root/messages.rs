//! The words of messages about the files of a repository.

use crate::effect::{Failed, Fault, FoundEntry};

/// `.git` as seen from the root.
pub(super) fn shown(found: &FoundEntry) -> String {
    let depth = found
        .below
        .split('/')
        .filter(|part| !part.is_empty())
        .count();
    format!("{}.git", "../".repeat(depth))
}

/// Returns the reason why an effect failed, in words that are the same on every host wherever the
/// reason is known.
pub(super) fn reason(failed: &Failed) -> String {
    match failed.fault {
        Fault::NotFound => "it is missing or out of reach".into(),
        Fault::Symlink => "it is a symbolic link that leads nowhere".into(),
        Fault::WrongKind => "it is no regular file".into(),
        Fault::TooLarge => "it is too large".into(),
        Fault::Unsupported => "this host cannot run git".into(),
        Fault::Exists
        | Fault::Changed
        | Fault::NoSpace
        | Fault::Denied
        | Fault::Closed
        | Fault::Sharing
        | Fault::Other => failed.reason(),
    }
}

#[cfg(test)]
mod tests {
    use super::shown;
    use crate::effect::{FoundEntry, PathKind};

    #[test]
    fn messages_name_git_as_seen_from_the_root() {
        for (below, expected) in [("", ".git"), ("a", "../.git"), ("a/b", "../../.git")] {
            let found = FoundEntry {
                folder: "/r".into(),
                below: below.into(),
                kind: PathKind::Folder,
            };
            assert_eq!(shown(&found), expected, "{below}");
        }
    }
}
