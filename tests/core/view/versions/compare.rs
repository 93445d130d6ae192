//! Two versions beside each other.

use milepost::json::{Json, Object};

use super::source::Page;
use super::{at, auth, list, page, phase, run, run_of_six, text, texts, world};

fn moment(key: &str, revision: Option<u64>) -> Json {
    let key = Object::new().with("key", key);
    key.with("revision", revision).into()
}

#[track_caller]
fn compare(page: &mut Page, a: Json, b: Json) -> Json {
    let question = Object::new()
        .with("query", "compare")
        .with("a", a)
        .with("b", b);
    page.ask(&Json::Object(question).to_line())
}

#[track_caller]
fn revisions(page: &mut Page, a: u64, b: u64) -> Json {
    let key = "c/implement-auth";
    compare(page, moment(key, Some(a)), moment(key, Some(b)))
}

#[test]
fn the_page_lists_what_the_command_line_lists() {
    let world = run_of_six();
    let mut page = page(&world);
    for from in 1..=6_u64 {
        for to in 1..=6_u64 {
            let shown = revisions(&mut page, from, to);
            let diff = auth(&world, "diff", &format!(r#","from":{from},"to":{to}"#));
            assert_eq!(at(&shown, "/cli"), at(&diff, "/changes"), "{from} {to}");
            let labels = texts(&shown, "/changes", "/label");
            let lines: Vec<&str> = list(&shown, "/cli")
                .iter()
                .filter_map(Json::as_str)
                .collect();
            assert_eq!(labels.len(), lines.len());
            for (label, line) in labels.iter().zip(lines) {
                let subject = label.strip_suffix(" status").unwrap_or(label);
                assert!(line.starts_with(&format!("{subject}: ")), "{label}: {line}");
            }
            assert_eq!(at(&shown, "/same"), &Json::Bool(from == to));
        }
    }
}

#[test]
fn each_change_is_a_sentence() {
    let mut page = page(&run_of_six());
    let shown = revisions(&mut page, 2, 3);
    assert_eq!(
        texts(&shown, "/changes", "/sentence"),
        [
            "state.current_phase changed from \"design\" to null",
            "state.completed_phases changed: added \"design\"",
            "phase design status changed from in_progress to complete",
            "phase design files_created added: [\"docs/auth.md\"]",
        ]
    );
    let shown = revisions(&mut page, 3, 4);
    let sentences = texts(&shown, "/changes", "/sentence");
    assert_eq!(sentences.last(), Some(&"phase build added (in_progress)"));
    assert_eq!(text(&shown, "/a/title"), "implement (feature auth)");
    assert_eq!(at(&shown, "/b/revision").as_u64(), Some(4));
    assert_eq!(
        text(&shown, "/commands/0/text"),
        "milepost diff implement --feature auth 3 4"
    );
}

#[test]
fn a_summary_that_changed_is_shown_by_lines_and_words() {
    let mut page = page(&run_of_six());
    let shown = { phase_summary_changed(&mut page) };
    let change = &list(&shown, "/changes")[0];
    assert_eq!(text(change, "/path"), "/phases/design/context_summary");
    assert_eq!(
        text(change, "/sentence"),
        "phase design context_summary changed: 1 line added, 1 removed"
    );
    let marked = |at: usize| -> Vec<&str> {
        let parts = list(change, &format!("/lines/{at}/parts")).iter();
        parts
            .filter(|it| it.at("/mark") == Some(&Json::Bool(true)))
            .map(|it| text(it, "/text"))
            .collect()
    };
    assert_eq!(texts(change, "/lines", "/op"), ["=", "-", "+", "="]);
    assert_eq!(marked(1), ["daily"]);
    assert_eq!(marked(2), ["weekly"]);
}

fn phase_summary_changed(page: &mut Page) -> Json {
    let path = ".claude/state/implement-other.json";
    let text = String::from_utf8(page.bytes(".claude/state/implement-auth.json").to_vec()).unwrap();
    let text = text
        .replace("\"auth\"", "\"other\"")
        .replace("renewed daily", "renewed weekly");
    page.put(path, text.as_bytes());
    let shown = compare(
        page,
        moment("c/implement-auth", None),
        moment("c/implement-other", None),
    );
    let changes: Vec<Json> = list(&shown, "/changes")
        .iter()
        .filter(|it| it.at("/label").and_then(Json::as_str) != Some("feature"))
        .cloned()
        .collect();
    Object::new().with("changes", changes).into()
}

#[test]
fn the_files_that_phases_name_are_compared_too() {
    let mut page = page(&run_of_six());
    let shown = revisions(&mut page, 3, 6);
    assert_eq!(
        texts(&shown, "/files", "/path"),
        ["src/auth.rs", "src/lib.rs"]
    );
    assert_eq!(texts(&shown, "/files", "/change"), ["added", "added"]);
    let back = revisions(&mut page, 6, 3);
    assert_eq!(texts(&back, "/files", "/change"), ["removed", "removed"]);
}

#[test]
fn equal_revisions_are_called_the_same() {
    let world = run_of_six();
    auth(&world, "undo", "");
    let shown = revisions(&mut page(&world), 5, 7);
    assert_eq!(at(&shown, "/same"), &Json::Bool(true));
    assert!(list(&shown, "/changes").is_empty());
}

#[test]
fn versions_of_any_two_kinds_are_compared() {
    let world = run_of_six();
    let session = run(
        &world,
        r#"{"operation":"create_session","reason":"handoff","files":false}"#,
    );
    let session = format!("s/{}", text(&session, "/id"));
    super::tasks::save(&world, "fix", "one", 1);
    let keys = ["c/implement-auth", session.as_str(), "t/fix/one"];
    let mut page = page(&world);
    for one in keys {
        for other in keys {
            let shown = compare(&mut page, moment(one, None), moment(other, None));
            let is_same = one == other;
            assert_eq!(at(&shown, "/same"), &Json::Bool(is_same), "{one} {other}");
            assert_eq!(
                list(&shown, "/changes").is_empty(),
                is_same,
                "{one} {other}"
            );
        }
    }
}

#[test]
fn two_sessions_are_compared_as_the_command_line_does() {
    let world = run_of_six();
    let create = r#"{"operation":"create_session","reason":"handoff","files":false}"#;
    let one = run(&world, create);
    phase(
        &world,
        "build",
        r#"{"status":"complete","context_summary":"all of it"}"#,
    );
    let other = run(&world, create);
    let (one, other) = (text(&one, "/id"), text(&other, "/id"));
    let request = format!(r#"{{"operation":"diff_sessions","from":"{one}","to":"{other}"}}"#);
    let diff = run(&world, &request);
    let paths: Vec<&str> = texts(&diff, "/changes", "/path");
    let (one, other) = (format!("s/{one}"), format!("s/{other}"));
    let shown = compare(&mut page(&world), moment(&one, None), moment(&other, None));
    let mut listed = paths.clone();
    listed.dedup();
    assert_eq!(texts(&shown, "/changes", "/path"), listed);
    assert_eq!(list(&shown, "/cli").len(), paths.len());
}

#[test]
fn a_revision_that_is_not_kept_or_of_a_kind_without_any_is_refused() {
    let world = run_of_six();
    let mut page = page(&world);
    let ask =
        |a: &str| format!(r#"{{"query":"compare","a":{a},"b":{{"key":"c/implement-auth"}}}}"#);
    for (a, code) in [
        (r#"{"key":"c/implement-auth","revision":99}"#, "not_found"),
        (r#"{"key":"c/implement-other"}"#, "not_found"),
        (r#"{"key":"s/chk-20250126-103000"}"#, "not_found"),
        (r#"{"key":"s/chk-20250126-103000","revision":1}"#, "usage"),
        (r#"{"key":"c/implement-auth","revision":-1}"#, "usage"),
        ("null", "usage"),
    ] {
        assert_eq!(page.fail(&ask(a)), code, "{a}");
    }
}

#[test]
fn a_checkpoint_that_was_removed_or_renamed_is_compared_by_its_revisions() {
    let world = run_of_six();
    auth(&world, "rename", r#","to":"login""#);
    let mut page = page(&world);
    let shown = compare(
        &mut page,
        moment("c/implement-auth", Some(2)),
        moment("c/implement-login", None),
    );
    assert_eq!(at(&shown, "/same"), &Json::Bool(false));
    assert_eq!(
        page.fail(r#"{"query":"revision","moment":{"key":"c/implement-gone","revision":null}}"#),
        "not_found"
    );
}

#[test]
fn documents_of_sixteen_megabytes_are_compared() {
    let world = world();
    let big = |word: &str| {
        let text = format!("{word} line of text\n").repeat(390_000);
        let document = Object::new()
            .with("command", "design")
            .with("notes", text)
            .with("state", Object::new());
        Json::Object(document).to_line()
    };
    world.put(
        "/repo/.claude/state/design-a.json",
        big("one").replace("{\"command", "{\"feature\":\"a\",\"command"),
    );
    world.put(
        "/repo/.claude/state/design-b.json",
        big("two").replace("{\"command", "{\"feature\":\"b\",\"command"),
    );
    let shown = compare(
        &mut page(&world),
        moment("c/design-a", None),
        moment("c/design-b", None),
    );
    assert_eq!(texts(&shown, "/changes", "/label"), ["feature", "notes"]);
    assert!(list(&shown, "/changes/1/lines").len() > 700_000);
}
