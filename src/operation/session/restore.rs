//! Carrying on from a snapshot: what it says, and the files that went with it.

use std::collections::{BTreeMap, BTreeSet};

use crate::checkpoint::session::id::SnapshotId;
use crate::checkpoint::session::plan::change::RestoreStep;
use crate::checkpoint::session::plan::fact::{
    Bytes, FolderMode, PathContent, Present, RecordedPath, exclude,
};
use crate::checkpoint::session::plan::restore::{self as rules, Consent, RestoreFacts};
use crate::checkpoint::session::snapshot::Snapshot;
use crate::checkpoint::session::{register, resume};
use crate::effect::{Io, boxed};
use crate::error::{Error, WarningCode};
use crate::git::head::stale;
use crate::json::{Json, Object};
use crate::operation::command::load::stale_warning;
use crate::operation::project::budget::{budget, fit};
use crate::operation::reply::{Warnings, with_warnings};
use crate::operation::row::{Answering, Arguments, Capability, Operation};
use crate::operation::{Reply, Settings};
use crate::restore::{ContentSource, Done, Stopped, Workshop, perform as perform_steps};
use crate::root::{self, Head};
use crate::schema::{ArgumentMembers, Shaped};
use crate::store::objects::{ContentReader, Depth, PIECE_BYTES};
use crate::str_map::StrSet;

use super::compared::{CommitScope, SnapshotComparison, file_bytes};
use super::drafted::SUMMARY;
use super::holdings::{Holdings, kept_by_the_undone};
use super::limits::SnapshotLimits;
use super::load::{SnapshotArguments, selector};
use super::notes::warn_of_filters;
use super::plan::PlanReport;
use super::snapshot::why_not_kept;
use super::snapshot_store::{SnapshotSelector, SnapshotStore, StoredSnapshot};
use super::state::Earlier;
use super::stopped::RestoreStop;
use super::undo::Beginning;
use super::unfinished::{UnfinishedRestore, settle_asides};

pub(super) const OPERATION: Operation =
    Operation::changing::<RestoreSessionArguments, RestoredSnapshot>(
        "restore_session",
        "Returns the content of a snapshot to carry on from; with `files`, restores its files.",
        perform,
    )
    .of(Capability::Sessions);

/// The checkpoint, one of the two, and what becomes of the files.
#[derive(ArgumentMembers)]
struct RestoreSessionArguments<'a> {
    #[shape(flatten)]
    snapshot: SnapshotArguments<'a>,
    /// Bring the files back; without it nothing is written.
    files: bool,
    /// Only makes the plan.
    dry_run: bool,
    /// Carry out only the plan with this id.
    plan: Option<&'a str>,
    /// Paths whose present content may be lost for good.
    #[shape(optional)]
    lose: Vec<&'a str>,
    /// Allow any present content to be lost, and another commit to be checked out.
    force: bool,
    /// Restore the run as well; true by default.
    state: Option<bool>,
}

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        let arguments: RestoreSessionArguments<'_> = arguments.read();
        let selector = match selector(&arguments.snapshot) {
            Ok(selector) => selector,
            Err(error) => return Warnings::default().reply(Err(error)),
        };
        let files = arguments.files.then_some(FileRestoreRequest {
            is_dry_run: arguments.dry_run,
            plan: arguments.plan,
            lose: arguments.lose,
            is_forced: arguments.force,
            with_state: arguments.state != Some(false),
        });
        restore(io, settings, selector, files).await.map(Json::from)
    })
}

/// The request to restore the files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileRestoreRequest<'a> {
    /// Set where only the plan is made.
    pub is_dry_run: bool,
    /// The id of the only plan that is carried out.
    pub plan: Option<&'a str>,
    /// Paths whose present content may be lost.
    pub lose: Vec<&'a str>,
    /// Set where any present content may be lost, and another commit may be checked out.
    pub is_forced: bool,
    /// True if the run is restored as well.
    pub with_state: bool,
}

/// The information to carry on with.
#[derive(Clone, Debug, PartialEq, Eq, Shaped)]
#[shape(name = "RestoredSession")]
pub struct RestoredSnapshot {
    /// Its id.
    pub id: SnapshotId,
    /// The next steps, decisions, files and summary, as a text that is marked as data.
    pub resume: String,
    /// True if anything is left to do.
    pub can_resume: bool,
    /// The paths that would be touched, or were; null where no files were asked for.
    pub plan: Option<PlanReport>,
    /// True if every file of the plan was restored.
    #[shape(name = "restored")]
    pub is_restored: bool,
    /// The checkpoint that brings back what was there; null where nothing was touched.
    pub undo: Option<SnapshotId>,
}

/// Returns the content of a checkpoint, and, where files are asked for, restores the files that went with it: exactly
/// the paths of the plan are touched. Before that a checkpoint is made of what is there, with which another restore
/// brings it back.
///
/// Warns `stale` where another commit is checked out by now, `summary_too_long` where the summary was cut to the
/// project's budget, and as [`load`](super::load::load) does.
/// Right before each path is touched, what stands there is compared with what that checkpoint holds.
/// Fails with `usage` where the plan is refused, with `conflict` where it is not the one that was asked for, and at the
/// first path that was changed since: it stays as it is, the error says what is done, and the undo is made again so
/// that it holds the change. Fails with `not_found`, `corrupt`, `unsafe_path`, `too_large`, `busy`, `io`.
pub async fn restore(
    io: &Io,
    settings: &Settings,
    selector: SnapshotSelector,
    files: Option<FileRestoreRequest<'_>>,
) -> Reply<RestoredSnapshot> {
    with_warnings(async |warnings| {
        let store = SnapshotStore::open(io, settings).await?;
        let session = store.find(selector).await?;
        let id = session.known.id;
        store.notice(&session, warnings).await;
        let mut restored = RestoredSnapshot {
            id,
            resume: resume_text(&store, &session.document, warnings).await?,
            can_resume: resume::can_resume(&session.document),
            plan: None,
            is_restored: false,
            undo: None,
        };
        match files {
            None => warn_if_stale(&store, &session, warnings).await,
            Some(request) => {
                let lose = store.resolve_paths(&request.lose, warnings).await?;
                let lose = lose.iter().map(String::as_str).collect();
                let request = FileRestoreRequest { lose, ..request };
                let bringing = bring_back(&store, &session, &request, warnings, &mut restored);
                boxed(bringing).await?;
            }
        }
        Ok(restored)
    })
    .await
}

/// The text of the document for the next session, its summary cut to the project's budget.
async fn resume_text(
    store: &SnapshotStore<'_>,
    document: &Object,
    warnings: &mut Warnings,
) -> Result<String, Error> {
    let summary = document.get(SUMMARY).and_then(Json::as_str);
    if let Some(summary) = summary
        && let Some(budget) = budget(store.io, &store.root).await?
        && let (kept, Some(why)) = fit(store.io, budget, summary).await?
    {
        let message = format!("The summary to resume with was cut: {why}");
        warnings.warn(WarningCode::SummaryTooLong, message);
        let mut document = document.clone();
        document.set(SUMMARY, kept);
        return Ok(resume::text(&document));
    }
    Ok(resume::text(document))
}

async fn warn_if_stale(
    store: &SnapshotStore<'_>,
    session: &StoredSnapshot,
    warnings: &mut Warnings,
) {
    let recorded = session.document.get("head_commit").and_then(Json::as_str);
    if recorded.is_none() {
        return;
    }
    let head = root::head(store.io, &store.root).await;
    if let (Some(recorded), Some(commit)) = (stale(recorded, head.commit()), head.commit()) {
        warnings.warn(
            WarningCode::Stale,
            stale_warning(&session.known.id.to_string(), recorded, commit),
        );
    }
    if let Head::Unreadable(why) = head {
        warnings.warn(WarningCode::HeadUnreadable, why);
    }
}

/// The paths that a restore may touch, where it may not touch every one.
#[derive(Debug, Default)]
pub(super) struct TakenPaths {
    /// The paths that are restored.
    pub(super) taken: BTreeSet<String>,
    /// Those that stay and are named, each with the reason.
    pub(super) kept: BTreeMap<String, String>,
}

/// Makes the plan, and does it where that is asked for.
async fn bring_back(
    store: &SnapshotStore<'_>,
    session: &StoredSnapshot,
    request: &FileRestoreRequest<'_>,
    warnings: &mut Warnings,
    restored: &mut RestoredSnapshot,
) -> Result<(), Error> {
    if !request.is_dry_run {
        boxed(settle_asides(store, warnings)).await?;
    }
    let limits = SnapshotLimits::known(store, warnings).await;
    let depth = (Depth::Bytes, CommitScope::Same);
    let compared = SnapshotComparison::new(store, &session.document, &limits, depth);
    let compared = boxed(compared).await?;
    warn_of_filters(&compared.notes, warnings);
    if !compared.has_snapshot {
        return Err(Error::not_found(format!(
            "No files were kept with {}",
            restored.id
        )));
    }
    let restoring = bring_back_compared(
        store,
        session,
        (&*compared, None),
        (request, &limits),
        warnings,
        restored,
    );
    boxed(restoring).await
}

/// Makes the plan of a comparison, and does it where that is asked for; with `paths`, of these alone.
pub(super) async fn bring_back_compared(
    store: &SnapshotStore<'_>,
    session: &StoredSnapshot,
    (compared, paths): (&SnapshotComparison, Option<&TakenPaths>),
    (request, limits): (&FileRestoreRequest<'_>, &SnapshotLimits),
    warnings: &mut Warnings,
    restored: &mut RestoredSnapshot,
) -> Result<(), Error> {
    let state = match request.with_state {
        true => Earlier::find(store, &session.document, warnings).await?,
        false => None,
    };
    let kept = kept_by_the_undone(store, session, compared).await;
    let mut request = request.clone();
    request.lose.extend(kept.iter().map(String::as_str));
    let request = &request;
    let own = store.own_folders()?;
    let own: Vec<&str> = own.iter().map(String::as_str).collect();
    let (mut recorded, mut present) = (compared.recorded(), compared.facts.present());
    let mut folder_modes = compared.folder_modes();
    if let Some(paths) = paths {
        narrow(&mut recorded, paths);
        folder_modes.retain(|it| it.present.is_none());
    }
    let losses = match request.is_forced {
        true => Vec::new(),
        false => {
            let facts = facts_of(compared, &recorded, &present, &folder_modes, &own);
            losses(store, limits, compared, rules::replaced_files(&facts)).await?
        }
    };
    for (path, why) in &losses {
        exclude(&mut present, path, why);
    }
    let facts = facts_of(compared, &recorded, &present, &folder_modes, &own);
    let plan = rules::plan(&facts, consent(request));
    let shown = restored.plan.insert(PlanReport::new(&plan, state.as_ref()));
    if request.is_dry_run {
        return Ok(());
    }
    if request.plan.is_some_and(|wanted| wanted != shown.id) {
        return Err(Error::conflict(
            format!(
                "The plan {} is outdated: a dry run shows the present plan, {}",
                crate::text::quoted(request.plan.unwrap_or_default()),
                shown.id
            ),
            Vec::new(),
        ));
    }
    if let Some(error) = shown.refusal() {
        return Err(error);
    }
    let unfinished = UnfinishedRestore::find(store, restored.id).await;
    let folders = unfinished.folders(store, &recorded, &present).await?;
    let begun = unfinished.begun.as_ref();
    restored.undo = begun.map(|undo| undo.known.id);
    let is_nothing = shown.is_nothing();
    let beginning = Beginning {
        id: restored.id,
        begun,
        consent: consent(request),
        plan: &plan,
        state: state.as_ref(),
        limits,
    };
    let mut undo = None;
    if !is_nothing {
        let made = boxed(beginning.undo(store, compared, &present, warnings)).await?;
        restored.undo = Some(made.known.id);
        undo = Some(made);
    }
    let emptied = folders.iter().map(|it| RestoreStep::RemoveIfEmpty(it));
    let steps: Vec<RestoreStep<'_>> = plan.steps.iter().cloned().chain(emptied).collect();
    if !is_nothing || !unfinished.is_none() {
        let snapshot = undo.as_ref().and_then(|it| Snapshot::of(&it.document));
        let snapshot = snapshot.unwrap_or_default();
        let holdings = Holdings::new(&snapshot, compared, &present, &kept, consent(request));
        let written = write_files(store, compared, &own, &steps, &holdings, warnings).await;
        if let Err(stopped) = written {
            let Stopped {
                done,
                error,
                changed,
            } = *stopped;
            let (Some(undo), Some(_)) = (&undo, changed) else {
                return Err(error);
            };
            let at = RestoreStop::at(&steps, done.steps, None);
            return Err(boxed(at.explained(store, &beginning, undo, error, warnings)).await);
        }
    }
    if let (Some(undo), Some(state)) = (&undo, &state)
        && let Err(error) = state.write(store, warnings).await
    {
        let at = RestoreStop::at(&steps, steps.len(), Some(state.title()));
        return Err(boxed(at.explained(store, &beginning, undo, error, warnings)).await);
    }
    if restored.undo.is_some() || !unfinished.is_none() {
        let id = restored.id;
        let mut ended = |register: &Object| Ok(register::without_restore(register, id));
        boxed(super::register::commit(store, &mut ended, warnings)).await?;
    }
    restored.is_restored = true;
    Ok(())
}

/// Leaves only some paths to be restored, and names those that are kept.
fn narrow<'a>(recorded: &mut Vec<RecordedPath<'a>>, paths: &'a TakenPaths) {
    recorded.retain(|it| paths.taken.contains(it.path) || paths.kept.contains_key(it.path));
    for it in recorded {
        if let Some(why) = paths.kept.get(it.path) {
            it.bytes = Bytes::LeftOut(why);
        }
    }
}

fn consent<'a>(request: &'a FileRestoreRequest<'_>) -> Consent<'a> {
    match request.is_forced {
        true => Consent::Force,
        false => Consent::Paths(&request.lose),
    }
}

fn facts_of<'a>(
    compared: &'a SnapshotComparison,
    recorded: &'a [RecordedPath<'a>],
    present: &'a [Present<'a>],
    folders: &'a [FolderMode<'a>],
    own: &'a [&'a str],
) -> RestoreFacts<'a> {
    RestoreFacts {
        recorded,
        present,
        folders,
        heads: compared.heads(),
        own,
        names: compared.names,
    }
}

/// Those of the paths that a restore would replace and the undo could not bring back, each with the reason.
pub(super) async fn beyond_undo(
    store: &SnapshotStore<'_>,
    limits: &SnapshotLimits,
    compared: &SnapshotComparison,
    paths: &TakenPaths,
) -> Result<Vec<(String, String)>, Error> {
    let own = store.own_folders()?;
    let own: Vec<&str> = own.iter().map(String::as_str).collect();
    let (mut recorded, present) = (compared.recorded(), compared.facts.present());
    narrow(&mut recorded, paths);
    let mut folder_modes = compared.folder_modes();
    folder_modes.retain(|it| it.present.is_none());
    let facts = facts_of(compared, &recorded, &present, &folder_modes, &own);
    losses(store, limits, compared, rules::replaced_files(&facts)).await
}

/// Those of the replaced files that the undo could not restore, each with the reason.
async fn losses(
    store: &SnapshotStore<'_>,
    limits: &SnapshotLimits,
    compared: &SnapshotComparison,
    replaced: Vec<(&str, u64)>,
) -> Result<Vec<(String, String)>, Error> {
    let mut losses = Vec::new();
    for (path, size) in replaced {
        // HEAD has what does not differ from it.
        if compared.differs(path)
            && let Some(why) = why_not_kept(store, limits, path, size).await?
        {
            losses.push((path.to_owned(), why));
        }
    }
    Ok(losses)
}

/// The stop of a restore that has touched nothing.
fn stopped_before(error: Error) -> Box<Stopped> {
    Box::new(Stopped {
        done: Done::default(),
        error,
        changed: None,
    })
}

async fn write_files(
    store: &SnapshotStore<'_>,
    compared: &SnapshotComparison,
    own: &[&str],
    steps: &[RestoreStep<'_>],
    holdings: &Holdings<'_>,
    warnings: &mut Warnings,
) -> Result<(), Box<Stopped>> {
    let io = store.io;
    let durability = store.settings.durability;
    let mut workshop = match Workshop::open(io, &store.folder, durability).await {
        Ok(workshop) => workshop,
        Err(error) => return Err(stopped_before(error)),
    };
    let kept: StrSet<'_> = compared.snapshot.contents().into_iter().collect();
    let reader = match ContentReader::open(io, &store.folder).await {
        Ok(reader) => reader,
        Err(error) => return Err(stopped_before(error)),
    };
    let source = async |path: &str, content: &PathContent| {
        if kept.contains(&content.sha256) {
            return Ok(ContentSource::Store);
        }
        let listed = compared.snapshot.find(path);
        let listed = listed.filter(|it| it.content.as_ref() == Some(content));
        if let Some(file) = listed.filter(|it| it.within.is_some()) {
            return match file_bytes(&reader, file, PIECE_BYTES).await? {
                Some(bytes) => Ok(ContentSource::Bytes(bytes)),
                None => Err(Error::conflict(
                    format!("What was kept of {path} is missing or damaged"),
                    Vec::new(),
                )),
            };
        }
        compared.at_head(io, path).await.map(ContentSource::Bytes)
    };
    let root = store.root.path();
    let held = |path: &str| holdings.of(path);
    let done = perform_steps(io, root, own, &mut workshop, steps, &held, source).await?;
    if let Some(first) = done.without_mode.first() {
        let count = done.without_mode.len();
        warnings.warn(
            WarningCode::Io,
            format!(
                "This host has no modes: {first} ({count} in all) may have another than it had"
            ),
        );
    }
    Ok(())
}
