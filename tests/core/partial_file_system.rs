//! A host that shows only a part of the file system, and no `.git` in it.

use milepost::checkpoint::command::additions::Creation;
use milepost::effect::{Machine, Sync};
use milepost::error::{Code, ErrorKind, WarningCode};
use milepost::json::{Json, Object};
use milepost::operation::command::save::Saved;
use milepost::operation::command::update_phase::PhaseUpdate;
use milepost::operation::command::{self, list};
use milepost::operation::project::{init, location};
use milepost::operation::{Reply, Settings, Target};
use milepost::store::{Retention, Storage};

use crate::memory::Memory;

const FILE: &str = "/repo/.claude/state/design-checkpoint.json";
const COMMIT: &str = "d36b6b4a1e2f3c4d5e6f7a8b9c0d1e2f3a4b5c6d";

/// A world that ends at `/`, below which there is no `.git`.
fn world() -> Memory {
    let world = Memory::new();
    world.has_edge.set(true);
    world
}

fn settings(root: Option<&str>) -> Settings {
    Settings {
        root: root.map(str::to_owned),
        git_root: None,
        working: "/repo".into(),
        alias: None,
        dir: None,
        durability: Sync::Durable,
        history: Retention::default(),
        storage: Storage::Files,
    }
}

fn target() -> Target {
    Target {
        command: "design".into(),
        feature: None,
    }
}

fn phase(world: &Memory, root: Option<&str>) -> Reply<Saved> {
    let settings = settings(root);
    world.run(Machine::start(|io| async move {
        let patch = Object::from_iter([("status", "in_progress")]);
        let update = PhaseUpdate {
            phase: "research",
            patch: &patch,
            task: None,
            add: None,
            creation: Creation::Allowed,
        };
        command::update_phase::update_phase(&io, &settings, &target(), &update).await
    }))
}

fn save(world: &Memory, text: &'static str) -> Reply<Saved> {
    world.run(Machine::start(|io| async move {
        command::save::save(
            &io,
            &settings(None),
            &target(),
            command::save::RunInput::Text(text),
            Creation::Allowed,
        )
        .await
    }))
}

/// The stored head_commit.
fn commit(saved: &Reply<Saved>) -> &Json {
    let saved = saved.result.as_ref().unwrap();
    saved.object.get("head_commit").unwrap()
}

fn warnings<T>(reply: &Reply<T>) -> Vec<WarningCode> {
    reply.warnings.iter().map(|warning| warning.code).collect()
}

#[test]
fn the_first_write_asks_for_the_root_and_makes_nothing() {
    let world = world();
    let init = world.run(Machine::start(|io| async move {
        init::init(&io, &settings(None)).await
    }));
    for error in [
        phase(&world, None).result.unwrap_err(),
        save(&world, "{}").result.unwrap_err(),
        init.result.unwrap_err(),
    ] {
        assert_eq!(error.code(), Code::Usage);
        assert_eq!(error.advice(), Some(&milepost::error::Advice::NameRoot));
    }
    assert_eq!(world.files_below("/repo"), Vec::<String>::new());
}

#[test]
fn the_location_says_whether_it_is_known() {
    let world = world();
    for (root, is_known) in [(None, false), (Some("/repo"), true)] {
        let settings = settings(root);
        let found = world.run(Machine::start(|io| async move {
            location::location(&io, &settings).await
        }));
        let found = found.result.unwrap();
        assert_eq!(found.is_known, is_known);
        assert_eq!(
            (&*found.root, &*found.state_folder),
            ("/repo", "/repo/.claude/state")
        );
    }
    assert_eq!(world.files_below("/repo"), Vec::<String>::new());
}

#[test]
fn the_root_is_asked_for_before_a_document_is_read() {
    let error = save(&world(), "no JSON").result.unwrap_err();
    assert!(
        matches!(error.kind(), ErrorKind::Usage(_)),
        "{:?}",
        error.kind()
    );
}

#[test]
fn reading_answers_as_without_a_repository() {
    let world = world();
    let listed = world.run(Machine::start(|io| async move {
        list::list(&io, &settings(None)).await
    }));
    assert_eq!(listed.result.map(|listed| listed.len()), Ok(0));
    assert_eq!(listed.warnings, []);
    let loaded = world.run(Machine::start(|io| async move {
        command::load::load(&io, &settings(None), &target()).await
    }));
    assert_eq!(loaded.result, Ok(None));
    let completed = world.run(Machine::start(|io| async move {
        command::complete::complete(&io, &settings(None), &target(), None).await
    }));
    assert_eq!(completed.result.unwrap_err().code(), Code::NotFound);
}

#[test]
fn a_named_root_is_taken_and_state_that_is_there_is_written_without_one() {
    let world = world();
    let first = phase(&world, Some("/repo"));
    assert_eq!(commit(&first), &Json::Null);
    assert_eq!(warnings(&first), []);
    let second = phase(&world, None);
    assert_eq!(second.result.as_ref().unwrap().revision, 2);
    assert_eq!(commit(&second), &Json::Null);
    assert_eq!(warnings(&second), []);
}

#[test]
fn a_stored_commit_stays_where_git_is_out_of_sight_and_a_warning_says_so() {
    let world = world();
    world.has_edge.set(false);
    world.put("/.git/HEAD", COMMIT);
    assert_eq!(commit(&phase(&world, Some("/repo"))), &Json::from(COMMIT));
    world.has_edge.set(true);
    world.delete("/.git/HEAD");
    world.delete("/.git");

    let written = phase(&world, None);
    assert_eq!(commit(&written), &Json::from(COMMIT));
    assert_eq!(warnings(&written), [WarningCode::HeadUnreadable]);
    assert!(world.text(FILE).contains(COMMIT));
    let loaded = world.run(Machine::start(|io| async move {
        command::load::load(&io, &settings(None), &target()).await
    }));
    assert!(loaded.result.unwrap().is_some());
    assert_eq!(loaded.warnings, []);
}
