//! Facts for a viewer: where documents are stored, and which of them may be handed on.

use milepost::json::{Json, Object};

use super::{HEAD, ask, code, phase, value, world};
use crate::memory::{Memory, Node};

fn sources(world: &Memory, more: &[(&str, Json)]) -> Object {
    let reply = ask(world, "sources", more);
    value(&reply).as_object().unwrap().clone()
}

fn text<'a>(sources: &'a Object, name: &str, member: &str) -> &'a str {
    let source = sources.get(name).and_then(Json::as_object).unwrap();
    source.get(member).and_then(Json::as_str).unwrap()
}

fn checkpoints(targets: &[(&str, Option<&str>)]) -> (&'static str, Json) {
    let target = |(command, feature): &(&str, Option<&str>)| {
        Json::from(
            Object::new()
                .with("command", *command)
                .with("feature", feature.map(str::to_owned)),
        )
    };
    let targets: Vec<Json> = targets.iter().map(target).collect();
    ("checkpoints", Json::from(targets))
}

#[test]
fn a_viewer_looks_where_the_store_does() {
    let world = world();
    phase(&world, "a", r#"{"status":"complete"}"#);
    let found = sources(&world, &[]);
    for (name, path) in [
        ("state", ".claude/state"),
        ("sessions", ".claude/checkpoints"),
        ("archive", ".claude/checkpoints/archive"),
        ("tasks", ".claude/state/tasks"),
        ("threads", ".claude/state/threads"),
        ("side", ".claude/state/.milepost"),
        ("settings", ".claude/config/integrations.json"),
    ] {
        assert_eq!(text(&found, name, "path"), path);
        assert_eq!(text(&found, name, "host"), format!("/repo/{path}"));
    }
    assert_eq!(found.get("name").and_then(Json::as_str), Some("repo"));
    assert_eq!(found.get("head").and_then(Json::as_str), Some(HEAD));
    assert_eq!(found.get("git").and_then(Json::as_str), Some("/repo/.git"));
    let side = found.get("side").and_then(Json::as_object).unwrap();
    let side = side.get("way").unwrap().to_line();
    assert_eq!(
        side,
        r#"["/repo/.claude","/repo/.claude/state","/repo/.claude/state/.milepost"]"#
    );
    let settings = found.get("settings").and_then(Json::as_object).unwrap();
    assert_eq!(
        settings.get("way").unwrap().to_line(),
        r#"["/repo/.claude","/repo/.claude/config"]"#
    );
}

#[test]
fn a_folder_elsewhere_is_called_by_its_last_name() {
    let world = world();
    let place = Object::from_iter([("working", "/repo"), ("dir", "/data/kept/state")]);
    let found = sources(&world, &[("place", place.into())]);
    for (name, path, host) in [
        ("state", "state", "/data/kept/state"),
        (
            "sessions",
            "state/checkpoints",
            "/data/kept/state/checkpoints",
        ),
        ("tasks", "state/tasks", "/data/kept/state/tasks"),
        ("side", "state/.milepost", "/data/kept/state/.milepost"),
    ] {
        assert_eq!(text(&found, name, "path"), path);
        assert_eq!(text(&found, name, "host"), host);
    }
    // Folders above it are the caller's.
    let tasks = found.get("tasks").and_then(Json::as_object).unwrap();
    assert_eq!(
        tasks.get("way").unwrap().to_line(),
        r#"["/data/kept/state","/data/kept/state/tasks"]"#
    );
}

#[test]
fn the_history_of_a_run_whose_name_has_capitals_is_found() {
    let world = world();
    let more = ("feature", Json::from("Dark-Mode"));
    let patch = Object::from_iter([("status", "complete")]);
    let saved = ask(
        &world,
        "update_phase",
        &[more, ("phase", "a".into()), ("patch", patch.into())],
    );
    value(&saved);
    let found = sources(&world, &[checkpoints(&[("design", Some("Dark-Mode"))])]);
    let files = found.get("checkpoints").unwrap().to_line();
    assert_eq!(
        files,
        r#"[{"document":".claude/state/design-Dark-Mode.json","side":".claude/state/.milepost/design-dark-mode/design-Dark-Mode"}]"#
    );
}

#[test]
fn a_run_that_does_not_exist_is_refused() {
    let world = world();
    phase(&world, "a", r#"{"status":"complete"}"#);
    for (target, expected) in [
        (("review", None), "not_found"),
        (("design", Some("x")), "not_found"),
        (("audit", None), "invalid_name"),
        (("design", Some("../x")), "invalid_name"),
    ] {
        let reply = ask(
            &world,
            "sources",
            &[checkpoints(&[("design", None), target])],
        );
        assert_eq!(code(&reply), expected, "{target:?}");
    }
}

#[test]
fn settings_that_cannot_be_read_do_not_stop_the_viewer() {
    let world = world();
    world.put("/repo/.claude/config/integrations.json", "{");
    let found = sources(&world, &[]);
    assert_eq!(found.get("commands").unwrap().to_line(), "[]");
}

#[test]
fn a_copy_without_secrets_is_not_shown_as_edited_by_hand() {
    let world = world();
    // As an older version stored it.
    world.put(
        "/repo/.claude/config/integrations.json",
        r#"{"redaction": {"allow": ["token"]}}"#,
    );
    let secret = "ghp_0123456789abcdefghijABCDEFGHIJ456789";
    let patch = format!(r#"{{"status":"complete","context_summary":"with {secret}"}}"#);
    phase(&world, "a", &patch);
    let file = "/repo/.claude/state/design-checkpoint.json";
    let stored = world.text(file);
    let more = [
        ("name", Json::from("design-checkpoint.json")),
        ("text", Json::from(stored.as_str())),
    ];
    let reply = ask(&world, "redact_file", &more);
    let redacted = value(&reply).as_object().unwrap();
    let text = redacted.get("text").and_then(Json::as_str).unwrap();
    assert!(!text.contains(secret), "{text}");

    let copy = Memory::new();
    copy.put(file, text);
    let loaded = ask(&copy, "load", &[]);
    value(&loaded);
    assert_eq!(loaded.get("warnings").unwrap().to_line(), "[]");
    // It is no copy that the store would take for its own history.
    assert_ne!(text, stored);
}

#[test]
fn a_project_is_known_by_its_repository_or_its_state() {
    let of = |world: &Memory| {
        let reply = ask(world, "project", &[]);
        value(&reply).to_line()
    };
    let expected_project = |branch: &str, repository: bool, state: bool| {
        format!(
            r#"{{"root":"/repo","branch":{branch},"has_repository":{repository},"has_state":{state}}}"#
        )
    };
    let repository = world();
    assert_eq!(of(&repository), expected_project(r#""main""#, true, false));
    repository.put("/repo/.git/HEAD", format!("{HEAD}\n"));
    assert_eq!(of(&repository), expected_project("null", true, false));

    let folder = Memory::new();
    folder.put("/repo/a.txt", "");
    assert_eq!(of(&folder), expected_project("null", false, false));
    phase(&folder, "a", "{}");
    assert_eq!(of(&folder), expected_project("null", false, true));
}

#[test]
fn a_folder_of_runs_that_is_a_link_has_no_distances_and_is_no_failure() {
    let world = world();
    world.put_node("/repo/.claude/state", Node::dangling());
    let reply = ask(&world, "since_recorded", &[]);
    assert_eq!(value(&reply).to_line(), "[]");
}

/// The reply of an operation in a database, or in the files of its mirror.
fn at(
    world: &Memory,
    (dir, storage): (&str, &str),
    operation: &str,
    more: &[(&str, Json)],
) -> String {
    let place = Object::new()
        .with("working", "/repo")
        .with("dir", dir)
        .with("storage", storage);
    let mut request = Object::new()
        .with("operation", operation)
        .with("place", place);
    for (key, value) in more {
        request.set(key, value.clone());
    }
    let reply = world.ask(Json::Object(request).to_line().as_bytes());
    assert!(reply.starts_with(r#"{"ok":true"#), "{operation}: {reply}");
    reply
}

const DATABASE: (&str, &str) = ("/shop", "records");
const MIRROR: (&str, &str) = ("/mirror", "files");

/// Brings the mirror up to the database, and returns the reply.
fn mirror(world: &Memory) -> String {
    at(world, DATABASE, "sources", &[("mirror", MIRROR.0.into())])
}

fn save_all(world: &Memory, status: &str) {
    for name in ["a", "b", "c"] {
        let patch = Object::new().with("status", status);
        let more = [
            ("command", Json::from("design")),
            ("phase", name.into()),
            ("patch", patch.into()),
        ];
        at(world, DATABASE, "update_phase", &more);
        let state = Object::new()
            .with("id", format!("{name}-{status}"))
            .with("taskId", "task")
            .with("agentId", "agent-1")
            .with("stepIndex", 1)
            .with("totalSteps", 3)
            .with("context", Object::new())
            .with("completedSteps", Vec::<Json>::new())
            .with("pendingSteps", vec!["step-2"])
            .with("createdAt", "2026-01-29T10:30:00.000Z");
        at(world, DATABASE, "save_task", &[("state", state.into())]);
    }
}

#[test]
fn a_mirror_of_a_database_reads_as_the_database_does() {
    let world = world();
    world.put_node("/mirror", Node::Folder);
    for status in ["in_progress", "complete"] {
        save_all(&world, status);
        mirror(&world);
        let of_design = [("command", Json::from("design"))];
        let of_all: [(&str, Json); 0] = [];
        for (operation, more) in [
            ("list", &of_all[..]),
            ("load", &of_design[..]),
            ("log", &of_design[..]),
            ("list_tasks", &of_all[..]),
        ] {
            let [stored, shown] =
                [DATABASE, MIRROR].map(|place| at(&world, place, operation, more));
            assert_eq!(stored, shown, "{operation}");
        }
        // Nothing is written where nothing changed.
        let before = world.disk.borrow().digest();
        let log = world.log.borrow().len();
        mirror(&world);
        assert_eq!(world.disk.borrow().digest(), before);
        let asked = world.log.borrow()[log..].to_vec();
        assert!(
            !asked
                .iter()
                .any(|it| it.starts_with("Create") || it.starts_with("Rename"))
        );
    }
}

/// Puts more records beside one whose name has `mark` in it than are listed.
fn crowd_beside(world: &Memory, mark: &str) {
    let mut disk = world.disk.borrow_mut();
    let found = disk.records.all().find(|(name, _)| name.contains(mark));
    let (below, _) = found.unwrap().0.rsplit_once('/').unwrap();
    let below = below.to_owned();
    for number in 0..10_000 {
        let name = format!("{below}/stray-{number}");
        disk.records.put(&name, Some(b"{}"));
    }
}

#[test]
fn a_mirror_keeps_the_files_of_what_has_too_many_entries_and_goes_on_with_the_others() {
    let of_design = [("command", Json::from("design"))];
    let of_all: [(&str, Json); 0] = [];
    for (mark, operation, more) in [
        ("/parts/", "load", &of_design[..]),
        ("/design-checkpoint/", "list_tasks", &of_all[..]),
    ] {
        let world = world();
        world.put_node("/mirror", Node::Folder);
        save_all(&world, "in_progress");
        mirror(&world);
        let before = world.files_below("/mirror");
        save_all(&world, "complete");
        crowd_beside(&world, mark);
        let reply = mirror(&world);
        assert!(
            reply.contains("holds more than 10000 entries"),
            "{mark}: {reply}"
        );
        let after = world.files_below("/mirror");
        let lost = before.iter().filter(|it| !after.contains(it));
        assert_eq!(lost.collect::<Vec<_>>(), Vec::<&String>::new(), "{mark}");
        let [stored, shown] = [DATABASE, MIRROR].map(|place| at(&world, place, operation, more));
        assert_eq!(stored, shown, "{mark}");
    }
}

#[test]
fn a_mirror_of_files_or_in_a_relative_folder_is_refused() {
    let world = world();
    let reply = ask(&world, "sources", &[("mirror", "/mirror".into())]);
    assert_eq!(code(&reply), "usage");
    let place = Object::new()
        .with("working", "/repo")
        .with("storage", "records");
    let request = Object::new()
        .with("operation", "sources")
        .with("place", place)
        .with("mirror", "mirror");
    let reply = world.ask(Json::Object(request).to_line().as_bytes());
    assert!(reply.contains(r#""code":"usage""#), "{reply}");
}
