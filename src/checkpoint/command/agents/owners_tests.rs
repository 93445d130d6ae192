use super::super::document::Draft;
use super::owners::MAX_SESSIONS;
use super::sample::{LATER, NOW, ms, new};
use super::*;
use crate::checkpoint::command::heartbeat::is_heartbeat;
use crate::{json, time};

#[test]
fn a_session_works_on_a_run_until_it_ends_or_is_replaced() {
    let mut draft = new();
    let session = SessionRef {
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
    assert_eq!(presence(&ended, "s-1"), Some(SessionPresence::Ended));
    assert_eq!(others(&ended, "other", now, 60_000.0).count(), 0);
    assert!(is_due(draft.as_object(), "s-1", now));
    note(&mut draft, session, LATER);
    assert!(works_on(&line(draft.as_object()).unwrap(), "s-1"));
    assert!(replace_others(&mut draft, Some("s-2"), LATER));
    assert!(!replace_others(&mut draft, Some("s-2"), LATER));
    let replaced = line(draft.as_object()).unwrap();
    assert_eq!(presence(&replaced, "s-1"), Some(SessionPresence::Replaced));
    end(&mut draft, "s-1", LATER);
    let known = line(draft.as_object()).unwrap();
    assert_eq!(presence(&known, "s-1"), Some(SessionPresence::Displaced));
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
    let session = SessionRef {
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
        let session = SessionRef {
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
    let session = SessionRef {
        agent: "codex",
        id: "s",
    };
    note(&mut draft, session, NOW);
    assert!(works_on(&line(draft.as_object()).unwrap(), "s"));
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
