//! The kept part of history: by count and by age, at any time of the clock.

use milepost::effect::{Fault, Machine, Sync};
use milepost::error::{Code, Error};
use milepost::json::Object;
use milepost::store::{
    self, Change, CommitMark, DocumentWrite, Pruned, Retention, RetentionPolicy, VersionedDocument,
};

use super::{DOCUMENT, SIDE, folder, stem, versioned_document};
use crate::memory::{Injected, Memory};

const DAY_MS: f64 = 86_400_000.0;
const NOW_MS: f64 = 1_800_000_000_000.0;

fn limits(revisions: Option<u64>, days: Option<u64>) -> Retention {
    Retention::default().with(revisions, days).unwrap()
}

fn aging(durability: Sync, retention: Retention) -> RetentionPolicy {
    RetentionPolicy {
        durability,
        retention,
        time_field: Some("updated_at"),
        ..RetentionPolicy::default()
    }
}

/// Commits a revision that says it was written at this time.
fn commit_at(world: &Memory, retention: Retention, updated_at: &str) {
    let updated_at = updated_at.to_owned();
    let committed = world.run(Machine::start(|io| async move {
        let mut decide = |_: &store::Current<'_>| {
            let object = Object::from_iter([("updated_at", updated_at.as_str())]);
            Ok(Change::write(object))
        };
        let document =
            VersionedDocument::new(&io, &folder(), &stem(), aging(Sync::Lazy, retention));
        document.update(None, &mut decide).await
    }));
    committed.unwrap();
}

/// Revisions, each written one day after the one before it, the last one today.
fn daily(world: &Memory, count: u64) {
    for number in 1..=count {
        let then_ms = NOW_MS - (count - number) as f64 * DAY_MS;
        commit_at(
            world,
            Retention::default(),
            &milepost::time::format(then_ms),
        );
    }
    world.now_ms.set(NOW_MS - 1.0);
}

fn prune(world: &Memory, retention: Retention) -> Result<Pruned, Error> {
    world.run(Machine::start(move |io| async move {
        let policy = aging(Sync::Durable, Retention::default());
        VersionedDocument::new(&io, &folder(), &stem(), policy)
            .prune(retention)
            .await
    }))
}

fn numbers(world: &Memory) -> Vec<u64> {
    let revisions = world.run(Machine::start(|io| async move {
        versioned_document(&io).revisions().await
    }));
    revisions.unwrap().iter().map(|it| it.number).collect()
}

fn entry(world: &Memory, number: u64) -> String {
    let folder = format!("{SIDE}/history");
    let mut files = world.files_below(&folder).into_iter();
    let file = files.find(|file| file.starts_with(&format!("{number}-")));
    format!("{folder}/{}", file.unwrap())
}

#[test]
fn pruning_by_count_keeps_the_newest_and_says_what_is_gone() {
    let world = Memory::new();
    daily(&world, 30);
    let pruned = prune(&world, limits(Some(20), None)).unwrap();
    assert_eq!(pruned.removed, (1..=9).collect::<Vec<_>>());
    assert_eq!(pruned.kept, 21);
    assert_eq!(numbers(&world), (10..=30).collect::<Vec<_>>());
    assert!(
        prune(&world, limits(Some(20), None))
            .unwrap()
            .removed
            .is_empty()
    );
}

#[test]
fn pruning_by_age_goes_by_the_time_of_each_entry() {
    let world = Memory::new();
    daily(&world, 30);
    let pruned = prune(&world, limits(None, Some(14))).unwrap();
    // Revision 16 is fourteen days old, and not older.
    assert_eq!(pruned.removed, (1..=15).collect::<Vec<_>>());
    assert_eq!(numbers(&world), (16..=30).collect::<Vec<_>>());
}

#[test]
fn the_stricter_of_count_and_age_holds() {
    for (count, days, left) in [(20, 5, 11), (20, 25, 21), (15, 18, 16), (29, 18, 19)] {
        let world = Memory::new();
        daily(&world, 30);
        prune(&world, limits(Some(count), Some(days))).unwrap();
        assert_eq!(numbers(&world).len(), left, "{count} {days}");
    }
}

#[test]
fn the_newest_ten_stay_at_any_time_of_the_clock() {
    for jump_ms in [-50.0 * 365.0 * DAY_MS, 365.0 * DAY_MS, 1e6 * DAY_MS] {
        let world = Memory::new();
        daily(&world, 30);
        world.now_ms.set(NOW_MS + jump_ms);
        prune(&world, limits(Some(10), Some(0))).unwrap();
        assert_eq!(numbers(&world), (20..=30).collect::<Vec<_>>(), "{jump_ms}");
    }
}

#[test]
fn a_count_below_the_protected_ten_or_above_what_can_be_listed_is_refused() {
    for (wrong, limit) in [(0, "10"), (9, "10"), (9_001, "9000"), (u64::MAX, "9000")] {
        let error = Retention::default().with(Some(wrong), None).unwrap_err();
        assert_eq!(error.code(), Code::Usage);
        assert!(error.to_string().contains(limit), "{error}");
    }
    for right in [10, 9_000] {
        let days = Some(u64::MAX);
        Retention::default().with(Some(right), days).unwrap();
    }
}

#[test]
fn age_stops_at_the_first_entry_that_is_young() {
    let world = Memory::new();
    for number in 1..=24 {
        let year = if number == 2 { 2100 } else { 2020 };
        commit_at(
            &world,
            Retention::default(),
            &format!("{year}-01-01T00:00:00Z"),
        );
    }
    let pruned = prune(&world, limits(None, Some(1))).unwrap();
    assert_eq!(pruned.removed, [1]);
}

#[test]
fn an_entry_without_a_time_is_as_old_as_the_next_one_that_has_one() {
    let world = Memory::new();
    daily(&world, 30);
    for (number, text) in [(1, "torn"), (2, "{}"), (14, "torn"), (17, "torn")] {
        world.put(&entry(&world, number), text);
    }
    let pruned = prune(&world, limits(None, Some(14))).unwrap();
    assert_eq!(pruned.removed, (1..=15).collect::<Vec<_>>());
    // 16 is young, and 17 stays with it.
    assert_eq!(numbers(&world)[..2], [16, 17]);
}

#[test]
fn without_any_time_nothing_is_aged() {
    let world = Memory::new();
    for number in 0..30 {
        commit_at(
            &world,
            Retention::default(),
            &format!("not a time {number}"),
        );
    }
    assert!(
        prune(&world, limits(None, Some(0)))
            .unwrap()
            .removed
            .is_empty()
    );
}

#[test]
fn every_sixteenth_commit_prunes_as_the_folder_has_it() {
    let world = Memory::new();
    let retention = limits(Some(12), Some(3650));
    for number in 1..=64 {
        commit_at(&world, retention, &milepost::time::format(NOW_MS));
        let most = 12 + 1 + 16;
        assert!(numbers(&world).len() < most, "after {number}");
    }
    assert_eq!(numbers(&world), (52..=64).collect::<Vec<_>>());
}

#[test]
fn every_sixteenth_commit_removes_what_is_too_old() {
    let world = Memory::new();
    for _ in 1..=32 {
        commit_at(&world, limits(None, Some(1)), "2020-01-01T00:00:00Z");
    }
    assert_eq!(numbers(&world), (22..=32).collect::<Vec<_>>());
}

#[test]
fn an_entry_that_cannot_be_removed_is_reported_and_does_not_hold_up_the_others() {
    let mut failures = 0;
    for at in 0..40 {
        let world = Memory::new();
        daily(&world, 30);
        world.injected.set(Some(Injected {
            at: world.performed.get() + at,
            for_good: false,
            fault: Fault::Other,
        }));
        if let Err(error) = prune(&world, limits(Some(10), None)) {
            assert_eq!(error.code(), Code::Io, "effect {at}: {error}");
            failures += 1;
            let left = numbers(&world);
            assert!(
                left.len() == 30 || left.len() == 12,
                "effect {at}: {left:?}"
            );
        }
        world.injected.set(None);
        prune(&world, limits(Some(10), None)).unwrap();
        assert_eq!(
            numbers(&world),
            (20..=30).collect::<Vec<_>>(),
            "effect {at}"
        );
    }
    assert!(failures > 19, "{failures}");
}

#[test]
fn pruning_beside_writers_loses_no_update_and_no_revision_of_the_newest_ten() {
    for seed in 0..300 {
        let _run = milepost_property::seed(
            "pruning beside writers loses no update and no revision of the newest ten",
            seed,
        );
        let world = Memory::new();
        daily(&world, 30);
        let mut machines: Vec<Machine<Result<u64, Error>>> = Vec::new();
        for _ in 0..2 {
            machines.push(Machine::start(|io| async move {
                let pruned = versioned_document(&io)
                    .prune(limits(Some(10), Some(0)))
                    .await?;
                Ok(pruned.kept as u64)
            }));
        }
        for writer in 0..3 {
            machines.push(Machine::start(move |io| async move {
                let committed = super::adding_to(&io, &format!("w{writer}")).await?;
                Ok(committed.stamp.revision)
            }));
        }
        let results = world.interleave(machines, seed);
        let stored = super::object(&world);
        for (at, result) in results.into_iter().enumerate() {
            match result {
                Ok(_) if at < 2 => {}
                Ok(_) => assert!(stored.get(&format!("w{}", at - 2)).is_some(), "seed {seed}"),
                Err(error) => assert_eq!(error.code(), Code::Busy, "seed {seed}: {error}"),
            }
        }
        let left = numbers(&world);
        let newest = *left.last().unwrap();
        assert!(
            left.ends_with(&(newest - 10..=newest).collect::<Vec<_>>()),
            "seed {seed}: {left:?}"
        );
        assert!(world.bytes(DOCUMENT).is_some());
    }
}

/// Commits revisions, heartbeats among them; the last one is a heartbeat too.
fn beating(world: &Memory, retention: Retention, marks: &'static [(CommitMark, u32)]) {
    for (mark, count) in marks {
        for _ in 0..*count {
            let committed = world.run(Machine::start(move |io| async move {
                let mut decide = |_: &store::Current<'_>| {
                    Ok(Change::Write(DocumentWrite {
                        mark: *mark,
                        ..DocumentWrite::new(Object::new())
                    }))
                };
                let document =
                    VersionedDocument::new(&io, &folder(), &stem(), aging(Sync::Lazy, retention));
                document.update(None, &mut decide).await
            }));
            committed.unwrap();
        }
    }
}

#[test]
fn heartbeats_do_not_push_changes_out_of_history() {
    let world = Memory::new();
    let retention = limits(Some(12), None);
    beating(
        &world,
        retention,
        &[
            (CommitMark::Change, 5),
            (CommitMark::Heartbeat, 30),
            (CommitMark::Change, 1),
            (CommitMark::Heartbeat, 44),
        ],
    );
    prune(&world, retention).unwrap();
    // The newest twelve, the copy of the present one, and every change before them.
    let newest = 68..=80;
    let changes = [1, 2, 3, 4, 5, 36];
    assert_eq!(
        numbers(&world),
        changes.into_iter().chain(newest).collect::<Vec<_>>()
    );
}

#[test]
fn of_changes_as_many_are_kept_as_of_all_and_no_heartbeat_beyond() {
    let world = Memory::new();
    let retention = limits(Some(10), None);
    beating(
        &world,
        retention,
        &[
            (CommitMark::Change, 15),
            (CommitMark::Heartbeat, 6),
            (CommitMark::Change, 7),
        ],
    );
    prune(&world, retention).unwrap();
    // The newest ten that were replaced are 18 to 27, six changes among them.
    let changes = 12..=15;
    assert_eq!(numbers(&world), changes.chain(18..=28).collect::<Vec<_>>());
}
