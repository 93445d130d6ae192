//! The rule of one language: names, comments, messages and the names of tests use the words of the field.
//!
//! Two things are held at zero: comments whose paragraphs begin with a question word ([`OPENERS`],
//! [`CONDITIONS`]), and the words and phrases that the glossary replaces ([`BANNED`]). The rule holds for every file of
//! the clone with one of the endings in [`READ`]. The row of the step `cargo test` in `xtask/src/steps/table.rs` has the same endings, from which
//! `cargo xtask test --since` follows.

mod line;
mod rule;
mod type_name;
mod word;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use rule::{BANNED, CONDITIONS, Finding, OPENERS, findings};

/// The folders and files that the rule holds for, from the root of the clone: the root alone.
const CLEAN: [&str; 1] = [""];

/// Uses that stay: the beginning of a path, the word, and the reason. At most [`MOST_ALLOWED`].
const ALLOWED: [(&str, &str, &str); 13] = [
    ("src/agent/registration/plugin.js", "anew", PLUGIN),
    ("tests/golden/hooks/opencode.js", "anew", PLUGIN),
    ("pkg/types/store-operations.d.ts", "mend", DOCTOR),
    ("pkg/types/store-operations.d.ts", "mended", DOCTOR),
    ("pkg/types/wire.d.ts", "mend", DOCTOR),
    ("pkg/types/wire.d.ts", "mended", DOCTOR),
    ("tests/hosts/node/project.test.mjs", "mend", DOCTOR),
    ("tests/hosts/wasmtime/doctor.all.test.mjs", "mend", DOCTOR),
    ("tests/hosts/wasmtime/doctor.all.test.mjs", "mended", DOCTOR),
    ("docs/glossary.md", "session checkpoint", FORMER),
    ("docs/glossary.md", "command checkpoint", FORMER),
    ("tests/golden/session.d.ts", "session checkpoint", SCHEMA),
    ("tests/golden/session.d.ts", "command checkpoint", SCHEMA),
];

const PLUGIN: &str = "Installed plugins of every release are known by this line.";
const DOCTOR: &str = "The members of the answer of doctor keep their names.";
const FORMER: &str = "The glossary says what the former words mean.";
const SCHEMA: &str = "The published schema keeps the names of its types.";

const MOST_ALLOWED: usize = 20;
const _: () = assert!(ALLOWED.len() <= MOST_ALLOWED);

/// Names and paths of what is not ours or not current: what was built or installed, the definitions of WASI, and the
/// log of changes.
const LEFT_OUT: [&str; 4] = ["target", "node_modules", "wit/deps", "CHANGELOG.md"];

/// The endings of the files that are read. Documents, recorded payloads and printed pages have none of them: they are
/// the texts of others, or come from a source that is read.
const READ: [&str; 15] = [
    ".rs", ".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".tsx", ".css", ".html", ".md", ".wit",
    ".toml", ".sh", ".py",
];

/// This test, which names what it looks for.
const ITSELF: &str = "tests/core/wording";

/// The files below a path, from the root of the clone, with their texts. No symbolic link is followed, and a name that
/// is not Unicode is passed over.
fn files(root: &Path, below: &str) -> Vec<(String, String)> {
    let mut files = Vec::new();
    let mut paths = vec![below.to_owned()];
    let is_left_out = |it: &str| LEFT_OUT.contains(&it);
    while let Some(path) = paths.pop() {
        let full = root.join(&path);
        let kind = fs::symlink_metadata(&full).unwrap().file_type();
        if kind.is_dir() {
            let names = fs::read_dir(&full).unwrap();
            let names = names.filter_map(|entry| entry.unwrap().file_name().into_string().ok());
            for name in names.filter(|it| !it.starts_with('.')) {
                let inner = match path.is_empty() {
                    true => name.clone(),
                    false => format!("{path}/{name}"),
                };
                if !is_left_out(&name) && !is_left_out(&inner) {
                    paths.push(inner);
                }
            }
        } else if kind.is_file()
            && READ.iter().any(|end| path.ends_with(end))
            && !path.starts_with(ITSELF)
        {
            let bytes = fs::read(&full).unwrap();
            files.push((path, String::from_utf8_lossy(&bytes).into_owned()));
        }
    }
    files.sort();
    files
}

/// All findings in the files of the table.
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
fn files_of_the_root_are_those_of_the_project() {
    let files = files(&crate::in_package(""), "");
    for path in [
        "README.md",
        "pkg/src/client/store.js",
        "wit/operations.wit",
        "src/lib.rs",
    ] {
        assert!(files.iter().any(|(it, _)| it == path), "{path}");
    }
    for (path, _) in &files {
        let is_in = |part: &str| path.split('/').any(|it| it == part) || path.starts_with(part);
        assert!(!LEFT_OUT.into_iter().any(is_in), "{path}");
        assert!(!path.starts_with('.'), "{path}");
    }
}

#[test]
fn every_file_uses_the_words_of_the_glossary() {
    let wrong = all().into_iter().filter(|it| allowed(it).is_none());
    let wrong: Vec<String> = wrong.map(|it| it.to_string()).collect();
    assert_eq!(wrong, Vec::<String>::new());
}

/// The beginnings of commands that add packages to a project or to a machine.
static INSTALLERS: [&str; 6] = [
    "npm install ",
    "npm i ",
    "pnpm add ",
    "yarn add ",
    "bun add ",
    "deno add ",
];

/// Returns true for a line with a command that has a registry look for a package of this name.
fn fetches_by_name(line: &str) -> bool {
    let commands = INSTALLERS.iter().flat_map(|it| line.split(it).skip(1));
    let mut commands = commands.filter_map(|rest| rest.split(['`', '"', '\'', ')']).next());
    commands.any(|command| {
        let mut words = command.split_whitespace();
        words.any(|word| matches!(word, "milepost" | "npm:milepost"))
    })
}

#[test]
fn no_file_shows_a_command_that_fetches_the_package_by_its_name() {
    // The name is not published: a registry may have anything under it.
    let files = files(&crate::in_package(""), "");
    let lines = files
        .iter()
        .flat_map(|(path, text)| text.lines().map(move |line| (path, line)));
    let wrong: Vec<_> = lines.filter(|(_, line)| fetches_by_name(line)).collect();
    assert_eq!(wrong, Vec::new());
    assert!(fetches_by_name("`npm install --global milepost` does"));
    assert!(fetches_by_name("deno add npm:milepost"));
    assert!(!fetches_by_name("npm install --save-dev PATH/milepost.tgz"));
    assert!(!fetches_by_name("`npm install` beside milepost"));
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
    for opener in OPENERS.into_iter().chain(CONDITIONS) {
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
        "/// Where it is lost, nothing is restored.",
        "/// When it is\n/// lost, nothing is restored.",
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
