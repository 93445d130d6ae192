//! Saves that only renew the time push nothing out of history, and no reader has to look at them.

use milepost::json::{Json, Object};

use super::{phase, value, world};
use crate::memory::Memory;

/// Ten changes, and sixty saves of the last phase as it is.
fn beating() -> Memory {
    let world = world();
    for number in 1..=10 {
        value(&phase(&world, &format!("p{number}"), "{}"));
    }
    for _ in 0..60 {
        world.now_ms.set(world.now_ms.get() + 1000.0);
        value(&phase(&world, "p10", "{}"));
    }
    world
}

fn answer(world: &Memory, operation: &str, more: &[(&str, Json)]) -> Json {
    value(&super::ask(world, operation, more)).clone()
}

fn log(world: &Memory) -> Vec<Object> {
    let log = answer(world, "log", &[]);
    let entries = log.as_array().unwrap().iter();
    entries.map(|it| it.as_object().unwrap().clone()).collect()
}

fn numbers(log: &[Object], key: &str) -> Vec<u64> {
    let entries = log.iter();
    entries
        .map(|it| it.get(key).unwrap().as_u64().unwrap())
        .collect()
}

fn number(answer: &Json, key: &str) -> u64 {
    answer
        .as_object()
        .unwrap()
        .get(key)
        .unwrap()
        .as_u64()
        .unwrap()
}

#[test]
fn sixty_saves_of_the_same_phase_leave_ten_changes_in_history() {
    let world = beating();
    let log = log(&world);
    let shown: Vec<u64> = [70].into_iter().chain((1..=10).rev()).collect();
    assert_eq!(numbers(&log, "revision"), shown);
    // Of the fifty-nine that were replaced since, what is kept is counted.
    let left_out = numbers(&log, "heartbeats");
    assert!((49..=59).contains(&left_out[1]), "{left_out:?}");
    assert_eq!(left_out.iter().sum::<u64>(), left_out[1]);
    assert_eq!(log[0].get("changes"), Some(&Json::Array(Vec::new())));
}

#[test]
fn an_undo_goes_back_to_before_the_last_change() {
    let world = beating();
    let undone = answer(&world, "undo", &[]);
    assert_eq!(number(&undone, "restored"), 9);
    assert_eq!(number(&undone, "revision"), 71);
    let redone = answer(&world, "redo", &[]);
    assert_eq!(number(&redone, "restored"), 70);
    let log = log(&world);
    assert_eq!(numbers(&log, "revision")[..3], [72, 71, 10]);
    let same: Vec<_> = log
        .iter()
        .map(|it| it.get("same_as").unwrap().as_u64())
        .collect();
    assert_eq!(same[..2], [Some(10), Some(9)]);
}

#[test]
fn a_heartbeat_that_is_asked_for_by_its_number_is_there() {
    let world = beating();
    answer(&world, "load", &[("revision", 69_u64.into())]);
    let undone = answer(&world, "undo", &[("to", 69_u64.into())]);
    assert_eq!(number(&undone, "restored"), 69);
    let diff = answer(
        &world,
        "diff",
        &[("from", 68_u64.into()), ("to", 69_u64.into())],
    );
    let changes = diff.as_object().unwrap().get("changes").unwrap();
    assert_eq!(changes.as_array().unwrap().len(), 0);
}
