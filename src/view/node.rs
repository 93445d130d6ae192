//! The node at a path, as far as the source has described it.

use std::collections::BTreeMap;

use crate::effect::{Fault, PathEntry, PathKind};

use super::frames::KnownContent;

/// The node at a path.
#[derive(Debug)]
pub(super) enum PathNode {
    File(FileNode),
    Folder(FolderNode),
    Link,
}

/// A file, and its content where that was brought.
#[derive(Debug)]
pub(super) struct FileNode {
    pub(super) modified_ms: u64,
    pub(super) id: Option<String>,
    pub(super) content: KnownContent,
}

/// A folder, and what is known of its entries.
#[derive(Debug, Default)]
pub(super) struct FolderNode {
    pub(super) entries: BTreeMap<String, PathNode>,
    pub(super) listing: FolderListing,
    pub(super) id: Option<String>,
}

/// The known names in a folder.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum FolderListing {
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

impl PathNode {
    pub(super) fn entry(&self) -> PathEntry {
        match self {
            PathNode::File(file) => entry(PathKind::File, file.content.size()),
            PathNode::Folder(_) => entry(PathKind::Folder, 0),
            PathNode::Link => entry(PathKind::Symlink, 0),
        }
    }

    pub(super) fn modified_ms(&self) -> f64 {
        match self {
            PathNode::File(file) => file.modified_ms as f64,
            PathNode::Folder(_) | PathNode::Link => f64::NAN,
        }
    }
}

/// The part of a file that stays when its size is reported again.
pub(super) fn unchanged_content(
    node: PathNode,
    modified_ms: u64,
    content: &KnownContent,
) -> Option<KnownContent> {
    match (node, content) {
        (PathNode::File(file), KnownContent::Sized(size))
            if file.modified_ms == modified_ms && file.content.size() == *size =>
        {
            Some(file.content)
        }
        _ => None,
    }
}

pub(super) fn folder(node: Option<PathNode>) -> FolderNode {
    match node {
        Some(PathNode::Folder(folder)) => folder,
        _ => FolderNode::default(),
    }
}

pub(super) fn entry(kind: PathKind, size: u64) -> PathEntry {
    PathEntry {
        kind,
        size,
        mode: None,
    }
}
