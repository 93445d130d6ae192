//! What a look at a path or at a folder tells.

/// What stands at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// What it is.
    pub kind: Kind,
    /// Bytes of a file; 0 for anything else.
    pub size: u64,
    /// The permission bits of a file or folder; `None` for anything else, and on a host without
    /// modes (Windows, WASI, memory).
    pub mode: Option<u32>,
}

/// Kinds of directory entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
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
    /// Nobody knows: the user of the process may not search a folder on the way.
    Denied,
}

impl Kind {
    /// What stands somewhere, in a sentence.
    pub fn noun(self) -> &'static str {
        match self {
            Kind::Absent => "absent",
            Kind::File => "a file",
            Kind::Folder => "a folder",
            Kind::Symlink => "a symbolic link",
            Kind::Other => "a special file or not accessible",
            Kind::Denied => "out of reach, in a folder that this user may not search",
        }
    }
}

/// One name of a folder, with what a look tells that follows no link.
#[derive(Clone, Debug, PartialEq)]
pub struct Scanned {
    /// The name.
    pub name: String,
    /// What stands there.
    pub entry: Entry,
    /// When it was written last, in milliseconds since 1970 with what fraction the host has; NaN where
    /// nobody may look at it.
    pub modified_ms: f64,
    /// When anything of it changed last, its name and its mode too; NaN where the host does not know.
    pub changed_ms: f64,
    /// What tells the file from others of its file system, as far as the host can say it in 53 bits; 0
    /// where the host does not know.
    pub number: u64,
}
