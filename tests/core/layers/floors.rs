//! The floors of the package's JavaScript: which folder of `pkg/src` may import which.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The folders of `pkg/src` from the ground up, each with those that its files import beside their own.
const FLOORS: [(&str, &[&str]); 7] = [
    ("base", &[]),
    ("wasm", &["base"]),
    ("host", &["base", "wasm"]),
    ("client", &["base", "wasm", "host"]),
    ("entry", &["base", "wasm", "host", "client"]),
    ("program", &["base", "wasm", "host", "client"]),
    ("verb", &["base", "wasm", "host", "client", "program"]),
];

/// The imports of floors that a file may not import: `files` are paths below `pkg/src` and what they hold.
fn violations(files: &[(String, String)]) -> Vec<String> {
    let mut wrong = BTreeSet::new();
    for (path, text) in files {
        let floor = floor(path);
        let Some((_, below)) = FLOORS.iter().find(|(name, _)| *name == floor) else {
            wrong.insert(format!("{path} is on no floor"));
            continue;
        };
        for used in imports(path, text) {
            let other = used.split('/').next().unwrap_or_default();
            if other != floor && !below.contains(&other) {
                wrong.insert(format!("{path} imports {used}"));
            }
        }
    }
    wrong.into_iter().collect()
}

/// The folder of a file; the file itself if it is in none.
fn floor(path: &str) -> &str {
    path.split('/').next().unwrap_or_default()
}

/// The files below `pkg/src` that a file names as modules, for their values or for their types.
fn imports(path: &str, text: &str) -> Vec<String> {
    let quoted = ["from '", "import '", "import('"]
        .into_iter()
        .flat_map(|start| text.split(start).skip(1))
        .filter_map(|rest| rest.split_once('\'').map(|(name, _)| name));
    let relative = quoted.filter(|name| name.starts_with('.'));
    relative.filter_map(|name| joined(path, name)).collect()
}

/// The file that a relative name leads to from another one; none outside `pkg/src`.
fn joined(from: &str, name: &str) -> Option<String> {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in name.split('/') {
        match part {
            "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// Every module of `pkg/src`: its path below it, and what it holds.
fn modules() -> Vec<(String, String)> {
    fn collect(folder: &Path, below: &str, files: &mut Vec<(String, String)>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap();
            if path.is_dir() {
                collect(&path, &format!("{below}{name}/"), files);
            } else if name.ends_with(".js") {
                let text = fs::read_to_string(&path).unwrap();
                files.push((format!("{below}{name}"), text));
            }
        }
    }
    let mut files = Vec::new();
    collect(&crate::in_package("pkg/src"), "", &mut files);
    files
}

#[test]
fn modules_of_the_package_import_floors_below_them_only() {
    let modules = modules();
    for (floor, _) in FLOORS {
        let is_there = |(path, _): &(String, String)| path.starts_with(&format!("{floor}/"));
        assert!(modules.iter().any(is_there), "{floor}");
    }
    assert_eq!(violations(&modules), Vec::<String>::new());
}

#[test]
fn an_import_of_a_floor_above_is_reported() {
    let said_of = |path: &str, text: &str| violations(&[(path.to_owned(), text.to_owned())]);
    let upward = "import { Store } from '../../client/store.js';";
    let expected = ["host/node/files.js imports client/store.js"];
    assert_eq!(said_of("host/node/files.js", upward), expected);
    let of_a_type = "/** @typedef {import('../client/store.js').Store} Store */";
    let expected = ["wasm/ffi.js imports client/store.js"];
    assert_eq!(said_of("wasm/ffi.js", of_a_type), expected);
    for text in [
        "import { EFFECTS } from '../../wasm/ffi.js';",
        "import { Fault } from './fault.js';",
        "import fs from 'node:fs';",
        "/** @typedef {import('../../../types/index.js').Store} Store */",
    ] {
        assert_eq!(said_of("host/node/files.js", text), Vec::<String>::new());
    }
    assert_eq!(said_of("store.js", ""), ["store.js is on no floor"]);
}

#[test]
fn the_page_on_architecture_names_every_floor() {
    let page = fs::read_to_string(crate::in_package("ARCHITECTURE.md")).unwrap();
    for (floor, below) in FLOORS {
        let below: Vec<String> = below.iter().map(|name| format!("`{name}`")).collect();
        let below = match below.is_empty() {
            true => "nothing".to_owned(),
            false => below.join(", "),
        };
        let mut rows = page.lines();
        let row = rows.find(|line| line.starts_with(&format!("| `pkg/src/{floor}/` |")));
        let row = row.unwrap_or_else(|| panic!("no row of {floor}"));
        assert!(row.ends_with(&format!("; imports {below} |")), "{row}");
    }
}
