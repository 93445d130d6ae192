//! Pruned threads and copies against what could be read before.

use super::change::{Coverage, Fork, Put};
use super::index::Thread;
use super::log::Log;
use super::model_tests::{Oracle, compare, sorted, step};
use super::retain::{KeptCheckpoints, Retained, newest_ms};
use super::sample::{World, typed};
use super::texts::all_texts;
use super::tuple::{ChannelHistory, Tuple, history, load};
use super::value::Typed;
use super::writes::ChannelWrite;
use crate::error::Code;
use crate::json::Json;

const CHANNELS: [&str; 4] = ["messages", "count", "__proto__", "none"];

/// A checkpoint as it is read, with the history of each channel that has no value in it.
fn read(world: &mut World, of: &Tuple) -> (Option<Tuple>, Vec<ChannelHistory>) {
    let (namespace, id) = (of.namespace.as_str(), Some(of.id.as_str()));
    let tuple = world.needed(|thread, loaded| load(Log::new(thread, loaded), namespace, id));
    let tuple = tuple.unwrap().map(sorted);
    let has_value = |name: &str| {
        let mut values = tuple.iter().flat_map(|it| &it.values);
        values.any(|(channel, _)| channel == name)
    };
    let open = CHANNELS.iter().filter(|it| !has_value(it));
    let open: Vec<String> = open.map(|it| (*it).to_owned()).collect();
    let found =
        world.needed(|thread, loaded| history(Log::new(thread, loaded), (namespace, id), &open));
    (tuple, found.unwrap())
}

/// The runs of checkpoints, as the world knows them.
fn run_of(world: &mut World, of: &Tuple) -> Option<String> {
    let found = world.needed(|thread, loaded| {
        let found = Log::new(thread, loaded).find(&of.namespace, &of.id)?;
        Ok(found.and_then(|it| it.checkpoint.as_ref()?.run.clone()))
    });
    found.unwrap()
}

/// Returns whether a checkpoint is kept, without any of the rules.
fn is_kept(world: &mut World, oracle: &Oracle, keep: &KeptCheckpoints, of: &Tuple) -> bool {
    match keep {
        KeptCheckpoints::Newest(count) => {
            let all = oracle.of(Some(&of.namespace));
            all.iter().take(*count).any(|(_, it)| it.id == of.id)
        }
        KeptCheckpoints::AllBut(runs) => run_of(world, of).is_none_or(|run| !runs.contains(&run)),
    }
}

#[test]
fn a_kept_checkpoint_reads_as_before_the_prune() {
    for seed in 0..milepost_property::rounds(2, 20) {
        let _run = milepost_property::seed("a kept checkpoint reads as before the prune", seed);
        let mut random = fastrand::Rng::with_seed(seed);
        let (mut world, mut oracle, mut clock) = (World::default(), Oracle::default(), 100);
        for _ in 0..4 {
            for _ in 0..random.usize(1..40) {
                step(&mut world, &mut oracle, &mut random, &mut clock);
            }
            let keep = match random.bool() {
                true => KeptCheckpoints::Newest(random.usize(1..12)),
                false => KeptCheckpoints::AllBut(vec!["run-1".to_owned(), "run-9".to_owned()]),
            };
            let all: Vec<Tuple> = oracle
                .checkpoints
                .iter()
                .map(|(_, it)| it.clone())
                .collect();
            let mut kept = Vec::new();
            let mut gone = Vec::new();
            for tuple in all {
                let before = read(&mut world, &tuple);
                match is_kept(&mut world, &oracle, &keep, &tuple) {
                    true => kept.push((tuple, before)),
                    false => gone.push(tuple),
                }
            }
            let retained = world.retain(&keep);
            let expected = Retained {
                kept: kept.len(),
                removed: gone.len(),
            };
            assert_eq!(retained, expected);
            oracle.checkpoints.retain(|(_, it)| {
                let is_it =
                    |kept: &(Tuple, _)| kept.0.id == it.id && kept.0.namespace == it.namespace;
                kept.iter().any(is_it)
            });
            compare(&mut world, &oracle, &mut random);
            for (tuple, before) in &kept {
                assert_eq!(read(&mut world, tuple), *before, "{keep:?}");
            }
            for tuple in &gone {
                assert_eq!(read(&mut world, tuple).0, None);
            }
            let again = world.retain(&keep);
            assert_eq!(again.removed, 0);
            // So that no writes come before a checkpoint whose maker's clock is behind.
            clock += 1_000;
        }
    }
}

#[test]
fn a_copy_reads_as_its_origin() {
    for seed in 0..milepost_property::rounds(4, 20) {
        let _run = milepost_property::seed("a copy reads as its origin", seed);
        let mut random = fastrand::Rng::with_seed(seed);
        let (mut world, mut oracle, mut clock) = (World::default(), Oracle::default(), 100);
        for _ in 0..random.usize(1..80) {
            step(&mut world, &mut oracle, &mut random, &mut clock);
        }
        let target = Thread::new(super::sample::NAME, &"6a".repeat(16));
        let (mut other, count) = world.copied(&target, None);
        let all: Vec<Tuple> = oracle
            .checkpoints
            .iter()
            .map(|(_, it)| it.clone())
            .collect();
        assert_eq!(count, all.len());
        for tuple in &all {
            assert_eq!(read(&mut other, tuple), read(&mut world, tuple));
        }
        // The copy goes on by itself.
        step(&mut other, &mut oracle, &mut random, &mut clock);
        compare(&mut other, &oracle, &mut random);
    }
}

/// The text of a copy in the place of another one: longer by its half, and nothing that begins like it.
fn other(of: &Typed) -> Typed {
    let half = of.text.len() / 2;
    let half = (0..=half).rev().find(|it| of.text.is_char_boundary(*it));
    let text = format!("{}{}", &of.text[half.unwrap_or(0)..], of.text.as_str());
    Typed {
        text: text.into(),
        ..of.clone()
    }
}

/// The other texts of a thread, in their order.
fn other_texts(world: &mut World) -> Vec<Typed> {
    let found = world.needed(|thread, loaded| all_texts(Log::new(thread, loaded)));
    let mut texts = Vec::new();
    let mut take = |json: &Json| texts.push(other(&Typed::read(json.clone()).unwrap()));
    for entry in found.unwrap().0 {
        for key in ["/checkpoint", "/metadata"] {
            if let Some(text @ Json::Array(_)) = entry.at(key) {
                take(text);
            }
        }
        for (key, place) in [("/values", "/1"), ("/writes", "/2")] {
            let items = entry.at(key).and_then(Json::as_array).unwrap();
            items.iter().for_each(|it| take(it.at(place).unwrap()));
        }
    }
    texts
}

fn with_others(
    (tuple, histories): (Option<Tuple>, Vec<ChannelHistory>),
) -> (Option<Tuple>, Vec<ChannelHistory>) {
    let write = |it: &mut ChannelWrite| it.value = other(&it.value);
    let tuple = tuple.map(|mut it| {
        it.body = other(&it.body);
        it.metadata = other(&it.metadata);
        it.values
            .iter_mut()
            .for_each(|(_, value)| *value = other(value));
        it.writes.iter_mut().for_each(write);
        it
    });
    let histories = histories.into_iter().map(|mut it| {
        if let Some(seed) = &mut it.seed {
            seed.value = other(&seed.value);
            seed.body = other(&seed.body);
        }
        it.writes.iter_mut().for_each(|(_, it)| write(it));
        it
    });
    (tuple, histories.collect())
}

#[test]
fn a_copy_with_other_texts_reads_as_its_origin_with_them() {
    for seed in 0..milepost_property::rounds(4, 20) {
        let _run = milepost_property::seed("a copy with other texts reads as its origin", seed);
        let mut random = fastrand::Rng::with_seed(seed);
        let (mut world, mut oracle, mut clock) = (World::default(), Oracle::default(), 100);
        for _ in 0..random.usize(1..80) {
            step(&mut world, &mut oracle, &mut random, &mut clock);
        }
        if random.bool() {
            world.retain(&KeptCheckpoints::Newest(random.usize(1..12)));
        }
        let texts = other_texts(&mut world);
        let target = Thread::new(super::sample::NAME, &"6a".repeat(16));
        let (mut copy, _) = world.copied(&target, Some(&texts));
        for (_, tuple) in &oracle.checkpoints {
            let expected = with_others(read(&mut world, tuple));
            assert_eq!(read(&mut copy, tuple), expected);
        }
        assert_eq!(
            other_texts(&mut copy),
            texts.iter().map(other).collect::<Vec<_>>()
        );
    }
}

/// A checkpoint of a graph whose channel `log` is a delta channel: it has no value but in a snapshot, and is made of the
/// writes since.
fn delta(number: usize, is_snapshot: bool) -> Put {
    let id = |number: usize| format!("{number:03}");
    let text = format!("[\"{}\"]", "y".repeat(500 + number));
    let mut values = vec![("state".to_owned(), typed(&text))];
    if is_snapshot {
        values.push(("log".to_owned(), typed(&format!("[{number}]"))));
    }
    Put {
        namespace: String::new(),
        id: id(number),
        parent: number.checked_sub(1).map(id),
        fork: Fork::Refuse,
        body: typed("{}"),
        metadata: typed("{}"),
        changed: vec!["state".to_owned(), "log".to_owned()],
        channels: vec!["state".to_owned(), "log".to_owned()],
        values,
        coverage: Coverage::Changed,
        run: None,
        outer: Vec::new(),
    }
}

#[test]
fn the_writes_since_a_snapshot_stay_and_older_ones_go() {
    let mut world = World::default();
    for number in 0..40 {
        assert_eq!(world.put(&delta(number, number % 10 == 0)), Ok(true));
        let write = vec![("log".to_owned(), typed(&format!("[{number}]")))];
        let id = format!("{number:03}");
        world.add(("", &id), &ChannelWrite::all("task", "", write));
    }
    let of = |world: &mut World| {
        let channels = ["log".to_owned()];
        let found = world.needed(|thread, loaded| {
            history(Log::new(thread, loaded), ("", Some("039")), &channels)
        });
        found.unwrap().remove(0)
    };
    let before = of(&mut world);
    assert_eq!(before.writes.len(), 9);
    let retained = world.retain(&KeptCheckpoints::Newest(1));
    let expected = Retained {
        kept: 1,
        removed: 39,
    };
    assert_eq!(retained, expected);
    assert_eq!(of(&mut world), before);
    let entries = world.needed(|thread, loaded| Ok(Log::new(thread, loaded).all()?.len()));
    assert_eq!(entries, Ok(10));
}

#[test]
fn nothing_goes_on_from_a_checkpoint_that_was_pruned() {
    let mut world = World::default();
    for number in 0..4 {
        assert_eq!(world.put(&delta(number, true)), Ok(true));
    }
    world.retain(&KeptCheckpoints::Newest(1));
    for coverage in [Coverage::Changed, Coverage::All] {
        let late = Put {
            parent: Some("001".to_owned()),
            coverage,
            ..delta(9, true)
        };
        assert_eq!(world.put(&late), Err(Code::Conflict));
    }
    let write = ChannelWrite::all("task", "", vec![("log".to_owned(), typed("1"))]);
    assert_eq!(world.try_add(("", "001"), &write), Err(Code::Conflict));
    assert_eq!(world.put(&delta(4, true)), Ok(true));
}

#[test]
fn a_pruned_checkpoint_cannot_be_put_again_and_kept_ones_read_as_before() {
    // The remains are in the document, or in a part.
    for size in [10, 60_000] {
        let mut world = World::default();
        let write = |number: usize| {
            let value = format!("[\"{}\"]", format!("{number:03}").repeat(size));
            ChannelWrite::all("task", "", vec![("log".to_owned(), typed(&value))])
        };
        for number in 0..4 {
            assert_eq!(world.put(&delta(number, number == 0)), Ok(true));
            world.add(("", &format!("{number:03}")), &write(number));
        }
        let of = |world: &mut World| {
            let channels = ["log".to_owned()];
            let found = world.needed(|thread, loaded| {
                history(Log::new(thread, loaded), ("", Some("003")), &channels)
            });
            found.unwrap().remove(0)
        };
        let before = of(&mut world);
        assert_eq!(before.writes.len(), 3);
        world.retain(&KeptCheckpoints::Newest(1));
        let target = Thread::new(super::sample::NAME, &"6a".repeat(16));
        let (copied, _) = world.copied(&target, None);
        for mut world in [world, copied] {
            for number in 0..3 {
                let fork = Fork::Allow;
                let again = Put {
                    fork,
                    parent: None,
                    coverage: Coverage::All,
                    ..delta(number, true)
                };
                assert_eq!(world.put(&again), Err(Code::Conflict));
                let id = format!("{number:03}");
                let late = world.try_add(("", &id), &write(9));
                assert_eq!(late, Err(Code::Conflict));
                assert_eq!(of(&mut world), before);
            }
            assert_eq!(world.put(&delta(4, false)), Ok(true));
        }
    }
}

#[test]
fn a_thread_of_which_nothing_is_kept_is_deleted() {
    let mut world = World::default();
    for number in 0..4 {
        let put = Put {
            run: (number > 0).then(|| "run".to_owned()),
            metadata: typed("{\"run_id\":\"run\"}"),
            ..delta(number, true)
        };
        assert_eq!(world.put(&put), Ok(true));
    }
    let keep = KeptCheckpoints::AllBut(vec!["run".to_owned()]);
    assert_eq!(world.retain(&keep).removed, 4);
    assert!(world.is_deleted());
}

#[test]
fn writes_that_wait_for_their_checkpoint_stay_where_all_other_checkpoints_go() {
    let early = ChannelWrite::all("task", "", vec![("log".to_owned(), typed("1"))]);
    let other = |id: &str| Put {
        namespace: "sub".to_owned(),
        id: id.to_owned(),
        parent: None,
        ..delta(0, true)
    };
    for count in [1, 40] {
        let mut world = World::default();
        for number in 0..count {
            let put = Put {
                run: Some("run".to_owned()),
                ..delta(number, true)
            };
            assert_eq!(world.put(&put), Ok(true));
            world.add(("", &put.id), &early);
        }
        world.add(("sub", "900"), &early);
        let keep = KeptCheckpoints::AllBut(vec!["run".to_owned()]);
        assert_eq!(world.retain(&keep).removed, count);
        assert!(world.is_deleted());
        // More of them, and the checkpoint: it has all of its writes.
        let more = ChannelWrite::all("other", "", vec![("log".to_owned(), typed("2"))]);
        world.add(("sub", "900"), &more);
        assert_eq!(world.put(&other("900")), Ok(true));
        let found = world
            .needed(|thread, loaded| load(Log::new(thread, loaded), "sub", None))
            .unwrap();
        assert_eq!(found.unwrap().writes.len(), 2);
        // Nothing of the run comes back.
        assert_eq!(world.put(&delta(count, true)), Err(Code::Conflict));
    }
}

#[test]
fn a_checkpoint_whose_early_writes_were_deleted_is_refused() {
    let early = ChannelWrite::all("task", "", vec![("log".to_owned(), typed("1"))]);
    let mut world = World::default();
    world.add(("", "000"), &early);
    world.delete();
    assert_eq!(world.put(&delta(0, true)), Err(Code::Conflict));
    assert_eq!(world.try_add(("", "000"), &early), Err(Code::Conflict));
    let next = Put {
        id: "100".to_owned(),
        ..delta(0, true)
    };
    assert_eq!(world.put(&next), Ok(true));
}

#[test]
fn a_copy_refuses_a_checkpoint_whose_early_writes_it_took_the_place_of() {
    let early = ChannelWrite::all("task", "", vec![("log".to_owned(), typed("1"))]);
    let mut vacated = World::default();
    assert_eq!(vacated.put(&delta(0, true)), Ok(true));
    vacated.delete();
    vacated.add(("", "900"), &early);
    assert!(vacated.is_deleted());
    let target = vacated.needed(|thread, _| Ok(thread.clone())).unwrap();
    let mut world = World::default();
    assert_eq!(world.put(&delta(0, true)), Ok(true));
    let (mut copied, _) = world.copied(&target, None);
    let first = |id: &str| Put {
        id: id.to_owned(),
        ..delta(0, true)
    };
    assert_eq!(copied.put(&first("900")), Err(Code::Conflict));
    assert_eq!(copied.try_add(("", "900"), &early), Err(Code::Conflict));
    assert_eq!(copied.put(&first("901")), Ok(true));
}

#[test]
fn a_kept_checkpoint_of_an_old_format_keeps_the_parent_that_sends_packets_to_it() {
    let packets = ChannelWrite::all("task", "", vec![("__pregel_tasks".to_owned(), typed("1"))]);
    for (version, kept) in [(1, 3), (3, 3), (4, 1)] {
        let mut world = World::default();
        for number in 0..40 {
            let put = Put {
                body: typed(&format!("{{\"v\":{version}}}")),
                ..delta(number, true)
            };
            assert_eq!(world.put(&put), Ok(true));
            // Of the parents of the last two, and of one before.
            if [5, 37, 38].contains(&number) {
                world.add(("", &put.id), &packets);
            }
        }
        let retained = world.retain(&KeptCheckpoints::Newest(1));
        assert_eq!(retained.kept, kept, "format {version}");
        let parent = world.needed(|thread, loaded| {
            let found = load(Log::new(thread, loaded), "", Some("038"))?;
            Ok(found.map(|it| it.writes.len()))
        });
        assert_eq!(parent.unwrap(), (kept > 1).then_some(1));
    }
}

#[test]
fn the_age_is_that_of_the_newest_checkpoint() {
    for (id, body, expected) in [
        ("a", "{\"ts\":\"1970-01-01T00:00:01.500Z\"}", Some(1_500.0)),
        (
            "1ef5b2a8-7b6e-6c00-8000-000000000000",
            "{}",
            Some(1723742369544.0896),
        ),
        (
            "01915627-4d00-7000-8000-000000000000",
            "{}",
            Some(1723727301888.0),
        ),
        ("a", "{}", None),
    ] {
        let mut world = World::default();
        let put = Put {
            id: id.to_owned(),
            body: typed(body),
            ..delta(0, true)
        };
        assert_eq!(world.put(&put), Ok(true));
        let found = world.needed(|thread, loaded| newest_ms(Log::new(thread, loaded)));
        match expected {
            Some(expected) => {
                let found = found.unwrap().unwrap();
                assert!((found - expected).abs() < 1.0, "{id}: {found}");
            }
            None => assert_eq!(found, Ok(None)),
        }
    }
}
