//! Help and version: the pages beside this test's code, under `tests/golden/help`.
//!
//! `MILEPOST_BLESS=1` writes the pages anew; review the difference.

use std::collections::BTreeSet;
use std::path::PathBuf;

use super::User;

fn golden() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden/help")
}

/// The commands that a help page lists.
fn listed(page: &str) -> Vec<String> {
    page.lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty())
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
fn a_help_page_fits_a_terminal_of_120_columns() {
    let mut pages = Vec::new();
    collect(&[], &mut pages);
    for (name, page) in pages {
        for line in page.lines() {
            assert!(line.chars().count() <= 120, "{name}: {line}");
        }
    }
}

#[test]
fn the_version_is_the_one_of_the_crate() {
    let expected = format!("milepost {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(User::new().line("--version").answer(), expected);
    assert_eq!(User::new().line("-V").answer(), expected);
}

#[test]
fn help_that_nobody_reads_is_an_output_failure() {
    let mut user = User::new();
    user.listening = false;
    assert_eq!(user.line("--help").exit, 74);
}
