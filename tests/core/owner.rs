//! The names of the project's owner: `owner.json` has them, and every file that shows one has the same.
//!
//! `MILEPOST_BLESS=1` writes them into those files; review the difference.

use std::env;
use std::fs;
use std::ops::Range;

use serde_json::Value;

/// The domain of addresses that are not known yet, and the scope of JSR, which has no dots. No name below `invalid` can
/// ever belong to anyone.
const PLACEHOLDERS: [&str; 2] = ["owner.invalid", "owner-invalid"];

/// The file with the names.
const OWNER: &str = "owner.json";

/// Every place that shows a name: the file, the text before it, the member of the file of names, the text behind it.
const SHOWN: [(&str, &str, &str, &str); 15] = [
    ("Cargo.toml", "\nrepository = \"", "repository", "\"\n"),
    (
        "shape/Cargo.toml",
        "\nrepository = \"",
        "repository",
        "\"\n",
    ),
    ("LICENSE-MIT", "Copyright (c) ", "author", "\n"),
    ("pkg/package.json", "\n  \"author\": \"", "author", "\",\n"),
    (
        "pkg/package.json",
        "\n  \"homepage\": \"",
        "repository",
        "#readme\",\n",
    ),
    (
        "pkg/package.json",
        "\n  \"repository\": { \"type\": \"git\", \"url\": \"git+",
        "repository",
        ".git\", ",
    ),
    (
        "pkg/package.json",
        "\n  \"mcpName\": \"",
        "mcpName",
        "\",\n",
    ),
    (
        "pkg/package.json",
        "\n  \"bugs\": { \"url\": \"",
        "repository",
        "/issues\" },\n",
    ),
    (
        "pkg/build/plugin.mjs",
        "const author = { name: '",
        "author",
        "' };\n",
    ),
    ("pkg/build/jsr.mjs", "\nconst SCOPE = '", "jsrScope", "';\n"),
    (
        ".github/ISSUE_TEMPLATE/config.yml",
        "\n    url: ",
        "repository",
        "/security/advisories/new\n",
    ),
    (
        "SECURITY.md",
        "with the form at <",
        "repository",
        "/security/advisories/new>",
    ),
    ("SECURITY.md", "by mail to <", "contact", ">"),
    ("SUPPORT.md", "the [issues](", "repository", "/issues)"),
    ("CODE_OF_CONDUCT.md", "write to <", "contact", ">"),
];

fn read(path: &str) -> String {
    fs::read_to_string(crate::in_package(path)).unwrap()
}

fn owner() -> Value {
    serde_json::from_str(&read(OWNER)).unwrap()
}

/// The part of a text between two others.
fn between(text: &str, before: &str, after: &str) -> Option<Range<usize>> {
    let start = text.find(before)? + before.len();
    let length = text[start..].find(after)?;
    Some(start..start + length)
}

#[test]
fn every_file_shows_the_names_of_the_owner() {
    let owner = owner();
    let is_written = env::var_os("MILEPOST_BLESS").is_some();
    for (path, before, member, after) in SHOWN {
        let name = owner[member].as_str().unwrap();
        let mut text = read(path);
        let place = between(&text, before, after);
        let place = place.unwrap_or_else(|| panic!("{path} shows no {member} behind {before:?}"));
        if is_written && &text[place.clone()] != name {
            text.replace_range(place, name);
            fs::write(crate::in_package(path), text).unwrap();
        } else {
            assert_eq!(&text[place], name, "{path}: {member} of {OWNER}");
        }
    }
}

fn has_placeholder(text: &str) -> bool {
    PLACEHOLDERS.iter().any(|it| text.contains(it))
}

/// The reasons why a version must not be released under a tag.
fn reasons_against(tag: &str, version: &str, texts: &[(&str, String)]) -> Vec<String> {
    let mut reasons = Vec::new();
    if tag != format!("v{version}") {
        reasons.push(format!("the tag is {tag}, and the version is {version}"));
    }
    let placeholders = texts.iter().filter(|(_, text)| has_placeholder(text));
    reasons.extend(placeholders.map(|(path, _)| format!("{path} has a placeholder")));
    reasons
}

/// The files that show a name, each once, and the one that has them all.
fn files_with_names() -> Vec<(&'static str, String)> {
    let mut paths: Vec<&str> = SHOWN.iter().map(|(path, ..)| *path).collect();
    paths.push(OWNER);
    paths.dedup();
    paths.into_iter().map(|path| (path, read(path))).collect()
}

#[test]
fn nothing_is_released_under_a_placeholder_or_another_version() {
    let is_tag = env::var("GITHUB_REF_TYPE").is_ok_and(|kind| kind == "tag");
    if let (true, Ok(tag)) = (is_tag, env::var("GITHUB_REF_NAME")) {
        let reasons = reasons_against(&tag, env!("CARGO_PKG_VERSION"), &files_with_names());
        assert_eq!(reasons, Vec::<String>::new());
    }
}

#[test]
fn a_placeholder_and_a_tag_of_another_version_are_reasons_against_a_release() {
    let filled = ("SUPPORT.md", "https://example.org/milepost".to_owned());
    let open = (
        "SECURITY.md",
        format!("https://{}/milepost", PLACEHOLDERS[0]),
    );
    let none = Vec::<String>::new();
    assert_eq!(
        reasons_against("v1.2.3", "1.2.3", std::slice::from_ref(&filled)),
        none
    );
    assert_eq!(
        reasons_against("v1.2.4", "1.2.3", &[filled, open]),
        [
            "the tag is v1.2.4, and the version is 1.2.3",
            "SECURITY.md has a placeholder"
        ]
    );
}

#[test]
fn placeholders_are_in_all_places_or_in_none() {
    let is_open = has_placeholder(&owner().to_string());
    let open = files_with_names().into_iter();
    let open: Vec<_> = open
        .filter(|(_, text)| has_placeholder(text))
        .map(|(path, _)| path)
        .collect();
    // Sentences beside the names say what a placeholder is, and go with the last one.
    assert_eq!(open.is_empty(), !is_open, "{open:?}");
}
