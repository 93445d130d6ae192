//! Paths as agents say them, and as documents keep them: relative to a folder, with `/`.

/// The path below `base`, if it lies there: by its words alone, without a look at links. A relative path
/// begins in `folder`. Where `base` is a path of Windows, so are the others.
pub fn below(base: &str, folder: &str, path: &str) -> Option<String> {
    let form = Form::of(base);
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
enum Form {
    Posix,
    Windows,
}

impl Form {
    fn of(path: &str) -> Form {
        match has_drive(path) || path.starts_with("\\\\") {
            true => Form::Windows,
            false => Form::Posix,
        }
    }

    fn is_absolute(self, path: &str) -> bool {
        path.starts_with('/')
            || self == Form::Windows && (has_drive(path) || path.starts_with('\\'))
    }

    fn parts(self, path: &str) -> Vec<&str> {
        let is_separator = |it: char| it == '/' || it == '\\' && self == Form::Windows;
        let parts = path.split(is_separator);
        parts.filter(|part| !matches!(*part, "" | ".")).collect()
    }

    fn is_same(self, left: &str, right: &str) -> bool {
        match self {
            Form::Posix => left == right,
            Form::Windows => left.eq_ignore_ascii_case(right),
        }
    }
}

fn has_drive(path: &str) -> bool {
    matches!(path.as_bytes(), [letter, b':', b'/' | b'\\', ..] if letter.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::below;

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
