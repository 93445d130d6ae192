//! Any version beside any other: what differs, by fields, by lines and by files.

mod document;
mod lines;

use crate::checkpoint::command::diff;
use crate::error::Error;
use crate::json::{Json, Object};
use crate::schema::Shaped;
use crate::text::visible;

use super::cli_hint::{LabelledCommand, command};
use super::session;
use super::version_ref::{CheckpointKey, DocumentVersion, VersionRef};
use super::viewer::Viewer;

use document::{ChangedFile, ShownChange};
pub(super) use lines::{lines, shown_lines, whole};

/// Answers what differs between the versions `a` and `b`.
pub(super) fn answer(viewer: &mut Viewer, question: &Object) -> Result<Json, Error> {
    let sides = [
        VersionRef::of(question, "a")?,
        VersionRef::of(question, "b")?,
    ];
    // The two are read before either fails, so that what either wants is asked for together.
    let [a, b] = [sides[0].read(viewer), sides[1].read(viewer)];
    let (a, b) = (a?, b?);
    let [of_a, of_b] = &sides;
    let differences = match (&of_a.key, &of_b.key) {
        (CheckpointKey::Command(_), CheckpointKey::Command(_)) => {
            diff::differences(&a.object, &b.object)
        }
        (CheckpointKey::Session(one), CheckpointKey::Session(other)) => {
            session::differences([*one, *other], &a.object, &b.object)
        }
        _ => diff::differences_but(&[], &a.object, &b.object),
    };
    let changes: Vec<ShownChange> = differences.iter().map(document::change).collect();
    let files = document::files(&sides, &a.object, &b.object);
    let is_same = changes.is_empty() && files.is_empty();
    let answer = Comparison {
        a: side(of_a, &a),
        b: side(of_b, &b),
        changes,
        files,
        same: is_same,
        cli: page(&sides, &a, &b),
        commands: commands(viewer, &sides, &a, &b),
    };
    Ok(answer.into())
}

/// Two versions beside each other.
#[derive(Shaped)]
pub(super) struct Comparison {
    /// The first one.
    a: ComparedSide,
    /// The second one.
    b: ComparedSide,
    /// The fields that differ.
    changes: Vec<ShownChange>,
    /// The files that differ.
    files: Vec<ChangedFile>,
    /// True if nothing differs.
    same: bool,
    /// The command line's comparison of the same two; nothing where it compares no such two.
    cli: Vec<String>,
    /// The commands to type for this comparison.
    commands: Vec<LabelledCommand>,
}

/// A version that is compared.
#[derive(Shaped)]
#[shape(name = "Side")]
struct ComparedSide {
    /// Its key.
    key: String,
    /// Its kind: `command`, `session` or `task`.
    kind: &'static str,
    /// Its name, to be shown.
    title: String,
    /// Its revision, of a run.
    revision: Option<u64>,
    /// The time at which it was saved.
    at: Option<String>,
}

fn side(version: &VersionRef, document: &DocumentVersion) -> ComparedSide {
    let at = document.at.as_deref().map(|at| visible(at).into_owned());
    ComparedSide {
        key: version.key.to_string(),
        kind: version.key.kind(),
        title: version.key.title(),
        revision: document.revision,
        at,
    }
}

/// The lines that the command line prints of these two; nothing where it compares no such two.
fn page([of_a, of_b]: &[VersionRef; 2], a: &DocumentVersion, b: &DocumentVersion) -> Vec<String> {
    match (&of_a.key, &of_b.key) {
        (CheckpointKey::Command(one), CheckpointKey::Command(other)) if one == other => {
            let changes = diff::changes(&a.object, &b.object);
            changes.iter().map(ToString::to_string).collect()
        }
        (CheckpointKey::Session(one), CheckpointKey::Session(other)) => {
            session::page([*one, *other], &a.object, &b.object)
        }
        _ => Vec::new(),
    }
}

/// The commands to type for this comparison.
fn commands(
    viewer: &Viewer,
    [of_a, of_b]: &[VersionRef; 2],
    a: &DocumentVersion,
    b: &DocumentVersion,
) -> Vec<LabelledCommand> {
    let text = match (&of_a.key, &of_b.key, a.revision.zip(b.revision)) {
        (CheckpointKey::Command(one), CheckpointKey::Command(other), Some((from, to)))
            if one == other =>
        {
            command(viewer, "diff", Some(one), &format!(" {from} {to}"))
        }
        (CheckpointKey::Session(from), CheckpointKey::Session(to), _) => {
            command(viewer, "diff", None, &format!(" {from} {to}"))
        }
        _ => return Vec::new(),
    };
    vec![LabelledCommand::new("Compare them in a terminal", text)]
}
