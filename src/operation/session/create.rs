//! A new snapshot.

use crate::checkpoint::session::document;
use crate::checkpoint::session::draft::SnapshotDraft;
use crate::checkpoint::session::id::SnapshotId;
use crate::checkpoint::session::listing_lines;
use crate::checkpoint::session::reason::SnapshotReason;
use crate::checkpoint::session::snapshot::SnapshotOmission;
use crate::effect::{Io, boxed};
use crate::error::{Code, Error, Warning, WarningCode};
use crate::json::{Json, Object};
use crate::operation::reply::{Warnings, with_warnings};
use crate::operation::row::{Answering, Arguments, Capability, Operation};
use crate::operation::{Reply, Settings, Target, secrets};
use crate::root::{self, Head};
use crate::schema::{ArgumentMembers, Shaped};
use crate::secret::Rule;
use crate::store::Storage;
use crate::store::objects::ObjectWriter;

use super::clean_up::{RemovedSnapshot, clean_up_now};
use super::drafted::{HiddenSecrets, draft_within_budget, hide_all, refuse_names};
use super::hook_snapshot::{last_of, note_hook, work_in};
use super::known_files;
use super::limits::SnapshotLimits;
use super::notes::warn_of_filters;
use super::patch;
use super::publish::{PublishedSnapshot, publish};
use super::request::{ChangedFiles, Create};
use super::secret_scan::HAS_SECRET;
use super::snapshot::{EarlierLook, Past, SnapshotFiles, take};
use super::snapshot_store::{OtherSnapshots, SnapshotLocation, SnapshotStore};
use super::source::{RunSource, source};

pub(super) const OPERATION: Operation =
    Operation::changing::<CreateSessionArguments, CreatedSnapshot>(
        "create_session",
        "Makes a snapshot of the current run and the given content.",
        perform,
    )
    .of(Capability::Sessions);

/// The occasion, and what is to be in it.
#[derive(ArgumentMembers)]
struct CreateSessionArguments<'a> {
    /// `phase_complete`, `handoff`, `error`, `mode_switch` or `user_requested`.
    reason: &'a str,
    /// The remarks of its maker.
    message: Option<&'a str>,
    /// Fields of the document, which stand in place of what would be filled in.
    given: Option<&'a Object>,
    /// The command whose run is captured; by default that of the run updated last.
    command: Option<&'a str>,
    /// The feature, if the checkpoint belongs to one.
    feature: Option<&'a str>,
    /// Keep the files that differ from HEAD; they are kept, unless this is false.
    files: Option<bool>,
    /// Paths of files that are kept though they look like files of secrets or are large.
    #[shape(optional)]
    allow: Vec<String>,
}

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        let arguments: CreateSessionArguments<'_> = arguments.read();
        let reason = match arguments.reason.parse::<SnapshotReason>() {
            Ok(reason) => reason,
            Err(error) => return Warnings::default().reply(Err(error)),
        };
        let create = Create {
            reason,
            message: arguments.message,
            given: arguments.given.cloned().unwrap_or_default(),
            target: arguments.command.map(|command| Target {
                command: command.to_owned(),
                feature: arguments.feature.map(str::to_owned),
            }),
            files: match arguments.files {
                Some(false) => ChangedFiles::None,
                _ => ChangedFiles::Kept(arguments.allow),
            },
            undo_of: None,
            made_by: None,
            turn: None,
        };
        create_session(io, settings, create).await.map(Json::from)
    })
}

/// A snapshot that was made.
#[derive(Clone, Debug, PartialEq, Eq, Shaped)]
#[shape(name = "CreatedSession")]
pub struct CreatedSnapshot {
    /// Its id.
    pub id: SnapshotId,
    /// Its file, relative to the root.
    pub path: String,
    /// The number of texts that had secrets in them, which were taken out.
    pub redacted: u64,
    /// The part of the context that had no room in its summary.
    pub summary_left_out: Option<String>,
    /// The number of paths in its snapshot; null without one.
    pub files: Option<u64>,
    /// The paths that differed from HEAD, or may have, and are not kept.
    pub left_out: Vec<SnapshotOmission>,
    /// The ids of older ones that were removed, as the settings say.
    pub removed: Vec<SnapshotId>,
    /// The run that it was made of.
    #[shape(flatten, into = SnapshotRun)]
    pub run: Option<Target>,
    /// The other unfinished runs, where none was named.
    pub others: Vec<Target>,
}

/// The run that a snapshot was made of.
#[derive(Shaped)]
struct SnapshotRun {
    /// The command of the run that it was made of; null where there was none.
    command: Option<String>,
    /// The feature of that run, if it has one.
    feature: Option<String>,
}

impl From<Option<Target>> for SnapshotRun {
    fn from(run: Option<Target>) -> Self {
        match run {
            Some(Target { command, feature }) => SnapshotRun {
                command: Some(command),
                feature,
            },
            None => SnapshotRun {
                command: None,
                feature: None,
            },
        }
    }
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
    let run = match (&create.turn, &create.target) {
        // Of a session without a run, no other session's run is kept.
        (Some(_), None) => RunSource::default(),
        (_, target) => source(store, target.clone(), warnings).await?,
    };
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
        let known = match limits.rewind_exclude {
            Some(_) => Some(known_files::read(store).await),
            None => None,
        };
        let look = EarlierLook {
            known: known.as_ref(),
            ..EarlierLook::default()
        };
        let taking = take(store, &mut writer, limits, allowed, (past, look));
        let mut taken = match boxed(taking).await {
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
        keep_run(store, run, &mut writer, &mut drafted.document).await?;
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

/// Keeps the run's own document, and has the draft refer to it.
pub(super) async fn keep_run(
    store: &SnapshotStore<'_>,
    run: &RunSource,
    writer: &mut ObjectWriter<'_>,
    document: &mut Object,
) -> Result<(), Error> {
    let Some(loaded) = &run.loaded else {
        return Ok(());
    };
    let found = secrets::in_run(store.io, &store.root, &loaded.object).await;
    let (key, value) = match found.map(Rule::as_str) {
        Some(rule) => ("left_out", format!("{HAS_SECRET} ({rule})")),
        None => {
            let content = writer.keep_bytes(loaded.text.as_bytes()).await?;
            ("sha256", content.sha256)
        }
    };
    let reference = document.get_mut("checkpoint");
    if let Some(reference) = reference.and_then(Json::as_object_mut) {
        reference.set(key, value);
    }
    Ok(())
}

/// Refuses a draft that cannot be published, before anything is kept.
pub(super) async fn check(store: &SnapshotStore<'_>, drafted: &SnapshotDraft) -> Result<(), Error> {
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
    if let Some(taken) = taken {
        let notes = [&taken.snapshot.notes[..], &notes[..]].concat();
        let mut stored = match taken.is_moment {
            true => listing_lines::to_object(&taken.snapshot),
            false => taken.snapshot.to_object(),
        };
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
