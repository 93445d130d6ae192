//! Checkpoints that go on from what is not there, and threads that are deleted while a run goes on.

use super::change::{Coverage, Fork, Put};
use super::log::Log;
use super::sample::{World, typed};
use super::tuple::load;
use super::writes::ChannelWrite;
use crate::error::Code;

const STEPS: usize = 6;

/// The checkpoint of a run's step, which follows from the one before it. Every second one changes one channel alone.
fn step(run: char, number: usize) -> Put {
    let id = |number: usize| format!("{run}{number:03}");
    let channels = ["log", "count"].map(str::to_owned);
    let changed = match number % 2 {
        0 => channels.to_vec(),
        _ => vec![channels[1].clone()],
    };
    let value = |channel: &String| {
        // Long enough to leave the document for a part.
        let text = format!("[\"{}\"]", id(number).repeat(4_000));
        (channel.clone(), typed(&text))
    };
    Put {
        namespace: String::new(),
        id: id(number),
        parent: number.checked_sub(1).map(id),
        fork: Fork::Refuse,
        body: typed("{}"),
        metadata: typed("{}"),
        values: changed.iter().map(value).collect(),
        changed,
        channels: channels.to_vec(),
        coverage: Coverage::Changed,
        run: None,
        outer: Vec::new(),
    }
}

fn writes(task: &str) -> Vec<ChannelWrite> {
    ChannelWrite::all(task, "", vec![("log".to_owned(), typed("1"))])
}

fn values(world: &mut World, id: Option<&str>) -> Option<Vec<(String, String)>> {
    let found = world.needed(|thread, loaded| load(Log::new(thread, loaded), "", id));
    let mut values = found.unwrap()?.values;
    values.sort_by(|a, b| a.0.cmp(&b.0));
    let text =
        |(channel, typed): (String, super::value::Typed)| (channel, typed.text.into_string());
    Some(values.into_iter().map(text).collect())
}

#[test]
fn a_checkpoint_without_its_parent_has_all_of_its_values_or_is_refused() {
    let mut world = World::default();
    let partial = step('a', 3);
    assert_eq!(world.put(&partial), Err(Code::NotFound));
    assert_eq!(values(&mut world, None), None);
    let all = vec![
        ("log".to_owned(), typed("[1]")),
        ("count".to_owned(), typed("2")),
    ];
    let whole = Put {
        coverage: Coverage::All,
        values: all,
        ..partial
    };
    assert_eq!(world.put(&whole), Ok(true));
    assert_eq!(world.put(&whole), Ok(false), "a retry");
    let expected = [("count", "2"), ("log", "[1]")];
    let expected = expected.map(|(channel, text)| (channel.to_owned(), text.to_owned()));
    assert_eq!(values(&mut world, Some("a003")), Some(expected.to_vec()));
    // The next one goes on from it, with what did not change.
    assert_eq!(
        world.put(&Put {
            parent: Some("a003".to_owned()),
            ..step('a', 5)
        }),
        Ok(true)
    );
    assert_eq!(values(&mut world, None).unwrap()[1].1, "[1]");
    // All of these are new.
    assert_eq!(world.put(&step('b', 2)), Ok(true));
}

#[test]
fn a_value_that_did_not_change_is_its_parents_where_that_is_there() {
    let mut world = World::default();
    assert_eq!(world.put(&step('a', 0)), Ok(true));
    let before = values(&mut world, None).unwrap();
    let other = Put {
        coverage: Coverage::All,
        values: vec![
            ("log".to_owned(), typed("[0]")),
            ("count".to_owned(), typed("7")),
        ],
        ..step('a', 1)
    };
    assert_eq!(world.put(&other), Ok(true));
    let after = values(&mut world, None).unwrap();
    assert_eq!(after[0].1, "7");
    assert_eq!(after[1], before[1]);
}

#[test]
fn a_run_that_goes_on_after_its_thread_was_deleted_brings_nothing_of_it_back() {
    for deleted_after in 1..=STEPS {
        let mut world = World::default();
        for number in 0..deleted_after {
            assert_eq!(world.put(&step('a', number)), Ok(true));
            world.add(("", &step('a', number).id), &writes("t"));
        }
        world.delete();
        let expect_nothing = |world: &mut World| {
            assert!(world.is_deleted());
            assert_eq!(values(world, None), None);
        };
        expect_nothing(&mut world);
        for number in deleted_after..STEPS {
            for coverage in [Coverage::Changed, Coverage::All] {
                let late = Put {
                    coverage,
                    ..step('a', number)
                };
                assert_eq!(
                    world.put(&late),
                    Err(Code::Conflict),
                    "{deleted_after} {number}"
                );
                let refused = world.try_add(("", &late.id), &writes("t"));
                assert_eq!(refused, Err(Code::Conflict), "{deleted_after} {number}");
            }
            expect_nothing(&mut world);
        }
        let gone = step('a', deleted_after - 1).id;
        assert_eq!(
            world.try_add(("", &gone), &writes("u")),
            Err(Code::Conflict)
        );
        let of_subgraph = Put {
            namespace: "sub:1".to_owned(),
            outer: vec![(String::new(), gone)],
            ..step('b', 0)
        };
        assert_eq!(world.put(&of_subgraph), Err(Code::Conflict));
        expect_nothing(&mut world);
        // Another run begins, whose writes may come early.
        world.add(("", "c000"), &writes("t"));
        expect_nothing(&mut world);
        for number in 0..STEPS {
            assert_eq!(world.put(&step('c', number)), Ok(true));
        }
        assert!(!world.is_deleted());
        let of_subgraph = Put {
            outer: vec![(String::new(), "c001".to_owned())],
            ..of_subgraph
        };
        assert_eq!(world.put(&of_subgraph), Ok(true));
        // The former one is still refused, and so it is after both are gone.
        for number in deleted_after..STEPS {
            let late = Put {
                coverage: Coverage::All,
                ..step('a', number)
            };
            assert_eq!(world.put(&late), Err(Code::Conflict));
        }
        let late = step('a', deleted_after);
        world.delete();
        world.delete();
        for late in [late, step('c', STEPS)] {
            assert_eq!(world.put(&late), Err(Code::Conflict));
        }
        expect_nothing(&mut world);
    }
}

#[test]
fn checkpoints_that_are_put_back_in_their_order_are_there_again() {
    let mut world = World::default();
    for _ in 0..2 {
        for number in 0..STEPS {
            assert_eq!(world.put(&step('a', number)), Ok(true));
        }
        assert!(!world.is_deleted());
        world.delete();
    }
}

#[test]
fn large_writes_that_come_early_begin_no_thread() {
    let mut world = World::default();
    assert_eq!(world.put(&step('a', 0)), Ok(true));
    world.delete();
    let large = typed(&format!("\"{}\"", "w".repeat(100_000)));
    for task in ["t", "u"] {
        let writes = ChannelWrite::all(task, "", vec![("log".to_owned(), large.clone())]);
        world.add(("", "c000"), &writes);
        world.add(("", "c001"), &writes);
        assert!(world.is_deleted(), "{task}");
    }
    assert!(world.bytes() > 100_000, "they are in a part");
    assert_eq!(values(&mut world, None), None);
    assert_eq!(world.put(&step('a', 1)), Err(Code::Conflict));
    assert_eq!(world.put(&step('c', 0)), Ok(true));
    assert!(!world.is_deleted());
    assert_eq!(world.put(&step('c', 1)), Ok(true));
    assert!(!world.is_deleted());
}

#[test]
fn a_tombstone_expires_after_a_week_unless_something_came_since() {
    const DAY_MS: f64 = 24.0 * 60.0 * 60.0 * 1_000.0;
    let at = "2026-11-27T21:00:00.000Z";
    let at_ms = crate::time::parse(at).unwrap().wall_ms();
    let living = super::index::Thread::new(super::sample::NAME, &"5f".repeat(16));
    assert!(!living.is_expired(at_ms + 8.0 * DAY_MS));
    let tombstone = living.tombstone(&"60".repeat(16), at);
    for (days, expected) in [(-8.0, false), (0.0, false), (6.9, false), (7.1, true)] {
        let is_expired = tombstone.is_expired(at_ms + days * DAY_MS);
        assert_eq!(is_expired, expected, "{days}");
    }
    let mut world = World::default();
    assert_eq!(world.put(&step('a', 0)), Ok(true));
    world.delete();
    let is_expired = |world: &World| {
        let thread = world.thread.as_ref().unwrap();
        thread.is_expired(at_ms + 8.0 * DAY_MS)
    };
    assert!(is_expired(&world));
    world.add(("", "c000"), &writes("t"));
    assert!(!is_expired(&world));
    assert_eq!(world.put(&step('c', 0)), Ok(true));
    assert!(!is_expired(&world));
}
