//! Snapshots, from request to reply, in a world of memory.

mod ids;
mod register;
mod removal;

use milepost::checkpoint::session::id::SnapshotId;
use milepost::effect::Fault;
use milepost::error::Code;
use milepost::json::{self, Json, Object};
use milepost::operation::request;

use super::{ask, code, phase, value, warnings, world};
use crate::memory::{Injected, Memory};

const FOLDER: &str = "/repo/.claude/checkpoints";
const FIRST: &str = "chk-20270115-080000";

/// Asks for an operation that names no command. There are no objects in the repository, so that no files
/// are kept.
fn session(world: &Memory, operation: &str, more: &[(&str, Json)]) -> Object {
    let reply = world.ask(line(operation, more).as_bytes());
    match json::read(reply.as_bytes()).unwrap().value {
        Json::Object(reply) => reply,
        other => panic!("{other:?}"),
    }
}

fn line(operation: &str, more: &[(&str, Json)]) -> String {
    let mut request = Object::from_iter([("operation", Json::from(operation))]);
    request.set("place", Object::from_iter([("working", "/repo")]));
    for (key, value) in more {
        request.set(key, value.clone());
    }
    if operation == "create_session" {
        request.set("files", false);
    }
    Json::Object(request).to_line()
}

fn create(world: &Memory) -> Object {
    session(world, "create_session", &[("reason", "handoff".into())])
}

fn id(reply: &Object) -> String {
    text(value(reply), "/id")
}

#[track_caller]
fn text(json: &Json, at: &str) -> String {
    let found = json.at(at).and_then(Json::as_str);
    found
        .unwrap_or_else(|| panic!("no {at} in {}", json.to_line()))
        .to_owned()
}

fn listed(world: &Memory) -> Vec<String> {
    let reply = session(world, "list_sessions", &[("archived", true.into())]);
    let all = value(&reply).as_array().unwrap();
    all.iter().map(|one| text(one, "/id")).collect()
}

fn wait(world: &Memory, ms: f64) {
    world.now_ms.set(world.now_ms.get() + ms);
}

fn document(world: &Memory, id: &str) -> Json {
    let reply = session(world, "load_session", &[("id", id.into())]);
    value(&reply).at("/document").unwrap().clone()
}

#[test]
fn a_snapshot_is_made_of_what_the_run_records() {
    let world = world();
    phase(
        &world,
        "parser",
        r#"{"status":"complete","context_summary":"Parser done.",
        "evidence":"3/3","files_created":["a.rs"]}"#,
    );
    phase(
        &world,
        "printer",
        r#"{"status":"in_progress","files_modified":["b.rs"]}"#,
    );
    phase(&world, "tests", "{}");
    let more = [
        ("reason", "handoff".into()),
        ("message", "80% tokens".into()),
    ];
    let made = session(&world, "create_session", &more);
    assert_eq!((id(&made).as_str(), warnings(&made)), (FIRST, vec![]));
    assert_eq!(
        text(value(&made), "/path"),
        ".claude/checkpoints/chk-20270115-080000.yaml"
    );
    let document = document(&world, FIRST);
    for (at, expected) in [
        ("/reason", r#""handoff""#),
        ("/message", r#""80% tokens""#),
        ("/created_at", r#""2027-01-15T08:00:00Z""#),
        ("/task/id", r#""design""#),
        ("/progress/current_phase", "2"),
        ("/progress/total_phases", "3"),
        (
            "/progress/completed",
            r#"[{"phase":1,"name":"parser","evidence":"3/3"}]"#,
        ),
        ("/files/created", r#"["a.rs"]"#),
        ("/files/modified", r#"["b.rs"]"#),
        ("/resume/can_resume", "true"),
        (
            "/resume/instructions",
            r#""Continue with phase 2: printer""#,
        ),
        (
            "/head_commit",
            r#""d36b6b4a1e2f3c4d5e6f7a8b9c0d1e2f3a4b5c6d""#,
        ),
        ("/checkpoint/revision", "3"),
    ] {
        let found = document.at(at).map(Json::to_line);
        assert_eq!(found.as_deref(), Some(expected), "{at}");
    }
    let restored = session(&world, "restore_session", &[("latest", true.into())]);
    let resume = text(value(&restored), "/resume");
    assert!(
        resume.contains("Next:\n  Continue with phase 2: printer\n"),
        "{resume}"
    );
    assert!(resume.contains("Parser done."), "{resume}");
}

#[test]
fn a_new_snapshot_lists_the_others_once() {
    let world = world();
    let settings = r#"{"sessions": {"keep": 2}}"#;
    world.put("/repo/.claude/config/integrations.json", settings);
    for _ in 0..3 {
        wait(&world, 1_000.0);
        create(&world);
    }
    assert_eq!(
        listed(&world).len(),
        2,
        "one was removed, and stands in the register"
    );
    world.put(
        "/repo/.claude/config/integrations.json",
        r#"{"sessions": {"keep": 9}}"#,
    );
    wait(&world, 1_000.0);
    world.log.borrow_mut().clear();
    create(&world);
    let log = world.log.borrow();
    let begin = format!("List {{ path: \"{FOLDER}\",");
    let listings = log.iter().filter(|it| it.starts_with(&begin));
    assert_eq!(listings.count(), 1, "{log:#?}");
}

#[test]
fn a_snapshot_is_made_of_the_run_that_was_updated_last_even_if_it_is_complete() {
    let world = world();
    phase(&world, "a", r#"{"status":"in_progress"}"#);
    wait(&world, 1_000.0);
    let ship = [("command", "ship".into()), ("phase", "tag".into())];
    let patch = json::read(br#"{"status":"complete"}"#).unwrap().value;
    ask(
        &world,
        "update_phase",
        &[&ship[..], &[("patch", patch)]].concat(),
    );
    ask(&world, "complete", &ship[..1]);
    let made = document(&world, &id(&create(&world)));
    assert_eq!(text(&made, "/task/id"), "ship");
    assert_eq!(made.at("/resume/can_resume"), Some(&Json::Bool(false)));
    let named = [("reason", "error".into()), ("command", "design".into())];
    let made = document(&world, &id(&session(&world, "create_session", &named)));
    assert_eq!(text(&made, "/task/id"), "design");
    let named = [("reason", "error".into()), ("command", "start".into())];
    let missing = session(&world, "create_session", &named);
    assert_eq!(code(&missing), Code::NotFound.as_str());
}

#[test]
fn a_corrupt_run_does_not_keep_a_snapshot_from_being_made() {
    let world = world();
    phase(&world, "a", r#"{"status":"in_progress"}"#);
    world.put(super::FILE, "{ torn");
    let made = create(&world);
    assert_eq!(warnings(&made), ["corrupt"]);
    assert_eq!(
        document(&world, &id(&made)).at("/task/id"),
        Some(&Json::Null)
    );
}

#[test]
fn no_secret_is_written_into_a_snapshot() {
    let world = world();
    let secret = ["ghp_", "1234567890abcdefghijklmnopqrstuvwxyzAB"].concat();
    let given = Object::new()
        .with("context_summary", format!("use {secret} there"))
        .with("notes", vec![Json::from(secret.as_str())]);
    let more = [
        ("reason", "handoff".into()),
        ("message", format!("token {secret}").into()),
        ("given", given.into()),
    ];
    let made = session(&world, "create_session", &more);
    assert_eq!(value(&made).at("/redacted").and_then(Json::as_u64), Some(3));
    let file = world.text(&format!("{FOLDER}/{FIRST}.yaml"));
    assert!(!file.contains(&secret), "{file}");
    assert!(file.contains("use [REDACTED:"), "{file}");
}

#[test]
fn wrong_arguments_publish_nothing() {
    let world = world();
    let long = "word ".repeat(501);
    for (given, expected) in [
        (
            Object::new().with("context_summary", long),
            Code::SummaryTooLong,
        ),
        (
            Object::new().with("decisions", "none"),
            Code::InvalidDocument,
        ),
        (
            Object::new().with("progress", Object::new().with("completed", 3_u64)),
            Code::InvalidDocument,
        ),
    ] {
        let more = [("reason", "handoff".into()), ("given", given.into())];
        let refused = session(&world, "create_session", &more);
        assert_eq!(code(&refused), expected.as_str());
    }
    let refused = session(&world, "create_session", &[("reason", "whim".into())]);
    assert_eq!(code(&refused), Code::Usage.as_str());
    assert!(world.files_below(FOLDER).is_empty());
}

#[test]
fn a_second_list_of_many_snapshots_reads_none_of_them() {
    const MANY: usize = 24;
    let world = world();
    world.put(
        "/repo/.claude/config/integrations.json",
        r#"{"sessions": {"keep": 1000}}"#,
    );
    let mut made: Vec<String> = (0..MANY).map(|_| id(&create(&world))).collect();
    made.reverse();
    wait(&world, 10_000.0);
    let list = |limit: Option<u64>| {
        world.log.borrow_mut().clear();
        let more = limit.map(|limit| ("limit", Json::from(limit)));
        let reply = session(&world, "list_sessions", &Vec::from_iter(more));
        let log = world.log.borrow();
        let reads = log.iter().filter(|it| it.starts_with("Part ")).count();
        (value(&reply).clone(), reads)
    };
    let (first, reads) = list(None);
    assert_eq!(reads, MANY);
    let ids = first.as_array().unwrap().iter();
    assert_eq!(ids.map(|one| text(one, "/id")).collect::<Vec<_>>(), made);
    assert_eq!(list(None), (first.clone(), 0));
    assert_eq!(list(Some(20)).1, 0);
    assert_eq!(list(None).1, 0, "a part of a list is not kept for all");

    // Edited and new ones are read.
    let file = format!("{FOLDER}/{}.yaml", made[20]);
    let edited = world.text(&file).replace("handoff", "errored");
    world.put(&file, edited.as_str());
    wait(&world, 10_000.0);
    create(&world);
    wait(&world, 10_000.0);
    let (second, reads) = list(None);
    assert_eq!(reads, 2);
    assert_eq!(text(&second, "/21/reason"), "errored");
    world.has_dates.set(false);
    assert_eq!(list(None), (second, MANY + 1), "the same without a hint");
}

#[test]
fn an_ambiguous_restore_is_refused() {
    let world = world();
    let latest = ("latest", Json::from(true));
    assert_eq!(
        code(&session(&world, "restore_session", &[])),
        Code::Usage.as_str()
    );
    let both = [("id", FIRST.into()), latest.clone()];
    assert_eq!(
        code(&session(&world, "restore_session", &both)),
        Code::Usage.as_str()
    );
    let none = session(&world, "restore_session", std::slice::from_ref(&latest));
    assert_eq!(code(&none), Code::NotFound.as_str());
    let missing = session(&world, "restore_session", &[("id", FIRST.into())]);
    assert_eq!(code(&missing), Code::NotFound.as_str());
    for bad in [
        "../x",
        "chk-20270115-080000/..",
        "chk-20270115-080000.yaml",
        "",
    ] {
        let refused = session(&world, "load_session", &[("id", bad.into())]);
        assert_eq!(code(&refused), Code::InvalidName.as_str(), "{bad:?}");
    }
    create(&world);
    world.put(
        "/repo/.git/refs/heads/main",
        format!("{}\n", "0".repeat(40)),
    );
    let restored = session(&world, "restore_session", &[latest]);
    assert_eq!(warnings(&restored), ["stale"]);
}

#[test]
fn snapshots_of_a_complete_run_are_archived() {
    let world = world();
    phase(&world, "a", r#"{"status":"complete"}"#);
    let first = id(&create(&world));
    let none = session(&world, "archive_sessions", &[]);
    assert_eq!(value(&none).to_line(), "[]");
    ask(&world, "complete", &[]);
    let dry = session(&world, "archive_sessions", &[("dry_run", true.into())]);
    assert_eq!(text(value(&dry), "/0/id"), first);
    let done = session(&world, "archive_sessions", &[]);
    assert_eq!(
        text(value(&done), "/0/path"),
        format!(".claude/checkpoints/archive/{first}.yaml")
    );
    assert_eq!(
        value(&session(&world, "list_sessions", &[])).to_line(),
        "[]"
    );
    assert_eq!(listed(&world), std::slice::from_ref(&first));
    let loaded = session(&world, "load_session", &[("id", first.as_str().into())]);
    assert_eq!(value(&loaded).at("/archived"), Some(&Json::Bool(true)));
    let second = id(&create(&world));
    assert_eq!(second, format!("{FIRST}-2"));
}

#[test]
fn a_death_in_an_operation_leaves_whole_snapshots_and_loses_none() {
    let _run =
        milepost_property::run("a death in an operation leaves whole snapshots and loses none");
    for operation in [
        "create_session",
        "clean_up_sessions",
        "archive_sessions",
        "pin_session",
    ] {
        for at in 0..90 {
            let world = world();
            world.put(
                "/repo/.claude/config/integrations.json",
                r#"{"sessions": {"keep": 2}}"#,
            );
            let made: Vec<String> = (0..2).map(|_| id(&create(&world))).collect();
            world.put(
                "/repo/.claude/config/integrations.json",
                r#"{"sessions": {"keep": 1}}"#,
            );
            world.injected.set(Some(Injected {
                at: world.performed.get() + at,
                for_good: true,
                fault: Fault::Other,
            }));
            let more: &[(&str, Json)] = match operation {
                "create_session" => &[("reason", "handoff".into())],
                "archive_sessions" | "pin_session" => &[("id", made[0].as_str().into())],
                _ => &[],
            };
            world.run(request::start(line(operation, more).as_bytes()));
            world.injected.set(None);
            // Everything that is listed can be read, and the newest is never lost.
            let all = listed(&world);
            let newest: SnapshotId = all[0].parse().unwrap();
            assert!(
                newest >= made[1].parse().unwrap(),
                "{operation} {at}: {all:?}"
            );
            for id in &all {
                document(&world, id);
            }
            let next = id(&create(&world));
            assert!(!made.contains(&next), "{operation} {at}");
        }
    }
}

#[test]
fn snapshots_of_equal_content_do_not_differ() {
    let world = world();
    phase(&world, "a", r#"{"status":"in_progress"}"#);
    let first = id(&create(&world));
    phase(&world, "a", r#"{"status":"complete"}"#);
    let second = id(&create(&world));
    let diff = |from: &str, to: &str| {
        let more = [("from", from.into()), ("to", to.into())];
        let reply = session(&world, "diff_sessions", &more);
        value(&reply)
            .at("/changes")
            .unwrap()
            .as_array()
            .unwrap()
            .len()
    };
    assert_eq!(diff(&first, &first), 0);
    assert!(diff(&first, &second) > 2);
}
