//! Budgets in exact tokens, where a project asks for one. In this world each character is a token.

use milepost::effect::Fault;
use milepost::json::{self, Json, Object};

use super::{FILE, ask, code, phase, save, text, value, warnings, world};
use crate::memory::{Injected, Memory};

const SETTINGS: &str = "/repo/.claude/config/integrations.json";

/// The world of a project with a budget of so many tokens.
fn limited(limit: u64) -> Memory {
    let world = world();
    set(&world, limit);
    world
}

fn set(world: &Memory, limit: u64) {
    let tokens = format!(r#"{{"tokens": {{"encoding": "o200k_base", "limit": {limit}}}}}"#);
    world.put(SETTINGS, tokens);
}

fn summary(text: &str) -> String {
    let patch = Object::new()
        .with("status", "complete")
        .with("context_summary", text);
    Json::from(patch).to_line()
}

#[track_caller]
fn message(reply: &Object) -> String {
    let error = reply.get("error").unwrap_or_else(|| panic!("{reply:?}"));
    error.at("/message").unwrap().as_str().unwrap().to_owned()
}

/// The budget that the stored checkpoint records.
fn recorded(world: &Memory) -> Option<String> {
    let document = json::read(world.text(FILE).as_bytes()).unwrap().value;
    document.at("/token_budget").map(Json::to_line)
}

const RECORD: &str = r#"{"encoding":"o200k","limit":20}"#;

fn counted(world: &Memory) -> usize {
    let log = world.log.borrow();
    log.iter().filter(|it| it.contains("CountTokens")).count()
}

fn session(world: &Memory, given: &str) -> Object {
    let given = json::read(given.as_bytes()).unwrap().value;
    let request = Object::new()
        .with("operation", "create_session")
        .with("place", Object::new().with("working", "/repo"))
        .with("reason", "handoff")
        .with("files", false)
        .with("given", given);
    let reply = world.ask(Json::from(request).to_line().as_bytes());
    match json::read(reply.as_bytes()).unwrap().value {
        Json::Object(reply) => reply,
        other => panic!("{other:?}"),
    }
}

/// The one snapshot that there is.
fn made(world: &Memory, reply: &Object) -> Json {
    let id = value(reply).at("/id").unwrap().clone();
    let request = Object::new()
        .with("operation", "load_session")
        .with("place", Object::new().with("working", "/repo"))
        .with("id", id);
    let reply = world.ask(Json::from(request).to_line().as_bytes());
    let reply = json::read(reply.as_bytes()).unwrap().value;
    reply.at("/value/document").unwrap().clone()
}

#[test]
fn a_project_without_the_setting_counts_no_tokens() {
    for settings in ["", r#"{"linear": {}}"#, r#"{"tokenizer": 1"#, "no JSON"] {
        let world = world();
        world.has_vocabulary.set(false);
        if !settings.is_empty() {
            world.put(SETTINGS, settings);
        }
        value(&phase(
            &world,
            "a",
            &summary("a summary of more than twenty"),
        ));
        value(&save(&world, &text(&ask(&world, "load", &[]))));
        value(&ask(&world, "resume_point", &[]));
        value(&ask(&world, "latest", &[]));
        assert_eq!((counted(&world), recorded(&world)), (0, None), "{settings}");
    }
}

#[test]
fn a_summary_above_the_budget_is_refused() {
    let world = limited(20);
    value(&phase(&world, "a", "{}"));
    let before = world.text(FILE);
    let reply = phase(&world, "a", &summary("one two three four five"));
    assert_eq!(code(&reply), "summary_too_long");
    assert_eq!(
        message(&reply),
        "Context summary exceeds 20 token limit of this project (actual: 23 tokens in o200k) at \
         /phases/a/context_summary"
    );
    assert_eq!(world.text(FILE), before);

    value(&phase(&world, "a", &summary("exactly twenty chars")));
    assert_eq!(recorded(&world).as_deref(), Some(RECORD));
    let document = text(&ask(&world, "load", &[]));
    assert_eq!(warnings(&ask(&world, "load", &[])), [""; 0], "{document}");
}

#[test]
fn the_word_limit_holds_beside_the_budget() {
    let world = limited(65_536);
    let reply = phase(&world, "a", &summary(&"a ".repeat(501)));
    assert_eq!(code(&reply), "summary_too_long");
    assert!(message(&reply).contains("(actual: 501 tokens)"));
}

#[test]
fn a_change_without_a_summary_is_not_counted() {
    let world = limited(20);
    value(&phase(&world, "a", r#"{"status":"in_progress"}"#));
    value(&ask(&world, "complete", &[("force", true.into())]));
    assert_eq!((counted(&world), recorded(&world)), (0, None));
}

#[test]
fn a_saved_document_with_a_summary_above_the_budget_is_refused() {
    let world = limited(20);
    value(&phase(&world, "a", &summary("short")));
    let loaded = text(&ask(&world, "load", &[]));
    for (wrong, at) in [
        (
            loaded.replace("short", "longer than twenty characters"),
            "/phases/a/context_summary",
        ),
        (
            loaded.replacen(
                "\"state\": {",
                "\"state\": {\"context_summary\": \"longer than twenty characters\",",
                1,
            ),
            "/state/context_summary",
        ),
    ] {
        let reply = save(&world, &wrong);
        assert_eq!(code(&reply), "summary_too_long", "{wrong}");
        assert!(message(&reply).ends_with(at), "{}", message(&reply));
        // A check in place of any summary that is there.
        let mut alone = json::read(wrong.as_bytes()).unwrap().value;
        let object = alone.as_object_mut().unwrap();
        object.remove("revision");
        object.remove("seal");
        assert_eq!(code(&save(&world, &alone.to_line())), "summary_too_long");
    }
    value(&save(&world, &loaded.replace("short", "shorter")));
    assert_eq!(recorded(&world).as_deref(), Some(RECORD));
}

#[test]
fn summaries_stored_before_the_budget_stop_no_other_change() {
    let world = world();
    value(&phase(
        &world,
        "a",
        &summary("longer than twenty characters"),
    ));
    let loaded = text(&ask(&world, "load", &[]));
    set(&world, 20);
    // It is not above the budget because of this save, and was not checked by it.
    value(&save(
        &world,
        &loaded.replace("\"phases\": {", "\"note\": 1, \"phases\": {"),
    ));
    assert_eq!(recorded(&world), None);
    value(&phase(&world, "b", r#"{"status":"in_progress"}"#));
    value(&phase(&world, "b", &summary("short")));
    assert_eq!(recorded(&world).as_deref(), Some(RECORD));
}

#[test]
fn a_merged_change_is_checked_beside_the_change_of_another_writer() {
    let world = limited(20);
    value(&phase(&world, "a", "{}"));
    let loaded = text(&ask(&world, "load", &[]));
    value(&phase(&world, "b", &summary("theirs")));
    let ours = |summary: &str| {
        let status = format!("\"context_summary\": \"{summary}\",\n      \"status\": \"pending\"");
        loaded.replacen("\"status\": \"pending\"", &status, 1)
    };
    let reply = save(&world, &ours("ours is longer than twenty"));
    assert_eq!(code(&reply), "summary_too_long", "{loaded}");
    let reply = save(&world, &ours("ours"));
    assert!(value(&reply).to_line().contains("\"merged\":true"));
    assert_eq!(recorded(&world).as_deref(), Some(RECORD));
}

#[test]
fn a_record_of_a_count_goes_with_the_summary_that_it_was_made_of() {
    let world = limited(20);
    value(&phase(&world, "a", &summary("short")));
    assert_eq!(recorded(&world).as_deref(), Some(RECORD));
    world.delete(SETTINGS);
    value(&phase(&world, "a", r#"{"status":"in_progress"}"#));
    assert_eq!(recorded(&world).as_deref(), Some(RECORD));
    value(&phase(
        &world,
        "a",
        &summary("longer than twenty characters"),
    ));
    assert_eq!(recorded(&world), None);
}

#[test]
fn a_process_resumes_within_the_budget() {
    let world = world();
    value(&phase(
        &world,
        "a",
        &summary("\u{e9}\u{e9}\u{e9}\u{e9} longer than twenty"),
    ));
    value(&phase(&world, "b", "{}"));
    for (operation, limit) in [("resume_point", 2), ("latest", 10)] {
        set(&world, limit);
        let reply = ask(&world, operation, &[]);
        let kept = value(&reply).at("/summary").unwrap().as_str().unwrap();
        assert_eq!(kept.chars().count() as u64, limit);
        assert_eq!(warnings(&reply), ["summary_too_long"]);
        let warning = reply.get("warnings").unwrap().to_line();
        assert!(
            warning.contains("The summary to resume with was cut: "),
            "{warning}"
        );
        assert!(warning.contains("tokens in o200k"), "{warning}");
    }
    set(&world, 100);
    assert_eq!(warnings(&ask(&world, "resume_point", &[])), [""; 0]);
}

#[test]
fn the_summary_of_the_phase_to_go_on_with_is_within_the_budget_too() {
    let world = world();
    let patch = r#"{"status":"in_progress","context_summary":"longer than ten characters"}"#;
    value(&phase(&world, "a", patch));
    set(&world, 10);
    for operation in ["resume_point", "latest", "resume_here"] {
        let reply = ask(&world, operation, &[]);
        let kept = value(&reply).at("/phase_summary").unwrap();
        assert_eq!(kept.as_str().unwrap().chars().count(), 10, "{operation}");
        assert_eq!(warnings(&reply), ["summary_too_long"], "{operation}");
    }
}

#[test]
fn a_host_without_a_vocabulary_refuses_to_count() {
    let world = limited(20);
    value(&phase(&world, "a", "{}"));
    value(&phase(&world, "b", &summary("short")));
    // It has nothing to be counted, and is no reason to forget the other one.
    let other = [
        ("command", Json::from("review")),
        ("phase", "a".into()),
        ("patch", Object::new().into()),
    ];
    value(&ask(&world, "update_phase", &other));
    let before = world.text(FILE);
    world.has_vocabulary.set(false);
    let document = text(&ask(&world, "load", &[]));
    for reply in [
        phase(&world, "a", &summary("short")),
        save(&world, &document),
        ask(&world, "resume_point", &[]),
        ask(&world, "latest", &[]),
        session(&world, "{}"),
    ] {
        assert_eq!(code(&reply), "io", "{reply:?}");
        assert_eq!(
            message(&reply),
            "Cannot count the tokens of a text in o200k: no vocabulary is loaded: load one"
        );
        let error = reply.get("error").unwrap();
        assert_eq!(
            error.at("/written").unwrap().to_line(),
            "\"no\"",
            "{reply:?}"
        );
    }
    assert_eq!(world.text(FILE), before);
    assert_eq!(world.files_below("/repo/.claude/checkpoints").len(), 0);
    // A change that brings no summary goes on.
    value(&phase(&world, "a", r#"{"status":"in_progress"}"#));
}

#[test]
fn a_damaged_setting_is_an_error() {
    let world = world();
    for (settings, expected) in [
        (r#"{"tokens": {"encoding": "p50k"}}"#, "invalid_document"),
        (r#"{"tokens": {"limit": 500}}"#, "invalid_document"),
        (r#"{"tokens": "#, "corrupt"),
        (r#"["tokens"]"#, "invalid_document"),
    ] {
        world.put(SETTINGS, settings);
        let reply = phase(&world, "a", &summary("short"));
        assert_eq!(code(&reply), expected, "{settings}");
        // A call about a checkpoint names the file that is meant.
        let said = format!("{reply:?}");
        assert!(said.contains("integrations.json"), "{said}");
        value(&phase(&world, "a", "{}"));
    }
}

#[test]
fn settings_that_cannot_be_read_are_an_error() {
    let world = limited(20);
    value(&phase(&world, "a", "{}"));
    let path = format!("Read {{ path: \"{SETTINGS}\"");
    let before = world.performed.get();
    value(&phase(&world, "a", &summary("short")));
    let log = world.log.borrow().clone();
    let read = log.iter().skip(before).position(|it| it.starts_with(&path));
    let at = world.performed.get() + read.unwrap();
    let fault = Fault::Denied;
    world.injected.set(Some(Injected {
        at,
        for_good: true,
        fault,
    }));
    let reply = phase(&world, "a", &summary("shorter"));
    assert_eq!(code(&reply), "io", "{reply:?}");
}

#[test]
fn a_snapshot_is_made_within_the_budget() {
    let world = world();
    let long = "word ".repeat(120);
    value(&phase(&world, "a", &summary(&long)));
    value(&phase(&world, "b", "{}"));
    for limit in [500, 300, 120, 30, 3] {
        set(&world, limit);
        let reply = session(&world, "{}");
        let document = made(&world, &reply);
        let stored = document.at("/context_summary").unwrap().as_str().unwrap();
        let length = stored.chars().count() as u64;
        assert!(length <= limit, "{limit}: {stored}");
        let record = format!(r#"{{"encoding":"o200k","limit":{limit}}}"#);
        assert_eq!(document.at("/token_budget").unwrap().to_line(), record);
        if limit >= 300 {
            assert!(length > limit / 2, "{limit}: {stored}");
            assert!(stored.contains("Left out: "), "{stored}");
        }
        let was_cut = warnings(&reply).contains(&"summary_too_long");
        assert_eq!(was_cut, limit == 3, "{limit}: {reply:?}");
    }
}

#[test]
fn a_given_summary_above_the_budget_is_refused_and_not_shortened() {
    let world = limited(20);
    let reply = session(
        &world,
        r#"{"context_summary": "longer than twenty characters"}"#,
    );
    assert_eq!(code(&reply), "summary_too_long");
    assert!(
        message(&reply).contains("tokens in o200k"),
        "{}",
        message(&reply)
    );
    let reply = session(
        &world,
        r#"{"context_summary": "short", "token_budget": {"encoding": "cl100k", "limit": 1}}"#,
    );
    let document = made(&world, &reply);
    assert_eq!(document.at("/token_budget").unwrap().to_line(), RECORD);
    world.delete(SETTINGS);
    let reply = session(
        &world,
        r#"{"token_budget": {"encoding": "cl100k", "limit": 1}}"#,
    );
    assert_eq!(made(&world, &reply).at("/token_budget"), None);
}

#[test]
fn a_restore_answers_within_the_budget() {
    let world = world();
    let reply = session(
        &world,
        r#"{"context_summary": "longer than twenty characters"}"#,
    );
    let id = value(&reply).at("/id").unwrap().clone();
    let restore = || {
        let request = Object::new()
            .with("operation", "restore_session")
            .with("place", Object::new().with("working", "/repo"))
            .with("id", id.clone());
        let reply = world.ask(Json::from(request).to_line().as_bytes());
        match json::read(reply.as_bytes()).unwrap().value {
            Json::Object(reply) => reply,
            other => panic!("{other:?}"),
        }
    };
    let resumed = |reply: &Object| {
        let text = value(reply).at("/resume").unwrap().as_str().unwrap();
        let (_, summary) = text.split_once("Summary").unwrap();
        summary.contains("than twenty characters")
    };
    let whole = restore();
    assert!(resumed(&whole));
    assert_eq!(warnings(&whole), [""; 0]);

    // Made before the budget was set.
    set(&world, 11);
    let cut = restore();
    assert!(!resumed(&cut), "{cut:?}");
    assert_eq!(warnings(&cut), ["summary_too_long"]);
    world.has_vocabulary.set(false);
    assert_eq!(code(&restore()), "io");
}
