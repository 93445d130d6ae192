//! The workflows of the site that hosts the repository: each step is a command that exists here, each action is named
//! by its commit, and no job may do more than it needs.

#![allow(clippy::unwrap_used)]

use std::fs;

use clap::Parser;

use crate::Arguments;
use crate::steps::ALL;
use crate::workspace::Workspace;

/// Commands that are none of xtask's, by their beginning, and why a workflow has them.
const OTHERS: [(&str, &str); 8] = [
    (
        "rustup toolchain install ",
        "The runner has one Rust, and not the oldest that is supported.",
    ),
    (
        "npm publish \"./milepost-${TAG#v}.tgz\"",
        "npm trusts the workflow that starts its own program, and no other.",
    ),
    (
        "npm publish \"./milepost-exact-tokens-${TAG#v}.tgz\"",
        "The same, of the package that counts exact tokens.",
    ),
    (
        "cargo publish --locked --no-verify ",
        "crates.io takes a crate from cargo alone.",
    ),
    (
        "skopeo login ghcr.io ",
        "The token of the job must not pass through what is compiled here.",
    ),
    (
        "skopeo copy \"oci-archive:milepost",
        "The step `components from a registry` has the same copy to a registry of its own.",
    ),
    (
        "tar -xzf \"milepost-jsr-${TAG#v}.tar.gz\"",
        "JSR takes a folder, and a job that can publish compiles nothing that could unpack it.",
    ),
    (
        "deno publish",
        "JSR trusts the workflow that starts this. The step `package of JSR` has the same without sending anything.",
    ),
];

/// A step's command or action, with its file.
struct Entry {
    file: String,
    text: String,
}

/// The texts of all workflows, with their names.
fn workflows() -> Vec<(String, String)> {
    let folder = Workspace::find().unwrap().join(".github/workflows");
    let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
    let mut found: Vec<_> = entries
        .map(|it| {
            let name = it.file_name().into_string().unwrap();
            (name, fs::read_to_string(it.path()).unwrap())
        })
        .collect();
    found.sort();
    assert!(found.len() > 1);
    found
}

/// The values of all lines `key: value`, where a step may begin with it.
fn values(key: &str) -> Vec<Entry> {
    let start = format!("{key}: ");
    let of_file = |(file, text): (String, String)| {
        let lines = text.lines().map(|it| it.trim().trim_start_matches("- "));
        let values = lines.filter_map(|line| line.strip_prefix(start.as_str()));
        let values = values.map(|text| Entry {
            file: file.clone(),
            text: text.to_owned(),
        });
        values.collect::<Vec<_>>()
    };
    workflows().into_iter().flat_map(of_file).collect()
}

/// The words of a command line; double quotes hold one together.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (at, part) in line.split('"').enumerate() {
        match at % 2 {
            0 => words.extend(part.split_whitespace().map(str::to_owned)),
            _ => words.push(part.to_owned()),
        }
    }
    words
}

/// The reason why a command line is not one that runs here, or `None`.
fn refusal(line: &str) -> Option<String> {
    if OTHERS.iter().any(|(start, _)| line.starts_with(start)) {
        return None;
    }
    if line.contains(['|', '>', '<', ';', '&', '$', '\\', '\'']) {
        return Some("it is more than one command".to_owned());
    }
    let words = words(line);
    let Some(arguments) = words.strip_prefix(&["cargo".to_owned(), "xtask".to_owned()]) else {
        return Some("it is no call of cargo xtask".to_owned());
    };
    let call = ["cargo xtask"]
        .into_iter()
        .chain(arguments.iter().map(String::as_str));
    if let Err(error) = Arguments::try_parse_from(call) {
        return Some(error.to_string());
    }
    let mut pairs = arguments.windows(2).filter(|pair| pair[0] == "--only");
    let unknown = pairs.find(|pair| !ALL.iter().any(|step| step.name == pair[1]));
    unknown.map(|pair| format!("no step {}", pair[1]))
}

#[test]
fn each_step_of_a_workflow_is_a_command_that_runs_here() {
    let runs = values("run");
    assert!(runs.len() > 5, "{} commands", runs.len());
    for Entry { file, text } in runs {
        assert_eq!(refusal(&text), None, "{file}: {text}");
    }
}

#[test]
fn a_command_that_does_not_exist_is_refused() {
    for line in [
        "cargo xtask build",
        "cargo xtask test --all --only \"cargo test\" --only simulator",
        "rustup toolchain install 1.95",
    ] {
        assert_eq!(refusal(line), None, "{line}");
    }
    for line in [
        "cargo xtask publish-everything",
        "cargo xtask test --only \"no such step\"",
        "cargo xtask test --no-such-option",
        "cargo xtask build && true",
        "cargo build",
        "|",
        "npm install",
    ] {
        assert!(refusal(line).is_some(), "{line}");
    }
}

#[test]
fn every_action_is_named_by_its_commit_and_version() {
    let actions = values("uses");
    assert!(actions.len() > 5, "{} actions", actions.len());
    for Entry { file, text } in actions {
        let (name, rest) = text.split_once('@').unwrap();
        let (commit, version) = rest.split_once(" # v").unwrap();
        assert!(name.split('/').count() >= 2, "{file}: {text}");
        let is_hexadecimal = |it: char| it.is_ascii_digit() || ('a'..='f').contains(&it);
        assert!(
            commit.len() == 40 && commit.chars().all(is_hexadecimal),
            "{file}: {text}"
        );
        let numbers = version.split('.').map(str::parse::<u32>);
        assert_eq!(numbers.flatten().count(), 3, "{file}: {text}");
    }
}

#[test]
fn one_version_of_an_action_has_one_commit() {
    let mut actions: Vec<String> = values("uses").into_iter().map(|it| it.text).collect();
    actions.sort();
    actions.dedup();
    let mut names: Vec<&str> = actions
        .iter()
        .map(|it| it.split('@').next().unwrap())
        .collect();
    let all = names.len();
    names.dedup();
    assert_eq!(names.len(), all, "{actions:#?}");
}

#[test]
fn no_job_has_a_right_that_it_does_not_name() {
    for (file, text) in workflows() {
        assert!(text.contains("\npermissions: {}\n"), "{file}");
        let jobs = text.matches("\n    runs-on: ").count();
        let rights = text.matches("\n    permissions:\n").count();
        assert_eq!(
            jobs, rights,
            "{file}: jobs, and jobs that name their rights"
        );
        let limits = text.matches("\n    timeout-minutes: ").count();
        assert_eq!(jobs, limits, "{file}: jobs, and jobs with a limit of time");
        for broad in [
            "write-all",
            "read-all",
            "contents: write",
            "pull_request_target",
            "secrets.",
        ] {
            assert!(!text.contains(broad), "{file}: {broad}");
        }
    }
}

#[test]
fn no_clone_of_a_workflow_keeps_the_credentials() {
    for (file, text) in workflows() {
        let clones = text.matches("uses: actions/checkout@").count();
        let without = text
            .matches("\n          persist-credentials: false\n")
            .count();
        assert_eq!(clones, without, "{file}");
    }
}

#[test]
fn a_job_that_can_sign_or_publish_builds_nothing() {
    let (_, release) = workflows()
        .into_iter()
        .find(|(name, _)| name == "release.yml")
        .unwrap();
    let (_, jobs) = release.split_once("\njobs:\n").unwrap();
    let names = jobs
        .lines()
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names: Vec<&str> = names.filter(|line| line.ends_with(':')).collect();
    assert_eq!(names.len(), 8, "{names:?}");
    let mut able = 0;
    for (at, name) in names.iter().enumerate() {
        let (_, job) = jobs.split_once(&format!("{name}\n")).unwrap();
        let job = match names.get(at + 1) {
            Some(next) => job.split_once(&format!("{next}\n")).unwrap().0,
            None => job,
        };
        if [": write #", "id-token: write"]
            .iter()
            .any(|right| job.contains(right))
        {
            able += 1;
            let cargo = job.lines().filter(|line| line.contains("run: cargo "));
            // Packs a crate, and compiles nothing of it.
            let packs = |line: &&str| line.contains("run: cargo publish --locked --no-verify ");
            assert_eq!(cargo.clone().count(), cargo.filter(packs).count(), "{name}");
            let clones = job.contains("actions/checkout@");
            assert!(!clones || job.contains("cargo publish"), "{name}");
        }
    }
    assert_eq!(able, 7);
}
