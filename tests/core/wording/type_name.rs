//! The rule that a type name stands once in the core: who reads `Entry` need not look which of eight it is.

use std::collections::BTreeMap;

/// Names with several definitions, and the reason why they are the same thing.
const SHARED: [(&str, &str); 2] = [
    (
        "Arguments",
        "Each verb of the command line has its own, in a module that is named by the verb.",
    ),
    (
        "Io",
        "The access to a host, in the async and in the blocking variant.",
    ),
];

/// The name of the type that a line defines.
fn defined(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let rest = match line.strip_prefix("pub") {
        Some(rest) if rest.starts_with('(') => rest.split_once(')')?.1,
        Some(rest) => rest,
        None => line,
    };
    let (keyword, rest) = rest.trim_start().split_once(' ')?;
    let name = rest.split(|it: char| !it.is_alphanumeric() && it != '_');
    let name = name.into_iter().next()?;
    let is_type = ["struct", "enum", "trait", "union"].contains(&keyword);
    (is_type && !name.is_empty()).then_some(name)
}

#[test]
fn a_type_name_stands_once_in_the_core() {
    let files = super::files(&crate::in_package(""), "src");
    let mut paths: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (path, text) in files.iter().filter(|(path, _)| path.ends_with(".rs")) {
        for name in text.lines().filter_map(defined) {
            paths.entry(name).or_default().push(path);
        }
    }
    assert!(paths.len() > 500, "{}", paths.len());
    let shared: Vec<&str> = paths
        .iter()
        .filter(|(_, paths)| paths.len() > 1)
        .map(|(name, _)| *name)
        .collect();
    let places = |name: &str| format!("{name}: {}", paths[name].join(", "));
    let allowed = SHARED.map(|(name, _)| name);
    assert_eq!(
        shared,
        allowed,
        "{:#?}",
        shared.iter().map(|it| places(it)).collect::<Vec<_>>()
    );
}

#[test]
fn a_definition_is_known_by_its_keyword() {
    for (line, name) in [
        ("struct Entry;", Some("Entry")),
        ("    pub(in crate::store) enum Change<'a> {", Some("Change")),
        ("pub trait Host {", Some("Host")),
        ("/// struct Entry", None),
        ("let structure = 1;", None),
        ("impl Entry {", None),
    ] {
        assert_eq!(defined(line), name, "{line}");
    }
}
