//! The resume point, and what stopped there.

use milepost::checkpoint::command::context;
use milepost::error::Target;
use milepost::json::{self, Json, Object};

use super::{FILE, ask, phase, value, warnings, world};
use crate::memory::Memory;

/// A world whose `design` stopped in a phase that failed, beside another unfinished run.
fn stopped() -> Memory {
    let world = world();
    let more = [
        ("command", "ship".into()),
        ("phase", "push".into()),
        ("patch", Object::new().with("status", "in_progress").into()),
    ];
    ask(&world, "update_phase", &more);
    phase(
        &world,
        "a",
        r#"{"status":"complete","context_summary":"A is done."}"#,
    );
    phase(&world, "c", "{}");
    phase(
        &world,
        "b",
        r#"{"status":"in_progress","files_created":["b.js"],"files_modified":["a.js","c.js"]}"#,
    );
    phase(
        &world,
        "b",
        r#"{"status":"failed","error":"3 tests fail","context_summary":"Half of B."}"#,
    );
    world
}

/// The answer of `resume_here` about `design`.
fn resumed(world: &Memory) -> Object {
    let reply = ask(world, "resume_here", &[]);
    value(&reply).as_object().unwrap().clone()
}

#[test]
fn resume_here_says_what_stopped() {
    let world = stopped();
    let expected = concat!(
        r#"{"command":"design","feature":null,"phase":"b","status":"failed","error":"3 tests fail","#,
        r#""files_created":["b.js"],"files_modified":["a.js","c.js"],"phase_summary":"Half of B.","#,
        r#""summary":"A is done.","alongside":[],"pending":["c"],"others":[{"command":"ship","feature":null}]}"#
    );
    assert_eq!(Json::from(resumed(&world)).to_line(), expected);
    // Without a name the run is looked for.
    let reply = ask(&world, "resume_here", &[("command", Json::Null)]);
    assert_eq!(value(&reply).to_line(), expected);
}

#[test]
fn resume_here_and_the_context_of_a_session_give_the_same_facts() {
    let world = stopped();
    let run = json::read(world.text(FILE).as_bytes()).unwrap().value;
    let target = Target {
        command: "design".to_owned(),
        feature: None,
    };
    let facts = context::facts(&target, run.as_object().unwrap());
    let resumed = resumed(&world);
    for (member, fact) in [
        ("phase", "phase"),
        ("status", "phase_status"),
        ("error", "phase_error"),
        ("phase_summary", "phase_summary"),
        ("summary", "last_completed_phase_summary"),
        ("alongside", "other_phases_in_progress"),
        ("pending", "pending_phases"),
        ("files_created", "files_created"),
    ] {
        assert_eq!(resumed.get(member), facts.get(fact), "{member}");
    }
}

#[test]
fn a_named_run_that_is_complete_or_missing_has_nothing_to_carry_on_with_beside_the_others() {
    let world = world();
    phase(&world, "a", r#"{"status":"complete"}"#);
    ask(&world, "complete", &[]);
    let push = |status: &str| {
        let more = [
            ("command", "ship".into()),
            ("phase", "push".into()),
            ("patch", Object::new().with("status", status).into()),
        ];
        ask(&world, "update_phase", &more);
    };
    push("in_progress");
    for command in ["design", "review"] {
        let reply = ask(&world, "resume_here", &[("command", command.into())]);
        let expected = format!(
            r#"{{"command":"{command}","feature":null,"phase":null,"status":null,"error":null,"files_created":[],"files_modified":[],"phase_summary":null,"summary":null,"alongside":[],"pending":[],"others":[{{"command":"ship","feature":null}}]}}"#
        );
        assert_eq!(value(&reply).to_line(), expected);
    }
    push("complete");
    ask(&world, "complete", &[("command", "ship".into())]);
    let reply = ask(&world, "resume_here", &[("command", Json::Null)]);
    assert_eq!(value(&reply), &Json::Null);
}

#[test]
fn a_named_run_of_another_branch_is_said_to_be_elsewhere() {
    let world = stopped();
    for (branch, expected) in [("main", None), ("feature/dark", Some(Json::Bool(true)))] {
        let run = json::read(world.text(FILE).as_bytes()).unwrap().value;
        let mut run = run.as_object().unwrap().clone();
        run.set("branch", branch);
        world.put(FILE, Json::from(run).to_line());
        let resumed = resumed(&world);
        assert_eq!(resumed.get("branch"), Some(&Json::from(branch)));
        assert_eq!(resumed.get("is_elsewhere").cloned(), expected, "{branch}");
        let others = resumed.get("others").unwrap().to_line();
        assert_eq!(others, r#"[{"command":"ship","feature":null}]"#);
    }
}

#[test]
fn another_run_that_cannot_be_read_does_not_hide_the_run_that_is_named() {
    let world = stopped();
    world.put("/repo/.claude/state/ship-checkpoint.json", "{ torn");
    let reply = ask(&world, "resume_here", &[]);
    assert_eq!(warnings(&reply), Vec::<&str>::new());
    let others = value(&reply).as_object().unwrap().get("others");
    assert_eq!(others, Some(&Json::Array(Vec::new())));
}

#[test]
fn the_newest_run_is_the_one_that_was_updated_last_complete_or_not() {
    let world = world();
    let newest = |world: &Memory| value(&ask(world, "newest_run", &[])).to_line();
    assert_eq!(newest(&world), "null");
    let save = |command: &str, updated: &str| {
        let completed = r#""2026-01-01T00:00:00.000Z""#;
        let text = format!(
            r#"{{"version":1,"command":"{command}","feature":null,"started_at":"2020-01-01T00:00:00.000Z","updated_at":"{updated}","completed_at":{completed},"state":{{"current_phase":null,"completed_phases":[],"pending_phases":[]}},"phases":{{}}}}"#
        );
        world.put(
            &format!("/repo/.claude/state/{command}-checkpoint.json"),
            &text,
        );
    };
    save("ship", "2026-01-03T00:00:00.000Z");
    save("design", "2026-01-02T00:00:00.000Z");
    assert_eq!(newest(&world), r#"{"command":"ship","feature":null}"#);
    // A clock that was wrong makes no run the newest.
    save("design", "9999-01-02T00:00:00.000Z");
    assert_eq!(newest(&world), r#"{"command":"ship","feature":null}"#);
    world.put("/repo/.claude/state/ship-checkpoint.json", "{ torn");
    assert_eq!(newest(&world), r#"{"command":"design","feature":null}"#);
}
