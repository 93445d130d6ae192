//! Commands that a project adds to the seven.

use milepost::error::Code;
use milepost::json::{Json, Object};

use super::{ask, code, value, warnings, world};
use crate::memory::Memory;

const INTEGRATIONS: &str = "/repo/.claude/config/integrations.json";
const FILE: &str = "/repo/.claude/state/build-checkpoint.json";

fn add(world: &Memory, commands: &str) {
    world.put(INTEGRATIONS, format!(r#"{{"commands": {commands}}}"#));
}

fn phase(world: &Memory, command: &str, status: &str) -> Object {
    let patch = Object::from_iter([("status", status)]);
    let more = [
        ("command", command.into()),
        ("phase", "a".into()),
        ("patch", patch.into()),
    ];
    ask(world, "update_phase", &more)
}

fn build(world: &Memory, operation: &str) -> Object {
    ask(world, operation, &[("command", "build".into())])
}

#[test]
fn a_command_that_the_project_adds_has_checkpoints_as_the_seven_have() {
    let world = world();
    assert_eq!(
        code(&phase(&world, "build", "pending")),
        Code::InvalidName.as_str()
    );
    assert!(world.files_below("/repo/.claude").is_empty());
    add(&world, r#"["build", "e2e_test"]"#);
    assert!(warnings(&phase(&world, "build", "in_progress")).is_empty());
    assert!(world.text(FILE).contains(r#""command": "build""#));
    let reply = ask(&world, "latest", &[]);
    let command = value(&reply).as_object().unwrap().get("command").unwrap();
    assert_eq!(
        (command.as_str(), warnings(&reply)),
        (Some("build"), vec![])
    );
    let loaded = build(&world, "load");
    assert!(warnings(&loaded).is_empty());
    let text = value(&loaded)
        .as_object()
        .unwrap()
        .get("text")
        .unwrap()
        .clone();
    let saved = ask(
        &world,
        "save",
        &[("command", "build".into()), ("text", text)],
    );
    assert!(warnings(&saved).is_empty());
    let force = [("command", "build".into()), ("force", true.into())];
    assert!(
        value(&ask(&world, "complete", &force))
            .as_object()
            .is_some()
    );
    assert!(value(&build(&world, "undo")).as_object().is_some());
    let doctor = value(&ask(&world, "doctor", &[])).to_line();
    assert!(!doctor.contains("build"), "{doctor}");
    let refused = phase(&world, "fly", "pending");
    assert!(
        Json::from(refused)
            .to_line()
            .contains("review, build, e2e_test, or one")
    );
}

#[test]
fn a_command_with_a_capital_or_a_hyphen_is_refused_and_a_built_in_one_needs_no_settings() {
    let world = world();
    for commands in [r#"["Build"]"#, r#"["my-build"]"#, "5", r#"[".."]"#] {
        add(&world, commands);
        for command in ["Build", "my-build", ".."] {
            let refused = code(&phase(&world, command, "pending")).to_owned();
            assert_eq!(refused, Code::InvalidName.as_str(), "{command}");
        }
        let refused = code(&phase(&world, "build", "pending")).to_owned();
        assert_eq!(refused, Code::InvalidDocument.as_str(), "{commands}");
        assert!(
            value(&phase(&world, "design", "pending"))
                .as_object()
                .is_some()
        );
    }
    world.put(INTEGRATIONS, "{ torn");
    assert_eq!(
        code(&phase(&world, "build", "pending")),
        Code::Corrupt.as_str()
    );
}

#[test]
fn an_unfinished_checkpoint_of_a_command_that_is_not_known_any_more_is_named() {
    let world = world();
    add(&world, r#"["build"]"#);
    phase(&world, "build", "in_progress");
    phase(&world, "design", "in_progress");
    world.put("/repo/.claude/state/notes-today.json", "{}");
    for settings in ["{}", "{ torn"] {
        world.put(INTEGRATIONS, settings);
        let reply = ask(&world, "latest", &[]);
        assert_eq!(warnings(&reply).len(), 1, "{reply:?}");
        let said = Json::from(reply).to_line();
        assert!(said.contains(r#""command":"design""#), "{said}");
        let listed = value(&ask(&world, "list", &[])).to_line();
        assert_eq!(listed.matches(r#""command""#).count(), 2, "{listed}");
        assert!(!listed.contains("notes"), "{listed}");
    }
    world.put(INTEGRATIONS, "{}");
    let said = Json::from(ask(&world, "latest", &[])).to_line();
    assert!(
        said.contains(r#"build: Invalid command \"build\""#),
        "{said}"
    );
    value(&ask(&world, "complete", &[("force", true.into())]));
    let reply = ask(&world, "latest", &[]);
    assert_eq!((value(&reply), warnings(&reply).len()), (&Json::Null, 1));
}

#[test]
fn a_checkpoint_of_an_added_command_whose_file_is_gone_is_named_too() {
    let world = world();
    add(&world, r#"["build"]"#);
    phase(&world, "build", "in_progress");
    world.delete(FILE);
    assert_eq!(warnings(&build(&world, "resume_point")), ["vanished"]);
    let said = Json::from(ask(&world, "latest", &[])).to_line();
    assert!(
        said.contains("build was deleted, but its history is kept"),
        "{said}"
    );
}
