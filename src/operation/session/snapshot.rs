//! The files of a work tree that differ from HEAD, kept.

use crate::checkpoint::session::known_files::KnownFiles;
use crate::checkpoint::session::plan::fact::ContentKind;
use crate::checkpoint::session::plan::path::{folders, problem};
use crate::checkpoint::session::snapshot::{Snapshot, SnapshotFile, SnapshotOmission, in_order};
use crate::checkpoint::session::withheld;
use crate::effect::{Fault, PathEntry, PathKind};
use crate::error::{Code, Error};
use crate::secret::secret_in;
use crate::store::objects::{KeepDecision, ObjectWriter, ShownFilePart};
use crate::str_map::{StrMap, StrSet, sort};
use crate::worktree::report;
use crate::worktree::{KnownComparisons, ScanAid, ScanBudget, WorktreeScan, scan_with};

use super::compared::SECRET_NAME;
use super::limits::SnapshotLimits;
use super::notes::note;
use super::secret_scan::SecretScan;
use super::snapshot_store::SnapshotStore;
use super::taking::{Taking, too_large, unreadable};

/// More paths are not listed in one checkpoint.
const MAX_FILES: usize = 20_000;

/// More paths are not listed in a moment that is kept for rewinds.
const MAX_MOMENT_FILES: usize = 100_000;

/// The files that were kept.
pub(super) struct SnapshotFiles {
    pub(super) scan: WorktreeScan,
    pub(super) snapshot: Snapshot,
    /// True if the time was over before all were kept.
    pub(super) is_cut: bool,
    /// True if they are kept for rewinds.
    pub(super) is_moment: bool,
}

/// The files of an earlier look, and the time for this one, where they are kept for rewinds.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct EarlierLook<'a> {
    pub(super) known: Option<&'a KnownFiles>,
    pub(super) budget: ScanBudget,
}

/// Contents of paths that a snapshot has besides those of the work tree.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Past<'a> {
    /// Paths where nothing stands: what comes there is ignored perhaps, and would be taken for what was there.
    pub(super) absent: &'a [&'a str],
    /// Some paths of an earlier snapshot.
    pub(super) before: Option<EarlierSnapshot<'a>>,
    /// Permission bits of folders, and of files that are as in the commit.
    pub(super) modes: &'a [(String, u32)],
}

/// An earlier snapshot, and the paths that it is to speak for.
#[derive(Clone, Copy, Debug)]
pub(super) struct EarlierSnapshot<'a> {
    pub(super) snapshot: &'a Snapshot,
    /// The commit that it was made at.
    pub(super) head: Option<&'a str>,
    pub(super) paths: &'a [&'a str],
}

/// Keeps the files that differ from HEAD. `allowed` are paths that are kept with any content, besides those that the
/// limits allow.
///
/// # Errors
///
/// As [`scan()`], and what keeping fails with; [`Error::conflict`] where another commit is checked out than the
/// one of an earlier snapshot.
///
/// A content of an earlier look that is damaged is kept again.
pub(super) async fn take(
    store: &SnapshotStore<'_>,
    writer: &mut ObjectWriter<'_>,
    limits: &SnapshotLimits,
    allowed: &[String],
    (past, look): (Past<'_>, EarlierLook<'_>),
) -> Result<SnapshotFiles, Error> {
    match take_once(store, writer, limits, allowed, (past, look)).await {
        Err(error) if error.code() == Code::Corrupt && look.known.is_some() => {
            let nothing = KnownFiles::default();
            let look = EarlierLook {
                known: Some(&nothing),
                ..look
            };
            take_once(store, writer, limits, allowed, (past, look)).await
        }
        taken => taken,
    }
}

async fn take_once(
    store: &SnapshotStore<'_>,
    writer: &mut ObjectWriter<'_>,
    limits: &SnapshotLimits,
    allowed: &[String],
    (past, look): (Past<'_>, EarlierLook<'_>),
) -> Result<SnapshotFiles, Error> {
    let own = store.own_folders()?;
    let own: Vec<&str> = own.iter().map(String::as_str).collect();
    let most = report::ScanLimits {
        files: match look.known {
            Some(_) => MAX_MOMENT_FILES,
            None => MAX_FILES,
        },
        ..report::ScanLimits::default()
    };
    let aid = ScanAid {
        compared: look.known.map(KnownComparisons::of).unwrap_or_default(),
        budget: look.budget,
        ..limits.scan_aid()
    };
    let scan = scan_with(store.io, &store.root, &most, &own, aid).await?;
    let allowed = allowed.iter().chain(&limits.allow);
    let allowed: StrSet<'_> = allowed.map(String::as_str).collect();
    let sizes = (limits.max_file_bytes, limits.max_snapshot_bytes);
    let mut taking = Taking::new((store, &own), writer, allowed, sizes, look.known);
    let mut budget = scan.budget();
    let mut unnamed = 0_u32;
    for file in &scan.files {
        if budget.is_spent() {
            break;
        }
        match secret_in(&file.path).is_some() {
            true => unnamed += 1,
            false if taking.knows(file) => taking.take(file).await?,
            false if !budget.begin_read(store.io).await => {}
            false => {
                taking.take(file).await?;
                budget.end_read(store.io).await;
            }
        }
    }
    let mut snapshot = taking.finish().await?;
    note_modes(store, &own, &scan, past.modes, &mut snapshot).await?;
    let absent = past.absent.iter().copied();
    let absent: Vec<&str> = absent.filter(|it| secret_in(it).is_none()).collect();
    snapshot.mark_absent(&absent);
    for out in &scan.left_out {
        if secret_in(&out.path).is_some() {
            unnamed += 1;
            continue;
        }
        snapshot.left_out.push(SnapshotOmission {
            path: out.path.clone(),
            reason: out.reason.as_str().to_owned(),
        });
    }
    if let Some(before) = past.before {
        take_over(writer, &scan, &before, &mut snapshot).await?;
    }
    snapshot.left_out.sort_by(SnapshotOmission::by_path);
    snapshot.notes = scan.notes.iter().map(note).collect();
    snapshot.notes.extend(match unnamed {
        0 => None,
        1 => Some("One path is not listed: its name holds what looks like a secret".to_owned()),
        count => Some(format!(
            "{count} paths are not listed: their names hold what looks like a secret"
        )),
    });
    Ok(SnapshotFiles {
        scan,
        snapshot,
        is_cut: budget.is_spent(),
        is_moment: limits.rewind_exclude.is_some(),
    })
}

/// Has a snapshot say which permission bits its files have, the folders on the way to them, and some other paths.
async fn note_modes(
    store: &SnapshotStore<'_>,
    own: &[&str],
    scan: &WorktreeScan,
    more: &[(String, u32)],
    snapshot: &mut Snapshot,
) -> Result<(), Error> {
    let standing = snapshot.files.iter().filter(|it| it.content.is_some());
    let standing: Vec<&str> = standing.map(|it| it.path.as_str()).collect();
    let seen = standing.iter();
    let seen: Vec<(String, u32)> = seen
        .filter_map(|it| Some(((*it).to_owned(), seen_mode(scan, it)?)))
        .collect();
    let above = standing.iter().flat_map(|it| folders(it));
    let looked = standing.iter().filter(|it| seen_mode(scan, it).is_none());
    let mut paths: Vec<String> = above.chain(looked.copied()).map(str::to_owned).collect();
    paths = sort(paths);
    paths.dedup();
    let looked: Vec<&str> = paths.iter().map(String::as_str).collect();
    let entries = store.inspect(&looked).await?;
    let modes = paths.into_iter().zip(entries).filter_map(|(path, entry)| {
        let bits = scan.permissions(entry)?;
        Some((path, bits, entry.kind))
    });
    let modes: Vec<(String, u32, PathKind)> = modes.collect();
    let of_files = modes.iter().filter(|(_, _, kind)| *kind == PathKind::File);
    let of_files = of_files.map(|(path, bits, _)| (path.as_str(), *bits));
    let of_files = of_files.chain(seen.iter().map(|(path, bits)| (path.as_str(), *bits)));
    let of_files: StrMap<'_, u32> = of_files.collect();
    for file in &mut snapshot.files {
        let Some(content) = &mut file.content else {
            continue;
        };
        if content.kind == ContentKind::File {
            content.permissions = of_files.get(&file.path).copied();
        }
    }
    let listed: StrSet<'_> = snapshot.files.iter().map(|it| it.path.as_str()).collect();
    let is_ours = |path: &str| problem(path, own).is_some();
    let of_folders = modes
        .iter()
        .filter(|(_, _, kind)| *kind == PathKind::Folder);
    let of_folders = of_folders.filter(|(path, ..)| !is_ours(path));
    let of_folders = of_folders.map(|(path, bits, _)| (path.clone(), *bits));
    let more = more
        .iter()
        .filter(|(path, _)| !listed.contains(path) && secret_in(path).is_none());
    snapshot.modes = in_order(of_folders.chain(more.cloned()).collect());
    Ok(())
}

/// The permission bits of a file as the scan saw them.
fn seen_mode(scan: &WorktreeScan, path: &str) -> Option<u32> {
    let file = scan.file(path)?;
    let report::PathState::File { size, .. } = file.state else {
        return None;
    };
    let (_, mode) = file.stamp?;
    scan.permissions(PathEntry {
        kind: PathKind::File,
        size,
        mode,
    })
}

/// Has a snapshot say of some paths what an earlier one says, whose contents are kept already.
async fn take_over(
    writer: &mut ObjectWriter<'_>,
    scan: &WorktreeScan,
    before: &EarlierSnapshot<'_>,
    snapshot: &mut Snapshot,
) -> Result<(), Error> {
    if scan.head.as_deref() != before.head {
        let message = "Another commit is checked out by now".to_owned();
        return Err(Error::conflict(message, Vec::new()));
    }
    snapshot.take_over(before.snapshot, before.paths);
    let paths: StrSet<'_> = before.paths.iter().copied().collect();
    let files = snapshot.files.iter();
    let files = files.filter(|it| paths.contains(&it.path));
    let contents: Vec<&str> = files.filter_map(SnapshotFile::stored_sha256).collect();
    match writer.refer(&contents).await?.first() {
        None => Ok(()),
        Some(broken) => {
            let message = format!("{} is missing or damaged", broken.object);
            Err(Error::conflict(message, Vec::new()))
        }
    }
}

/// The reason that a file would not be kept, without keeping it; `None` where it would be.
///
/// # Errors
///
/// [`Error::io`].
pub(super) async fn why_not_kept(
    store: &SnapshotStore<'_>,
    limits: &SnapshotLimits,
    path: &str,
    size: u64,
) -> Result<Option<String>, Error> {
    if limits.allows(path) {
        return Ok(None);
    }
    if secret_in(path).is_some() {
        return Ok(Some(SECRET_NAME.to_owned()));
    }
    if let Some(reason) = withheld::reason(path) {
        return Ok(Some(reason.to_owned()));
    }
    if size > limits.max_file_bytes {
        return Ok(Some(too_large(size)));
    }
    let mut search = SecretScan::default();
    let mut offset = 0;
    loop {
        let part = store
            .io
            .part(
                store.root.join(path),
                offset,
                crate::store::objects::PIECE_BYTES,
                crate::effect::Links::Refuse,
            )
            .await;
        let bytes = match part {
            Ok(bytes) => bytes,
            Err(failed) if failed.fault == Fault::NotFound => return Ok(None),
            Err(failed) => return Ok(Some(unreadable(&failed))),
        };
        if search.sees(ShownFilePart::Bytes(&bytes)) == KeepDecision::Stop {
            return Ok(search.found);
        }
        offset += bytes.len() as u64;
        if bytes.len() < crate::store::objects::PIECE_BYTES as usize {
            return Ok(None);
        }
    }
}
