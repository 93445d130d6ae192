//! The simulator itself: that it repeats, and that its shortcuts leave nothing out.

#![allow(clippy::unwrap_used)]

use milepost::store::Mutation;
use milepost_simulator::exhaustive::{Setting, Start, explore};
use milepost_simulator::points::{self, Case};
use milepost_simulator::random;

#[test]
fn a_seed_is_the_same_run_each_time() {
    for seed in 0..20 {
        assert_eq!(random::run(seed), random::run(seed));
    }
}

#[test]
fn a_violation_is_found_again_by_its_seed() {
    Mutation::activate(Some(Mutation::NoRevoke));
    let found = (0..500).find_map(|seed| Some((seed, random::run(seed).err()?)));
    let (seed, violation) = found.unwrap();
    assert_eq!(violation.origin, format!("seed {seed}"));
    assert_eq!(random::run(seed), Err(violation));
    Mutation::activate(None);
    assert!(random::run(seed).is_ok());
}

#[test]
fn joined_ways_lead_to_the_same_disks_as_all_ways() {
    for (writers, tries) in [(2, 1), (2, 2)] {
        for start in [Start::Document, Start::Nothing] {
            for has_links in [true, false] {
                let visited = [true, false].map(|joins| {
                    let setting = Setting {
                        has_links,
                        joins,
                        ..Setting::new(writers, tries, start)
                    };
                    explore(setting).unwrap()
                });
                let [joined, all] = visited;
                assert_eq!(joined.digest, all.digest, "{start:?} {has_links}");
                assert_eq!(joined.disks, all.disks);
                assert!(joined.states < all.states);
            }
        }
    }
}

#[test]
fn an_interrupted_listing_that_counts_as_whole_goes_unnoticed() {
    Mutation::activate(Some(Mutation::InterruptedListingIsClean));
    let setting = Setting {
        has_interruptions: true,
        ..Setting::new(3, 1, Start::Document)
    };
    let violation = explore(setting).unwrap_err();
    Mutation::activate(None);
    assert!(
        violation.what.contains("another change is lost"),
        "{violation}"
    );
    assert!(explore(setting).is_ok());
}

#[test]
fn a_replaced_revision_that_comes_late_into_history_is_missed_at_a_death() {
    Mutation::activate(Some(Mutation::HistoryAfterCommit));
    let violation = points::look(Case::Update).unwrap_err();
    Mutation::activate(None);
    assert!(violation.what.contains("not in history"), "{violation}");
}
