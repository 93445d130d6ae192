//! The parts of a plan.

use super::fact::PathContent;
use super::path::Unsafe;
use super::verify::FileVerdict;

/// The change of one path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedChange<'a> {
    /// The path.
    pub path: &'a str,
    /// The action there.
    pub act: PathAction,
    /// Its difference from the checkpoint, which marks later changes.
    pub answer: FileVerdict,
}

/// The actions at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathAction {
    /// The file or link goes.
    Delete,
    /// The content is written, in place of anything that stands there.
    Write(PathContent),
    /// The bytes stay, and the mode changes to executable or not.
    SetMode(bool),
    /// The bytes stay, and these are the permission bits from then on.
    SetPermissions(u32),
}

/// One step. A step needs those before it, and each is done whole or not at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RestoreStep<'a> {
    /// Deletes a file or link.
    Delete(&'a str),
    /// Removes a folder, empty by now, because a file or link goes there.
    RemoveFolder(&'a str),
    /// Removes a folder that a deletion may have left empty, where it did.
    RemoveIfEmpty(&'a str),
    /// Makes a folder, if missing.
    MakeFolder(&'a str),
    /// Writes a content, in place of the file or link that may stand there.
    Write(&'a str, PathContent),
    /// Makes a file executable, or not.
    SetMode(&'a str, bool),
    /// Gives a file these permission bits.
    SetPermissions(&'a str, u32),
    /// Gives a folder these permission bits.
    SetFolderPermissions(&'a str, u32),
}

/// A path that stays as it is although it differs from the checkpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unrestorable<'a> {
    /// The path.
    pub path: &'a str,
    /// The reason why it cannot be restored.
    pub why: &'a str,
}

/// The reasons why a plan must not be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RestoreRefusal<'a> {
    /// Another commit is checked out; the checkpoint's one would have to be.
    HeadMoved {
        /// The commit of the checkpoint.
        recorded: Option<&'a str>,
        /// The present one.
        present: Option<&'a str>,
    },
    /// The checkpoint has a path that is never touched.
    Unsafe(&'a str, Unsafe),
    /// The present content would be gone for good, for this reason.
    NotKept(&'a str, &'a str),
    /// The recorded content is gone or damaged, for this reason.
    Lost(&'a str, &'a str),
    /// The file there cannot be read, for this reason.
    Unreadable(&'a str, &'a str),
    /// A pipe, device or socket stands there.
    Special(&'a str),
    /// The path cannot be, because of what stays at the second one.
    InTheWay(&'a str, &'a str),
    /// Two paths have one name, as the file system compares them.
    Collides(&'a str, &'a str),
}
