//! The phases of a run, and the files that they name.

use crate::checkpoint::command::phases::Status;
use crate::checkpoint::command::progress::phases;
use crate::json::{Json, Object};
use crate::schema::Shaped;
use crate::str_map::StrMap;
use crate::text::{visible, visible_lines};
use crate::tokens;
use crate::view::revision_file::RevisionFile;

/// The members of a phase that have a place of their own.
pub(super) const SHOWN: [&str; 7] = [
    "status",
    "started_at",
    "updated_at",
    "context_summary",
    "error",
    CREATED,
    MODIFIED,
];
const CREATED: &str = "files_created";
const MODIFIED: &str = "files_modified";

/// A phase.
#[derive(Shaped)]
pub(super) struct RevisionPhase {
    /// Its name.
    name: String,
    /// Its status.
    status: String,
    /// The time at which it was begun.
    started_at: Option<String>,
    /// The time at which it was last saved.
    updated_at: Option<String>,
    /// Its context summary.
    summary: Option<String>,
    /// The words of the summary.
    tokens: Option<u64>,
    /// The error that it failed with.
    error: Option<String>,
    /// The files that it created.
    created: Vec<String>,
    /// The files that it modified.
    modified: Vec<String>,
}

/// Every phase that a document knows.
pub(super) fn shown(document: &Object) -> Vec<RevisionPhase> {
    let entries = entries(document).map(Object::index).unwrap_or_default();
    let phase = |(name, status): (&str, Status)| {
        let entry = entries.get(name).and_then(|entry| entry.as_object());
        let text = |key: &str| entry.and_then(|entry| entry.get(key)?.as_str());
        let lines = |key: &str| text(key).map(|it| visible_lines(it).into_owned());
        let line = |key: &str| text(key).map(|it| visible(it).into_owned());
        let list = |key: &'static str| {
            let paths = entry.into_iter().flat_map(|entry| paths(entry, key));
            paths.map(|it| visible(it).into_owned()).collect::<Vec<_>>()
        };
        RevisionPhase {
            name: visible(name).into_owned(),
            status: line("status").unwrap_or_else(|| status.as_str().to_owned()),
            started_at: line("started_at"),
            updated_at: line("updated_at"),
            summary: lines("context_summary"),
            tokens: text("context_summary").map(count),
            error: lines("error"),
            created: list(CREATED),
            modified: list(MODIFIED),
        }
    };
    phases(document).into_iter().map(phase).collect()
}

/// In a wasm [`tokens::count`] is a function of a target feature, which cannot be passed as an argument.
fn count(text: &str) -> u64 {
    tokens::count(text)
}

/// Every file that a phase names, each once in each list, with the phases that name it.
pub(super) fn files(document: &Object) -> Vec<RevisionFile> {
    let mut files = of_list(document, CREATED, "created");
    files.append(&mut of_list(document, MODIFIED, "modified"));
    files
}

fn of_list(document: &Object, list: &'static str, word: &'static str) -> Vec<RevisionFile> {
    let mut named = Vec::new();
    for (name, phase) in entries(document).into_iter().flat_map(Object::iter) {
        for path in phase.as_object().into_iter().flat_map(|it| paths(it, list)) {
            named.push((path, name));
        }
    }
    let first: StrMap<'_, usize> = named.iter().map(|(path, _)| *path).zip(0..).collect();
    let mut phases: Vec<Vec<String>> = vec![Vec::new(); named.len()];
    for (path, phase) in &named {
        if let Some(at) = first.get(path) {
            phases[*at].push(visible(phase).into_owned());
        }
    }
    let mut files = Vec::new();
    for ((path, _), phases) in named.iter().zip(phases) {
        if !phases.is_empty() {
            files.push(RevisionFile {
                phases,
                ..RevisionFile::new(path, word)
            });
        }
    }
    files
}

fn paths<'a>(phase: &'a Object, list: &'static str) -> impl Iterator<Item = &'a str> {
    let list = phase.get(list).and_then(Json::as_array);
    list.unwrap_or_default().iter().filter_map(Json::as_str)
}

fn entries(document: &Object) -> Option<&Object> {
    document.get("phases")?.as_object()
}
