//! The run that a session is shown, and writes to: branches, owners that died, and runs that are taken over.

use milepost::json::{self, Json};

use super::*;

pub(super) fn switch(world: &Memory, branch: &str) {
    world.put("/repo/.git/HEAD", format!("ref: refs/heads/{branch}\n"));
    let commit = format!("{}\n", "1".repeat(40));
    world.put(&format!("/repo/.git/refs/heads/{branch}"), &commit);
}

/// On a branch of a repository whose default branch is known.
pub(super) fn world_on(branch: &str) -> Memory {
    let world = world();
    world.put(
        "/repo/.git/refs/remotes/origin/HEAD",
        "ref: refs/remotes/origin/main\n",
    );
    switch(&world, "main");
    switch(&world, branch);
    world
}

pub(super) fn prompt(world: &Memory, session: &str, text: &str) -> Option<Json> {
    let more = format!(r#""prompt":"{text}""#);
    facts_in(claude(world, &event(session, "UserPromptSubmit", &more)))
}

pub(super) fn todos(world: &Memory, session: &str, items: &str) -> Option<Json> {
    let more = format!(r#""tool_name":"TodoWrite","tool_input":{{"todos":{items}}}"#);
    facts_in(claude(world, &event(session, "PostToolUse", &more)))
}

const PLAN: &str =
    r#"[{"content":"Write it","status":"in_progress"},{"content":"Test it","status":"pending"}]"#;

pub(super) fn stop(world: &Memory, session: &str, message: &str) {
    let more = format!(r#""last_assistant_message":"{message}""#);
    claude(world, &event(session, "Stop", &more));
}

pub(super) fn end(world: &Memory, session: &str) {
    claude(world, &event(session, "SessionEnd", r#""reason":"other""#));
}

/// The files that list a path.
pub(super) fn holders(world: &Memory, path: &str) -> Vec<String> {
    let holds = |name: &String| {
        stored(world, name)
            .to_line()
            .contains(&format!("\"{path}\""))
    };
    checkpoints(world).into_iter().filter(holds).collect()
}

/// The processes of a Linux host as `(id, parent, start time)`, as the hook that runs now sees them.
fn processes(world: &Memory, own_parent: &str, others: &[(&str, &str)]) {
    let stat = |id: &str, parent: &str, started: &str| {
        let rest = "0 0 0 -1 0 1 0 0 0 2 1 0 0 20 0 1 0";
        format!("{id} (node) S {parent} {rest} {started} 1 2\n")
    };
    world.put("/proc/sys/kernel/hostname", "host\n");
    world.put("/proc/sys/kernel/random/boot_id", "boot\n");
    world.put("/proc/1/stat", stat("1", "0", "5"));
    world.put("/proc/self/stat", stat("900", own_parent, "9000"));
    for (id, started) in others {
        world.put(&format!("/proc/{id}/stat"), stat(id, "1", started));
        world.put(&format!("/proc/{id}/cmdline"), "agent\0");
    }
}

#[test]
fn a_session_that_died_does_not_hide_its_work() {
    let world = world_on("feature-a");
    todos(&world, "a", PLAN);
    pass(&world, 4.0);
    let facts = start_context(&world, "b", "startup").unwrap();
    assert_eq!(at(&facts, "/phase"), "\"Write it\"");
    let owner = at(&facts, "/other_session");
    assert!(
        owner.contains("4 minutes ago and may still be at work"),
        "{owner}"
    );
    pass(&world, 31.0);
    let facts = start_context(&world, "c", "startup").unwrap();
    assert_eq!(at(&facts, "/phase"), "\"Write it\"");
    assert_eq!(
        at(&facts, "/other_session"),
        "",
        "it was idle for too long to say that"
    );
}

#[test]
fn a_session_is_bound_by_a_file_where_no_owner_lives_and_never_by_context_alone() {
    let world = world_on("feature-a");
    todos(&world, "a", PLAN);
    start_context(&world, "b", "startup").unwrap();
    let before = stored(&world, "implement-feature-a.json");
    assert_eq!(at(&before, "/agent_sessions/b"), "");
    claude(&world, &edit("b", "beside"));
    let own = holders(&world, "beside");
    assert_ne!(own, ["implement-feature-a.json"]);
    assert_eq!(own.len(), 1);
    end(&world, "a");
    end(&world, "b");
    start_context(&world, "c", "startup").unwrap();
    claude(&world, &edit("c", "after"));
    assert_eq!(holders(&world, "after").len(), 1);
    assert_eq!(checkpoints(&world).len(), 2, "it begins none");
}

#[test]
fn the_run_of_a_process_that_is_gone_is_carried_on_with_immediately() {
    let world = world_on("feature-a");
    processes(&world, "70", &[("70", "700")]);
    todos(&world, "a", PLAN);
    // This is the process of before: it lives.
    processes(&world, "80", &[("80", "800")]);
    let facts = start_context(&world, "b", "startup").unwrap();
    assert_ne!(at(&facts, "/other_session"), "");
    // Killed, and its id is another process's now.
    processes(&world, "80", &[("70", "701"), ("80", "800")]);
    let facts = start_context(&world, "b", "startup").unwrap();
    assert_eq!(at(&facts, "/other_session"), "");
    assert_eq!(at(&facts, "/phase"), "\"Write it\"");
    claude(&world, &edit("b", "x"));
    assert_eq!(checkpoints(&world), ["implement-feature-a.json"]);
    // On another host, after another boot, nothing is known of a process.
    for (file, text) in [
        ("/proc/sys/kernel/hostname", "other\n"),
        ("/proc/sys/kernel/random/boot_id", "other\n"),
    ] {
        processes(&world, "90", &[("90", "900")]);
        world.put(file, text);
        let facts = start_context(&world, "c", "startup").unwrap();
        assert_ne!(at(&facts, "/other_session"), "", "{file}");
    }
}

#[test]
fn a_command_beside_a_living_owner_begins_a_run_and_says_so() {
    let world = world_on("feature-a");
    processes(&world, "70", &[("70", "700"), ("80", "800")]);
    prompt(&world, "a", "/implement");
    todos(&world, "a", PLAN);
    processes(&world, "80", &[]);
    let facts = prompt(&world, "b", "/implement").unwrap();
    let notice = at(&facts, "/notice");
    assert!(
        notice.contains("a run of its own") && notice.contains("--take"),
        "{notice}"
    );
    claude(&world, &edit("b", "y"));
    assert_ne!(holders(&world, "y"), ["implement-feature-a.json"]);
    assert_eq!(holders(&world, "Write it"), ["implement-feature-a.json"]);
}

#[test]
fn a_command_that_is_said_again_after_a_death_carries_on_where_processes_are_unknown() {
    let world = world_on("feature-a");
    prompt(&world, "a", "/implement");
    todos(&world, "a", PLAN);
    start_context(&world, "b", "startup").unwrap();
    let facts = prompt(&world, "b", "/implement").unwrap();
    assert_eq!(at(&facts, "/phase"), "\"Write it\"");
    claude(&world, &edit("b", "y"));
    assert_eq!(checkpoints(&world), ["implement-feature-a.json"]);
}

#[test]
fn a_run_that_is_named_is_taken_over_and_its_former_owner_gets_one_notice() {
    let world = world_on("feature-a");
    todos(&world, "a", PLAN);
    let facts = prompt(&world, "b", "/implement feature-a").unwrap();
    assert_eq!(at(&facts, "/phase"), "\"Write it\"");
    claude(&world, &edit("b", "of-b"));
    let line = claude(&world, &edit("a", "of-a"));
    let notice = at(&facts_in(line).unwrap(), "/notice");
    assert!(notice.contains("has taken over implement"), "{notice}");
    assert_eq!(claude(&world, &edit("a", "of-a-too")), None);
    assert_eq!(holders(&world, "of-b"), ["implement-feature-a.json"]);
    assert_eq!(holders(&world, "of-a"), holders(&world, "of-a-too"));
    assert_ne!(holders(&world, "of-a"), holders(&world, "of-b"));
    stop(&world, "a", "mine");
    assert_eq!(holders(&world, "mine"), holders(&world, "of-a"));
}

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

#[test]
fn runs_without_a_recorded_branch_are_those_of_their_feature_and_the_rest_of_the_default_branch() {
    let old = |feature: &str| {
        format!(
            r#"{{"version":1,"command":"implement","feature":{feature},
            "started_at":"2026-01-01T00:00:00.000Z","updated_at":"2026-01-01T00:00:00.000Z",
            "state":{{"current_phase":"old","completed_phases":[],"pending_phases":[]}},
            "phases":{{"old":{{"status":"in_progress"}}}}}}"#
        )
    };
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
        world.put(&format!("/repo/.claude/state/{name}"), old(feature));
        let facts = start_context(&world, "a", "startup").unwrap();
        let expected = if is_shown { "\"old\"" } else { "" };
        assert_eq!(at(&facts, "/phase"), expected, "{branch} {feature}");
    }
}

#[test]
fn a_subagent_changes_no_plan_no_prompt_and_no_command_of_its_parent() {
    let world = world_on("feature-a");
    todos(&world, "a", PLAN);
    let of_subagent = |name: &str, more: &str| {
        let more = format!(r#""agent_id":"sub","agent_type":"Explore",{more}"#);
        claude(&world, &event("a", name, &more))
    };
    let before = checkpoints(&world);
    let plan = r#""tool_name":"TodoWrite","tool_input":{"todos":[{"content":"List","status":"in_progress"}]}"#;
    assert_eq!(of_subagent("PostToolUse", plan), None);
    assert_eq!(
        of_subagent("UserPromptSubmit", r#""prompt":"/design x""#),
        None
    );
    assert_eq!(of_subagent("SessionStart", r#""source":"startup""#), None);
    assert_eq!(of_subagent("SessionEnd", r#""reason":"other""#), None);
    let write = r#""tool_name":"Write","tool_input":{"file_path":"/repo/sub.txt"}"#;
    assert_eq!(of_subagent("PostToolUse", write), None);
    assert_eq!(
        of_subagent("SubagentStop", r#""last_assistant_message":"Six files.""#),
        None
    );
    assert_eq!(checkpoints(&world), before);
    let document = stored(&world, &before[0]);
    let text = document.to_line();
    assert_eq!(at(&document, "/state/current_phase"), "\"Write it\"");
    assert_eq!(at(&document, "/state/pending_phases"), "[\"Test it\"]");
    assert!(!text.contains("\"List\""), "{text}");
    assert_eq!(
        at(&document, "/phases/Write it/files_created"),
        r#"["sub.txt"]"#
    );
    assert!(at(&document, "/phases/Write it/subagent_summaries").contains("Six files."));
    assert_eq!(at(&document, "/phases/Write it/context_summary"), "");
    assert_eq!(at(&document, "/agent_sessions/a/ended_at"), "");
}

#[test]
fn a_context_that_begins_does_not_sign_the_commit_of_now() {
    let world = world_on("feature-a");
    todos(&world, "a", PLAN);
    let path = "/repo/.git/refs/heads/feature-a";
    world.put(path, format!("{}\n", "2".repeat(40)));
    for (session, source) in [("a", "resume"), ("a", "compact"), ("b", "startup")] {
        pass(&world, 2.0);
        let facts = start_context(&world, session, source).unwrap();
        let warnings = at(&facts, "/warnings");
        assert!(
            warnings.contains("is stale"),
            "{session} {source}: {warnings}"
        );
    }
    end(&world, "a");
    let facts = start_context(&world, "c", "startup").unwrap();
    assert!(at(&facts, "/warnings").contains("is stale"));
}

#[test]
fn small_talk_replaces_no_summary() {
    let world = world_on("feature-a");
    todos(
        &world,
        "a",
        r#"[{"content":"Parser","status":"completed"},{"content":"Printer","status":"pending"}]"#,
    );
    stop(&world, "a", "Parser done, 41 tests.");
    end(&world, "a");
    start_context(&world, "b", "startup").unwrap();
    prompt(&world, "b", "What does WTFPL mean?");
    stop(&world, "b", "It is a licence.");
    end(&world, "b");
    let facts = start_context(&world, "c", "startup").unwrap();
    let summary = at(&facts, "/last_completed_phase_summary");
    assert!(summary.contains("41 tests"), "{}", facts.to_line());
}

#[test]
fn a_clock_that_was_ahead_locks_no_work_and_hides_no_newer_run() {
    let world = world_on("feature-a");
    pass(&world, 600.0);
    todos(&world, "a", PLAN);
    pass(&world, -600.0);
    let facts = start_context(&world, "b", "startup").unwrap();
    assert_eq!(at(&facts, "/other_session"), "");
    claude(&world, &edit("b", "x"));
    assert_eq!(checkpoints(&world), ["implement-feature-a.json"]);
}

#[test]
fn ids_that_begin_alike_are_sessions_of_their_own() {
    let world = world_on("feature-a");
    let ids: Vec<String> = (0..6)
        .map(|number| format!("ses_0123456789abcdef{number}"))
        .collect();
    for id in &ids {
        claude(&world, &edit(id, &format!("file-of-{id}")));
    }
    assert_eq!(checkpoints(&world).len(), ids.len());
    for id in &ids {
        assert_eq!(holders(&world, &format!("file-of-{id}")).len(), 1, "{id}");
    }
}

#[test]
fn the_agent_is_asked_to_bring_its_plan_in_line_by_its_own_tool() {
    for (agent, tool) in [
        ("claude-code", "TaskCreate or TodoWrite"),
        ("codex", "update_plan"),
        ("gemini", "write_todos"),
    ] {
        let world = world_on("feature-a");
        todos(&world, "a", PLAN);
        let start = event("b", "SessionStart", r#""source":"startup""#);
        let line = output(&world, agent, &start).unwrap();
        let (preface, _) = line.split_once("\\n").unwrap();
        assert!(preface.contains(&format!("by {tool}")), "{preface}");
    }
}

#[test]
fn a_plan_that_the_user_approved_is_the_plan_of_the_run() {
    let world = world_on("feature-a");
    let approved = |plan: &str| {
        let more = format!(r#""tool_name":"ExitPlanMode",{plan}"#);
        claude(&world, &event("a", "PostToolUse", &more))
    };
    assert_eq!(
        approved(r#""tool_input":{"plan":""},"tool_response":{}"#),
        None
    );
    assert_eq!(checkpoints(&world).len(), 0);
    let secret = format!("ghp_{}", "a1B2".repeat(9));
    let plan = format!("1. Write it\\n2. Test it with {secret}");
    approved(&format!(
        r#""tool_input":{{"plan":"{plan}"}},"tool_response":{{}}"#
    ));
    let document = stored(&world, "implement-feature-a.json");
    let plan = at(&document, "/plan");
    assert!(
        plan.contains("2. Test it") && !plan.contains(&secret),
        "{plan}"
    );
    end(&world, "a");
    let facts = start_context(&world, "b", "startup").unwrap();
    assert_eq!(at(&facts, "/plan"), plan);
    // A plan that was kept in a file is in the answer.
    approved(r#""tool_input":{},"tool_response":{"plan":"Another one","filePath":"/home/p.md"}"#);
    let document = stored(&world, "implement-feature-a.json");
    assert_eq!(at(&document, "/plan"), "\"Another one\"");
}

#[test]
fn a_compaction_that_may_give_context_gives_the_resume_point() {
    let world = world_on("feature-a");
    todos(&world, "a", PLAN);
    let payload =
        r#"{"event":"experimental.session.compacting","sessionID":"a","directory":"/repo"}"#;
    let payload = json::read(payload.as_bytes()).unwrap().value;
    let line = output(&world, "opencode", &payload).unwrap();
    assert!(line.contains("Write it"), "{line}");
}

fn write_at(world: &Memory, session: &str, cwd: &str, path: &str) -> Option<Json> {
    let payload = format!(
        r#"{{"session_id":"{session}","cwd":"{cwd}","hook_event_name":"PostToolUse","tool_name":"Write",
            "tool_input":{{"file_path":"{path}"}},"tool_response":{{"type":"create"}}}}"#
    );
    let payload = json::read(payload.as_bytes()).unwrap().value;
    facts_in(claude(world, &payload))
}

#[test]
fn a_file_belongs_to_the_repository_that_it_is_in() {
    let world = world_on("feature-a");
    // A linked worktree in the project, a repository with state, and one without.
    world.put("/repo/.git/worktrees/w/HEAD", "ref: refs/heads/fix-b\n");
    world.put("/repo/.git/worktrees/w/commondir", "../..\n");
    world.put("/repo/trees/w/.git", "gitdir: /repo/.git/worktrees/w\n");
    world.put("/known/.git/HEAD", "ref: refs/heads/main\n");
    world.put("/known/.claude/state/.gitignore", "*\n");
    world.put("/repo/vendor/.git/HEAD", "ref: refs/heads/main\n");
    assert_eq!(write_at(&world, "a", "/repo/src", "/repo/src/x"), None);
    let document = stored(&world, "implement-feature-a.json");
    assert_eq!(at(&document, "/phases/work/files_created"), r#"["src/x"]"#);
    assert_eq!(write_at(&world, "a", "/repo", "/repo/trees/w/y"), None);
    assert_eq!(write_at(&world, "a", "/repo", "/known/z"), None);
    let known = world.text("/known/.claude/state/implement-checkpoint.json");
    assert!(known.contains("\"z\""), "{known}");
    let facts = write_at(&world, "a", "/repo", "/repo/vendor/v").unwrap();
    let notice = at(&facts, "/notice");
    assert!(notice.contains("/repo/vendor/v is outside"), "{notice}");
    assert_eq!(
        write_at(&world, "a", "/repo", "/etc/hosts"),
        None,
        "it is said once"
    );
    let document = stored(&world, "implement-feature-a.json");
    let outside = at(&document, "/files_outside");
    assert_eq!(outside, r#"["/repo/vendor/v","/etc/hosts"]"#);
    assert_eq!(at(&document, "/phases/work/files_created"), r#"["src/x"]"#);
    assert!(world.files_below("/repo/vendor/.claude").is_empty());
}

#[test]
fn a_session_is_of_the_repository_that_it_works_in_and_else_of_the_project() {
    let world = world_on("feature-a");
    todos(&world, "a", PLAN);
    end(&world, "a");
    world.put("/other/.git/HEAD", "ref: refs/heads/main\n");
    for (cwd, is_shown) in [("/repo/src", true), ("/tmp", true), ("/other", false)] {
        let payload = format!(
            r#"{{"session_id":"b","cwd":"{cwd}","hook_event_name":"SessionStart","source":"startup"}}"#
        );
        let payload = json::read(payload.as_bytes()).unwrap().value;
        let request = hook_request("claude-code", None, &payload).with("project", "/repo");
        let reply = world.ask(Json::Object(request).to_line().as_bytes());
        assert_eq!(reply.contains("Write it"), is_shown, "{cwd}: {reply}");
    }
}

#[test]
fn a_session_that_is_continued_lives_in_its_new_process() {
    let world = world_on("feature-a");
    processes(&world, "70", &[("70", "700")]);
    todos(&world, "a", PLAN);
    // Killed, and continued under the same id.
    processes(&world, "75", &[("70", "701"), ("75", "750")]);
    start_context(&world, "a", "resume").unwrap();
    processes(&world, "80", &[("75", "750"), ("80", "800")]);
    let facts = start_context(&world, "b", "startup").unwrap();
    assert_ne!(at(&facts, "/other_session"), "", "it lives");
    claude(&world, &edit("b", "beside"));
    assert_ne!(holders(&world, "beside"), ["implement-feature-a.json"]);
}

#[test]
fn a_run_that_the_command_line_took_is_not_claimed_back_by_its_former_owner() {
    let world = world_on("feature-a");
    todos(&world, "a", PLAN);
    let request = Object::new()
        .with("operation", "take")
        .with("place", Object::new().with("working", "/repo"))
        .with("command", "implement")
        .with("feature", "feature-a");
    let reply = world.ask(Json::Object(request).to_line().as_bytes());
    assert!(reply.contains("\"replaced\":1"), "{reply}");
    let line = claude(&world, &edit("a", "of-a"));
    assert!(at(&facts_in(line).unwrap(), "/notice").contains("taken over"));
    claude(&world, &edit("a", "of-a-too"));
    assert_ne!(holders(&world, "of-a"), ["implement-feature-a.json"]);
    assert_eq!(holders(&world, "of-a"), holders(&world, "of-a-too"));
    start_context(&world, "b", "startup").unwrap();
    claude(&world, &edit("b", "of-b"));
    assert_eq!(holders(&world, "of-b"), ["implement-feature-a.json"]);
}

#[test]
fn a_subagent_does_not_take_the_notice_of_its_parent() {
    let world = world_on("feature-a");
    todos(&world, "a", PLAN);
    prompt(&world, "b", "/implement feature-a");
    let more = r#""agent_id":"sub","tool_name":"Write","tool_input":{"file_path":"/repo/sub"}"#;
    assert_eq!(claude(&world, &event("a", "PostToolUse", more)), None);
    let facts = prompt(&world, "a", "go on").unwrap();
    assert!(at(&facts, "/notice").contains("taken over"));
    assert_eq!(prompt(&world, "a", "go on"), None);
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
