//! Secrets that older versions have stored, or that a project allows.

use milepost::checkpoint::session::document;
use milepost::json::Json;

use super::super::{FILE, ask, phase, value, warnings, world};
use super::{TAIL, of_project, secret};

const SETTINGS: &str = "/repo/.claude/config/integrations.json";

#[test]
fn a_notice_and_a_context_have_no_secret_that_was_stored_before() {
    let world = world();
    world.put(
        SETTINGS,
        r#"{"redaction":{"allow":["token"]},"notifications":{"webhooks":[{"url_env":"HOOK_URL","secret_env":"HOOK_SECRET"}]}}"#,
    );
    ask(&world, "due_notices", &[]);
    let patch = format!(
        r#"{{"status":"complete","context_summary":"with {}"}}"#,
        secret()
    );
    value(&phase(&world, "a", &patch));
    value(&phase(&world, "b", r#"{"status":"in_progress"}"#));
    assert!(world.text(FILE).contains(TAIL), "the project allows it");
    let settings = world.text(SETTINGS).replace("token", "webhook");
    world.put(SETTINGS, settings);
    let due = ask(&world, "due_notices", &[]).to_line();
    assert!(
        due.contains("[REDACTED:token]") && !due.contains(TAIL),
        "{due}"
    );
    let request = r#"{"operation":"hook","place":{"working":"/elsewhere"},"agent":"claude-code","payload":{"session_id":"a","cwd":"/repo","hook_event_name":"SessionStart","source":"startup"}}"#;
    let context = of_project(request, &world).to_line();
    assert!(
        context.contains("[REDACTED:token]") && !context.contains(TAIL),
        "{context}"
    );
    // A step back stores nothing of it again.
    value(&phase(&world, "a", r#"{"context_summary":"without"}"#));
    let undone = ask(&world, "undo", &[]);
    assert_eq!(warnings(&undone), ["redacted"]);
    assert!(!world.text(FILE).contains(TAIL));
}

#[test]
fn allowed_secrets_are_stored_in_texts_names_and_paths() {
    let world = world();
    world.put(SETTINGS, r#"{"redaction":{"allow":["token"]}}"#);
    let patch = format!(
        r#"{{"context_summary":"{0} password=hunter27","files_created":["{0}"]}}"#,
        secret()
    );
    let reply = phase(&world, &format!("with {}", secret()), &patch);
    assert_eq!(warnings(&reply), ["redacted"]);
    let text = world.text(FILE);
    assert_eq!(text.matches(TAIL).count(), 4, "{text}");
    assert!(text.contains("password=[REDACTED:named_secret]"), "{text}");
}

#[test]
fn a_snapshot_leaves_out_names_and_paths_that_its_run_stored_before() {
    let world = world();
    world.put(SETTINGS, r#"{"redaction":{"allow":["token"]}}"#);
    let done = format!(
        r#"{{"status":"complete","context_summary":"done","files_created":["src/{}.txt","x"]}}"#,
        secret()
    );
    for name in [format!("later {}", secret()), "b".to_owned()] {
        value(&phase(&world, &name, r#"{"status":"pending"}"#));
    }
    value(&phase(&world, &format!("with {}", secret()), &done));
    let done = r#"{"status":"complete","context_summary":"done"}"#;
    value(&phase(&world, "a", done));
    let request = r#"{"operation":"create_session","place":{"working":"/repo"},"reason":"handoff","files":false}"#;
    let create = || {
        let made = of_project(request, &world);
        let path = value(&made).at("/path").and_then(Json::as_str).unwrap();
        let bytes = world.bytes(&format!("/repo/{path}")).unwrap();
        let document = document::read(&bytes, None).unwrap().document;
        (made, Json::from(document))
    };
    let lists = |document: &Json| {
        let at = |at: &str| document.at(at).unwrap().as_array().unwrap().to_vec();
        let completed = at("/progress/completed");
        let names = completed.iter().map(|it| it.at("/name").unwrap().clone());
        [
            names.collect::<Vec<Json>>(),
            at("/progress/remaining"),
            at("/files/created"),
        ]
    };
    let (_, allowed) = create();
    assert_eq!(lists(&allowed).map(|it| it.len()), [2, 2, 2], "{allowed:?}");
    world.put(SETTINGS, "{}");
    let (made, hidden) = create();
    assert_eq!(
        lists(&hidden),
        ["a", "b", "x"].map(|name| vec![Json::from(name)])
    );
    assert_eq!(
        hidden.at("/progress/total_phases"),
        Some(&Json::from(4_u64))
    );
    assert!(!hidden.to_line().contains(TAIL), "{hidden:?}");
    let said = made.to_line();
    assert!(!said.contains(TAIL), "{said}");
    for words in [
        "a path that holds one was left out",
        "2 names of the run are left out",
    ] {
        assert!(said.contains(words), "{words}: {said}");
    }
}

#[test]
fn a_secret_that_was_stored_before_keeps_no_other_change_from_its_document() {
    let world = world();
    world.put(SETTINGS, r#"{"redaction":{"allow":["token"]}}"#);
    let name = format!("with {}", secret());
    value(&phase(&world, &name, r#"{"status":"in_progress"}"#));
    world.put(SETTINGS, "{}");
    let reply = phase(&world, "b", r#"{"status":"complete"}"#);
    value(&reply);
    assert!(warnings(&reply).is_empty(), "{reply:?}");
    value(&phase(&world, &name, r#"{"status":"complete"}"#));
    assert!(world.text(FILE).contains(TAIL));
}
