//! A file that a version names.

use crate::schema::{Kind, Shaped};
use crate::text::visible;

use super::shown_line::ShownLine;

/// A file that a version names, or that a snapshot keeps.
#[derive(Default, Shaped)]
pub(super) struct RevisionFile {
    /// Its path.
    pub(super) path: String,
    /// The list that it is in.
    #[shape(kind = Kind::Enum(&["created", "modified", "deleted", "left_out"]))]
    pub(super) list: &'static str,
    /// The phases that name it.
    pub(super) phases: Vec<String>,
    /// In bytes, of a snapshot's file whose content is kept.
    #[shape(left_out, kind = Kind::Nullable(&Kind::Integer))]
    pub(super) size: Option<Option<u64>>,
    /// The difference of a snapshot's file from the commit; null where that is not kept as text.
    #[shape(left_out, kind = Kind::Nullable(&Kind::List(&ShownLine::KIND)))]
    pub(super) lines: Option<Option<Vec<ShownLine>>>,
    /// Why a snapshot did not keep it.
    #[shape(left_out, kind = Kind::String)]
    pub(super) reason: Option<String>,
}

impl RevisionFile {
    /// A file in a list.
    pub(super) fn new(path: &str, list: &'static str) -> Self {
        RevisionFile {
            path: visible(path).into_owned(),
            list,
            ..RevisionFile::default()
        }
    }
}
