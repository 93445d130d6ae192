//! The checkpoint to carry on with: nothing that is unfinished is hidden.

use std::collections::{BTreeMap, BTreeSet};

use milepost::checkpoint::command::phases::Status;
use milepost::json::{Json, Object};

use super::{ask, code, value, warnings, world};
use crate::memory::Memory;

fn phase(world: &Memory, command: &str, phase: &str, status: &str) -> Object {
    let patch = Object::from_iter([("status", status)]);
    let more = [
        ("command", command.into()),
        ("phase", phase.into()),
        ("patch", patch.into()),
    ];
    ask(world, "update_phase", &more)
}

fn file(command: &str) -> String {
    format!("/repo/.claude/state/{command}-checkpoint.json")
}

fn latest(world: &Memory) -> Object {
    ask(world, "latest", &[])
}

fn text<'a>(reply: &'a Object, key: &str) -> Option<&'a str> {
    value(reply).as_object()?.get(key)?.as_str()
}

#[test]
fn a_corrupt_checkpoint_is_warned_of_beside_the_latest_one() {
    let world = world();
    phase(&world, "design", "a", "in_progress");
    phase(&world, "ship", "b", "in_progress");
    world.put(&file("ship"), "{ torn");
    let reply = latest(&world);
    assert_eq!(text(&reply, "command"), Some("design"));
    assert_eq!(warnings(&reply), ["corrupt"]);
    let said = Json::from(reply).to_line();
    assert!(
        said.contains(": .claude/state/ship-checkpoint.json"),
        "{said}"
    );
    assert!(
        said.contains(r#""advice":{"kind":"recover","command":"ship""#),
        "{said}"
    );
}

#[test]
fn a_checkpoint_whose_file_is_gone_is_warned_of_until_it_was_complete() {
    let world = world();
    phase(&world, "design", "a", "in_progress");
    phase(&world, "review", "a", "in_progress");
    ask(&world, "complete", &[("command", "review".into())]);
    phase(&world, "ship", "b", "in_progress");
    let feature = [("command", "ship".into()), ("feature", "Dark".into())];
    let more = [("phase", "a".into()), ("patch", Object::new().into())];
    ask(&world, "update_phase", &[feature.clone(), more].concat());
    for name in ["review-checkpoint", "ship-checkpoint", "ship-Dark"] {
        world.delete(&format!("/repo/.claude/state/{name}.json"));
    }
    let reply = latest(&world);
    assert_eq!(text(&reply, "command"), Some("design"));
    assert_eq!(warnings(&reply), ["vanished", "vanished"]);
    let said = Json::from(reply).to_line();
    for named in [
        r#""advice":{"kind":"recover","command":"ship","feature":null}"#,
        r#""advice":{"kind":"recover","command":"ship","feature":"Dark"}"#,
    ] {
        assert!(said.contains(named), "{said}");
    }
    let listed = value(&ask(&world, "list", &[])).to_line();
    assert_eq!(listed.matches("its history is kept").count(), 2, "{listed}");

    ask(&world, "complete", &[]);
    assert_eq!(code(&latest(&world)), "not_found");
    ask(&world, "recover", &feature);
    assert_eq!(text(&latest(&world), "feature"), Some("Dark"));
}

#[test]
fn other_unfinished_checkpoints_are_named_beside_the_latest_one() {
    let world = world();
    for command in ["design", "review", "ship"] {
        phase(&world, command, "a", "in_progress");
    }
    ask(&world, "complete", &[("command", "review".into())]);
    let reply = latest(&world);
    assert_eq!(text(&reply, "command"), Some("design"));
    let others = value(&reply).as_object().unwrap().get("others").unwrap();
    assert_eq!(others.to_line(), r#"[{"command":"ship","feature":null}]"#);
}

#[test]
fn a_corrupt_checkpoint_is_the_failure_where_nothing_else_is_unfinished() {
    let world = world();
    phase(&world, "design", "a", "in_progress");
    ask(&world, "complete", &[]);
    phase(&world, "review", "b", "in_progress");
    phase(&world, "ship", "b", "in_progress");
    for command in ["review", "ship"] {
        world.put(&file(command), "{ torn");
    }
    let reply = latest(&world);
    assert_eq!(code(&reply), "corrupt");
    assert_eq!(warnings(&reply), ["corrupt"]);
}

#[test]
fn a_file_that_is_too_large_or_a_link_or_a_folder_is_warned_of() {
    let world = world();
    phase(&world, "design", "a", "in_progress");
    world.put(&file("review"), vec![b' '; 17 * 1024 * 1024]);
    world.put_node(&file("ship"), crate::memory::Node::Symlink);
    let reply = latest(&world);
    assert_eq!(text(&reply, "command"), Some("design"));
    assert_eq!(warnings(&reply), ["too_large", "unsafe_path"]);
}

#[test]
fn a_checkpoint_without_anything_to_do_hides_none_that_has_something() {
    let world = world();
    phase(&world, "implement", "printer", "in_progress");
    phase(&world, "review", "a", "complete");
    ask(&world, "save", &[("document", Object::new().into())]);
    assert_eq!(text(&latest(&world), "command"), Some("implement"));
    let more = [("command", "implement".into())];
    ask(&world, "complete", &more);
    let reply = latest(&world);
    assert_eq!(text(&reply, "command"), Some("design"));
    assert_eq!(text(&reply, "phase"), None);
}

/// What a model of a checkpoint knows of it.
#[derive(Default)]
struct Model {
    statuses: BTreeMap<String, Status>,
    is_completed: bool,
    is_corrupt: bool,
}

impl Model {
    fn has(&self, status: Status) -> bool {
        self.statuses.values().any(|it| *it == status)
    }

    fn has_work(&self) -> bool {
        let work = [Status::InProgress, Status::Failed, Status::Pending];
        !self.is_completed && work.into_iter().any(|status| self.has(status))
    }
}

#[test]
fn whatever_is_unfinished_is_named_by_latest_or_by_its_warnings() {
    const COMMANDS: [&str; 4] = ["design", "implement", "review", "ship"];
    for seed in 0..300 {
        let mut random = fastrand::Rng::with_seed(seed);
        let world = world();
        let mut models: BTreeMap<&str, Model> = BTreeMap::new();
        for _ in 0..random.usize(1..25) {
            let command = COMMANDS[random.usize(..COMMANDS.len())];
            let is_there = models.contains_key(command);
            let model = models.entry(command).or_default();
            match random.u8(..12) {
                0 if is_there => {
                    world.put(&file(command), "{ torn");
                    model.is_corrupt = true;
                }
                1 if is_there => {
                    world.delete(&file(command));
                    models.remove(command);
                }
                2 if is_there && !model.is_corrupt => {
                    ask(&world, "complete", &[("command", command.into())]);
                    model.is_completed = true;
                }
                _ => {
                    let name = ["a", "b", "c", "d"][random.usize(..4)];
                    let status = Status::ALL[random.usize(..Status::ALL.len())];
                    let reply = phase(&world, command, name, status.as_str());
                    if !model.is_corrupt {
                        assert_eq!(reply.get("ok"), Some(&Json::Bool(true)), "seed {seed}");
                        model.statuses.insert(name.to_owned(), status);
                        model.is_completed = false;
                    }
                }
            }
        }

        let reply = latest(&world);
        let said = Json::from(reply.clone()).to_line();
        for (command, model) in &models {
            let name = format!("{command}-checkpoint.json");
            assert_eq!(
                model.is_corrupt,
                said.contains(&name),
                "seed {seed}: {said}"
            );
        }
        let mut whole = models.values().filter(|model| !model.is_corrupt);
        let has_failed = reply.get("ok") == Some(&Json::Bool(false));
        if has_failed {
            assert!(whole.all(|model| model.is_completed), "seed {seed}: {said}");
            continue;
        }
        let Some(command) = text(&reply, "command") else {
            assert!(whole.all(|model| model.is_completed), "seed {seed}: {said}");
            continue;
        };
        let model = &models[command];
        assert!(
            !model.is_completed && !model.is_corrupt,
            "seed {seed}: {said}"
        );
        let phase = text(&reply, "phase");
        assert_eq!(model.has_work(), phase.is_some(), "seed {seed}: {said}");
        if phase.is_none() {
            assert!(!whole.any(Model::has_work), "seed {seed}: {said}");
        }
        let alongside = value(&reply).as_object().unwrap().get("alongside").unwrap();
        let alongside = alongside
            .as_array()
            .unwrap()
            .iter()
            .filter_map(Json::as_str);
        let named: BTreeSet<&str> = phase.into_iter().chain(alongside).collect();
        for (name, status) in &model.statuses {
            if *status == Status::InProgress {
                assert!(named.contains(&**name), "seed {seed}: {said}");
            }
        }
    }
}
