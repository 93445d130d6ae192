//! The result of a look at a worktree.

use super::table::StoredBlob;
use crate::checkpoint::session::known_files::FileStamp;

/// A path that differs from HEAD, in the worktree or in the index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportedFile {
    /// Relative to the root, with `/`.
    pub path: String,
    /// The content in HEAD.
    pub head: Option<StoredBlob>,
    /// The state in the worktree.
    pub state: PathState,
    /// The time of its last write, in whole milliseconds since 1970; `None` where the host did not
    /// say.
    pub modified_ms: Option<u64>,
    /// The stamp of the file or link, and its permission bits where the host has modes; `None` where git alone looked.
    pub stamp: Option<(FileStamp, Option<u32>)>,
    /// The way in which git knows the path.
    pub tracking: PathTracking,
    /// The difference of the index from HEAD.
    pub staged: Option<WorktreeChange>,
    /// The difference of the worktree from the index; `None` where the index does not have the
    /// path.
    pub unstaged: Option<WorktreeChange>,
    /// The difference of the worktree from HEAD; `None` where it does not differ, and only the
    /// index does.
    pub change: Option<WorktreeChange>,
    /// True if the bytes could not be compared, so that it is said to differ to be on the safe
    /// side: a filter stands between that was not run, or they cannot be read.
    pub is_assumed: bool,
}

/// The ways in which git knows a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathTracking {
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

/// The state of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathState {
    /// Nothing.
    Absent,
    /// A file.
    File {
        /// Bytes.
        size: u64,
        /// True if it is executable: as the host says, or the index where the host or git's
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

/// The difference of a later state from an earlier one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorktreeChange {
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

/// A path that was not looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnscannedPath {
    /// A file, or a folder with all that is in it.
    pub path: String,
    /// The reason.
    pub reason: UnscannedReason,
}

/// The reasons why something was not looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnscannedReason {
    /// The folder is a repository of its own.
    NestedRepository,
    /// The folder is a submodule.
    Submodule,
    /// It is a pipe, a device or a socket.
    Special,
    /// The name is not UTF-8. The path has its bytes as [`escaped`](crate::text::escaped).
    NotUnicode,
    /// A path that is not Unicode, and nothing stands there any more.
    GoneNotUnicode,
    /// The host could not read the folder.
    Unreadable,
    /// Some systems read the name as `.git`.
    GitName,
    /// A pattern of the settings excludes it.
    Excluded,
}

impl UnscannedReason {
    /// Every reason, in the order of the documentation.
    pub const ALL: [UnscannedReason; 8] = [
        UnscannedReason::NestedRepository,
        UnscannedReason::Submodule,
        UnscannedReason::Special,
        UnscannedReason::NotUnicode,
        UnscannedReason::GoneNotUnicode,
        UnscannedReason::Unreadable,
        UnscannedReason::GitName,
        UnscannedReason::Excluded,
    ];

    /// Returns the reason, as a sentence goes on after the path.
    pub const fn as_str(self) -> &'static str {
        match self {
            UnscannedReason::NestedRepository => "is a repository of its own",
            UnscannedReason::Submodule => "is a submodule",
            UnscannedReason::Special => "is a pipe, a device or a socket",
            UnscannedReason::NotUnicode => "has a name that is not UTF-8",
            UnscannedReason::GoneNotUnicode => "is gone, and has a name that is not UTF-8",
            UnscannedReason::Unreadable => "cannot be read",
            UnscannedReason::GitName => "has a name that some systems read as .git",
            UnscannedReason::Excluded => "is excluded from what is kept for rewinds",
        }
    }
}

/// The notes for readers that rely on the result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// There is no repository that the host can see: all files count as untracked.
    NoRepository,
    /// The user's patterns for all repositories (`core.excludesFile`) were not seen, and files that
    /// they ignore may be among the untracked files.
    GlobalExcludesUnseen,
    /// This file of patterns could not be read: of the worktree, or `info/…` of the git folder.
    PatternsUnread(String),
    /// Git itself was asked what differs: the index is split or sparse, or trees of HEAD are missing.
    GitStatus,
    /// A folder could not be read to its end, or has names that are not UTF-8 on a host that does not name them.
    FolderUnfinished(String),
    /// A filter was not run, because only the repository's own configuration defines it: files behind it
    /// count as changed, where their bytes had to be compared.
    FilterRefused {
        /// Its name.
        filter: String,
        /// The number of files.
        files: usize,
    },
}

/// The limits on a look. Anything beyond them is an error: nothing is cut off in silence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScanLimits {
    /// The number of paths that may differ.
    pub files: usize,
    /// The number of folders that are entered.
    pub folders: usize,
    /// The number of names that a folder may have.
    pub names: u32,
}

impl Default for ScanLimits {
    fn default() -> Self {
        ScanLimits {
            files: 100_000,
            folders: 1_000_000,
            names: 1_000_000,
        }
    }
}
