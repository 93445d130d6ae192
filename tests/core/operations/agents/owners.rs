//! The owner of a run: one that died, one that lives, and one whose run is taken over.

use super::steps::{PLAN, end, holders, processes, prompt, stop, todos, world_on};
use super::*;

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
fn a_command_beside_a_living_owner_names_the_free_run_that_it_gets_and_the_one_that_is_owned() {
    let world = world_on("feature-a");
    todos(&world, "a", PLAN);
    // An empty run of another feature, which its session has left.
    prompt(&world, "c", "/implement other");
    end(&world, "c");
    let facts = prompt(&world, "b", "/implement").unwrap();
    let notice = at(&facts, "/notice");
    for part in [
        "Another session (claude-code) was here",
        "resume implement --feature feature-a --take",
        "That run is implement (feature feature-a); this session works on implement (feature other).",
    ] {
        assert!(notice.contains(part), "{notice}");
    }
    claude(&world, &edit("b", "y"));
    assert_eq!(holders(&world, "y"), ["implement-other.json"]);
    // It has it by then.
    let facts = prompt(&world, "b", "/implement").unwrap();
    assert_eq!(at(&facts, "/notice"), "");
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
