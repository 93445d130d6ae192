use std::collections::BTreeSet;

use super::super::document::Draft;
use super::super::phases::{Status, Update};
use super::dirty::{CREATED, MODIFIED};
use super::owners::{MAX_SESSIONS, session as session_of};
use super::parts::{phase, phases, status_of};
use super::work::MAX_REPORTS;
use super::*;
use crate::checkpoint::command::document::Checkpoint;
use crate::checkpoint::command::heartbeat::is_heartbeat;
use crate::json::{Json, Object};
use crate::{json, time};

const NOW: &str = "2026-01-29T10:30:00.000Z";
const LATER: &str = "2026-01-29T10:31:00.000Z";

fn ms(time: &str) -> f64 {
    time::parse(time).unwrap().wall_ms()
}

fn new() -> Draft {
    Checkpoint::new("implement", None, NOW).into()
}

fn item(text: &str, status: Status) -> Planned {
    Planned {
        text: Some(text.to_owned()),
        status: Some(status),
        ..Planned::default()
    }
}

fn created(id: &str, text: &str) -> Planned {
    Planned {
        id: Some(id.to_owned()),
        is_new: true,
        ..item(text, Status::Pending)
    }
}

fn changed(id: &str, status: Status) -> Planned {
    Planned {
        id: Some(id.to_owned()),
        status: Some(status),
        ..Planned::default()
    }
}

/// Brings the draft in line with a whole list of this session, each item as `text status`.
fn listed(draft: &mut Draft, session: &str, items: &[(&str, Status)]) -> bool {
    let items: Vec<Planned> = items
        .iter()
        .map(|(text, status)| item(text, *status))
        .collect();
    let changed = plan(draft, session, &items, true, NOW).unwrap();
    let again = plan(draft, session, &items, true, LATER).unwrap();
    assert!(!again, "the same list changes nothing");
    changed
}

fn tasked(draft: &mut Draft, session: &str, item: Planned) -> bool {
    plan(draft, session, &[item], false, NOW).unwrap()
}

/// A run that some sessions work on.
fn shared() -> Draft {
    let mut draft = new();
    for id in ["s", "t", "u", "other"] {
        let session = Session { agent: "codex", id };
        note(&mut draft, session, NOW);
    }
    draft
}

/// The phases as `name status`, and the document is valid.
fn phases_of(draft: &Draft) -> Vec<String> {
    draft.clone().check(&[]).unwrap();
    phases(draft.as_object())
        .map(|(name, phase)| format!("{name} {}", status_of(phase).unwrap().as_str()))
        .collect()
}

fn field(draft: &Draft, name: &str, key: &str) -> String {
    let phase = phase(draft.as_object(), name).unwrap();
    phase.get(key).map(Json::to_line).unwrap_or_default()
}

#[test]
fn a_session_works_on_a_run_until_it_ends_or_is_replaced() {
    let mut draft = new();
    let session = Session {
        agent: "codex",
        id: "s-1",
    };
    assert_eq!(line(draft.as_object()), None);
    note(&mut draft, session, NOW);
    let noted = line(draft.as_object()).unwrap();
    assert!(works_on(&noted, "s-1") && !works_on(&noted, "s"));
    let now = ms(NOW);
    for (except, at, idle, expected) in [
        ("other", now, 60_000.0, 1),
        ("s-1", now, 60_000.0, 0),
        ("other", now + 59_999.0, 60_000.0, 1),
        ("other", now + 60_000.0, 60_000.0, 0),
        // A clock of another host may be a little ahead.
        ("other", now - 60_000.0, 60_000.0, 1),
        // One that was far ahead is no evidence that an owner lives.
        ("other", now - 60_001.0, 60_000.0, 0),
    ] {
        let count = others(&noted, except, at, idle).count();
        assert_eq!(count, expected, "{except} {at}");
    }
    end(&mut draft, "s-1", LATER);
    let ended = line(draft.as_object()).unwrap();
    assert_eq!(presence(&ended, "s-1"), Some(Presence::Ended));
    assert_eq!(others(&ended, "other", now, 60_000.0).count(), 0);
    assert!(is_due(draft.as_object(), "s-1", now));
    note(&mut draft, session, LATER);
    assert!(works_on(&line(draft.as_object()).unwrap(), "s-1"));
    assert!(replace_others(&mut draft, Some("s-2"), LATER));
    assert!(!replace_others(&mut draft, Some("s-2"), LATER));
    let replaced = line(draft.as_object()).unwrap();
    assert_eq!(presence(&replaced, "s-1"), Some(Presence::Replaced));
    end(&mut draft, "s-1", LATER);
    let known = line(draft.as_object()).unwrap();
    assert_eq!(presence(&known, "s-1"), Some(Presence::Displaced));
    note(&mut draft, session, LATER);
    assert!(works_on(&line(draft.as_object()).unwrap(), "s-1"));
    draft.check(&[]).unwrap();
}

#[test]
fn a_run_records_its_branch_and_its_worktree() {
    let mut draft = new();
    assert_eq!(
        (branch(draft.as_object()), worktree(draft.as_object())),
        (None, None)
    );
    assert!(place(&mut draft, Some("fix/b"), "worktrees/w"));
    assert!(!place(&mut draft, Some("fix/b"), "worktrees/w"));
    assert_eq!(branch(draft.as_object()), Some("fix/b"));
    assert_eq!(worktree(draft.as_object()), Some("worktrees/w"));
    assert!(place(&mut draft, None, "main-worktree"));
    assert_eq!(branch(draft.as_object()), Some("fix/b"), "as in a rebase");
    let mut detached = new();
    assert!(place(&mut detached, None, "main-worktree"));
    assert_eq!(branch(detached.as_object()), Some(""));
    draft.check(&[]).unwrap();
}

#[test]
fn an_event_within_a_minute_is_not_written_for_its_time_alone() {
    let mut draft = new();
    let session = Session {
        agent: "gemini",
        id: "g",
    };
    let is_due = |draft: &Draft, at: f64| is_due(draft.as_object(), "g", at);
    assert!(is_due(&draft, ms(NOW)));
    note(&mut draft, session, NOW);
    assert!(!is_due(&draft, ms(NOW) + 59_999.0));
    assert!(is_due(&draft, ms(NOW) + 60_000.0));
    // A time that a wrong clock wrote does not hold for ever.
    assert!(is_due(&draft, ms(NOW) - 60_001.0));
    let before = draft.as_object().clone();
    note(&mut draft, session, LATER);
    assert!(is_heartbeat(&before, draft.as_object()));
    end(&mut draft, "g", LATER);
    assert!(!is_heartbeat(&before, draft.as_object()));
}

#[test]
fn the_sessions_of_a_year_fit_into_a_checkpoint() {
    let mut draft = new();
    for number in 0..100 {
        let id = format!("s-{number}");
        let at = time::format(ms(NOW) + f64::from(number));
        let session = Session {
            agent: "codex",
            id: &id,
        };
        note(&mut draft, session, &at);
        if number % 2 == 0 && number < 98 {
            end(&mut draft, &id, &at);
        }
    }
    let line = line(draft.as_object()).unwrap();
    assert_eq!(line.split(' ').count(), MAX_SESSIONS);
    for number in [99, 98, 97, 95, 93] {
        assert!(works_on(&line, &format!("s-{number}")), "{number}: {line}");
    }
}

#[test]
fn a_hand_written_value_in_place_of_sessions_stops_no_hook() {
    let mut draft = new();
    draft.as_object_mut().set("agent_sessions", "none");
    assert_eq!(line(draft.as_object()), None);
    let session = Session {
        agent: "codex",
        id: "s",
    };
    note(&mut draft, session, NOW);
    assert!(works_on(&line(draft.as_object()).unwrap(), "s"));
}

#[test]
fn a_change_of_a_task_goes_to_the_task_of_that_id() {
    let mut draft = shared();
    for (id, text) in [
        ("1", "Write the parser"),
        ("2", "Add tests"),
        ("3", "Add tests"),
    ] {
        assert!(tasked(&mut draft, "s", created(id, text)));
    }
    for (id, status) in [
        ("1", Status::Complete),
        ("2", Status::Skipped),
        ("3", Status::InProgress),
        ("7", Status::Complete),
    ] {
        let is_known = id != "7";
        assert_eq!(
            tasked(&mut draft, "s", changed(id, status)),
            is_known,
            "{id}"
        );
        assert!(!tasked(&mut draft, "s", changed(id, status)), "{id}");
    }
    let expected = [
        "Write the parser complete",
        "Add tests skipped",
        "Add tests (2) in_progress",
    ];
    assert_eq!(phases_of(&draft), expected);
    // The ids of another session are others', unless the text is the same.
    assert!(!tasked(&mut draft, "t", changed("3", Status::Complete)));
    let named = Planned {
        text: Some("Add tests".to_owned()),
        ..changed("3", Status::Complete)
    };
    assert!(tasked(&mut draft, "t", named));
    assert_eq!(phases_of(&draft)[2], "Add tests (2) complete");
}

#[test]
fn a_created_task_is_never_an_older_one_of_its_id() {
    let mut draft = shared();
    tasked(&mut draft, "s", created("1", "Write the parser"));
    tasked(&mut draft, "s", created("1", "Add tests"));
    let expected = ["Write the parser pending", "Add tests pending"];
    assert_eq!(phases_of(&draft), expected);
    tasked(&mut draft, "s", changed("1", Status::Complete));
    let expected = ["Write the parser pending", "Add tests complete"];
    assert_eq!(phases_of(&draft), expected, "the newest task of that id");
}

#[test]
fn a_task_that_is_created_in_a_later_session_is_the_unfinished_phase_of_its_text() {
    let mut draft = shared();
    for (id, text) in [("1", "Add tests"), ("2", "Add tests"), ("3", "Ship it")] {
        tasked(&mut draft, "s", created(id, text));
    }
    tasked(&mut draft, "s", changed("2", Status::InProgress));
    tasked(&mut draft, "s", changed("3", Status::Complete));
    for (id, text) in [
        ("1", "Add tests"),
        ("2", "Add tests"),
        ("3", "Add tests"),
        ("4", "Ship it"),
    ] {
        assert!(tasked(&mut draft, "t", created(id, text)), "{id}");
    }
    let expected = [
        "Add tests pending",
        "Add tests (2) in_progress",
        "Ship it complete",
        "Add tests (3) pending",
        "Ship it (2) pending",
    ];
    assert_eq!(phases_of(&draft), expected);
    tasked(&mut draft, "t", changed("2", Status::Complete));
    assert_eq!(phases_of(&draft)[1], "Add tests (2) complete");
}

#[test]
fn an_event_that_is_delivered_twice_creates_one_task() {
    let of_call = |call: &str| Planned {
        call: Some(call.to_owned()),
        ..created("1", "Add tests")
    };
    let mut draft = shared();
    assert!(tasked(&mut draft, "s", of_call("toolu_1")));
    assert!(!tasked(&mut draft, "s", of_call("toolu_1")));
    tasked(&mut draft, "s", changed("1", Status::Complete));
    assert!(
        !tasked(&mut draft, "s", of_call("toolu_1")),
        "delivered late"
    );
    assert!(
        tasked(&mut draft, "s", of_call("toolu_2")),
        "another task of that id and text"
    );
    assert_eq!(
        phases_of(&draft),
        ["Add tests complete", "Add tests (2) pending"]
    );
    // Without a number of the call, while the task is unfinished.
    assert!(tasked(&mut draft, "s", created("5", "Ship it")));
    assert!(!tasked(&mut draft, "s", created("5", "Ship it")));
}

#[test]
fn a_change_of_an_unknown_task_completes_nothing() {
    let mut draft = shared();
    let unknown = Planned {
        text: Some("Ship it".to_owned()),
        ..changed("9", Status::Complete)
    };
    assert!(tasked(&mut draft, "s", unknown));
    assert_eq!(phases_of(&draft), ["Ship it pending"]);
}

#[test]
fn a_list_is_compared_with_the_one_before() {
    use Status::{Complete, InProgress, Pending};
    let mut draft = shared();
    let own = Object::new().with("status", "in_progress");
    let update = Update::new("by hand", &own, None).unwrap();
    update.apply(&mut draft, NOW).unwrap();
    listed(
        &mut draft,
        "s",
        &[("a", Complete), ("b", InProgress), ("c", Pending)],
    );
    // An insertion, and a removal.
    listed(
        &mut draft,
        "s",
        &[("a", Complete), ("x", InProgress), ("b", Pending)],
    );
    let expected = [
        "by hand in_progress",
        "c skipped",
        "a complete",
        "x in_progress",
        "b pending",
    ];
    assert_eq!(phases_of(&draft), expected);
    // A list without what is complete.
    listed(&mut draft, "s", &[("b", InProgress), ("d", Pending)]);
    let expected = [
        "by hand in_progress",
        "c skipped",
        "a complete",
        "x skipped",
        "b in_progress",
        "d pending",
    ];
    assert_eq!(phases_of(&draft), expected);
    // A phase that was complete before is not begun again by another item of that text.
    listed(&mut draft, "s", &[("b", InProgress), ("a", Pending)]);
    assert_eq!(phases_of(&draft)[2], "a complete");
    assert!(phases_of(&draft).contains(&"a (2) pending".to_owned()));
    assert!(!listed(&mut draft, "other", &[]));
    assert!(listed(&mut draft, "s", &[]));
}

#[test]
fn items_of_one_text_are_phases_of_their_own() {
    use Status::{Complete, InProgress, Pending};
    let mut draft = shared();
    listed(
        &mut draft,
        "s",
        &[("Run", Pending), ("Fix", InProgress), ("Run", Complete)],
    );
    let expected = ["Run pending", "Fix in_progress", "Run (2) complete"];
    assert_eq!(phases_of(&draft), expected);
    // The first one is taken out: the other one is what follows the fix.
    listed(&mut draft, "s", &[("Fix", Complete), ("Run", Complete)]);
    assert_eq!(
        phases_of(&draft),
        ["Run skipped", "Fix complete", "Run (2) complete"]
    );
    let long = "word ".repeat(40);
    let texts = [format!("{long}one"), format!("{long}two")];
    let items: Vec<(&str, Status)> = texts.iter().map(|text| (text.as_str(), Pending)).collect();
    let mut draft = shared();
    listed(&mut draft, "s", &items);
    assert_eq!(phases_of(&draft).len(), 2, "texts that begin alike");
}

#[test]
fn an_item_in_new_words_stays_its_phase() {
    use Status::{Complete, InProgress, Pending};
    let mut draft = shared();
    listed(
        &mut draft,
        "s",
        &[("Write the parser", InProgress), ("Ship", Pending)],
    );
    wrote(&mut draft, "s", &[("a".to_owned(), true)], NOW).unwrap();
    listed(
        &mut draft,
        "s",
        &[("Write the new parser", InProgress), ("Ship", Pending)],
    );
    assert_eq!(
        phases_of(&draft),
        ["Write the new parser in_progress", "Ship pending"]
    );
    assert_eq!(
        field(&draft, "Write the new parser", "files_created"),
        "[\"a\"]"
    );
    let state = draft.as_object().get("state").unwrap().to_line();
    assert!(
        state.contains("\"current_phase\":\"Write the new parser\""),
        "{state}"
    );
    // Other words are another item, and what is complete keeps its name.
    listed(
        &mut draft,
        "s",
        &[("Delete everything", InProgress), ("Ship", Pending)],
    );
    let expected = [
        "Write the new parser skipped",
        "Delete everything in_progress",
        "Ship pending",
    ];
    assert_eq!(phases_of(&draft), expected);
    listed(
        &mut draft,
        "s",
        &[("Delete everything", Complete), ("Ship", Pending)],
    );
    listed(
        &mut draft,
        "s",
        &[("Delete everything again", Pending), ("Ship", Pending)],
    );
    assert!(phases_of(&draft).contains(&"Delete everything complete".to_owned()));
}

#[test]
fn a_plan_that_is_rebuilt_in_another_session_is_not_doubled() {
    use Status::{Complete, InProgress, Pending};
    let mut draft = shared();
    listed(
        &mut draft,
        "s",
        &[
            ("a", Complete),
            ("b", InProgress),
            ("c", Pending),
            ("c", Pending),
        ],
    );
    listed(
        &mut draft,
        "t",
        &[
            ("a", Complete),
            ("b", InProgress),
            ("c", Pending),
            ("c", Pending),
        ],
    );
    let expected = ["a complete", "b in_progress", "c pending", "c (2) pending"];
    assert_eq!(phases_of(&draft), expected);
    // A part of the plan alone: the rest stays.
    listed(&mut draft, "u", &[("c", InProgress)]);
    let expected = [
        "a complete",
        "b in_progress",
        "c (2) pending",
        "c in_progress",
    ];
    assert_eq!(phases_of(&draft), expected);
}

#[test]
fn phases_and_pending_ones_are_in_the_order_of_the_list() {
    use Status::Pending;
    let mut draft = shared();
    listed(&mut draft, "s", &[("a", Pending), ("c", Pending)]);
    assert!(listed(
        &mut draft,
        "s",
        &[("b", Pending), ("c", Pending), ("a", Pending)]
    ));
    assert_eq!(phases_of(&draft), ["b pending", "c pending", "a pending"]);
    let state = draft.as_object().get("state").unwrap().to_line();
    assert!(
        state.contains(r#""pending_phases":["b","c","a"]"#),
        "{state}"
    );
}

#[test]
fn a_list_of_ten_thousand_items_is_kept_whole() {
    let mut draft = shared();
    let texts: Vec<String> = (0..10_000)
        .map(|number| format!("step {}", number % 7_000))
        .collect();
    let items: Vec<Planned> = texts
        .iter()
        .map(|text| item(text, Status::Pending))
        .collect();
    plan(&mut draft, "s", &items, true, NOW).unwrap();
    assert_eq!(phases_of(&draft).len(), 10_000);
    let moved: Vec<Planned> = items[1..].to_vec();
    plan(&mut draft, "s", &moved, true, NOW).unwrap();
    let skipped = phases_of(&draft)
        .into_iter()
        .filter(|it| it.ends_with("skipped"));
    assert_eq!(skipped.collect::<Vec<_>>(), ["step 0 skipped"]);
}

#[test]
fn a_file_belongs_to_the_phase_that_the_work_is_in() {
    use Status::{Complete, InProgress, Pending};
    let mut draft = shared();
    let file = |path: &str, is_new| (path.to_owned(), is_new);
    wrote(&mut draft, "s", &[file("a", true), file("b", false)], NOW).unwrap();
    assert_eq!(phases_of(&draft), ["work in_progress"]);
    assert_eq!(field(&draft, "work", "files_created"), "[\"a\"]");
    assert_eq!(field(&draft, "work", "files_modified"), "[\"b\"]");
    assert_eq!(is_listed(draft.as_object(), "a"), (true, true));
    // A named phase ends the one without a name, and what was created there is modified here.
    listed(&mut draft, "s", &[("parser", InProgress)]);
    assert_eq!(is_listed(draft.as_object(), "a"), (true, false));
    let files = [file("a", true), file("c", true), file("c", true)];
    wrote(&mut draft, "s", &files, NOW).unwrap();
    assert_eq!(phases_of(&draft), ["work complete", "parser in_progress"]);
    assert_eq!(field(&draft, "parser", "files_created"), "[\"c\"]");
    assert_eq!(field(&draft, "parser", "files_modified"), "[\"a\"]");
    let before = draft.clone();
    wrote(&mut draft, "s", &[file("a", true)], LATER).unwrap();
    assert_eq!(draft, before);
    // Between two phases it is the next one's, which has not begun for that.
    listed(&mut draft, "s", &[("parser", Complete), ("docs", Pending)]);
    wrote(&mut draft, "s", &[file("d", true)], NOW).unwrap();
    assert_eq!(field(&draft, "docs", "files_created"), "[\"d\"]");
    let expected = ["work complete", "parser complete", "docs pending"];
    assert_eq!(phases_of(&draft), expected);
}

#[test]
fn a_session_does_not_complete_the_work_of_another_one() {
    let mut draft = shared();
    wrote(&mut draft, "s", &[("a".to_owned(), true)], NOW).unwrap();
    listed(&mut draft, "t", &[("parser", Status::InProgress)]);
    assert_eq!(
        phases_of(&draft),
        ["work in_progress", "parser in_progress"]
    );
}

/// Ends a turn of the session with a message, and says whether the message was taken.
fn stopped(draft: &mut Draft, session: &str, message: &str) -> bool {
    stop(draft, session, Some(message), NOW).unwrap().0
}

#[test]
fn a_summary_is_the_last_message_of_a_turn_that_changed_something() {
    let mut draft = shared();
    assert!(!stopped(&mut draft, "s", "hello"));
    wrote(&mut draft, "s", &[("a".to_owned(), true)], NOW).unwrap();
    assert!(stopped(&mut draft, "s", "first"));
    assert!(!stopped(&mut draft, "s", "You are welcome!"));
    assert_eq!(field(&draft, "work", "context_summary"), "\"first\"");
    // Writing the same file once more is a change as well.
    assert_eq!(
        wrote(&mut draft, "s", &[("a".to_owned(), true)], NOW),
        Ok(true)
    );
    assert_eq!(
        wrote(&mut draft, "s", &[("a".to_owned(), true)], NOW),
        Ok(false)
    );
    assert!(!stopped(&mut draft, "t", "another session"));
    assert!(stopped(&mut draft, "s", "second"));
    assert_eq!(field(&draft, "work", "context_summary"), "\"second\"");
    assert_eq!(field(&draft, "work", "summary_source"), "\"auto\"");
    draft.check(&[]).unwrap();
}

#[test]
fn a_summary_that_was_recorded_on_purpose_stays() {
    let mut draft = shared();
    wrote(&mut draft, "s", &[("a".to_owned(), true)], NOW).unwrap();
    assert!(stopped(&mut draft, "s", "first"));
    let patch = Object::new().with("context_summary", "on purpose");
    let update = Update::new("work", &patch, None).unwrap();
    update.apply(&mut draft, NOW).unwrap();
    assert_eq!(field(&draft, "work", "summary_source"), "");
    wrote(&mut draft, "s", &[("b".to_owned(), true)], NOW).unwrap();
    assert!(!stopped(&mut draft, "s", "third"));
    assert_eq!(field(&draft, "work", "context_summary"), "\"on purpose\"");
    let turn = session_of(draft.as_object(), "s").unwrap().get("turn");
    assert_eq!(turn, None, "the turn is over all the same");
}

#[test]
fn the_last_message_after_the_last_task_is_of_the_phase_that_the_turn_completed() {
    use Status::{Complete, InProgress};
    let mut draft = shared();
    listed(&mut draft, "s", &[("a", InProgress)]);
    listed(&mut draft, "s", &[("a", Complete)]);
    assert!(stopped(&mut draft, "s", "all done"));
    assert_eq!(field(&draft, "a", "context_summary"), "\"all done\"");
    // A phase that was complete before the turn keeps what it has.
    listed(&mut draft, "s", &[("a", Complete), ("b", Status::Pending)]);
    assert!(!stopped(&mut draft, "s", "planned more"));
    assert_eq!(field(&draft, "a", "context_summary"), "\"all done\"");
}

#[test]
fn the_reports_of_subagents_stand_beside_the_summary_and_the_latest_stay() {
    let mut draft = shared();
    wrote(&mut draft, "s", &[("a".to_owned(), true)], NOW).unwrap();
    for number in 0..15 {
        let message = format!("report {number}");
        assert_eq!(report(&mut draft, Some("Explore"), &message, NOW), Ok(true));
    }
    let reports = field(&draft, "work", "subagent_summaries");
    let reports = json::read(reports.as_bytes()).unwrap().value;
    let reports = reports.as_array().unwrap();
    assert_eq!(reports.len(), MAX_REPORTS);
    assert!(reports[0].to_line().contains("report 5"), "{reports:?}");
    assert_eq!(field(&draft, "work", "context_summary"), "");
    draft.check(&[]).unwrap();
}

#[test]
fn the_writer_is_the_session_that_was_heard_of_at_the_time_of_the_write() {
    let at = |sessions: &str| {
        let text = format!(
            r#"{{"updated_at": "2026-01-29T10:30:00.000Z", "agent_sessions": {{{sessions}}}}}"#
        );
        let value = json::read(text.as_bytes()).unwrap().value;
        let writer = super::writer(value.as_object().unwrap());
        writer.map(|it| format!("{} {}", it.agent, it.id))
    };
    let session = |id: &str, seen: &str| {
        format!(r#""{id}": {{"agent": "codex", "seen_at": "2026-01-29T{seen}.000Z"}}"#)
    };
    let (before, now, late) = (
        session("a", "10:28:59"),
        session("b", "10:29:30"),
        session("c", "10:29:40"),
    );
    assert_eq!(at(&before), None);
    assert_eq!(at(&format!("{before}, {now}")).as_deref(), Some("codex b"));
    assert_eq!(at(&format!("{late}, {now}")).as_deref(), Some("codex c"));
    assert_eq!(
        at(r#""a": 1, "b": {"seen_at": "2026-01-29T10:30:00.000Z"}"#),
        None
    );
}

/// A run in which the turn of `s` completed `b`, and `c` is in progress.
const TURN: &str = r#"{"command":"implement","version":1,"state":{"current_phase":"c",
    "completed_phases":["a","b"],"pending_phases":[]},"phases":{
    "a":{"status":"complete","files_modified":["of-a"]},
    "b":{"status":"complete","files_created":["of-b"]},
    "c":{"status":"in_progress","files_created":["of-c"]}},
    "agent_sessions":{"s":{"agent":"codex","seen_at":"2026-01-29T10:30:00.000Z","turn":{"completed":["b"]}}}}"#;

fn draft_of(text: &str) -> Draft {
    match json::read(text.as_bytes()).unwrap().value {
        Json::Object(object) => Draft::from(object),
        other => panic!("{other:?}"),
    }
}

#[test]
fn changed_files_join_the_phase_of_the_turn_and_are_its_work() {
    let joined = [("x".to_owned(), true), ("y".to_owned(), false)];
    let lists = |draft: &Draft, name: &str| {
        let of = |key| phase(draft.as_object(), name).and_then(|phase| phase.get(key));
        [CREATED, MODIFIED].map(|key| of(key).map_or_else(String::new, Json::to_line))
    };
    let mut draft = draft_of(TURN);
    assert!(add_changed(&mut draft, "s", &joined, NOW).unwrap());
    assert_eq!(lists(&draft, "c"), [r#"["of-c","x"]"#, r#"["y"]"#]);
    // Nothing is in progress any more: they belong to what the turn completed, and begin no phase.
    let over = TURN.replace("in_progress", "skipped");
    let mut draft = draft_of(&over.replace("\"c\",\n", "null,\n"));
    assert!(add_changed(&mut draft, "s", &joined, NOW).unwrap());
    assert_eq!(lists(&draft, "b"), [r#"["of-b","x"]"#, r#"["y"]"#]);
    assert!(phase(draft.as_object(), UNNAMED).is_none());
    // A turn that did nothing else, to files that are listed already.
    let mut draft = draft_of(&TURN.replace(r#","turn":{"completed":["b"]}"#, ""));
    let listed = [("of-c".to_owned(), true)];
    assert!(add_changed(&mut draft, "s", &listed, NOW).unwrap());
    assert_eq!(lists(&draft, "c"), [r#"["of-c"]"#, ""]);
    assert!(has_worked(draft.as_object(), "s"));
    assert!(!add_changed(&mut draft, "s", &[], NOW).unwrap());
}

#[test]
fn the_files_of_a_turn_are_those_of_the_phases_that_it_worked_on() {
    let run = draft_of(TURN);
    let named = named_in_turn(run.as_object(), "s");
    assert_eq!(named, BTreeSet::from(["of-b", "of-c"]));
    // Where no tool has begun the turn, a listed file was changed by no tool either.
    let run = draft_of(&TURN.replace(r#","turn":{"completed":["b"]}"#, ""));
    assert_eq!(named_in_turn(run.as_object(), "s"), BTreeSet::new());
}
