//! Paths as people and agents say them, and as documents keep them: relative to a folder, with `/`. Links are not
//! followed: a path is what its words say.

/// The reasons why a path does not belong to a repository.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotInRepository {
    /// It is empty.
    Empty,
    /// It is the root, and nothing in it.
    Root,
    /// It leads out of the repository.
    Outside,
    /// It is absolute, and the host does not say where the root is.
    Unplaced,
}

impl NotInRepository {
    /// Every reason, in the order of the documentation.
    pub const ALL: [NotInRepository; 4] = [
        NotInRepository::Empty,
        NotInRepository::Root,
        NotInRepository::Outside,
        NotInRepository::Unplaced,
    ];

    /// The reason as it goes on after the path, and what to do.
    pub const fn as_str(self) -> &'static str {
        match self {
            NotInRepository::Empty => "is empty: name a file",
            NotInRepository::Root => "is the root of the repository: name a file in it",
            NotInRepository::Outside => "is outside of the repository: name a file in it",
            NotInRepository::Unplaced => {
                "is absolute, and the place of the repository is not visible here: name it from the working folder"
            }
        }
    }
}

/// Returns the path in a repository that was typed as `typed`: below the root, normalised, with `/`.
///
/// A relative path begins in the folder that `prefix` leads to from the root. `root` is as the host names it: where it
/// is a path of Windows, so is the typed one.
///
/// # Errors
///
/// The reason why it is no path in the repository.
pub fn repository_path(root: &str, prefix: &str, typed: &str) -> Result<String, NotInRepository> {
    let form = PathForm::of(root);
    if typed.is_empty() {
        return Err(NotInRepository::Empty);
    }
    let is_absolute = form.is_absolute(typed);
    let is_placed = form.is_absolute(root);
    if is_absolute && !is_placed {
        return Err(NotInRepository::Unplaced);
    }
    if !is_absolute && form.names_drive(typed) {
        return Err(NotInRepository::Outside);
    }
    // A root that the host does not place is where its own paths begin.
    let root = match is_placed {
        true => form.parts(root),
        false => Vec::new(),
    };
    let mut whole = match is_absolute {
        true => Vec::new(),
        false => [root.as_slice(), form.parts(prefix).as_slice()].concat(),
    };
    for part in form.parts(typed) {
        match part {
            ".." => drop(whole.pop().ok_or(NotInRepository::Outside)?),
            part => whole.push(part),
        }
    }
    let (above, below) = whole
        .split_at_checked(root.len())
        .ok_or(NotInRepository::Outside)?;
    if !above
        .iter()
        .zip(&root)
        .all(|(left, right)| form.is_same(left, right))
    {
        return Err(NotInRepository::Outside);
    }
    match below.is_empty() {
        true => Err(NotInRepository::Root),
        false => Ok(below.join("/")),
    }
}

/// Returns the path below `base`, if it is below: by its words alone, without a look at links. A
/// relative path begins in `folder`. Where `base` is a path of Windows, so are the others.
pub fn below(base: &str, folder: &str, path: &str) -> Option<String> {
    let form = PathForm::of(base);
    let base = form.parts(base);
    let mut whole = match form.is_absolute(path) {
        true => Vec::new(),
        false => form.parts(folder),
    };
    for part in form.parts(path) {
        match part {
            ".." => drop(whole.pop()?),
            part => whole.push(part),
        }
    }
    let (above, below) = whole.split_at_checked(base.len())?;
    let is_same = |(left, right): (&&str, &&str)| form.is_same(left, right);
    let is_below = above.iter().zip(&base).all(is_same) && !below.is_empty();
    (is_below && !below.contains(&"..")).then(|| below.join("/"))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum PathForm {
    Posix,
    Windows,
}

impl PathForm {
    fn of(path: &str) -> PathForm {
        match has_drive(path) || path.starts_with("\\\\") {
            true => PathForm::Windows,
            false => PathForm::Posix,
        }
    }

    fn is_absolute(self, path: &str) -> bool {
        path.starts_with('/')
            || self == PathForm::Windows && (has_drive(path) || path.starts_with('\\'))
    }

    /// Returns whether a path begins with the letter of a drive. Without a separator behind it, the folder of that
    /// drive in which it begins is not known.
    fn names_drive(self, path: &str) -> bool {
        let begins = matches!(path.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic());
        self == PathForm::Windows && begins
    }

    fn parts(self, path: &str) -> Vec<&str> {
        let is_separator = |it: char| it == '/' || it == '\\' && self == PathForm::Windows;
        let parts = path.split(is_separator);
        parts.filter(|part| !matches!(*part, "" | ".")).collect()
    }

    fn is_same(self, left: &str, right: &str) -> bool {
        match self {
            PathForm::Posix => left == right,
            PathForm::Windows => left.eq_ignore_ascii_case(right),
        }
    }
}

fn has_drive(path: &str) -> bool {
    matches!(path.as_bytes(), [letter, b':', b'/' | b'\\', ..] if letter.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::{NotInRepository, below, repository_path};

    #[test]
    fn a_typed_path_is_that_of_the_repository_from_any_folder() {
        for (root, prefix, typed, expected) in [
            ("/p", "", "src/a.rs", "src/a.rs"),
            (
                "/p",
                "packages/api",
                "src/router.js",
                "packages/api/src/router.js",
            ),
            (
                "/p",
                "packages/api",
                "./src//router.js",
                "packages/api/src/router.js",
            ),
            ("/p", "packages/api", "../web/a.js", "packages/web/a.js"),
            ("/p", "packages/api", "../../a.js", "a.js"),
            ("/p", "packages/api", "/p/a.js", "a.js"),
            ("/p/", "sub", "/p/x/../a.js", "a.js"),
            // Out of the repository, and in again.
            ("/p", "sub", "../../p/a.js", "a.js"),
            ("/p", "sub", "lib/", "sub/lib"),
            ("/p", "sub", "a b.js ", "sub/a b.js "),
            ("/p", "sub", "a\\b", "sub/a\\b"),
            ("/p", "sub", "*.js", "sub/*.js"),
            ("/", "", "/a", "a"),
            (".", "", "src/a.rs", "src/a.rs"),
            (".", "sub", "../a.rs", "a.rs"),
            ("..", "sub", "a.rs", "sub/a.rs"),
            ("C:\\p", "sub", "src\\a.rs", "sub/src/a.rs"),
            ("C:\\p", "sub", "..\\a.rs", "a.rs"),
            ("C:\\p", "sub", "c:/P/src/a.rs", "src/a.rs"),
            ("\\\\s\\share\\p", "", "\\\\s\\share\\p\\a", "a"),
        ] {
            let found = repository_path(root, prefix, typed);
            assert_eq!(found.as_deref(), Ok(expected), "{root} {prefix} {typed}");
        }
    }

    #[test]
    fn a_path_outside_of_the_repository_is_refused_with_its_reason() {
        for (root, prefix, typed, expected) in [
            ("/p", "sub", "", NotInRepository::Empty),
            ("/p", "", ".", NotInRepository::Root),
            ("/p", "sub", "..", NotInRepository::Root),
            ("/p", "sub", "/p/", NotInRepository::Root),
            ("/p", "sub", "../../a", NotInRepository::Outside),
            ("/p", "", "/etc/passwd", NotInRepository::Outside),
            ("/p", "", "/px/a", NotInRepository::Outside),
            ("/p", "", "/p/../q/a", NotInRepository::Outside),
            ("/p", "", "../../../../a", NotInRepository::Outside),
            (".", "", "../a", NotInRepository::Outside),
            (".", "sub", "../../a", NotInRepository::Outside),
            (".", "", "/home/p/a", NotInRepository::Unplaced),
            ("C:\\p", "", "D:\\p\\a", NotInRepository::Outside),
            ("C:\\p", "", "C:a", NotInRepository::Outside),
            ("C:\\p", "", "\\p\\a", NotInRepository::Outside),
        ] {
            let found = repository_path(root, prefix, typed);
            assert_eq!(found, Err(expected), "{root} {prefix} {typed}");
        }
    }

    #[test]
    fn every_refusal_has_words_of_its_own() {
        for (at, refusal) in NotInRepository::ALL.into_iter().enumerate() {
            let before = &NotInRepository::ALL[..at];
            assert!(before.iter().all(|it| it.as_str() != refusal.as_str()));
        }
    }

    #[test]
    fn only_a_path_below_the_base_has_one_from_there() {
        for (base, folder, path, expected) in [
            ("/p", "/p", "/p/src/a.rs", Some("src/a.rs")),
            ("/p/", "/p", "/p//src/./a.rs", Some("src/a.rs")),
            ("/p", "/p/sub", "a.rs", Some("sub/a.rs")),
            ("/p", "/p/sub", "../a.rs", Some("a.rs")),
            ("/p", "/p/sub", "../../a.rs", None),
            ("/p", "/p", "/p", None),
            ("/p", "/p", "/px/a", None),
            ("/p", "/p", "/p/../q/a", None),
            ("/p", "/p", "/p/x/../../q/a", None),
            ("/p", "/p", "/../../../p/a", None),
            ("/p", "/p", "C:\\p\\a", Some("C:\\p\\a")),
            ("/p", "/p", "a\\b", Some("a\\b")),
            (".", ".", "src/a", Some("src/a")),
            (".", ".", "../a", None),
            ("C:\\p", "C:\\p", "c:\\P\\src\\a.rs", Some("src/a.rs")),
            ("C:/p", "C:/p", "C:\\p/src/a.rs", Some("src/a.rs")),
            ("C:\\p", "C:\\p", "src\\a.rs", Some("src/a.rs")),
            ("C:\\p", "C:\\p", "D:\\p\\a.rs", None),
            ("C:\\p", "C:\\p", "\\\\server\\p\\a.rs", None),
            ("\\\\s\\share\\p", "", "\\\\s\\share\\p\\a", Some("a")),
            ("/", "/", "/a", Some("a")),
        ] {
            let found = below(base, folder, path);
            assert_eq!(found.as_deref(), expected, "{base} {folder} {path}");
        }
    }
}
