//! The register of snapshots, damaged: what it says of pins and removals is not forgotten in silence.

use milepost::json::Json;

use super::{FOLDER, create, id, listed, session, wait};
use crate::memory::Memory;
use crate::operations::{code, value, warnings, world};

fn register() -> String {
    format!("{FOLDER}/register.json")
}

/// A world in which the first of three is pinned, and one was removed.
fn pinned() -> (Memory, String) {
    let world = world();
    let first = id(&create(&world));
    let more = [("id", Json::from(first.as_str()))];
    value(&session(&world, "pin_session", &more));
    world.put(
        "/repo/.claude/config/integrations.json",
        r#"{"sessions": {"keep": 1}}"#,
    );
    for _ in 0..2 {
        wait(&world, 1_000.0);
        create(&world);
    }
    assert_eq!(listed(&world).len(), 2);
    (world, first)
}

const DAMAGE: [(Option<&str>, &str); 5] = [
    (Some("{ torn"), "corrupt"),
    (Some(""), "corrupt"),
    (Some("\0\0\0\0"), "corrupt"),
    (Some("garbage"), "corrupt"),
    (None, "vanished"),
];

fn damage(world: &Memory, damaged: Option<&str>) {
    match damaged {
        Some(text) => world.put(&register(), text),
        None => world.delete(&register()),
    }
}

#[test]
fn a_damaged_register_is_read_from_its_history_with_a_warning() {
    for (damaged, expected) in DAMAGE {
        let (world, first) = pinned();
        damage(&world, damaged);
        let before = world.bytes(&register());
        let list = session(&world, "list_sessions", &[]);
        assert_eq!(warnings(&list), [expected], "{damaged:?}");
        let is_pinned = value(&list).as_array().unwrap().iter().any(|it| {
            it.at("/id") == Some(&first.as_str().into()) && it.at("/pinned") == Some(&true.into())
        });
        assert!(is_pinned, "{damaged:?}");
        assert_eq!(world.bytes(&register()), before, "it was only read");
    }
}

#[test]
fn a_change_of_a_damaged_register_keeps_its_pins_and_a_copy_with_a_warning() {
    for (damaged, expected) in DAMAGE {
        let (world, first) = pinned();
        damage(&world, damaged);
        wait(&world, 1_000.0);
        // It removes the one before it, and so writes the register.
        let made = create(&world);
        assert!(warnings(&made).contains(&expected), "{damaged:?}");
        assert!(listed(&world).contains(&first), "{damaged:?}");
        let copies = world.files_below(&format!("{FOLDER}/.milepost/register/quarantine"));
        assert_eq!(copies.len(), usize::from(damaged.is_some()), "{copies:?}");
        let list = session(&world, "list_sessions", &[]);
        assert_eq!(warnings(&list), [""; 0], "{damaged:?}");
    }
}

#[test]
fn a_register_without_a_history_that_can_be_read_is_an_error() {
    let (world, first) = pinned();
    world.put(&register(), "{ torn");
    for name in world.files_below(&format!("{FOLDER}/.milepost/register/history")) {
        world.delete(&format!("{FOLDER}/.milepost/register/history/{name}"));
    }
    let more = [("id", Json::from(first.as_str())), ("remove", true.into())];
    let refused = session(&world, "pin_session", &more);
    assert_eq!(code(&refused), "not_found");
    assert_eq!(code(&session(&world, "clean_up_sessions", &[])), "corrupt");
    assert_eq!(world.text(&register()), "{ torn");
}
