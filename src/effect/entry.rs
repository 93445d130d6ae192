//! The result of a look at a path or at a folder.

/// The state of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathEntry {
    /// Its kind.
    pub kind: PathKind,
    /// Bytes of a file; 0 for anything else.
    pub size: u64,
    /// The permission bits of a file or folder; `None` for anything else, and on a host without
    /// modes (Windows, WASI, memory).
    pub mode: Option<u32>,
}

/// Kinds of directory entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathKind {
    /// Nothing is there.
    Absent,
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A symbolic link.
    Symlink,
    /// A pipe, socket or device, or something that cannot be looked at.
    Other,
    /// Unknown: the user of the process may not search a folder on the way.
    Denied,
}

impl PathKind {
    /// Returns the noun for it in a sentence.
    pub fn noun(self) -> &'static str {
        match self {
            PathKind::Absent => "absent",
            PathKind::File => "a file",
            PathKind::Folder => "a folder",
            PathKind::Symlink => "a symbolic link",
            PathKind::Other => "a special file or not accessible",
            PathKind::Denied => "out of reach, in a folder that this user may not search",
        }
    }
}

/// One name of a folder, with the result of a look that follows no link.
#[derive(Clone, Debug, PartialEq)]
pub struct Scanned {
    /// The name; where it is not Unicode, `/` and behind it the hexadecimal digits of its bytes.
    pub name: String,
    /// Its state.
    pub entry: PathEntry,
    /// The time of its last write, in milliseconds since 1970 with the host's fraction; NaN where
    /// the user may not look at it.
    pub modified_ms: f64,
    /// The time of its last change, of its name and its mode too; NaN where the host does not know.
    pub changed_ms: f64,
    /// The number that distinguishes the file from others of its file system, as far as the host
    /// can say it in 53 bits; 0 where the host does not know.
    pub number: u64,
}

impl Scanned {
    /// The bytes of a name that is not Unicode; `None` for any other one.
    pub fn bytes(&self) -> Option<Vec<u8>> {
        let digits = self.name.strip_prefix('/')?;
        let pairs = digits.as_bytes().chunks(2);
        let byte = |pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
        let bytes: Option<Vec<u8>> = pairs.map(byte).collect();
        // Other characters than digits are still no name of a file.
        Some(bytes.unwrap_or_else(|| digits.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::{PathEntry, PathKind, Scanned};

    #[test]
    fn a_name_that_is_not_unicode_comes_by_its_bytes() {
        let bytes = |name: &str| {
            let entry = PathEntry {
                kind: PathKind::File,
                size: 0,
                mode: None,
            };
            let scanned = Scanned {
                name: name.to_owned(),
                entry,
                modified_ms: 0.0,
                changed_ms: 0.0,
                number: 0,
            };
            scanned.bytes()
        };
        assert_eq!(bytes("/626164ff"), Some(b"bad\xff".to_vec()));
        assert_eq!(bytes("bad"), None);
        assert_eq!(bytes("626164ff"), None);
        assert_eq!(bytes("/../etc"), Some(b"../etc".to_vec()));
    }
}
