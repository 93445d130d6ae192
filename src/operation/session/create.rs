//! A new snapshot.

use crate::checkpoint::session::document;
use crate::checkpoint::session::draft::SnapshotDraft;
use crate::checkpoint::session::id::SnapshotId;
use crate::checkpoint::session::reason::SnapshotReason;
use crate::checkpoint::session::snapshot::SnapshotOmission;
use crate::effect::{Io, boxed};
use crate::error::{Code, Error, Warning, WarningCode};
use crate::json::{Json, Object};
use crate::operation::command::latest::{NAMED, named};
use crate::operation::reply::{Warnings, with_warnings};
use crate::operation::row::{
    Answering, Arguments, Capability, FEATURE, Operation, optional, required, shape,
};
use crate::operation::{Reply, Settings, Target, secrets};
use crate::root::{self, Head};
use crate::schema::{Kind, Shape};
use crate::secret::Rule;
use crate::store::Storage;
use crate::store::objects::ObjectWriter;

use super::clean_up::{RemovedSnapshot, clean_up_now};
use super::drafted::{HiddenSecrets, draft_within_budget, hide_all, refuse_names};
use super::hook_snapshot::{last_of, note_hook, work_in};
use super::limits::SnapshotLimits;
use super::notes::warn_of_filters;
use super::patch;
use super::publish::{PublishedSnapshot, publish};
use super::request::{ChangedFiles, Create};
use super::snapshot::{Past, SnapshotFiles, take};
use super::snapshot_store::{OtherSnapshots, SnapshotLocation, SnapshotStore};
use super::source::{RunSource, source};

pub(super) const OPERATION: Operation = Operation::changing(
    "create_session",
    "Makes a snapshot of the current run and the given content.",
    &ARGUMENTS,
    Kind::Object(&CREATED),
    perform,
)
.of(Capability::Sessions);

const ARGUMENTS: Shape = shape(
    "CreateSessionArguments",
    "The occasion, and what is to be in it.",
    &[
        required(
            "reason",
            Kind::String,
            "`phase_complete`, `handoff`, `error`, `mode_switch` or `user_requested`.",
        ),
        optional("message", &Kind::String, "The remarks of its maker."),
        optional(
            "given",
            &Kind::Record,
            "Fields of the document, which stand in place of what would be filled in.",
        ),
        optional(
            "command",
            &Kind::String,
            "The command whose run is captured; by default that of the run updated last.",
        ),
        FEATURE,
        optional(
            "files",
            &Kind::Boolean,
            "Keep the files that differ from HEAD; they are kept, unless this is false.",
        ),
        optional(
            "allow",
            &Kind::List(&Kind::String),
            "Paths of files that are kept though they look like files of secrets or are large.",
        ),
    ],
);

const CREATED: Shape = shape(
    "CreatedSession",
    "A snapshot that was made.",
    &[
        required("id", Kind::String, "Its id."),
        required("path", Kind::String, "Its file, relative to the root."),
        required(
            "redacted",
            Kind::Integer,
            "The number of texts that had secrets in them, which were taken out.",
        ),
        required(
            "summary_left_out",
            Kind::Nullable(&Kind::String),
            "The part of the context that had no room in its summary.",
        ),
        required(
            "files",
            Kind::Nullable(&Kind::Integer),
            "The number of paths in its snapshot; null without one.",
        ),
        required(
            "left_out",
            Kind::List(&Kind::Object(&LEFT_OUT)),
            "The paths that differed from HEAD, or may have, and are not kept.",
        ),
        required(
            "removed",
            Kind::List(&Kind::String),
            "The ids of older ones that were removed, as the settings say.",
        ),
        required(
            "command",
            Kind::Nullable(&Kind::String),
            "The command of the run that it was made of; null where there was none.",
        ),
        required(
            "feature",
            Kind::Nullable(&Kind::String),
            "The feature of that run, if it has one.",
        ),
        required(
            "others",
            Kind::List(&Kind::Object(&NAMED)),
            "The other unfinished runs, where none was named.",
        ),
    ],
);

pub(super) const LEFT_OUT: Shape = shape(
    "LeftOutOfSession",
    "A path that is not kept.",
    &[
        required("path", Kind::String, "Relative to the root."),
        required("reason", Kind::String, "Why, as it goes on after the path."),
    ],
);

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        let reason = arguments.text("reason").parse::<SnapshotReason>();
        let reason = match reason {
            Ok(reason) => reason,
            Err(error) => return Warnings::default().reply(Err(error)),
        };
        let command = arguments.optional_text("command");
        let given = arguments.value("given").and_then(Json::as_object);
        let create = Create {
            reason,
            message: arguments.optional_text("message"),
            given: given.cloned().unwrap_or_default(),
            target: command.map(|command| Target {
                command: command.to_owned(),
                feature: arguments.optional_text("feature").map(str::to_owned),
            }),
            files: match arguments.value("files") {
                Some(Json::Bool(false)) => ChangedFiles::None,
                _ => ChangedFiles::Kept(texts(arguments.value("allow"))),
            },
            undo_of: None,
            made_by: None,
        };
        create_session(io, settings, create).await.map(Json::from)
    })
}

/// The result of [`create_session`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CreatedSnapshot {
    /// Its id.
    pub id: SnapshotId,
    /// Its file, relative to the root.
    pub path: String,
    /// The number of texts that had secrets in them.
    pub redacted: u64,
    /// The part of the context that had no room in its summary.
    pub summary_left_out: Option<String>,
    /// The number of paths in its snapshot; `None` without one.
    pub files: Option<u64>,
    /// The files that are not in the snapshot.
    pub left_out: Vec<SnapshotOmission>,
    /// The older ones that were removed.
    pub removed: Vec<SnapshotId>,
    /// The run that it was made of.
    pub run: Option<Target>,
    /// The other unfinished runs, where none was named.
    pub others: Vec<Target>,
}

impl From<CreatedSnapshot> for Json {
    fn from(created: CreatedSnapshot) -> Self {
        let removed: Vec<Json> = created
            .removed
            .iter()
            .map(|id| id.to_string().into())
            .collect();
        let (command, feature) = match created.run {
            Some(Target { command, feature }) => (Some(command), feature),
            None => (None, None),
        };
        let others: Vec<Object> = created.others.into_iter().map(named).collect();
        Object::new()
            .with("id", created.id.to_string())
            .with("path", created.path)
            .with("redacted", created.redacted)
            .with("summary_left_out", created.summary_left_out)
            .with("files", created.files)
            .with("left_out", left_out_json(&created.left_out))
            .with("removed", removed)
            .with("command", command)
            .with("feature", feature)
            .with("others", others)
            .into()
    }
}

/// A list of what is not kept, as replies have it.
pub(super) fn left_out_json(left_out: &[SnapshotOmission]) -> Vec<Json> {
    let line = |it: &SnapshotOmission| {
        let line = Object::new()
            .with("path", it.path.as_str())
            .with("reason", it.reason.as_str());
        Json::from(line)
    };
    left_out.iter().map(line).collect()
}

fn texts(list: Option<&Json>) -> Vec<String> {
    let list = list.and_then(Json::as_array).unwrap_or_default();
    let texts = list.iter().filter_map(Json::as_str);
    texts.map(str::to_owned).collect()
}

/// Makes a snapshot, and publishes it under an id that was never used. Then older ones that the
/// settings do not keep are removed; where that fails, it is a warning.
///
/// The files that differ from HEAD are kept with it; where that cannot be done, the checkpoint is made
/// without them, with a warning. Secrets in any text are replaced before anything is written; a path that holds one is
/// left out, and so is a name from the run, with the warning `redacted`. Fails with `invalid_document` and
/// `summary_too_long` for what was given, a name that holds a secret among it, with `not_found` where the run
/// that was named is not there, and with `usage`, `too_large`, `unsafe_path`, `busy`, `io`.
///
/// A hook makes one where anything has changed since the last one of its session; else the answer is that one.
pub async fn create_session(
    io: &Io,
    settings: &Settings,
    create: Create<'_>,
) -> Reply<CreatedSnapshot> {
    with_warnings(async |warnings| {
        let is_by_hook = create.made_by.is_some();
        let store = match is_by_hook {
            true => SnapshotStore::in_files(io, settings).await?,
            false => SnapshotStore::open(io, settings).await?,
        };
        store.expect_known(&store.folder).await?;
        let mut create = create;
        if let ChangedFiles::Kept(allowed) = &mut create.files {
            let typed: Vec<&str> = allowed.iter().map(String::as_str).collect();
            *allowed = store.resolve_paths(&typed, warnings).await?;
        }
        let limits = SnapshotLimits::known(&store, warnings).await;
        let (mut created, other_snapshots) = boxed(create_at(
            &store,
            create,
            Past::default(),
            &limits,
            warnings,
        ))
        .await?;
        if is_by_hook {
            note_hook(&store, created.id, warnings).await?;
        }
        let Some(kept) = limits.keep else {
            return Ok(created);
        };
        match boxed(clean_up_now(&store, kept, other_snapshots, warnings)).await {
            Ok(removed) => {
                created.removed = removed
                    .into_iter()
                    .map(|it: RemovedSnapshot| it.id)
                    .collect();
            }
            Err(error) => warnings.add(Warning::passed_over(&error)),
        }
        Ok(created)
    })
    .await
}

/// Creates it at a place, without removing older ones, and returns the others that were there. `past` is what its
/// snapshot says of paths besides what a look shows.
pub(super) async fn create_at(
    store: &SnapshotStore<'_>,
    create: Create<'_>,
    past: Past<'_>,
    limits: &SnapshotLimits,
    warnings: &mut Warnings,
) -> Result<(CreatedSnapshot, OtherSnapshots), Error> {
    let run = source(store, create.target.clone(), warnings).await?;
    let made = create_of(&run, store, create, past, limits, warnings).await;
    let (created, other_snapshots) = made?;
    let created = CreatedSnapshot {
        run: run.target,
        others: run.others,
        ..created
    };
    Ok((created, other_snapshots))
}

/// Makes it of a run, which the answer does not name.
async fn create_of(
    run: &RunSource,
    store: &SnapshotStore<'_>,
    create: Create<'_>,
    past: Past<'_>,
    limits: &SnapshotLimits,
    warnings: &mut Warnings,
) -> Result<(CreatedSnapshot, OtherSnapshots), Error> {
    let source = run.target.as_ref().zip(run.loaded.as_ref());
    let drafted = draft_within_budget(store, &create, source, warnings).await?;
    check(store, &drafted).await?;
    refuse_names(store, &create.given).await?;
    let ChangedFiles::Kept(allowed) = &create.files else {
        return finish(store, drafted, None, None, warnings).await;
    };
    if store.folder.storage() == Storage::Records {
        return finish(store, drafted, None, None, warnings).await;
    }
    let durability = store.settings.durability;
    let mut writer = ObjectWriter::begin(store.io, &store.folder, durability).await?;
    let made = async {
        let mut taken = match boxed(take(store, &mut writer, limits, allowed, past)).await {
            Ok(taken) => taken,
            // Its writer was taken for dead: what it says is to be made again is not made without files.
            Err(error) if error.code() == Code::Conflict => return Err(error),
            Err(error) => {
                warnings.add(Warning::passed_over(&error));
                return finish(store, drafted, None, None, warnings).await;
            }
        };
        warn_of_filters(&taken.scan.notes, warnings);
        let mut drafted = drafted;
        if let Some(loaded) = &run.loaded {
            let found = secrets::in_run(store.io, &store.root, &loaded.object).await;
            let (key, value) = match found.map(Rule::as_str) {
                Some(rule) => (
                    "left_out",
                    format!("holds what looks like a secret ({rule})"),
                ),
                None => {
                    let content = writer.keep_bytes(loaded.text.as_bytes()).await?;
                    ("sha256", content.sha256)
                }
            };
            let reference = drafted.document.get_mut("checkpoint");
            if let Some(reference) = reference.and_then(Json::as_object_mut) {
                reference.set(key, value);
            }
        }
        let mut whole = drafted.clone();
        if whole.document.get("git_diff").is_none()
            && taken.scan.head.is_some()
            && limits.max_diff_bytes > 0
            && let Some(text) = patch::text(store, &mut taken, limits.max_diff_bytes).await
            && !text.is_empty()
        {
            whole.document.set("git_diff", text);
        }
        match finish(store, whole, Some(&taken), Some(&mut writer), warnings).await {
            // The lines of so many files are longer than a document that anybody reads.
            Err(error) if error.code() == Code::TooLarge => {
                let count = taken.snapshot.files.len();
                let message = format!("{error}. None of its {count} files are kept with it");
                warnings.warn(WarningCode::TooLarge, message);
                finish(store, drafted, None, Some(&mut writer), warnings).await
            }
            made => made,
        }
    };
    let made = made.await;
    writer.end().await;
    made
}

/// Refuses a draft that cannot be published, before anything is kept.
async fn check(store: &SnapshotStore<'_>, drafted: &SnapshotDraft) -> Result<(), Error> {
    let now = store.now().await?;
    match SnapshotId::next(now, []) {
        Some(id) => document::write(drafted.document.clone(), id, now).map(drop),
        None => Ok(()),
    }
}

/// Completes a draft, and publishes it.
async fn finish(
    store: &SnapshotStore<'_>,
    drafted: SnapshotDraft,
    taken: Option<&SnapshotFiles>,
    writer: Option<&mut ObjectWriter<'_>>,
    warnings: &mut Warnings,
) -> Result<(CreatedSnapshot, OtherSnapshots), Error> {
    let SnapshotDraft {
        mut document,
        left_out,
    } = drafted;
    let head = match taken {
        Some(SnapshotFiles { scan, .. }) => scan.head.clone().map_or(Head::Unborn, Head::Commit),
        None => root::head(store.io, &store.root).await,
    };
    match head {
        Head::Commit(commit) => document.set("head_commit", commit),
        Head::NoRepository | Head::Unborn => document.set("head_commit", Json::Null),
        Head::OutOfSight => {}
        Head::Unreadable(why) => warnings.warn(WarningCode::HeadUnreadable, why),
    }
    let HiddenSecrets { count, notes } = hide_all(store, &mut document, warnings).await;
    // Paths and hashes are none of anybody's words.
    let snapshot = taken.map(|taken| &taken.snapshot);
    if let Some(snapshot) = snapshot {
        let notes = [&snapshot.notes[..], &notes[..]].concat();
        let mut stored = snapshot.to_object();
        if !notes.is_empty() {
            stored.set("notes", notes);
        }
        document.set("snapshot", stored);
    }
    if let Some(Json::Object(by)) = document.get("made_by").cloned() {
        let work = work_in(&document);
        if let Some(last) = last_of(store, &by, &work).await? {
            return Ok((existing(store, last), OtherSnapshots::default()));
        }
        document.set("made_by", by.with("work", work));
    }
    let PublishedSnapshot {
        id,
        other_snapshots,
    } = publish(store, &document, writer, warnings).await?;
    let known = SnapshotLocation {
        id,
        is_archived: false,
    };
    let created = CreatedSnapshot {
        id,
        path: store.shown(known),
        redacted: count,
        summary_left_out: (!left_out.is_nothing()).then(|| left_out.to_string()),
        files: snapshot.map(|snapshot| snapshot.files.len() as u64),
        left_out: snapshot.map_or(Vec::new(), |snapshot| snapshot.left_out.clone()),
        removed: Vec::new(),
        run: None,
        others: Vec::new(),
    };
    Ok((created, other_snapshots))
}

/// The answer for a checkpoint that was there already.
fn existing(store: &SnapshotStore<'_>, known: SnapshotLocation) -> CreatedSnapshot {
    CreatedSnapshot {
        id: known.id,
        path: store.shown(known),
        redacted: 0,
        summary_left_out: None,
        files: None,
        left_out: Vec::new(),
        removed: Vec::new(),
        run: None,
        others: Vec::new(),
    }
}
