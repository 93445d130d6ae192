//! The content of a document, as far as jobs and hands change it.

use std::collections::BTreeSet;
use std::fmt;

use milepost::json::{self, Json, Object};

use crate::job::phase;

/// A document that can be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stored {
    /// The revision that it carries.
    pub(crate) revision: u64,
    /// The content.
    pub(crate) content: Content,
    /// True if it is complete.
    pub(crate) is_complete: bool,
    /// True if it says that it has the content of another revision.
    pub(crate) is_restored: bool,
}

/// The part of a document that no job may lose.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Content {
    phases: BTreeSet<String>,
    /// True if a hand has left its note.
    has_note: bool,
}

impl Stored {
    /// `None` for bytes that are no document.
    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        let Json::Object(object) = json::read(bytes).ok()?.value else {
            return None;
        };
        let phases = object.get("phases").and_then(Json::as_object);
        let phases = phases.into_iter().flat_map(Object::iter);
        let completed_at = object.get("completed_at").and_then(Json::as_str);
        Some(Stored {
            revision: object.get("revision")?.as_u64()?,
            content: Content {
                phases: phases.map(|(name, _)| name.to_owned()).collect(),
                has_note: object.get("note").is_some(),
            },
            is_complete: completed_at.is_some(),
            is_restored: object.get("restores").is_some(),
        })
    }
}

/// Returns whether one document follows another without saying anything else, apart from its time.
pub(crate) fn is_heartbeat(before: &[u8], after: &[u8]) -> bool {
    let said = said(before);
    said.is_some() && said == self::said(after)
}

/// The statements of a document, without its time and in any order: a line for each member, and for each member
/// of a phase.
fn said(bytes: &[u8]) -> Option<BTreeSet<String>> {
    let Json::Object(object) = json::read(bytes).ok()?.value else {
        return None;
    };
    let mut lines = BTreeSet::new();
    for (name, value) in object.iter() {
        match (name, value.as_object()) {
            ("updated_at" | "revision" | "seal", _) => {}
            ("phases", Some(phases)) => {
                for (phase, value) in phases.iter() {
                    let members = value.as_object()?.iter();
                    let said = members.filter(|(name, _)| *name != "updated_at");
                    lines.insert(phase.to_owned());
                    lines.extend(
                        said.map(|(it, value)| format!("{phase} {it} {}", value.to_line())),
                    );
                }
            }
            (name, _) => drop(lines.insert(format!("{name} {}", value.to_line()))),
        }
    }
    Some(lines)
}

impl Content {
    /// Adds the phase of a number.
    #[must_use]
    pub(crate) fn with(mut self, number: u32) -> Self {
        self.phases.insert(phase(number));
        self
    }
}

impl fmt::Display for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let note = if self.has_note { " and a note" } else { "" };
        write!(f, "{:?}{note}", self.phases)
    }
}
