//! What the store must survive: the table of `tests/scenarios/inputs`, over real files.

mod faults;
mod ground;
mod host;
mod step;
mod text;

use milepost::json::{self, Json, Object};

use ground::{CannotBeHad, Ground};
use step::Case;

fn table() -> Object {
    let text = include_str!("../scenarios/inputs/table.json");
    match json::read(text.as_bytes()).unwrap().value {
        Json::Object(table) => table,
        other => panic!("{other:?}"),
    }
}

fn entries(table: &Object, section: &str, row: u64) -> Vec<Object> {
    let entries = table.get(section).and_then(Json::as_array).unwrap().iter();
    entries
        .map(|entry| entry.as_object().unwrap())
        .filter(|entry| entry.get("row").and_then(Json::as_u64) == Some(row))
        .cloned()
        .collect()
}

/// How many kinds of input there are.
const ROWS: u64 = 18;

fn rows_of(section: &str) -> Vec<u64> {
    let table = table();
    let entries = table.get(section).and_then(Json::as_array).unwrap().iter();
    entries
        .map(|entry| entry.as_object().unwrap())
        .map(|entry| entry.get("row").and_then(Json::as_u64).unwrap())
        .collect()
}

/// Runs every case of a row, and reports all that failed.
fn run(row: u64) {
    let table = table();
    let mut failures = Vec::new();
    for case in entries(&table, "cases", row) {
        let name = case.get("name").and_then(Json::as_str).unwrap();
        let each = case.get("each").and_then(Json::as_array);
        let variants = match each {
            Some(each) => each.iter().map(Some).collect(),
            None => vec![None],
        };
        for each in variants {
            if let Err(failure) = run_case(&case, each) {
                let each = each.map(Json::to_line).unwrap_or_default();
                let each: String = each.chars().take(80).collect();
                failures.push(format!("{name} {each}\n    {failure}"));
            }
        }
    }
    for entry in entries(&table, "faults", row) {
        failures.extend(faults::run(&entry));
    }
    assert!(failures.is_empty(), "row {row}\n{}", failures.join("\n"));
}

fn run_case(case: &Object, each: Option<&Json>) -> Result<(), String> {
    let ground = Ground::new();
    let mut running = Case::new(&ground, each);
    for step in case.get("steps").and_then(Json::as_array).unwrap() {
        match running.take(step.as_object().unwrap()) {
            Ok(outcome) => outcome?,
            // A device without being root, links on a system without them.
            Err(CannotBeHad) => {
                let needs = case.get("needs").is_some() || cfg!(not(unix));
                return needs.then_some(()).ok_or("cannot be put in place".into());
            }
        }
    }
    Ok(())
}

macro_rules! rows {
    ($($name:ident = $row:literal,)*) => {
        $(#[test] fn $name() { run($row); })*

        #[test]
        fn every_row_of_the_table_is_run() {
            for section in ["cases", "faults"] {
                for row in rows_of(section) {
                    assert!([$($row),*].contains(&row), "{row}");
                }
            }
        }

        #[test]
        fn a_row_is_left_out_only_with_a_reason() {
            let left_out = rows_of("left_out");
            for row in 1..=ROWS {
                assert!([$($row),*].contains(&row) != left_out.contains(&row), "{row}");
            }
        }
    };
}

rows! {
    row_1_names = 1,
    row_2_names_that_differ_in_case = 2,
    row_3_links_and_special_files = 3,
    row_4_planted_text = 4,
    row_5_keys = 5,
    row_7_depth = 7,
    row_8_size = 8,
    row_9_text = 9,
    row_10_numbers = 10,
    row_11_revisions_and_seals = 11,
    row_12_escape_sequences = 12,
    row_13_long_text = 13,
    row_14_other_hands = 14,
    row_15_clocks = 15,
    row_16_faults = 16,
    row_17_configuration_of_git = 17,
    row_18_strays = 18,
}
