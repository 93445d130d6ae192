//! A checkpoint beside the work tree as it is now.

use std::cell::Cell;

use crate::checkpoint::session::plan::fact::{
    Bytes, ContentKind, FolderMode, Heads, NameComparison, PathContent, RecordedPath,
};
use crate::checkpoint::session::plan::path::folders;
use crate::checkpoint::session::plan::verify::{FileVerdict, compare_names};
use crate::checkpoint::session::snapshot::{Snapshot, SnapshotFile, SnapshotOmission};
use crate::digest::sha256;
use crate::effect::Io;
use crate::error::Error;
use crate::json::{Json, Object};
use crate::secret::secret_in;
use crate::store::objects::{Broken, ContentReader, Depth, ObjectFault, PIECE_BYTES};
use crate::str_map::{StrMap, StrSet};
use crate::worktree::report::{self, Note, UnscannedReason};
use crate::worktree::{
    FactScope, KnownComparisons, ScanAid, WorktreeFacts, WorktreeScan, at_commit, at_head, facts,
    scan_with,
};

use super::earlier_commit::{EarlierPath, contents_at, earlier_paths};
use super::known_files;
use super::limits::SnapshotLimits;
use super::notes::note;
use super::snapshot_store::SnapshotStore;

/// Of one file that HEAD has, so much is in memory.
const MAX_HEAD_BYTES: usize = 64 << 20;

/// Of one file of patterns, so much is in memory.
const MAX_IGNORE_BYTES: u32 = 16 << 20;

/// The name of a file of patterns.
const IGNORE: &str = ".gitignore";

/// The reason that a path is in no snapshot.
pub(super) const SECRET_NAME: &str = "has a name that holds what looks like a secret";

/// The facts by which a checkpoint is compared.
pub(super) struct SnapshotComparison {
    /// The files that it keeps; empty without a snapshot.
    pub(super) snapshot: Snapshot,
    /// Set where it has a snapshot.
    pub(super) has_snapshot: bool,
    /// Asked for what HEAD has, one after the other.
    scan: Cell<Option<WorktreeScan>>,
    pub(super) names: NameComparison,
    /// The paths that differ from HEAD, sorted.
    differing: Vec<String>,
    /// The notes of the scan.
    pub(super) notes: Vec<Note>,
    /// The names that are not UTF-8, and whether they were ignored when the snapshot was made.
    strange: Vec<(String, bool)>,
    pub(super) facts: WorktreeFacts,
    present_head: Option<String>,
    /// The paths that came into sight since the checkpoint was made, sorted: it is unknown whether they were there.
    unknown: Vec<(String, &'static str)>,
    /// The reasons that contents cannot be given back, by their SHA-256.
    lost: Vec<(String, String)>,
    recorded_head: Option<String>,
    /// Set where another commit does not matter: `earlier` has what differs.
    is_across_commits: bool,
    /// The contents of the recorded commit at paths that the snapshot does not list, sorted by path, where another one is
    /// checked out by now.
    earlier: Vec<EarlierPath>,
}

/// The commits that a comparison may be of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CommitScope {
    /// The one of the snapshot.
    Same,
    /// Any: what differs between the two is compared as well.
    Any,
}

impl SnapshotComparison {
    /// Looks at the work tree. `depth` says how closely the contents that are kept are looked at.
    ///
    /// A file that the snapshot left out is not read, and neither is a file that no snapshot would keep, for its size,
    /// unless it has the size that was recorded.
    ///
    /// # Errors
    ///
    /// As [`scan()`] and [`facts`].
    pub(super) async fn new(
        store: &SnapshotStore<'_>,
        document: &Object,
        limits: &SnapshotLimits,
        (depth, commits): (Depth, CommitScope),
    ) -> Result<Box<Self>, Error> {
        let snapshot = Snapshot::of(document);
        let has_snapshot = snapshot.is_some();
        let snapshot = snapshot.unwrap_or_default();
        let own = store.own_folders()?;
        let own: Vec<&str> = own.iter().map(String::as_str).collect();
        let left_out = snapshot.left_out.iter().filter(|it| has_path(it));
        let left_out: Vec<&str> = left_out.map(|it| it.path.as_str()).collect();
        let passed_over: Vec<&str> = own.iter().chain(&left_out).copied().collect();
        let most = report::ScanLimits::default();
        let compared = match limits.rewind_exclude {
            Some(_) => KnownComparisons::of(&known_files::read(store).await),
            None => KnownComparisons::default(),
        };
        let aid = ScanAid {
            compared,
            ..limits.scan_aid()
        };
        let mut scan = scan_with(store.io, &store.root, &most, &passed_over, aid).await?;
        let recorded_head = document.get("head_commit").and_then(Json::as_str);
        let is_across = commits == CommitScope::Any && scan.head.as_deref() != recorded_head;
        let earlier = match is_across {
            true => earlier_paths(store.io, &mut scan, recorded_head, (&snapshot, &own)).await?,
            false => Vec::new(),
        };
        let paths = snapshot.files.iter().map(|file| file.path.as_str());
        let paths = paths.chain(earlier.iter().map(|it| it.path.as_str()));
        let paths: Vec<&str> = paths.collect();
        let kept = snapshot.files.iter();
        let kept: StrMap<'_, u64> = kept
            .filter_map(|file| Some((file.path.as_str(), file.content.as_ref()?.size)))
            .collect();
        let reads = |path: &str, size: u64| {
            size <= limits.max_file_bytes || limits.allows(path) || kept.get(path) == Some(&size)
        };
        let scope = FactScope {
            recorded: &paths,
            left_out: &left_out,
            own: &own,
            reads: &reads,
            limits: &most,
            head_bytes: MAX_HEAD_BYTES,
        };
        let facts = facts(store.io, &mut scan, &scope).await?;
        let reader = ContentReader::open(store.io, &store.folder).await?;
        let lost = reader.check(&snapshot.contents(), depth).await?;
        let lost = lost.into_iter().map(|it| (it.sha256.clone(), why(&it)));
        let across = (recorded_head, earlier.as_slice());
        let unknown = unknown(store.io, &reader, &mut scan, (&snapshot, &facts), across).await?;
        Ok(Box::new(SnapshotComparison {
            unknown,
            is_across_commits: commits == CommitScope::Any,
            earlier,
            lost: lost.collect(),
            recorded_head: recorded_head.map(str::to_owned),
            present_head: scan.head.clone(),
            snapshot,
            has_snapshot,
            names: scan.names(),
            differing: differing(&scan),
            strange: strange(&scan),
            notes: scan.notes.clone(),
            scan: Cell::new(Some(scan)),
            facts,
        }))
    }

    /// The target of a restore: the files of the snapshot, and those of HEAD where only the work tree differs.
    pub(super) fn recorded(&self) -> Vec<RecordedPath<'_>> {
        let lost: StrMap<'_, &str> = self
            .lost
            .iter()
            .map(|(sha256, why)| (sha256.as_str(), why.as_str()))
            .collect();
        let mut recorded = self.snapshot.recorded(&lost);
        let excluded = Bytes::LeftOut(UnscannedReason::Excluded.as_str());
        recorded.retain(|it| it.bytes != excluded);
        if self.has_snapshot {
            let left_out = self.snapshot.left_out.iter().map(|it| it.path.as_str());
            let left_out: StrSet<'_> = left_out.collect();
            // It is recorded as left out already.
            let of_head = self.facts.recorded().into_iter();
            let of_head = of_head.chain(self.earlier.iter().map(EarlierPath::recorded));
            let of_head = of_head.filter(|it| !left_out.contains(it.path));
            let of_head = of_head.map(|it| match self.why_unknown(it.path) {
                Some(why) => RecordedPath {
                    bytes: Bytes::LeftOut(why),
                    ..it
                },
                None => it,
            });
            let modes = self.modes();
            recorded.extend(of_head.map(|mut it| {
                let content = it
                    .content
                    .as_mut()
                    .filter(|it| it.kind == ContentKind::File);
                if let Some(content) = content {
                    content.permissions = modes.get(it.path).copied();
                }
                it
            }));
        }
        recorded
    }

    /// The permission bits that the snapshot has of folders and of files that were as in HEAD.
    fn modes(&self) -> StrMap<'_, u32> {
        let modes = self.snapshot.modes.iter();
        modes.map(|(path, bits)| (path.as_str(), *bits)).collect()
    }

    /// The folders on the way to what is recorded whose permission bits are recorded, sorted by path; none on a host
    /// without modes.
    pub(super) fn folder_modes(&self) -> Vec<FolderMode<'_>> {
        let recorded = self.recorded();
        let standing = recorded.iter().filter(|it| it.content.is_some());
        let above: StrSet<'_> = standing.flat_map(|it| folders(it.path)).collect();
        let present: StrMap<'_, Option<u32>> = self.present_folders().collect();
        let modes = self.snapshot.modes.iter();
        let modes = modes.filter(|(path, _)| above.contains(path));
        let mode = |(path, bits): &(String, u32)| {
            let present = match present.get(path) {
                Some(None) => return None,
                Some(Some(bits)) => Some(*bits),
                None => None,
            };
            Some((*bits, present))
        };
        let modes = modes.filter_map(|it| {
            let (recorded, present) = mode(it)?;
            Some(FolderMode {
                path: &it.0,
                recorded,
                present,
            })
        });
        modes.collect()
    }

    /// The folders that stand on the way to what is compared, with their permission bits where there are modes.
    pub(super) fn present_folders(&self) -> impl Iterator<Item = (&str, Option<u32>)> {
        let folders = self.facts.folders().iter();
        folders.map(|(path, bits)| (path.as_str(), *bits))
    }

    /// Returns whether the entry at a path differs from HEAD.
    pub(super) fn differs(&self, path: &str) -> bool {
        let found = self.differing.binary_search_by(|it| it.as_str().cmp(path));
        found.is_ok()
    }

    /// The bytes that HEAD has at a path.
    ///
    /// # Errors
    ///
    /// [`Error::io`] where they cannot be had.
    pub(super) async fn at_head(&self, io: &Io, path: &str) -> Result<Vec<u8>, Error> {
        // It is back before anybody else asks: a restore does one step at a time.
        let Some(mut scan) = self.scan.take() else {
            return Err(Error::busy(path.to_owned()));
        };
        let earlier = self.earlier_at(path).and_then(|it| it.stored);
        let read = match (earlier, &self.recorded_head) {
            (Some(stored), Some(commit)) => {
                at_commit(io, &mut scan, (commit, stored), path, MAX_HEAD_BYTES).await
            }
            _ => {
                let read = at_head(io, &mut scan, path, MAX_HEAD_BYTES).await;
                read.map(|(_, bytes)| bytes)
            }
        };
        self.scan.set(Some(scan));
        match read {
            Ok(bytes) => Ok(bytes),
            Err(why) => {
                let message = format!("The content of {path} at HEAD cannot be read: {why}");
                Err(Error::io("read", path.to_owned(), message))
            }
        }
    }

    fn why_unknown(&self, path: &str) -> Option<&'static str> {
        let at = self
            .unknown
            .binary_search_by(|(it, _)| it.as_str().cmp(path));
        Some(self.unknown[at.ok()?].1)
    }

    /// Returns whether the checkpoint says what was at a path.
    pub(super) fn knows(&self, path: &str) -> bool {
        let mut left_out = self.snapshot.left_out.iter();
        self.why_unknown(path).is_none() && !left_out.any(|it| it.path == path)
    }

    /// The names that are not UTF-8 and came or went, as far as both the snapshot and the host name them.
    pub(super) fn strange_names(&self) -> Vec<(&str, FileVerdict)> {
        let has_note = |it: &Note| {
            let text = note(it);
            self.notes.contains(it) || self.snapshot.notes.contains(&text)
        };
        // Git names those alone that differ from the index.
        if !self.has_snapshot || has_note(&Note::GitStatus) {
            return Vec::new();
        }
        let left_out = self.snapshot.left_out.iter();
        let recorded = left_out.filter(|it| it.reason == UnscannedReason::NotUnicode.as_str());
        let recorded: StrSet<'_> = recorded.map(|it| it.path.as_str()).collect();
        let present = self.strange.iter().map(|(name, _)| name.as_str());
        let present: StrSet<'_> = present.collect();
        let ignored = self.strange.iter().filter(|(_, was_ignored)| *was_ignored);
        let ignored: StrSet<'_> = ignored.map(|(name, _)| name.as_str()).collect();
        let mut names = compare_names(&recorded, &present);
        names.retain(|(path, answer)| {
            // It may have been there all the time.
            let is_unknown = *answer == FileVerdict::Unexpected && ignored.contains(path);
            let folder = path.rfind('/').map_or("", |end| &path[..=end]);
            !is_unknown && !has_note(&Note::FolderUnfinished(folder.to_owned()))
        });
        names
    }

    /// The commit that was checked out, and the one that is; of a comparison across commits, twice the present one.
    pub(super) fn heads(&self) -> Heads<'_> {
        let present = self.present_head.as_deref();
        Heads {
            recorded: match self.is_across_commits {
                true => present,
                false => self.recorded_head.as_deref(),
            },
            present,
        }
    }

    fn earlier_at(&self, path: &str) -> Option<&EarlierPath> {
        let at = self
            .earlier
            .binary_search_by(|it| it.path.as_str().cmp(path));
        Some(&self.earlier[at.ok()?])
    }

    /// The content that each of these paths has in a commit, `None` for nothing, or why it cannot be had.
    pub(super) async fn contents_at(
        &self,
        io: &Io,
        commit: &str,
        paths: &[&str],
    ) -> Vec<Result<Option<PathContent>, String>> {
        // It is back before anybody else asks: one commit is read after the other.
        let Some(mut scan) = self.scan.take() else {
            return vec![Err("it is being read".to_owned()); paths.len()];
        };
        let read = contents_at(io, &mut scan, commit, paths).await;
        self.scan.set(Some(scan));
        read
    }

    /// Returns whether the settings exclude a path from what is kept for rewinds by now.
    pub(super) fn is_excluded(&self, path: &str) -> bool {
        let scan = self.scan.take();
        let is_excluded = scan.as_ref().is_some_and(|it| it.excludes(path));
        self.scan.set(scan);
        is_excluded
    }

    /// Returns whether HEAD has a path.
    pub(super) fn is_at_head(&self, path: &str) -> bool {
        let scan = self.scan.take();
        let is_there = scan.as_ref().is_some_and(|it| it.at_head(path).is_some());
        self.scan.set(scan);
        is_there
    }
}

/// Of what differs from HEAD, or from the commit of then, and is not in the snapshot: what it could not have.
async fn unknown(
    io: &Io,
    reader: &ContentReader<'_>,
    scan: &mut WorktreeScan,
    (snapshot, facts): (&Snapshot, &WorktreeFacts),
    across: (Option<&str>, &[EarlierPath]),
) -> Result<Vec<(String, &'static str)>, Error> {
    for (path, text) in earlier_ignores(io, reader, scan, (snapshot, facts), across).await? {
        scan.suppose_ignore(&path, &text);
    }
    let unkept = snapshot.unkept();
    let of_head = facts.recorded().into_iter();
    let of_then = of_head.chain(across.1.iter().map(EarlierPath::recorded));
    let unknown = of_then.filter_map(|it| {
        let why = match unkept.above(it.path) {
            Some(_) => "is in what was not kept",
            None if secret_in(it.path).is_some() => SECRET_NAME,
            // It may have been there all the time.
            None if it.content.is_none() && scan.would_ignore(it.path) => {
                "was ignored when the checkpoint was made"
            }
            None => return None,
        };
        Some((it.path.to_owned(), why))
    });
    let mut unknown: Vec<(String, &'static str)> = unknown.collect();
    unknown.sort_unstable();
    Ok(unknown)
}

/// The `.gitignore` files that were others, with their text of then.
async fn earlier_ignores(
    io: &Io,
    reader: &ContentReader<'_>,
    scan: &mut WorktreeScan,
    (snapshot, facts): (&Snapshot, &WorktreeFacts),
    (commit, earlier): (Option<&str>, &[EarlierPath]),
) -> Result<Vec<(String, Vec<u8>)>, Error> {
    let is_ignore = |path: &str| path == IGNORE || path.ends_with("/.gitignore");
    let mut ignores = Vec::new();
    for file in snapshot.files.iter().filter(|it| is_ignore(&it.path)) {
        let text = match &file.content {
            Some(PathContent {
                kind: ContentKind::File,
                ..
            }) => file_bytes(reader, file, MAX_IGNORE_BYTES).await?,
            _ => Some(Vec::new()),
        };
        // Where it is lost, nothing is restored.
        ignores.extend(text.map(|text| (file.path.clone(), text)));
    }
    for of_head in facts.recorded().iter().filter(|it| is_ignore(it.path)) {
        let text = match &of_head.content {
            Some(content) if content.kind == ContentKind::File => {
                let read = at_head(io, scan, of_head.path, MAX_HEAD_BYTES).await;
                read.map(|(_, text)| text).unwrap_or_default()
            }
            _ => Vec::new(),
        };
        ignores.push((of_head.path.to_owned(), text));
    }
    for then in earlier.iter().filter(|it| is_ignore(&it.path)) {
        let text = match then.stored.zip(commit) {
            Some((stored, commit)) => {
                let read = at_commit(io, scan, (commit, stored), &then.path, MAX_HEAD_BYTES).await;
                read.unwrap_or_default()
            }
            None => Vec::new(),
        };
        ignores.push((then.path.clone(), text));
    }
    Ok(ignores)
}

/// The content of a file that a snapshot keeps, also as a part of another content; `None` where it is lost.
///
/// # Errors
///
/// As [`ContentReader::read`].
pub(super) async fn file_bytes(
    reader: &ContentReader<'_>,
    file: &SnapshotFile,
    limit: u32,
) -> Result<Option<Vec<u8>>, Error> {
    let (Some(content), Some(stored)) = (&file.content, file.stored_sha256()) else {
        return Ok(None);
    };
    let Some(within) = &file.within else {
        return Ok(reader.read(stored, limit).await?.ok());
    };
    let Ok(bundle) = reader.read(stored, PIECE_BYTES).await? else {
        return Ok(None);
    };
    let range = || {
        let start = usize::try_from(within.offset).ok()?;
        let end = start.checked_add(usize::try_from(content.size).ok()?)?;
        bundle.get(start..end)
    };
    let bytes = range().filter(|it| sha256(it) == content.sha256);
    Ok(bytes.map(<[u8]>::to_vec))
}

/// The names that are not UTF-8 in the work tree, and whether patterns of then ignore them.
fn strange(scan: &WorktreeScan) -> Vec<(String, bool)> {
    let left_out = scan.left_out.iter();
    let named = left_out.filter(|it| it.reason == UnscannedReason::NotUnicode);
    let named = named.map(|it| (it.path.clone(), scan.would_ignore(&it.path)));
    named.collect()
}

/// Returns whether a left-out file is named by its path, and not by an escaped one.
fn has_path(out: &SnapshotOmission) -> bool {
    ![UnscannedReason::NotUnicode, UnscannedReason::GoneNotUnicode]
        .iter()
        .any(|it| it.as_str() == out.reason)
}

/// The paths where something else stands than HEAD has, sorted.
fn differing(scan: &WorktreeScan) -> Vec<String> {
    let files = scan.files.iter().filter(|file| file.change.is_some());
    files.map(|file| file.path.clone()).collect()
}

fn why(broken: &Broken) -> String {
    let lack = match broken.lack {
        ObjectFault::Missing => "is missing",
        ObjectFault::Damaged => "is damaged",
    };
    format!("{} {lack}", broken.object)
}
