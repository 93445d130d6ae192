//! The house rules: which room may use which, and what no room of the core may touch.

use std::fs;
use std::path::{Path, PathBuf};

/// The floors from the top down. A room uses rooms of lower floors; rooms of one floor that are
/// separated by `|` do not know each other.
const FLOORS: [&[&str]; 7] = [
    &["surface"],
    &["cli"],
    &["operation", "doctor"],
    &["root"],
    &["store"],
    &["checkpoint", "handoff", "integrations"],
    &[
        "schema", "git", "effect", "error", "json", "keys", "secret", "text", "time", "tokens",
    ],
];

/// What the core must not name: all of it enters as an argument or as an outcome.
const IMPURE: [&str; 9] = [
    "std::fs",
    "std::net",
    "std::env",
    "std::process",
    "std::thread",
    "Instant",
    "SystemTime",
    "std::io::std",
    "println!",
];

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let mut files = Vec::new();
    for path in entries {
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

/// The room of a file: the first part of its path below `src`.
fn room(file: &Path) -> String {
    let below = file.strip_prefix(src()).unwrap();
    let first = below
        .components()
        .next()
        .unwrap()
        .as_os_str()
        .to_str()
        .unwrap();
    first
        .trim_end_matches(".rs")
        .trim_end_matches("_tests")
        .to_owned()
}

fn src() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

fn floor(room: &str) -> usize {
    FLOORS
        .iter()
        .position(|rooms| rooms.contains(&room))
        .unwrap_or_else(|| panic!("the room {room} stands on no floor"))
}

/// The rooms that a source names after `crate::`, in braces or alone.
fn used(source: &str) -> Vec<String> {
    let mut rooms = Vec::new();
    for (at, _) in source.match_indices("crate::") {
        let rest = &source[at + "crate::".len()..];
        let names = match rest.strip_prefix('{') {
            Some(group) => first_names(group),
            None => vec![rest],
        };
        for name in names {
            let end = name
                .find(|c: char| !c.is_ascii_lowercase() && c != '_')
                .unwrap_or(name.len());
            rooms.push(name[..end].to_owned());
        }
    }
    rooms
}

/// The parts of a brace group at its own level.
fn first_names(group: &str) -> Vec<&str> {
    let mut depth = 0;
    let mut start = 0;
    let mut names = Vec::new();
    for (at, character) in group.char_indices() {
        match character {
            '{' => depth += 1,
            '}' if depth == 0 => {
                names.push(group[start..at].trim());
                break;
            }
            '}' => depth -= 1,
            ',' if depth == 0 => {
                names.push(group[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    names.retain(|name| !name.is_empty());
    names
}

fn is_test(file: &Path) -> bool {
    let name = file.file_stem().unwrap().to_str().unwrap();
    name.ends_with("tests") || name == "sample"
}

#[test]
fn a_room_uses_lower_floors_only_and_rules_and_store_do_not_know_each_other() {
    let mut wrong = Vec::new();
    for file in sources(&src()).iter().filter(|file| !is_test(file)) {
        let own = room(file);
        if own == "lib" {
            continue;
        }
        let source = fs::read_to_string(file).unwrap();
        let source = source.split("#[cfg(test)]\nmod tests").next().unwrap();
        for other in used(source) {
            let ground = FLOORS.len() - 1;
            let allowed = other == own
                || floor(&other) > floor(&own)
                || floor(&own) == ground && floor(&other) == ground;
            if !allowed {
                wrong.push(format!("{} uses {other}", file.display()));
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn rules_know_no_effect() {
    for room in [
        "checkpoint",
        "handoff",
        "integrations",
        "tokens",
        "schema",
        "git",
        "json",
        "text",
    ] {
        for file in sources(&src())
            .iter()
            .filter(|file| self::room(file) == room)
        {
            let source = fs::read_to_string(file).unwrap();
            assert!(
                !source.contains("crate::effect"),
                "{} knows an effect",
                file.display()
            );
        }
    }
}

#[test]
fn the_core_names_no_clock_file_environment_or_chance() {
    for file in sources(&src()) {
        let source = fs::read_to_string(&file).unwrap();
        for name in IMPURE {
            assert!(!source.contains(name), "{} names {name}", file.display());
        }
    }
}

#[test]
fn every_room_stands_on_a_floor() {
    for file in sources(&src()) {
        let room = room(&file);
        if room != "lib" {
            floor(&room);
        }
    }
}
