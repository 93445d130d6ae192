//! Secrets that older versions have stored, or that a project allows.

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
fn what_a_project_allows_is_stored_in_texts_names_and_paths() {
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
