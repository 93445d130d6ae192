//! Programs that a repository's own configuration names are not run for a snapshot.

use std::fs;

use milepost::json::{Json, Object};

use super::place::{TempWorktree, restoring, text, value};

/// A repository with a filter in its own configuration, which notes that it ran and makes capitals.
fn filtered() -> TempWorktree {
    let place = TempWorktree::with(&[(".gitattributes", "*.up filter=up\n"), ("plain", "head")]);
    place.write("a.up", "TEXT");
    place.write("b.up", "TEXT");
    let noting = |command: &str| format!("touch {}; {command}", place.beside("ran").display());
    place.git(&["config", "filter.up.clean", &noting("tr A-Z a-z")]);
    place.git(&["config", "filter.up.smudge", &noting("tr a-z A-Z")]);
    place.git(&["config", "filter.up.required", "true"]);
    place.commit();
    assert!(place.beside("ran").exists());
    fs::remove_file(place.beside("ran")).unwrap();
    place
}

fn warnings(reply: &Object) -> Vec<String> {
    let warnings = reply.get("warnings").and_then(Json::as_array).unwrap();
    let code = |it: &Json| text(it, "/code");
    let untrusted = warnings.iter().filter(|it| code(it) == "untrusted_origin");
    untrusted.map(|it| text(it, "/message")).collect()
}

#[test]
fn files_behind_a_filter_of_the_repository_are_kept_and_restored_as_they_stand() {
    let place = filtered();
    // The index does not know the times any more.
    place.write("a.up", "TEXT");
    place.write("b.up", "THEN");
    place.write("plain", "then");
    let reply = place.ask("create_session", &[("reason", "handoff".into())]);
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
    let then = place.tree();
    assert!(place.is_match(&id));
    for path in ["a.up", "b.up", "plain"] {
        place.write(path, "NOW");
    }
    let now = place.tree();
    let reply = place.ask("verify_session", &[("id", id.as_str().into())]);
    assert_eq!(value(&reply).at("/matches"), Some(&Json::Bool(false)));
    let reply = place.ask("restore_session", &restoring(&id));
    assert_eq!(
        value(&reply).at("/restored"),
        Some(&Json::Bool(true)),
        "{reply:?}"
    );
    assert!(place.tree().differing(&then).is_empty());
    assert!(place.is_match(&id));
    place.restore(&text(value(&reply), "/undo"), &[]);
    assert!(place.tree().differing(&now).is_empty());
    assert!(!place.beside("ran").exists());
}

#[test]
fn what_a_filter_of_the_repository_made_of_head_is_left_and_said_beforehand() {
    let place = filtered();
    // Git knows them by their times, so that they are no part of the snapshot.
    place.settle_index();
    let (id, _) = place.create();
    place.write("a.up", "ELSEWHAT");
    place.write("plain", "now");
    let plan = place.plan(&id, &[]);
    assert_eq!(plan.paths(), ["plain"]);
    let [(path, why)] = &plan.left[..] else {
        panic!("{plan:?}");
    };
    assert_eq!(path, "a.up");
    assert!(
        why.contains("filter \"up\"") && why.contains("is not run"),
        "{why}"
    );
    place.restore(&id, &[]);
    assert_eq!(
        (place.text("a.up"), place.text("plain")),
        ("ELSEWHAT".into(), "head".into())
    );
    assert!(!place.beside("ran").exists());
}

#[test]
fn a_filter_that_the_user_defines_runs_in_place_of_that_of_the_repository() {
    for own in ["clean", "smudge"] {
        let mut place = filtered();
        place.settle_index();
        place.user_has("filter.up.clean", "tr A-Z a-z");
        place.user_has("filter.up.smudge", "tr a-z A-Z");
        place.user_has("filter.up.required", "true");
        let hostile = format!("touch {}; cat", place.beside("ran").display());
        place.git(&["config", &format!("filter.up.{own}"), &hostile]);
        let (id, _) = place.create();
        let then = place.tree();
        place.write("a.up", "ELSEWHAT");
        place.restore(&id, &[]);
        assert!(place.tree().differing(&then).is_empty());
        assert!(place.is_match(&id));
        assert!(!place.beside("ran").exists(), "{own}");
    }
}

#[test]
fn filters_of_repositories_run_where_the_user_says_so_and_not_where_the_repository_does() {
    for is_users in [false, true] {
        let mut place = filtered();
        match is_users {
            true => place.user_has("milepost.sessions.filters", "true"),
            false => drop(place.git(&["config", "milepost.sessions.filters", "true"])),
        }
        place.settle_index();
        place.touch("a.up");
        let reply = place.ask("create_session", &[("reason", "handoff".into())]);
        let count = value(&reply).at("/files").and_then(Json::as_u64).unwrap();
        assert_eq!(place.beside("ran").exists(), is_users);
        assert_eq!(warnings(&reply).is_empty(), is_users);
        // Behind the filter it is as in HEAD.
        assert_eq!(count, u64::from(!is_users), "{reply:?}");
    }
}
