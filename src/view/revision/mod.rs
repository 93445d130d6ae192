//! One version, whole: what it says, what it has to do with files, and what goes on from it.

mod fields;
mod phases;

use crate::agent;
use crate::blocking::operation::command::log::revisions;
use crate::checkpoint::command::context;
use crate::checkpoint::command::gate::{self, GateVerdict};
use crate::checkpoint::command::progress::progress;
use crate::error::{Error, Target};
use crate::json::{Json, Object};
use crate::schema::{Kind, Shaped};
use crate::text::{escaped_json, visible, visible_lines};

use super::cli_hint::{LabelledCommand, command};
use super::index::status;
use super::problem::{self, RunProblem};
use super::resume_point::{self, StoppedPoint};
use super::revision_file::RevisionFile;
use super::session;
use super::snapshot_resume::SnapshotResume;
use super::version_ref::{CheckpointKey, DocumentVersion, VersionRef};
use super::viewer::Viewer;

use fields::ShownField;
use phases::RevisionPhase;

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
    let newest = revisions.last().copied();
    let mut about = AboutVersion {
        title: version.key.title(),
        kind: version.key.kind(),
        revision: version.revision,
        commands: commands(viewer, &version, newest, read.is_err()),
        revisions,
        newest,
    };
    let answer = match read {
        Ok(read) => {
            about.revision = read.revision;
            VersionPage::Read(shown(viewer, &version, &read, about))
        }
        // The page says what can be done about it.
        Err(error) if !about.revisions.is_empty() => VersionPage::Unread(UnreadVersion {
            about,
            problem: problem::shown(&error),
        }),
        Err(error) => return Err(error),
    };
    Ok(answer.into())
}

/// One version.
#[derive(Shaped)]
#[expect(
    clippy::large_enum_variant,
    reason = "one is made for each question, and is made JSON immediately"
)]
pub(super) enum VersionPage {
    Read(RevisionPage),
    Unread(UnreadVersion),
}

/// The members of a version that can be read or not.
#[derive(Shaped)]
struct AboutVersion {
    /// Its name, to be shown.
    title: String,
    /// Its kind: `command`, `session` or `task`.
    kind: &'static str,
    /// Its revision, of a run.
    revision: Option<u64>,
    /// The revisions of the run that are kept, the oldest first.
    revisions: Vec<u64>,
    /// The newest of them.
    newest: Option<u64>,
    /// The commands that show it, and that go back to it.
    commands: Vec<LabelledCommand>,
}

/// A version that cannot be read, in a chain of which others can.
#[derive(Shaped)]
pub(super) struct UnreadVersion {
    #[shape(flatten)]
    about: AboutVersion,
    /// Why it cannot be read.
    problem: RunProblem,
}

/// A version that can be read.
#[derive(Shaped)]
pub(super) struct RevisionPage {
    #[shape(flatten)]
    about: AboutVersion,
    /// The time at which it was saved.
    at: Option<String>,
    /// Always null: it can be read.
    #[shape(kind = Kind::NULL)]
    problem: Json,
    /// The status of a run; null for any other document.
    status: Option<&'static str>,
    /// The fields.
    fields: Vec<ShownField>,
    /// The phases of a run.
    phases: Vec<RevisionPhase>,
    /// The files that it names or keeps.
    files: Vec<RevisionFile>,
    /// As it is stored: raw.
    raw: String,
    /// The resume point.
    resume: Option<VersionResume>,
    /// The snapshot in sentences.
    prose: Option<String>,
    /// The verdict of the gate.
    gate: Option<GateVerdict>,
    /// True if the gate of a run was ever opened or closed.
    #[shape(left_out, kind = Kind::Boolean)]
    is_gate_recorded: Option<bool>,
}

/// The resume point of a version.
#[derive(Shaped)]
pub(super) enum VersionResume {
    Run(RunVersionResume),
    Snapshot(SnapshotResume),
}

/// The resume point of a run, and the text for the context of an agent that begins.
#[derive(Shaped)]
pub(super) struct RunVersionResume {
    #[shape(flatten)]
    point: StoppedPoint,
    /// The text for the context of an agent.
    text: Option<String>,
}

fn shown(
    viewer: &Viewer,
    version: &VersionRef,
    read: &DocumentVersion,
    about: AboutVersion,
) -> RevisionPage {
    let document = &read.object;
    let page = RevisionPage {
        about,
        at: read.at.as_deref().map(|at| visible(at).into_owned()),
        problem: Json::Null,
        status: None,
        fields: Vec::new(),
        phases: Vec::new(),
        files: Vec::new(),
        raw: escaped_json(&read.text),
        resume: None,
        prose: None,
        gate: None,
        is_gate_recorded: None,
    };
    match &version.key {
        CheckpointKey::Command(target) => RevisionPage {
            status: Some(status(document, &progress(document)).as_str()),
            fields: fields::fields(document, fields::is_of_command),
            phases: phases::shown(document),
            files: phases::files(document),
            resume: Some(VersionResume::Run(resume(target, document))),
            gate: Some(gate_verdict(viewer, document)),
            is_gate_recorded: Some(gate::is_recorded(document)),
            ..page
        },
        CheckpointKey::Session(id) => RevisionPage {
            fields: fields::fields(document, fields::is_of_session),
            files: session::snapshot_files(*id, document),
            resume: Some(VersionResume::Snapshot(session::resume_with(*id, document))),
            prose: Some(session::prose(*id, document)),
            ..page
        },
        CheckpointKey::Task(_) => RevisionPage {
            fields: fields::fields(document, |_| true),
            ..page
        },
    }
}

/// The resume point, and the text for the context of an agent that begins.
fn resume(target: &Target, document: &Object) -> RunVersionResume {
    let facts = context::facts(target, document);
    RunVersionResume {
        point: resume_point::of_document(document),
        text: (!facts.is_empty()).then(|| agent::resume_context(&facts, None)),
    }
}

fn gate_verdict(viewer: &Viewer, document: &Object) -> GateVerdict {
    let verdict = gate::check(document, viewer.meta().head());
    let blockers = verdict.blockers.iter();
    GateVerdict {
        open: verdict.open,
        blockers: blockers.map(|it| visible_lines(it).into_owned()).collect(),
        head_commit: verdict.head_commit.map(|it| visible(&it).into_owned()),
    }
}

/// The commands that show it, and that go back to it.
fn commands(
    viewer: &Viewer,
    version: &VersionRef,
    newest: Option<u64>,
    has_problem: bool,
) -> Vec<LabelledCommand> {
    let labelled = LabelledCommand::new;
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
