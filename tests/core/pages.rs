//! The pages for people: how long the first ones are, where their links lead, and whether they show what is printed.

use std::fs;
use std::path::{Path, PathBuf};

const TRANSCRIPT: &str = "docs/reference/transcript.md";

const AT_THE_ROOT: [&str; 7] = [
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CODE_OF_CONDUCT.md",
    "CONTRIBUTING.md",
    "README.md",
    "SECURITY.md",
    "SUPPORT.md",
];

/// Returns the paths of all pages, from the root of the package.
fn pages() -> Vec<PathBuf> {
    let mut pages: Vec<PathBuf> = AT_THE_ROOT.iter().map(PathBuf::from).collect();
    let mut folders = vec![PathBuf::from("docs")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(in_package(&folder)).unwrap() {
            let entry = entry.unwrap();
            let path = folder.join(entry.file_name());
            if entry.file_type().unwrap().is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|it| it == "md") {
                pages.push(path);
            }
        }
    }
    pages
}

fn in_package(path: &Path) -> PathBuf {
    crate::in_package(path.to_str().unwrap())
}

fn read(path: impl AsRef<Path>) -> String {
    fs::read_to_string(in_package(path.as_ref())).unwrap()
}

/// Returns the lines of a page that are in no fenced block.
fn prose(page: &str) -> Vec<&str> {
    let mut is_fenced = false;
    let mut lines = Vec::new();
    for line in page.lines() {
        if line.starts_with("```") {
            is_fenced = !is_fenced;
        } else if !is_fenced {
            lines.push(line);
        }
    }
    lines
}

/// Returns the targets of the links of a page.
fn links(page: &str) -> Vec<&str> {
    let parts = prose(page)
        .into_iter()
        .flat_map(|line| line.split("](").skip(1));
    parts
        .filter_map(|part| Some(part.split_once(')')?.0))
        .collect()
}

/// Returns the anchors that a page has for its headings.
fn anchors(page: &str) -> Vec<String> {
    let headings = prose(page).into_iter().filter(|line| line.starts_with('#'));
    headings
        .map(|line| {
            let title = line.trim_start_matches('#').trim().to_lowercase();
            let kept = title
                .chars()
                .filter(|it| it.is_alphanumeric() || " -_".contains(*it));
            kept.map(|it| if it == ' ' { '-' } else { it }).collect()
        })
        .collect()
}

#[test]
fn every_link_leads_to_a_file_and_a_heading() {
    let mut seen = 0;
    for page in pages() {
        let text = read(&page);
        let inside = links(&text).into_iter().filter(|it| !it.contains("://"));
        for link in inside {
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = match file {
                "" => page.clone(),
                file => page.parent().unwrap().join(file),
            };
            assert!(in_package(&target).exists(), "{}: {link}", page.display());
            let has_it = anchor.is_empty() || anchors(&read(&target)).iter().any(|it| it == anchor);
            assert!(has_it, "{}: {link}", page.display());
            seen += 1;
        }
    }
    assert!(seen > 100, "{seen} links were found");
}

#[test]
fn the_first_pages_are_short() {
    for (page, most) in [("README.md", 200), ("ARCHITECTURE.md", 90)] {
        let lines = read(page).lines().count();
        assert!(lines <= most, "{page} has {lines} lines of at most {most}");
    }
    let changelog = read("CHANGELOG.md");
    let (_, unreleased) = changelog.split_once("\n## Unreleased\n").unwrap();
    let unreleased = unreleased.split("\n## ").next().unwrap();
    let entries = unreleased.lines().filter(|it| it.starts_with("- ")).count();
    assert!(entries <= 40, "{entries} entries of at most 40");
}

#[test]
fn a_page_shows_of_the_terminal_what_the_transcript_has() {
    let transcript = read(TRANSCRIPT);
    let mut seen = 0;
    for page in pages().into_iter().filter(|it| it != Path::new(TRANSCRIPT)) {
        let text = read(&page);
        for block in text.split("\n```console\n$ ").skip(1) {
            let (block, _) = block.split_once("\n```").unwrap();
            for call in block.split("\n\n$ ") {
                let is_there = transcript.contains(&format!("\n$ {call}\n"));
                assert!(is_there, "{} shows\n{call}", page.display());
                seen += 1;
            }
        }
    }
    assert!(seen > 5, "{seen} calls were found");
}

#[test]
fn the_guide_shows_what_an_agent_was_given() {
    let recorded = read("tests/golden/agents/claude-code.txt");
    let guide = read("docs/guide/agents.md");
    let (_, shown) = guide.split_once("\n```json\n").unwrap();
    let shown = shown.lines().next().unwrap().replace('"', "\\\"");
    assert!(recorded.contains(&shown), "{shown}");
}

#[test]
fn the_numbers_of_the_readme_are_those_of_the_benchmarks() {
    let readme = read("README.md");
    let (_, speed) = readme.split_once("\n## Speed\n").unwrap();
    let speed = speed.split("\n## ").next().unwrap();
    let benchmarks = read("docs/internals/benchmarks.md");
    let words: Vec<&str> = speed.split_whitespace().collect();
    let mut seen = 0;
    for pair in words.windows(2) {
        let unit = pair[1].trim_end_matches([',', '.', ';', ':']);
        if ["ms", "MB"].contains(&unit) {
            let figure = format!("{} {unit}", pair[0]);
            assert!(benchmarks.contains(&figure), "{figure}");
            seen += 1;
        }
    }
    assert!(seen > 5, "{seen} figures were found");
}

/// Returns the verb of a line that is typed, such as `$ npx milepost resume --json`.
#[cfg(feature = "cli")]
fn verb(line: &str) -> Option<&str> {
    let line = line.strip_prefix("$ ").unwrap_or(line);
    let line = line.strip_prefix("npx ").unwrap_or(line);
    let verb = line.strip_prefix("milepost ")?.split([' ', ';']).next()?;
    verb.starts_with(|first: char| first.is_ascii_lowercase())
        .then_some(verb)
}

#[cfg(feature = "cli")]
#[test]
fn every_command_that_a_page_shows_exists() {
    let definition = milepost::cli::definition();
    let known: Vec<_> = definition.get_subcommands().collect();
    let mut seen = 0;
    for page in pages() {
        for verb in read(&page).lines().filter_map(verb) {
            let is_known = known
                .iter()
                .any(|it| it.get_name() == verb || it.get_all_aliases().any(|alias| alias == verb));
            assert!(is_known, "{}: milepost {verb}", page.display());
            seen += 1;
        }
    }
    assert!(seen > 50, "{seen} commands were found");
}
