//! One version, whole: what it says, what it has to do with files, and what goes on from it.

mod fields;
mod phases;

use crate::agent;
use crate::blocking::operation::command::log::revisions;
use crate::checkpoint::command::progress::progress;
use crate::checkpoint::command::{context, gate};
use crate::error::{Error, Target};
use crate::json::{Json, Object};
use crate::text::{escaped_json, visible, visible_lines};

use super::cli_hint::command;
use super::index::status;
use super::problem;
use super::resume_point;
use super::session;
use super::version_ref::{CheckpointKey, DocumentVersion, VersionRef};
use super::viewer::Viewer;

/// Answers with one version of a document.
pub(super) fn answer(viewer: &mut Viewer, question: &Object) -> Result<Json, Error> {
    let version = VersionRef::of(question, "moment")?;
    let read = version.read(viewer);
    let revisions = match &version.key {
        CheckpointKey::Command(target) => {
            let reply = revisions(&viewer.io(), &viewer.settings(), target);
            // A fault in it was noticed when it was read.
            reply.result.unwrap_or_default()
        }
        CheckpointKey::Session(_) | CheckpointKey::Task(_) => Vec::new(),
    };
    let answer = match read {
        Ok(read) => shown(viewer, &version, &read),
        // The page says what can be done about it.
        Err(error) if !revisions.is_empty() => Object::new()
            .with("title", version.key.title())
            .with("kind", version.key.kind())
            .with("revision", version.revision)
            .with("problem", problem::shown(&error)),
        Err(error) => return Err(error),
    };
    let newest = revisions.last().copied();
    let has_problem = answer.get("problem") != Some(&Json::Null);
    let commands = commands(viewer, &version, newest, has_problem);
    Ok(answer
        .with("revisions", revisions)
        .with("newest", newest)
        .with("commands", commands)
        .into())
}

fn shown(viewer: &Viewer, version: &VersionRef, read: &DocumentVersion) -> Object {
    let document = &read.object;
    let at = read.at.as_deref().map(|at| visible(at).into_owned());
    let answer = Object::new()
        .with("title", version.key.title())
        .with("kind", version.key.kind())
        .with("revision", read.revision)
        .with("at", at)
        .with("problem", Json::Null);
    match &version.key {
        CheckpointKey::Command(target) => answer
            .with("status", status(document, &progress(document)).as_str())
            .with("fields", fields::fields(document, fields::is_of_command))
            .with("phases", phases::shown(document))
            .with("files", phases::files(document))
            .with("raw", escaped_json(&read.text))
            .with("resume", resume(target, document))
            .with("prose", Json::Null)
            .with("gate", gate_verdict(viewer, document))
            .with("is_gate_recorded", gate::is_recorded(document)),
        CheckpointKey::Session(id) => answer
            .with("status", Json::Null)
            .with("fields", fields::fields(document, fields::is_of_session))
            .with("phases", Json::Array(Vec::new()))
            .with("files", session::snapshot_files(*id, document))
            .with("raw", escaped_json(&read.text))
            .with("resume", session::resume_with(*id, document))
            .with("prose", session::prose(*id, document))
            .with("gate", Json::Null),
        CheckpointKey::Task(_) => answer
            .with("status", Json::Null)
            .with("fields", fields::fields(document, |_| true))
            .with("phases", Json::Array(Vec::new()))
            .with("files", Json::Array(Vec::new()))
            .with("raw", escaped_json(&read.text))
            .with("resume", Json::Null)
            .with("prose", Json::Null)
            .with("gate", Json::Null),
    }
}

/// The resume point, and the text for the context of an agent that begins.
fn resume(target: &Target, document: &Object) -> Object {
    let facts = context::facts(target, document);
    let text = (!facts.is_empty()).then(|| agent::resume_context(&facts, None));
    resume_point::of_document(document).with("text", text)
}

fn gate_verdict(viewer: &Viewer, document: &Object) -> Object {
    let verdict = gate::check(document, viewer.meta().head());
    let blockers = verdict.blockers.iter();
    let blockers: Vec<String> = blockers.map(|it| visible_lines(it).into_owned()).collect();
    Object::new()
        .with("open", verdict.open)
        .with("blockers", blockers)
        .with(
            "head_commit",
            verdict.head_commit.map(|it| visible(&it).into_owned()),
        )
}

/// The commands that show it, and that go back to it.
fn commands(
    viewer: &Viewer,
    version: &VersionRef,
    newest: Option<u64>,
    has_problem: bool,
) -> Vec<Object> {
    let labelled =
        |label: &str, text: String| Object::new().with("label", label).with("text", text);
    match (
        &version.key,
        version.revision.filter(|it| Some(*it) != newest),
    ) {
        (CheckpointKey::Command(target), Some(revision)) if !has_problem => {
            let show = format!(" --revision {revision}");
            let undo = format!(" --to {revision}");
            vec![
                labelled(
                    "Show this revision",
                    command(viewer, "show", Some(target), &show),
                ),
                labelled(
                    "Go back to this revision",
                    command(viewer, "undo", Some(target), &undo),
                ),
            ]
        }
        (CheckpointKey::Command(target), None) if has_problem => vec![
            labelled(
                "Bring it back from its history",
                command(viewer, "recover", Some(target), ""),
            ),
            labelled(
                "List its revisions",
                command(viewer, "log", Some(target), ""),
            ),
        ],
        (CheckpointKey::Command(target), Some(_)) => {
            vec![labelled(
                "List the revisions",
                command(viewer, "log", Some(target), ""),
            )]
        }
        (CheckpointKey::Command(target), None) => vec![
            labelled("Show it", command(viewer, "show", Some(target), "")),
            labelled(
                "Where to go on",
                command(viewer, "resume", Some(target), ""),
            ),
            labelled(
                "List its revisions",
                command(viewer, "log", Some(target), ""),
            ),
        ],
        (CheckpointKey::Session(id), _) => vec![
            labelled(
                "Show it",
                command(viewer, "snapshot show", None, &format!(" {id}")),
            ),
            labelled(
                "Compare it with the files",
                command(viewer, "snapshot verify", None, &format!(" {id}")),
            ),
            labelled(
                "Restore it",
                command(viewer, "snapshot restore", None, &format!(" {id} --files")),
            ),
        ],
        (CheckpointKey::Task(_), _) => Vec::new(),
    }
}
