//! Whole documents: compare-and-swap, merging, conflicts, and what is refused.

use milepost::effect::Fault;
use milepost::json::{self, Json};

use super::{FILE, ask, code, phase, save, text, value, world};
use crate::memory::Injected;

#[test]
fn a_document_with_its_revision_is_a_compare_and_swap() {
    let world = world();
    phase(&world, "a", "{}");
    let loaded = text(&ask(&world, "load", &[]));
    let ours = loaded.replace("\"current_phase\": null", "\"current_phase\": \"a\"");
    let reply = save(&world, &ours);
    assert!(value(&reply).to_line().contains("\"merged\":false"));
    assert!(world.text(FILE).contains("\"current_phase\": \"a\""));
    assert!(world.text(FILE).contains("\"revision\": 2"));
}

#[test]
fn a_save_that_opens_a_completed_run_again_lists_every_phase_that_is_still_to_be_done() {
    let world = world();
    for (name, status) in [("a", "complete"), ("b", "pending"), ("c", "pending")] {
        phase(&world, name, &format!(r#"{{"status":"{status}"}}"#));
    }
    phase(&world, "b", r#"{"status":"in_progress"}"#);
    value(&ask(&world, "complete", &[("keep_open", true.into())]));
    let loaded = json::read(text(&ask(&world, "load", &[])).as_bytes());
    let mut opened = loaded.unwrap().value.as_object().unwrap().clone();
    let state = opened.get("state").unwrap().to_line();
    assert!(state.contains(r#""pending_phases":[]"#), "{state}");
    opened.remove("completed_at");
    value(&save(&world, &Json::Object(opened).to_line()));
    let lists = || {
        let stored = json::read(world.text(FILE).as_bytes()).unwrap().value;
        let at = |name: &str| stored.at(&format!("/state/{name}")).unwrap().to_line();
        ["current_phase", "completed_phases", "pending_phases"].map(at)
    };
    assert_eq!(lists(), [r#""b""#, r#"["a"]"#, r#"["c"]"#]);
    // Lists of an open run are those that its writer chose.
    let loaded = text(&ask(&world, "load", &[]));
    save(
        &world,
        &loaded.replace("\"current_phase\": \"b\"", "\"current_phase\": null"),
    );
    assert_eq!(lists(), ["null", r#"["a"]"#, r#"["c"]"#]);
}

#[test]
fn changes_of_two_writers_to_different_fields_are_merged() {
    let world = world();
    phase(&world, "a", r#"{"status":"in_progress"}"#);
    let loaded = text(&ask(&world, "load", &[]));
    phase(&world, "b", r#"{"context_summary":"theirs"}"#);
    let ours = loaded.replace("\"phases\": {", "\"note\": 1e400,\n  \"phases\": {");
    let reply = save(&world, &ours);
    assert!(
        value(&reply).to_line().contains("\"merged\":true"),
        "{reply:?}"
    );
    let file = world.text(FILE);
    assert!(
        file.contains("\"note\": 1e400") && file.contains("theirs"),
        "{file}"
    );
}

#[test]
fn two_changes_to_one_field_are_a_conflict_that_names_it_and_writes_nothing() {
    let world = world();
    phase(&world, "a", r#"{"context_summary":"base"}"#);
    let loaded = text(&ask(&world, "load", &[]));
    phase(&world, "a", r#"{"context_summary":"theirs"}"#);
    let before = world.bytes(FILE);
    let reply = save(&world, &loaded.replace("\"base\"", "\"ours\""));
    assert_eq!(code(&reply), "conflict");
    let error = reply.get("error").unwrap().to_line();
    assert!(
        error.contains("\"fields\":[\"/phases/a/context_summary\"]"),
        "{error}"
    );
    assert_eq!(world.bytes(FILE), before);
}

#[test]
fn an_unknown_base_is_a_conflict() {
    let world = world();
    phase(&world, "a", "{}");
    let loaded = text(&ask(&world, "load", &[]));
    let above = loaded.replace("\"revision\": 1", "\"revision\": 9");
    assert_eq!(code(&save(&world, &above)), "conflict");
    for file in world.files_below("/repo/.claude/state/.milepost/design-checkpoint/history") {
        world.delete(&format!(
            "/repo/.claude/state/.milepost/design-checkpoint/history/{file}"
        ));
    }
    phase(&world, "a", "{}");
    for file in world.files_below("/repo/.claude/state/.milepost/design-checkpoint/history") {
        world.delete(&format!(
            "/repo/.claude/state/.milepost/design-checkpoint/history/{file}"
        ));
    }
    assert_eq!(code(&save(&world, &loaded)), "conflict");
    world.delete(FILE);
    assert_eq!(code(&save(&world, &loaded)), "conflict");
}

#[test]
fn a_document_without_a_revision_replaces_and_the_replaced_one_is_kept() {
    let world = world();
    phase(&world, "a", r#"{"context_summary":"precious"}"#);
    let reply = save(&world, r#"{"phases":{"b":{"status":"pending"}}}"#);
    assert!(value(&reply).to_line().contains("\"revision\":2"));
    assert!(!world.text(FILE).contains("precious"));
    let kept = world.files_below("/repo/.claude/state/.milepost/design-checkpoint/history");
    let history = "/repo/.claude/state/.milepost/design-checkpoint/history";
    assert!(kept.iter().any(|file| {
        world
            .text(&format!("{history}/{file}"))
            .contains("precious")
    }));
}

#[test]
fn half_of_a_compare_and_swap_is_refused() {
    let world = world();
    phase(&world, "a", "{}");
    let before = world.bytes(FILE);
    for half in [
        r#"{"revision":1}"#,
        r#"{"seal":"x"}"#,
        r#"{"revision":"1","seal":"x"}"#,
    ] {
        assert_eq!(code(&save(&world, half)), "invalid_document", "{half}");
    }
    assert_eq!(world.bytes(FILE), before);
}

#[test]
fn a_name_that_contradicts_the_arguments_is_invalid() {
    let world = world();
    assert_eq!(
        code(&save(&world, r#"{"command":"ship"}"#)),
        "invalid_document"
    );
    assert_eq!(
        code(&save(&world, r#"{"feature":"x"}"#)),
        "invalid_document"
    );
    assert_eq!(
        code(&save(&world, r#"{"version":2}"#)),
        "unsupported_version"
    );
    assert_eq!(code(&save(&world, "[1]")), "invalid_document");
    assert_eq!(code(&save(&world, "{")), "invalid_document");
    assert_eq!(world.files_below("/repo/.claude"), Vec::<String>::new());
}

#[test]
fn a_higher_version_is_readable_and_never_written() {
    let world = world();
    phase(&world, "a", "{}");
    world.put(
        FILE,
        world.text(FILE).replace("\"version\": 1", "\"version\": 2"),
    );
    let before = world.bytes(FILE);
    assert!(text(&ask(&world, "load", &[])).contains("\"version\": 2"));
    assert_eq!(code(&phase(&world, "a", "{}")), "unsupported_version");
    assert_eq!(code(&ask(&world, "complete", &[])), "unsupported_version");
    let whole = save(&world, r#"{"phases": {}}"#);
    assert_eq!(code(&whole), "unsupported_version");
    assert_eq!(world.bytes(FILE), before);
}

#[test]
fn a_change_that_would_be_too_large_is_not_blamed_on_the_stored_file() {
    let world = world();
    value(&save(&world, r#"{"phases":{}}"#));
    let seen = text(&ask(&world, "load", &[]));
    let half = "x".repeat(9 << 20);
    value(&save(
        &world,
        &seen.replacen('{', &format!(r#"{{"mine":"{half}","#), 1),
    ));
    let stored = world.bytes(FILE);
    let reply = save(
        &world,
        &seen.replacen('{', &format!(r#"{{"theirs":"{half}","#), 1),
    );
    assert_eq!(code(&reply), "too_large");
    let said = reply.get("error").unwrap().to_line();
    let expected =
        "With this change .claude/state/design-checkpoint.json would be larger than 16 MiB";
    assert!(said.contains(expected), "{}", &said[..300.min(said.len())]);
    assert_eq!(world.bytes(FILE), stored);
}

#[test]
fn a_full_disk_behind_an_update_is_called_a_full_disk() {
    let world = world();
    value(&save(&world, r#"{"phases":{}}"#));
    let first = world.performed.get();
    let mut said = 0;
    for at in 0..60 {
        world.injected.set(Some(Injected {
            at: world.performed.get() + at,
            for_good: true,
            fault: Fault::NoSpace,
        }));
        let reply = save(&world, r#"{"phases":{}}"#);
        world.injected.set(None);
        if let Some(error) = reply.get("error") {
            let line = error.to_line();
            if line.contains(r#""code":"io""#) {
                assert!(line.contains("the disk is full"), "{at}: {line}");
                said += 1;
            }
        }
    }
    assert!(said > 5 && world.performed.get() > first, "{said}");
}
