//! A moment of a turn, in as little time as what changed since the last one takes.

use crate::checkpoint::session::known_files::KnownFile;
use crate::checkpoint::session::next_listing::NextListing;
use crate::checkpoint::session::reason::SnapshotReason;
use crate::effect::boxed;
use crate::error::{Code, Error};
use crate::json::{Json, Object};
use crate::operation::{Target, Warnings};
use crate::root::{self, Head};
use crate::secret::secret_in;
use crate::store::objects::ObjectWriter;
use crate::str_map::{StrMap, order};
use crate::worktree::ScanBudget;

use super::create::{check, keep_run};
use super::drafted::{draft_within_budget, hide_all};
use super::known_files::{self, KNOWN};
use super::limits::{SnapshotLimits, limits_of};
use super::publish::publish;
use super::request::{ChangedFiles, Create, TurnMark};
use super::secret_scan::HAS_SECRET;
use super::snapshot::{EarlierLook, Past, SnapshotFiles, take};
use super::snapshot_store::SnapshotStore;
use super::source::{RunSource, source};
use super::too_much::WorktreeLook;

/// The reason that a worktree is not gone through before each prompt.
const TOO_LONG: &str = "to go through its folders takes too long";

/// The outcome for a moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum MomentOutcome {
    /// All that differs is kept.
    Complete,
    /// The time was over: what was kept by then is known to the next one.
    Cut,
    /// There are more files than are kept, and why.
    TooMuch(String),
    /// The files are not kept: the worktree cannot be compared.
    WithoutFiles,
}

/// Keeps a moment. `run` is the run of its session; of a session without one, no other session's is kept.
///
/// # Errors
///
/// As making a snapshot.
pub(super) async fn keep_moment(
    store: &SnapshotStore<'_>,
    mark: TurnMark,
    run: Option<Target>,
    budget: ScanBudget,
    warnings: &mut Warnings,
) -> Result<MomentOutcome, Error> {
    let run = match run {
        Some(target) => source(store, Some(target), warnings).await?,
        None => RunSource::default(),
    };
    let create = Create {
        reason: SnapshotReason::UserRequested,
        message: None,
        given: Object::new(),
        target: run.target.clone(),
        files: ChangedFiles::Kept(Vec::new()),
        undo_of: None,
        made_by: None,
        turn: Some(mark),
    };
    let source = run.target.as_ref().zip(run.loaded.as_ref());
    let drafted = draft_within_budget(store, &create, source, warnings).await?;
    check(store, &drafted).await?;
    let durability = store.settings.durability;
    let mut writer = ObjectWriter::begin(store.io, &store.folder, durability).await?;
    let kept = async {
        let mut document = drafted.document;
        keep_run(store, &run, &mut writer, &mut document).await?;
        keep_files(store, document, &mut writer, budget, warnings).await
    };
    let kept = boxed(kept).await;
    writer.end().await;
    kept
}

async fn keep_files(
    store: &SnapshotStore<'_>,
    mut document: Object,
    writer: &mut ObjectWriter<'_>,
    budget: ScanBudget,
    warnings: &mut Warnings,
) -> Result<MomentOutcome, Error> {
    let limits = limits_of(store, warnings).await;
    let this_look = match budget.is_limited() {
        true => WorktreeLook::begin(store.io, &limits).await,
        false => None,
    };
    if let Some(this_look) = &this_look
        && let Some(why) = this_look.refused(store).await
    {
        keep_no_files(store, document, writer, warnings).await?;
        return Ok(MomentOutcome::TooMuch(why));
    }
    let known = known_files::read(store).await;
    let began_ms = store.now().await?;
    let look = EarlierLook {
        known: Some(&known),
        budget,
    };
    let taken = match boxed(take(store, writer, &limits, &[], (Past::default(), look))).await {
        Ok(taken) => taken,
        // Its writer was taken for dead: what it says is to be made again is not made without files.
        Err(error) if error.code() == Code::Conflict => return Err(error),
        Err(error) => {
            keep_no_files(store, document, writer, warnings).await?;
            if let Some(this_look) = this_look {
                this_look.note(store.io, writer, &error.to_string()).await;
            }
            return Ok(match error.code() {
                Code::TooLarge => MomentOutcome::TooMuch(error.to_string()),
                _ => MomentOutcome::WithoutFiles,
            });
        }
    };
    let SnapshotFiles { scan, snapshot, .. } = &taken;
    document.set("head_commit", scan.head.as_deref());
    hide_all(store, &mut document, warnings).await;
    let is_complete = !taken.is_cut;
    let before = known.clone();
    let listing = (snapshot, scan.head.as_deref());
    let seen = seen(&taken, &limits, began_ms);
    let next = NextListing::new(known, seen, listing, is_complete);
    // Paths and hashes are none of anybody's words.
    document.set("snapshot", next.form.to_object(snapshot));
    if !is_complete
        && let Some(turn) = document.get_mut(super::request::TURN)
        && let Some(turn) = turn.as_object_mut()
    {
        turn.set(super::request::INCOMPLETE, true);
    }
    let published = match publish(store, &document, Some(&mut *writer), warnings).await {
        // The lines of so many files are longer than a document that anybody reads.
        Err(error) if error.code() == Code::TooLarge => {
            document.remove("snapshot");
            publish(store, &document, Some(&mut *writer), warnings).await?;
            if let Some(this_look) = this_look {
                this_look.note(store.io, writer, &error.to_string()).await;
            }
            return Ok(MomentOutcome::TooMuch(error.to_string()));
        }
        published => published?,
    };
    let known = next.known(published.id);
    if known != before {
        writer.put_cache(KNOWN, known.to_text().into_bytes()).await;
    }
    if let Some(this_look) = this_look
        && taken.scan.budget().is_walk_cut()
    {
        this_look.note(store.io, writer, TOO_LONG).await;
        return Ok(MomentOutcome::TooMuch(TOO_LONG.to_owned()));
    }
    Ok(match is_complete {
        true => MomentOutcome::Complete,
        false => MomentOutcome::Cut,
    })
}

/// Keeps a moment without its files.
async fn keep_no_files(
    store: &SnapshotStore<'_>,
    mut document: Object,
    writer: &mut ObjectWriter<'_>,
    warnings: &mut Warnings,
) -> Result<(), Error> {
    note_head(store, &mut document).await;
    hide_all(store, &mut document, warnings).await;
    let published = publish(store, &document, Some(writer), warnings).await;
    published.map(drop)
}

/// Has a document say which commit is checked out.
async fn note_head(store: &SnapshotStore<'_>, document: &mut Object) {
    match root::head(store.io, &store.root).await {
        Head::Commit(commit) => document.set("head_commit", commit),
        Head::NoRepository | Head::Unborn => document.set("head_commit", Json::Null),
        Head::OutOfSight | Head::Unreadable(_) => {}
    }
}

/// The files that a look has seen, which began at a time, sorted by path.
fn seen(taken: &SnapshotFiles, limits: &SnapshotLimits, began_ms: f64) -> Vec<KnownFile> {
    let omitted = taken.snapshot.left_out.iter();
    let omitted: StrMap<'_, &str> = omitted
        .filter(|it| it.reason.starts_with(HAS_SECRET))
        .map(|it| (it.path.as_str(), it.reason.as_str()))
        .collect();
    let compared = taken.scan.comparisons();
    let compared_paths: StrMap<'_, usize> = compared
        .iter()
        .enumerate()
        .map(|(at, it)| (it.path.as_str(), at))
        .collect();
    let comparison = |path: &str| {
        let made = &compared[*compared_paths.get(path)?];
        Some((made.id.clone(), made.is_same))
    };
    let of_files = taken.scan.files.iter().map(|file| {
        let stamp = file.stamp.map(|(stamp, _)| stamp);
        let stamp = stamp.filter(|it| !it.is_racy(began_ms));
        KnownFile {
            stamp,
            compared: stamp.and_then(|_| comparison(&file.path)),
            listed: taken.snapshot.find(&file.path).cloned(),
            omitted: omitted.get(&file.path).map(|it| (*it).to_owned()),
            is_allowed: limits.allows(&file.path),
            ..KnownFile::new(file.path.clone())
        }
    });
    let of_same = compared
        .iter()
        .filter(|it| taken.scan.file(&it.path).is_none());
    let of_same = of_same.filter(|it| !it.stamp.is_racy(began_ms));
    let of_same = of_same.map(|it| KnownFile {
        stamp: Some(it.stamp),
        compared: Some((it.id.clone(), it.is_same)),
        is_allowed: limits.allows(&it.path),
        ..KnownFile::new(it.path.clone())
    });
    let all = of_files
        .chain(of_same)
        .filter(|it| secret_in(&it.path).is_none());
    let mut all: Vec<KnownFile> = all.collect();
    let paths: Vec<&str> = all.iter().map(|it| it.path.as_str()).collect();
    let ordered = order(&paths);
    let mut sorted: Vec<KnownFile> = Vec::with_capacity(all.len());
    for at in ordered {
        let next = std::mem::replace(&mut all[at], KnownFile::new(String::new()));
        if sorted.last().is_none_or(|it| it.path != next.path) {
            sorted.push(next);
        }
    }
    sorted
}
