//! Histories with revisions that cannot be read.

use milepost::json::{Json, Object};

use super::repair::{advice, alter, busy, entry, message};
use super::{FILE, ask, code, phase, value, warnings};
use crate::memory::{Memory, Node};

/// The entries of the log, each as its revision, its problem, and what its changes are told from.
fn log(world: &Memory) -> Vec<(u64, bool, Option<u64>, usize)> {
    let reply = ask(world, "log", &[]);
    let entries = value(&reply).as_array().unwrap().iter();
    let entry = |entry: &Json| {
        let entry = entry.as_object().unwrap();
        let number = |key| entry.get(key).unwrap().as_u64();
        let changes = entry.get("changes").unwrap().as_array().unwrap().len();
        let is_bad = entry.get("problem") != Some(&Json::Null);
        (
            number("revision").unwrap(),
            is_bad,
            number("compared_with"),
            changes,
        )
    };
    entries.map(entry).collect()
}

fn diff(world: &Memory, more: &[(&str, Json)]) -> Object {
    ask(world, "diff", more)
}

#[test]
fn the_log_did_not_say_that_it_compares_with_an_older_revision() {
    let world = busy();
    alter(&world, 2);
    assert_eq!(
        log(&world),
        [
            (3, false, Some(1), 3),
            (2, true, None, 0),
            (1, false, None, 0)
        ]
    );
    alter(&world, 1);
    assert_eq!(
        log(&world),
        [(3, false, None, 0), (2, true, None, 0), (1, true, None, 0)]
    );
}

#[test]
fn a_folder_in_place_of_a_history_entry_made_log_fail() {
    for node in [Node::Folder, Node::Pipe, Node::Symlink] {
        let world = busy();
        let path = entry(&world, 2);
        world.delete(&path);
        world.put_node(&path, node);
        let listed = log(&world);
        assert_eq!(listed[0].2, Some(1));
        assert_eq!(listed[1], (2, true, None, 0));
        let reply = ask(&world, "log", &[]);
        let line = value(&reply).to_line();
        assert!(
            line.contains(r#""altered":false,"problem":".claude/"#),
            "{line}"
        );
        let reply = diff(&world, &[]);
        assert_eq!(warnings(&reply), ["unsafe_path"]);
        assert!(value(&reply).to_line().starts_with(r#"{"from":1,"to":3"#));
        // What is asked for by its number fails, and says what there is.
        for operation in ["load", "diff"] {
            let key = if operation == "load" {
                "revision"
            } else {
                "to"
            };
            let refused = ask(&world, operation, &[(key, 2u64.into())]);
            assert_eq!(code(&refused), "unsafe_path");
            let said = message(&refused);
            assert!(said.ends_with("; the nearest good revision is 1"), "{said}");
        }
    }
}

#[test]
fn a_heartbeat_after_an_altered_revision_was_counted_as_that_one_again() {
    let world = busy();
    phase(&world, "c", "{}");
    phase(&world, "d", "{}");
    alter(&world, 3);
    assert_eq!(
        log(&world)[..3],
        [
            (5, false, Some(4), 2),
            (4, false, Some(2), 2),
            (3, true, None, 0)
        ]
    );
}

#[test]
fn a_diff_took_an_older_revision_without_a_word() {
    let world = busy();
    assert!(warnings(&diff(&world, &[])).is_empty());
    alter(&world, 2);
    let reply = diff(&world, &[]);
    assert!(value(&reply).to_line().starts_with(r#"{"from":1,"to":3"#));
    assert_eq!(warnings(&reply), ["corrupt"]);
    let said = reply.get("warnings").unwrap().to_line();
    assert!(
        said.contains("not what was kept as revision 2); compared with revision 1"),
        "{said}"
    );
    // Whoever names it knows.
    assert!(warnings(&diff(&world, &[("from", 1u64.into())])).is_empty());
    alter(&world, 1);
    assert_eq!(code(&diff(&world, &[])), "corrupt");
}

#[test]
fn an_altered_revision_that_was_asked_for_did_not_say_which_one_is_good() {
    let world = busy();
    alter(&world, 2);
    let shown = |number: u64| ask(&world, "load", &[("revision", number.into())]);
    assert_eq!(code(&shown(2)), "corrupt");
    let said = message(&shown(2));
    assert!(
        said.ends_with("kept as revision 2; the nearest good revision is 1)"),
        "{said}"
    );
    assert_eq!(advice(&shown(2)), "log design");
    alter(&world, 1);
    assert!(message(&shown(1)).contains("; the nearest good revision is 3)"));
    world.put(FILE, "{ torn");
    alter(&world, 3);
    assert!(message(&shown(1)).ends_with("kept as revision 1)"));
}
