//! The help that a scan has from an earlier one, and its bounds.

use super::table::StoredBlob;
use crate::checkpoint::session::known_files::{FileStamp, KnownFiles};
use crate::effect::{Io, Scanned};
use crate::git::ignore::{Case, IgnorePathKind, IgnoreVerdict, Rules};

/// Folders that no one writes by hand, and that a plain folder has no file of patterns for.
const OF_PLAIN_FOLDERS: &[u8] = b"\
node_modules/
bower_components/
target/
dist/
build/
out/
vendor/
.venv/
venv/
__pycache__/
.tox/
.mypy_cache/
.pytest_cache/
.gradle/
.next/
.nuxt/
.cache/
.terraform/
coverage/
";

/// The help for a scan. Without any, all is compared, and nothing ends it.
#[derive(Debug, Default)]
pub struct ScanAid {
    /// The comparisons of an earlier scan.
    pub compared: KnownComparisons,
    /// The time for it.
    pub budget: ScanBudget,
    /// The paths that are passed over, besides what is ignored: patterns as those of `.gitignore`.
    pub excluded: Vec<String>,
    /// True if a folder without a repository has usual patterns as well.
    pub has_usual: bool,
}

/// The results of comparing files with blobs, which hold as long as the stamps of the files do.
#[derive(Debug, Default)]
pub struct KnownComparisons {
    /// Those of an earlier scan, sorted by path.
    earlier: Vec<FileComparison>,
    /// Those of this scan, also where an earlier one was enough.
    pub made: Vec<FileComparison>,
}

/// The result of comparing a file with a blob.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileComparison {
    /// The path of the file.
    pub path: String,
    /// The file.
    pub stamp: FileStamp,
    /// The blob.
    pub id: String,
    /// True if their bytes are equal.
    pub is_same: bool,
}

impl KnownComparisons {
    /// Those that are known.
    pub fn of(known: &KnownFiles) -> Self {
        let earlier = known.files.iter().filter_map(|it| {
            let (id, is_same) = it.compared.clone()?;
            Some(FileComparison {
                path: it.path.clone(),
                stamp: it.stamp?,
                id,
                is_same,
            })
        });
        KnownComparisons {
            earlier: earlier.collect(),
            made: Vec::new(),
        }
    }

    /// Returns whether a file equals a blob, where that is known.
    pub(crate) fn is_same(
        &mut self,
        path: &str,
        stamp: FileStamp,
        stored: StoredBlob,
    ) -> Option<bool> {
        let by_path = |it: &FileComparison| it.path.as_str().cmp(path);
        let known = &self.earlier[self.earlier.binary_search_by(by_path).ok()?];
        if known.stamp != stamp || known.id != stored.id.digits() {
            return None;
        }
        let is_same = known.is_same;
        self.made.push(known.clone());
        Some(is_same)
    }

    /// Notes the result of a comparison.
    pub(crate) fn add(&mut self, path: &str, stamp: FileStamp, stored: StoredBlob, is_same: bool) {
        self.made.push(FileComparison {
            path: path.to_owned(),
            stamp,
            id: stored.id.digits(),
            is_same,
        });
    }
}

/// The walk through a worktree may take so many times the time: nothing of one that is cut would be known to the next.
const WALK_TIMES: f64 = 8.0;

/// This part of the time is for reading files, regardless of how long the walk takes.
const READ_PART: f64 = 0.5;

/// The time for a scan, by the clock of the host.
#[derive(Clone, Copy, Debug)]
pub struct ScanBudget {
    until_ms: f64,
    walk_until_ms: f64,
    /// The time that is left for reading in any case.
    reads_left_ms: f64,
    /// The begin of the read of now.
    read_since_ms: f64,
    is_spent: bool,
    is_walk_cut: bool,
}

impl Default for ScanBudget {
    fn default() -> Self {
        ScanBudget {
            until_ms: f64::INFINITY,
            walk_until_ms: f64::INFINITY,
            reads_left_ms: 0.0,
            read_since_ms: 0.0,
            is_spent: false,
            is_walk_cut: false,
        }
    }
}

impl ScanBudget {
    /// So many milliseconds from now on.
    pub async fn of(io: &Io, ms: f64) -> ScanBudget {
        let Ok(now) = io.clock().await else {
            return ScanBudget::default();
        };
        ScanBudget {
            until_ms: now.monotonic_ms + ms,
            walk_until_ms: now.monotonic_ms + WALK_TIMES * ms,
            reads_left_ms: READ_PART * ms,
            ..ScanBudget::default()
        }
    }

    /// Returns whether it is spent, and looks at the clock before.
    pub async fn is_over(&mut self, io: &Io) -> bool {
        self.is_over_at(io, self.until_ms).await
    }

    /// Returns whether the walk is to end.
    pub(crate) async fn is_walk_over(&mut self, io: &Io) -> bool {
        if !self.is_spent {
            self.is_walk_cut = self.is_over_at(io, self.walk_until_ms).await;
        }
        self.is_spent
    }

    /// Returns whether the walk took all the time that it may take: another one would not come further.
    pub fn is_walk_cut(&self) -> bool {
        self.is_walk_cut
    }

    /// Returns whether there is an end to the time.
    pub fn is_limited(&self) -> bool {
        self.until_ms.is_finite()
    }

    async fn is_over_at(&mut self, io: &Io, until_ms: f64) -> bool {
        if !self.is_spent && until_ms.is_finite() {
            let now = io.clock().await;
            self.is_spent = now.is_ok_and(|now| now.monotonic_ms >= until_ms);
        }
        self.is_spent
    }

    /// Returns whether a file may be read; [`ScanBudget::end_read`] follows.
    pub async fn begin_read(&mut self, io: &Io) -> bool {
        if self.is_spent || self.until_ms.is_infinite() {
            return !self.is_spent;
        }
        if let Ok(now) = io.clock().await {
            self.read_since_ms = now.monotonic_ms;
            self.is_spent = now.monotonic_ms >= self.until_ms && self.reads_left_ms <= 0.0;
        }
        !self.is_spent
    }

    /// Counts the time of a read.
    pub async fn end_read(&mut self, io: &Io) {
        if self.until_ms.is_finite()
            && let Ok(now) = io.clock().await
        {
            self.reads_left_ms -= now.monotonic_ms - self.read_since_ms;
        }
    }

    /// Returns whether it was spent when the clock was looked at last.
    pub fn is_spent(&self) -> bool {
        self.is_spent
    }
}

/// The paths that a scan passes over.
#[derive(Debug)]
pub(crate) struct Exclusions(Option<Rules>);

impl Exclusions {
    pub(crate) fn new(aid: &ScanAid, case: Case, has_repository: bool) -> Self {
        let has_usual = aid.has_usual && !has_repository;
        if aid.excluded.is_empty() && !has_usual {
            return Exclusions(None);
        }
        let mut rules = Rules::new(case);
        if has_usual {
            rules.add_general(OF_PLAIN_FOLDERS);
        }
        rules.add_general(aid.excluded.join("\n").as_bytes());
        Exclusions(Some(rules))
    }

    /// Returns the part of a file's path that is passed over: a folder, or all of it.
    pub(crate) fn above<'p>(&self, path: &'p str) -> Option<&'p str> {
        self.0.as_ref()?;
        let folders = path.match_indices('/').map(|(end, _)| &path[..end]);
        let mut folders = folders.filter(|it| self.has(it, IgnorePathKind::Folder));
        let itself = || self.has(path, IgnorePathKind::File).then_some(path);
        folders.next().or_else(itself)
    }

    /// Returns whether a path is passed over; all folders above it are not.
    pub(crate) fn has(&self, path: &str, kind: IgnorePathKind) -> bool {
        let rules = self.0.as_ref();
        rules.is_some_and(|it| it.verdict(path.as_bytes(), kind) == IgnoreVerdict::Ignored)
    }
}

/// The stamp of something that was looked at.
pub(crate) fn stamp_of(scanned: &Scanned) -> FileStamp {
    FileStamp {
        size: scanned.entry.size,
        modified: scanned.modified_ms.to_bits(),
        changed: scanned.changed_ms.to_bits(),
        number: scanned.number,
    }
}
