//! Restores that died, and what came after them.

use std::fmt::Display;

use milepost::json::{self, Json, Object};

use super::tree::Tree;
use super::worktree::{TempWorktree, failure, list, restoring, text, value};

fn phase(worktree: &TempWorktree, command: &str, status: &str) {
    let patch = format!(r#"{{"status":"{status}"}}"#);
    let patch = json::read(patch.as_bytes()).unwrap().value;
    let more = [
        ("command", command.into()),
        ("phase", "a".into()),
        ("patch", patch),
    ];
    value(&worktree.ask("update_phase", &more));
}

fn status(worktree: &TempWorktree, command: &str) -> String {
    let reply = worktree.ask("load", &[("command", command.into())]);
    let loaded = json::read(text(value(&reply), "/text").as_bytes()).unwrap();
    text(&loaded.value, "/phases/a/status")
}

/// Has a session of an agent take the run of `design` to a branch.
fn take(worktree: &TempWorktree, session: &str, branch: &str) {
    let reply = worktree.ask("load", &[("command", "design".into())]);
    let loaded = json::read(text(value(&reply), "/text").as_bytes()).unwrap();
    let Json::Object(mut run) = loaded.value else {
        panic!("a run is an object");
    };
    let seen = Object::new()
        .with("agent", "codex")
        .with("seen_at", "2026-01-29T10:30:00.000Z");
    run.set("agent_sessions", Object::new().with(session, seen));
    run.set("branch", branch);
    let line = run.to_line();
    let more: [(&str, Json); 2] = [("command", "design".into()), ("text", line.as_str().into())];
    value(&worktree.ask("save", &more));
}

#[test]
fn a_restore_and_its_undo_leave_the_sessions_and_the_branch_as_they_are_now() {
    let (worktree, id, _) = changed();
    let owner = || {
        let reply = worktree.ask("load", &[("command", "design".into())]);
        let loaded = json::read(text(value(&reply), "/text").as_bytes()).unwrap();
        let session = loaded.value.at("/agent_sessions").and_then(Json::as_object);
        let session = session.and_then(|it| Some(it.iter().next()?.0.to_owned()));
        (session, text(&loaded.value, "/branch"))
    };
    take(&worktree, "s-1", "main");
    let undo = worktree.restore(&id, &[]).unwrap();
    assert_eq!(status(&worktree, "design"), "in_progress");
    assert_eq!(owner(), (Some("s-1".to_owned()), "main".to_owned()));
    take(&worktree, "s-2", "side");
    worktree.restore(&undo, &[]);
    assert_eq!(status(&worktree, "design"), "complete");
    assert_eq!(owner(), (Some("s-2".to_owned()), "side".to_owned()));
    // With other sessions alone, the run is as the snapshot has it.
    take(&worktree, "s-3", "main");
    assert_eq!(worktree.restore(&undo, &[]), None);
}

/// A work tree that has become another one since it was kept, with the id of what was kept.
fn changed() -> (TempWorktree, String, Tree) {
    let worktree = TempWorktree::with(&[
        ("both", "head"),
        ("gone", "head"),
        ("folder/in", "head"),
        ("run", "#!"),
    ]);
    phase(&worktree, "design", "in_progress");
    worktree.write("new/one", "then");
    worktree.write("both", "then");
    let (id, _) = worktree.create();
    let then = worktree.tree();
    phase(&worktree, "design", "complete");
    worktree.write("both", "now");
    worktree.remove("new");
    worktree.remove("gone");
    worktree.remove("folder");
    worktree.write("folder", "now");
    worktree.mode("run", 0o755);
    worktree.link("link", "both");
    (worktree, id, then)
}

/// Compares a work tree with the one that it has to be. Files that differ after a restore was acknowledged are a proof.
#[track_caller]
fn assert_tree(worktree: &TempWorktree, expected: &Tree, context: impl Display) {
    let differing = worktree.tree().differing(expected);
    let _run = milepost_property::run(&context);
    assert!(differing.is_empty(), "{context}: {differing:?}");
}

#[test]
fn a_restore_that_died_anywhere_is_finished_and_undone() {
    let (worktree, id, _) = changed();
    let (_, all) = worktree.ask_until(usize::MAX, "restore_session", &restoring(&id));
    let stride = match std::env::var("MILEPOST_SESSION_TREES") {
        Ok(_) => 1,
        Err(_) => milepost_property::rounds(12, 5),
    };
    let mut died_within = 0;
    for at in (0..all).step_by(stride) {
        let (worktree, id, then) = changed();
        let now = worktree.tree();
        let (git, was) = (worktree.of_git(), status(&worktree, "design"));
        let (reply, _) = worktree.ask_until(at, "restore_session", &restoring(&id));
        let between = worktree.tree();
        if between.differing(&now).is_empty() || between.differing(&then).is_empty() {
            // Nothing is done yet, or all of it.
        } else {
            failure(&reply);
            died_within += 1;
        }
        let has_ended = reply.get("ok") == Some(&Json::Bool(true));
        let first = has_ended.then(|| text(value(&reply), "/undo"));
        let again = worktree.restore(&id, &[]);
        assert_tree(&worktree, &then, format_args!("{at}: not restored"));
        assert!(worktree.is_match(&id), "{at}");
        let undo = first.or(again);
        let undo = undo.unwrap_or_else(|| panic!("{at}: nothing undoes it"));
        worktree.restore(&undo, &[]);
        assert_tree(&worktree, &now, format_args!("{at}: not undone"));
        assert_eq!(status(&worktree, "design"), was, "{at}");
        assert!(worktree.of_git().touched(&git).is_empty(), "{at}");
        // Nothing that was begun is left.
        let register = std::fs::read_to_string(worktree.at(".claude/checkpoints/register.json"));
        let register = register.unwrap();
        assert!(!register.contains("\"undo\""), "{at}: {register}");
    }
    assert!(died_within > 1, "{died_within} of {all}");
}

#[test]
fn a_repeated_restore_of_the_latest_does_not_undo_the_first_one() {
    let latest = [("latest", Json::Bool(true)), ("files", Json::Bool(true))];
    let (worktree, ..) = changed();
    let (_, all) = worktree.ask_until(usize::MAX, "restore_session", &latest);
    for at in [all * 2 / 3, all * 5 / 6, all] {
        let (worktree, id, then) = changed();
        worktree.ask_until(at, "restore_session", &latest);
        let reply = worktree.ask("restore_session", &latest);
        assert_eq!(text(value(&reply), "/id"), id, "{at}");
        assert_tree(&worktree, &then, format_args!("{at}: not restored"));
    }
}

#[test]
fn a_change_after_a_restore_that_died_is_kept_by_its_repetition() {
    let (worktree, id, then) = changed();
    let now = worktree.tree();
    let (_, all) = worktree.ask_until(usize::MAX, "restore_session", &restoring(&id));
    let mut seen = 0;
    for at in (all / 2..all).rev() {
        let (worktree, id, _) = changed();
        let (reply, _) = worktree.ask_until(at, "restore_session", &restoring(&id));
        let between = worktree.tree();
        let is_within = !between.differing(&now).is_empty() && !between.differing(&then).is_empty();
        if !is_within {
            continue;
        }
        failure(&reply);
        seen += 1;
        // The user works on, in what is back already and in what is not.
        worktree.write("both", "worked on");
        worktree.mode("run", 0o755);
        worktree.write("later", "worked on");
        let worked = worktree.tree();
        let undo = worktree.restore(&id, &[]).unwrap();
        assert_tree(&worktree, &then, format_args!("{at}: not restored"));
        worktree.restore(&undo, &[]);
        assert_tree(&worktree, &worked, format_args!("{at}: lost"));
        if seen == 4 {
            return;
        }
    }
    panic!("{seen} died within");
}

#[test]
fn a_restore_that_has_ended_is_not_the_beginning_of_the_next_one() {
    let (worktree, id, then) = changed();
    let now = worktree.tree();
    let (_, all) = worktree.ask_until(usize::MAX, "restore_session", &restoring(&id));
    // It dies where all is done, and that is not noted yet.
    let (worktree, id) = (0..all)
        .rev()
        .find_map(|at| {
            let (worktree, id, _) = changed();
            let (reply, _) = worktree.ask_until(at, "restore_session", &restoring(&id));
            let is_back = worktree.tree().differing(&then).is_empty();
            let has_failed = reply.get("ok") == Some(&Json::Bool(false));
            (is_back && has_failed).then_some((worktree, id))
        })
        .unwrap();
    let first = worktree.restore(&id, &[]);
    worktree.write("both", "later");
    let later = worktree.tree();
    let second = worktree.restore(&id, &[]).unwrap();
    worktree.restore(&second, &[]);
    assert_tree(&worktree, &later, "the second restore is not undone");
    let first = first.expect("what undoes the first");
    assert_ne!(first, second);
    worktree.restore(&first, &[]);
    assert_tree(&worktree, &now, "the first restore is not undone");
}

#[test]
fn the_undo_brings_back_the_run_that_was_restored() {
    let worktree = TempWorktree::with(&[("a", "head")]);
    phase(&worktree, "design", "in_progress");
    worktree.write("a", "then");
    let (id, _) = worktree.create();
    phase(&worktree, "design", "complete");
    worktree.write("a", "now");
    // The one that is updated last is another one.
    phase(&worktree, "ship", "in_progress");
    let (was, other) = (status(&worktree, "design"), status(&worktree, "ship"));
    let undo = worktree.restore(&id, &[]).unwrap();
    assert_ne!(status(&worktree, "design"), was);
    worktree.restore(&undo, &[]);
    assert_eq!(status(&worktree, "design"), was);
    assert_eq!(status(&worktree, "ship"), other);
    // Only the files, where that is asked for.
    let undo = worktree.restore(&id, &[("state", false.into())]).unwrap();
    assert_eq!(status(&worktree, "design"), was);
    assert_eq!(worktree.text("a"), "then");
    worktree.restore(&undo, &[]);
    assert_eq!(
        (worktree.text("a"), status(&worktree, "design")),
        ("now".into(), was)
    );
}

#[test]
fn a_run_that_is_gone_is_brought_back() {
    let worktree = TempWorktree::with(&[("a", "head")]);
    phase(&worktree, "design", "in_progress");
    worktree.write("a", "then");
    let (id, _) = worktree.create();
    worktree.remove(".claude/state");
    worktree.write("a", "now");
    let undo = worktree.restore(&id, &[]).unwrap();
    assert_eq!(status(&worktree, "design"), "in_progress");
    worktree.restore(&undo, &[]);
    assert_eq!(worktree.text("a"), "now");
}

#[test]
fn only_the_plan_that_was_asked_for_is_carried_out() {
    let (worktree, id, then) = changed();
    let plan = worktree.plan(&id, &[]);
    let plan_id = ("plan", Json::from(plan.id.as_str()));
    worktree.write("both", "changed since");
    let now = worktree.tree();
    let (code, message) = worktree.refused(&id, std::slice::from_ref(&plan_id));
    assert_eq!(code, "conflict");
    assert!(message.contains(&plan.id), "{message}");
    assert_eq!(worktree.tree(), now);
    // With another consent it is another plan only where that makes a difference.
    worktree.write("both", "now");
    let lose = ("lose", list(&["both"]));
    worktree.restore(&id, &[plan_id, lose]);
    assert!(worktree.tree().differing(&then).is_empty());
}

#[test]
fn without_files_nothing_is_written() {
    let (worktree, id, _) = changed();
    let before = Tree::of_all(&worktree.root);
    for more in [
        &[][..],
        &[("dry_run", true.into())],
        &[("force", true.into())],
    ] {
        let id = [("id", Json::from(id.as_str()))];
        value(&worktree.ask("restore_session", &[&id[..], more].concat()));
        assert_eq!(Tree::of_all(&worktree.root), before);
    }
    worktree.plan(&id, &[]);
    assert_eq!(Tree::of_all(&worktree.root), before);
}
