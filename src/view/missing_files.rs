//! The files that the source is asked to bring.

use crate::schema::{Kind, Shaped};

/// The paths that effects asked for in vain, as often as they did.
#[derive(Debug, Default)]
pub(super) struct MissingFiles {
    pub(super) files: Vec<String>,
    pub(super) folders: Vec<String>,
}

impl MissingFiles {
    pub(super) fn is_empty(&self) -> bool {
        self.files.is_empty() && self.folders.is_empty()
    }
}

/// One thing that the source is to bring.
#[derive(Clone, Debug, PartialEq, Eq, Shaped)]
pub(super) struct FileRequest {
    /// Its path.
    pub(super) path: String,
    /// The id of the content, where one is known.
    pub(super) id: Option<String>,
    /// The kind of the thing.
    #[shape(kind = Kind::Enum(&["file", "folder"]))]
    kind: &'static str,
}

impl FileRequest {
    /// The content of a file.
    pub(super) fn file(path: String, id: Option<String>) -> Self {
        let kind = "file";
        FileRequest { path, id, kind }
    }

    /// The entries of a folder.
    pub(super) fn folder(path: String, id: Option<String>) -> Self {
        let kind = "folder";
        FileRequest { path, id, kind }
    }
}
