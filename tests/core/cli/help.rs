//! Help and version: the pages beside this test's code, under `tests/golden/help`.
//!
//! `MILEPOST_BLESS=1` writes the pages anew; review the difference.

use std::collections::BTreeSet;
use std::path::PathBuf;

use milepost::cli;

use super::User;

fn golden() -> PathBuf {
    crate::in_package("tests/golden/help")
}

/// The verbs that a help page lists: a word after two spaces each, below a heading.
fn listed(page: &str) -> Vec<String> {
    let lists = |line: &&str| {
        line.strip_prefix("  ")
            .is_some_and(|line| line.starts_with(|first: char| first.is_ascii_lowercase()))
    };
    page.lines()
        .filter(lists)
        .filter_map(|line| line.split_whitespace().next().map(str::to_owned))
        .collect()
}

/// Collects the page of these words and of every command below it.
fn collect(words: &[String], pages: &mut Vec<(String, String)>) {
    let asked: Vec<&str> = words.iter().map(String::as_str).chain(["--help"]).collect();
    let page = User::new().run(&asked).answer();
    let below = listed(&page);
    let name = if words.is_empty() {
        "milepost".to_owned()
    } else {
        words.join("-")
    };
    pages.push((format!("{name}.txt"), page));
    for word in below {
        collect(&[words, &[word]].concat(), pages);
    }
}

#[test]
fn every_help_page_is_the_reviewed_one() {
    let mut pages = Vec::new();
    collect(&[], &mut pages);
    assert!(
        pages.len() > 15,
        "the commands of the first page are not found"
    );
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
fn a_help_page_was_wider_than_80_columns() {
    let mut pages = Vec::new();
    collect(&[], &mut pages);
    for (name, page) in pages {
        for line in page.lines() {
            assert!(line.chars().count() <= 80, "{name}: {line}");
        }
    }
}

#[test]
fn a_verb_is_missing_in_the_help_or_stands_there_twice() {
    let mut listed = listed(&User::new().line("--help").answer());
    listed.sort();
    let definition = cli::definition();
    let verbs = definition.get_subcommands();
    let mut verbs: Vec<_> = verbs.map(|verb| verb.get_name().to_owned()).collect();
    verbs.sort();
    assert_eq!(listed, verbs);
}

#[test]
fn the_readme_leaves_a_verb_out() {
    let readme = std::fs::read_to_string(crate::in_package("README.md")).unwrap();
    for verb in cli::definition().get_subcommands() {
        let line = format!("milepost {}", verb.get_name());
        assert!(readme.contains(&line), "{line}");
    }
}

#[test]
fn help_and_version_were_no_words_of_the_command_line() {
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
fn nothing_says_what_a_command_is() {
    let page = User::new().line("--help").answer();
    for word in ["COMMAND says", "reconcile", "integrations.json adds"] {
        assert!(page.contains(word), "{word} in {page}");
    }
    // A command that is none is for the rules to refuse, which know those of the project.
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
