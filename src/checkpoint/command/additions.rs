//! The part of a change that was not there before: a run, or phases of one.

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

/// The run and the phases that a change made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Additions {
    /// True where there was no run.
    pub run: bool,
    /// The phases that the run did not have, in the order of the change.
    pub phases: Vec<String>,
}

impl Additions {
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
    use crate::json;

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
    fn a_run_is_new_where_there_was_none_or_a_removed_one() {
        let removed = r#"{"removed_at":"2026-01-29T10:00:00.000Z","phases":{"a":{}}}"#;
        let removed = json::read(removed.as_bytes()).unwrap().value;
        for before in [None, removed.as_object()] {
            let created = Additions::among(before, &["a"]);
            assert_eq!((created.run, created.phases), (true, vec!["a".to_owned()]));
        }
    }
}
