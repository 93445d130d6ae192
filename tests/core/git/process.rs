//! Runs of git by hosts.

use milepost::effect::{GIT_ELSEWHERE, GIT_OPTIONS, GIT_VARIABLES};

/// The part between two texts of a source.
fn between<'a>(source: &'a str, start: &str, end: &str) -> &'a str {
    let (_, rest) = source.split_once(start).unwrap();
    rest.split_once(end).unwrap().0
}

/// The texts in single quotes.
fn texts(part: &str) -> Vec<&str> {
    part.split('\'').skip(1).step_by(2).collect()
}

#[test]
fn the_adapter_for_node_runs_git_as_every_host_does() {
    let file = crate::in_package("pkg/src/host/node/system.js");
    let source = std::fs::read_to_string(file).unwrap();
    let options = texts(between(&source, "const GIT_OPTIONS = [", "];"));
    assert_eq!(options, GIT_OPTIONS);
    let variables = between(&source, "const GIT_VARIABLES = {", "};");
    let variables: Vec<(&str, &str)> = variables
        .lines()
        .filter_map(|line| line.trim().trim_end_matches(',').split_once(": "))
        .map(|(name, value)| (name, value.trim_matches('\'')))
        .collect();
    assert_eq!(variables, GIT_VARIABLES);
    let elsewhere = texts(between(&source, "const GIT_ELSEWHERE = [", "];"));
    assert_eq!(elsewhere, GIT_ELSEWHERE);
    let run = between(&source, "spawnSync('git', [", "]");
    assert!(run.ends_with("...GIT_OPTIONS, ...words"), "{run}");
}

/// Of the files that start programs, the adapter alone starts git.
#[test]
fn one_file_of_the_package_starts_git() {
    const STARTING: [&str; 5] = [
        "host/node/system.js",
        "program/status-line.js",
        "verb/compile.js",
        "verb/try-hooks.js",
        "verb/view/browser.js",
    ];
    let top = crate::in_package("pkg/src");
    let mut folders = vec![top.clone()];
    let mut starting = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let bytes = std::fs::read(&path).unwrap();
            let text = String::from_utf8_lossy(&bytes);
            let name = path.strip_prefix(&top).unwrap().display().to_string();
            if text.contains("child_process") {
                starting.push(name.clone());
            }
            let starts_git = ["spawnSync('git'", "spawn('git'", "execFile"]
                .iter()
                .any(|it| text.contains(it));
            assert_eq!(starts_git, name == "host/node/system.js", "{name}");
        }
    }
    starting.sort_unstable();
    assert_eq!(starting, STARTING);
}
