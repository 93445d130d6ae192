//! Verbs below nouns, and the tips for words that are not verbs.

use super::{User, at, parse};

/// A user with two snapshots of a run; returns their ids, the earlier one first.
fn user_with_snapshots() -> (User, [String; 2]) {
    let mut user = User::new();
    user.line("begin implement parser printer").answer();
    let ids = ["phase_complete", "handoff"].map(|reason| {
        let made = user.line(&format!("snapshot create --reason {reason} -m {reason}"));
        made.answer().split_whitespace().next().unwrap().to_owned()
    });
    (user, ids)
}

#[test]
fn every_verb_of_snapshots_works_below_the_noun() {
    let (mut user, [first, second]) = user_with_snapshots();
    for (line, expected) in [
        ("snapshot list".to_owned(), first.as_str()),
        (format!("snapshot show {first}"), "Snapshot chk-"),
        ("snapshot show --latest".to_owned(), second.as_str()),
        (format!("snapshot diff {first} {second}"), "handoff"),
        ("snapshot restore --latest".to_owned(), "parser"),
        (format!("snapshot verify {first}"), "matches"),
        (format!("snapshot pin {first}"), "is pinned"),
        (format!("snapshot unpin {first}"), "is pinned no more"),
        ("snapshot prune".to_owned(), "Nothing to remove"),
        ("snapshot cleanup".to_owned(), "Nothing to remove"),
        (format!("snapshot archive {first}"), "archived"),
    ] {
        let said = user.line(&line).answer();
        assert!(said.contains(expected), "{line}: {said}");
    }
}

#[test]
fn an_alias_of_the_seeds_answers_as_its_verb_below_the_noun() {
    let (mut user, [first, _]) = user_with_snapshots();
    for line in [
        "list --json".to_owned(),
        format!("restore --id {first} --json"),
        format!("verify --id {first} --json"),
    ] {
        let alias = user.line(&line).answer();
        assert_eq!(user.line(&format!("snapshot {line}")).answer(), alias);
    }
}

#[test]
fn a_snapshot_without_an_id_is_refused_with_what_is_expected() {
    for line in ["snapshot show", "snapshot restore", "snapshot verify"] {
        let refused = User::new().line(line).refusal(64);
        assert!(refused.contains("--latest"), "{line}: {refused}");
    }
    for line in ["snapshot pin", "snapshot unpin", "pin --remove"] {
        let refused = User::new().line(line).refusal(64);
        assert!(
            refused.contains("the id of a snapshot"),
            "{line}: {refused}"
        );
    }
    for line in [
        "snapshot",
        "snapshot diff chk-20250126-103000",
        "snapshot show x",
    ] {
        User::new().line(line).refusal(64);
    }
}

#[test]
fn prune_removes_old_revisions_of_a_run_and_trim_does_the_same() {
    let mut user = User::new();
    for count in 0..20 {
        user.line(&format!("phase design a --summary {count}"))
            .answer();
    }
    let pruned = parse(&user.line("prune design --keep 15 --json").answer());
    assert_eq!(at(&pruned, "kept").as_u64(), Some(16));
    let pruned = parse(&user.line("trim design --keep 12 --json").answer());
    assert_eq!(at(&pruned, "kept").as_u64(), Some(13));
}

#[test]
fn a_word_that_means_a_verb_is_answered_with_that_verb() {
    for (line, expected) in [
        ("revert", "did you mean `milepost undo`?"),
        ("rollback implement", "did you mean `milepost undo`?"),
        ("history", "did you mean `milepost log`?"),
        ("checkpoint", "did you mean `milepost snapshot create`?"),
        ("help rollback", "did you mean `milepost undo`?"),
        ("snapshot save", "did you mean `milepost snapshot create`?"),
        ("hooks uninstall", "did you mean `milepost hooks remove`?"),
        ("thread history", "did you mean `milepost thread show`?"),
        ("satus", "a similar subcommand exists: 'status'"),
        ("stauts", "a similar subcommand exists: 'status'"),
        ("undoo", "a similar subcommand exists: 'undo'"),
    ] {
        let refused = User::new().line(line).refusal(64);
        assert!(refused.contains(expected), "{line}: {refused}");
    }
    for line in [
        "gate open",
        "gate close",
        "gate open implement",
        "gate close red --json",
    ] {
        let refused = User::new().line(line).refusal(64);
        let expected =
            "`milepost gate --open` opens the gate, `milepost gate --close REASON` closes";
        assert!(refused.contains(expected), "{line}: {refused}");
    }
    let refused = User::new().line("frobnicate").refusal(64);
    assert!(!refused.contains("did you mean"), "{refused}");
}
