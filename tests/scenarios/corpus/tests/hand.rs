//! Every scenario that was written by hand leads to what it says.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::Path;

use milepost_corpus::{generate, hand, scenario::Scenario};

#[test]
fn a_scenario_by_hand_leads_elsewhere_than_it_says() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("hand");
    let mut wrong = Vec::new();
    let mut checked = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        for hand in hand::read(&fs::read_to_string(&path).unwrap()).unwrap() {
            checked += 1;
            if let Err(why) = hand.check() {
                wrong.push(format!(
                    "{}: {}\n{why:#}",
                    path.display(),
                    hand.scenario.name
                ));
            }
        }
    }
    assert!(checked > 20, "only {checked} scenarios");
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn a_scenario_changes_when_it_is_written_and_read() {
    for number in 0..300 {
        let scenario = generate::scenario(7, number);
        assert_eq!(Scenario::read(&scenario.to_line()).unwrap(), scenario);
    }
}

#[test]
fn a_seed_gives_other_scenarios_the_second_time() {
    for number in 0..100 {
        assert_eq!(generate::scenario(3, number), generate::scenario(3, number));
    }
    assert_ne!(generate::scenario(3, 1), generate::scenario(4, 1));
}
