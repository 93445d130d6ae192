use std::collections::BTreeSet;

use super::{OpenPhases, complete, expect_done, named, open_phases};
use crate::checkpoint::command::document::{Draft, is_completed};
use crate::checkpoint::command::phases::{Status, Update, relist_reopened};
use crate::checkpoint::command::progress::progress;
use crate::checkpoint::command::sample::Random;
use crate::error::Code;
use crate::json::{self, Json, Object};

const NOW: &str = "2026-01-29T12:00:00.000Z";
const LATER: &str = "2026-01-29T13:00:00.000Z";

fn object(text: &str) -> Object {
    let value = json::read(text.as_bytes()).unwrap().value;
    value.as_object().unwrap().clone()
}

/// A run with a phase of each status, and one that only a list names.
fn busy() -> Object {
    object(
        r#"{"state": {"current_phase": "b", "completed_phases": ["a", "d"], "pending_phases": ["c", "l"]},
            "phases": {"a": {"status": "complete"}, "b": {"status": "in_progress"}, "c": {"status": "pending"},
                "d": {"status": "failed", "error": "no"}, "s": {"status": "skipped"}}}"#,
    )
}

fn completed(document: &Object, open: OpenPhases) -> Object {
    let mut draft = Draft::from(document.clone());
    assert!(complete(&mut draft, NOW, open).unwrap());
    draft.as_object().clone()
}

fn at(document: &Object, place: &str) -> String {
    let found = Json::Object(document.clone());
    found.at(place).map(Json::to_line).unwrap_or_default()
}

#[test]
fn a_run_with_open_phases_is_refused_by_their_names() {
    let error = expect_done(&busy(), "design").unwrap_err();
    assert_eq!(error.code(), Code::Usage);
    assert_eq!(
        error.to_string(),
        "design has unfinished phases: \"b\" (in progress), \"c\" (pending), \"d\" (failed), \"l\" \
         (pending)"
    );
    for done in [OpenPhases::Skip, OpenPhases::Keep] {
        assert_eq!(expect_done(&completed(&busy(), done), "design"), Ok(()));
    }
    assert_eq!(expect_done(&object("{}"), "design"), Ok(()));
}

#[test]
fn a_sentence_names_some_of_many_phases_and_counts_the_others() {
    let names: Vec<String> = (0..13).map(|at| format!("p{at}")).collect();
    let phases: Vec<(&str, Status)> = names
        .iter()
        .map(|it| (it.as_str(), Status::Pending))
        .collect();
    let sentence = named(&phases);
    assert!(
        sentence.ends_with("\"p9\" (pending), and 3 more"),
        "{sentence}"
    );
}

#[test]
fn open_phases_of_a_run_that_is_completed_by_force_are_skipped() {
    let after = completed(&busy(), OpenPhases::Skip);
    assert!(open_phases(&after).is_empty());
    let counted = progress(&after);
    assert_eq!((counted.completed, counted.skipped), (1, 5));
    assert_eq!(
        at(&after, "/state"),
        r#"{"current_phase":null,"completed_phases":["a"],"pending_phases":[]}"#
    );
    assert_eq!(at(&after, "/phases/d/error"), "", "it failed no more");
    let entry = format!(r#"{{"status":"skipped","started_at":"{NOW}","updated_at":"{NOW}"}}"#);
    assert_eq!(at(&after, "/phases/l"), entry);
    assert_eq!(at(&after, "/phases/a"), r#"{"status":"complete"}"#);
}

#[test]
fn open_phases_that_are_kept_are_still_to_be_done_when_the_run_is_opened_again() {
    let after = completed(&busy(), OpenPhases::Keep);
    let statuses = |document: &Object| {
        let open = open_phases(document).into_iter();
        open.map(|(name, status)| format!("{name} {}", status.as_str()))
            .collect::<Vec<_>>()
    };
    let open = ["b in_progress", "c pending", "d failed", "l pending"];
    assert_eq!(statuses(&after), open);
    let mut draft = Draft::from(after);
    let nothing = Object::new();
    let update = Update::new("a", &nothing, None).unwrap();
    update.apply(&mut draft, LATER).unwrap();
    let again = draft.as_object();
    assert_eq!(statuses(again), open);
    assert_eq!(
        at(again, "/state"),
        r#"{"current_phase":"b","completed_phases":["a"],"pending_phases":["c","l"]}"#
    );
}

#[test]
fn a_phase_that_is_not_an_object_cannot_be_skipped_and_is_refused_by_its_place() {
    let mut draft = Draft::from(object(r#"{"phases": {"a/b": 5}}"#));
    let error = complete(&mut draft, NOW, OpenPhases::Skip).unwrap_err();
    assert_eq!(error.code(), Code::InvalidDocument);
    assert!(error.to_string().contains("/phases/a~1b"), "{error}");
}

#[test]
fn a_phase_that_is_still_to_be_done_survives_any_run_of_changes() {
    for seed in 0..2_000 {
        let _run = milepost_property::seed(
            "a phase that is still to be done survives any run of changes",
            seed,
        );
        let mut random = Random::new(seed);
        let mut draft = Draft::from(object(
            r#"{"state": {"current_phase": null, "completed_phases": [], "pending_phases": ["l"]}, "phases": {}}"#,
        ));
        let mut known: Vec<(String, Status)> = vec![("l".to_owned(), Status::Pending)];
        for _ in 0..random.below(12) {
            if random.one_in(4) {
                // A save of what was loaded, without its end.
                let stored = draft.as_object().clone();
                let mut next = stored.clone();
                next.remove("completed_at");
                relist_reopened(&mut next, &stored).unwrap();
                draft = Draft::from(next);
            } else if random.one_in(3) {
                let open = [OpenPhases::Skip, OpenPhases::Keep][random.below(2)];
                let is_new = complete(&mut draft, NOW, open).unwrap();
                if is_new && open == OpenPhases::Skip {
                    for (_, status) in &mut known {
                        *status = match status.is_open() {
                            true => Status::Skipped,
                            false => *status,
                        };
                    }
                }
            } else {
                let name = ["a", "b", "l"][random.below(3)];
                let status = Status::ALL[random.below(Status::ALL.len())];
                let patch = Object::new().with("status", status.as_str());
                let update = Update::new(name, &patch, None).unwrap();
                update.apply(&mut draft, NOW).unwrap();
                known.retain(|(it, _)| it != name);
                known.push((name.to_owned(), status));
            }
            let open = open_phases(draft.as_object());
            let expected = known.iter().filter(|(_, status)| status.is_open());
            for (name, status) in expected.clone() {
                assert!(open.contains(&(name.as_str(), *status)), "{name} is lost");
            }
            assert_eq!(open.len(), expected.count());
            if !is_completed(draft.as_object()) {
                let pending = known.iter().filter(|(_, it)| *it == Status::Pending);
                let pending: BTreeSet<&str> = pending.map(|(name, _)| name.as_str()).collect();
                let state = draft.as_object().get("state").and_then(Json::as_object);
                let listed = state.and_then(|state| state.get("pending_phases")?.as_array());
                let listed = listed.unwrap_or_default().iter().filter_map(Json::as_str);
                assert_eq!(listed.collect::<BTreeSet<_>>(), pending);
            }
        }
    }
}
