use super::*;
use crate::checkpoint::command::document::Checkpoint;
use crate::checkpoint::command::heartbeat::is_heartbeat;
use crate::json;

const NOW: &str = "2026-01-29T10:30:00.000Z";
const LATER: &str = "2026-01-29T10:31:00.000Z";

fn ms(time: &str) -> f64 {
    time::parse(time).unwrap().wall_ms()
}

fn new() -> Draft {
    Checkpoint::new("implement", None, NOW).into()
}

fn item(id: Option<&str>, name: Option<&str>, status: Option<Status>) -> Planned {
    Planned {
        id: id.map(str::to_owned),
        name: name.map(str::to_owned),
        status,
    }
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
fn a_session_that_ended_or_was_idle_kept_a_checkpoint_for_itself() {
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
        ("other", now, 60_000.0, true),
        ("s-1", now, 60_000.0, false),
        ("other", now + 59_999.0, 60_000.0, true),
        ("other", now + 60_000.0, 60_000.0, false),
        // A clock that was set back does not free what somebody has.
        ("other", now - 1e9, 60_000.0, true),
    ] {
        assert_eq!(
            is_taken(&noted, except, at, idle),
            expected,
            "{except} {at}"
        );
    }
    end(&mut draft, "s-1", LATER);
    let ended = line(draft.as_object()).unwrap();
    assert!(!works_on(&ended, "s-1"));
    assert!(!is_taken(&ended, "other", now, 60_000.0));
    assert!(is_due(draft.as_object(), "s-1", now));
    note(&mut draft, session, LATER);
    assert!(works_on(&line(draft.as_object()).unwrap(), "s-1"));
    draft.check(&[]).unwrap();
}

#[test]
fn an_event_within_a_minute_was_written_for_its_time_alone() {
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
    // What a wrong clock wrote does not hold for ever.
    assert!(is_due(&draft, ms(NOW) - 60_001.0));
    let before = draft.as_object().clone();
    note(&mut draft, session, LATER);
    assert!(is_heartbeat(&before, draft.as_object()));
    end(&mut draft, "g", LATER);
    assert!(!is_heartbeat(&before, draft.as_object()));
}

#[test]
fn the_sessions_of_a_year_made_a_checkpoint_too_large() {
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
fn what_a_hand_wrote_in_place_of_sessions_stopped_every_hook() {
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
fn tasks_are_known_by_their_ids_afterwards() {
    let mut draft = new();
    let made = [
        ("1", "Write the parser"),
        ("2", "Add tests"),
        ("3", "Add tests"),
    ];
    for (id, name) in made {
        let made = [item(Some(id), Some(name), Some(Status::Pending))];
        assert_eq!(plan(&mut draft, "s", &made, false, NOW), Ok(true));
    }
    for (id, status) in [
        ("1", Status::Complete),
        ("2", Status::Skipped),
        ("3", Status::InProgress),
        ("7", Status::Complete),
    ] {
        let change = [item(Some(id), None, Some(status))];
        let changed = plan(&mut draft, "s", &change, false, LATER).unwrap();
        assert_eq!(changed, id != "7", "an id that nobody knows");
        assert_eq!(plan(&mut draft, "s", &change, false, LATER), Ok(false));
    }
    assert_eq!(
        phases_of(&draft),
        [
            "Write the parser complete",
            "Add tests skipped",
            "Add tests (2) in_progress"
        ]
    );
    // The ids of another session are others'.
    let other = [item(Some("3"), None, Some(Status::Complete))];
    assert_eq!(plan(&mut draft, "t", &other, false, LATER), Ok(false));
}

#[test]
fn an_item_that_a_whole_plan_has_not_any_more_is_skipped() {
    let mut draft = new();
    let own = Object::new().with("status", "in_progress");
    let update = Update::new("by hand", &own, None).unwrap();
    update.apply(&mut draft, NOW).unwrap();
    let first = [
        item(None, Some("a"), Some(Status::Complete)),
        item(None, Some("b"), Some(Status::InProgress)),
        item(None, Some("c"), None),
    ];
    assert_eq!(plan(&mut draft, "s", &first, true, NOW), Ok(true));
    let next = [item(None, Some("d"), Some(Status::Pending))];
    assert_eq!(plan(&mut draft, "s", &next, true, LATER), Ok(true));
    assert_eq!(
        phases_of(&draft),
        [
            "by hand in_progress",
            "a complete",
            "b skipped",
            "c skipped",
            "d pending"
        ]
    );
    assert_eq!(plan(&mut draft, "other", &[], true, LATER), Ok(false));
    assert_eq!(plan(&mut draft, "s", &[], true, LATER), Ok(true));
}

#[test]
fn a_file_belongs_to_the_phase_that_the_work_is_in() {
    let mut draft = new();
    let file = |path: &str, is_new| (path.to_owned(), is_new);
    wrote(&mut draft, &[file("a", true), file("b", false)], NOW).unwrap();
    assert_eq!(phases_of(&draft), ["work in_progress"]);
    assert_eq!(field(&draft, "work", "files_created"), "[\"a\"]");
    assert_eq!(field(&draft, "work", "files_modified"), "[\"b\"]");
    assert_eq!(is_listed(draft.as_object(), "a"), (true, true));
    // A named phase ends the one without a name, and what was created there is modified here.
    let begun = [item(None, Some("parser"), Some(Status::InProgress))];
    plan(&mut draft, "s", &begun, true, NOW).unwrap();
    assert_eq!(is_listed(draft.as_object(), "a"), (true, false));
    wrote(
        &mut draft,
        &[file("a", true), file("c", true), file("c", true)],
        NOW,
    )
    .unwrap();
    assert_eq!(phases_of(&draft), ["work complete", "parser in_progress"]);
    assert_eq!(field(&draft, "parser", "files_created"), "[\"c\"]");
    assert_eq!(field(&draft, "parser", "files_modified"), "[\"a\"]");
    let before = draft.clone();
    wrote(&mut draft, &[file("a", true)], LATER).unwrap();
    assert_eq!(draft, before);
    // Between two phases it is the next one's, which has not begun for that.
    let done = [
        item(None, Some("parser"), Some(Status::Complete)),
        item(None, Some("docs"), Some(Status::Pending)),
    ];
    plan(&mut draft, "s", &done, true, NOW).unwrap();
    wrote(&mut draft, &[file("d", true)], NOW).unwrap();
    assert_eq!(field(&draft, "docs", "files_created"), "[\"d\"]");
    assert_eq!(
        phases_of(&draft),
        ["work complete", "parser complete", "docs pending"]
    );
}

#[test]
fn a_summary_that_somebody_recorded_was_replaced_by_a_last_message() {
    let mut draft = new();
    assert_eq!(summarise(&mut draft, "hello", NOW), Ok(false));
    wrote(&mut draft, &[("a".to_owned(), true)], NOW).unwrap();
    assert_eq!(summarise(&mut draft, "first", NOW), Ok(true));
    assert_eq!(summarise(&mut draft, "first", NOW), Ok(false));
    assert_eq!(summarise(&mut draft, "second", NOW), Ok(true));
    assert_eq!(field(&draft, "work", "context_summary"), "\"second\"");
    assert_eq!(field(&draft, "work", "summary_source"), "\"auto\"");
    let patch = Object::new().with("context_summary", "on purpose");
    let update = Update::new("work", &patch, None).unwrap();
    update.apply(&mut draft, NOW).unwrap();
    assert_eq!(field(&draft, "work", "summary_source"), "");
    assert_eq!(summarise(&mut draft, "third", NOW), Ok(false));
    assert_eq!(field(&draft, "work", "context_summary"), "\"on purpose\"");
    draft.check(&[]).unwrap();
}

#[test]
fn the_last_message_after_the_last_task_was_nobodys() {
    let mut draft = new();
    let done = [item(None, Some("a"), Some(Status::Complete))];
    plan(&mut draft, "s", &done, true, NOW).unwrap();
    assert_eq!(summarise(&mut draft, "all done", NOW), Ok(true));
    assert_eq!(field(&draft, "a", "context_summary"), "\"all done\"");
}

#[test]
fn the_reports_of_subagents_stand_beside_the_summary_and_the_latest_stay() {
    let mut draft = new();
    wrote(&mut draft, &[("a".to_owned(), true)], NOW).unwrap();
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
