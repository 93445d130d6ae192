//! Ids of snapshots: none is given twice.

use milepost::checkpoint::session::id::SnapshotId;
use milepost::effect::MachineStep;
use milepost::json;
use milepost::operation::request;

use super::{FIRST, FOLDER, create, document, id, line, listed, text};
use crate::operations::world;

#[test]
fn no_id_is_given_twice() {
    let world = world();
    let first: Vec<String> = (0..12).map(|_| id(&create(&world))).collect();
    assert_eq!(first[0], FIRST);
    assert_eq!(first[1..3], [format!("{FIRST}-2"), format!("{FIRST}-3")]);
    // The newest ten are kept, and the tenth is newer than the ninth.
    assert_eq!(
        listed(&world),
        first[2..].iter().rev().cloned().collect::<Vec<_>>()
    );
    // Also where the clock is behind, and where none is left.
    world.now_ms.set(0.0);
    assert_eq!(id(&create(&world)), format!("{FIRST}-13"));
    for id in listed(&world) {
        world.delete(&format!("{FOLDER}/{id}.yaml"));
    }
    let next: SnapshotId = id(&create(&world)).parse().unwrap();
    assert!(
        next > format!("{FIRST}-3").parse().unwrap(),
        "{next} was removed before"
    );
}

#[test]
fn of_two_creators_together_both_keep_their_snapshots() {
    for seed in 0..60 {
        let _run =
            milepost_property::seed("of two creators together both keep their snapshots", seed);
        let world = world();
        let creator = |number: u64| {
            let more = [
                ("reason", "handoff".into()),
                ("message", number.to_string().into()),
            ];
            request::start(line("create_session", &more).as_bytes())
        };
        let mut machines: Vec<_> = (0..4).map(creator).collect();
        machines.push(request::start(line("clean_up_sessions", &[]).as_bytes()));
        let replies = world.interleave(machines, seed);
        let mut made: Vec<String> = Vec::new();
        for reply in &replies[..4] {
            let reply = json::read(reply.as_bytes()).unwrap().value;
            made.push(text(&reply, "/value/id"));
        }
        let mut ids = listed(&world);
        ids.sort_unstable();
        made.sort_unstable();
        assert_eq!(ids, made, "seed {seed}");
        ids.dedup();
        assert_eq!(ids.len(), 4, "seed {seed}");
    }
}

#[test]
fn a_creator_that_slept_publishes_under_no_id_that_was_used() {
    for seed in 0..40 {
        let _run = milepost_property::seed(
            "a creator that slept publishes under no id that was used",
            seed,
        );
        let world = world();
        let more = [("reason", "handoff".into()), ("message", "slow".into())];
        let mut slow = request::start(line("create_session", &more).as_bytes());
        // It stops somewhere on the way.
        let mut left = seed;
        let mut outcome = None;
        while let MachineStep::Effect(effect) = slow.step().unwrap() {
            if left == 0 {
                outcome = Some(effect);
                break;
            }
            left -= 1;
            let answer = world.perform(&effect);
            slow.resume(answer).unwrap();
        }
        let others: Vec<String> = (0..13).map(|_| id(&create(&world))).collect();
        if let Some(effect) = outcome {
            let answer = world.perform(&effect);
            slow.resume(answer).unwrap();
            let reply = world.run(slow);
            let reply = json::read(reply.as_bytes()).unwrap().value;
            let made = text(&reply, "/value/id");
            assert!(!others.contains(&made), "seed {seed}: {made}");
            let all = listed(&world);
            if !all.contains(&made) {
                // It was published in time, and then there were ten newer ones.
                let made: SnapshotId = made.parse().unwrap();
                assert!(
                    all.iter()
                        .all(|one| one.parse::<SnapshotId>().unwrap() > made)
                );
                assert_eq!(all.len(), 10, "seed {seed}");
                continue;
            }
            let kept = text(&document(&world, &made), "/message");
            assert_eq!(kept, "slow", "seed {seed}");
        }
    }
}
