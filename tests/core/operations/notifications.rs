//! Notices about checkpoints: found once by any process that looks, and sent until each is acknowledged.

mod first_call;
mod preview;

use milepost::effect::Machine;
use milepost::json::{Json, Object};
use milepost::operation::request;

use super::{ask, code, phase, save, text, value, warnings, world};
use crate::memory::Memory;

const SETTINGS: &str = "/repo/.claude/config/integrations.json";
const CURSOR: &str = "/repo/.claude/state/notifications/cursor.json";
const ENDPOINT: &str = "webhook:HOOK_URL";

/// A project that tells one receiver everything from its beginning on.
fn notified_world() -> Memory {
    let world = world();
    configure(&world);
    world
}

/// Has the project tell one receiver everything from now on.
fn configure(world: &Memory) {
    world.disk.borrow_mut().set_clock(world.now_ms.get());
    world.put(
        SETTINGS,
        r#"{"notifications":{"webhooks":[{"url_env":"HOOK_URL","secret_env":"HOOK_SECRET"}]}}"#,
    );
}

/// Lets a minute go by.
fn later(world: &Memory) {
    world.now_ms.set(world.now_ms.get() + 60_000.0);
}

fn done(world: &Memory, name: &str) -> Object {
    phase(world, name, r#"{"status":"complete"}"#)
}

fn due(world: &Memory, more: &[(&str, Json)]) -> Object {
    ask(world, "due_notices", more)
}

fn items(reply: &Object) -> Vec<Object> {
    let items = value(reply).at("/due").and_then(Json::as_array).unwrap();
    items
        .iter()
        .map(|it| it.as_object().unwrap().clone())
        .collect()
}

fn at<'a>(item: &'a Object, keys: &[&str]) -> &'a Json {
    let mut found = item.get(keys[0]).unwrap();
    for key in &keys[1..] {
        found = found.as_object().unwrap().get(key).unwrap();
    }
    found
}

/// As `type phase`, what a reply has to send.
fn said(reply: &Object) -> Vec<String> {
    let line = |item: &Object| {
        let kind = at(item, &["notice", "type"]).as_str().unwrap();
        let phase = at(item, &["notice", "data", "phase"])
            .as_str()
            .unwrap_or("-");
        format!("{} {phase}", kind.strip_prefix("checkpoint.").unwrap())
    };
    items(reply).iter().map(line).collect()
}

fn record(world: &Memory, item: &Object, outcome: &str) -> Object {
    let delivery = Object::new()
        .with("endpoint", item.get("endpoint").unwrap().clone())
        .with("fingerprint", item.get("fingerprint").unwrap().clone())
        .with("id", at(item, &["notice", "id"]).clone())
        .with("attempt", item.get("attempt").unwrap().clone())
        .with("outcome", outcome);
    ask(
        world,
        "record_deliveries",
        &[("deliveries", vec![delivery].into())],
    )
}

/// Sends all that is due, and says what was sent.
fn send(world: &Memory) -> Vec<String> {
    let mut sent = Vec::new();
    loop {
        let reply = due(world, &[]);
        if items(&reply).is_empty() {
            return sent;
        }
        sent.extend(said(&reply));
        for item in items(&reply) {
            value(&record(world, &item, "delivered"));
        }
    }
}

#[test]
fn a_phase_that_was_done_and_opened_again_between_two_calls_is_notified() {
    let world = notified_world();
    due(&world, &[]);
    done(&world, "research");
    phase(&world, "research", r#"{"status":"in_progress"}"#);
    done(&world, "research");
    ask(&world, "complete", &[]);
    ask(&world, "gate", &[("close", vec!["tests fail"].into())]);
    assert_eq!(
        send(&world),
        [
            "phase_completed research",
            "phase_completed research",
            "completed -",
            "gate_closed -"
        ]
    );
}

#[test]
fn a_pruned_history_is_notified_as_far_as_it_is_kept() {
    let world = notified_world();
    due(&world, &[]);
    done(&world, "research");
    phase(&world, "research", r#"{"status":"in_progress"}"#);
    done(&world, "research");
    done(&world, "design");
    let history = "/repo/.claude/state/.milepost/design-checkpoint/history";
    let entries = world.files_below(history);
    assert!(entries.len() > 2, "{entries:?}");
    for below in entries {
        world.delete(&format!("{history}/{below}"));
    }
    let mut sent = send(&world);
    sent.sort();
    assert_eq!(sent, ["phase_completed design", "phase_completed research"]);
}

#[test]
fn phases_restored_by_an_undo_are_not_notified_again() {
    let world = notified_world();
    due(&world, &[]);
    done(&world, "research");
    phase(&world, "research", r#"{"status":"in_progress"}"#);
    assert_eq!(send(&world), ["phase_completed research"]);
    value(&ask(&world, "undo", &[]));
    assert!(text(&ask(&world, "load", &[])).contains("\"status\": \"complete\""));
    value(&ask(&world, "redo", &[]));
    assert_eq!(send(&world), [""; 0]);
    done(&world, "research");
    assert_eq!(send(&world), ["phase_completed research"]);
}

#[test]
fn a_run_that_was_renamed_or_removed_is_not_notified_from_its_beginning() {
    let world = notified_world();
    let of = |feature: &str| ("feature", Json::from(feature));
    let done_in = |feature: &str, name: &str| {
        let patch = Object::from_iter([("status", "complete")]);
        let more = [of(feature), ("phase", name.into()), ("patch", patch.into())];
        value(&ask(&world, "update_phase", &more));
    };
    due(&world, &[]);
    done_in("a", "one");
    assert_eq!(send(&world), ["phase_completed one"]);
    done_in("a", "two");
    value(&ask(&world, "rename", &[of("a"), ("to", "b".into())]));
    assert_eq!(send(&world), ["phase_completed two"]);
    value(&ask(&world, "remove", &[of("b")]));
    assert_eq!(send(&world), [""; 0]);
    done_in("b", "three");
    assert_eq!(send(&world), ["phase_completed three"]);
}

#[test]
fn a_run_that_cannot_be_read_does_not_keep_the_others_from_being_notified() {
    let world = notified_world();
    due(&world, &[]);
    world.put("/repo/.claude/state/ship-checkpoint.json", "{");
    done(&world, "research");
    let reply = due(&world, &[]);
    assert_eq!((said(&reply).len(), warnings(&reply)), (1, vec!["corrupt"]));
}

#[test]
fn a_notice_whose_sender_died_comes_again_under_its_id_and_no_sooner() {
    let world = notified_world();
    due(&world, &[]);
    done(&world, "research");
    let first = items(&due(&world, &[]));
    assert_eq!(items(&due(&world, &[])), []);
    world.now_ms.set(world.now_ms.get() + 60_000.0);
    let second = items(&due(&world, &[]));
    let id = |items: &[Object]| at(&items[0], &["notice", "id"]).clone();
    assert_eq!(id(&first), id(&second));
    let attempts = [&first, &second].map(|it| it[0].get("attempt").unwrap().as_u64());
    assert_eq!(attempts, [Some(1), Some(2)]);
    let late = record(&world, &first[0], "failed");
    assert_eq!(
        value(&late).at("/deliveries/0/fate").unwrap().as_str(),
        Some("superseded")
    );
    let end = record(&world, &second[0], "delivered");
    assert_eq!(value(&end).at("/waiting").unwrap().as_u64(), Some(0));
}

#[test]
fn failed_deliveries_are_due_again_and_a_gone_endpoint_returns_with_another_url() {
    let world = notified_world();
    let of_url = |digest: &str| {
        let one = Object::new()
            .with("endpoint", ENDPOINT)
            .with("fingerprint", digest);
        [("fingerprints", Json::from(vec![one]))]
    };
    due(&world, &of_url("a"));
    done(&world, "research");
    done(&world, "design");
    let first = items(&due(&world, &of_url("a")));
    let failed = record(&world, &first[0], "failed");
    let next = value(&failed).at("/deliveries/0/next_at").unwrap().as_str();
    assert!(next.unwrap().starts_with("2027-01-15T08:00:0"), "{next:?}");
    assert_eq!(items(&due(&world, &of_url("a"))), []);
    world.now_ms.set(world.now_ms.get() + 6_000.0);
    let again = items(&due(&world, &of_url("a")));
    let gone = record(&world, &again[0], "gone");
    assert_eq!(
        value(&gone).at("/deliveries/0/fate").unwrap().as_str(),
        Some("disabled")
    );
    assert_eq!(value(&gone).at("/waiting").unwrap().as_u64(), Some(0));

    done(&world, "build");
    let silent = due(&world, &of_url("a"));
    let disabled = value(&silent).at("/disabled/0/endpoint").unwrap().as_str();
    assert_eq!((items(&silent), disabled), (vec![], Some(ENDPOINT)));
    done(&world, "test");
    let other = due(&world, &of_url("b"));
    assert_eq!(said(&other), ["phase_completed test"]);
    assert_eq!(
        value(&other).at("/disabled").unwrap().as_array(),
        Some(&[][..])
    );
}

#[test]
fn a_preview_shows_what_would_be_sent_and_changes_nothing() {
    let world = notified_world();
    let shown = due(&world, &[("preview", true.into())]);
    assert_eq!(items(&shown), []);
    assert_eq!(world.bytes(CURSOR), None);
    due(&world, &[]);
    done(&world, "research");
    done(&world, "design");
    let before = world.bytes(CURSOR);
    let shown = due(&world, &[("preview", true.into())]);
    assert_eq!(
        said(&shown),
        ["phase_completed research", "phase_completed design"]
    );
    assert_eq!(world.bytes(CURSOR), before);
    assert_eq!(send(&world).len(), 2);
}

#[test]
fn a_look_that_finds_nothing_writes_nothing() {
    let world = notified_world();
    done(&world, "research");
    due(&world, &[]);
    let before = world.bytes(CURSOR);
    due(&world, &[]);
    assert_eq!(world.bytes(CURSOR), before);
}

#[test]
fn an_issue_is_commented_on_only_from_its_branch() {
    for (branch, settings, expected) in [
        (
            "feature/eng-7-dark",
            r#""use_native_automation":false"#,
            Some("ENG-7"),
        ),
        ("main", r#""use_native_automation":false"#, None),
        (
            "feature/eng-7-dark",
            r#""use_native_automation":true"#,
            None,
        ),
    ] {
        let world = notified_world();
        world.put("/repo/.git/HEAD", format!("ref: refs/heads/{branch}\n"));
        world.put(
            SETTINGS,
            format!(
                r#"{{"linear":{{{settings}}},"notifications":{{"linear":{{"api_key_env":"K"}},
                    "slack":[{{"url_env":"S","events":["checkpoint.completed"]}}]}}}}"#
            ),
        );
        due(&world, &[]);
        done(&world, "research");
        let found = items(&due(&world, &[]));
        let issues: Vec<_> = found
            .iter()
            .map(|it| it.get("issue").unwrap().as_str())
            .collect();
        assert_eq!(
            issues,
            Vec::from_iter(expected.map(Some)),
            "{branch} {settings}"
        );
    }
}

#[test]
fn a_project_without_endpoints_says_where_they_are_set() {
    let world = world();
    assert_eq!(code(&due(&world, &[])), "usage");
    world.put(
        SETTINGS,
        r#"{"notifications":{"slack":[{"url_env":"https://x"}]}}"#,
    );
    assert_eq!(code(&due(&world, &[])), "invalid_document");
    assert_eq!(
        code(&ask(&world, "notification_endpoints", &[])),
        "invalid_document"
    );
    world.put(SETTINGS, "{}");
    let without = ask(&world, "notification_endpoints", &[]);
    assert_eq!(
        value(&without).at("/endpoints").unwrap().as_array(),
        Some(&[][..])
    );
    assert_eq!(
        code(&ask(
            &world,
            "record_deliveries",
            &[("deliveries", Vec::<Json>::new().into())]
        )),
        "not_found"
    );
}

/// Every way in which a cursor is damaged, with the warning that it is read with.
#[test]
fn a_cursor_that_is_damaged_is_taken_from_its_history_with_a_warning() {
    for (damaged, expected) in [
        (Some("{"), "corrupt"),
        (Some(""), "corrupt"),
        (Some("\0\0\0\0"), "corrupt"),
        (Some("garbage"), "corrupt"),
        (None, "vanished"),
    ] {
        let world = notified_world();
        due(&world, &[]);
        done(&world, "research");
        send(&world);
        match damaged {
            Some(text) => world.put(CURSOR, text),
            None => world.delete(CURSOR),
        }
        let preview = due(&world, &[("preview", true.into())]);
        assert_eq!(warnings(&preview), [expected], "{damaged:?}");
        assert_eq!(world.bytes(CURSOR).is_some(), damaged.is_some());
        let found = due(&world, &[]);
        assert_eq!(warnings(&found), [expected], "{damaged:?}");
        assert_eq!(value(&found).at("/is_first"), Some(&false.into()));
        for item in items(&found) {
            value(&record(&world, &item, "delivered"));
        }
        // Of the last revisions something may be sent again, under its id.
        assert!(send(&world).len() <= 1);
        done(&world, "design");
        assert_eq!(send(&world), ["phase_completed design"], "{damaged:?}");
        let copies =
            world.files_below("/repo/.claude/state/notifications/.milepost/cursor/quarantine");
        assert_eq!(copies.len(), usize::from(damaged.is_some()), "{copies:?}");
    }
}

#[test]
fn an_older_cursor_that_is_put_back_is_used_with_a_warning_and_an_edited_one_without() {
    let world = notified_world();
    due(&world, &[]);
    let older = world.bytes(CURSOR).unwrap();
    for name in ["research", "design"] {
        done(&world, name);
        send(&world);
    }
    let edited = world.text(CURSOR).replace("\n", " \n");
    world.put(CURSOR, edited);
    assert_eq!(warnings(&due(&world, &[])), [""; 0]);
    world.put(CURSOR, older);
    assert_eq!(warnings(&due(&world, &[])), ["edited_by_hand"]);
}

#[test]
fn two_processes_that_look_together_never_have_one_notice_to_send() {
    for seed in 0..40 {
        let _run = milepost_property::seed(
            "two processes that look together never have one notice to send",
            seed,
        );
        let world = notified_world();
        due(&world, &[]);
        for name in ["a", "b", "c"] {
            let feature = ("feature", Json::from(name));
            let patch = Object::from_iter([("status", "complete")]);
            let more = [feature, ("phase", name.into()), ("patch", patch.into())];
            value(&ask(&world, "update_phase", &more));
        }
        let place = Object::from_iter([("working", "/repo")]);
        let request = Object::new()
            .with("operation", "due_notices")
            .with("place", place);
        let request = Json::from(request).to_line();
        let machines: Vec<Machine<String>> =
            (0..3).map(|_| request::start(request.as_bytes())).collect();
        let mut sent = Vec::new();
        for reply in world.interleave(machines, seed) {
            let reply = milepost::json::read(reply.as_bytes()).unwrap().value;
            sent.extend(said(reply.as_object().unwrap()));
        }
        sent.sort();
        let expected = ["a", "b", "c"].map(|it| format!("phase_completed {it}"));
        assert_eq!(sent, expected, "{seed}");
    }
}

#[test]
fn payloads_keep_the_limits_of_the_standard_and_hold_no_secret() {
    const SECRET: &str = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
    let world = notified_world();
    due(&world, &[]);
    let long = format!("{SECRET} \u{202e}{}", "\"\\".repeat(20_000));
    let phases: Object = [("one", long.clone()), ("two", long)]
        .into_iter()
        .map(|(name, summary)| {
            let phase = Object::new()
                .with("status", "complete")
                .with("context_summary", summary);
            (name, phase)
        })
        .collect();
    done(&world, "one");
    let mut document = milepost::json::read(text(&ask(&world, "load", &[])).as_bytes())
        .unwrap()
        .value;
    document.as_object_mut().unwrap().set("phases", phases);
    value(&save(&world, &document.to_line()));
    send_and_check(&world);
}

fn send_and_check(world: &Memory) {
    let mut count = 0;
    loop {
        let found = items(&due(world, &[]));
        if found.is_empty() {
            break;
        }
        for item in found {
            let line = item.get("notice").unwrap().to_line();
            assert!(line.len() < 20_000 && !line.contains("ghp_") && !line.contains('\u{202e}'));
            count += 1;
            value(&record(world, &item, "delivered"));
        }
    }
    assert_eq!(count, 2);
}

#[test]
fn the_folder_of_the_cursor_is_known_to_an_examination() {
    let world = notified_world();
    done(&world, "research");
    due(&world, &[]);
    assert!(world.bytes(CURSOR).is_some());
    let found = value(&ask(&world, "doctor", &[])).to_line();
    assert!(!found.contains("notifications"), "{found}");
}
