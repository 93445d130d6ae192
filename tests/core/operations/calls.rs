//! The number of effects that an operation asks of its host.

use std::collections::BTreeSet;

use milepost::json::Json;

use super::{ask, phase, world};
use crate::memory::Memory;

/// The effects of an operation, in their order.
fn effects(world: &Memory, operation: impl FnOnce(&Memory)) -> Vec<String> {
    world.log.borrow_mut().clear();
    operation(world);
    world.log.borrow().clone()
}

fn read(operation: &'static str) -> impl FnOnce(&Memory) {
    // A phase is still to be done.
    let force = vec![("force", Json::from(true))];
    let more = match operation {
        "complete" => force,
        _ => Vec::new(),
    };
    move |world| drop(ask(world, operation, &more))
}

fn update(world: &Memory) {
    phase(world, "b", "{}");
}

/// The paths in the text of an effect.
fn paths(effect: &str) -> impl Iterator<Item = &str> {
    effect.split('"').skip(1).step_by(2)
}

#[test]
fn an_operation_asks_the_host_for_no_more_than_it_needs() {
    let world = world();
    phase(&world, "a", "{}");
    // `docs/internals/durability.md` names the first of them.
    let most = [
        ("update", effects(&world, update).len(), 22),
        ("resume", effects(&world, read("resume_point")).len(), 7),
        ("load", effects(&world, read("load")).len(), 7),
        ("complete", effects(&world, read("complete")).len(), 25),
    ];
    for (what, asked, expected) in most {
        assert_eq!(asked, expected, "{what}");
    }
}

#[test]
fn an_update_that_waits_for_no_other_writer_reads_the_clock_three_times() {
    let world = world();
    phase(&world, "a", "{}");
    let asked = effects(&world, update);
    let clocks = asked.iter().filter(|effect| *effect == "Clock").count();
    // For the time of the change, for the hint of this writer, and to see that the hint is still its own.
    assert_eq!(clocks, 3);
}

#[test]
fn no_operation_lists_a_folder_that_it_does_not_use() {
    let world = world();
    phase(&world, "a", "{}");
    world.put(
        "/repo/.claude/state/.milepost/build-checkpoint/history/x",
        "",
    );
    for operation in [
        "load",
        "resume_point",
        "latest",
        "list",
        "log",
        "complete",
        "undo",
        "redo",
        "prune",
        "doctor",
    ] {
        let mut inspected: BTreeSet<String> = BTreeSet::new();
        for effect in effects(&world, read(operation)) {
            let named = paths(&effect).map(|path| path.trim_end_matches('/').to_owned());
            if effect.starts_with("List") {
                let folder = named.last().unwrap();
                assert!(
                    inspected.contains(&folder),
                    "{operation} lists {folder} unseen"
                );
            } else if effect.starts_with("Inspect") || effect.starts_with("MakeFolder") {
                inspected.extend(named);
            }
        }
    }
}
