//! Reading a document and its revisions: whole, of bounded size, and with the state of each.

mod copied;
mod document;
mod reader;
mod revision;
pub(super) mod seal;

pub use copied::copied;
pub use document::{Document, Origin};
pub use reader::{MAX_DOCUMENT_BYTES, MAX_DOCUMENT_MIB};
pub use revision::Revision;
pub use seal::{CommitMark, Stamp};

pub(super) use document::{DocumentFileContent, content};
pub(super) use reader::{DocumentReader, bytes_of, check_size, check_written};
