//! Snapshots that are removed, and those that stay.

use milepost::effect::MachineStep;
use milepost::error::Code;
use milepost::json::Json;
use milepost::operation::request;

use super::{FOLDER, create, id, line, listed, session, text, wait};
use crate::operations::{ask, code, phase, value, warnings, world};

#[test]
fn pinned_and_archived_snapshots_are_not_removed() {
    let world = world();
    let first = id(&create(&world));
    let second = id(&create(&world));
    let pinned = session(&world, "pin_session", &[("id", first.as_str().into())]);
    assert_eq!(value(&pinned).at("/changed"), Some(&Json::Bool(true)));
    let archived = session(
        &world,
        "archive_sessions",
        &[("id", second.as_str().into())],
    );
    assert_eq!(value(&archived).as_array().unwrap().len(), 1);
    for _ in 0..12 {
        create(&world);
    }
    let all = listed(&world);
    assert_eq!(all.len(), 12);
    assert!(all.contains(&first) && all.contains(&second), "{all:?}");
    // The archive is cleaned up by age alone.
    wait(&world, 3.0 * 86_400_000.0);
    for (days, expected) in [(4_u64, 12), (2, 11)] {
        let more = [("archived_days", days.into())];
        value(&session(&world, "clean_up_sessions", &more));
        assert_eq!(listed(&world).len(), expected, "{days}");
    }
    let more = [("id", first.as_str().into()), ("remove", true.into())];
    value(&session(&world, "pin_session", &more));
    let gone = session(&world, "clean_up_sessions", &[]);
    assert_eq!(text(value(&gone), "/0/id"), first);
    assert_eq!(text(value(&gone), "/0/reason"), "older than the newest 10");
}

#[test]
fn the_settings_say_how_many_are_kept_and_a_dry_run_removes_none() {
    let world = world();
    for _ in 0..5 {
        create(&world);
    }
    world.put(
        "/repo/.claude/config/integrations.json",
        r#"{"sessions": {"keep": 2}}"#,
    );
    let dry = session(&world, "clean_up_sessions", &[("dry_run", true.into())]);
    assert_eq!(value(&dry).as_array().unwrap().len(), 3);
    assert_eq!(listed(&world).len(), 5);
    let made = create(&world);
    assert_eq!(
        value(&made)
            .at("/removed")
            .unwrap()
            .as_array()
            .unwrap()
            .len(),
        4
    );
    assert_eq!(listed(&world).len(), 2);
    // A file that cannot be read is no reason to remove all.
    world.put("/repo/.claude/config/integrations.json", "{");
    let made = create(&world);
    assert_eq!(warnings(&made), ["corrupt"]);
    assert_eq!(listed(&world).len(), 3);
}

#[test]
fn a_clean_up_reads_no_snapshot_again_to_remove_contents() {
    let world = world();
    for _ in 0..3 {
        create(&world);
    }
    let reads = || {
        world.log.borrow_mut().clear();
        value(&session(&world, "clean_up_sessions", &[]));
        let log = world.log.borrow();
        let documents = log.iter().filter(|it| it.contains(".yaml\""));
        documents.filter(|it| it.starts_with("Read ")).count()
    };
    let expected = reads();
    assert!(expected >= 3, "{expected}");
    let unneeded = format!("objects/ab/ab{}", "0".repeat(62));
    world.put(&format!("{FOLDER}/{unneeded}"), "no snapshot refers to it");
    assert_eq!(reads(), expected);
    assert!(!world.files_below(FOLDER).contains(&unneeded));
}

#[test]
fn a_dry_run_names_what_a_clean_up_removes_that_archives_complete_work_first() {
    let world = world();
    phase(&world, "a", r#"{"status":"complete"}"#);
    for _ in 0..3 {
        create(&world);
    }
    value(&ask(&world, "complete", &[]));
    world.put(
        "/repo/.claude/config/integrations.json",
        r#"{"sessions": {"keep": 2}}"#,
    );
    wait(&world, 3.0 * 86_400_000.0);
    for (more, expected) in [
        (Vec::new(), 0),
        (vec![("archived_days", Json::from(2_u64))], 3),
    ] {
        let dry = [&more[..], &[("dry_run", true.into())]].concat();
        let foreseen = session(&world, "clean_up_sessions", &dry);
        let removed = session(&world, "clean_up_sessions", &more);
        assert_eq!(value(&foreseen).as_array().unwrap().len(), expected);
        assert_eq!(value(&foreseen), value(&removed));
    }
}

#[test]
fn a_snapshot_that_cannot_be_read_is_not_removed_and_hides_no_other() {
    let world = world();
    let first = id(&create(&world));
    let path = format!("{FOLDER}/{first}.yaml");
    world.put(&path, "a: [1, 2");
    for _ in 0..12 {
        create(&world);
    }
    assert!(world.bytes(&path).is_some());
    let reply = session(&world, "list_sessions", &[]);
    let last = value(&reply).as_array().unwrap().last().unwrap();
    assert_eq!(text(last, "/id"), first);
    assert!(
        text(last, "/problem").contains("not YAML"),
        "{}",
        last.to_line()
    );
    let load = session(&world, "load_session", &[("id", first.as_str().into())]);
    assert_eq!(code(&load), Code::Corrupt.as_str());
    let restore = session(&world, "restore_session", &[("id", first.as_str().into())]);
    assert_eq!(code(&restore), Code::Corrupt.as_str());
}

#[test]
fn leftovers_of_an_archiver_that_was_killed_are_removed() {
    let world = world();
    let first = id(&create(&world));
    let of_first = [("id", first.as_str().into())];
    let mut machine = request::start(line("archive_sessions", &of_first).as_bytes());
    let left = || {
        let mut files = world.files_below(&format!("{FOLDER}/archive/.milepost/shelf"));
        files.retain(|file| file.ends_with(".new"));
        files.len()
    };
    while left() == 0 {
        let MachineStep::Effect(effect) = machine.step().unwrap() else {
            panic!("nothing was prepared");
        };
        machine.resume(world.perform(&effect)).unwrap();
    }
    drop(machine);
    value(&session(&world, "clean_up_sessions", &[]));
    assert_eq!(left(), 1, "another process may be at work on it");
    wait(&world, 3_700_000.0);
    let dry = [("dry_run", true.into())];
    value(&session(&world, "clean_up_sessions", &dry));
    assert_eq!(left(), 1, "a dry run removed it");
    value(&session(&world, "clean_up_sessions", &[]));
    assert_eq!(left(), 0);
    assert_eq!(listed(&world), [first]);
}
