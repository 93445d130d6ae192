use std::fs;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

use super::{ALL, ASKED_FOR, Need, Step};
use crate::steps::part::FOR_PEOPLE;
use crate::steps::{EVERYTHING, has};
use crate::test::Range;
use crate::workspace::Workspace;

/// All files that git knows.
fn files(root: &Path) -> Vec<String> {
    let mut git = Command::new("git");
    git.current_dir(root).args(["ls-files", "-z"]);
    let listed = git.output().unwrap();
    assert!(listed.status.success());
    let names = String::from_utf8(listed.stdout).unwrap();
    let names = names.split('\0').filter(|name| !name.is_empty());
    names.map(str::to_owned).collect()
}

#[test]
fn every_file_that_no_step_reads_is_for_people() {
    let workspace = Workspace::find().unwrap();
    let unread: Vec<String> = files(workspace.root())
        .into_iter()
        .filter(|file| !has(EVERYTHING, file) && !has(FOR_PEOPLE, file))
        .filter(|file| !all().any(|step| has(&used(step), file)))
        .collect();
    assert_eq!(unread, Vec::<String>::new());
}

/// The parts that a step reads, without those that are an ending alone: a file is read there for its form or its words,
/// and nothing uses it.
fn used(step: &Step) -> Vec<&'static str> {
    let mut reads = step.reads();
    reads.retain(|part| !part.starts_with("*."));
    reads
}

#[test]
fn cargo_test_reads_every_file_whose_words_it_checks() {
    let workspace = Workspace::find().unwrap();
    let text = fs::read_to_string(workspace.join("tests/core/wording.rs")).unwrap();
    let (_, list) = text.split_once("const READ: ").unwrap();
    let (list, _) = list.split_once("];").unwrap();
    let step = ALL.iter().find(|step| step.name == "cargo test").unwrap();
    let endings: Vec<&str> = list.split('"').filter(|it| it.starts_with('.')).collect();
    assert!(endings.len() > 5, "{endings:?}");
    for ending in endings {
        let pattern = format!("*{ending}");
        assert!(step.reads().contains(&pattern.as_str()), "{ending}");
    }
}

#[test]
fn every_part_that_a_step_reads_is_there() {
    let workspace = Workspace::find().unwrap();
    let files = files(workspace.root());
    for step in all() {
        for part in step.reads() {
            let is_there = files.iter().any(|file| has(&[part], file));
            assert!(is_there, "{} reads {part}", step.name);
        }
    }
}

/// The page has a table of all steps, with a row `| name | range | … |` each.
#[test]
fn contributing_lists_each_step_with_its_range() {
    let workspace = Workspace::find().unwrap();
    let page = fs::read_to_string(workspace.join("CONTRIBUTING.md")).unwrap();
    let rows: Vec<Vec<&str>> = page
        .lines()
        .map(|line| line.split('|').map(str::trim).collect())
        .collect();
    let listed = |step: &Step| {
        let row = rows.iter().find(|row| row.get(1) == Some(&step.name))?;
        row.get(2).copied()
    };
    for step in ALL {
        let range = match step.range {
            Range::Decisive => "`test`",
            Range::All => "`--all`",
        };
        assert_eq!(listed(step), Some(range), "{}", step.name);
    }
}

/// The files that a script names by a path from its own folder, where they exist.
fn named(root: &Path, file: &str, text: &str) -> Vec<String> {
    let folder = Path::new(file).parent().unwrap();
    let quoted = text.split(['\'', '"', '`']);
    let relative = quoted.filter(|word| word.starts_with("../") || word.starts_with("./"));
    let plain = |path: PathBuf| {
        let mut parts: Vec<String> = Vec::new();
        for part in path.components() {
            match part {
                Component::ParentDir => drop(parts.pop()),
                Component::Normal(name) => parts.push(name.to_string_lossy().into_owned()),
                _ => {}
            }
        }
        parts.join("/")
    };
    relative
        .map(|word| plain(folder.join(word)))
        .filter(|path| root.join(path).is_file())
        .collect()
}

fn all() -> impl Iterator<Item = &'static Step> {
    ALL.iter().chain([&ASKED_FOR])
}

fn runs_scripts(step: &Step) -> bool {
    let places = [Need::Project, Need::Package];
    step.needed(Range::All)
        .iter()
        .any(|need| places.contains(need))
}

#[test]
fn a_step_reads_what_its_scripts_import() {
    let workspace = Workspace::find().unwrap();
    let scripts = ["*.mjs", "*.cjs", "*.js", "*.ts", "*.mts", "*.cts"];
    let mut imports = 0;
    for file in files(workspace.root()) {
        let runs = |folder: &str| file.starts_with(folder);
        if !has(&scripts, &file) || !(runs("tests/") || runs("host-examples/")) {
            continue;
        }
        let Ok(text) = fs::read_to_string(workspace.join(&file)) else {
            continue;
        };
        for imported in named(workspace.root(), &file, &text) {
            imports += 1;
            for step in all().filter(|step| runs_scripts(step)) {
                if !has(&step.reads(), &file) {
                    continue;
                }
                let reads = has(&step.reads(), &imported);
                assert!(reads, "{} runs {file}, which reads {imported}", step.name);
            }
        }
    }
    assert!(imports > 50, "{imports} imports were found");
}
