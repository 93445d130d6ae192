//! The simulator itself: that it repeats, and that its shortcuts leave nothing out.

#![allow(clippy::unwrap_used)]

use std::process::Command;

use milepost::effect::{Effect, Sync};
use milepost_disk::Cuts;
use milepost_property::MARK;
use milepost_simulator::exhaustive::{Setting, Start, explore};
use milepost_simulator::gate::{self, Effort};
use milepost_simulator::points::{self, Case};
use milepost_simulator::restores;
use milepost_simulator::sabotage::{self, Active, Fault, PartsFault, RestoreFault, Sabotage};
use milepost_simulator::seeds::Seeds;
use milepost_simulator::tasks::pairs;
use milepost_simulator::threads;

#[test]
fn a_seed_is_the_same_run_each_time() {
    for seed in 0..20 {
        assert_eq!(Seeds::Updates.run(seed), Seeds::Updates.run(seed));
    }
}

#[test]
fn a_violation_is_found_again_by_its_seed() {
    sabotage::activate(Some(Fault::NoRevoke.into()));
    let found = (0..500).find_map(|seed| Some((seed, Seeds::Updates.run(seed).err()?)));
    let (seed, violation) = found.unwrap();
    assert_eq!(violation.origin, format!("seed {seed}"));
    assert_eq!(Seeds::Updates.run(seed), Err(violation));
    sabotage::activate(None);
    assert!(Seeds::Updates.run(seed).is_ok());
}

#[test]
fn renames_that_a_seed_decides_lose_nothing_and_are_the_same_each_time() {
    // Among them those that found: published a second time once the new name was free again, and
    // kept in a history whose folders were not durable.
    for seed in (0..100).chain([3566, 13_316]) {
        let run = Seeds::Renames.run(seed);
        assert!(run.is_ok(), "{run:?}");
        assert_eq!(run, Seeds::Renames.run(seed));
    }
}

#[test]
fn a_change_of_a_thread_loses_nothing_at_any_point() {
    for case in threads::Case::ALL {
        let looked = threads::look(case, Cuts::Few).unwrap();
        assert!(looked.effects > 8 && looked.deaths > 5, "{looked:?}");
        assert!(looked.losses > 5, "{looked:?}");
    }
}

#[test]
fn a_line_of_a_thread_that_does_not_wait_for_the_disk_is_noticed() {
    let lazily = |effect| match effect {
        Effect::Append { path, bytes, .. } => Effect::Append {
            path,
            bytes,
            sync: Sync::Lazy,
        },
        effect => effect,
    };
    let lost = threads::look_under(threads::Case::Line, Cuts::Few, lazily);
    let violation = lost.unwrap_err();
    assert!(
        violation.what.contains("it was acknowledged"),
        "{violation}"
    );
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
fn an_interrupted_listing_that_counts_as_whole_is_noticed() {
    sabotage::activate(Some(Fault::InterruptedListingIsClean.into()));
    let setting = Setting {
        has_interruptions: true,
        ..Setting::new(3, 1, Start::Document)
    };
    let violation = explore(setting).unwrap_err();
    sabotage::activate(None);
    assert!(
        violation.what.contains("another change is lost"),
        "{violation}"
    );
    assert!(explore(setting).is_ok());
}

#[test]
fn a_replaced_revision_that_comes_late_into_history_is_missed_at_a_death() {
    sabotage::activate(Some(Fault::HistoryAfterCommit.into()));
    let violation = points::look(Case::Update, Cuts::Every).unwrap_err();
    sabotage::activate(None);
    assert!(violation.what.contains("not in history"), "{violation}");
}

#[test]
fn a_fault_that_finds_no_step_to_change_fails_the_gate() {
    let effort = Effort {
        orders: vec![Setting::new(2, 1, Start::Document)],
        points: vec![Case::First],
        seeds: 3,
        is_first_enough: false,
    };
    for fault in Fault::ALL {
        let elsewhere = Sabotage {
            document: "/elsewhere/document.json",
            side: "/elsewhere/side",
            ..fault.into()
        };
        let caught = gate::put_in(elsewhere, &effort);
        // Chance has no place: only a token's name that was used before is put in anywhere.
        let is_placeless = fault == Fault::TokenReuse;
        assert_eq!(caught.is_caught(), is_placeless, "{caught:?}");
        assert_eq!(caught.applied > 0, is_placeless, "{caught:?}");
    }
}

#[test]
fn tasks_that_a_seed_decides_lose_nothing_and_are_the_same_each_time() {
    // Among them those that found: parts that went before the removal of their task was durable, a task
    // that was taken away as it began, and a save that failed where its task was deleted in between.
    for seed in (0..30).chain([154, 301, 382, 606, 893]) {
        let run = Seeds::Tasks.run(seed);
        assert!(run.is_ok(), "{run:?}");
        assert_eq!(run, Seeds::Tasks.run(seed));
    }
}

#[test]
fn transcripts_that_a_seed_decides_lose_no_entry_and_are_the_same_each_time() {
    for seed in 0..60 {
        let run = Seeds::Transcripts.run(seed);
        assert!(run.is_ok(), "{run:?}");
        assert_eq!(run, Seeds::Transcripts.run(seed));
    }
}

#[test]
fn a_task_whose_generation_is_not_checked_loses_what_an_index_names() {
    sabotage::activate(Some(Active::Parts(PartsFault::NoSweepFence)));
    let violation = (0..200).find_map(|seed| Seeds::Tasks.run(seed).err());
    sabotage::activate(None);
    let what = violation.unwrap().what;
    assert!(what.contains("is not there"), "{what}");
}

#[test]
fn two_jobs_on_tasks_come_through_in_every_order() {
    let looked = pairs::look(pairs::Case::List, 1);
    assert!(looked.is_ok_and(|it| it.orders > 1_000));
}

#[test]
fn a_file_that_is_saved_during_a_restore_is_missed_where_nothing_compares_it() {
    sabotage::activate(Some(Active::Restore(RestoreFault::NoComparison)));
    let violation = restores::look(restores::Case::Restore, 12).unwrap_err();
    sabotage::activate(None);
    assert!(violation.what.contains("is nowhere"), "{violation}");
    let looked = restores::look(restores::Case::Restore, 12).unwrap();
    assert!(looked.saves > 100 && looked.deaths > 100, "{looked:?}");
}

/// Runs the program; what it printed.
fn printed(arguments: &[&str]) -> (bool, String) {
    let mut simulator = Command::new(env!("CARGO_BIN_EXE_milepost-simulator"));
    let output = simulator.args(arguments).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    (output.status.success(), text)
}

#[test]
fn a_violation_is_one_marked_line_with_its_seed() {
    sabotage::activate(Some(Fault::NoRevoke.into()));
    let seed = (0..500).find(|seed| Seeds::Updates.run(*seed).is_err());
    sabotage::activate(None);
    let seed = seed.unwrap().to_string();
    let is_marked = |text: &str| {
        let mark = format!("{MARK}seed {seed}: ");
        text.lines().filter(|line| line.starts_with(&mark)).count() == 1
    };
    let (is_well, text) = printed(&["--seed", &seed, "--fault", "NoRevoke"]);
    assert!(!is_well && is_marked(&text), "{text}");
    let (is_well, text) = printed(&["--seed", &seed]);
    assert!(is_well && !text.contains(MARK), "{text}");
}
