//! Operations from request to reply, in a world of memory.

mod access;
pub(crate) mod agents;
mod begin;
mod bring_in;
mod budget;
mod calls;
mod commands;
mod creation;
mod denied;
mod gate;
mod heartbeats;
pub(crate) mod hidden;
mod history;
mod hooks;
mod integrations;
mod latest;
mod notifications;
mod origin;
mod overview;
mod partial;
mod paths;
mod records;
mod redo;
mod remove;
mod remove_phase;
mod rename;
mod repair;
mod resume_here;
mod root;
mod saving;
mod secrets;
mod session_effects;
#[cfg(unix)]
mod session_files;
mod sessions;
mod tasks;
mod threads;
mod viewing;

use milepost::error::Code;
use milepost::json::{self, Json, Object};

use crate::memory::Memory;

const FILE: &str = "/repo/.claude/state/design-checkpoint.json";
const HEAD: &str = "d36b6b4a1e2f3c4d5e6f7a8b9c0d1e2f3a4b5c6d";

/// A world whose `/repo` is a repository with one commit.
fn world() -> Memory {
    let world = Memory::new();
    world.put("/repo/.git/HEAD", "ref: refs/heads/main\n");
    world.put("/repo/.git/refs/heads/main", format!("{HEAD}\n"));
    world
}

/// Sends a request on the checkpoint of `design` and returns the reply.
fn ask(world: &Memory, operation: &str, more: &[(&str, Json)]) -> Object {
    let place = Object::from_iter([("working", "/repo")]);
    let mut request = Object::from_iter([
        ("operation", Json::from(operation)),
        ("place", place.into()),
        ("command", "design".into()),
    ]);
    for (key, value) in more {
        request.set(key, value.clone());
    }
    let reply = world.ask(Json::Object(request).to_line().as_bytes());
    match json::read(reply.as_bytes()).unwrap().value {
        Json::Object(reply) => reply,
        other => panic!("{other:?}"),
    }
}

fn value(reply: &Object) -> &Json {
    assert_eq!(reply.get("ok"), Some(&Json::Bool(true)), "{reply:?}");
    reply.get("value").unwrap()
}

fn code(reply: &Object) -> &str {
    let error = reply
        .get("error")
        .unwrap_or_else(|| panic!("{reply:?}"))
        .as_object()
        .unwrap();
    error.get("code").unwrap().as_str().unwrap()
}

fn warnings(reply: &Object) -> Vec<&str> {
    let warnings = reply.get("warnings").unwrap().as_array().unwrap().iter();
    warnings
        .map(|warning| {
            warning
                .as_object()
                .unwrap()
                .get("code")
                .unwrap()
                .as_str()
                .unwrap()
        })
        .collect()
}

fn text(reply: &Object) -> String {
    let text = value(reply).as_object().unwrap().get("text").unwrap();
    text.as_str().unwrap().to_owned()
}

fn phase(world: &Memory, name: &str, patch: &str) -> Object {
    let patch = json::read(patch.as_bytes()).unwrap().value;
    let more = [("phase", name.into()), ("patch", patch)];
    ask(world, "update_phase", &more)
}

fn save(world: &Memory, text: &str) -> Object {
    ask(world, "save", &[("text", text.into())])
}

#[test]
fn the_first_phase_creates_the_checkpoint_at_the_commit_and_time_of_the_change() {
    let world = world();
    let reply = phase(&world, "research", r#"{"status":"in_progress"}"#);
    assert_eq!(text(&ask(&world, "load", &[])), world.text(FILE));
    let file = world.text(FILE);
    assert!(
        file.contains(&format!("\"head_commit\": \"{HEAD}\"")),
        "{file}"
    );
    assert!(file.contains("\"current_phase\": \"research\""), "{file}");
    assert!(
        file.contains("\"updated_at\": \"2027-01-15T08:00:00"),
        "{file}"
    );
    assert!(warnings(&reply).is_empty());
}

#[test]
fn a_phase_that_ends_hands_its_summary_to_the_next_process() {
    let world = world();
    phase(
        &world,
        "research",
        r#"{"status":"complete","context_summary":"found it"}"#,
    );
    phase(&world, "design", r#"{"status":"in_progress"}"#);
    let reply = ask(&world, "resume_point", &[]);
    assert_eq!(
        value(&reply).to_line(),
        r#"{"phase":"design","phase_summary":null,"summary":"found it","alongside":[]}"#
    );
    let reply = ask(&world, "latest", &[]);
    assert_eq!(
        value(&reply).to_line(),
        r#"{"command":"design","feature":null,"phase":"design","phase_summary":null,"summary":"found it","alongside":[],"others":[]}"#
    );
}

#[test]
fn a_missing_checkpoint_is_null_and_makes_no_folder() {
    let world = world();
    for operation in ["load", "latest"] {
        assert_eq!(value(&ask(&world, operation, &[])), &Json::Null);
    }
    assert_eq!(value(&ask(&world, "list", &[])).to_line(), "[]");
    for operation in ["complete", "gate", "log", "diff"] {
        assert_eq!(
            code(&ask(&world, operation, &[])),
            "not_found",
            "{operation}"
        );
    }
    assert_eq!(world.files_below("/repo/.claude"), Vec::<String>::new());
}

#[test]
fn a_wrong_name_or_patch_touches_no_file() {
    let world = world();
    let wrong = [
        ask(&world, "load", &[("command", "destroy".into())]),
        ask(&world, "load", &[("feature", "../../x".into())]),
        ask(&world, "load", &[("feature", "".into())]),
        phase(&world, "", r#"{"status":"complete"}"#),
        phase(&world, "a\nb", r#"{"status":"complete"}"#),
    ];
    assert!(
        wrong.iter().all(|reply| code(reply) == "invalid_name"),
        "{wrong:?}"
    );
    assert_eq!(
        code(&phase(&world, "a", r#"{"status":"done"}"#)),
        "invalid_document"
    );
    let long = "word ".repeat(501);
    let patch = format!(r#"{{"status":"complete","context_summary":"{long}"}}"#);
    let reply = phase(&world, "a", &patch);
    assert_eq!(code(&reply), "summary_too_long");
    let error = reply.get("error").unwrap().to_line();
    assert!(error.contains("Context summary exceeds 500 token limit (actual: 501 tokens)"));
    assert_eq!(world.files_below("/repo/.claude"), Vec::<String>::new());
}

#[test]
fn a_checkpoint_of_another_commit_is_stale_and_still_returned() {
    let world = world();
    phase(&world, "a", "{}");
    let other = "0000000000000000000000000000000000000001";
    world.put("/repo/.git/refs/heads/main", other);
    let reply = ask(&world, "load", &[]);
    assert_eq!(warnings(&reply), ["stale"]);
    assert!(
        reply
            .get("warnings")
            .unwrap()
            .to_line()
            .contains("Checkpoint is stale (saved at d36b6b4, current HEAD is 0000000)")
    );
    assert!(!text(&reply).is_empty());
}

#[test]
fn a_head_that_cannot_be_read_leaves_the_stored_commit() {
    let world = world();
    phase(&world, "a", "{}");
    world.put("/repo/.git/HEAD", "nonsense");
    let reply = phase(&world, "b", "{}");
    assert_eq!(warnings(&reply), ["head_unreadable"]);
    assert!(world.text(FILE).contains(HEAD));
}

#[test]
fn a_file_of_another_feature_is_never_overwritten() {
    let world = world();
    world.put(
        "/repo/.claude/state/design-foo.json",
        r#"{"command":"design","feature":"Foo","version":1}"#,
    );
    let foo = &[("feature", Json::from("foo"))];
    assert_eq!(code(&ask(&world, "load", foo)), "invalid_document");
    let update = [
        ("phase", "a".into()),
        ("patch", Object::new().into()),
        ("feature", "foo".into()),
    ];
    assert_eq!(
        code(&ask(&world, "update_phase", &update)),
        "invalid_document"
    );
    assert!(
        world
            .text("/repo/.claude/state/design-foo.json")
            .contains("\"Foo\"")
    );
}

#[test]
fn a_malformed_document_is_returned_with_one_warning_and_never_written() {
    let world = world();
    world.put(
        FILE,
        r#"{"command":"design","version":1,"phases":{"a":{"status":"odd"}},"x":[1.0]}"#,
    );
    let reply = ask(&world, "load", &[]);
    assert_eq!(warnings(&reply), ["invalid_document"]);
    assert!(text(&reply).contains("1.0"));
    let before = world.bytes(FILE);
    assert_eq!(code(&phase(&world, "b", "{}")), "invalid_document");
    assert_eq!(world.bytes(FILE), before);
}

#[test]
fn ambiguities_of_a_document_are_warned_of() {
    let world = world();
    world.put(
        FILE,
        "\u{FEFF}{\"command\":\"design\",\"note\":\"\\ud800\",\"a\":1,\"a\":2}",
    );
    let reply = ask(&world, "load", &[]);
    assert_eq!(warnings(&reply)[..2], ["duplicate_key", "text_replaced"]);
    assert!(text(&reply).contains("\"a\": 2"));
}

#[test]
fn ambiguities_of_a_request_are_warned_of() {
    let world = world();
    let request = r#"{"operation":"update_phase","place":{"working":"/repo"},"command":"design","phase":"a","patch":{"error":"\udc00","x":1,"x":2}}"#;
    let reply = world.ask(request.as_bytes());
    let reply = json::read(reply.as_bytes()).unwrap().value;
    let codes = warnings(reply.as_object().unwrap());
    assert_eq!(codes, ["duplicate_key", "text_replaced"]);
    let request = r#"{"operation":"load","place":{"working":"/repo"},"command":"design\ud800"}"#;
    let reply = world.ask(request.as_bytes());
    assert!(
        reply.contains("invalid_name") && reply.contains("text_replaced"),
        "{reply}"
    );
}

#[test]
fn completing_twice_changes_nothing() {
    let world = world();
    phase(&world, "a", r#"{"status":"in_progress"}"#);
    let first = ask(&world, "complete", &[("force", true.into())]);
    assert!(value(&first).to_line().contains("\"changed\":true"));
    let before = world.bytes(FILE);
    let second = ask(&world, "complete", &[]);
    assert!(value(&second).to_line().contains("\"changed\":false"));
    assert_eq!(world.bytes(FILE), before);
    let point = ask(&world, "resume_point", &[]);
    assert_eq!(
        value(&point).to_line(),
        r#"{"phase":null,"phase_summary":null,"summary":null,"alongside":[]}"#
    );
    assert_eq!(value(&ask(&world, "latest", &[])), &Json::Null);
}

#[test]
fn the_log_begins_with_the_newest_revision_and_diff_says_what_changed() {
    let world = world();
    phase(&world, "a", r#"{"status":"in_progress"}"#);
    phase(&world, "a", r#"{"status":"complete"}"#);
    let log = ask(&world, "log", &[]);
    let entries = value(&log).as_array().unwrap();
    let revisions: Vec<_> = entries
        .iter()
        .map(|entry| entry.as_object().unwrap().get("revision").unwrap().as_u64())
        .collect();
    assert_eq!(revisions, [Some(2), Some(1)]);
    let diff = ask(&world, "diff", &[]);
    let line = value(&diff).to_line();
    assert!(line.starts_with(r#"{"from":1,"to":2,"#), "{line}");
    assert!(
        line.contains(r#""path":"/phases/a/status","value":"complete""#),
        "{line}"
    );
    let missing = ask(&world, "diff", &[("from", Json::from(7u64))]);
    assert_eq!(code(&missing), "not_found");
}

#[test]
fn the_gate_opens_only_at_the_commit_that_was_checked() {
    let world = world();
    assert_eq!(code(&ask(&world, "gate", &[])), "not_found");
    let gate =
        format!(r#"{{"gate":{{"ship_allowed":true,"blockers":[],"head_commit":"{HEAD}"}}}}"#);
    save(&world, &gate);
    assert!(
        value(&ask(&world, "gate", &[]))
            .to_line()
            .contains("\"open\":true")
    );
    world.put(
        "/repo/.git/refs/heads/main",
        "0000000000000000000000000000000000000001",
    );
    assert!(
        value(&ask(&world, "gate", &[]))
            .to_line()
            .contains("\"open\":false")
    );
}

#[test]
fn a_checkpoint_that_cannot_be_read_is_listed_with_its_problem() {
    let world = world();
    phase(&world, "a", r#"{"status":"in_progress"}"#);
    world.put("/repo/.claude/state/ship-x.json", "{");
    world.put("/repo/.claude/state/notes.txt", "mine");
    let reply = ask(&world, "list", &[]);
    let listed = value(&reply).as_array().unwrap();
    assert_eq!(listed.len(), 2);
    assert!(
        listed[1].to_line().contains("corrupt"),
        "{}",
        listed[1].to_line()
    );
}

#[test]
fn a_request_that_is_wrong_in_itself_is_a_usage_error() {
    let world = world();
    for request in [
        "",
        "[]",
        "{}",
        r#"{"operation":"fly","place":{}}"#,
        r#"{"operation":"load"}"#,
    ] {
        let reply = world.ask(request.as_bytes());
        assert!(reply.contains(r#""code":"usage""#), "{request}: {reply}");
    }
    let all = Code::ALL.map(Code::as_str);
    assert!(all.contains(&"usage"));
}

#[test]
fn a_writer_that_waited_for_a_later_one_does_not_turn_the_time_back() {
    let world = world();
    let updated_at = |world: &Memory| {
        let document = json::read(world.text(FILE).as_bytes()).unwrap().value;
        let at = document.as_object().unwrap().get("updated_at").cloned();
        at.unwrap().as_str().unwrap().to_owned()
    };
    let start = world.now_ms.get();
    world.now_ms.set(start + 2_900.0);
    phase(&world, "later", "{}");
    let before = updated_at(&world);
    world.now_ms.set(start);
    phase(&world, "waited", "{}");
    assert_eq!(updated_at(&world), before);
    // A clock that was wrong by far is not followed.
    world.now_ms.set(start - 60_000.0);
    phase(&world, "corrected", "{}");
    assert!(updated_at(&world) < before);
}

#[test]
fn a_message_quotes_the_beginning_of_a_stored_name_only() {
    let world = world();
    let long = "x".repeat(1_000_000);
    for document in [
        format!(r#"{{"feature":"{long}"}}"#),
        format!(r#"{{"command":"design","phases":{{"{long}":{{}}}},"{long}":1,"{long}":2}}"#),
    ] {
        world.put(FILE, document);
        let reply = ask(&world, "load", &[]);
        let said =
            ["error", "warnings"].map(|key| reply.get(key).map_or(0, |it| it.to_line().len()));
        assert!(said.iter().sum::<usize>() < 2_000, "{said:?}");
    }
}

#[test]
fn an_option_that_is_misspelt_is_refused() {
    let world = world();
    phase(&world, "a", "{}");
    phase(&world, "b", "{}");
    let reply = ask(&world, "load", &[("revison", 1.into())]);
    assert_eq!(code(&reply), "usage");
    let error = reply.get("error").unwrap().to_line();
    let expected = "`load` has no option \\\"revison\\\"; known are command, feature, revision";
    assert!(error.contains(expected), "{error}");
    let rooted = Object::new().with("working", "/repo").with("rooot", "/");
    let reply = ask(&world, "load", &[("place", rooted.into())]);
    assert_eq!(code(&reply), "usage");
    assert!(reply.get("error").unwrap().to_line().contains("rooot"));
}
