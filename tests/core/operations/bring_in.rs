//! Runs of hooks in a database, and those that were kept in files while it could not be used.

use milepost::agent::registration::DatabaseRef;
use milepost::doctor::{Finding, Fix, FixStep};
use milepost::effect::{Fault, Io, Machine, Sync};
use milepost::error::Error;
use milepost::json::{self, Json, Object};
use milepost::operation::database::import::import_runs;
use milepost::operation::hooks::HookDatabase;
use milepost::root::Settings;
use milepost::store::{Retention, Storage};

use super::{FILE, phase, value, world};
use crate::memory::{Injected, Memory};

const RECORD: &str = "/shop/design-checkpoint";

fn examine(world: &Memory, fix: Fix) -> Result<Vec<Finding>, Error> {
    examine_with(world, fix, Ok(Some("/shop".to_owned())), true)
}

fn examine_with(
    world: &Memory,
    fix: Fix,
    dir: Result<Option<String>, String>,
    is_of_user: bool,
) -> Result<Vec<Finding>, Error> {
    world.run(start(fix, dir, is_of_user))
}

/// An examination before its first effect.
fn start(
    fix: Fix,
    dir: Result<Option<String>, String>,
    is_of_user: bool,
) -> Machine<Result<Vec<Finding>, Error>> {
    Machine::start(move |io: Io| async move {
        let settings = Settings {
            root: None,
            git_root: None,
            working: "/repo".to_owned(),
            alias: None,
            dir: None,
            durability: Sync::Durable,
            history: Retention::default(),
            storage: Storage::Files,
        };
        let hook_database = HookDatabase {
            database: DatabaseRef {
                variable: Some("DATABASE_URL".to_owned()),
                project: "shop".to_owned(),
            },
            dir,
            is_of_user,
        };
        import_runs(&io, &settings, &hook_database, fix)
            .await
            .result
    })
}

/// A request in the database.
fn ask(world: &Memory, operation: &str, more: &[(&str, Json)]) -> Object {
    let place = Object::new()
        .with("working", "/repo")
        .with("dir", "/shop")
        .with("storage", "records");
    request(world, operation, place, more)
}

fn request(world: &Memory, operation: &str, place: Object, more: &[(&str, Json)]) -> Object {
    let mut request = Object::new()
        .with("operation", operation)
        .with("place", place);
    for (key, value) in more {
        request.set(key, value.clone());
    }
    let reply = world.ask(Json::Object(request).to_line().as_bytes());
    match json::read(reply.as_bytes()).unwrap().value {
        Json::Object(reply) => reply,
        other => panic!("{other:?}"),
    }
}

fn stored(world: &Memory) -> String {
    let disk = world.disk.borrow();
    let bytes = disk.records.get(RECORD).unwrap_or_default();
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// A phase of the run in the database.
fn stored_phase(world: &Memory, name: &str) {
    let patch = Object::new().with("status", "complete");
    let more = [
        ("command", Json::from("design")),
        ("phase", name.into()),
        ("patch", patch.into()),
    ];
    value(&ask(world, "update_phase", &more));
}

/// Puts a record of a run into the database, as another program would.
fn put_record(world: &Memory, name: &str, text: &str) {
    let mut disk = world.disk.borrow_mut();
    disk.records.put(name, Some(text.as_bytes()));
}

/// A world with a run in files, and an older one of that name in the database.
fn in_both() -> Memory {
    let world = world();
    stored_phase(&world, "plan");
    world.now_ms.set(world.now_ms.get() + 60_000.0);
    phase(&world, "build", r#"{"status":"in_progress"}"#);
    world
}

fn is_in_files(world: &Memory) -> bool {
    let text = world.bytes(FILE).unwrap_or_default();
    !text.is_empty() && !String::from_utf8(text).unwrap().contains("\"removed_at\"")
}

fn found(findings: &[Finding]) -> Vec<&str> {
    findings.iter().map(|it| it.found.as_str()).collect()
}

#[test]
fn a_run_in_files_is_named_and_brought_where_that_is_asked_for() {
    let world = world();
    phase(&world, "build", r#"{"status":"in_progress"}"#);
    let before = world.text(FILE);
    for fix in [Fix::Look, Fix::None] {
        let findings = examine(&world, fix).unwrap();
        assert!(findings[0].is_wrong());
        assert_eq!(
            found(&findings),
            ["design is kept in files and not in the database of DATABASE_URL, as project shop"]
        );
        assert_eq!(
            (stored(&world), world.text(FILE)),
            (String::new(), before.clone())
        );
    }
    let findings = examine(&world, Fix::Safe).unwrap();
    assert!(findings[0].is_fixed);
    assert!(stored(&world).contains("\"build\""));
    assert!(!is_in_files(&world));
    let again = stored(&world);
    let findings = examine(&world, Fix::Safe).unwrap();
    assert_eq!(
        found(&findings),
        ["Runs are kept in the database of DATABASE_URL, as project shop, and none in files"]
    );
    assert_eq!(stored(&world), again);
}

#[test]
fn a_database_that_only_a_clone_names_gets_no_run_and_the_fix_names_it() {
    let world = world();
    phase(&world, "build", r#"{"status":"in_progress"}"#);
    let dir = Ok(Some("/shop".to_owned()));
    let findings = examine_with(&world, Fix::Safe, dir, false).unwrap();
    assert!(findings[0].is_wrong());
    assert!(
        matches!(&findings[0].fix_steps[..], [FixStep::FixIn(database)] if database.project == "shop"),
        "{:?}",
        findings[0].fix_steps
    );
    assert_eq!(stored(&world), "");
    assert!(is_in_files(&world));
}

#[test]
fn a_database_where_nothing_was_ever_kept_lacks_the_runs_in_files_and_is_not_at_fault() {
    let world = world();
    let findings = examine_with(&world, Fix::None, Ok(None), true).unwrap();
    assert!(!findings[0].is_wrong());
    phase(&world, "build", r#"{"status":"in_progress"}"#);
    let findings = examine_with(&world, Fix::None, Ok(None), true).unwrap();
    assert!(findings[0].found.starts_with("design is kept in files"));
    assert_eq!(findings[0].fix_steps, [FixStep::Fix]);
}

#[test]
fn a_run_that_the_database_has_newer_is_named_and_stays() {
    let world = world();
    phase(&world, "build", r#"{"status":"in_progress"}"#);
    world.now_ms.set(world.now_ms.get() + 60_000.0);
    stored_phase(&world, "plan");
    let before = (stored(&world), world.text(FILE));
    let findings = examine(&world, Fix::Safe).unwrap();
    assert!(findings[0].is_wrong());
    assert!(
        findings[0]
            .found
            .starts_with("design is kept in files, and newer in")
    );
    assert_eq!((stored(&world), world.text(FILE)), before);
}

#[test]
fn a_run_that_the_database_has_older_is_replaced_and_its_phases_and_history_stay() {
    let world = in_both();
    examine(&world, Fix::Safe).unwrap();
    let text = stored(&world);
    assert!(
        text.contains("\"build\"") && text.contains("\"plan\""),
        "{text}"
    );
    let log = ask(&world, "log", &[("command", "design".into())]);
    assert_eq!(value(&log).as_array().unwrap().len(), 2);
}

#[test]
fn a_member_that_only_an_older_run_in_the_database_has_stays_though_it_breaks_the_schema() {
    let world = in_both();
    let edited = stored(&world).replacen('{', r#"{"ticket": "AB-1", "gate": "closed", "#, 1);
    put_record(&world, RECORD, &edited);
    let findings = examine(&world, Fix::Safe).unwrap();
    assert!(findings[0].is_fixed, "{findings:?}");
    let text = stored(&world);
    for stays in ["\"build\"", "\"AB-1\"", "\"closed\""] {
        assert!(text.contains(stays), "{text}");
    }
}

#[test]
fn a_run_that_was_removed_or_renamed_later_in_the_database_is_named_and_does_not_come_back() {
    for (operation, to) in [("remove", None), ("rename", Some("other"))] {
        let world = in_both();
        world.now_ms.set(world.now_ms.get() + 60_000.0);
        let mut more = vec![("command", Json::from("design"))];
        more.extend(to.map(|to| ("to", Json::from(to))));
        value(&ask(&world, operation, &more));
        let before = (stored(&world), world.text(FILE));
        for fix in [Fix::None, Fix::Safe] {
            let findings = examine(&world, fix).unwrap();
            assert!(findings[0].is_wrong());
            let says = "design is kept in files, and was removed or renamed later in";
            assert!(findings[0].found.starts_with(says), "{findings:?}");
        }
        assert_eq!((stored(&world), world.text(FILE)), before, "{operation}");
    }
}

#[test]
fn a_run_that_began_after_a_removal_in_the_database_is_brought_alone() {
    let world = world();
    stored_phase(&world, "plan");
    value(&ask(&world, "remove", &[("command", "design".into())]));
    world.now_ms.set(world.now_ms.get() + 60_000.0);
    phase(&world, "build", r#"{"status":"in_progress"}"#);
    let findings = examine(&world, Fix::Safe).unwrap();
    assert!(findings[0].is_fixed);
    let text = stored(&world);
    assert!(text.contains("\"build\""), "{text}");
    for gone in ["\"plan\"", "removed_at", "completed_at"] {
        assert!(!text.contains(gone), "{text}");
    }
}

#[test]
fn a_run_that_is_removed_at_any_moment_of_an_examination_does_not_come_back() {
    for at in 0.. {
        let world = in_both();
        world.now_ms.set(world.now_ms.get() + 60_000.0);
        let mut performed = 0;
        start(Fix::Safe, Ok(Some("/shop".to_owned())), true)
            .run(|effect| {
                if performed == at {
                    value(&ask(&world, "remove", &[("command", "design".into())]));
                }
                performed += 1;
                world.perform(&effect)
            })
            .unwrap();
        if performed <= at {
            break;
        }
        assert!(stored(&world).contains("\"removed_at\""), "effect {at}");
    }
}

#[test]
fn a_fault_at_any_effect_loses_no_run_and_the_next_examination_brings_it() {
    for for_good in [false, true] {
        for at in 0.. {
            let world = world();
            phase(&world, "build", r#"{"status":"in_progress"}"#);
            let first = world.performed.get();
            world.injected.set(Some(Injected {
                at: first + at,
                for_good,
                fault: Fault::Other,
            }));
            let _ = examine(&world, Fix::Safe);
            let came_through = world.performed.get() <= first + at;
            world.injected.set(None);
            let is_stored = stored(&world).contains("\"build\"");
            assert!(is_in_files(&world) || is_stored, "effect {at}");
            examine(&world, Fix::Safe).unwrap();
            assert!(stored(&world).contains("\"build\""), "effect {at}");
            assert!(!is_in_files(&world), "effect {at}");
            if came_through {
                break;
            }
        }
    }
}

#[test]
fn a_run_that_cannot_be_brought_is_a_finding_and_the_others_are_brought() {
    let world = world();
    for command in ["design", "implement", "review"] {
        let patch = Object::new().with("status", "in_progress");
        let more = [
            ("command", Json::from(command)),
            ("phase", "build".into()),
            ("patch", patch.into()),
        ];
        let place = Object::new().with("working", "/repo");
        value(&request(&world, "update_phase", place, &more));
    }
    put_record(&world, RECORD, "{ torn");
    let higher =
        r#"{"command": "implement", "version": 99, "updated_at": "2020-01-01T00:00:00.000Z"}"#;
    put_record(&world, "/shop/implement-checkpoint", higher);
    let findings = examine(&world, Fix::Safe).unwrap();
    let database = "the database of DATABASE_URL, as project shop";
    for (finding, command) in findings.iter().zip(["design", "implement"]) {
        let says =
            format!("{command} is kept in files, and could not be brought into {database}: ");
        assert!(finding.found.starts_with(&says), "{findings:?}");
        assert_eq!(finding.why, Some("It stays in files."));
        assert!(finding.is_wrong());
    }
    assert!(findings[2].found.starts_with("review was kept in files"));
    assert!(findings[2].is_fixed);
    assert!(is_in_files(&world));
    assert_eq!(stored(&world), "{ torn");
}

#[test]
fn files_that_cannot_be_listed_are_a_finding() {
    let world = world();
    world.put("/repo/.claude/state", "no folder");
    let findings = examine(&world, Fix::Safe).unwrap();
    assert!(findings[0].is_wrong());
    let says = "Runs in files could not be listed, to be brought into the database of";
    assert!(findings[0].found.starts_with(says), "{findings:?}");
}

#[test]
fn a_database_that_cannot_be_used_is_a_finding_with_how_much_is_kept_in_files() {
    let world = world();
    phase(&world, "build", r#"{"status":"in_progress"}"#);
    let reason = "The environment variable DATABASE_URL is not set";
    let findings = examine_with(&world, Fix::Safe, Err(reason.to_owned()), true).unwrap();
    assert!(findings[0].is_wrong());
    assert!(findings[0].found.contains(reason));
    assert!(findings[0].found.ends_with("1 run is kept in files"));
    assert!(is_in_files(&world));
}

/// An event of Claude Code in a session.
fn event(name: &str, more: &[(&str, Json)]) -> Json {
    let mut payload = Object::new()
        .with("session_id", "5f0e5f0e-0000-4000-8000-000000000001")
        .with("cwd", "/repo")
        .with("hook_event_name", name);
    for (key, value) in more {
        payload.set(key, value.clone());
    }
    payload.into()
}

fn wrote() -> Json {
    let input = Object::new().with("file_path", "/repo/src/a.rs");
    event(
        "PostToolUse",
        &[("tool_name", "Write".into()), ("tool_input", input.into())],
    )
}

#[test]
fn a_hook_with_a_database_keeps_its_run_there_and_no_run_in_files() {
    let world = world();
    world.put("/repo/src/a.rs", "");
    for payload in [
        event("SessionStart", &[("source", "startup".into())]),
        wrote(),
    ] {
        let more = [("agent", "claude-code".into()), ("payload", payload)];
        value(&ask(&world, "hook", &more));
    }
    let disk = world.disk.borrow();
    let is_there = |(_, bytes): (&str, &[u8])| String::from_utf8_lossy(bytes).contains("src/a.rs");
    assert!(disk.records.all().any(is_there));
    drop(disk);
    let files = world.files_below("/repo/.claude/state");
    assert!(
        !files.iter().any(|it| it.ends_with("checkpoint.json")),
        "{files:?}"
    );
    // A second clone, with the same database, is given the run as it starts.
    let start = event("SessionStart", &[("source", "startup".into())]);
    let more = [("agent", "claude-code".into()), ("payload", start)];
    let reply = Json::from(ask(&world, "hook", &more)).to_line();
    assert!(reply.contains("src/a.rs"), "{reply}");
}

#[test]
fn a_session_whose_database_cannot_be_used_is_given_that_as_it_starts() {
    let world = world();
    let kept = Object::new()
        .with("variable", "DATABASE_URL")
        .with("project", "shop");
    let start = event("SessionStart", &[("source", "startup".into())]);
    let more = [
        ("agent", Json::from("claude-code")),
        ("payload", start),
        ("kept_in_files", kept.into()),
    ];
    let place = || Object::new().with("working", "/repo");
    let reply = Json::from(request(&world, "hook", place(), &more)).to_line();
    assert!(reply.contains("DATABASE_URL is not set here"), "{reply}");
    assert!(reply.contains("milepost doctor --fix"), "{reply}");
    let reply = Json::from(request(&world, "hook", place(), &more[..2])).to_line();
    assert!(!reply.contains("DATABASE_URL"), "{reply}");
}
