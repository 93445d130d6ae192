//! Programs that a repository's own configuration names are not run for a snapshot.

use std::fs;

use milepost::json::{Json, Object};

use super::worktree::{TempWorktree, restoring, text, value};

/// A repository with a filter in its own configuration, which notes that it ran and makes capitals.
fn filtered() -> TempWorktree {
    let worktree = TempWorktree::with(&[(".gitattributes", "*.up filter=up\n"), ("plain", "head")]);
    worktree.write("a.up", "TEXT");
    worktree.write("b.up", "TEXT");
    let noting = |command: &str| format!("touch {}; {command}", worktree.sibling("ran").display());
    worktree.git(&["config", "filter.up.clean", &noting("tr A-Z a-z")]);
    worktree.git(&["config", "filter.up.smudge", &noting("tr a-z A-Z")]);
    worktree.git(&["config", "filter.up.required", "true"]);
    worktree.commit();
    assert!(worktree.sibling("ran").exists());
    fs::remove_file(worktree.sibling("ran")).unwrap();
    worktree
}

fn warnings(reply: &Object) -> Vec<String> {
    let warnings = reply.get("warnings").and_then(Json::as_array).unwrap();
    let code = |it: &Json| text(it, "/code");
    let untrusted = warnings.iter().filter(|it| code(it) == "untrusted_origin");
    untrusted.map(|it| text(it, "/message")).collect()
}

#[test]
fn files_behind_a_filter_of_the_repository_are_kept_and_restored_as_they_stand() {
    let worktree = filtered();
    // The index does not know the times any more.
    worktree.write("a.up", "TEXT");
    worktree.write("b.up", "THEN");
    worktree.write("plain", "then");
    let reply = worktree.ask("create_session", &[("reason", "handoff".into())]);
    let id = text(value(&reply), "/id");
    let [warning] = &warnings(&reply)[..] else {
        panic!("{reply:?}");
    };
    for part in [
        "\"up\"",
        "2 files",
        "git config --global milepost.sessions.filters true",
    ] {
        assert!(warning.contains(part), "{warning}");
    }
    let then = worktree.tree();
    assert!(worktree.is_match(&id));
    for path in ["a.up", "b.up", "plain"] {
        worktree.write(path, "NOW");
    }
    let now = worktree.tree();
    let reply = worktree.ask("verify_session", &[("id", id.as_str().into())]);
    assert_eq!(value(&reply).at("/matches"), Some(&Json::Bool(false)));
    let reply = worktree.ask("restore_session", &restoring(&id));
    assert_eq!(
        value(&reply).at("/restored"),
        Some(&Json::Bool(true)),
        "{reply:?}"
    );
    assert!(worktree.tree().differing(&then).is_empty());
    assert!(worktree.is_match(&id));
    worktree.restore(&text(value(&reply), "/undo"), &[]);
    assert!(worktree.tree().differing(&now).is_empty());
    assert!(!worktree.sibling("ran").exists());
}

#[test]
fn files_made_by_a_filter_of_the_repository_stay_and_are_named_beforehand() {
    let worktree = filtered();
    // Git knows them by their times, so that they are no part of the snapshot.
    worktree.settle_index();
    let (id, _) = worktree.create();
    worktree.write("a.up", "ELSEWHAT");
    worktree.write("plain", "now");
    let plan = worktree.plan(&id, &[]);
    assert_eq!(plan.paths(), ["plain"]);
    let [(path, why)] = &plan.left[..] else {
        panic!("{plan:?}");
    };
    assert_eq!(path, "a.up");
    assert!(
        why.contains("filter \"up\"") && why.contains("is not run"),
        "{why}"
    );
    worktree.restore(&id, &[]);
    assert_eq!(
        (worktree.text("a.up"), worktree.text("plain")),
        ("ELSEWHAT".into(), "head".into())
    );
    assert!(!worktree.sibling("ran").exists());
}

#[test]
fn a_filter_that_the_user_defines_runs_in_place_of_that_of_the_repository() {
    for own in ["clean", "smudge"] {
        let mut worktree = filtered();
        worktree.settle_index();
        worktree.user_has("filter.up.clean", "tr A-Z a-z");
        worktree.user_has("filter.up.smudge", "tr a-z A-Z");
        worktree.user_has("filter.up.required", "true");
        let hostile = format!("touch {}; cat", worktree.sibling("ran").display());
        worktree.git(&["config", &format!("filter.up.{own}"), &hostile]);
        let (id, _) = worktree.create();
        let then = worktree.tree();
        worktree.write("a.up", "ELSEWHAT");
        worktree.restore(&id, &[]);
        assert!(worktree.tree().differing(&then).is_empty());
        assert!(worktree.is_match(&id));
        assert!(!worktree.sibling("ran").exists(), "{own}");
    }
}

#[test]
fn filters_of_repositories_run_where_the_user_says_so_and_not_where_the_repository_does() {
    for is_users in [false, true] {
        let mut worktree = filtered();
        match is_users {
            true => worktree.user_has("milepost.sessions.filters", "true"),
            false => drop(worktree.git(&["config", "milepost.sessions.filters", "true"])),
        }
        worktree.settle_index();
        worktree.touch("a.up");
        let reply = worktree.ask("create_session", &[("reason", "handoff".into())]);
        let count = value(&reply).at("/files").and_then(Json::as_u64).unwrap();
        assert_eq!(worktree.sibling("ran").exists(), is_users);
        assert_eq!(warnings(&reply).is_empty(), is_users);
        // Behind the filter it is as in HEAD.
        assert_eq!(count, u64::from(!is_users), "{reply:?}");
    }
}
