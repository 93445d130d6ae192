//! Paths that a restore must not touch, however they are written.

/// The reasons why a path is not touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unsafe {
    /// It is empty, or has an empty part.
    Empty,
    /// It begins at a root, a drive or a share.
    Absolute,
    /// It has a part that some system reads as `.` or `..`.
    Dots,
    /// It has a backslash, which some systems read as `/`, or a NUL.
    Character,
    /// It has a part that some system reads as `.git`.
    Git,
    /// It leads to the folders in which checkpoints are kept, or would replace one of them.
    Own,
}

impl Unsafe {
    /// Every reason, in the order of the documentation.
    pub const ALL: [Unsafe; 6] = [
        Unsafe::Empty,
        Unsafe::Absolute,
        Unsafe::Dots,
        Unsafe::Character,
        Unsafe::Git,
        Unsafe::Own,
    ];

    /// Returns the problem, as a sentence goes on after the path.
    pub const fn as_str(self) -> &'static str {
        match self {
            Unsafe::Empty => "has an empty part",
            Unsafe::Absolute => "does not begin at the root of the project",
            Unsafe::Dots => "has a part that leads out of its folder on some systems",
            Unsafe::Character => "has a backslash or a NUL in it",
            Unsafe::Git => "leads into the repository's own files",
            Unsafe::Own => "leads to where checkpoints are kept",
        }
    }
}

/// Looks for what makes a path unsafe on any system, so that a checkpoint that one made does no harm on
/// another. `own` are the folders of the product, relative to the root.
pub fn problem(path: &str, own: &[&str]) -> Option<Unsafe> {
    let bytes = path.as_bytes();
    if path.contains(['\\', '\0']) {
        return Some(Unsafe::Character);
    }
    let has_drive = bytes.get(1) == Some(&b':') && bytes[0].is_ascii_alphabetic();
    if path.starts_with('/') || has_drive {
        return Some(Unsafe::Absolute);
    }
    if let Some(problem) = path.split('/').find_map(problem_of_part) {
        return Some(problem);
    }
    let path = folded(path);
    let is_own = |own: &&str| {
        let own = folded(own);
        is_within(&path, &own) || is_within(&own, &path)
    };
    own.iter().any(is_own).then_some(Unsafe::Own)
}

fn problem_of_part(part: &str) -> Option<Unsafe> {
    if part.is_empty() {
        return Some(Unsafe::Empty);
    }
    let part = folded(part);
    match part.as_str() {
        "" | "." | ".." => Some(Unsafe::Dots),
        // The second is the short name that NTFS gives to the first.
        ".git" | "git~1" => Some(Unsafe::Git),
        _ => None,
    }
}

/// A path as the most forgiving systems read it, to be compared: in small letters, each part without what
/// HFS+ ignores, what NTFS takes for a stream (`.git::$INDEX_ALLOCATION`), and the blanks and points that
/// Windows drops at its end.
fn folded(path: &str) -> String {
    let part = |part: &str| {
        let name = part.split(':').next().unwrap_or_default();
        let seen: String = name.chars().filter(|it| !is_ignored(*it)).collect();
        let kept = seen.trim_end_matches(['.', ' ']);
        // All of it dropped is the folder itself, or the one above.
        match kept.is_empty() {
            true => String::new(),
            false => in_one_case(kept),
        }
    };
    let parts: Vec<String> = path.split('/').map(part).collect();
    parts.join("/")
}

/// Returns a path as it is compared by systems that ignore letter case.
pub(super) fn in_one_case(path: &str) -> String {
    path.to_lowercase()
}

/// Returns whether a path is another, or is below it.
fn is_within(path: &str, folder: &str) -> bool {
    let rest = path.strip_prefix(folder);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Returns the folders that contain a path, from the root down.
pub fn folders(path: &str) -> impl Iterator<Item = &str> {
    let ends = path.bytes().enumerate().filter(|(_, it)| *it == b'/');
    ends.map(|(end, _)| &path[..end])
}

/// Returns whether HFS+ ignores a character in a name.
fn is_ignored(character: char) -> bool {
    matches!(
        character,
        '\u{200C}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{206A}'..='\u{206F}' | '\u{FEFF}'
    )
}

#[cfg(test)]
mod tests {
    use super::{Unsafe, problem};

    const OWN: [&str; 2] = [".claude/state", ".claude/checkpoints"];

    #[test]
    fn a_path_that_leads_elsewhere_on_some_system_is_refused() {
        for (path, expected) in [
            ("", Unsafe::Empty),
            ("a//b", Unsafe::Empty),
            ("a/", Unsafe::Empty),
            ("/etc/passwd", Unsafe::Absolute),
            ("C:/a", Unsafe::Absolute),
            ("c:a", Unsafe::Absolute),
            ("..", Unsafe::Dots),
            ("a/../b", Unsafe::Dots),
            ("./a", Unsafe::Dots),
            ("a/.. /b", Unsafe::Dots),
            ("a/.../b", Unsafe::Dots),
            ("a/ /b", Unsafe::Dots),
            ("a/.\u{200c}./b", Unsafe::Dots),
            ("..\\a", Unsafe::Character),
            ("\\\\server\\share", Unsafe::Character),
            ("a\0b", Unsafe::Character),
            (".git", Unsafe::Git),
            (".git/hooks/pre-commit", Unsafe::Git),
            ("sub/.git/config", Unsafe::Git),
            (".GIT/config", Unsafe::Git),
            (".git /config", Unsafe::Git),
            (".git./config", Unsafe::Git),
            (".git. . /config", Unsafe::Git),
            ("git~1/config", Unsafe::Git),
            ("GIT~1", Unsafe::Git),
            (".git::$INDEX_ALLOCATION/config", Unsafe::Git),
            (".g\u{200c}it/config", Unsafe::Git),
            ("\u{feff}.git", Unsafe::Git),
            (".gi\u{206f}t/x", Unsafe::Git),
            (".claude/state/design-checkpoint.json", Unsafe::Own),
            (".claude/state", Unsafe::Own),
            (".claude", Unsafe::Own),
            (".Claude/Checkpoints/objects/x", Unsafe::Own),
            (".claude./state /x", Unsafe::Own),
        ] {
            assert_eq!(problem(path, &OWN), Some(expected), "{path:?}");
        }
    }

    #[test]
    fn an_ordinary_path_is_accepted() {
        for path in [
            "a",
            "src/main.rs",
            ".gitignore",
            ".github/workflows/ci.yml",
            "git",
            "git~2",
            "a.git",
            ".git2/x",
            "x.git/config",
            ".claude/settings.json",
            ".claude/states",
            "..a",
            "a..",
            "a b/c d",
            "what: a title.md",
            "Grüße/世界",
            "-",
        ] {
            assert_eq!(problem(path, &OWN), None, "{path:?}");
        }
    }

    #[test]
    fn every_reason_has_words_of_its_own() {
        for (at, reason) in Unsafe::ALL.into_iter().enumerate() {
            let words = reason.as_str();
            let before = &Unsafe::ALL[..at];
            assert!(before.iter().all(|it| it.as_str() != words), "{words}");
        }
    }
}
