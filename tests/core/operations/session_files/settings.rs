//! Settings of snapshots in `integrations.json`.

use super::worktree::{TempWorktree, list, text, value};

fn say(worktree: &TempWorktree, sessions: &str) {
    let settings = format!(r#"{{"sessions": {sessions}}}"#);
    worktree.write(".claude/config/integrations.json", settings);
}

/// A work tree with these settings, which are committed.
fn worktree_with(sessions: &str) -> TempWorktree {
    let worktree = TempWorktree::with(&[("a", "head")]);
    say(&worktree, sessions);
    worktree.commit();
    worktree
}

#[test]
fn files_that_the_settings_say_are_too_large_are_left_out() {
    let worktree = worktree_with(r#"{"max_file_bytes": 10, "max_snapshot_bytes": 15}"#);
    worktree.write("b", "0123456789");
    worktree.write("c", "0123456789a");
    worktree.write("d", "01234");
    worktree.write("e", "0");
    let (_, left_out) = worktree.create();
    let too_large = |path: &str, size: u64| {
        let reason = format!("is too large with {size} bytes");
        (path.to_owned(), reason)
    };
    assert_eq!(left_out, [too_large("c", 11), too_large("e", 1)]);
}

#[test]
fn a_restore_is_refused_for_a_file_that_the_settings_say_is_too_large_to_keep() {
    let worktree = worktree_with(r#"{"max_file_bytes": 200}"#);
    let (id, _) = worktree.create();
    let long = "what cannot be brought back\n".repeat(10);
    worktree.write("a", &long);
    let (code, message) = worktree.refused(&id, &[]);
    assert_eq!(code, "usage");
    assert!(message.contains("too large"), "{message}");
    say(&worktree, r#"{"max_file_bytes": 200, "allow": ["a"]}"#);
    let undo = worktree.restore(&id, &[]);
    assert_eq!(worktree.text("a"), "head");
    worktree.restore(&undo.unwrap(), &[]);
    assert_eq!(worktree.text("a"), long);
}

#[test]
fn a_file_that_the_settings_allow_is_kept() {
    let worktree = worktree_with(r#"{"allow": [".env", "config/dev.key"]}"#);
    worktree.write(".env", "A=1");
    worktree.write("config/dev.key", "key");
    worktree.write("dev.key", "key");
    let (id, left_out) = worktree.create();
    let left_out: Vec<&str> = left_out.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(left_out, ["dev.key"]);
    worktree.write(".env", "A=2");
    worktree.restore(&id, &[("lose", list(&["dev.key"]))]);
    assert_eq!(worktree.text(".env"), "A=1");
}

#[test]
fn a_diff_is_no_longer_than_the_settings_say() {
    let diff = |sessions: &str| {
        let worktree = worktree_with(sessions);
        worktree.write("a", "line\n".repeat(40_000));
        let (id, _) = worktree.create();
        let reply = worktree.ask("load_session", &[("id", id.as_str().into())]);
        let loaded = value(&reply);
        let document = loaded.at("/document").unwrap();
        document
            .at("/git_diff")
            .map(|_| text(document, "/git_diff"))
    };
    let usual = diff("{}").unwrap();
    assert!((60_000..66_000).contains(&usual.len()), "{}", usual.len());
    let short = diff(r#"{"max_diff_bytes": 1000}"#).unwrap();
    assert!((900..1100).contains(&short.len()), "{}", short.len());
    assert!(
        short.ends_with(" bytes and more were left out]\n"),
        "{short}"
    );
    let long = diff(r#"{"max_diff_bytes": 262144}"#).unwrap();
    assert!((240_000..262_144).contains(&long.len()), "{}", long.len());
    assert_eq!(diff(r#"{"max_diff_bytes": 0}"#), None);
}

#[test]
fn settings_that_cannot_be_read_stop_no_snapshot_and_remove_no_other() {
    let worktree = TempWorktree::with(&[("a", "head")]);
    for _ in 0..3 {
        worktree.create();
    }
    say(
        &worktree,
        r#"{"keep": 1, "max_diff_bytes": 262145, "max_file_bytes": "10 MB"}"#,
    );
    let reply = worktree.ask("create_session", &[("reason", "handoff".into())]);
    value(&reply);
    let warned = text(&reply.get("warnings").unwrap().clone(), "/0/message");
    assert!(
        warned.contains("/sessions/max_file_bytes: expected a whole number"),
        "{warned}"
    );
    let listed = worktree.ask("list_sessions", &[]);
    assert_eq!(value(&listed).as_array().unwrap().len(), 4);
}
