//! The scenarios of `tests/scenarios/hand` over real files, the command line included.

mod case;
mod faults;
mod fixture;
mod host;

use std::fs;
use std::path::{Path, PathBuf};

use milepost_scenarios::hand::{self, Hand, Worlds};

use case::Case;
use fixture::{Fixture, Unavailable};

fn folder() -> PathBuf {
    crate::in_package("tests/scenarios/hand")
}

fn read(file: &Path) -> Vec<Hand> {
    hand::read(&fs::read_to_string(file).unwrap()).unwrap()
}

fn is_on_files(scenario: &Hand) -> bool {
    !matches!(scenario.worlds, Worlds::Memory(_))
}

/// Runs every scenario of a topic, and reports all that failed.
fn run(topic: &str) {
    let scenarios = read(&folder().join(format!("{topic}.json")));
    let mut failures = Vec::new();
    for scenario in scenarios.into_iter().filter(is_on_files) {
        let failed = match faults::call(&scenario) {
            Some(_) => faults::run(&scenario),
            None => run_one(&scenario).err().into_iter().collect(),
        };
        let named = |why| format!("{}\n    {why}", scenario.name);
        failures.extend(failed.into_iter().map(named));
    }
    assert!(failures.is_empty(), "{topic}\n{}", failures.join("\n"));
}

fn run_one(scenario: &Hand) -> Result<(), String> {
    let fixture = Fixture::new();
    let mut running = Case::new(&fixture);
    for step in &scenario.steps {
        match running.take(step) {
            Ok(outcome) => outcome?,
            // A device without being root, links on a system without them.
            Err(Unavailable) => {
                let is_excused = scenario.needs.is_some() || cfg!(not(unix));
                let why = || "cannot be put in place".to_owned();
                return is_excused.then_some(()).ok_or_else(why);
            }
        }
    }
    running.check_files(&scenario.files)
}

macro_rules! topics {
    ($($name:ident = $file:literal,)*) => {
        $(#[test] fn $name() { run($file); })*

        #[test]
        fn every_file_of_scenarios_is_run() {
            let entries = fs::read_dir(folder()).unwrap();
            let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
            files.retain(|file| read(file).iter().any(is_on_files));
            files.sort();
            let names: Vec<_> = files.iter().map(|file| file.file_stem().unwrap()).collect();
            assert_eq!(names, [$($file),*]);
        }
    };
}

topics! {
    clocks = "clocks",
    corrupt = "corrupt",
    edits = "edits",
    faults_at_effects = "faults",
    fields = "fields",
    gate = "gate",
    history = "history",
    large = "large",
    links = "links",
    names = "names",
    phases = "phases",
    repository = "repository",
    requests = "requests",
    resume = "resume",
    save = "save",
    strays = "strays",
    terminal = "terminal",
    text = "text",
    tokens = "tokens",
}
