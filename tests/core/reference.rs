//! The parts of `docs/reference` that are printed from tables of the program.
//!
//! `MILEPOST_BLESS=1` writes them again; review the difference.

use std::fmt::Write;

use milepost::checkpoint::session::withheld;
use milepost::cli;
use milepost::error::{Code, WarningCode};
use milepost::integrations;
use milepost::json::{Json, Object};
use milepost::schema::{Kind, Shape, type_text};

/// Each error code with its occasion, and what to do about it.
const ERRORS: [(&str, &str, &str); 12] = [
    (
        "invalid_name",
        "no command, feature, phase or id can have this name, or a new name holds a secret",
        "use another name: the message says what one may be",
    ),
    (
        "invalid_document",
        "a document or the settings break their rules, or contradict the call; `problems` names each fault with a \
         JSON pointer",
        "change what `problems` names; `milepost validate FILE` finds the same",
    ),
    (
        "summary_too_long",
        "a summary is above 500 words, 64 KiB or the budget of the project",
        "shorten it; `milepost tokens` counts",
    ),
    (
        "not_found",
        "no such run, phase, revision, snapshot, task or thread",
        "`milepost status` lists the runs, `milepost log` the revisions, `milepost snapshot list` the snapshots",
    ),
    (
        "corrupt",
        "the file cannot be read as what it should be; it stays unchanged",
        "`milepost doctor` says how to fix it",
    ),
    (
        "conflict",
        "others changed the same `fields` or a file that a restore would have replaced, or the new name of a run is taken",
        "read it again, apply the change to that, and save",
    ),
    (
        "busy",
        "others were writing for 5 s, or, with the `queue` of a saver, another run was at work for longer than its limit",
        "retry",
    ),
    (
        "unsafe_path",
        "a symbolic link or a special file is where a plain file or folder has to be",
        "put a plain one there, or name the folder that the link leads to with `--dir`",
    ),
    (
        "too_large",
        "a file or an input is above its limit, which the message names: 16 MiB for documents and standard input",
        "make it smaller",
    ),
    (
        "unsupported_version",
        "a later version of Milepost wrote the document",
        "use a newer Milepost",
    ),
    (
        "io",
        "the host could not read or write; `effect` and `path` name what, and where a permission is missing the \
         message names it and the folder",
        "remove the cause, and look at `written` before you retry",
    ),
    (
        "usage",
        "the call is wrong, a run that is to be completed has unfinished phases, or the plan of a restore has a reason \
         against it",
        "`milepost VERB --help` shows how a verb is called; `milepost complete --force` skips those phases",
    ),
];

/// Each warning code with its occasion.
const WARNINGS: [(&str, &str); 21] = [
    (
        "stale",
        "the run was saved at another commit than HEAD; the message names the `git log` of the commits that either one \
         lacks",
    ),
    (
        "untrusted_origin",
        "git tracks the file, so that its text may have come with the repository: `git rm --cached PATH` ends it; or a \
         [filter that only the repository defines](../guide/snapshots.md#filters-and-programs-of-a-repository) was not \
         run for a snapshot",
    ),
    (
        "edited_by_hand",
        "another program changed the file; the change is the next revision",
    ),
    (
        "duplicate_key",
        "an object has a key twice; the last one counts",
    ),
    ("text_replaced", "half of a surrogate pair became U+FFFD"),
    (
        "head_unreadable",
        "HEAD of the repository cannot be read; `head_commit` stays as stored",
    ),
    (
        "legacy_name",
        "a handoff has a former name of a field; it is passed on under its present name",
    ),
    (
        "invalid_document",
        "a stored document breaks its rules; it was returned as stored, or a write left the problem there",
    ),
    (
        "open_phases",
        "a run was completed with unfinished phases, which the message names",
    ),
    (
        "redacted",
        "a secret was taken out, or a path or a name that holds one was left out, by the [rules](secrets.md#rules) that are named",
    ),
    (
        "summary_too_long",
        "a handoff was passed on with too long a summary, or `resume` cut one to the budget",
    ),
    (
        "repeated_step",
        "a step of a task checkpoint is completed and pending",
    ),
    (
        "lost_changes",
        "a loss of power took changes of a thread that did not wait for the disk; the message counts them",
    ),
    (
        "held_back",
        "a first `notify` leaves out milestones from before its settings were last changed; the message counts them; or a rewind leaves a run on which another session worked since, or its undo one on which work went on",
    ),
    ("missing_file", "a path that was named does not exist"),
    (
        "outside_repository",
        "a patch gave a phase files outside of the repository; their paths are kept as given",
    ),
    ("vanished", "the file is gone and its history is kept"),
    (
        "corrupt",
        "`resume` or `latest` passed over a run whose file is corrupt",
    ),
    ("too_large", "they passed over one above 16 MiB"),
    (
        "unsafe_path",
        "they passed over one that is a symbolic link or special file",
    ),
    ("io", "they passed over one that the host could not read"),
];

/// Holds the printed parts of a page, each between two comments with its name, to what is printed now.
pub(crate) fn page_is_as_printed(page: &str, parts: &[(&str, String)]) {
    let path = crate::in_package("docs/reference").join(page);
    let stored = std::fs::read_to_string(&path).unwrap();
    let mut printed = stored.clone();
    for (name, part) in parts {
        let (begin, end) = (
            format!("<!-- printed: {name} -->\n"),
            format!("<!-- end of {name} -->"),
        );
        let (before, rest) = printed.split_once(&begin).unwrap();
        let (_, after) = rest.split_once(&end).unwrap();
        printed = format!("{before}{begin}\n{part}\n{end}{after}");
    }
    if std::env::var_os("MILEPOST_BLESS").is_some() {
        std::fs::write(&path, &printed).unwrap();
    } else {
        assert_eq!(stored, printed, "{page}; MILEPOST_BLESS=1 refreshes it");
    }
}

/// A table of Markdown.
pub(crate) fn table(head: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let rule = "---|".repeat(head.len());
    let mut table = format!("| {} |\n|{rule}\n", head.join(" | "));
    for row in rows {
        let cells: Vec<String> = row.iter().map(|cell| cell.replace('|', "\\|")).collect();
        let _ = writeln!(table, "| {} |", cells.join(" | "));
    }
    table
}

#[test]
fn the_page_of_errors_is_as_printed() {
    assert_eq!(ERRORS.map(|(code, ..)| code), Code::ALL.map(Code::as_str));
    let warnings = WarningCode::ALL.map(WarningCode::as_str);
    assert_eq!(WARNINGS.map(|(code, _)| code), warnings);
    assert_eq!(WarningCode::Io as usize + 1, warnings.len());
    let errors = Code::ALL.into_iter().zip(ERRORS);
    let errors = errors.map(|(code, (name, when, what_to_do))| {
        let exit = cli::exit_code(code).to_string();
        vec![format!("`{name}`"), when.into(), what_to_do.into(), exit]
    });
    let warnings = WARNINGS.map(|(name, when)| vec![format!("`{name}`"), when.into()]);
    page_is_as_printed(
        "errors.md",
        &[
            (
                "errors",
                table(&["code", "when", "what to do", "exit code"], errors),
            ),
            ("warnings", table(&["code", "when"], warnings)),
        ],
    );
}

/// Collects a row for each member of the settings, the members of objects behind the names of those.
fn members(shape: &Shape, before: &str, defaults: Option<&Object>, rows: &mut Vec<Vec<String>>) {
    for field in shape.fields {
        let name = format!("{before}{}", field.name);
        let default = defaults.and_then(|it| it.get(field.name));
        match field.kind {
            Kind::Object(shape) => {
                let defaults = default.and_then(Json::as_object);
                members(shape, &format!("{name}."), defaults, rows);
            }
            Kind::List(Kind::Object(shape)) => members(shape, &format!("{name}[]."), None, rows),
            kind => {
                let default = default.map(|it| format!(" Without it, `{}`.", it.to_line()));
                let meaning = format!("{}{}", field.doc, default.unwrap_or_default());
                let kind = format!("`{}`", type_text(&kind));
                rows.push(vec![format!("`{name}`"), kind, meaning]);
            }
        }
    }
}

#[test]
fn the_page_of_settings_is_as_printed() {
    let mut rows = Vec::new();
    let defaults = integrations::default_document();
    members(&integrations::INTEGRATIONS, "", Some(&defaults), &mut rows);
    let members = table(&["member", "type", "meaning"], rows);
    page_is_as_printed("settings.md", &[("members", members)]);
}

#[test]
fn the_page_of_secrets_has_every_name_of_a_file_that_is_held_back() {
    let rows = withheld::LISTS.map(|(what, names)| {
        let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        vec![what.to_owned(), names.join(", ")]
    });
    let names = table(&["a name that", "of these"], rows);
    page_is_as_printed("secrets.md", &[("names of files", names)]);
}
