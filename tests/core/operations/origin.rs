//! State files that git tracks: they may come from another writer.

use milepost::json::Object;

use super::{FILE, ask, phase, save, value, warnings, world};

const INDEX: &str = "/repo/.git/index";

#[test]
fn untrusted_origin_is_warned_of_though_a_save_or_a_tracked_file_stands_beside_it() {
    let world = world();
    world.put(FILE, r#"{"command":"design","version":1}"#);
    world.put(
        "/repo/.claude/state/.milepost/design-checkpoint/history/x",
        "",
    );
    world.put(INDEX, index_with(".claude/state/design-checkpoint.json"));
    let warned = |reply: &Object| warnings(reply).contains(&"untrusted_origin");
    assert!(warned(&ask(&world, "load", &[])));
    assert!(warned(&save(&world, r#"{"phases":{}}"#)));
    assert!(warned(&ask(&world, "load", &[])));
    let reply = phase(&world, "a", "{}");
    assert!(warned(&reply));
    let said = reply.get("warnings").unwrap().to_line();
    assert!(
        said.contains("`git rm --cached .claude/state/design-checkpoint.json`"),
        "{said}"
    );
    world.put(INDEX, index_with("README.md"));
    assert!(!warned(&ask(&world, "load", &[])));
    assert!(!warned(&phase(&world, "a", "{}")));
}

#[test]
fn an_unreadable_index_warns_of_what_this_store_wrote_itself() {
    let world = world();
    world.put(FILE, r#"{"command":"design","version":1}"#);
    world.put(INDEX, "no index");
    assert!(warnings(&ask(&world, "load", &[])).contains(&"untrusted_origin"));
    save(&world, r#"{"phases":{}}"#);
    assert!(warnings(&ask(&world, "load", &[])).is_empty());
}

#[test]
fn an_update_looks_at_the_index_once() {
    let world = world();
    phase(&world, "a", "{}");
    let count = |index: Option<Vec<u8>>| {
        match index {
            Some(index) => world.put(INDEX, index),
            None => world.delete(INDEX),
        }
        let before = world.log.borrow().len();
        phase(&world, "a", "{}");
        let log = world.log.borrow();
        let index = log[before..].iter().filter(|it| it.contains("index"));
        (log.len() - before, index.count())
    };
    let (effects, lookups) = count(None);
    assert_eq!((effects, lookups), (UPDATE_EFFECTS, 1));
    assert_eq!(count(Some(index_with("README.md"))), (effects, 1));
}

#[test]
fn the_latest_run_is_untrusted_where_it_is_tracked_and_skipped_where_another_user_owns_it() {
    let world = world();
    world.put(
        FILE,
        r#"{"command":"design","version":1,"state":{"current_phase":"a"}}"#,
    );
    world.put(INDEX, index_with(".claude/state/design-checkpoint.json"));
    world.put(
        "/repo/.claude/state/ship-foo.json",
        r#"{"command":"ship","feature":"Foo","updated_at":"2100-01-01T00:00:00Z"}"#,
    );
    let reply = ask(&world, "latest", &[]);
    assert!(value(&reply).to_line().contains(r#""command":"design""#));
    assert!(warnings(&reply).contains(&"untrusted_origin"));
}

/// The effects that an update of a checkpoint in a repository asks of its host; the look at the index is one.
const UPDATE_EFFECTS: usize = 22;

/// A git index of version 2 with one entry.
fn index_with(path: &str) -> Vec<u8> {
    let mut bytes = b"DIRC\0\0\0\x02\0\0\0\x01".to_vec();
    bytes.extend([0; 40]);
    bytes.extend([0x11; 20]);
    bytes.extend((path.len() as u16).to_be_bytes());
    bytes.extend(path.as_bytes());
    let padding = 8 - (62 + path.len()) % 8;
    bytes.extend(vec![0; padding]);
    bytes.extend([0; 20]);
    bytes
}
