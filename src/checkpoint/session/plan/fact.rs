//! The facts that are compared. Paths are relative to the root, with `/`.

use super::path::in_one_case;

/// The nine bits that say what the owner, the group and all others may do. The bits beyond, set-user-ID, set-group-ID
/// and the sticky bit, are never recorded, and never set or taken.
pub const PERMISSIONS: u32 = 0o777;

/// Permission bits as they are stored and printed, such as `0640`.
pub fn octal(bits: u32) -> String {
    format!("{bits:04o}")
}

/// Permission bits from such a text; `None` for any other text.
pub fn of_octal(text: &str) -> Option<u32> {
    let is_octal = text.bytes().all(|it| matches!(it, b'0'..=b'7'));
    let bits = u32::from_str_radix(text, 8).ok()?;
    (is_octal && bits <= PERMISSIONS).then_some(bits)
}

/// The kind of thing that holds a content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContentKind {
    /// A file.
    File,
    /// A symbolic link; its content is the path in it.
    Link,
}

/// A file or a symbolic link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathContent {
    /// Its kind.
    pub kind: ContentKind,
    /// True if a file is executable; `None` for links, and where a host knows no modes.
    pub is_executable: Option<bool>,
    /// The nine permission bits of a file; `None` for links, for what a commit has, and where a host knows no modes.
    pub permissions: Option<u32>,
    /// Bytes.
    pub size: u64,
    /// SHA-256 of the bytes, in lower-case hex.
    pub sha256: String,
}

impl PathContent {
    /// Returns whether the bytes and the kind are the same; the mode may differ.
    pub fn has_bytes_of(&self, other: &PathContent) -> bool {
        self.kind == other.kind && self.size == other.size && self.sha256 == other.sha256
    }

    /// Returns whether nothing differs, as far as the host knows.
    pub fn is_same(&self, other: &PathContent) -> bool {
        self.has_bytes_of(other) && !self.differs_in_mode(other)
    }

    /// Returns whether both modes are known, and differ as far as both are.
    pub fn differs_in_mode(&self, other: &PathContent) -> bool {
        match (self.permissions, other.permissions) {
            (Some(a), Some(b)) => a != b,
            _ => {
                matches!((self.is_executable, other.is_executable), (Some(a), Some(b)) if a != b)
            }
        }
    }
}

/// The recorded state that a path is to have again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedPath<'a> {
    /// The path.
    pub path: &'a str,
    /// The content that stood there; `None` where nothing did.
    pub content: Option<PathContent>,
    /// The source of the statement.
    pub source: FactSource,
    /// The availability of its bytes.
    pub bytes: Bytes<'a>,
}

/// The source of a fact about the past.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FactSource {
    /// The checkpoint lists the path: it differed from HEAD.
    Snapshot,
    /// The checkpoint does not list it, so that it was as in HEAD; it differs from that now.
    Head,
}

/// The availability of recorded bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bytes<'a> {
    /// They can be read. (So it is where nothing stood.)
    Available,
    /// They were left out on purpose, for this reason: the path is not touched.
    LeftOut(&'a str),
    /// They should be there and are not, for this reason: nothing is restored.
    Lost(&'a str),
}

/// The present state of a path. A path that is not listed is absent, or equals HEAD.
///
/// Listed are all recorded paths where something stands, all that differs from HEAD, every file or link that
/// stands where a recorded path needs a folder, and, where a folder stands at a recorded path, all in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Present<'a> {
    /// The path.
    pub path: &'a str,
    /// Its present state.
    pub state: EntryState<'a>,
    /// The answer to whether an undo could bring it back.
    pub keeping: Keeping<'a>,
}

/// Notes that a checkpoint made now would not keep what stands at a path, for this reason; one that is noted already
/// stays. The facts are sorted by path.
pub fn exclude<'a>(present: &mut [Present<'a>], path: &str, why: &'a str) {
    if let Ok(at) = present.binary_search_by(|it| it.path.cmp(path))
        && present[at].keeping == Keeping::Keepable
    {
        present[at].keeping = Keeping::Excluded(why);
    }
}

/// The state of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EntryState<'a> {
    /// A file or a link.
    Content(PathContent),
    /// A folder.
    Folder,
    /// Something that could not be read, for this reason.
    Unreadable(&'a str),
    /// A pipe, a device or a socket.
    Special,
}

/// The answer to whether a checkpoint made now would keep the content of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keeping<'a> {
    /// It would.
    Keepable,
    /// It would not, for this reason: too large, held back as a secret, ignored.
    Excluded(&'a str),
}

/// A folder whose permission bits were recorded, on a host that knows modes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FolderMode<'a> {
    /// The path.
    pub path: &'a str,
    /// The bits that it had.
    pub recorded: u32,
    /// The bits that it has; `None` without a folder.
    pub present: Option<u32>,
}

impl FolderMode<'_> {
    /// Returns whether the folder stands, and has other bits.
    pub fn differs(&self) -> bool {
        self.present.is_some_and(|it| it != self.recorded)
    }
}

/// The commit that a checkpoint was made at, and the present one; `None` if absent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Heads<'a> {
    /// The commit of the checkpoint.
    pub recorded: Option<&'a str>,
    /// The present one.
    pub present: Option<&'a str>,
}

impl Heads<'_> {
    /// Returns whether another commit is checked out.
    pub fn have_moved(&self) -> bool {
        self.recorded != self.present
    }
}

/// The ways in which file systems compare names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameComparison {
    /// `A` and `a` are two files.
    Exact,
    /// `A` and `a` are one file.
    AnyCase,
}

impl NameComparison {
    /// A path as it is compared.
    pub(super) fn compared(self, path: &str) -> String {
        match self {
            NameComparison::Exact => path.to_owned(),
            NameComparison::AnyCase => in_one_case(path),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{octal, of_octal};

    #[test]
    fn permission_bits_are_read_as_stored_and_no_others_are() {
        for (bits, text) in [(0, "0000"), (0o640, "0640"), (0o777, "0777")] {
            assert_eq!(octal(bits), text);
            assert_eq!(of_octal(text), Some(bits));
        }
        for text in [
            "",
            "4755",
            "1777",
            "+640",
            "0o640",
            "888",
            "-1",
            "99999999999",
        ] {
            assert_eq!(of_octal(text), None, "{text}");
        }
    }
}
