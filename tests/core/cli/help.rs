//! Help and version: the pages beside this test's code, under `tests/golden/help`.
//!
//! `MILEPOST_BLESS=1` writes the pages again; review the difference.

use std::collections::BTreeSet;
use std::path::PathBuf;

use milepost::cli;

use super::User;

fn golden() -> PathBuf {
    crate::in_package("tests/golden/help")
}

/// The verbs that a help page lists: a word after two spaces each, below a heading.
pub(super) fn listed(page: &str) -> Vec<String> {
    let lists = |line: &&str| {
        line.strip_prefix("  ")
            .is_some_and(|line| line.starts_with(|first: char| first.is_ascii_lowercase()))
    };
    page.lines()
        .filter(lists)
        .filter_map(|line| line.split_whitespace().next().map(str::to_owned))
        .collect()
}

/// The verbs that worked before there were nouns, with those below them.
const EARLIER: &[&str] = &[
    "resume",
    "begin",
    "phase",
    "complete",
    "save",
    "rename",
    "remove",
    "status",
    "show",
    "gate",
    "view",
    "export",
    "create",
    "list",
    "restore",
    "verify",
    "cleanup",
    "archive",
    "pin",
    "log",
    "diff",
    "undo",
    "redo",
    "recover",
    "trim",
    "task",
    "task list",
    "task show",
    "task prune",
    "thread",
    "thread list",
    "thread show",
    "thread prune",
    "thread copy",
    "thread remove",
    "thread recover",
    "hook",
    "statusline",
    "mcp",
    "notify",
    "init",
    "doctor",
    "hooks",
    "hooks install",
    "hooks remove",
    "hooks status",
    "validate",
    "handoff",
    "handoff check",
    "tokens",
    "schema",
    "completions",
    "help",
    "version",
    "--version",
];

/// The verbs that have a better name, with that name.
pub(super) const ALIASES: [(&str, &str); 8] = [
    ("create", "snapshot create"),
    ("list", "snapshot list"),
    ("restore", "snapshot restore"),
    ("verify", "snapshot verify"),
    ("cleanup", "snapshot prune"),
    ("archive", "snapshot archive"),
    ("pin", "snapshot pin"),
    ("trim", "prune"),
];

/// The page of these words.
fn page_of(words: &[&str]) -> String {
    User::new().run(&[words, &["--help"]].concat()).answer()
}

/// Every help page with its name: the first one, the one with every verb, and that of each verb.
fn pages() -> Vec<(String, String)> {
    let all = User::new().line("help all").answer();
    let mut pages = vec![
        ("milepost".to_owned(), page_of(&[])),
        ("help-all".to_owned(), all.clone()),
    ];
    for verb in listed(&all) {
        collect(&[verb], &mut pages);
    }
    pages
}

/// Collects the page of these words and of every command below it.
fn collect(words: &[String], pages: &mut Vec<(String, String)>) {
    let page = page_of(&words.iter().map(String::as_str).collect::<Vec<_>>());
    let below = listed(&page);
    pages.push((words.join("-"), page));
    for word in below {
        collect(&[words, &[word]].concat(), pages);
    }
}

#[test]
fn every_help_page_is_the_reviewed_one() {
    let pages = pages()
        .into_iter()
        .map(|(name, page)| (format!("{name}.txt"), page));
    let pages: Vec<_> = pages.collect();
    assert!(pages.len() > 30, "the verbs of the page are not found");
    if std::env::var_os("MILEPOST_BLESS").is_some() {
        for (name, page) in &pages {
            std::fs::write(golden().join(name), page).unwrap();
        }
    }
    for (name, page) in &pages {
        let reviewed = std::fs::read_to_string(golden().join(name)).unwrap_or_default();
        assert_eq!(*page, reviewed, "{name}; MILEPOST_BLESS=1 refreshes it");
    }
    let stored: BTreeSet<_> = std::fs::read_dir(golden())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    let expected: BTreeSet<_> = pages.into_iter().map(|(name, _)| name).collect();
    assert_eq!(stored, expected, "pages without a command");
}

#[test]
fn every_help_page_fits_80_columns() {
    for (name, page) in pages() {
        for line in page.lines() {
            assert!(line.chars().count() <= 80, "{name}: {line}");
        }
    }
}

#[test]
fn the_page_with_every_verb_has_each_once_and_no_alias() {
    let mut listed = listed(&User::new().line("help all").answer());
    listed.sort();
    let definition = cli::definition();
    let verbs = definition.get_subcommands();
    let verbs = verbs.map(|verb| verb.get_name().to_owned());
    let is_alias = |verb: &String| ALIASES.iter().any(|(alias, _)| alias == verb);
    let mut verbs: Vec<_> = verbs.filter(|verb| !is_alias(verb)).collect();
    verbs.sort();
    assert_eq!(listed, verbs);
}

#[test]
fn the_first_page_has_at_most_40_lines_and_no_alias() {
    let page = page_of(&[]);
    assert!(page.lines().count() <= 40, "{page}");
    let listed = listed(&page);
    assert!(listed.len() >= 15, "{page}");
    for (alias, _) in ALIASES {
        assert!(!listed.iter().any(|verb| verb == alias), "{alias}: {page}");
    }
    assert!(page.contains("milepost help all"), "{page}");
}

#[test]
fn every_verb_of_earlier_help_works() {
    for line in EARLIER {
        let said = User::new().line(&format!("{line} --help"));
        assert_eq!((said.exit, said.error.as_str()), (0, ""), "{line}");
    }
}

#[test]
fn an_alias_has_the_page_of_the_better_name() {
    for (alias, name) in ALIASES {
        let words: Vec<&str> = name.split(' ').collect();
        let page = page_of(&words);
        let of_alias = page_of(&[alias]);
        match alias {
            // The parser itself calls it by its name.
            "trim" => assert_eq!(of_alias, page),
            _ => {
                let usage = format!("Usage: milepost {alias} ");
                assert!(of_alias.contains(&usage), "{of_alias}");
                let arguments = |page: &str| {
                    let from = page.find("\nOptions:").unwrap();
                    page[from..].to_owned()
                };
                assert_eq!(arguments(&of_alias), arguments(&page), "{alias}");
            }
        }
    }
    let page = page_of(&["snapshot"]);
    for (alias, name) in ALIASES {
        if name.starts_with("snapshot ") {
            assert!(page.contains(&format!("{alias}`")), "{alias}: {page}");
        }
    }
}

#[test]
fn help_and_version_are_words_of_the_command_line() {
    let said = |line: &str| User::new().line(line).answer();
    let help = said("--help");
    for line in ["help", "-h", "help --help --json"] {
        let page = said(line);
        assert!(page.contains("Usage: milepost"), "{line}");
    }
    assert_eq!(said("help"), help);
    assert_eq!(said("help log"), said("log --help"));
    assert_eq!(said("help handoff check"), said("handoff check --help"));
    let version = said("--version");
    for line in ["version", "-v", "-V", "version --json"] {
        assert_eq!(said(line), version, "{line}");
    }
    let reason = User::new().line("help satus").refusal(64);
    assert!(reason.contains("'status'"), "{reason}");
}

#[test]
fn help_all_says_what_a_command_is() {
    let page = User::new().line("help all").answer();
    for word in ["COMMAND says", "reconcile", "integrations.json adds"] {
        assert!(page.contains(word), "{word} in {page}");
    }
    // An unknown command is for the rules to refuse, which know those of the project.
    let reason = User::new().line("show deploy").refusal(64);
    assert!(reason.contains("Invalid command \"deploy\""), "{reason}");
    for shell in ["bash", "zsh"] {
        let script = User::new().run(&["completions", shell]).answer();
        assert!(script.contains("reconcile"), "{shell}");
    }
}

#[test]
fn the_version_is_the_one_of_the_crate() {
    let expected = format!("milepost {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(User::new().line("--version").answer(), expected);
    assert_eq!(User::new().line("-V").answer(), expected);
}
