//! What a look at a worktree tells.

use super::table::Stored;

/// A path that differs from HEAD, in the worktree or in the index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Relative to the root, with `/`.
    pub path: String,
    /// What HEAD has there.
    pub head: Option<Stored>,
    /// What stands there.
    pub standing: Standing,
    /// When it was written last, in whole milliseconds since 1970; `None` where the host did not say.
    pub modified_ms: Option<u64>,
    /// How git knows the path.
    pub tracking: Tracking,
    /// How the index differs from HEAD.
    pub staged: Option<Change>,
    /// How the worktree differs from the index; `None` where the index does not have the path.
    pub unstaged: Option<Change>,
    /// How the worktree differs from HEAD; `None` where it does not, and only the index does.
    pub change: Option<Change>,
    /// Whether the bytes could not be compared, so that it is said to differ to be on the safe side: a
    /// filter stands between that was not run, or they cannot be read.
    pub is_assumed: bool,
}

/// How git knows a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tracking {
    /// The index has it.
    Tracked,
    /// The index only says that it is to be added (`git add --intent-to-add`).
    Intended,
    /// There is a conflict of a merge.
    Conflict,
    /// The index does not have it, and nothing ignores it; or it stands there no more.
    Untracked,
    /// The index does not have it any more, and it is ignored.
    Ignored,
}

/// What stands at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Nothing.
    Absent,
    /// A file.
    File {
        /// Bytes.
        size: u64,
        /// Whether it is executable: as the host says, or the index where the host or git's
        /// configuration has no modes; `None` where neither knows.
        is_executable: Option<bool>,
    },
    /// A symbolic link.
    Link,
    /// A folder.
    Folder,
    /// A pipe, a device or a socket.
    Special,
}

/// How a later state differs from an earlier one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// It was not there.
    Added,
    /// The bytes of the file, or the path in the link.
    Modified,
    /// It is not there any more.
    Deleted,
    /// A file became a link or something else, or the reverse.
    Type,
    /// Only whether it is executable.
    Mode,
    /// A merge left it in conflict.
    Conflict,
}

/// What was not looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// A file, or a folder with all that is in it.
    pub path: String,
    /// Why.
    pub reason: Reason,
}

/// Why something was not looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The folder is a repository of its own.
    NestedRepository,
    /// The folder is a submodule.
    Submodule,
    /// It is a pipe, a device or a socket.
    Special,
    /// The name is not UTF-8. The path has its bytes as [`escaped`](crate::text::escaped).
    NotUnicode,
    /// The same, and nothing stands there any more.
    GoneNotUnicode,
    /// The host could not read the folder.
    Unreadable,
    /// Some systems read the name as `.git`.
    GitName,
}

impl Reason {
    /// Every reason, in the order of the documentation.
    pub const ALL: [Reason; 7] = [
        Reason::NestedRepository,
        Reason::Submodule,
        Reason::Special,
        Reason::NotUnicode,
        Reason::GoneNotUnicode,
        Reason::Unreadable,
        Reason::GitName,
    ];

    /// Why, as it goes on after the path.
    pub const fn as_str(self) -> &'static str {
        match self {
            Reason::NestedRepository => "is a repository of its own",
            Reason::Submodule => "is a submodule",
            Reason::Special => "is a pipe, a device or a socket",
            Reason::NotUnicode => "has a name that is not UTF-8",
            Reason::GoneNotUnicode => "is gone, and has a name that is not UTF-8",
            Reason::Unreadable => "cannot be read",
            Reason::GitName => "has a name that some systems read as .git",
        }
    }
}

/// What else whoever relies on the answer should know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// There is no repository that the host can see: all files count as untracked.
    NoRepository,
    /// What the user ignores everywhere (`core.excludesFile`) was not seen, and may be among the
    /// untracked files.
    GlobalExcludesUnseen,
    /// This file of patterns could not be read: of the worktree, or `info/…` of the git folder.
    PatternsUnread(String),
    /// Git itself was asked what differs: the index is split or sparse, or trees of HEAD are missing.
    ToldByGit,
    /// A folder could not be read to its end, or has names that are not UTF-8 on a host that does not name them.
    FolderUnfinished(String),
    /// A filter was not run, because only the repository's own configuration defines it: files behind it
    /// count as changed, where their bytes had to be compared.
    FilterRefused {
        /// Its name.
        filter: String,
        /// How many files.
        files: usize,
    },
}

/// How much is looked at. What is beyond is an error: nothing is cut off in silence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How many paths may differ.
    pub files: usize,
    /// How many folders are entered.
    pub folders: usize,
    /// How many names a folder may have.
    pub names: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            files: 100_000,
            folders: 1_000_000,
            names: 1_000_000,
        }
    }
}
