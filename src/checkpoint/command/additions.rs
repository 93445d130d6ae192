//! The part of a change that was not there before: a run, or phases of one; and a completed run that is open again.

use super::document::is_completed;
use super::progress::phases;
use super::tombstone::is_tombstone;
use crate::json::Object;
use crate::str_map::StrSet;

/// The choice of a caller between making what is not there and refusing it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Creation {
    /// A run or a phase that is not there is made.
    #[default]
    Allowed,
    /// It is refused.
    Refused,
}

impl Creation {
    /// Returns the choice of a caller that may ask for what is there alone.
    pub fn of_option(is_existing: bool) -> Creation {
        match is_existing {
            true => Creation::Refused,
            false => Creation::Allowed,
        }
    }
}

/// The run and the phases that a change made, and the run that it opened again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Additions {
    /// True where there was no run.
    pub run: bool,
    /// The phases that the run did not have, in the order of the change.
    pub phases: Vec<String>,
    /// True where the run was complete, and is open again.
    pub reopened: bool,
}

impl Additions {
    /// Returns what a change of these phases made, and whether it opened a completed run again; `after` is the
    /// document that is stored then.
    pub fn between(before: Option<&Object>, after: &Object, named: &[&str]) -> Additions {
        let was_run = before.filter(|before| !is_tombstone(before));
        Additions {
            reopened: was_run.is_some_and(is_completed) && !is_completed(after),
            ..Additions::among(before, named)
        }
    }

    /// Returns what a change of these phases made, each of them named once. `before` is the
    /// document that it replaced; for a removed run there is no such document.
    pub fn among(before: Option<&Object>, named: &[&str]) -> Additions {
        let before = before.filter(|before| !is_tombstone(before));
        let known = before.map(phases).unwrap_or_default();
        let known: StrSet<'_> = known.iter().map(|(name, _)| *name).collect();
        let new = named.iter().filter(|name| !known.contains(name));
        Additions {
            run: before.is_none(),
            phases: new.map(|name| (*name).to_owned()).collect(),
            reopened: false,
        }
    }

    /// Returns whether the change made anything that was not there.
    pub fn is_any(&self) -> bool {
        self.run || !self.phases.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::Additions;
    use crate::json::{self, Json};

    #[test]
    fn a_phase_is_new_where_neither_an_entry_nor_a_list_names_it() {
        let text = r#"{"state":{"current_phase":"c","pending_phases":["p"],"completed_phases":["d"]},"phases":{"e":{}}}"#;
        let document = json::read(text.as_bytes()).unwrap().value;
        let before = document.as_object();
        let created = |named: &[&str]| Additions::among(before, named);
        assert!(!created(&["c", "p", "d", "e"]).is_any());
        assert_eq!(created(&["x", "e", "y"]).phases, ["x", "y"]);
        assert!(!created(&["x"]).run && created(&["x"]).is_any());
    }

    #[test]
    fn a_run_is_reopened_where_it_was_complete_and_is_no_longer() {
        let [open, complete, removed] = [
            r#"{"completed_at":null}"#,
            r#"{"completed_at":"2026-01-29T10:00:00.000Z"}"#,
            r#"{"completed_at":"2026-01-29T10:00:00.000Z","removed_at":"2026-01-29T10:00:00.000Z"}"#,
        ]
        .map(|text| json::read(text.as_bytes()).unwrap().value);
        let [open, complete, removed] = [&open, &complete, &removed].map(Json::as_object);
        for (before, after, expected) in [
            (complete, open, true),
            (complete, complete, false),
            (open, open, false),
            (open, complete, false),
            (removed, open, false),
            (None, open, false),
        ] {
            let made = Additions::between(before, after.unwrap(), &[]);
            assert_eq!(made.reopened, expected, "{before:?} {after:?}");
        }
    }

    #[test]
    fn a_run_is_new_where_there_was_none_or_a_removed_one() {
        let removed = r#"{"removed_at":"2026-01-29T10:00:00.000Z","phases":{"a":{}}}"#;
        let removed = json::read(removed.as_bytes()).unwrap().value;
        for before in [None, removed.as_object()] {
            let created = Additions::among(before, &["a"]);
            assert_eq!((created.run, created.phases), (true, vec!["a".to_owned()]));
        }
    }
}
