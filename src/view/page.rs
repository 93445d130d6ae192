//! A page of a list: which part is asked for, and which entries match.

use crate::error::Error;
use crate::json::{Json, Object};

use super::index::lower;

/// So many entries are a page, unless the question says otherwise.
const USUAL: u64 = 100;

/// The part of a list that is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Page {
    /// In small letters; empty for all.
    text: String,
    from: usize,
    count: usize,
}

impl Page {
    /// From a question with `filter`, `from` and `count`.
    ///
    /// # Errors
    ///
    /// [`Error::usage`] for a member that is something else.
    pub(super) fn of(question: &Object) -> Result<Self, Error> {
        let filter = question.get("filter").and_then(Json::as_object);
        let text = filter.and_then(|filter| filter.get("text")?.as_str());
        let number = |name: &str, usual: u64| match question.get(name) {
            None | Some(Json::Null) => Ok(usual),
            Some(number) => number.as_u64().ok_or_else(|| {
                Error::usage(format!("Expected `{name}` to be a whole number from 0 on"))
            }),
        };
        let whole = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        Ok(Page {
            text: lower(text.unwrap_or_default().trim()),
            from: whole(number("from", 0)?),
            count: whole(number("count", USUAL)?),
        })
    }

    /// Returns whether any of these texts holds the one that is looked for, in letters of either case.
    pub(super) fn finds<'a>(&self, texts: impl IntoIterator<Item = &'a str>) -> bool {
        let mut texts = texts.into_iter();
        self.text.is_empty() || texts.any(|text| lower(text).contains(&self.text))
    }

    /// Those of the page.
    pub(super) fn cut<T>(&self, found: Vec<T>) -> Vec<T> {
        found.into_iter().skip(self.from).take(self.count).collect()
    }
}
