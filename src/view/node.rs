//! The node at a path, as far as the source has described it.

use std::collections::BTreeMap;

use crate::effect::{Entry, Fault, Kind};

use super::frames::Content;

/// The node at a path.
#[derive(Debug)]
pub(super) enum Node {
    File(File),
    Folder(Folder),
    Link,
}

/// A file, and its content where that was brought.
#[derive(Debug)]
pub(super) struct File {
    pub(super) modified_ms: u64,
    pub(super) id: Option<String>,
    pub(super) content: Content,
}

/// A folder, and what is known of its entries.
#[derive(Debug, Default)]
pub(super) struct Folder {
    pub(super) entries: BTreeMap<String, Node>,
    pub(super) listing: Listing,
    pub(super) id: Option<String>,
}

/// The known names in a folder.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Listing {
    /// Only those on the way to a known path; the source knows nothing else of the folder.
    #[default]
    Implied,
    /// Nothing yet: the source can be asked.
    Unknown,
    /// All of them.
    Complete,
    /// It cannot be listed.
    Unreadable(Fault),
}

impl Node {
    pub(super) fn entry(&self) -> Entry {
        match self {
            Node::File(file) => entry(Kind::File, file.content.size()),
            Node::Folder(_) => entry(Kind::Folder, 0),
            Node::Link => entry(Kind::Symlink, 0),
        }
    }

    pub(super) fn modified_ms(&self) -> f64 {
        match self {
            Node::File(file) => file.modified_ms as f64,
            Node::Folder(_) | Node::Link => f64::NAN,
        }
    }
}

/// The part of a file that stays when its size is reported again.
pub(super) fn unchanged_content(
    node: Node,
    modified_ms: u64,
    content: &Content,
) -> Option<Content> {
    match (node, content) {
        (Node::File(file), Content::Sized(size))
            if file.modified_ms == modified_ms && file.content.size() == *size =>
        {
            Some(file.content)
        }
        _ => None,
    }
}

pub(super) fn folder(node: Option<Node>) -> Folder {
    match node {
        Some(Node::Folder(folder)) => folder,
        _ => Folder::default(),
    }
}

pub(super) fn entry(kind: Kind, size: u64) -> Entry {
    Entry {
        kind,
        size,
        mode: None,
    }
}
