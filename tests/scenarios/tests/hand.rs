//! Every scenario that was written by hand and needs no real files leads to what it says.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::Path;

use milepost_scenarios::hand::{self, Worlds};
use milepost_scenarios::{generate, scenario::Scenario, spell};

#[test]
fn a_scenario_by_hand_leads_to_what_it_says() {
    // Read when the test runs, not when it is compiled: a clone can be copied with its target folder.
    let package = std::env::var_os("CARGO_MANIFEST_DIR").unwrap();
    let folder = Path::new(&package).join("hand");
    let mut wrong = Vec::new();
    let mut checked = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let file = path.file_name().unwrap().display();
        let written = hand::read(&fs::read_to_string(&path).unwrap()).unwrap();
        for hand in written {
            if hand.worlds == Worlds::Real {
                continue;
            }
            checked += 1;
            let spelled = spell::out(&hand).unwrap();
            let line = spelled.scenario.to_line();
            assert_eq!(Scenario::read(&line).unwrap(), spelled.scenario);
            let whys = spelled.wrong.iter();
            wrong.extend(whys.map(|why| format!("{file}: {}\n  {why}", hand.name)));
        }
    }
    assert!(checked > 100, "only {checked} scenarios");
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn a_scenario_stays_unchanged_when_it_is_written_and_read() {
    for number in 0..300 {
        let scenario = generate::scenario(7, number);
        assert_eq!(Scenario::read(&scenario.to_line()).unwrap(), scenario);
    }
}

#[test]
fn a_seed_gives_the_same_scenarios_each_time() {
    for number in 0..100 {
        assert_eq!(generate::scenario(3, number), generate::scenario(3, number));
    }
    assert_ne!(generate::scenario(3, 1), generate::scenario(4, 1));
}
