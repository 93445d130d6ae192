//! Copilot CLI: subagents with sessions of their own, and errors that it reports at each attempt.

use milepost::effect::Effect;
use milepost::json::{self, Json};

use super::*;

const ROOT: &str = "49b4b4d8-3b07-4996-a043-11218ca35b6e";
const OUTER: &str = "7860a9af-a05d-41be-8146-066e81011a31";
const INNER: &str = "b8d6eb57-0c0e-4d0f-9d3c-1f0a8f6d2c11";
/// A session that one event alone names, as that of a nested subagent's end.
const UNHEARD: &str = "0b5f53a2-f8ca-41c3-a321-67ab9703bbd8";

/// Sends an event in `/repo`, of which `more` are the members behind the session.
#[track_caller]
fn send(world: &Memory, event: &str, session: &str, more: &str) -> Option<String> {
    let text = format!(
        r#"{{"sessionId":"{session}","timestamp":1,"cwd":"/repo"{}{more}}}"#,
        if more.is_empty() { "" } else { "," }
    );
    let payload = json::read(text.as_bytes()).unwrap().value;
    output_of(world, "copilot", Some(event), &payload)
}

fn of_subagent(agent: &str, parent: &str) -> String {
    format!(r#""agentId":"{agent}","agentType":"general-purpose","parentAgentId":"{parent}""#)
}

fn create(path: &str) -> String {
    format!(
        r#""toolName":"create","toolArgs":{{"path":"/repo/{path}","file_text":"x"}},"toolResult":{{"resultType":"success"}}"#
    )
}

/// A file that a subagent creates.
fn create_in(world: &Memory, agent: &str, parent: &str, path: &str) {
    let more = format!("{},{}", create(path), of_subagent(agent, parent));
    assert_eq!(send(world, "postToolUse", agent, &more), None);
}

fn report_in(world: &Memory, session: &str, agent: &str, parent: &str, response: &str) {
    let more = format!(
        r#""agentName":"general-purpose","response":"{response}",{}"#,
        of_subagent(agent, parent)
    );
    assert_eq!(send(world, "subagentStop", session, &more), None);
}

#[test]
fn files_and_report_of_a_subagent_join_the_run_of_its_session() {
    let world = world();
    send(&world, "postToolUse", ROOT, &create("main.txt"));
    create_in(&world, OUTER, ROOT, "sub.txt");
    report_in(&world, ROOT, OUTER, ROOT, "6 files counted.");
    assert_eq!(checkpoints(&world), ["implement-checkpoint.json"]);
    let run = stored(&world, "implement-checkpoint.json");
    assert_eq!(
        at(&run, "/phases/work/files_created"),
        r#"["main.txt","sub.txt"]"#
    );
    assert_eq!(
        at(&run, "/phases/work/subagent_summaries/0/summary"),
        r#""6 files counted.""#
    );
    assert_eq!(
        at(&run, "/phases/work/subagent_summaries/0/agent_type"),
        r#""general-purpose""#
    );
}

#[test]
fn a_subagent_of_a_subagent_writes_into_the_run_of_the_root_session() {
    let world = world();
    // Nothing is kept yet when the subagents begin.
    for (agent, parent) in [(OUTER, ROOT), (INNER, OUTER)] {
        let more = format!(r#""prompt":"/design it",{}"#, of_subagent(agent, parent));
        assert_eq!(send(&world, "userPromptSubmitted", agent, &more), None);
    }
    assert_eq!(checkpoints(&world), [""; 0]);
    create_in(&world, INNER, OUTER, "inner.txt");
    report_in(&world, UNHEARD, INNER, OUTER, "Inner report.");
    create_in(&world, OUTER, ROOT, "outer.txt");
    report_in(&world, ROOT, OUTER, ROOT, "Outer report.");
    send(&world, "postToolUse", ROOT, &create("main.txt"));
    assert_eq!(checkpoints(&world), ["implement-checkpoint.json"]);
    let run = stored(&world, "implement-checkpoint.json");
    assert_eq!(
        at(&run, "/phases/work/files_created"),
        r#"["inner.txt","outer.txt","main.txt"]"#
    );
    assert_eq!(
        at(&run, "/phases/work/subagent_summaries/1/summary"),
        r#""Outer report.""#
    );
    let sessions = run.at("/agent_sessions").and_then(Json::as_object).unwrap();
    let ids: Vec<&str> = sessions.iter().map(|(id, _)| id).collect();
    assert_eq!(ids, [ROOT]);
}

#[test]
fn through_many_levels_the_root_session_is_found_and_a_circle_ends() {
    let world = world();
    let agents: Vec<String> = (0..12).map(|level| format!("agent-{level}")).collect();
    let mut parent = ROOT;
    for agent in &agents {
        let more = format!(r#""prompt":"go",{}"#, of_subagent(agent, parent));
        send(&world, "userPromptSubmitted", agent, &more);
        parent = agent;
    }
    create_in(&world, "deepest", parent, "deep.txt");
    let run = stored(&world, "implement-checkpoint.json");
    assert_ne!(at(&run, &format!("/agent_sessions/{ROOT}")), "");

    let world = super::world();
    for (agent, parent) in [("a", "b"), ("b", "a"), ("a", "a")] {
        create_in(&world, agent, parent, "x.txt");
    }
    assert!(!checkpoints(&world).is_empty());
}

#[test]
fn without_records_of_subagents_the_parent_that_the_event_names_is_taken() {
    let world = world();
    let more = format!(r#""prompt":"go",{}"#, of_subagent(OUTER, ROOT));
    send(&world, "userPromptSubmitted", OUTER, &more);
    let record = format!("/repo/.claude/state/.milepost/.contexts/session-{OUTER}.json");
    for broken in ["", "{", r#"{"parent_id":7}"#] {
        world.put(&record, broken);
        create_in(&world, INNER, OUTER, "inner.txt");
    }
    let run = stored(&world, "implement-checkpoint.json");
    assert_ne!(at(&run, &format!("/agent_sessions/{OUTER}")), "");
}

#[test]
fn records_of_subagents_go_after_seven_days() {
    let world = world();
    let folder = "/repo/.claude/state/.milepost/.contexts";
    create_in(&world, "first", ROOT, "a");
    pass(&world, 6.0 * 24.0 * 60.0);
    create_in(&world, "second", ROOT, "b");
    pass(&world, 2.0 * 24.0 * 60.0);
    create_in(&world, "third", ROOT, "c");
    let mut left = world.files_below(folder);
    left.sort();
    assert_eq!(left, ["session-second.json", "session-third.json"]);
}

#[test]
fn its_events_on_the_entries_of_claude_code_lead_to_the_root_session_too() {
    let world = world();
    for (agent, parent, path) in [(OUTER, ROOT, "outer.txt"), (INNER, OUTER, "inner.txt")] {
        let more = format!(
            r#""agent_id":"{agent}","agent_type":"general-purpose","parent_agent_id":"{parent}","tool_name":"Write","tool_input":{{"path":"/repo/{path}","file_text":"x"}},"tool_result":{{"result_type":"success"}}"#
        );
        assert_eq!(claude(&world, &event(agent, "PostToolUse", &more)), None);
    }
    let run = stored(&world, "implement-checkpoint.json");
    assert_eq!(
        at(&run, "/phases/work/files_created"),
        r#"["outer.txt","inner.txt"]"#
    );
    assert_ne!(at(&run, &format!("/agent_sessions/{ROOT}")), "");
}

#[test]
fn the_turn_of_a_subagent_leaves_the_summary_of_its_session() {
    let world = world();
    send(&world, "postToolUse", ROOT, &create("main.txt"));
    let before = stored(&world, "implement-checkpoint.json");
    let stop = format!(
        r#""message":"Inner words.","stopReason":"end_turn",{}"#,
        of_subagent(OUTER, ROOT)
    );
    assert_eq!(send(&world, "agentStop", OUTER, &stop), None);
    assert_eq!(stored(&world, "implement-checkpoint.json"), before);
}

#[test]
fn an_attempt_that_is_repeated_is_no_failure_and_a_session_that_ends_in_an_error_is() {
    let world = world();
    let snapshots = |world: &Memory| {
        let files = world.files_below("/repo/.claude/checkpoints").into_iter();
        files.filter(|name| name.ends_with(".yaml")).count()
    };
    send(&world, "postToolUse", ROOT, &create("main.txt"));
    let error = r#""errorContext":"model_call","recoverable":true,"error":{"message":"overloaded","name":"Error"}"#;
    assert_eq!(send(&world, "errorOccurred", ROOT, error), None);
    assert_eq!(snapshots(&world), 0);
    assert_eq!(
        send(&world, "sessionEnd", ROOT, r#""reason":"error""#),
        None
    );
    assert_eq!(snapshots(&world), 1);
    let run = stored(&world, "implement-checkpoint.json");
    assert_ne!(at(&run, &format!("/agent_sessions/{ROOT}/ended_at")), "");

    let world = super::world();
    send(&world, "postToolUse", ROOT, &create("main.txt"));
    let error = error.replace("true", "false");
    assert_eq!(send(&world, "errorOccurred", ROOT, &error), None);
    assert_eq!(snapshots(&world), 1);
}

#[test]
fn a_slash_command_that_resumes_a_run_is_answered() {
    let world = world();
    let design = r#""prompt":"/design search""#;
    assert_eq!(send(&world, "userPromptSubmitted", ROOT, design), None);
    send(&world, "postToolUse", ROOT, &create("main.txt"));
    let answer = send(&world, "userPromptSubmitted", ROOT, design).unwrap();
    assert!(answer.starts_with(r#"{"additionalContext":"#), "{answer}");
    assert!(answer.contains("main.txt"), "{answer}");
}

/// The transcript of the session, as `agentStop` names it.
const TRANSCRIPT: &str = "/home/.copilot/session-state/root/events.jsonl";

fn assistant_message(text: &str) -> String {
    format!("{{\"type\":\"assistant.message\",\"data\":{{\"content\":\"{text}\"}}}}\n")
}

fn subagent_message(agent: &str, text: &str) -> String {
    assistant_message(text).replacen('{', &format!(r#"{{"agentId":"{agent}","#), 1)
}

fn user_message(text: &str) -> String {
    format!("{{\"type\":\"user.message\",\"data\":{{\"content\":\"{text}\"}}}}\n")
}

/// The summary of the phase after a turn whose transcript this is.
fn summary_after(transcript: &str) -> String {
    let world = world();
    send(&world, "postToolUse", ROOT, &create("main.txt"));
    world.put(TRANSCRIPT, transcript);
    let stop = format!(r#""transcriptPath":"{TRANSCRIPT}","stopReason":"end_turn""#);
    assert_eq!(send(&world, "agentStop", ROOT, &stop), None);
    let run = stored(&world, "implement-checkpoint.json");
    at(&run, "/phases/work/context_summary")
}

#[test]
fn the_last_words_of_a_turn_are_those_of_the_transcript() {
    let start = "{\"type\":\"session.start\",\"data\":{}}\n";
    let turn = user_message("do") + &assistant_message("Parser written.");
    let result = "{\"type\":\"tool.execution_complete\",\"data\":{\"content\":\"\\\"assistant.message\\\"\"}}\n";
    for (transcript, expected) in [
        (format!("{start}{turn}"), "\"Parser written.\""),
        // The last one of several, and none that only calls a tool.
        (
            format!(
                "{turn}{}{}",
                assistant_message("Tests too."),
                assistant_message("")
            ),
            "\"Tests too.\"",
        ),
        (format!("{turn}{result}"), "\"Parser written.\""),
        // A subagent's words are not the agent's.
        (
            format!(
                "{turn}{}{}",
                subagent_message(OUTER, "6 files."),
                user_message("x").replacen('{', r#"{"agentId":"a","#, 1)
            ),
            "\"Parser written.\"",
        ),
        // A turn without words does not take those of the one before.
        (format!("{turn}{}", user_message("and now?")), ""),
        (
            format!(
                "{turn}{}{}",
                user_message("and now?"),
                subagent_message(OUTER, "6 files.")
            ),
            "",
        ),
        // A line that is torn, or no object, is passed over.
        (
            format!("{turn}[\"assistant.message\"]\n{{\"type\":\"assistant.message\",\"da"),
            "\"Parser written.\"",
        ),
        (String::new(), ""),
    ] {
        assert_eq!(summary_after(&transcript), expected, "{transcript}");
    }
}

/// A message that calls tools.
fn called(text: &str) -> String {
    assistant_message(text).replacen(
        "{\"content\"",
        "{\"toolRequests\":[{\"name\":\"create\"}],\"content\"",
        1,
    )
}

#[test]
fn the_last_words_are_waited_for_where_the_transcript_lags_behind() {
    let ended = "{\"type\":\"hook.end\",\"data\":{\"hookType\":\"agentStop\"}}\n";
    let earlier = user_message("do") + &assistant_message("An earlier turn.") + ended;
    let begun = earlier.clone() + &user_message("go on") + &called("I begin.");
    let whole = begun.clone() + &assistant_message("Parser written.");
    for (first, last, expected) in [
        // Of this turn there is nothing yet, its beginning, a message with a call.
        (&earlier, &whole, "\"Parser written.\""),
        (
            &(earlier.clone() + &user_message("go on")),
            &whole,
            "\"Parser written.\"",
        ),
        (&begun, &whole, "\"Parser written.\""),
        (&begun, &(begun.clone() + &called("")), "\"I begin.\""),
        // None comes.
        (&begun, &begun, "\"I begin.\""),
        (&earlier, &earlier, ""),
    ] {
        let world = world();
        send(&world, "postToolUse", ROOT, &create("main.txt"));
        world.put(TRANSCRIPT, first.as_str());
        let stop = format!(
            r#"{{"sessionId":"{ROOT}","timestamp":1,"cwd":"/repo","transcriptPath":"{TRANSCRIPT}"}}"#
        );
        let payload = json::read(stop.as_bytes()).unwrap().value;
        let request = hook_request("copilot", Some("agentStop"), &payload);
        let mut waited = 0;
        let request = Json::Object(request).to_line();
        crate::variants::reply(request.as_bytes(), |effect| {
            if let Effect::Wait { ms } = effect {
                waited += ms;
            }
            if waited > 80 {
                world.put(TRANSCRIPT, last.as_str());
            }
            world.perform(&effect)
        });
        assert!((100..=1_000).contains(&waited), "{waited} ms: {first}");
        let run = stored(&world, "implement-checkpoint.json");
        assert_eq!(
            at(&run, "/phases/work/context_summary"),
            expected,
            "{first}"
        );
    }
}

#[test]
fn a_transcript_is_read_from_its_end_and_no_further_than_two_mebibytes() {
    let line = |bytes: usize| {
        let text = "x".repeat(bytes);
        format!("{{\"type\":\"tool.execution_complete\",\"data\":{{\"content\":\"{text}\"}}}}\n")
    };
    let turn = user_message("do") + &assistant_message("Parser written.");
    let written = "\"Parser written.\"";
    assert_eq!(summary_after(&(line(9 << 20) + &turn)), written);
    assert_eq!(
        summary_after(&(line(9 << 20) + &turn + &line(1 << 20))),
        written
    );
    assert_eq!(summary_after(&(turn.clone() + &line(60 << 10))), written);
    assert_eq!(summary_after(&(turn + &line(3 << 20))), "");
}

#[test]
fn a_transcript_that_cannot_be_read_fails_no_event() {
    let world = world();
    send(&world, "postToolUse", ROOT, &create("main.txt"));
    world.put(&format!("{TRANSCRIPT}/inner"), "x");
    for path in ["/nowhere/events.jsonl", TRANSCRIPT, ""] {
        let stop = format!(r#""transcriptPath":"{path}""#);
        assert_eq!(send(&world, "agentStop", ROOT, &stop), None, "{path}");
    }
    let run = stored(&world, "implement-checkpoint.json");
    assert_eq!(at(&run, "/phases/work/context_summary"), "");
}

#[test]
fn the_compaction_of_a_session_that_is_continued_without_saying_so_keeps_a_handoff() {
    let world = world();
    send(&world, "postToolUse", ROOT, &create("main.txt"));
    send(&world, "sessionEnd", ROOT, r#""reason":"complete""#);
    let handoffs = || {
        let files = world.files_below("/repo/.claude/checkpoints").into_iter();
        files.filter(|it| it.ends_with(".yaml")).count()
    };
    let compact = r#""trigger":"manual","customInstructions":"""#;
    send(&world, "preCompact", OUTER, compact);
    assert_eq!(handoffs(), 0, "a session that never worked on it");
    send(&world, "preCompact", ROOT, compact);
    assert_eq!(handoffs(), 1);
}

#[test]
fn copilot_gets_context_in_its_own_form_on_the_entries_of_claude_code() {
    let world = world();
    send(&world, "postToolUse", ROOT, &create("main.txt"));
    let more = r#""source":"new","timestamp":"2026-01-01T00:00:00.000Z""#;
    let start = event(OUTER, "SessionStart", more);
    let printed = output_of(&world, "copilot", None, &start).unwrap();
    let printed = json::read(printed.as_bytes()).unwrap().value;
    let printed = printed.as_object().unwrap();
    assert_eq!(printed.iter().count(), 1);
    let context = printed.get("additionalContext").and_then(Json::as_str);
    assert!(context.unwrap().contains("main.txt"));
    // An equal event of Claude Code has its form.
    let printed = output_of(&world, "claude-code", None, &start).unwrap();
    assert!(
        printed.starts_with(r#"{"hookSpecificOutput":"#),
        "{printed}"
    );
    // Its writes are recorded as its own.
    let more = r#""tool_name":"Write","tool_input":{"path":"/repo/next.txt","file_text":"x"},"tool_result":{"result_type":"success"}"#;
    output_of(&world, "copilot", None, &event(ROOT, "PostToolUse", more));
    let run = stored(&world, "implement-checkpoint.json");
    let agent = at(&run, &format!("/agent_sessions/{ROOT}/agent"));
    assert_eq!(agent, r#""copilot""#);
    assert!(at(&run, "/phases/work/files_created").contains("next.txt"));
}

#[test]
fn after_a_compaction_the_next_event_that_gives_context_has_the_resume_point_once() {
    let prompt = ("userPromptSubmitted", r#""prompt":"go on""#.to_owned());
    let tool = ("postToolUse", create("next.txt"));
    let command = ("userPromptSubmitted", r#""prompt":"/implement""#.to_owned());
    for (event, more) in [prompt, tool, command] {
        let world = world();
        send(&world, "postToolUse", ROOT, &create("main.txt"));
        assert_eq!(send(&world, event, ROOT, r#""prompt":"hello""#), None);
        let compact = r#""trigger":"auto","customInstructions":"""#;
        assert_eq!(send(&world, "preCompact", ROOT, compact), None);
        create_in(&world, OUTER, ROOT, "sub.txt");
        let stop = r#""stopReason":"end_turn""#;
        assert_eq!(send(&world, "agentStop", ROOT, stop), None);
        let answer = send(&world, event, ROOT, &more).unwrap();
        assert!(answer.contains("main.txt"), "{event}: {answer}");
        assert_eq!(
            send(&world, "userPromptSubmitted", ROOT, r#""prompt":"and?""#),
            None
        );
    }
    // Without work there is nothing to say.
    let world = super::world();
    assert_eq!(
        send(&world, "preCompact", ROOT, r#""trigger":"auto""#),
        None
    );
    assert_eq!(
        send(&world, "userPromptSubmitted", ROOT, r#""prompt":"go on""#),
        None
    );
    assert_eq!(checkpoints(&world), [""; 0]);
}
