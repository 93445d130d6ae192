//! The facts that a source states of the place as a whole.

use std::collections::BTreeMap;

use crate::blocking::root::STATE_FOLDER;
use crate::json::{Json, Object};
use crate::str_map;
use crate::text::visible;

/// Of runs by their documents: the commit that each was recorded at, and how far HEAD has gone since, in words.
pub(super) type Distances = BTreeMap<String, (String, String)>;

/// The place as a whole.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Meta {
    /// The object as the source sent it.
    sent: Object,
}

impl Meta {
    /// Wraps the object that a source sent.
    pub(super) fn new(sent: Object) -> Self {
        Meta { sent }
    }

    /// The folder of runs, relative to the root.
    pub(super) fn state(&self) -> &str {
        self.text("state").unwrap_or(STATE_FOLDER)
    }

    /// The words of a shell that start the program there.
    pub(super) fn program(&self) -> &str {
        self.text("program").unwrap_or("milepost")
    }

    /// The options by which commands name the place, with a blank before each, where its caller named it.
    pub(super) fn place_words(&self) -> Option<&str> {
        self.text("place_words")
    }

    /// The commit that HEAD is at.
    pub(super) fn head(&self) -> Option<&str> {
        self.text("head")
    }

    /// Returns whether secrets were taken out before anything was brought.
    pub(super) fn is_redacted(&self) -> bool {
        let redacted = self.sent.get("redacted");
        redacted.and_then(Json::as_bool).unwrap_or_default()
    }

    /// Returns whether it is an exported page, which has no contents of files that sessions keep.
    pub(super) fn is_exported(&self) -> bool {
        self.text("shape") == Some("export")
    }

    /// The files that git tracks, relative to the root, sorted.
    pub(super) fn tracked(&self) -> Vec<String> {
        str_map::sort(self.texts("tracked"))
    }

    /// The distance of HEAD from the commits at which runs were recorded, in words, by their documents, each with the
    /// commit that it was recorded at.
    pub(super) fn distances(&self) -> Distances {
        let listed = self.sent.get("since_recorded").and_then(Json::as_array);
        let distances = listed.unwrap_or_default().iter().filter_map(|one| {
            let one = one.as_object()?;
            let text = |key: &str| one.get(key)?.as_str();
            let distance = visible(text("text")?).into_owned();
            let distance = (text("head_commit")?.to_owned(), distance);
            Some((text("document")?.to_owned(), distance))
        });
        distances.collect()
    }

    /// The commands that the project adds, where its file that says so is not brought.
    pub(super) fn commands(&self) -> Vec<String> {
        self.texts("commands")
    }

    /// The part of it that a page shows: all but the lists.
    pub(super) fn shown(&self) -> Json {
        let mut shown = self.sent.clone();
        shown.remove("tracked");
        shown.remove("commands");
        shown.remove("since_recorded");
        shown.remove("place_words");
        super::shown::shown(shown.into())
    }

    fn text(&self, key: &str) -> Option<&str> {
        self.sent.get(key)?.as_str()
    }

    fn texts(&self, key: &str) -> Vec<String> {
        let texts = self.sent.get(key).and_then(Json::as_array);
        let texts = texts.unwrap_or_default().iter();
        texts.filter_map(Json::as_str).map(str::to_owned).collect()
    }
}
