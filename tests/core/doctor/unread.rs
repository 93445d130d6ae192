//! Session and task checkpoints that cannot be read.

use milepost::doctor::{Check, Fix, Level};
use milepost::effect::{Effect, MachineStep};
use milepost::operation::request;

use super::{assert_nothing_is_wrong, examination, examine, fix, of, only, steps, world};
use crate::memory::{Memory, Node};

const SESSION: &str = ".claude/checkpoints/chk-20250126-103000.yaml";

fn put(world: &Memory, path: &str, text: &str) {
    world.put(&format!("/repo/{path}"), text);
}

#[test]
fn a_snapshot_that_cannot_be_read_comes_with_what_fixes_it() {
    for path in [
        SESSION,
        ".claude/checkpoints/archive/chk-20250126-103000.yaml",
    ] {
        let world = world();
        put(&world, path, "id: [torn\n");
        let request = r#"{"operation":"load_session","place":{"root":"/repo","working":"/repo"},"id":"chk-20250126-103000"}"#;
        let reply = world.run(request::start(request.as_bytes()));
        assert!(reply.contains("is corrupt"), "{reply}");
        for findings in [examine(&world), fix(&world)] {
            let error = only(&findings, Check::Sessions);
            assert_eq!(error.level, Level::Error);
            assert_eq!(error.path.as_deref(), Some(path));
            assert!(error.found.contains("is corrupt"), "{error:?}");
            assert!(error.why.unwrap().contains("put the file back"));
            assert_eq!(steps(error), Some(format!("rm {path}")));
        }
        assert_eq!(world.text(&format!("/repo/{path}")), "id: [torn\n");
    }
}

#[test]
fn a_file_that_is_no_snapshot_is_not_reported_as_unreadable() {
    let world = world();
    put(&world, SESSION, "id: chk-20250126-103000\nreason: x\n");
    put(&world, ".claude/checkpoints/notes.yaml", "id: [torn\n");
    put(&world, ".claude/checkpoints/chk-1.txt", "torn");
    assert_nothing_is_wrong(&examine(&world));
}

#[test]
fn every_snapshot_that_cannot_be_read_is_listed_in_their_order() {
    let world = world();
    let paths: Vec<String> = (0..3)
        .map(|at| SESSION.replace("000.", &format!("00{at}.")))
        .collect();
    for path in paths.iter().rev() {
        put(&world, path, "\u{0}");
    }
    let findings = examine(&world);
    let found = of(&findings, Check::Sessions).into_iter();
    let found: Vec<&str> = found.filter_map(|it| it.path.as_deref()).collect();
    assert_eq!(found, paths);
}

#[test]
fn a_link_in_the_place_of_snapshots_is_moved_away() {
    let world = world();
    for path in [SESSION, ".claude/checkpoints"] {
        world.put_node(&format!("/repo/{path}"), Node::dangling());
        let findings = examine(&world);
        let error = only(&findings, Check::Sessions);
        assert_eq!(steps(error), Some(format!("mv {path} '{path}~'")));
        world.delete(&format!("/repo/{path}"));
    }
}

#[test]
fn a_snapshot_that_is_put_back_during_an_examination_is_not_reported() {
    let world = world();
    put(&world, SESSION, "id: [torn\n");
    let mut machine = examination(Fix::None);
    let findings = loop {
        match machine.step().unwrap() {
            MachineStep::Done(findings) => break findings,
            MachineStep::Effect(effect) => {
                let outcome = world.perform(&effect);
                if matches!(effect, Effect::Wait { .. }) {
                    put(&world, SESSION, "id: chk-20250126-103000\n");
                }
                machine.resume(outcome).unwrap();
            }
        }
    };
    assert_nothing_is_wrong(&findings);
}

const TASKS: &str = ".claude/state/tasks";

/// Saves a checkpoint of a task, and returns its index and its part.
fn save_task(world: &Memory) -> [String; 2] {
    let request = r#"{"operation":"save_task","place":{"root":"/repo","working":"/repo"},"state":{"id":"a","taskId":"t","agentId":"g","stepIndex":0,"totalSteps":1,"context":{},"completedSteps":[],"pendingSteps":["s"],"createdAt":"2026-01-29T10:30:00.000Z"}}"#;
    let reply = world.run(request::start(request.as_bytes()));
    assert!(reply.starts_with(r#"{"ok":true"#), "{reply}");
    let names = world.files_below(&format!("/repo/{TASKS}"));
    let path = |ends: &dyn Fn(&str) -> bool| {
        let name = names.iter().find(|name| ends(name));
        format!("{TASKS}/{}", name.unwrap())
    };
    [
        path(&|name| name.ends_with("/index.json")),
        path(&|name| !name.starts_with('.') && name.matches('-').count() == 2),
    ]
}

#[test]
fn tasks_and_threads_are_nothing_strange() {
    let world = world();
    save_task(&world);
    let request = r#"{"operation":"put_thread","place":{"root":"/repo","working":"/repo"},"thread_id":"t","changes":[{"namespace":"","id":"a","task":"t","values":[["c",["json","1"]]]}]}"#;
    let reply = world.run(request::start(request.as_bytes()));
    assert!(reply.starts_with(r#"{"ok":true"#), "{reply}");
    let findings = examine(&world);
    assert_nothing_is_wrong(&findings);
    for check in [Check::Strays, Check::Leftovers, Check::Tasks] {
        assert!(of(&findings, check).is_empty(), "{findings:#?}");
    }
}

#[test]
fn the_index_of_a_task_that_cannot_be_read_comes_with_what_fixes_it() {
    let world = world();
    let [index, _] = save_task(&world);
    put(&world, &index, "{ torn");
    for findings in [examine(&world), fix(&world)] {
        let error = only(&findings, Check::Tasks);
        assert_eq!(error.level, Level::Error);
        assert_eq!(error.path.as_deref(), Some(&*index));
        assert_eq!(steps(error), Some(aside(&index)));
    }
    // The command that it gives fixes it.
    move_aside(&world, &index);
    assert_nothing_is_wrong(&examine(&world));
    save_task(&world);
    assert_nothing_is_wrong(&examine(&world));
}

fn folder_of(index: &str) -> &str {
    index.strip_suffix("/index.json").unwrap()
}

/// The step that moves the folder of a task away.
fn aside(index: &str) -> String {
    let folder = folder_of(index);
    format!("mv {folder} '{folder}~'")
}

fn move_aside(world: &Memory, index: &str) {
    let from = format!("/repo/{}", folder_of(index));
    let to = format!("{from}~");
    assert_eq!(
        world.perform(&Effect::Rename { from, to }),
        milepost::effect::Outcome::Done
    );
}

#[test]
fn a_task_whose_index_is_gone_is_found_by_its_checkpoints() {
    let world = world();
    let [index, _] = save_task(&world);
    world.delete(&format!("/repo/{index}"));
    // A writer may be about to make it.
    assert_nothing_is_wrong(&examine(&world));
    world.now_ms.set(world.now_ms.get() + 120_000.0);
    let findings = examine(&world);
    let error = only(&findings, Check::Tasks);
    assert_eq!(error.path.as_deref(), Some(&*index));
    assert_eq!(steps(error), Some(aside(&index)));
    move_aside(&world, &index);
    assert_nothing_is_wrong(&examine(&world));
}

/// The mark of the only task checkpoint.
fn mark(world: &Memory) -> String {
    let names = world.files_below(&format!("/repo/{TASKS}/.milepost/keys"));
    let [name] = &names[..] else {
        panic!("{names:?}");
    };
    format!("/repo/{TASKS}/.milepost/keys/{name}")
}

#[test]
fn a_mark_that_is_missing_hides_no_checkpoint_and_is_made_again() {
    let world = world();
    let [index, _] = save_task(&world);
    let mark = mark(&world);
    world.delete(&mark);
    let request =
        r#"{"operation":"load_task","place":{"root":"/repo","working":"/repo"},"id":"a"}"#;
    let reply = world.run(request::start(request.as_bytes()));
    assert!(reply.starts_with(r#"{"ok":true"#), "{reply}");
    let findings = examine(&world);
    let warning = only(&findings, Check::Tasks);
    assert_eq!(warning.level, Level::Warning);
    assert_eq!(warning.path.as_deref(), Some(&*index));
    assert_eq!(steps(warning).as_deref(), Some("fix"));
    // The folders that it is in may be gone as well.
    for folder in [
        mark.rsplit_once('/').unwrap().0,
        "/repo/.claude/state/tasks/.milepost/keys",
    ] {
        world.delete(folder);
    }
    let findings = fix(&world);
    assert!(only(&findings, Check::Tasks).is_fixed);
    assert_eq!(world.bytes(&mark), Some(Vec::new()));
    assert_nothing_is_wrong(&examine(&world));
}

#[test]
fn a_mark_is_not_made_through_a_link() {
    let world = world();
    save_task(&world);
    let mark = mark(&world);
    world.delete(&mark);
    let shard = mark.rsplit_once('/').unwrap().0;
    world.delete(shard);
    world.put_node(shard, Node::dangling());
    let findings = fix(&world);
    let warning = only(&findings, Check::Tasks);
    assert!(!warning.is_fixed, "{warning:?}");
    assert!(warning.found.contains("failed"), "{warning:?}");
}

#[test]
fn a_task_checkpoint_that_is_gone_comes_with_what_fixes_it() {
    let world = world();
    let [_, part] = save_task(&world);
    let path = format!("/repo/{part}");
    let bytes = world.bytes(&path).unwrap();
    world.delete(&path);
    let findings = examine(&world);
    let error = only(&findings, Check::Tasks);
    assert_eq!(error.path.as_deref(), Some(&*part));
    assert_eq!(steps(error), None);
    assert!(error.why.unwrap().contains("save that checkpoint again"));
    world.put(&path, bytes);
    assert_nothing_is_wrong(&examine(&world));
}
