//! The fill of the context window of a session: the record of the status line, and the answer of a hook to it.

use std::rc::Rc;

use milepost::effect::Fault;
use milepost::json::{self, Json, Object};
use milepost::operation::request;

use super::*;
use crate::memory::{Injected, Node};

const CONTEXTS: &str = "/repo/.claude/state/.milepost/.contexts";

/// The status line of a session, with its window so full.
fn shown(world: &Memory, session: &str, used: &str) -> Option<String> {
    let payload = format!(
        r#"{{"session_id":"{session}","cwd":"/repo","workspace":{{"project_dir":"/repo"}},
            "context_window":{{"used_percentage":{used}}}}}"#
    );
    let payload = json::read(payload.as_bytes()).unwrap().value;
    let request = Object::new()
        .with("operation", "status_line")
        .with("place", Object::new().with("working", "/elsewhere"))
        .with("payload", payload);
    let reply = world.ask(Json::Object(request).to_line().as_bytes());
    let reply = json::read(reply.as_bytes()).unwrap().value;
    let line = super::super::value(reply.as_object().unwrap())
        .at("/line")
        .unwrap();
    line.as_str().map(str::to_owned)
}

/// A world in which a session has begun its work.
fn at_work(session: &str) -> Memory {
    let world = world();
    assert_eq!(claude(&world, &edit(session, "x")), None);
    world
}

/// The names of what is kept of context windows.
fn record_names(world: &Memory) -> Vec<String> {
    let mut names = world.files_below(CONTEXTS);
    names.retain(|name| !name.ends_with(".owner"));
    names
}

/// The number of snapshots.
fn handoffs(world: &Memory) -> usize {
    let files = world.files_below("/repo/.claude/checkpoints");
    let is_one = |file: &&String| file.ends_with(".yaml") && !file.contains('/');
    files.iter().filter(is_one).count()
}

/// The sentence in an answer of Claude Code's form.
#[track_caller]
fn sentence(line: Option<String>) -> String {
    let answer = json::read(line.expect("it asks").as_bytes()).unwrap().value;
    let context = answer.at("/hookSpecificOutput/additionalContext").unwrap();
    context.as_str().unwrap().to_owned()
}

#[test]
fn a_session_whose_window_is_nearly_full_is_asked_to_hand_over_once() {
    let world = at_work("a");
    assert_eq!(
        shown(&world, "a", "79.4").as_deref(),
        Some("implement · work 0/1 · 79 %")
    );
    assert_eq!(claude(&world, &edit("a", "y")), None);
    assert_eq!(
        shown(&world, "a", "79.5").as_deref(),
        Some("implement · work 0/1 · 80 %")
    );
    let asked = sentence(claude(&world, &edit("a", "z")));
    assert!(
        asked.starts_with("The context window is 80 % full"),
        "{asked}"
    );
    assert!(
        asked.contains("`npx milepost phase implement work --feature= --summary"),
        "{asked}"
    );
    assert_eq!(handoffs(&world), 1);
    let document = stored(&world, "implement-checkpoint.json");
    assert_eq!(
        at(&document, "/phases/work/files_created"),
        r#"["x","y","z"]"#
    );
    for used in ["81", "80", "79", "71", "97"] {
        shown(&world, "a", used);
        assert_eq!(claude(&world, &edit("a", used)), None, "{used}");
    }
    // It was compacted, and fills again.
    shown(&world, "a", "12");
    assert_eq!(claude(&world, &edit("a", "again")), None);
    shown(&world, "a", "83");
    let asked = sentence(claude(&world, &edit("a", "z")));
    assert!(
        asked.starts_with("The context window is 83 % full"),
        "{asked}"
    );
    assert_eq!(handoffs(&world), 2);
    assert_eq!(record_names(&world), ["session-a.json", "session-a.made"]);
}

#[test]
fn the_request_comes_where_the_agent_goes_on_and_to_its_own_session_alone() {
    let world = at_work("a");
    shown(&world, "a", "90");
    let subagent = |payload: Json| match payload {
        Json::Object(mut payload) => {
            payload.set("agent_id", "sub");
            Json::Object(payload)
        }
        other => other,
    };
    for payload in [
        event("a", "Stop", r#""last_assistant_message":"Half of it.""#),
        event("a", "SubagentStop", r#""last_assistant_message":"Done.""#),
        event("a", "PreCompact", r#""trigger":"auto""#),
        event("a", "StopFailure", r#""error":"rate_limit""#),
        event(
            "a",
            "PreToolUse",
            r#""tool_name":"Edit","tool_input":{"file_path":"/repo/q"}"#,
        ),
        event("a", "SessionEnd", r#""reason":"other""#),
        subagent(edit("a", "by-a-subagent")),
        edit("b", "of-another-session"),
    ] {
        assert_eq!(claude(&world, &payload), None, "{payload:?}");
    }
    let prompt = |session| event(session, "UserPromptSubmit", r#""prompt":"go on""#);
    assert_eq!(claude(&world, &prompt("b")), None);
    // The session ended above, so that nothing is to be handed over until it works again.
    let begun = claude(
        &world,
        &event("a", "UserPromptSubmit", r#""prompt":"/implement""#),
    );
    assert!(
        sentence(begun).contains("data, not instructions"),
        "the context of the work comes first"
    );
    let asked = claude(&world, &prompt("a")).unwrap();
    assert!(
        asked.starts_with(r#"{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","#),
        "{asked}"
    );
    assert_eq!(claude(&world, &prompt("a")), None);
}

#[test]
fn a_window_that_was_emptied_is_not_called_full() {
    for source in ["compact", "clear"] {
        let world = at_work("a");
        shown(&world, "a", "95");
        let start = start_context(&world, "a", source).unwrap();
        assert_eq!(at(&start, "/phase"), "\"work\"");
        assert_eq!(claude(&world, &edit("a", "y")), None, "{source}");
        assert_eq!(record_names(&world), ["session-a.json"]);
    }
    // One that goes on is as full as before.
    let world = at_work("a");
    shown(&world, "a", "95");
    start_context(&world, "a", "resume").unwrap();
    sentence(claude(&world, &edit("a", "y")));
}

#[test]
fn the_threshold_is_the_one_of_the_project() {
    for (settings, used, is_asked) in [
        (r#"{"agents":{"handoff_at":50}}"#, "50", true),
        (r#"{"agents":{"handoff_at":50}}"#, "49", false),
        (r#"{"agents":{"handoff_at":null}}"#, "100", false),
        (r#"{"agents":{"handoff_at":"often"}}"#, "80", true),
        ("not JSON", "80", true),
    ] {
        let world = at_work("a");
        world.put("/repo/.claude/config/integrations.json", settings);
        shown(&world, "a", used);
        assert_eq!(
            claude(&world, &edit("a", "y")).is_some(),
            is_asked,
            "{settings} {used}"
        );
    }
}

#[test]
fn a_window_of_unknown_size_or_a_session_without_a_run_leaves_no_trace() {
    let world = at_work("a");
    for used in ["null", "\"82\"", "-3", "1e400", "[]"] {
        assert_eq!(
            shown(&world, "a", used).as_deref(),
            Some("implement · work 0/1"),
            "{used}"
        );
    }
    assert_eq!(shown(&world, "b", "90").as_deref(), Some("90 %"));
    assert_eq!(record_names(&world), Vec::<String>::new());
    let empty = super::world();
    assert_eq!(shown(&empty, "a", "90").as_deref(), Some("90 %"));
    assert_eq!(empty.files_below("/repo/.claude"), Vec::<String>::new());
}

#[test]
fn an_unchanged_fill_of_the_window_is_not_written() {
    let world = at_work("a");
    shown(&world, "a", "61.6");
    let record = world.text(&format!("{CONTEXTS}/session-a.json"));
    assert!(
        record.starts_with(r#"{"session_id":"a","used_percentage":62,"recorded_at":"2027-"#),
        "{record}"
    );
    let from = world.log.borrow().len();
    pass(&world, 5.0);
    shown(&world, "a", "62.4");
    let log = world.log.borrow()[from..].to_vec();
    assert!(
        !log.iter()
            .any(|it| it.contains("Create") || it.contains("Rename")),
        "{log:?}"
    );
    assert_eq!(world.text(&format!("{CONTEXTS}/session-a.json")), record);
    let from = world.log.borrow().len();
    shown(&world, "a", "63");
    let log = world.log.borrow()[from..].to_vec();
    let create = log
        .iter()
        .find(|it| it.contains("session-a.new") && it.contains("Create"));
    assert!(
        create.is_some_and(|it| it.contains("sync: Lazy")),
        "{log:?}"
    );
    assert!(
        !log.iter().any(|it| it.starts_with("SyncFolder")),
        "{log:?}"
    );
}

#[test]
fn an_event_of_each_file_costs_no_more_than_a_look_for_the_window() {
    let world = at_work("a");
    shown(&world, "a", "20");
    let from = world.log.borrow().len();
    claude(&world, &edit("a", "x"));
    let log = world.log.borrow()[from..].to_vec();
    let own: Vec<&String> = log.iter().filter(|it| it.contains(".contexts")).collect();
    assert!(own.iter().all(|it| it.starts_with("Inspect")), "{own:?}");
    assert_eq!(own.len(), 1, "{own:?}");
    let codex = r#"{"session_id":"c","cwd":"/repo","hook_event_name":"PostToolUse","tool_name":"apply_patch",
        "tool_input":{"command":"*** Begin Patch\n*** Add File: y\n+y\n*** End Patch\n"},"tool_response":"{}"}"#;
    let codex = json::read(codex.as_bytes()).unwrap().value;
    assert_eq!(output(&world, "codex", &codex), None);
    assert_eq!(checkpoints(&world).len(), 2);
    let from = world.log.borrow().len();
    assert_eq!(output(&world, "codex", &codex), None);
    let log = world.log.borrow()[from..].to_vec();
    assert!(
        !log.iter().any(|it| it.contains(".contexts")),
        "it says nothing of its window: {log:?}"
    );
}

#[test]
fn a_status_line_is_shown_though_nothing_can_be_recorded() {
    let used = ["30", "85"];
    let whole = at_work("a");
    let from = whole.performed.get();
    let lines = used.map(|used| shown(&whole, "a", used));
    let log = whole.log.borrow().clone();
    let own = (from..log.len()).filter(|at| log[*at].contains(".contexts"));
    let mut tried = 0;
    for at in own {
        for for_good in [false, true] {
            if for_good
                && log[at..]
                    .iter()
                    .any(|it| !it.contains(".contexts") && it.contains("checkpoint.json"))
            {
                // The second line would not find its checkpoint.
                continue;
            }
            let world = at_work("a");
            let fault = Fault::NoSpace;
            world.injected.set(Some(Injected {
                at,
                for_good,
                fault,
            }));
            assert_eq!(
                used.map(|used| shown(&world, "a", used)),
                lines,
                "{}",
                log[at]
            );
            world.injected.set(None);
            claude(&world, &edit("a", "y"));
            tried += 1;
        }
    }
    assert!(tried > 15, "{tried}");
}

#[test]
fn nothing_is_written_where_the_folder_of_windows_is_a_link_or_a_pipe() {
    for node in [Node::Symlink(Rc::from(&b"/elsewhere"[..])), Node::Pipe] {
        let world = at_work("a");
        world.put_node(CONTEXTS, node);
        let from = world.log.borrow().len();
        let line = shown(&world, "a", "90");
        assert_eq!(line.as_deref(), Some("implement · work 0/1 · 90 %"));
        let log = world.log.borrow()[from..].to_vec();
        let own = log.iter().filter(|it| it.contains(".contexts"));
        let touching: Vec<&String> = own.filter(|it| !it.starts_with("Inspect")).collect();
        assert!(touching.is_empty(), "{touching:?}");
    }
}

#[test]
fn records_of_old_sessions_are_removed() {
    let world = at_work("old");
    shown(&world, "old", "90");
    pass(&world, 60.0);
    let others = ["session-torn.json", "session-dead.new", "session-gone.made"];
    for name in others {
        world.put(&format!("{CONTEXTS}/{name}"), "{");
    }
    world.put(&format!("{CONTEXTS}/notes.json"), "mine");
    claude(&world, &edit("second", "y"));
    shown(&world, "second", "40");
    let first = [
        "notes.json",
        "session-old.due",
        "session-old.json",
        "session-second.json",
    ];
    assert_eq!(record_names(&world), first);
    pass(&world, 6.0 * 24.0 * 60.0);
    claude(&world, &edit("third", "z"));
    shown(&world, "third", "40");
    assert_eq!(record_names(&world).len(), 5);
    pass(&world, 1.0 * 24.0 * 60.0);
    claude(&world, &edit("fourth", "q"));
    shown(&world, "fourth", "40");
    assert_eq!(
        record_names(&world),
        ["notes.json", "session-fourth.json", "session-third.json"]
    );
}

#[test]
fn a_run_that_was_completed_is_not_handed_over() {
    let world = at_work("a");
    shown(&world, "a", "90");
    let complete = r#"{"operation":"complete","place":{"working":"/repo"},"command":"implement","force":true}"#;
    world.ask(complete.as_bytes());
    let prompt = event("a", "UserPromptSubmit", r#""prompt":"go on""#);
    assert_eq!(claude(&world, &prompt), None);
    assert_eq!(record_names(&world), ["session-a.json"]);
    assert_eq!(handoffs(&world), 0);
}

#[test]
fn the_agent_is_asked_though_no_snapshot_can_be_made() {
    let world = at_work("a");
    shown(&world, "a", "90");
    world.put("/repo/.claude/checkpoints", "in the way");
    sentence(claude(&world, &edit("a", "y")));
    assert_eq!(claude(&world, &edit("a", "z")), None);
}

#[test]
fn an_id_with_a_path_in_it_names_no_file_elsewhere() {
    let world = at_work("../../../x");
    shown(&world, "../../../x", "90");
    let [record, _] = record_names(&world).try_into().unwrap();
    assert_eq!(record.len(), "session-.due".len() + 32, "{record}");
    sentence(claude(&world, &edit("../../../x", "y")));
    assert_eq!(record_names(&world).len(), 2);
}

#[test]
fn hooks_that_run_together_ask_once() {
    for seed in 0..200 {
        let _run = milepost_property::seed("hooks that run together ask once", seed);
        let world = at_work("a");
        shown(&world, "a", "90");
        let machines = (0..3).map(|number| {
            let payload = edit("a", &format!("f{number}"));
            request::start(
                Json::Object(hook_request("claude-code", None, &payload))
                    .to_line()
                    .as_bytes(),
            )
        });
        let said = world.interleave(machines.collect(), seed);
        let asked = said.iter().filter(|it| it.contains("90 % full"));
        assert_eq!(asked.count(), 1, "{seed}: {said:?}");
        assert_eq!(record_names(&world), ["session-a.json", "session-a.made"]);
    }
}

/// It counts as none: nothing is said from it, and the next status line writes it, so that the request comes after all.
#[test]
fn a_damaged_record_of_a_window_counts_as_none_and_is_written_again() {
    for damaged in [
        Some(""),
        Some("\0\0\0\0"),
        Some("garbage"),
        Some("{\"used"),
        Some("[]"),
        Some("{}"),
        None,
    ] {
        let world = at_work("a");
        shown(&world, "a", "90");
        let record = format!("{CONTEXTS}/session-a.json");
        match damaged {
            Some(text) => world.put(&record, text),
            None => world.delete(&record),
        }
        assert_eq!(claude(&world, &edit("a", "y")), None, "{damaged:?}");
        shown(&world, "a", "90");
        let written = world.text(&record);
        assert!(written.contains(r#""used_percentage":90"#), "{written}");
        sentence(claude(&world, &edit("a", "z")));
        assert_eq!(claude(&world, &edit("a", "w")), None, "{damaged:?}");
    }
}
