//! The progress of a command run: the number of its phases in each status.

use super::document::is_completed;
use super::resume;
use super::status::Status;
use crate::json::{Json, Object};
use crate::str_map::{StrMap, StrSet};

/// The phases that a document knows, counted by status. Every surface that counts phases asks here.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// The phase in progress, as [`resume::in_progress`] has it.
    pub current_phase: Option<String>,
    /// The number of complete phases.
    pub completed: u64,
    /// The number of phases in progress.
    pub in_progress: u64,
    /// The number of phases that have failed and are to be retried.
    pub failed: u64,
    /// The number of phases not yet begun.
    pub pending: u64,
    /// The number of phases left out on purpose.
    pub skipped: u64,
}

impl Progress {
    /// Returns the number of phases that are done: complete, or skipped, because nothing is to be done about those.
    pub fn done(&self) -> u64 {
        self.completed + self.skipped
    }

    /// Returns the number of all phases.
    pub fn total(&self) -> u64 {
        self.done() + self.in_progress + self.failed + self.pending
    }
}

/// Counts the phases of a stored document.
///
/// Any object will do, as for [`resume::point`].
pub fn progress(document: &Object) -> Progress {
    counted(document, &phases(document))
}

/// Counts a document whose [`phases`] are known.
pub fn counted(document: &Object, phases: &[(&str, Status)]) -> Progress {
    let mut progress = Progress {
        current_phase: resume::in_progress(document).map(str::to_owned),
        ..Progress::default()
    };
    for &(_, status) in phases {
        let count = match status {
            Status::Pending => &mut progress.pending,
            Status::InProgress => &mut progress.in_progress,
            Status::Complete => &mut progress.completed,
            Status::Failed => &mut progress.failed,
            Status::Skipped => &mut progress.skipped,
        };
        *count += 1;
    }
    progress
}

/// The reason that there is nothing to carry on with in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdleReason {
    /// It is complete.
    Complete,
    /// It has no phases yet.
    Empty,
    /// All of its phases are done, and it is not complete.
    AllDone,
}

/// Returns why a document has nothing to carry on with; `None` where a phase is still to be done.
pub fn idle_reason(document: &Object) -> Option<IdleReason> {
    if is_completed(document) {
        return Some(IdleReason::Complete);
    }
    let progress = progress(document);
    match progress.total() {
        0 => Some(IdleReason::Empty),
        total if total == progress.done() => Some(IdleReason::AllDone),
        _ => None,
    }
}

/// Every phase that a document knows, each once, and how far it is: those that have an entry in
/// their order, then those that only a list of the state names.
///
/// The status in an entry is right. Without one, the current phase is in progress, a phase among
/// the pending is pending, and one among the completed complete; a phase in no list is pending.
pub fn phases(document: &Object) -> Vec<(&str, Status)> {
    let entries = document.get("phases").and_then(Json::as_object);
    let state = document.get("state").and_then(Json::as_object);
    let field = |name: &str| state.and_then(|state| state.get(name));
    let current = field("current_phase").and_then(Json::as_str);

    let mut listed: Vec<(&str, Status)> = Vec::new();
    listed.extend(current.map(|name| (name, Status::InProgress)));
    for (list, status) in [
        ("pending_phases", Status::Pending),
        ("completed_phases", Status::Complete),
    ] {
        let names = field(list).and_then(Json::as_array).unwrap_or_default();
        for name in names {
            listed.extend(name.as_str().map(|name| (name, status)));
        }
    }

    let places = listed.iter().enumerate().map(|(at, (name, _))| (*name, at));
    let first: StrMap<'_, usize> = places.collect();
    let mut phases: Vec<(&str, Status)> = Vec::new();
    for (name, entry) in entries.into_iter().flat_map(Object::iter) {
        let status = resume::status(entry);
        let status = status.or_else(|| first.get(name).map(|&at| listed[at].1));
        phases.push((name, status.unwrap_or(Status::Pending)));
    }
    let known: StrSet<'_> = phases.iter().map(|(name, _)| *name).collect();
    for (at, (name, status)) in listed.iter().enumerate() {
        if first.get(name) == Some(&at) && !known.contains(name) {
            phases.push((name, *status));
        }
    }
    phases
}

/// The phases of one status, in the order of a list of the state: those that it names, then the others.
///
/// `list` is `pending_phases` for what is pending, and `completed_phases` for what is complete.
pub fn in_order<'a>(document: &'a Object, status: Status, list: &str) -> Vec<&'a str> {
    let phases = phases(document);
    let mine = phases.iter().filter(|(_, it)| *it == status);
    let mine: StrSet<'_> = mine.map(|(name, _)| *name).collect();
    let state = document.get("state").and_then(Json::as_object);
    let listed = state.and_then(|state| state.get(list)?.as_array());
    let listed = listed.unwrap_or_default().iter().filter_map(Json::as_str);
    let ordered: Vec<&str> = listed
        .filter(|name| mine.contains(name))
        .chain(mine.keys().iter().copied())
        .collect();
    let first: StrMap<'_, usize> = ordered.iter().copied().zip(0..).collect();
    let places = ordered.iter().enumerate();
    let once = places.filter(|(at, name)| first.get(name) == Some(at));
    once.map(|(_, name)| *name).collect()
}

#[cfg(test)]
mod tests {
    use super::{Progress, in_order, phases, progress};
    use crate::checkpoint::command::resume::{has_open_phases, in_progress, point};
    use crate::checkpoint::command::sample::Random;
    use crate::checkpoint::command::status::Status;
    use crate::json::{self, Json, Object};

    fn document(text: &str) -> Object {
        let value = json::read(text.as_bytes()).unwrap().value;
        value.as_object().unwrap().clone()
    }

    fn known(text: &str) -> String {
        let document = document(text);
        let named = phases(&document).into_iter();
        let named = named.map(|(name, status)| format!("{name} {}", status.as_str()));
        named.collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn a_failed_phase_is_counted_as_failed() {
        let text = r#"{"state": {"current_phase": "b", "completed_phases": ["a"],
                "pending_phases": ["f"]},
            "phases": {"a": {"status": "complete"}, "b": {"status": "in_progress"},
                "c": {"status": "in_progress"}, "d": {"status": "failed"},
                "e": {"status": "skipped"}, "f": {"status": "pending"}}}"#;
        let counted = progress(&document(text));
        let expected = Progress {
            current_phase: Some("b".to_owned()),
            completed: 1,
            in_progress: 2,
            failed: 1,
            pending: 1,
            skipped: 1,
        };
        assert_eq!(counted, expected);
        assert_eq!((counted.done(), counted.total()), (2, 6));
    }

    #[test]
    fn a_phase_in_an_entry_and_in_lists_counts_once_and_as_its_entry_says() {
        assert_eq!(
            known(
                r#"{"state": {"current_phase": "a", "completed_phases": ["b", "b", "c"],
                    "pending_phases": ["b", "a", "d", "d"]},
                    "phases": {"a": {"status": "complete"}, "b": {"status": "failed"}}}"#
            ),
            "a complete, b failed, d pending, c complete"
        );
    }

    #[test]
    fn a_phase_without_a_status_has_that_of_the_list_where_it_stands() {
        assert_eq!(
            known(
                r#"{"state": {"current_phase": "a", "completed_phases": ["c"],
                    "pending_phases": ["b"]},
                    "phases": {"b": {}, "c": {"status": "done"}, "a": 1, "x": {}}}"#
            ),
            "b pending, c complete, a in_progress, x pending"
        );
    }

    #[test]
    fn the_phase_in_progress_is_the_one_to_resume() {
        let current = |text| progress(&document(text)).current_phase;
        for (text, expected) in [
            (
                r#"{"state": {"current_phase": null}, "phases": {"a": {"status": "in_progress"}}}"#,
                Some("a"),
            ),
            (
                r#"{"state": {"current_phase": "a"}, "phases": {"a": {"status": "failed"}}}"#,
                Some("a"),
            ),
            (
                r#"{"state": {"current_phase": "a"}, "phases": {"a": {"status": "complete"}}}"#,
                None,
            ),
            (r#"{"state": {"pending_phases": ["a"]}}"#, None),
            (
                r#"{"completed_at": "2027-01-01T00:00:00Z", "state": {"current_phase": "a"}}"#,
                None,
            ),
        ] {
            assert_eq!(current(text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn phases_of_a_status_stand_in_the_order_of_their_list_and_none_is_left_out() {
        let document = document(
            r#"{"state": {"completed_phases": ["b", "a", "b", "f"], "pending_phases": ["d", "p", "d"]},
                "phases": {"a": {"status": "complete"}, "b": {"status": "complete"},
                    "c": {"status": "complete"}, "f": {"status": "failed"}, "p": {"status": "pending"},
                    "q": {"status": "pending"}}}"#,
        );
        let completed = in_order(&document, Status::Complete, "completed_phases");
        assert_eq!(completed, ["b", "a", "c"]);
        let pending = in_order(&document, Status::Pending, "pending_phases");
        assert_eq!(pending, ["d", "p", "q"]);
    }

    /// A document whose lists and entries say what they like: entries without a status or of another kind, and names
    /// in every list.
    fn contradictory(random: &mut Random) -> Object {
        let name = |random: &mut Random| ["a", "b", "c", "d"][random.below(4)];
        let mut entries = Object::new();
        for _ in 0..random.below(5) {
            let entry = match random.below(8) {
                0 => Json::from(Object::new()),
                1 => Json::from(5_u64),
                2 => Json::from(Object::new().with("status", "done")),
                _ => {
                    let status = Status::ALL[random.below(Status::ALL.len())];
                    Object::new().with("status", status.as_str()).into()
                }
            };
            entries.set(name(random), entry);
        }
        let list = |random: &mut Random| -> Vec<&'static str> {
            (0..random.below(4)).map(|_| name(random)).collect()
        };
        let mut state = Object::new()
            .with("completed_phases", list(random))
            .with("pending_phases", list(random));
        if random.one_in(2) {
            state.set("current_phase", name(random));
        }
        let mut document = Object::new().with("state", state).with("phases", entries);
        if random.one_in(8) {
            document.set("completed_at", "2027-01-01T00:00:00Z");
        }
        document
    }

    #[test]
    fn the_phases_to_do_agree_with_the_counts() {
        for seed in 0..20_000 {
            let _run = milepost_property::seed("the phases to do agree with the counts", seed);
            let document = contradictory(&mut Random::new(seed));
            let shown = Json::Object(document.clone()).to_line();
            let counted = progress(&document);
            let known = phases(&document);
            assert_eq!(counted.total(), known.len() as u64, "{shown}");
            if document.get("completed_at").is_some() {
                assert!(!has_open_phases(&document), "{shown}");
                assert_eq!(counted.current_phase, None, "{shown}");
                continue;
            }
            let is_done = counted.done() == counted.total();
            assert_eq!(has_open_phases(&document), !is_done, "{shown}");
            let status = |name: &str| {
                let found = known.iter().find(|(it, _)| *it == name);
                found.map(|(_, status)| *status)
            };
            let next = point(&document).phase;
            let next = next.as_deref().and_then(status);
            let is_begun = counted.in_progress + counted.failed > 0;
            match next {
                Some(Status::InProgress | Status::Failed) => assert!(is_begun, "{shown}"),
                Some(Status::Pending) => assert!(!is_begun, "{shown}"),
                None => assert!(is_done, "{shown}"),
                Some(Status::Complete | Status::Skipped) => panic!("{shown}"),
            }
            assert_eq!(in_progress(&document).is_some(), is_begun, "{shown}");
        }
    }

    #[test]
    fn a_malformed_part_counts_as_absent() {
        for text in [
            "{}",
            r#"{"state": [], "phases": 1}"#,
            r#"{"state": {"current_phase": 1, "pending_phases": [1], "completed_phases": {}}}"#,
        ] {
            assert_eq!(progress(&document(text)), Progress::default(), "{text}");
        }
    }
}
