//! The files that the source is asked to bring.

use crate::json::{Json, Object};

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
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FileRequest {
    pub(super) path: String,
    pub(super) id: Option<String>,
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

impl From<FileRequest> for Json {
    fn from(request: FileRequest) -> Self {
        Object::new()
            .with("path", request.path)
            .with("id", request.id)
            .with("kind", request.kind)
            .into()
    }
}
