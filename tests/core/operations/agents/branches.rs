//! The run of a session, by the branch that is checked out.

use super::steps::{PLAN, end, holders, prompt, stop, switch, todos, world_on};
use super::*;

#[test]
fn of_another_branch_a_session_gets_one_line_and_writes_nothing_to_it() {
    let world = world_on("feature-a");
    todos(&world, "a", PLAN);
    end(&world, "a");
    for branch in ["fix-b", "功能/登录", "main"] {
        switch(&world, branch);
        let facts = start_context(&world, branch, "startup").unwrap();
        assert_eq!(at(&facts, "/phase"), "", "{branch}");
        let other = at(&facts, "/other_work_here/0");
        assert!(other.contains("branch feature-a"), "{other}");
        assert!(other.contains("/implement feature-a"), "{other}");
    }
    switch(&world, "fix-b");
    claude(&world, &edit("b", "x"));
    assert_eq!(holders(&world, "x"), ["implement-fix-b.json"]);
    end(&world, "b");
    switch(&world, "feature-a");
    let facts = start_context(&world, "c", "startup").unwrap();
    assert_eq!(at(&facts, "/phase"), "\"Write it\"");
    assert_eq!(at(&facts, "/feature"), "\"feature-a\"");
}

#[test]
fn a_run_without_a_feature_is_named_by_an_empty_one_on_a_branch_that_has_its_own() {
    let world = world_on("main");
    todos(&world, "a", PLAN);
    end(&world, "a");
    switch(&world, "fix-b");
    let facts = start_context(&world, "b", "startup").unwrap();
    let other = at(&facts, "/other_work_here/0");
    assert!(other.contains("implement --feature= --take"), "{other}");
}

#[test]
fn branches_whose_names_are_alike_or_not_ascii_have_runs_of_their_own() {
    let world = world_on("main");
    let branches = ["fix/b", "fix-b", "功能/登录", "功能/注册", "con"];
    for branch in branches {
        switch(&world, branch);
        claude(&world, &edit(branch, branch));
        end(&world, branch);
    }
    assert_eq!(checkpoints(&world).len(), branches.len());
    for branch in branches {
        switch(&world, branch);
        let facts = start_context(&world, "next", "startup").unwrap();
        let files = at(&facts, "/files_created");
        assert_eq!(files, format!("[\"{branch}\"]"));
    }
}

#[test]
fn a_session_that_lives_follows_the_branch_of_now() {
    let world = world_on("feature-a");
    start_context(&world, "a", "startup");
    todos(&world, "a", PLAN);
    switch(&world, "fix-b");
    claude(&world, &edit("other", "b"));
    end(&world, "other");
    let facts = prompt(&world, "a", "go on").unwrap();
    assert_eq!(at(&facts, "/files_created"), r#"["b"]"#);
    assert_eq!(prompt(&world, "a", "go on"), None, "it gets one notice");
    claude(&world, &edit("a", "c"));
    assert_eq!(holders(&world, "c"), ["implement-fix-b.json"]);
    for source in ["clear", "compact", "resume"] {
        let facts = start_context(&world, "a", source).unwrap();
        assert_eq!(at(&facts, "/feature"), "\"fix-b\"", "{source}");
    }
    switch(&world, "feature-a");
    let facts = prompt(&world, "a", "go on").unwrap();
    assert_eq!(at(&facts, "/phase"), "\"Write it\"");
    todos(
        &world,
        "a",
        r#"[{"content":"Write it","status":"completed"}]"#,
    );
    let document = stored(&world, "implement-feature-a.json");
    assert_eq!(at(&document, "/phases/Write it/status"), "\"complete\"");
}

#[test]
fn work_planned_on_the_default_branch_goes_along_to_the_branch_that_is_created_for_it() {
    let world = world_on("main");
    todos(&world, "a", PLAN);
    switch(&world, "feature-a");
    let seconds = (world.now_ms.get() / 1_000.0).floor();
    let zero = "0".repeat(40);
    world.put(
        "/repo/.git/logs/refs/heads/feature-a",
        format!("{zero} {zero} t <t@t> {seconds} +0000\tbranch: Created from HEAD\n"),
    );
    claude(&world, &edit("a", "x"));
    assert_eq!(holders(&world, "x"), ["implement-checkpoint.json"]);
    let document = stored(&world, "implement-checkpoint.json");
    assert_eq!(at(&document, "/branch"), "\"feature-a\"");
    end(&world, "a");
    let facts = start_context(&world, "b", "startup").unwrap();
    assert_eq!(at(&facts, "/phase"), "\"Write it\"");
    assert_eq!(feature_of_run(&world), "null");
    switch(&world, "main");
    let facts = start_context(&world, "c", "startup").unwrap();
    assert_eq!(at(&facts, "/phase"), "");
    // A command without a feature means another run on the default branch now, and hooks find that.
    let feature = feature_of_run(&world);
    assert_ne!(feature, "null");
    assert_hooks_find_the_run_of(&world, &feature, "d");
}

#[test]
fn hooks_and_commands_mean_the_same_run_where_another_branch_has_the_feature() {
    let world = world_on("fix/b");
    todos(&world, "a", PLAN);
    end(&world, "a");
    switch(&world, "fix-b");
    let feature = feature_of_run(&world);
    assert_ne!(feature, "\"fix-b\"");
    assert_hooks_find_the_run_of(&world, &feature, "b");
    claude(&world, &edit("b", "x"));
    assert_eq!(feature_of_run(&world), feature);
    switch(&world, "fix/b");
    assert_eq!(feature_of_run(&world), "\"fix-b\"");
}

/// Changes a run by its feature, as JSON, and has a session begin, which gets it.
#[track_caller]
fn assert_hooks_find_the_run_of(world: &Memory, feature: &str, session: &str) {
    let patch = Object::new().with("status", "in_progress");
    let update = Object::new()
        .with("command", "implement")
        .with("feature", feature.trim_matches('"'))
        .with("phase", "Of the command line")
        .with("patch", patch);
    query(world, "update_phase", update);
    let facts = start_context(world, session, "startup").unwrap();
    assert_eq!(at(&facts, "/phase"), "\"Of the command line\"");
}

/// Asks for an operation in `/repo`.
#[track_caller]
fn query(world: &Memory, operation: &str, more: Object) -> Json {
    let mut request = Object::new()
        .with("operation", operation)
        .with("place", Object::new().with("working", "/repo"));
    more.into_iter()
        .for_each(|(key, value)| request.set(&key, value));
    let reply = world.ask(Json::Object(request).to_line().as_bytes());
    json::read(reply.as_bytes())
        .unwrap()
        .value
        .at("/value")
        .unwrap()
        .clone()
}

/// The feature of the run that a command means, as JSON.
#[track_caller]
fn feature_of_run(world: &Memory) -> String {
    let run = query(
        world,
        "run_here",
        Object::new().with("command", "implement"),
    );
    at(&run, "/feature")
}

#[test]
fn a_run_follows_its_session_when_the_branch_is_renamed_and_is_other_work_for_the_rest() {
    let world = world_on("feature-a");
    todos(&world, "a", PLAN);
    world.delete("/repo/.git/refs/heads/feature-a");
    switch(&world, "feature-c");
    let facts = start_context(&world, "b", "startup").unwrap();
    assert_eq!(at(&facts, "/phase"), "");
    assert!(at(&facts, "/other_work_here/0").contains("branch feature-a"));
    claude(&world, &edit("a", "x"));
    assert_eq!(holders(&world, "x"), ["implement-feature-a.json"]);
    let facts = start_context(&world, "b", "startup").unwrap();
    assert_eq!(at(&facts, "/phase"), "\"Write it\"");
}

#[test]
fn with_a_detached_head_a_session_gets_what_this_worktree_recorded() {
    let world = world_on("feature-a");
    todos(&world, "a", PLAN);
    end(&world, "a");
    world.put("/repo/.git/HEAD", format!("{}\n", "1".repeat(40)));
    let facts = start_context(&world, "b", "startup").unwrap();
    assert_eq!(at(&facts, "/phase"), "\"Write it\"");
    // A look at a commit takes no run from its branch.
    claude(&world, &edit("b", "x"));
    let document = stored(&world, "implement-feature-a.json");
    assert_eq!(at(&document, "/branch"), "\"feature-a\"");
}

/// An earlier run of `implement`, with more members.
fn old(feature: &str, more: &str) -> String {
    format!(
        r#"{{"version":1,"command":"implement","feature":{feature},{more}
        "started_at":"2026-01-01T00:00:00.000Z","updated_at":"2026-01-01T00:00:00.000Z",
        "state":{{"current_phase":"old","completed_phases":[],"pending_phases":[]}},
        "phases":{{"old":{{"status":"in_progress"}}}}}}"#
    )
}

const WITHOUT_FEATURE: &str = "/repo/.claude/state/implement-checkpoint.json";

#[test]
fn a_run_without_a_feature_of_another_branch_is_named_by_an_empty_one_on_a_branch_without_its_own()
{
    let world = world_on("main");
    world.put(WITHOUT_FEATURE, old("null", r#""branch":"fix/b","#));
    let facts = start_context(&world, "a", "startup").unwrap();
    assert_eq!(at(&facts, "/phase"), "");
    let other = at(&facts, "/other_work_here/0");
    assert!(other.contains("implement --feature= --take"), "{other}");
}

#[test]
fn without_a_remote_a_branch_beside_the_trunk_does_not_mean_the_run_without_a_feature() {
    let world = world();
    world.put(WITHOUT_FEATURE, old("null", ""));
    assert_eq!(feature_of_run(&world), "null");
    switch(&world, "fix/b");
    assert_eq!(feature_of_run(&world), "\"fix-b\"");
    let facts = start_context(&world, "a", "startup").unwrap();
    assert_eq!(at(&facts, "/phase"), "");
    let other = at(&facts, "/other_work_here/0");
    assert!(other.contains("implement --feature= --take"), "{other}");
    // Nothing says that this branch is not the trunk.
    world.delete("/repo/.git/refs/heads/main");
    assert_eq!(feature_of_run(&world), "null");
    let packed = format!("{} refs/heads/master\n", "1".repeat(40));
    world.put("/repo/.git/packed-refs", packed);
    assert_eq!(feature_of_run(&world), "\"fix-b\"");
    for trunk in ["master", "trunk"] {
        switch(&world, trunk);
        assert_eq!(feature_of_run(&world), "null", "{trunk}");
        let facts = start_context(&world, trunk, "startup").unwrap();
        assert_eq!(at(&facts, "/phase"), "\"old\"", "{trunk}");
    }
}

#[test]
fn runs_without_a_recorded_branch_are_those_of_their_feature_and_the_rest_of_the_default_branch() {
    for (branch, feature, is_shown) in [
        ("fix/b", "\"fix-b\"", true),
        ("fix/b", "\"fix-c\"", false),
        ("fix/b", "null", false),
        ("main", "\"fix-c\"", true),
        ("main", "null", true),
    ] {
        let world = world_on(branch);
        let name = match feature {
            "null" => "implement-checkpoint.json".to_owned(),
            feature => format!("implement-{}.json", feature.trim_matches('"')),
        };
        world.put(&format!("/repo/.claude/state/{name}"), old(feature, ""));
        let facts = start_context(&world, "a", "startup").unwrap();
        let expected = if is_shown { "\"old\"" } else { "" };
        assert_eq!(at(&facts, "/phase"), expected, "{branch} {feature}");
    }
}

#[test]
fn the_last_words_of_a_turn_that_ends_on_another_branch_are_of_its_run() {
    let world = world_on("feature-a");
    todos(&world, "a", PLAN);
    switch(&world, "main");
    stop(&world, "a", "Pushed it.");
    let document = stored(&world, "implement-feature-a.json");
    assert_eq!(
        at(&document, "/phases/Write it/context_summary"),
        "\"Pushed it.\""
    );
    assert_eq!(at(&document, "/branch"), "\"feature-a\"");
    assert_eq!(at(&document, "/agent_sessions/a/turn"), "");
}

#[test]
fn a_session_that_writes_on_another_branch_first_gets_a_notice_at_the_next_prompt() {
    let world = world_on("fix-b");
    todos(&world, "b", PLAN);
    end(&world, "b");
    switch(&world, "feature-a");
    claude(&world, &edit("a", "x"));
    start_context(&world, "a", "resume");
    switch(&world, "fix-b");
    claude(&world, &edit("a", "y"));
    let facts = prompt(&world, "a", "go on").unwrap();
    assert_eq!(at(&facts, "/phase"), "\"Write it\"");
}
