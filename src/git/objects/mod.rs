//! Git's objects: commits, trees and the bytes of files, loose or in packs (gitformat-pack).
//!
//! A reader asks for parts of files as they are needed: of a pack's index with
//! [`index::PackIndex`], of the pack with [`pack::PackedObjectReader`]; a loose object is one file. What was read
//! is the object that was asked for where its [`GitObject::id`] says so, and nowhere else is anything
//! verified. Every `.pack` has an `.idx` beside it, so that `multi-pack-index`, `.rev`, `.bitmap` and
//! `commit-graph`, which say the same for more speed, are not read. `refs/replace` is not looked at.

pub mod alternates;
pub mod commit;
mod delta;
pub mod index;
mod inflate;
pub mod loose;
pub mod name;
pub mod pack;
pub mod tree;

use super::id::{Hash, Id};
use name::ObjectHasher;

/// The kind of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ObjectKind {
    /// A commit.
    Commit,
    /// A folder.
    Tree,
    /// The bytes of a file, or the target of a symbolic link.
    Blob,
    /// An annotated tag.
    Tag,
}

impl ObjectKind {
    /// All of them.
    pub const ALL: [ObjectKind; 4] = [
        ObjectKind::Commit,
        ObjectKind::Tree,
        ObjectKind::Blob,
        ObjectKind::Tag,
    ];

    /// The word that git has for it.
    pub fn word(self) -> &'static str {
        match self {
            ObjectKind::Commit => "commit",
            ObjectKind::Tree => "tree",
            ObjectKind::Blob => "blob",
            ObjectKind::Tag => "tag",
        }
    }
}

/// An object, unpacked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GitObject {
    /// The kind of it.
    pub kind: ObjectKind,
    /// The content, without a header.
    pub bytes: Vec<u8>,
}

impl GitObject {
    /// Its name.
    pub fn id(&self, hash: Hash) -> Id {
        let mut naming = ObjectHasher::new(hash, self.kind, self.bytes.len() as u64);
        naming.update(&self.bytes);
        naming.finish()
    }
}

/// A part of a file. What is there may end earlier only because the file does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileRange {
    /// Its offset, in bytes.
    pub offset: u64,
    /// The length in bytes.
    pub length: u32,
}
