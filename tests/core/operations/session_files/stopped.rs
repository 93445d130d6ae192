//! Restores that died, and what came after them.

use std::fmt::Display;

use milepost::json::{self, Json};

use super::place::{TempWorktree, failure, list, restoring, text, value};
use super::tree::Tree;

fn phase(place: &TempWorktree, command: &str, status: &str) {
    let patch = format!(r#"{{"status":"{status}"}}"#);
    let patch = json::read(patch.as_bytes()).unwrap().value;
    let more = [
        ("command", command.into()),
        ("phase", "a".into()),
        ("patch", patch),
    ];
    value(&place.ask("update_phase", &more));
}

fn status(place: &TempWorktree, command: &str) -> String {
    let reply = place.ask("load", &[("command", command.into())]);
    let loaded = json::read(text(value(&reply), "/text").as_bytes()).unwrap();
    text(&loaded.value, "/phases/a/status")
}

/// A work tree that has become another one since it was kept, with the id of what was kept.
fn changed() -> (TempWorktree, String, Tree) {
    let place = TempWorktree::with(&[
        ("both", "head"),
        ("gone", "head"),
        ("folder/in", "head"),
        ("run", "#!"),
    ]);
    phase(&place, "design", "in_progress");
    place.write("new/one", "then");
    place.write("both", "then");
    let (id, _) = place.create();
    let then = place.tree();
    phase(&place, "design", "complete");
    place.write("both", "now");
    place.remove("new");
    place.remove("gone");
    place.remove("folder");
    place.write("folder", "now");
    place.mode("run", 0o755);
    place.link("link", "both");
    (place, id, then)
}

/// Compares a work tree with the one that it has to be. Files that differ after a restore was acknowledged are a proof.
#[track_caller]
fn assert_tree(place: &TempWorktree, expected: &Tree, context: impl Display) {
    let differing = place.tree().differing(expected);
    let _run = milepost_property::run(&context);
    assert!(differing.is_empty(), "{context}: {differing:?}");
}

#[test]
fn a_restore_that_died_anywhere_is_finished_and_undone() {
    let (place, id, _) = changed();
    let (_, all) = place.ask_until(usize::MAX, "restore_session", &restoring(&id));
    let stride = match std::env::var("MILEPOST_SESSION_TREES") {
        Ok(_) => 1,
        Err(_) => milepost_property::rounds(12, 5),
    };
    let mut died_within = 0;
    for at in (0..all).step_by(stride) {
        let (place, id, then) = changed();
        let now = place.tree();
        let (git, was) = (place.of_git(), status(&place, "design"));
        let (reply, _) = place.ask_until(at, "restore_session", &restoring(&id));
        let between = place.tree();
        if between.differing(&now).is_empty() || between.differing(&then).is_empty() {
            // Nothing is done yet, or all of it.
        } else {
            failure(&reply);
            died_within += 1;
        }
        let has_ended = reply.get("ok") == Some(&Json::Bool(true));
        let first = has_ended.then(|| text(value(&reply), "/undo"));
        let again = place.restore(&id, &[]);
        assert_tree(&place, &then, format_args!("{at}: not restored"));
        assert!(place.is_match(&id), "{at}");
        let undo = first.or(again);
        let undo = undo.unwrap_or_else(|| panic!("{at}: nothing undoes it"));
        place.restore(&undo, &[]);
        assert_tree(&place, &now, format_args!("{at}: not undone"));
        assert_eq!(status(&place, "design"), was, "{at}");
        assert!(place.of_git().touched(&git).is_empty(), "{at}");
        // Nothing that was begun is left.
        let register = std::fs::read_to_string(place.at(".claude/checkpoints/register.json"));
        let register = register.unwrap();
        assert!(!register.contains("\"undo\""), "{at}: {register}");
    }
    assert!(died_within > 1, "{died_within} of {all}");
}

#[test]
fn a_repeated_restore_of_the_latest_does_not_undo_the_first_one() {
    let latest = [("latest", Json::Bool(true)), ("files", Json::Bool(true))];
    let (place, ..) = changed();
    let (_, all) = place.ask_until(usize::MAX, "restore_session", &latest);
    for at in [all * 2 / 3, all * 5 / 6, all] {
        let (place, id, then) = changed();
        place.ask_until(at, "restore_session", &latest);
        let reply = place.ask("restore_session", &latest);
        assert_eq!(text(value(&reply), "/id"), id, "{at}");
        assert_tree(&place, &then, format_args!("{at}: not restored"));
    }
}

#[test]
fn a_change_after_a_restore_that_died_is_kept_by_its_repetition() {
    let (place, id, then) = changed();
    let now = place.tree();
    let (_, all) = place.ask_until(usize::MAX, "restore_session", &restoring(&id));
    let mut seen = 0;
    for at in (all / 2..all).rev() {
        let (place, id, _) = changed();
        let (reply, _) = place.ask_until(at, "restore_session", &restoring(&id));
        let between = place.tree();
        let is_within = !between.differing(&now).is_empty() && !between.differing(&then).is_empty();
        if !is_within {
            continue;
        }
        failure(&reply);
        seen += 1;
        // The user works on, in what is back already and in what is not.
        place.write("both", "worked on");
        place.mode("run", 0o755);
        place.write("later", "worked on");
        let worked = place.tree();
        let undo = place.restore(&id, &[]).unwrap();
        assert_tree(&place, &then, format_args!("{at}: not restored"));
        place.restore(&undo, &[]);
        assert_tree(&place, &worked, format_args!("{at}: lost"));
        if seen == 4 {
            return;
        }
    }
    panic!("{seen} died within");
}

#[test]
fn a_restore_that_has_ended_is_not_the_beginning_of_the_next_one() {
    let (place, id, then) = changed();
    let now = place.tree();
    let (_, all) = place.ask_until(usize::MAX, "restore_session", &restoring(&id));
    // It dies where all is done, and that is not noted yet.
    let (place, id) = (0..all)
        .rev()
        .find_map(|at| {
            let (place, id, _) = changed();
            let (reply, _) = place.ask_until(at, "restore_session", &restoring(&id));
            let is_back = place.tree().differing(&then).is_empty();
            let has_failed = reply.get("ok") == Some(&Json::Bool(false));
            (is_back && has_failed).then_some((place, id))
        })
        .unwrap();
    let first = place.restore(&id, &[]);
    place.write("both", "later");
    let later = place.tree();
    let second = place.restore(&id, &[]).unwrap();
    place.restore(&second, &[]);
    assert_tree(&place, &later, "the second restore is not undone");
    let first = first.expect("what undoes the first");
    assert_ne!(first, second);
    place.restore(&first, &[]);
    assert_tree(&place, &now, "the first restore is not undone");
}

#[test]
fn the_undo_brings_back_the_run_that_was_restored() {
    let place = TempWorktree::with(&[("a", "head")]);
    phase(&place, "design", "in_progress");
    place.write("a", "then");
    let (id, _) = place.create();
    phase(&place, "design", "complete");
    place.write("a", "now");
    // The one that is updated last is another one.
    phase(&place, "ship", "in_progress");
    let (was, other) = (status(&place, "design"), status(&place, "ship"));
    let undo = place.restore(&id, &[]).unwrap();
    assert_ne!(status(&place, "design"), was);
    place.restore(&undo, &[]);
    assert_eq!(status(&place, "design"), was);
    assert_eq!(status(&place, "ship"), other);
    // Only the files, where that is asked for.
    let undo = place.restore(&id, &[("state", false.into())]).unwrap();
    assert_eq!(status(&place, "design"), was);
    assert_eq!(place.text("a"), "then");
    place.restore(&undo, &[]);
    assert_eq!(
        (place.text("a"), status(&place, "design")),
        ("now".into(), was)
    );
}

#[test]
fn a_run_that_is_gone_is_brought_back() {
    let place = TempWorktree::with(&[("a", "head")]);
    phase(&place, "design", "in_progress");
    place.write("a", "then");
    let (id, _) = place.create();
    place.remove(".claude/state");
    place.write("a", "now");
    let undo = place.restore(&id, &[]).unwrap();
    assert_eq!(status(&place, "design"), "in_progress");
    place.restore(&undo, &[]);
    assert_eq!(place.text("a"), "now");
}

#[test]
fn only_the_plan_that_was_asked_for_is_carried_out() {
    let (place, id, then) = changed();
    let plan = place.plan(&id, &[]);
    let wanted = ("plan", Json::from(plan.id.as_str()));
    place.write("both", "changed since");
    let now = place.tree();
    let (code, message) = place.refused(&id, std::slice::from_ref(&wanted));
    assert_eq!(code, "conflict");
    assert!(message.contains(&plan.id), "{message}");
    assert_eq!(place.tree(), now);
    // With another consent it is another plan only where that makes a difference.
    place.write("both", "now");
    let lose = ("lose", list(&["both"]));
    place.restore(&id, &[wanted, lose]);
    assert!(place.tree().differing(&then).is_empty());
}

#[test]
fn without_files_nothing_is_written() {
    let (place, id, _) = changed();
    let before = Tree::of_all(&place.root);
    for more in [
        &[][..],
        &[("dry_run", true.into())],
        &[("force", true.into())],
    ] {
        let id = [("id", Json::from(id.as_str()))];
        value(&place.ask("restore_session", &[&id[..], more].concat()));
        assert_eq!(Tree::of_all(&place.root), before);
    }
    place.plan(&id, &[]);
    assert_eq!(Tree::of_all(&place.root), before);
}
