//! The rules of the layers: which module may use which, and what no module of the core may touch.

mod floors;
mod module_graph;
mod source;

use std::fs;
use std::path::Path;

use module_graph::violations;

/// The names that the core must not use: all of it enters as an argument or as an outcome.
const IMPURE: [&str; 9] = [
    "std::fs",
    "std::net",
    "std::env",
    "std::process",
    "std::thread",
    "Instant",
    "SystemTime",
    "std::io::std",
    "println!",
];

/// Every source of the crate: its path below `src`, and what it holds.
fn sources() -> Vec<(String, String)> {
    fn collect(folder: &Path, below: &str, files: &mut Vec<(String, String)>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap();
            if path.is_dir() {
                collect(&path, &format!("{below}{name}/"), files);
            } else if name.ends_with(".rs") {
                let text = fs::read_to_string(&path).unwrap();
                files.push((format!("{below}{name}"), text));
            }
        }
    }
    let mut files = Vec::new();
    let src = crate::in_package("src");
    collect(&src, "", &mut files);
    files.sort();
    files
}

/// The host of the program itself, which is where all of that comes in.
const NATIVE_HOST: &str = "surface/native/";

fn none() -> Vec<String> {
    Vec::new()
}

#[test]
fn modules_use_modules_below_them_and_no_files_form_a_circle() {
    assert_eq!(violations(&sources()), none());
}

#[test]
fn the_core_names_no_clock_file_environment_or_chance() {
    let (host, core): (Vec<_>, Vec<_>) = sources()
        .into_iter()
        .partition(|(path, _)| path.starts_with(NATIVE_HOST));
    assert!(!host.is_empty());
    for (path, source) in core {
        for name in IMPURE {
            assert!(!source.contains(name), "{path} names {name}");
        }
    }
}

/// The findings of the rules about sources that are made up.
fn said_of(files: &[(&str, &str)]) -> Vec<String> {
    let owned = |(path, text): &(&str, &str)| ((*path).to_owned(), (*text).to_owned());
    violations(&files.iter().map(owned).collect::<Vec<_>>())
}

#[test]
fn a_use_of_a_module_above_is_reported() {
    for source in [
        "use crate::store::Folder;",
        "use crate::{json, store::{self, Folder}};",
        "fn f() -> crate::store::Folder {}",
        "use super::super::super::store;",
    ] {
        let files = [
            ("checkpoint/command/gate.rs", source),
            ("store/mod.rs", "pub struct Folder;"),
        ];
        assert_eq!(said_of(&files), ["checkpoint/command/gate.rs uses store"]);
    }
    let base = [("json/mod.rs", "use crate::schema::Problem;")];
    assert_eq!(said_of(&base), ["json/mod.rs uses schema"]);
}

#[test]
fn words_that_are_no_use_are_not_reported() {
    let gate = "// crate::store::Folder\n\
                const A: &str = \"crate::store\";\n\
                const B: &str = r#\"use \"crate::store\";\"#;\n\
                fn f<'a>(c: char) -> bool { c == '\"' }\n\
                pub(super) fn g() {}\n\
                #[cfg(test)]\nmod tests { use crate::store; }\n";
    let files = [
        ("checkpoint/mod.rs", "pub mod gate;"),
        ("checkpoint/gate.rs", gate),
        ("checkpoint/gate_tests.rs", "use crate::store;"),
        ("lib.rs", "pub mod checkpoint;\npub mod store;"),
    ];
    assert_eq!(said_of(&files), none());
}

#[test]
fn rules_that_know_each_other_or_an_effect_are_reported() {
    let files = [
        ("handoff.rs", "use crate::checkpoint::command;"),
        ("integrations/mod.rs", "use crate::effect::Io;"),
        ("checkpoint/task.rs", "use super::session::Plan;"),
        ("checkpoint/session.rs", "pub struct Plan;"),
    ];
    assert_eq!(
        said_of(&files),
        [
            "checkpoint/task.rs uses checkpoint/session.rs",
            "handoff.rs uses checkpoint",
            "integrations/mod.rs uses effect",
        ]
    );
}

#[test]
fn a_circle_of_files_is_reported_however_it_closes() {
    let lock = ("root/lock.rs", "use super::reader::Reader;");
    let reader = "pub struct Reader;\nfn f() { crate::root::lock::take() }";
    let circle = ["root/lock → root/reader"].map(|it| format!("{it} → root/lock"));
    assert_eq!(said_of(&[lock, ("root/reader.rs", reader)]), circle);

    // By way of what the parent module passes on.
    let parent = ("root/mod.rs", "mod lock;\nmod reader;\npub use lock::take;");
    let reader = "pub struct Reader;\nfn f() { super::take() }";
    assert_eq!(said_of(&[parent, lock, ("root/reader.rs", reader)]), circle);

    // Through what the parent module itself defines.
    let parent = (
        "root/mod.rs",
        "mod lock;\npub struct Current;\nuse lock::take;",
    );
    let lock = ("root/lock.rs", "use super::Current;");
    assert_eq!(said_of(&[parent, lock]), ["root → root/lock → root"]);
    let parent = (
        "root/mod.rs",
        "mod lock;\npub struct Current;\npub use lock::take;",
    );
    assert_eq!(said_of(&[parent, lock]), none());
}

#[test]
fn a_circle_of_folders_is_reported_though_no_files_form_one() {
    let files = [
        ("root/keep/history.rs", "use crate::root::read::reader;"),
        ("root/keep/trim.rs", ""),
        ("root/read/reader.rs", ""),
        ("root/read/all.rs", "use super::super::keep::trim;"),
    ];
    assert_eq!(said_of(&files), ["root/keep → root/read → root/keep"]);
}

#[test]
fn methods_of_a_type_of_another_file_are_reported() {
    let files = [
        (
            "cli/mod.rs",
            "struct Examination<'a>;\nimpl Examination<'_> {\n}",
        ),
        (
            "cli/probe.rs",
            "impl<'a> Examination<'a> {\n}\nimpl From<A> for B {\n}",
        ),
    ];
    assert_eq!(
        said_of(&files),
        ["cli/probe.rs has methods of Examination, which is another file's"]
    );
}

#[test]
fn a_sentence_that_names_a_command_is_reported_below_the_command_line() {
    let advice = "const A: &str = \"Gone; `milepost recover` brings it back\";";
    let raw = "const A: &str = r#\"try \"milepost doctor\"\"#;";
    let comment = "/// As `milepost init` does.\nconst A: &str = \"made by milepost\";";
    for (path, source, is_reported) in [
        ("error.rs", advice, true),
        ("root/mod.rs", raw, true),
        ("error.rs", comment, false),
        ("cli/page.rs", advice, false),
    ] {
        let said = said_of(&[(path, source)]);
        assert_eq!(said.len(), usize::from(is_reported), "{path}: {said:?}");
    }
}

#[test]
fn a_module_in_no_layer_is_reported() {
    assert_eq!(
        said_of(&[("helpers.rs", "")]),
        ["the module helpers is in no layer"]
    );
}
