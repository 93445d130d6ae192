//! The parts of a value that grows.

use super::change::{Coverage, Fork, Put};
use super::log::Log;
use super::sample::{World, typed};
use super::tuple::load;

/// A thread whose one value grows by 1 KB a step.
fn growing(steps: usize) -> World {
    let mut world = World::default();
    let mut text = "[]".to_owned();
    for step in 0..steps {
        let item = format!("{{\"step\":{step},\"text\":\"{}\"}}", "x".repeat(1_000));
        text = format!(
            "{}{}{item}]",
            &text[..text.len() - 1],
            if step == 0 { "" } else { "," }
        );
        let channels = vec!["messages".to_owned()];
        let request = Put {
            namespace: String::new(),
            id: format!("{step:06}"),
            parent: step.checked_sub(1).map(|it| format!("{it:06}")),
            fork: Fork::Refuse,
            body: typed("{}"),
            metadata: typed("{}"),
            changed: channels.clone(),
            values: vec![("messages".to_owned(), typed(&text))],
            channels,
            coverage: Coverage::Changed,
            run: None,
            outer: Vec::new(),
        };
        assert_eq!(world.put(&request), Ok(true));
    }
    world.most_needed = 0;
    let found = world.needed(|thread, loaded| load(Log::new(thread, loaded), "", None));
    assert_eq!(found.unwrap().unwrap().values[0].1.text.as_str(), text);
    world
}

#[test]
fn a_value_that_grows_is_not_stored_again_with_each_checkpoint() {
    let world = growing(400);
    let own = 400 * 1_030;
    assert!(world.lines > 200, "{} lines", world.lines);
    assert!(world.bytes() < 4 * own, "{} bytes", world.bytes());
    assert!(world.written < 12 * own, "{} bytes written", world.written);
}

#[test]
fn a_value_is_in_a_few_dozen_parts_at_most() {
    let world = growing(2_000);
    assert!(world.parts.len() <= 40, "{} parts", world.parts.len());
    assert!(
        world.most_needed <= 40,
        "{} parts needed",
        world.most_needed
    );
}
