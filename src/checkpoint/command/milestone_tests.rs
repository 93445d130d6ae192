use super::{EventCursor, Milestone, MilestoneKind};
use crate::checkpoint::command::completion::{OpenPhases, complete};
use crate::checkpoint::command::document::{Draft, RunDocument};
use crate::checkpoint::command::phases::{Status, Update};
use crate::checkpoint::command::sample::Random;
use crate::checkpoint::command::{gate, tombstone};
use crate::json::{self, Json, Object};
use crate::time;

const BEGUN: &str = "2026-01-29T10:00:00.000Z";

fn object(text: &str) -> Object {
    let value = json::read(text.as_bytes()).unwrap().value;
    value.as_object().unwrap().clone()
}

/// A time, so many minutes after the beginning.
fn at(minute: usize) -> String {
    let begun = time::parse(BEGUN).unwrap().wall_ms();
    time::format(begun + minute as f64 * 60_000.0)
}

fn update(document: &Object, phase: &str, patch: &str, minute: usize) -> Object {
    let mut draft = Draft::from(document.clone());
    let patch = object(patch);
    let update = Update::new(phase, &patch, None).unwrap();
    update.apply(&mut draft, &at(minute)).unwrap();
    draft.check(&[]).unwrap().into_object()
}

fn begun() -> Object {
    RunDocument::new("implement", Some("dark-mode"), BEGUN).into_object()
}

/// In short, as `kind phase`.
fn lines(milestones: &[Milestone]) -> Vec<String> {
    let line = |it: &Milestone| {
        let name = it.kind.as_str().strip_prefix("checkpoint.").unwrap();
        format!("{name} {}", it.phase.as_deref().unwrap_or("-"))
    };
    milestones.iter().map(line).collect()
}

#[test]
fn only_phases_that_are_done_or_failed_are_milestones() {
    for before in Status::ALL {
        for after in Status::ALL {
            let patch = |status: Status| format!(r#"{{"status": "{}"}}"#, status.as_str());
            let first = update(&begun(), "a", &patch(before), 1);
            let second = update(&first, "a", &patch(after), 2);
            let expected = match after {
                _ if before == after => None,
                Status::Complete => Some("phase_completed a".to_owned()),
                Status::Failed => Some("phase_failed a".to_owned()),
                Status::Pending | Status::InProgress | Status::Skipped => None,
            };
            let reached = EventCursor::of(&first).new_milestones(&second);
            let case = format!("{before:?} to {after:?}");
            assert_eq!(lines(&reached), Vec::from_iter(expected), "{case}");
        }
    }
}

#[test]
fn a_milestone_has_the_facts_of_its_document() {
    let first = update(
        &begun(),
        "parser",
        r#"{"status": "failed", "error": "3 tests fail", "context_summary": "Half of it"}"#,
        1,
    );
    let [failed] = &EventCursor::default().new_milestones(&first)[..] else {
        panic!("one milestone");
    };
    assert_eq!(failed.at, Some(at(1)));
    assert_eq!(failed.error.as_deref(), Some("3 tests fail"));
    assert_eq!(failed.summary.as_deref(), Some("Half of it"));

    let patch = r#"{"status": "complete", "context_summary": "All of it"}"#;
    let second = update(&first, "parser", patch, 2);
    let mut draft = Draft::from(second.clone());
    complete(&mut draft, &at(3), OpenPhases::Keep).unwrap();
    let mut third = draft.check(&[]).unwrap().into_object();
    gate::set(&mut third, &["tests fail", "no review"], None);
    let reached = EventCursor::of(&first).new_milestones(&third);
    assert_eq!(
        lines(&reached),
        ["phase_completed parser", "gate_closed -", "completed -"]
    );
    assert_eq!(reached[0].error, None);
    assert_eq!(reached[1].blockers, ["tests fail", "no review"]);
    assert_eq!(reached[2].at, Some(at(3)));
    assert_eq!(reached[2].summary.as_deref(), Some("All of it"));
}

#[test]
fn a_command_that_is_complete_says_what_was_skipped_and_what_was_left() {
    let mut document = begun();
    for (phase, status) in [
        ("a", "complete"),
        ("b", "skipped"),
        ("c", "failed"),
        ("d", "in_progress"),
        ("e", "pending"),
    ] {
        document = update(&document, phase, &format!(r#"{{"status": "{status}"}}"#), 1);
    }
    let completed = |open: OpenPhases| {
        let mut draft = Draft::from(document.clone());
        complete(&mut draft, &at(2), open).unwrap();
        let reached = EventCursor::of(&document).new_milestones(draft.as_object());
        let [completed] = &reached[..] else {
            panic!("one milestone: {reached:?}");
        };
        let lists = [&completed.skipped, &completed.failed, &completed.unfinished];
        lists.map(|them| them.join(" "))
    };
    assert_eq!(completed(OpenPhases::Keep), ["b", "c", "d e"]);
    assert_eq!(completed(OpenPhases::Skip), ["b c d e", "", ""]);
}

#[test]
fn a_gate_that_stays_closed_is_reported_again_only_for_a_new_reason() {
    let closed = |reasons: &[&str]| {
        let mut document = begun();
        gate::set(&mut document, reasons, None);
        document
    };
    for (before, after, is_reported) in [
        (begun(), closed(&["a"]), true),
        (begun(), begun(), false),
        (closed(&[]), closed(&["a"]), true),
        (closed(&["a"]), closed(&["a"]), false),
        (closed(&["a", "b"]), closed(&["b"]), false),
        (closed(&["a"]), closed(&["b"]), true),
        (closed(&["a"]), closed(&[]), false),
        (closed(&["a"]), begun(), false),
    ] {
        let reached = EventCursor::of(&before).new_milestones(&after);
        let case = format!("{:?} to {:?}", before.get("gate"), after.get("gate"));
        assert_eq!(!reached.is_empty(), is_reported, "{case}");
    }
    let odd = object(r#"{"gate": {"ship_allowed": false, "blockers": [5, "a"]}}"#);
    assert_eq!(
        EventCursor::default().new_milestones(&odd)[0].blockers,
        ["5", "a"]
    );
    for no_gate in [r#"{"gate": null}"#, "{}"] {
        assert_eq!(EventCursor::default().new_milestones(&object(no_gate)), []);
    }
}

#[test]
fn a_malformed_gate_is_closed_for_notices_too() {
    let odd_commit = r#"{"ship_allowed": true, "blockers": [], "head_commit": 5}"#;
    for malformed in ["5", "true", "{}", odd_commit] {
        let run = object(&format!(r#"{{"gate": {malformed}}}"#));
        let reached = EventCursor::default().new_milestones(&run);
        assert_eq!(lines(&reached), ["gate_closed -"], "{malformed}");
        assert_eq!(reached[0].blockers, [""; 0], "{malformed}");
        assert_eq!(
            EventCursor::of(&run).new_milestones(&run),
            [],
            "{malformed}"
        );
    }
}

#[test]
fn a_run_that_began_again_is_not_compared_with_the_one_before_it() {
    let done = update(&begun(), "a", r#"{"status": "complete"}"#, 1);
    let again = RunDocument::new("implement", Some("dark-mode"), &at(9)).into_object();
    let again = update(&again, "a", r#"{"status": "complete"}"#, 10);
    assert_eq!(
        lines(&EventCursor::of(&done).new_milestones(&again)),
        ["phase_completed a"]
    );
}

#[test]
fn a_tombstone_is_no_milestone() {
    let done = update(&begun(), "a", r#"{"status": "complete"}"#, 1);
    let removed = tombstone::removed("implement", Some("dark-mode"), &at(2));
    assert_eq!(EventCursor::of(&removed), EventCursor::default());
    assert_eq!(EventCursor::of(&done).new_milestones(&done), []);
}

#[test]
fn milestones_of_one_look_are_in_the_order_of_their_times() {
    let mut document = begun();
    for (minute, phase, status) in [
        (3, "a", "complete"),
        (1, "b", "failed"),
        (2, "c", "complete"),
    ] {
        let patch = format!(r#"{{"status": "{status}"}}"#);
        document = update(&document, phase, &patch, minute);
    }
    assert_eq!(
        lines(&EventCursor::default().new_milestones(&document)),
        ["phase_failed b", "phase_completed c", "phase_completed a"]
    );
}

/// A run of random changes: every document of it.
fn run(random: &mut Random) -> Vec<Object> {
    let mut documents = vec![begun()];
    for minute in 1..12 {
        let last = &documents[documents.len() - 1];
        let phase = ["a", "b", "c"][random.below(3)];
        documents.push(match random.below(8) {
            0 => {
                let mut next = last.clone();
                gate::set(&mut next, [&[][..], &["x"], &["y"]][random.below(3)], None);
                next
            }
            1 => {
                let mut draft = Draft::from(last.clone());
                complete(&mut draft, &at(minute), OpenPhases::Keep).unwrap();
                draft.check(&[]).unwrap().into_object()
            }
            _ => {
                let status = Status::ALL[random.below(Status::ALL.len())].as_str();
                update(last, phase, &format!(r#"{{"status": "{status}"}}"#), minute)
            }
        });
    }
    documents
}

fn walk(mut cursor: EventCursor, documents: &[Object]) -> Vec<Milestone> {
    let mut reached = Vec::new();
    for document in documents {
        reached.extend(cursor.new_milestones(document));
        // As it is remembered between two calls.
        let remembered = Json::from(Object::from(EventCursor::of(document))).to_line();
        cursor = EventCursor::read(&object(&remembered));
        assert_eq!(cursor, EventCursor::of(document));
    }
    reached
}

#[test]
fn an_interrupted_walk_reports_the_same_milestones_and_a_pruned_history_no_others() {
    for seed in 0..60 {
        let _run = milepost_property::seed(
            "an interrupted walk reports the same milestones and a pruned history no others",
            seed,
        );
        let documents = run(&mut Random::new(seed));
        let whole = walk(EventCursor::default(), &documents);
        for cut in 0..documents.len() {
            let first = walk(EventCursor::default(), &documents[..cut]);
            let cursor = match cut {
                0 => EventCursor::default(),
                cut => EventCursor::of(&documents[cut - 1]),
            };
            let second = walk(cursor.clone(), &documents[cut..]);
            assert_eq!(
                [first.clone(), second.clone()].concat(),
                whole,
                "{seed} {cut}"
            );

            // Without the revisions in between: some of the same, each once, and what still holds.
            let last = &documents[documents.len() - 1..];
            let left = walk(cursor, last);
            let is_known = |it: &Milestone| {
                let alike = |other: &&Milestone| (it.kind, &it.phase) == (other.kind, &other.phase);
                second.iter().any(|other| alike(&other))
            };
            assert!(left.iter().all(is_known), "{seed} {cut}: {left:?}");
        }
    }
}

#[test]
fn every_kind_has_a_name_of_its_own_that_standard_webhooks_allow() {
    let names = MilestoneKind::ALL.map(MilestoneKind::as_str);
    for (index, name) in names.iter().enumerate() {
        assert!(!names[..index].contains(name), "{name}");
        let is_allowed = |it: char| it.is_ascii_alphanumeric() || "_.".contains(it);
        assert!(name.chars().all(is_allowed), "{name}");
    }
}
