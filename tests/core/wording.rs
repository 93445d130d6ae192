//! The rule of one language: names, comments, messages and the names of tests use the words of the field.
//!
//! Two things are held at zero: comments whose paragraphs begin with a question word ([`OPENERS`]), and the words and
//! phrases that the glossary replaces ([`BANNED`]). The rule holds for the folders and files of [`CLEAN`] so far: one
//! that has been cleaned is added there, until the table is the root alone. A file that the step `cargo test` does not
//! read yet is then added to its row in `xtask/src/steps/table.rs`, from which `cargo xtask test --since` follows.

mod line;
mod rule;
mod word;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use rule::{BANNED, Finding, OPENERS, findings};

/// The folders and files that the rule holds for so far, from the root of the clone.
const CLEAN: [&str; 3] = ["src", "tests/faults", "xtask"];

/// Uses that stay: the beginning of a path, the word, and the reason. At most [`MOST_ALLOWED`].
const ALLOWED: [(&str, &str, &str); 1] = [(
    "src/agent/registration/plugin.js",
    "anew",
    "Installed plugins of every release are known by this line.",
)];

const MOST_ALLOWED: usize = 20;
const _: () = assert!(ALLOWED.len() <= MOST_ALLOWED);

/// Files with other texts than ours: what was installed or built, and the log of changes.
const LEFT_OUT: [&str; 3] = ["target", "node_modules", "CHANGELOG.md"];

/// The endings of the files that are read.
const READ: [&str; 9] = [
    ".rs", ".js", ".mjs", ".cjs", ".ts", ".tsx", ".jsx", ".css", ".md",
];

/// This test, which names what it looks for.
const ITSELF: &str = "tests/core/wording";

/// The files below a path, from the root of the clone, with their texts.
fn files(root: &Path, below: &str) -> Vec<(String, String)> {
    let mut files = Vec::new();
    let mut paths = vec![below.to_owned()];
    while let Some(path) = paths.pop() {
        let full = root.join(&path);
        if fs::symlink_metadata(&full).unwrap().is_dir() {
            let names = fs::read_dir(&full).unwrap();
            let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
            let names = names.filter(|it| !it.starts_with('.') && !LEFT_OUT.contains(&it.as_str()));
            paths.extend(names.map(|name| match path.is_empty() {
                true => name,
                false => format!("{path}/{name}"),
            }));
        } else if READ.iter().any(|end| path.ends_with(end)) && !path.starts_with(ITSELF) {
            let text = fs::read_to_string(&full).unwrap();
            files.push((path, text));
        }
    }
    files.sort();
    files
}

/// All findings in the folders of the table.
fn all() -> Vec<Finding> {
    let root = crate::in_package("");
    let files = CLEAN.iter().flat_map(|below| files(&root, below));
    files
        .flat_map(|(path, text)| findings(&path, &text))
        .collect()
}

/// The place in the list of what is allowed that a finding belongs to.
fn allowed(finding: &Finding) -> Option<usize> {
    ALLOWED
        .iter()
        .position(|(path, word, _)| finding.path.starts_with(path) && finding.word == *word)
}

#[test]
fn clean_folders_use_the_words_of_the_glossary() {
    let wrong = all().into_iter().filter(|it| allowed(it).is_none());
    let wrong: Vec<String> = wrong.map(|it| it.to_string()).collect();
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn every_allowed_use_is_there_and_has_a_reason() {
    let used: BTreeSet<usize> = all().iter().filter_map(allowed).collect();
    for (at, (path, word, reason)) in ALLOWED.iter().enumerate() {
        assert!(used.contains(&at), "{path} has no {word}");
        assert!(!reason.is_empty(), "{path}: {word}");
    }
}

/// The findings in a text, without its path: the line, and the word.
fn found(path: &str, text: &str) -> Vec<(usize, String)> {
    let findings = findings(path, text).into_iter();
    findings.map(|it| (it.line, it.word)).collect()
}

fn nothing() -> Vec<(usize, String)> {
    Vec::new()
}

#[test]
fn every_banned_phrase_is_found_in_a_comment_a_string_and_a_name() {
    for phrase in BANNED {
        let name = phrase.replace("'s", "_s").replace(' ', "_");
        let camel: String = name
            .split('_')
            .map(|part| part[..1].to_uppercase() + &part[1..])
            .collect();
        for text in [
            format!("/// It says {phrase}, and goes on.\nstruct Name;"),
            format!("let text = \"it {phrase}\";"),
            format!("fn it_{name}_here() {{}}"),
            format!("struct It{camel}Here;"),
        ] {
            let lines = found("a.rs", &text);
            assert_eq!(lines, [(1, phrase.to_owned())], "{text}");
        }
    }
}

#[test]
fn every_opener_is_found_at_the_beginning_of_a_comment() {
    for opener in OPENERS {
        for (path, text, line) in [
            ("a.rs", format!("/// {opener} it is.\nfn f() {{}}"), 1),
            ("a.rs", format!("//! A part.\n//!\n//! {opener} it is."), 3),
            ("a.rs", format!("f();\n    // {opener} it is.\n"), 2),
            ("a.js", format!("/** {opener} it is. */"), 1),
            ("a.ts", format!("/**\n * {opener} it is.\n */"), 2),
            ("a.css", format!("/* {opener} it is. */"), 1),
        ] {
            assert_eq!(found(path, &text), [(line, opener.to_owned())], "{text}");
        }
    }
}

#[test]
fn an_opener_within_a_paragraph_or_a_longer_word_is_passed_over() {
    for text in [
        "/// It says\n/// What it is.",
        "/// Whatsoever.",
        "/// The sameness of two.",
        "let what = \"What it is\";",
    ] {
        assert_eq!(found("a.rs", text), nothing(), "{text}");
    }
    assert_eq!(found("a.md", "What it is."), nothing());
}

#[test]
fn a_longer_word_is_not_the_banned_one() {
    for text in [
        "struct Untold;",
        "let recommend = swing(amend);",
        "/// Believe this, at oncelike speed.",
    ] {
        assert_eq!(found("a.rs", text), nothing(), "{text}");
    }
}

#[test]
fn a_phrase_is_found_across_lines_of_a_comment_and_not_across_sentences() {
    let text = "/// It is there as it\n/// was before.\nfn f() {}";
    assert_eq!(found("a.rs", text), [(1, "as it was".to_owned())]);
    for text in [
        "/// It is. None is left.",
        "// It points at\nonce();",
        "if kind.is_none() && it.is_none_or(f) {}",
    ] {
        assert_eq!(found("a.rs", text), nothing(), "{text}");
    }
}

#[test]
fn code_in_prose_addresses_and_stored_names_are_passed_over() {
    for (path, text) in [
        ("a.rs", "/// Calls [`told`] and `Mend::new`."),
        (
            "a.rs",
            "/// ```\n/// let told = 1;\n/// ```\n/// It goes on.",
        ),
        ("a.rs", "// See https://example.org/whatever/told-once."),
        ("a.md", "Text.\n\n```sh\ntold whatever\n```\n"),
        ("a.md", "Run `milepost told`."),
        ("a.rs", "object.with(\"mend\", fix);"),
    ] {
        assert_eq!(found(path, text), nothing(), "{text}");
    }
    let text = "```\nx\n```\nIt was told.";
    assert_eq!(found("a.md", text), [(4, "told".to_owned())]);
    let text = "const text = `it was told ${name}`;";
    assert_eq!(found("a.js", text), [(1, "told".to_owned())]);
}
