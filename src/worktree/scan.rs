//! The differences from HEAD.

use super::configured::Configuration;
use super::git_status;
use super::names::is_within;
use super::objects::{Lacking, Objects};
use super::patterns::{IGNORE, Patterns};
use super::report::{Note, ReportedFile, ScanLimits, UnscannedPath, UnscannedReason};
use super::scan_aid::{Exclusions, FileComparison, ScanAid, ScanBudget};
use super::staged::{self, Cached};
use super::table::{StoredBlob, Table, TrackedRow};
use super::tree::Tree;
use super::walk::{WalkResult, walk};
use crate::checkpoint::session::plan::fact::NameComparison;
use crate::effect::{Failed, Fault, Io, Links, PathEntry};
use crate::error::Error;
use crate::git::folder::join;
use crate::git::id::{Hash, Id};
use crate::git::ignore::{Case, IgnorePathKind};
use crate::root::{self, Head, RepositoryFolders, Root};
use crate::str_map::StrSet;

/// An index has a hundred bytes for each of a million files.
const INDEX_BYTES: u32 = 512 << 20;
/// A git folder has a few dozen names.
const GIT_NAMES: u32 = 10_000;

/// The result of a scan of the worktree below a root.
#[derive(Debug)]
pub struct WorktreeScan {
    /// The commit that HEAD is at.
    pub head: Option<String>,
    /// The differences from it, in the worktree or in the index, sorted by the bytes of the paths.
    pub files: Vec<ReportedFile>,
    /// The paths that were not looked at, sorted the same way.
    pub left_out: Vec<UnscannedPath>,
    /// The notes for readers of the result.
    pub notes: Vec<Note>,
    pub(crate) tree: Tree,
}

impl WorktreeScan {
    /// Returns the result for a path; `None` where it equals HEAD, is ignored or left out.
    pub fn file(&self, path: &str) -> Option<&ReportedFile> {
        let at = self.files.binary_search_by(|it| it.path.as_str().cmp(path));
        Some(&self.files[at.ok()?])
    }

    /// Returns whether its time was over before its end.
    pub fn is_cut(&self) -> bool {
        self.tree.aid.budget.is_spent()
    }

    /// The time that is left for what comes after it.
    pub fn budget(&self) -> ScanBudget {
        self.tree.aid.budget
    }

    /// The comparisons that were made, or were known and still hold.
    pub fn comparisons(&self) -> &[FileComparison] {
        &self.tree.aid.compared.made
    }

    /// Returns the content of a path in HEAD, as far as the index or a difference from it shows it.
    pub fn at_head(&self, path: &str) -> Option<StoredBlob> {
        if let Some(file) = self.file(path) {
            return file.head;
        }
        let row = self.tree.table.find(path.as_bytes()).first()?;
        self.tree.table.head(row)
    }

    /// Returns the content of a path in the index, or in HEAD where the index has nothing.
    pub(crate) fn known(&self, path: &str) -> Option<StoredBlob> {
        let row = self.tree.table.find(path.as_bytes()).first();
        let staged = row.map(TrackedRow::stored);
        staged.or_else(|| self.file(path)?.head)
    }

    /// Returns whether the index says that the file at a path is not to be looked at.
    pub(crate) fn is_hidden(&self, path: &str) -> bool {
        let rows = self.tree.table.find(path.as_bytes());
        rows.iter()
            .any(|it| it.assume_unchanged || it.skip_worktree)
    }

    /// The nine permission bits of what was looked at, where the host and the worktree have modes.
    pub fn permissions(&self, entry: PathEntry) -> Option<u32> {
        self.tree.permissions(entry)
    }

    /// Takes a text for that of a `.gitignore`, instead of what stands there: an empty one for none.
    pub fn suppose_ignore(&mut self, path: &str, text: &[u8]) {
        let folder = path.strip_suffix(IGNORE).unwrap_or(path);
        self.tree.patterns.suppose(folder, text);
    }

    /// Returns whether the patterns, with those that were supposed, ignore a file that git does not
    /// know.
    pub fn would_ignore(&self, path: &str) -> bool {
        self.tree.patterns.ignores(path, IgnorePathKind::File)
    }

    /// Returns the way in which names are compared in this worktree, as git found when it was made.
    pub fn names(&self) -> NameComparison {
        match self.tree.configuration.case() {
            Case::Exact => NameComparison::Exact,
            Case::Folded => NameComparison::AnyCase,
        }
    }

    /// Adds the patterns that the user ignores everywhere, for [`WorktreeScan::is_ignored`]: git is asked for its
    /// configuration.
    pub async fn add_user_patterns(&mut self, io: &Io) {
        let Tree {
            configuration,
            patterns,
            ..
        } = &mut self.tree;
        configuration.with_git();
        let notes = &mut self.notes;
        patterns.settle_unseen(io, configuration, notes).await;
    }

    /// Runs a command of git that may run filters, without any program of the repository's own configuration.
    ///
    /// # Errors
    ///
    /// The reason why git was not run, or failed.
    pub(crate) async fn git(
        &mut self,
        io: &Io,
        folder: &str,
        arguments: &[&str],
    ) -> Result<Vec<u8>, Failed> {
        self.tree.configuration.run(io, folder, arguments).await
    }

    /// Returns whether the index or HEAD has something at a path.
    pub fn has(&self, path: &str) -> bool {
        !self.tree.table.find(path.as_bytes()).is_empty()
    }

    /// Returns whether the scan passed over a file because a pattern excludes it, or a folder above it.
    pub fn excludes(&self, path: &str) -> bool {
        self.tree.excluded.above(path).is_some()
    }

    /// Returns whether git knows nothing of a path, itself or below it, and ignores it.
    pub fn is_ignored(&self, path: &str, kind: IgnorePathKind) -> bool {
        !self.tree.table.tracks(path.as_bytes()) && self.tree.patterns.ignores(path, kind)
    }
}

/// Looks for what differs from HEAD below the root: in the worktree, in the index, and what is neither
/// tracked nor ignored. Nothing is written, and no program is run that the repository itself configures. Where a
/// tracked file has a filter of the user, or the index is split or sparse, git is asked.
///
/// `own` are the product's own folders, relative to the root, and other paths that are passed over: nothing is said
/// of what is in them, and nothing of them is read.
///
/// # Errors
///
/// [`Error::io`] when the repository or the root cannot be read, or only git could decide and the
/// host has no git; [`Error::too_large`] beyond the limits.
pub async fn scan(
    io: &Io,
    root: &Root,
    limits: &ScanLimits,
    own: &[&str],
) -> Result<WorktreeScan, Error> {
    scan_with(io, root, limits, own, ScanAid::default()).await
}

/// Looks with the help of an earlier scan, within some time: where that is over, the result has a part of all, and
/// [`WorktreeScan::is_cut`] says so.
///
/// # Errors
///
/// As [`scan()`].
pub async fn scan_with(
    io: &Io,
    root: &Root,
    limits: &ScanLimits,
    own: &[&str],
    aid: ScanAid,
) -> Result<WorktreeScan, Error> {
    let BegunScan {
        head,
        mut tree,
        mut notes,
        is_known,
    } = begin(io, root, aid).await?;
    let own: StrSet<'_> = own.iter().copied().collect();
    let found = if is_known {
        let mut found = walk(io, &mut tree, &own, limits).await?;
        if !tree.aid.budget.is_spent() {
            git_status::settle(io, &mut tree, &mut found).await;
        }
        found
    } else {
        notes.push(Note::GitStatus);
        let mut found = git_status::all(io, &mut tree).await.map_err(|failed| {
            let why = failed.reason();
            let message = format!(
                "Only git can find what differs from HEAD, because the index is split or sparse, or \
                 trees of HEAD are missing: {why}"
            );
            Error::io(failed.effect, "index".to_owned(), message)
        })?;
        let WalkResult {
            files, left_out, ..
        } = &mut found;
        files.retain(|file| {
            let excluded = tree.excluded.above(&file.path);
            left_out.extend(excluded.map(|path| UnscannedPath {
                path: path.to_owned(),
                reason: UnscannedReason::Excluded,
            }));
            excluded.is_none() && !is_within(&file.path, &own)
        });
        if found.files.len() > limits.files {
            let most = limits.files;
            let message = format!("More than {most} files differ from HEAD");
            return Err(Error::too_large("files".to_owned(), message));
        }
        found
    };
    Ok(ended(head, tree, notes, found))
}

/// Looks for what differs from HEAD without git, so that no filter runs: a file that only git can
/// compare is said to differ, with [`ReportedFile::is_assumed`], and files that the user ignores everywhere
/// are among the untracked files. `None` without a repository, and where git alone can find the
/// differences.
///
/// # Errors
///
/// As [`scan()`].
pub async fn scan_without_git(
    io: &Io,
    root: &Root,
    limits: &ScanLimits,
    own: &[&str],
) -> Result<Option<WorktreeScan>, Error> {
    let BegunScan {
        head,
        mut tree,
        notes,
        is_known,
    } = begin(io, root, ScanAid::default()).await?;
    if !is_known || tree.repository.is_none() {
        return Ok(None);
    }
    tree.configuration.without_git();
    let own: StrSet<'_> = own.iter().copied().collect();
    let found = walk(io, &mut tree, &own, limits).await?;
    Ok(Some(ended(head, tree, notes, found)))
}

/// A scan of which the worktree is still to be gone through.
struct BegunScan {
    head: Option<String>,
    tree: Tree,
    notes: Vec<Note>,
    /// True if the index was read; otherwise git alone can find the differences.
    is_known: bool,
}

async fn begin(io: &Io, root: &Root, aid: ScanAid) -> Result<BegunScan, Error> {
    let head = match root::head(io, root).await {
        Head::Commit(commit) => Some(commit),
        Head::Unborn | Head::NoRepository | Head::OutOfSight => None,
        Head::Unreadable(why) => return Err(unreadable("read", why)),
    };
    let repository = root::repository(io, root).await;
    let repository = repository.map_err(|why| unreadable("read", why))?;
    let mut notes = Vec::new();
    if repository.is_none() {
        notes.push(Note::NoRepository);
    }
    let configuration = Configuration::read(io, repository.as_ref()).await;
    let configuration =
        configuration.map_err(|failed| failed.cannot("read", "the configuration of git"))?;
    let patterns = Patterns::read(io, repository.as_ref(), &configuration, &mut notes).await;
    let hash = match &head {
        Some(commit) if commit.len() == 2 * Hash::Sha256.bytes() => Hash::Sha256,
        Some(_) => Hash::Sha1,
        None => configuration.hash(),
    };
    let common = repository
        .as_ref()
        .map_or("", |repository| repository.common.as_str());
    let excluded = Exclusions::new(&aid, configuration.case(), repository.is_some());
    let mut tree = Tree {
        aid,
        excluded,
        root: root.path().to_owned(),
        objects: Objects::new(common, hash),
        repository: repository.clone(),
        configuration,
        patterns,
        table: Table::default(),
        index_ms: f64::NAN,
        refused: Vec::new(),
    };
    let is_known = match &repository {
        Some(repository) => known(io, &mut tree, repository, head.as_deref()).await?,
        None => true,
    };
    Ok(BegunScan {
        head,
        tree,
        notes,
        is_known,
    })
}

fn ended(
    head: Option<String>,
    mut tree: Tree,
    mut notes: Vec<Note>,
    mut found: WalkResult,
) -> WorktreeScan {
    found
        .files
        .sort_unstable_by(|one, other| one.path.cmp(&other.path));
    found
        .left_out
        .sort_unstable_by(|one, other| one.path.cmp(&other.path));
    found.left_out.dedup();
    notes.append(&mut found.notes);
    notes.append(&mut refusals(&mut tree));
    WorktreeScan {
        head,
        files: found.files,
        left_out: found.left_out,
        notes,
        tree,
    }
}

/// A note for each filter that was not run.
fn refusals(tree: &mut Tree) -> Vec<Note> {
    let mut refused = std::mem::take(&mut tree.refused);
    refused.sort_unstable();
    // A file can be compared with the index and with HEAD.
    refused.dedup();
    let of_one = refused.chunk_by(|(one, _), (other, _)| one == other);
    let notes = of_one.map(|files| Note::FilterRefused {
        filter: files[0].0.clone(),
        files: files.len(),
    });
    notes.collect()
}

fn unreadable(effect: &'static str, why: String) -> Error {
    Error::io(effect, ".git".to_owned(), why)
}

/// Reads the index and its differences from HEAD; `false` where that is for git to do.
async fn known(
    io: &Io,
    tree: &mut Tree,
    repository: &RepositoryFolders,
    head: Option<&str>,
) -> Result<bool, Error> {
    let hash = tree.hash();
    let below = match repository.below.as_str() {
        "" => String::new(),
        below => [below, "/"].concat(),
    };
    let bytes;
    let mut cached = Cached::new(Vec::new());
    if let Some(read) = index(io, tree, repository).await? {
        bytes = read;
        let (table, index) = Table::read(&bytes, hash, below.as_bytes()).map_err(|why| {
            let message = format!("The index of the repository cannot be read: {why:?}");
            unreadable("read", message)
        })?;
        if index.shared.is_some() || index.is_sparse {
            return Ok(false);
        }
        tree.table = table;
        cached = Cached::new(index.trees().unwrap_or_default());
    }
    let compared = async {
        let top = match head {
            Some(head) => {
                let id = Id::from_digits(head.as_bytes())?;
                Some(staged::tree_of(io, &mut tree.objects, id).await?)
            }
            None => None,
        };
        let Tree { objects, table, .. } = tree;
        staged::compare(io, objects, table, &cached, top, &below).await
    };
    match compared.await {
        Ok(()) => Ok(true),
        Err(Lacking::Missing) => Ok(false),
        Err(why) => {
            let why = why.reason();
            let message = format!("A tree of HEAD cannot be read: {why}; `git fsck` says more");
            Err(unreadable("read", message))
        }
    }
}

/// The bytes of the index, and when it was written; `None` where nothing was ever added.
async fn index(
    io: &Io,
    tree: &mut Tree,
    repository: &RepositoryFolders,
) -> Result<Option<Vec<u8>>, Error> {
    // The time first: an index that is replaced in between only seems older, and more is compared.
    if let Ok(listing) = io.scan(join(&repository.own, "."), GIT_NAMES).await {
        let index = listing.entries.iter().find(|it| it.name == "index");
        tree.index_ms = index.map_or(f64::NAN, |it| it.modified_ms);
    }
    let file = join(&repository.own, "index");
    match io.read(file, INDEX_BYTES, Links::Follow).await {
        Ok(bytes) => Ok(Some(bytes)),
        Err(Failed {
            fault: Fault::NotFound,
            ..
        }) => Ok(None),
        Err(failed) => Err(failed.cannot("read", "the index of the repository")),
    }
}
