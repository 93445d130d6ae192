//! `--store`: what names a database, what is refused, and what the host gets.

use std::collections::BTreeSet;

use clap::Command;
use milepost::cli;
use milepost::json::{Json, Object};

use super::help::ALIASES;
use super::{CallResult, User, parse};

/// The database of these words, as a host gets it.
fn named(line: &str) -> String {
    let words: Vec<Json> = line.split_whitespace().map(Json::from).collect();
    let call = Object::new()
        .with("arguments", words)
        .with("place", Object::new())
        .with("color", false);
    cli::store(Json::from(call).to_line().as_bytes())
}

/// A call on a host that has reached the database, or could not.
fn run_with_database(user: &mut User, line: &str, member: (&str, Json)) -> CallResult {
    let working = user.working();
    let place = Object::from_iter([
        ("git_root", working.as_str()),
        ("working", &working),
        ("dir", "/shop"),
        ("storage", "records"),
    ]);
    let words: Vec<Json> = line.split_whitespace().map(Json::from).collect();
    let call = Object::new()
        .with("arguments", words)
        .with("place", place)
        .with("color", false)
        .with(member.0, member.1);
    user.drive(Json::from(call).to_line().as_bytes())
}

#[test]
fn the_host_gets_the_database_that_the_words_name() {
    let of = |variable: &str| format!(r#"{{"variable":{variable},"project":"shop"}}"#);
    for (line, expected) in [
        ("status --store env:URL --project shop", of(r#""URL""#)),
        ("--project=shop --store=env:_1 status", of(r#""_1""#)),
        ("--store env: --project shop", of("null")),
        ("status", "null".to_owned()),
        ("status --store", "null".to_owned()),
        ("status --store env:URL", "null".to_owned()),
        ("status --store env:URL --project=", "null".to_owned()),
        ("init --store env:URL --project shop", "null".to_owned()),
        // These reach it by themselves, or not at all.
        ("doctor --store env:URL --project shop", "null".to_owned()),
        (
            "hooks install codex --store env:URL --project shop",
            "null".to_owned(),
        ),
        ("notify --store env:URL --project shop", of(r#""URL""#)),
        ("--help --store env:URL --project shop", "null".to_owned()),
        ("show --summary --store", "null".to_owned()),
    ] {
        assert_eq!(named(line), expected, "{line}");
    }
}

#[test]
fn a_password_in_an_argument_is_refused_and_not_repeated() {
    for store in [
        "postgres://me:hunter2@host/db",
        "hunter2",
        "ENV:hunter2",
        "env:postgres://me:hunter2@host/db",
        "env:hunter2-",
        "env:2hunter2",
    ] {
        for json in ["", "--json"] {
            let line = format!("status --project shop --store {store} {json}");
            assert_eq!(named(&line), "null");
            let reason = User::new().line(&line).refusal(64);
            assert!(reason.contains("env:"), "{reason}");
            assert!(!reason.contains("hunter2"), "{reason}");
        }
    }
}

#[test]
fn a_store_is_opened_with_all_that_it_needs_and_nothing_that_it_excludes() {
    for (line, expected) in [
        ("status --store env:URL", "--project NAME"),
        ("status --store env:URL --project=", "--project NAME"),
        ("status --project shop", "--store env:NAME"),
        ("status --store env:URL --project shop --dir a", "`--dir`"),
    ] {
        let mut user = User::new();
        let reason = user.line(line).refusal(64);
        assert!(reason.contains(expected), "{line}: {reason}");
        assert_eq!(user.folder.path().read_dir().unwrap().count(), 0, "{line}");
    }
}

#[test]
fn a_verb_on_files_is_refused_beside_a_database() {
    let store = "--store env:URL --project shop";
    for line in [
        "init",
        "hooks status",
        "hooks remove codex",
        "create --reason manual",
        "restore --latest",
        "verify --latest",
        "list",
        "cleanup",
        "archive",
        "pin chk-20250126-103000",
        "snapshot list",
        "snapshot create --reason manual",
        "snapshot show chk-20250126-103000",
        "snapshot prune",
        "show chk-20250126-103000",
        "diff chk-20250126-103000 chk-20250126-103001",
    ] {
        let mut user = User::new();
        let line = format!("{line} {store}");
        let said = run_with_database(&mut user, &line, ("width", Json::Null));
        let reason = said.refusal(64);
        assert!(reason.contains("without `--store`"), "{line}: {reason}");
        assert_eq!(user.folder.path().read_dir().unwrap().count(), 0, "{line}");
    }
}

/// The texts in backticks.
fn in_backticks(text: &str) -> BTreeSet<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

/// The verbs of the command line, without those that only hold others.
fn leaves(command: &Command, words: &str, found: &mut Vec<(String, Command)>) {
    for below in command.get_subcommands() {
        let words = format!("{words} {}", below.get_name());
        match below.has_subcommands() {
            true => leaves(below, &words, found),
            false => found.push((words.trim().to_owned(), below.clone())),
        }
    }
}

/// Returns whether a verb refuses a database because it works on files.
fn refuses_a_database(words: &str, verb: &Command) -> bool {
    // One of these is a value that each verb takes.
    ["chk-20250126-103000", "codex", "1"]
        .into_iter()
        .any(|value| {
            let mut line = words.to_owned();
            for argument in verb.get_arguments().filter(|it| it.is_required_set()) {
                let values = argument.get_possible_values();
                let value = values.first().map_or(value, |first| first.get_name());
                let option = argument.get_long().filter(|_| !argument.is_positional());
                line += &option.map_or(String::new(), |option| format!(" --{option}"));
                line += &format!(" {value}");
            }
            line += " --store env:URL --project shop";
            // A verb that takes the database is not refused, and some of these run for long.
            let may_refuse = named(&line) == "null";
            may_refuse && {
                let said = User::new().line(&line);
                said.exit == 64 && said.error.contains("works on files")
            }
        })
}

#[test]
fn the_readme_and_the_page_of_postgresql_list_what_refuses_a_database() {
    let read = |page: &str| std::fs::read_to_string(crate::in_package(page)).unwrap();
    let readme = read("README.md");
    let line = readme.split_once("these refuse by name: ").unwrap().1;
    let listed = in_backticks(line.split_once(';').unwrap().0);

    let page = read("docs/guide/postgresql.md");
    let rows = page.split_once("| refuses `--store` |").unwrap().1;
    let rows = rows.split_once("\n\n").unwrap().0.lines().skip(2);
    let cells = rows.filter_map(|row| row.split('|').nth(1));
    let of_page: BTreeSet<&str> = cells.flat_map(in_backticks).collect();
    assert_eq!(listed, of_page);

    let mut verbs = Vec::new();
    leaves(&cli::definition(), "", &mut verbs);
    let refusing = verbs
        .iter()
        .filter(|(words, verb)| refuses_a_database(words, verb));
    let names = refusing.map(|(words, _)| {
        let alias = ALIASES.iter().find(|(earlier, _)| words == earlier);
        let words = alias.map_or(words.as_str(), |(_, words)| *words);
        match words.starts_with("snapshot ") {
            true => "snapshot …".to_owned(),
            false => words.to_owned(),
        }
    });
    let refusing: BTreeSet<String> = names.collect();
    // These depend on what is named or chosen beside them.
    let of_a_choice = ["show", "diff", "chk-…", "milepost mcp"];
    let is_whole = |name: &&str| !of_a_choice.contains(name) && !name.contains(" --");
    let listed: BTreeSet<String> = listed
        .into_iter()
        .filter(is_whole)
        .map(str::to_owned)
        .collect();
    assert_eq!(listed, refusing);
}

#[test]
fn a_host_without_a_database_refuses_the_call_and_keeps_nothing_in_files() {
    let mut user = User::new();
    let line = "phase design plan --store env:URL --project shop";
    let reason = user.line(line).refusal(64);
    assert!(reason.contains("npx milepost"), "{reason}");
    assert_eq!(user.folder.path().read_dir().unwrap().count(), 0);
}

#[test]
fn a_database_that_is_away_is_an_error_of_the_call() {
    for (code, exit) in [("usage", 64), ("io", 74), ("unsupported_version", 74)] {
        let failure = Object::from_iter([("code", code), ("message", "It is away")]);
        let line = "status --json --store env:URL --project shop";
        let said = run_with_database(&mut User::new(), line, ("unreachable", failure.into()));
        let error = parse(&said.refusal(exit));
        assert!(error.to_line().contains(r#""message":"It is away""#));
    }
}

#[test]
fn an_examination_of_a_database_is_refused_by_a_host_that_reaches_none() {
    let mut user = User::new();
    let reason = user
        .line("doctor --store env:URL --project shop")
        .refusal(64);
    assert!(reason.contains("npx milepost"), "{reason}");
    assert_eq!(user.folder.path().read_dir().unwrap().count(), 0);
}

#[test]
fn an_examination_says_why_the_database_of_hooks_cannot_be_used_and_brings_nothing() {
    let mut user = User::new();
    user.line("phase design plan in_progress").answer();
    let database = Object::new()
        .with("variable", "URL")
        .with("project", "shop")
        .with("reason", "The environment variable URL is not set");
    user.host_facts = Object::new().with("database", database).into();
    let said = user.line("doctor --fix");
    let expected = "Runs cannot be kept in the database of URL, as project shop: The environment variable URL is not set; 1 run \
                    is kept in files";
    assert_eq!(said.exit, 1);
    assert!(said.output.contains(expected), "{}", said.output);
    user.line("show design").answer();
}
