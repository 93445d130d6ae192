//! The effect of a change on an index and on the parts.

use std::rc::Rc;

use super::index::{ManifestIndex, ManifestLayout, parts};
use super::name::{PartName, check_key};
use crate::error::Error;
use crate::json::Object;

/// The change of a document with parts.
#[derive(Clone, Debug)]
pub enum ManifestPlan {
    /// This takes its place.
    Write(NextIndex),
    /// This comes next in its journal, which is [open](super::Journal::is_open).
    Append(Vec<u8>),
    /// It is as it should be.
    Keep,
}

/// The next state of an index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NextIndex {
    /// The index, without its generation, revision and seal.
    pub object: Object,
    /// The parts that it names and the present one does not, by their keys. Their token is the one that
    /// was given.
    pub add: Vec<(String, Vec<u8>)>,
}

/// Decides what becomes of an index, once per try: of the present one, and with the token that new parts
/// have.
pub type Decide<'a> = dyn FnMut(Option<&ManifestIndex>, &str) -> Result<ManifestPlan, Error> + 'a;

/// Tells whether an index is to go.
pub type Unwanted<'a> = dyn FnMut(&ManifestIndex) -> bool + 'a;

/// The effect of a plan on the parts.
#[derive(Clone, Debug)]
pub(super) struct PlannedParts {
    pub(super) object: Object,
    /// The new parts, with their bytes, which copies of the plan share: they may be half of the memory that there is.
    pub(super) added: Vec<(PartName, Rc<Vec<u8>>)>,
    /// The keys that the present index does not have.
    pub(super) new_keys: Vec<String>,
    /// The parts that the new index does not name any more.
    pub(super) dropped: Vec<PartName>,
    /// The keys that it does not have any more.
    pub(super) gone_keys: Vec<String>,
}

impl PlannedParts {
    /// Refuses an index that names a new part under another token, or without its bytes.
    pub(super) fn new(
        layout: &ManifestLayout,
        present: &[PartName],
        next: NextIndex,
        token: &str,
    ) -> Result<Self, Error> {
        let named = parts(layout, &next.object);
        let mut bytes = next.add;
        let mut added = Vec::new();
        for part in named.iter().filter(|part| !present.contains(part)) {
            check_key(&part.key)?;
            let given = bytes.iter().position(|(key, _)| *key == part.key);
            match given.filter(|_| part.token == token) {
                Some(at) => {
                    added.push((part.clone(), Rc::new(bytes.swap_remove(at).1)));
                }
                None => return Err(unprepared(part)),
            }
        }
        let has = |parts: &[PartName], part: &PartName| parts.iter().any(|it| it.key == part.key);
        let keys = |of: &[PartName], but: &[PartName]| {
            let lacking = of.iter().filter(|part| !has(but, part));
            lacking.map(|part| part.key.clone()).collect()
        };
        Ok(PlannedParts {
            object: next.object,
            new_keys: keys(&named, present),
            gone_keys: keys(present, &named),
            dropped: difference(present, &named),
            added,
        })
    }

    /// The names of the new parts.
    pub(super) fn names(&self) -> Vec<PartName> {
        self.added.iter().map(|(part, _)| part.clone()).collect()
    }

    /// Returns whether everything that another draft needs was prepared for this one.
    pub(super) fn covers(&self, other: &PlannedParts) -> bool {
        self.added == other.added && other.new_keys.iter().all(|key| self.new_keys.contains(key))
    }
}

/// The parts that the others lack.
pub(super) fn difference(parts: &[PartName], others: &[PartName]) -> Vec<PartName> {
    let lacking = parts.iter().filter(|part| !others.contains(part));
    lacking.cloned().collect()
}

fn unprepared(part: &PartName) -> Error {
    Error::usage(format!(
        "The index names a new part {}-{}; expected its bytes, and the token of this change",
        part.key, part.token
    ))
}

/// Returns the error for a line that is to be added to a journal that does not exist.
pub(super) fn no_journal(shown: String) -> Error {
    Error::usage(format!(
        "{shown} has no open journal; expected a whole index"
    ))
}
