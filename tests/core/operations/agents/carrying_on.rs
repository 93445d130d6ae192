//! The context that a session gets of a run, and what joins the run.

use super::steps::{PLAN, end, prompt, stop, todos, world_on};
use super::*;

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
        assert!(
            preface.contains(&format!("use {tool} to bring")),
            "{preface}"
        );
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
