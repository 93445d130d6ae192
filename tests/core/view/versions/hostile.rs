//! Texts that want to act: in each field of each answer they are shown, and do nothing.

use milepost::json::{Json, Object};

use super::{list, page, run, text, world};

/// Escape sequences, directions, an end of a script, markup, NUL.
const HOSTILE: &str = "\u{1b}]52;c;x\u{7}\u{202e}evil\u{2066}</script><img src=x onerror=alert(1)>\0\u{200b}\u{feff}\r";

/// Names that only the members of answers themselves have, and the documents as they are stored.
const RAW: [&str; 1] = ["raw"];

/// Every text in an answer, with its place.
fn walk(value: &Json, at: &str, found: &mut Vec<(String, String)>) {
    match value {
        Json::String(text) => found.push((at.to_owned(), text.clone())),
        Json::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                walk(item, &format!("{at}/{index}"), found);
            }
        }
        Json::Object(object) => {
            for (key, value) in object.iter() {
                if !RAW.contains(&key) {
                    walk(value, &format!("{at}/{key}"), found);
                }
            }
        }
        _ => {}
    }
}

/// Returns whether a page may show a character as it is.
fn acts(character: char) -> bool {
    let is_line = matches!(character, '\n' | '\t');
    (character.is_control() && !is_line)
        || matches!(character, '\u{202e}' | '\u{2066}' | '\u{200b}' | '\u{feff}')
}

#[track_caller]
fn harmless(answer: &Json) -> usize {
    let mut texts = Vec::new();
    walk(answer, "", &mut texts);
    for (at, text) in &texts {
        assert!(!text.chars().any(acts), "{at}: {text:?}");
    }
    texts
        .iter()
        .filter(|(_, text)| text.contains("evil"))
        .count()
}

/// A document with a hostile text in each place that can have one.
fn document(feature: &str, more: &str) -> Object {
    let text = format!("{more}{HOSTILE}");
    let list = vec![text.clone()];
    let time = "2026-01-29T10:30:00.000Z";
    let phase = |status: &str| {
        Object::new()
            .with("status", status)
            .with("started_at", text.as_str())
            .with("updated_at", time)
            .with("context_summary", format!("a\n{text}\nb"))
            .with("files_created", list.clone())
            .with("files_modified", list.clone())
            .with("error", text.as_str())
            .with(&text, Object::new().with(&text, list.clone()))
    };
    let phases = Object::new()
        .with(&text, phase("in_progress"))
        .with("plain", phase(&text));
    let state = Object::new()
        .with("current_phase", text.as_str())
        .with("completed_phases", list.clone())
        .with("pending_phases", list.clone())
        .with("context_summary", format!("{text}\n{text}"));
    Object::new()
        .with("command", "implement")
        .with("feature", feature)
        .with("version", 1)
        .with("head_commit", text.as_str())
        .with("started_at", text.as_str())
        .with("updated_at", time)
        .with("state", state)
        .with("phases", phases)
        .with(
            "gate",
            Object::new()
                .with("ship_allowed", false)
                .with("blockers", list.clone()),
        )
        .with(&text, text.as_str())
}

#[test]
fn hostile_texts_are_visible_in_every_field_of_every_answer_about_runs() {
    let world = world();
    let state = "/repo/.claude/state";
    let written = |feature: &str, more: &str| Json::Object(document(feature, more)).to_document();
    world.put(&format!("{state}/implement-a.json"), written("a", ""));
    world.put(&format!("{state}/implement-b.json"), written("b", "other "));
    let mut page = page(&world);
    for (question, at_least) in [
        (r#"{"query":"timeline","key":"c/implement-a"}"#, 1),
        (
            r#"{"query":"revision","moment":{"key":"c/implement-a"}}"#,
            20,
        ),
        (r#"{"query":"blame","key":"c/implement-a"}"#, 20),
        (
            r#"{"query":"compare","a":{"key":"c/implement-a"},"b":{"key":"c/implement-b"}}"#,
            40,
        ),
        (
            r#"{"query":"compare","a":{"key":"c/implement-b"},"b":{"key":"c/implement-a"}}"#,
            40,
        ),
    ] {
        let answer = Json::Object(page.answer(question));
        let shown = harmless(&answer);
        assert!(
            shown >= at_least,
            "{question}: {shown} {}",
            answer.to_line()
        );
    }
}

#[test]
fn hostile_texts_are_visible_in_sessions_and_tasks() {
    let world = world();
    let hostile = Json::from(HOSTILE).to_line();
    // An id has no NUL.
    let id = HOSTILE.replace('\0', "");
    super::tasks::save(&world, &id, &id, 1);
    let document = format!(
        "id: chk-20250126-103000\nversion: 1\ncreated_at: {hostile}\nreason: {hostile}\nmessage: {hostile}\n\
         context_summary: {hostile}\ngotchas: [{hostile}]\n{hostile}: {hostile}\n\
         snapshot:\n  partial: true\n  files: []\n  left_out:\n    - path: {hostile}\n      reason: {hostile}\n"
    );
    let document = document.replace("\\u0007", "\\x07");
    world.put(
        "/repo/.claude/checkpoints/chk-20250126-103000.yaml",
        document,
    );
    let mut page = page(&world);
    let tasks = page.ask(r#"{"query":"tasks"}"#);
    assert!(harmless(&tasks) >= 2);
    let key = text(&tasks, "/rows/0/checkpoints/0/key").to_owned();
    let sessions = page.ask(r#"{"query":"sessions"}"#);
    assert!(harmless(&sessions) >= 2, "{}", sessions.to_line());
    for key in [key.as_str(), "s/chk-20250126-103000"] {
        let shown = page.ask(&format!(
            r#"{{"query":"revision","moment":{{"key":"{key}"}}}}"#
        ));
        assert!(harmless(&shown) >= 2, "{}", shown.to_line());
    }
    let both = format!(
        r#"{{"query":"compare","a":{{"key":"{key}"}},"b":{{"key":"s/chk-20250126-103000"}}}}"#
    );
    assert!(harmless(&page.ask(&both)) >= 4);
}

#[test]
fn hostile_questions_are_refused_in_harmless_words() {
    let mut page = page(&world());
    let hostile = Json::from(HOSTILE).to_line();
    for question in [
        format!(r#"{{"query":{hostile}}}"#),
        format!(r#"{{"query":"timeline","key":{hostile}}}"#),
        r#"{"query":"blame","key":"c/../../etc-passwd"}"#.to_owned(),
        format!(r#"{{"query":"file","path":{hostile}}}"#),
        r#"{"query":"revision","moment":{"key":"t/%00/%1b"}}"#.to_owned(),
    ] {
        let answer = Json::Object(page.answer(&question));
        harmless(&answer);
        text(&answer, "/error/code");
    }
}

#[test]
fn raw_is_as_it_is_stored() {
    let world = world();
    let stored = Json::Object(document("a", "")).to_document();
    world.put("/repo/.claude/state/implement-a.json", &stored);
    let shown = page(&world).ask(r#"{"query":"revision","moment":{"key":"c/implement-a"}}"#);
    assert!(text(&shown, "/raw").contains("<img src=x onerror=alert(1)>"));
    assert_eq!(list(&shown, "/phases").len(), 2);
    run(&world, r#"{"operation":"list"}"#);
}
