//! The files of a work tree that differ from HEAD, kept.

use crate::checkpoint::session::plan::fact::{ContentKind, PathContent};
use crate::checkpoint::session::plan::path::{folders, problem};
use crate::checkpoint::session::snapshot::{
    Snapshot, SnapshotChange, SnapshotFile, SnapshotOmission, in_order,
};
use crate::checkpoint::session::withheld;
use crate::effect::{Failed, Fault, PathKind};
use crate::error::Error;
use crate::secret::{find_secrets, is_binary, secret_in};
use crate::store::objects::{KeepDecision, KeepOutcome, KeptContent, ObjectWriter, ShownFilePart};
use crate::str_map::{StrMap, StrSet, sort};
use crate::worktree::report::{self, PathState};
use crate::worktree::{WorktreeScan, scan};

use super::compared::SECRET_NAME;
use super::limits::SnapshotLimits;
use super::notes::note;
use super::snapshot_store::SnapshotStore;

/// More paths are not listed in one checkpoint.
const MAX_FILES: usize = 20_000;

/// A secret that begins in one part of a file and ends in the next one is looked for in this much of both.
const OVERLAP: usize = 16 << 10;

/// A file that is changed while it is read is read so often.
const READ_ATTEMPTS: u32 = 3;

/// The content of a file, or why it is not kept; `None` where it is gone.
type Read = Option<Result<KeptContent, String>>;

/// The files that were kept.
pub(super) struct SnapshotFiles {
    pub(super) scan: WorktreeScan,
    pub(super) snapshot: Snapshot,
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
pub(super) async fn take(
    store: &SnapshotStore<'_>,
    writer: &mut ObjectWriter<'_>,
    limits: &SnapshotLimits,
    allowed: &[String],
    past: Past<'_>,
) -> Result<SnapshotFiles, Error> {
    let own = store.own_folders()?;
    let own: Vec<&str> = own.iter().map(String::as_str).collect();
    let most = report::ScanLimits {
        files: MAX_FILES,
        ..report::ScanLimits::default()
    };
    let scan = scan(store.io, &store.root, &most, &own).await?;
    let allowed = allowed.iter().chain(&limits.allow);
    let allowed: StrSet<'_> = allowed.map(String::as_str).collect();
    let mut taking = Taking {
        store,
        own: &own,
        writer: &mut *writer,
        allowed,
        max_file_bytes: limits.max_file_bytes,
        bytes_left: limits.max_snapshot_bytes,
        snapshot: Snapshot::default(),
    };
    let mut unnamed = 0_u32;
    for file in &scan.files {
        match secret_in(&file.path).is_some() {
            true => unnamed += 1,
            false => taking.take(file).await?,
        }
    }
    let mut snapshot = taking.snapshot;
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
    snapshot.left_out.sort_by(|a, b| a.path.cmp(&b.path));
    snapshot.notes = scan.notes.iter().map(note).collect();
    snapshot.notes.extend(match unnamed {
        0 => None,
        1 => Some("One path is not listed: its name holds what looks like a secret".to_owned()),
        count => Some(format!(
            "{count} paths are not listed: their names hold what looks like a secret"
        )),
    });
    Ok(SnapshotFiles { scan, snapshot })
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
    let above = standing.iter().flat_map(|it| folders(it));
    let mut paths: Vec<String> = above
        .chain(standing.iter().copied())
        .map(str::to_owned)
        .collect();
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
    let of_files: StrMap<'_, u32> = of_files
        .map(|(path, bits, _)| (path.as_str(), *bits))
        .collect();
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
    let contents = files.filter_map(|it| it.content.as_ref());
    let contents: Vec<&str> = contents.map(|it| it.sha256.as_str()).collect();
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

struct Taking<'a, 'k> {
    store: &'a SnapshotStore<'a>,
    own: &'a [&'a str],
    writer: &'a mut ObjectWriter<'k>,
    allowed: StrSet<'a>,
    max_file_bytes: u64,
    bytes_left: u64,
    snapshot: Snapshot,
}

impl Taking<'_, '_> {
    async fn take(&mut self, file: &report::ReportedFile) -> Result<(), Error> {
        let Some(change) = file.change else {
            // Only the index differs.
            return Ok(());
        };
        // A restore would refuse it, and with it all the others.
        if let Some(why) = problem(&file.path, self.own) {
            self.leave_out(file, why.as_str());
            return Ok(());
        }
        let content = match file.state {
            // The contents of a folder are listed by themselves.
            PathState::Absent | PathState::Folder => Ok(None),
            PathState::Special => Err(report::UnscannedReason::Special.as_str().to_owned()),
            PathState::Link => self.link(&file.path).await?.map(Some),
            PathState::File { is_executable, .. } => match self.whole_file(&file.path).await? {
                Some(kept) => kept.map(|it| Some(recorded(it, ContentKind::File, is_executable))),
                // It went since it was looked at.
                None => Ok(None),
            },
        };
        let content = match content {
            Ok(content) => content,
            Err(reason) => {
                self.leave_out(file, &reason);
                return Ok(());
            }
        };
        let change = match (&content, file.head.is_some()) {
            (None, true) => SnapshotChange::Deleted,
            // Neither is there any more.
            (None, false) => return Ok(()),
            (Some(_), true) if change != report::WorktreeChange::Added => SnapshotChange::Modified,
            (Some(_), _) => SnapshotChange::Added,
        };
        self.snapshot.files.push(SnapshotFile {
            path: file.path.clone(),
            change,
            content,
            is_staged: file.staged.is_some(),
        });
        Ok(())
    }

    /// Keeps a file, or says why not; `None` where it is gone. Of a file that changes during the read, no content mixes
    /// two states.
    async fn whole_file(&mut self, path: &str) -> Result<Read, Error> {
        for _ in 0..READ_ATTEMPTS {
            if let Some(ended) = self.file(path).await? {
                return Ok(ended);
            }
        }
        Ok(Some(Err("is being written".to_owned())))
    }

    /// Keeps a file, reading it once; `None` where it was changed during the read.
    async fn file(&mut self, path: &str) -> Result<Option<Read>, Error> {
        let is_allowed = self.allowed.contains(path);
        if let Some(reason) = withheld::reason(path)
            && !is_allowed
        {
            return Ok(Some(Some(Err(reason.to_owned()))));
        }
        let limit = match is_allowed {
            true => self.bytes_left,
            false => self.bytes_left.min(self.max_file_bytes),
        };
        let mut search = SecretScan::default();
        let mut scan = |shown: ShownFilePart<'_>| match is_allowed {
            true => KeepDecision::Continue,
            false => search.sees(shown),
        };
        let path = self.store.root.join(path);
        let kept = self.writer.keep_file(&path, limit, &mut scan).await?;
        let read = match kept {
            KeepOutcome::Content(content) => {
                self.bytes_left -= content.size.min(self.bytes_left);
                Ok(content)
            }
            KeepOutcome::TooLarge(size) => Err(too_large(size)),
            KeepOutcome::Stopped => Err(search.found.unwrap_or_default()),
            KeepOutcome::Gone => return Ok(Some(None)),
            KeepOutcome::Changed => return Ok(None),
            KeepOutcome::NoFile(kind) => Err(format!("is {} by now", kind.noun())),
            KeepOutcome::Unreadable(failed) => Err(unreadable(&failed)),
        };
        Ok(Some(Some(read)))
    }

    async fn link(&mut self, path: &str) -> Result<Result<PathContent, String>, Error> {
        match self.store.io.read_link(self.store.root.join(path)).await {
            Ok(target) if !find_secrets(&target).is_empty() => Ok(Err(
                "leads to a path that holds what looks like a secret".to_owned(),
            )),
            Ok(target) => {
                let content = self.writer.keep_bytes(&target).await?;
                Ok(Ok(recorded(content, ContentKind::Link, None)))
            }
            Err(failed) => Ok(Err(unreadable(&failed))),
        }
    }

    fn leave_out(&mut self, file: &report::ReportedFile, reason: &str) {
        self.snapshot.left_out.push(SnapshotOmission {
            path: file.path.clone(),
            reason: reason.to_owned(),
        });
    }
}

/// Looks for secrets in the parts of a file.
#[derive(Default)]
struct SecretScan {
    /// The kind by its first bytes; `None` before them.
    is_binary: Option<bool>,
    /// The end of what was seen.
    tail: Vec<u8>,
    /// The number of lines that came before it.
    lines: usize,
    /// The first secret, in words.
    found: Option<String>,
}

impl SecretScan {
    fn sees(&mut self, shown: ShownFilePart<'_>) -> KeepDecision {
        let ShownFilePart::Bytes(bytes) = shown else {
            return KeepDecision::Continue;
        };
        if *self.is_binary.get_or_insert_with(|| is_binary(bytes)) {
            return KeepDecision::Continue;
        }
        let text = match self.tail.is_empty() {
            true => std::borrow::Cow::Borrowed(bytes),
            false => std::borrow::Cow::Owned([&self.tail, bytes].concat()),
        };
        if let Some(finding) = find_secrets(&text).first() {
            self.found = Some(format!(
                "holds what looks like a secret ({}) in line {}",
                finding.rule.as_str(),
                finding.line + self.lines
            ));
            return KeepDecision::Stop;
        }
        let from = text.len().saturating_sub(OVERLAP);
        self.lines += text[..from].iter().filter(|it| **it == b'\n').count();
        self.tail = text[from..].to_vec();
        KeepDecision::Continue
    }
}

fn recorded(content: KeptContent, kind: ContentKind, is_executable: Option<bool>) -> PathContent {
    PathContent {
        kind,
        is_executable,
        permissions: None,
        size: content.size,
        sha256: content.sha256,
    }
}

fn too_large(size: u64) -> String {
    format!("is too large with {size} bytes")
}

fn unreadable(failed: &Failed) -> String {
    format!("cannot be read: {}", failed.reason())
}
