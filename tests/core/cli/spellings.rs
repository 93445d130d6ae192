//! Several spellings of one argument: ids and revisions by position and by option, and short options.

use super::{User, at, parse};

/// A user with three revisions of one run.
fn user_with_revisions() -> User {
    let mut user = User::new();
    for summary in ["one", "two", "three"] {
        user.line(&format!("phase design a -m {summary}")).answer();
    }
    user
}

#[test]
fn an_id_by_position_and_by_option_names_the_same_snapshot() {
    let mut user = User::new();
    let made = user.line("snapshot create --reason handoff").answer();
    let id = made.split_whitespace().next().unwrap().to_owned();
    for verb in ["show", "verify", "restore"] {
        let verb = format!("snapshot {verb}");
        let by_position = user.line(&format!("{verb} {id} --json"));
        assert!(by_position.error.is_empty(), "{verb}: {by_position:?}");
        assert_eq!(
            user.line(&format!("{verb} --id {id} --json")),
            by_position,
            "{verb}"
        );
        assert_eq!(
            user.line(&format!("{verb} {id} --id {id} --json")),
            by_position,
            "{verb}"
        );
        let refused = user
            .line(&format!("{verb} {id} --id chk-20250126-103000"))
            .refusal(64);
        assert!(refused.contains("Expected one id"), "{verb}: {refused}");
    }
    user.line(&format!("pin --id {id}")).answer();
    user.line(&format!("pin --id {id} --remove")).answer();
    user.line(&format!("archive --id {id}")).answer();
}

#[test]
fn a_revision_by_position_and_by_either_option_is_the_same() {
    let mut user = user_with_revisions();
    let expected = user.line("show design --revision 2 --json").answer();
    for line in [
        "show design 2",
        "show design --to 2",
        "show 2",
        "show design 2 --revision 2 --to 2",
    ] {
        assert_eq!(
            user.line(&format!("{line} --json")).answer(),
            expected,
            "{line}"
        );
    }
    for line in [
        "undo design 1",
        "undo design --to 1",
        "undo design --revision 1",
        "undo 1",
    ] {
        let mut user = user_with_revisions();
        let undone = parse(&user.line(&format!("{line} --json")).answer());
        assert_eq!(at(&undone, "restored").as_u64(), Some(1), "{line}");
    }
    for line in [
        "recover design 1",
        "recover design --to 1",
        "recover design --revision 1",
    ] {
        let mut user = user_with_revisions();
        user.write(".claude/state/design-checkpoint.json", "{ torn");
        let recovered = parse(&user.line(&format!("{line} --json")).answer());
        assert_eq!(at(&recovered, "restored").as_u64(), Some(1), "{line}");
    }
}

#[test]
fn the_later_revision_of_a_difference_is_given_by_position_or_by_option() {
    let mut user = user_with_revisions();
    for (line, same) in [
        ("diff design 1 3", "diff design 1 --to 3"),
        ("diff 1 3", "diff 1 --to 3"),
        ("diff design 1 3", "diff design 1 --revision 3"),
        ("diff design 1 3", "diff design 1 3 --to 3"),
    ] {
        assert_eq!(user.line(same).answer(), user.line(line).answer(), "{same}");
    }
    let refused = user.line("diff design 1 2 --to 3").refusal(64);
    assert!(refused.contains("Expected one later revision"), "{refused}");
}

#[test]
fn two_different_revisions_are_refused() {
    let mut user = user_with_revisions();
    for line in [
        "show design 1 --revision 2",
        "show design --revision 1 --to 2",
        "show 1 2",
        "undo design 1 --to 2",
        "recover design 1 --revision 2",
    ] {
        let refused = user.line(line).refusal(64);
        assert!(
            refused.contains("Expected one revision, got 1 and 2"),
            "{line}: {refused}"
        );
    }
}

#[test]
fn a_short_option_does_what_its_long_one_does() {
    let mut user = user_with_revisions();
    user.line("phase design b pending -f dark").answer();
    for (short, long) in [
        ("log design -n 2", "log design --limit 2"),
        ("status -n 1", "status --limit 1"),
        ("show design -f dark", "show design --feature dark"),
        ("snapshot list -n 1", "snapshot list --limit 1"),
        ("task list -n 1", "task list --limit 1"),
        ("thread list -n 1", "thread list --limit 1"),
    ] {
        assert_eq!(user.line(short), user.line(long), "{short}");
    }
    assert_eq!(user.line("phase design c pending -q").answer(), "");
    let made = user.line("create --reason handoff -m soon").answer();
    let id = made.split_whitespace().next().unwrap().to_owned();
    assert!(user.line("list").answer().contains("soon"));
    user.line(&format!("restore {id} --files -y")).answer();
    let folder = user.working();
    let elsewhere = User::new();
    let root = elsewhere.working();
    assert_eq!(user.run(&["-C", &root, "status"]).answer(), "No runs\n");
    assert_ne!(user.run(&["status", "-C", &folder]).answer(), "No runs\n");
}
