//! Git's objects: commits, trees and the bytes of files, loose or in packs (gitformat-pack).
//!
//! A reader asks for parts of files as they are needed: of a pack's index with
//! [`index::PackIndex`], of the pack with [`pack::Reading`]; a loose object is one file. What was read
//! is the object that was asked for where its [`Object::id`] says so, and nowhere else is anything
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
use name::Naming;

/// The kind of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A commit.
    Commit,
    /// A folder.
    Tree,
    /// The bytes of a file, or the target of a symbolic link.
    Blob,
    /// An annotated tag.
    Tag,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 4] = [Kind::Commit, Kind::Tree, Kind::Blob, Kind::Tag];

    /// The word that git has for it.
    pub fn word(self) -> &'static str {
        match self {
            Kind::Commit => "commit",
            Kind::Tree => "tree",
            Kind::Blob => "blob",
            Kind::Tag => "tag",
        }
    }
}

/// An object, unpacked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    /// The kind of it.
    pub kind: Kind,
    /// The content, without a header.
    pub bytes: Vec<u8>,
}

impl Object {
    /// Its name.
    pub fn id(&self, hash: Hash) -> Id {
        let mut naming = Naming::new(hash, self.kind, self.bytes.len() as u64);
        naming.update(&self.bytes);
        naming.finish()
    }
}

/// A part of a file. What is there may end earlier only because the file does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Where it begins, in bytes.
    pub offset: u64,
    /// The length in bytes.
    pub length: u32,
}
