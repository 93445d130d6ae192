//! The lists of all threads and of all tasks, where there are more than they read.

use std::collections::BTreeSet;

use milepost::effect::{Effect, Io, Machine, Outcome, Sync};
use milepost::operation::{Reply, Settings, task, thread};
use milepost::store::{Retention, Storage};

use crate::memory::Memory;

fn settings() -> Settings {
    Settings {
        root: Some("/repo".to_owned()),
        git_root: None,
        working: "/repo".to_owned(),
        alias: None,
        dir: None,
        durability: Sync::Durable,
        history: Retention::default(),
        storage: Storage::Records,
    }
}

/// Runs a list over so many documents in a folder, of which nothing is left but their names, which begin alike;
/// returns its warnings, and how many it read.
fn listed<T>(
    machine: Machine<Reply<Vec<T>>>,
    (folder, begin): (&str, &str),
    count: usize,
) -> (Vec<String>, usize) {
    let world = Memory::new();
    let mut read = BTreeSet::new();
    let reply = machine.run(|effect| match effect {
        Effect::ListRecords { under, limit } if under.trim_end_matches('/').ends_with(folder) => {
            let most = count.min(limit as usize);
            let names = (0..most).map(|number| format!("{begin}{number:032x}"));
            Outcome::Names {
                names: names.collect(),
                complete: most < limit as usize,
            }
        }
        effect => {
            if let Effect::ReadRecord { record } = &effect {
                read.insert(record.clone());
            }
            world.perform(&effect)
        }
    });
    assert!(reply.result.unwrap().is_empty());
    let warnings = reply.warnings.into_iter().map(|it| it.message);
    (warnings.collect(), read.len())
}

#[test]
fn a_list_reads_ten_thousand_at_most_and_says_of_how_many() {
    for (count, expected) in [
        (9_999, None),
        (10_000, None),
        (10_001, Some("10001")),
        (100_000, Some("more than 100000")),
    ] {
        let expected = |nouns: &str| -> (Vec<String>, usize) {
            let warning = expected.map(|all| format!("Only 10000 of {all} {nouns} were examined"));
            (warning.into_iter().collect(), count.min(10_000))
        };
        let threads =
            Machine::start(
                |io: Io| async move { thread::summaries::summaries(&io, &settings()).await },
            );
        assert_eq!(
            listed(threads, ("/threads", ""), count),
            expected("threads")
        );
        let tasks =
            Machine::start(
                |io: Io| async move { task::summaries::summaries(&io, &settings()).await },
            );
        assert_eq!(listed(tasks, ("/tasks", "t-"), count), expected("tasks"));
    }
}
