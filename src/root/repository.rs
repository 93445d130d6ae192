//! The files of a repository, read over effects.

use std::cell::OnceCell;

use crate::effect::{Failed, Fault, FoundEntry, Io, Links, PathKind};
use crate::git::folder::{self, join, resolve};
use crate::git::head::{self, MAX_SYMBOLIC_DEPTH, RefName, Reference};
use crate::git::index::{self, IndexStart, Tracked};

use super::messages::{reason, shown};

/// HEAD, a loose ref, a `.git` file and `commondir` hold one line each.
const LINE_LIMIT: u32 = 64 << 10;
/// `packed-refs` and the index have a line or entry per ref or file: a hundred bytes for each of a
/// million. More than this would fill the memory of a wasm host for a mere warning.
const LIST_LIMIT: u32 = 256 << 20;

/// The part of the index that is read before all of it: the entries of `.claude` stand near its
/// beginning, and this is the whole index of a repository with some hundred files.
const START_BYTES: u32 = 64 << 10;
/// The first line of a reflog: two ids, a name and an address, a time and a message.
const LOG_START_BYTES: u32 = 4 << 10;
/// A git folder has a few dozen names.
const MAX_GIT_NAMES: u32 = 1_000;

const UNKNOWN_INDEX: &str = "it is no index of a known version";

/// The commit that HEAD is at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Head {
    /// There is no repository at or above the root.
    NoRepository,
    /// The host sees no repository, and there may be one beyond its view.
    OutOfSight,
    /// The id in lower case, of 40 or 64 hexadecimal digits.
    Commit(String),
    /// The branch has no commit yet.
    Unborn,
    /// There is a repository, but its HEAD cannot be read; the sentence says why.
    Unreadable(String),
}

impl Head {
    /// The commit, where it is known.
    pub fn commit(&self) -> Option<&str> {
        match self {
            Head::Commit(commit) => Some(commit),
            _ => None,
        }
    }
}

/// A repository as one of its worktrees sees it. Each method fails with a sentence, which quotes
/// nothing that the repository's files hold.
pub(super) struct Repository<'a> {
    found: &'a FoundEntry,
    /// The git folder of the worktree: it holds HEAD, the index, and the refs of its own.
    own: String,
}

/// The folders of a repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepositoryFolders {
    /// The top of the worktree.
    pub top: String,
    /// The way from there down to the root, with `/`; empty where they are one.
    pub below: String,
    /// The git folder of the worktree, with HEAD and the index.
    pub own: String,
    /// The git folder that all worktrees share, with objects and configuration.
    pub common: String,
}

impl<'a> Repository<'a> {
    /// The repository of the `.git` that was found: a folder, a file that names one, or a link.
    /// `own` has its git folder, once that was looked for.
    pub(super) async fn open(
        io: &Io,
        found: &'a FoundEntry,
        own: &OnceCell<String>,
    ) -> Result<Self, String> {
        if let Some(own) = own.get() {
            let own = own.clone();
            return Ok(Repository { found, own });
        }
        let repository = Repository::look_for(io, found).await?;
        let _ = own.set(repository.own.clone());
        Ok(repository)
    }

    async fn look_for(io: &Io, found: &'a FoundEntry) -> Result<Self, String> {
        let dot_git = join(&found.folder, ".git");
        if found.kind == PathKind::Folder {
            return Ok(Repository {
                found,
                own: dot_git,
            });
        }
        Repository::led_to(io, found, dot_git).await
    }

    /// Returns the place of a linked worktree or a submodule, which a file names.
    #[inline(never)]
    async fn led_to(io: &Io, found: &'a FoundEntry, dot_git: String) -> Result<Self, String> {
        let own = match io.read(dot_git.clone(), LINE_LIMIT, Links::Follow).await {
            Ok(bytes) => folder::from_git_file(&bytes)
                .map(|path| resolve(&found.folder, path))
                .ok_or_else(|| format!("{} is neither a git folder nor names one", shown(found)))?,
            // A link to a folder is as good as the folder.
            Err(failed) if found.kind == PathKind::Symlink && failed.fault != Fault::NotFound => {
                dot_git
            }
            Err(failed) => {
                return Err(format!(
                    "{} cannot be read: {}",
                    shown(found),
                    reason(&failed)
                ));
            }
        };
        Ok(Repository { found, own })
    }

    /// The top of the main worktree, where this is a linked one of which both know.
    ///
    /// A `.git` file can name any folder; git has noted there where the worktrees are.
    pub(super) async fn main_worktree(&self, io: &Io) -> Option<String> {
        let top = folder::main_worktree(&self.own)?;
        let noted = io.read(join(&self.own, "gitdir"), LINE_LIMIT, Links::Follow);
        let noted = noted.await.ok()?;
        let noted = folder::without_dots(&resolve(&self.own, folder::from_gitdir(&noted)?))?;
        let dot_git = join(&self.found.folder, ".git");
        let is_noted = folder::without_dots(&dot_git).as_deref() == Some(&*noted);
        (is_noted || is_one_file(io, &noted, &dot_git).await).then_some(top)
    }

    /// Returns the place of its files.
    pub(super) async fn place(&self, io: &Io) -> Result<RepositoryFolders, String> {
        Ok(RepositoryFolders {
            top: self.found.folder.clone(),
            below: self.found.below.clone(),
            own: self.own.clone(),
            common: self.common(io).await?,
        })
    }

    /// The commit that HEAD is at.
    pub(super) async fn head(&self, io: &Io) -> Result<Head, String> {
        let bytes = io
            .read(join(&self.own, "HEAD"), LINE_LIMIT, Links::Follow)
            .await;
        let bytes = bytes.map_err(|failed| self.unreadable("HEAD", &reason(&failed)))?;
        let mut reference = self.reference("HEAD", &bytes)?;
        let common = self.common(io).await?;
        for _ in 0..MAX_SYMBOLIC_DEPTH {
            let name = match reference {
                Reference::Commit(id) => return Ok(Head::Commit(id)),
                Reference::InReftable => return self.query_git(io, &common).await,
                Reference::Symbolic(name) => name,
            };
            match self.find(io, &common, &name).await? {
                Some(next) => reference = next,
                None => return Ok(Head::Unborn),
            }
        }
        Err(self.unreadable("HEAD", "it leads through too many refs"))
    }

    /// The branch that is checked out; `None` where HEAD is at none.
    pub(super) async fn branch(&self, io: &Io) -> Result<Option<String>, String> {
        let bytes = io
            .read(join(&self.own, "HEAD"), LINE_LIMIT, Links::Follow)
            .await;
        let bytes = bytes.map_err(|failed| self.unreadable("HEAD", &reason(&failed)))?;
        let name = match self.reference("HEAD", &bytes)? {
            Reference::Commit(_) => return Ok(None),
            Reference::Symbolic(name) => Some(name),
            Reference::InReftable => {
                // It fails where HEAD is at no branch, too.
                let arguments = ["symbolic-ref", "--quiet", "HEAD"];
                let printed = io.git(&self.found.folder, &arguments).await;
                let printed = printed.unwrap_or_default();
                let name = str::from_utf8(&printed).unwrap_or_default();
                RefName::new(name.trim_end())
            }
        };
        let branch =
            name.and_then(|name| name.as_str().strip_prefix("refs/heads/").map(str::to_owned));
        Ok(branch)
    }

    /// This worktree, in git's own words.
    pub(super) fn worktree(&self) -> String {
        match self.found.kind {
            PathKind::Folder => "main-worktree".to_owned(),
            _ => folder::worktree(&self.own),
        }
    }

    /// Returns whether there is a branch of that name.
    pub(super) async fn has_branch(&self, io: &Io, branch: &str) -> bool {
        let Some(name) = RefName::new(&format!("refs/heads/{branch}")) else {
            return false;
        };
        let Ok(common) = self.common(io).await else {
            return true;
        };
        let tables = io.inspect(vec![join(&common, "reftable")]).await;
        let has_tables = |tables: Vec<crate::effect::PathEntry>| {
            tables.iter().any(|it| it.kind == PathKind::Folder)
        };
        match self.find(io, &common, &name).await {
            Ok(None) => tables.is_ok_and(has_tables),
            Ok(Some(_)) | Err(_) => true,
        }
    }

    /// Returns when a branch was created from another one, in ms.
    pub(super) async fn created_from_other(&self, io: &Io, branch: &str) -> Option<f64> {
        let name = RefName::new(&format!("refs/heads/{branch}"))?;
        let common = self.common(io).await.ok()?;
        let log = join(&join(&common, "logs"), name.as_str());
        let start = io.read_start(log, LOG_START_BYTES).await.ok()?;
        head::created_from_other(&start)
    }

    /// Returns when this linked worktree was added, in ms, as its own reflog says; `None` for the
    /// main one, too.
    pub(super) async fn added(&self, io: &Io) -> Option<f64> {
        if self.found.kind == PathKind::Folder {
            return None;
        }
        let log = join(&self.own, "logs/HEAD");
        let start = io.read_start(log, LOG_START_BYTES).await.ok()?;
        head::began(&start)
    }

    /// Returns whether it has linked worktrees, or is one.
    pub(super) async fn has_worktrees(&self, io: &Io) -> bool {
        if self.found.kind != PathKind::Folder {
            return true;
        }
        let found = io.inspect(vec![join(&self.own, "worktrees")]).await;
        found.is_ok_and(|found| found.iter().any(|it| it.kind == PathKind::Folder))
    }

    /// The branch that the remote `origin` has for its default. Without one it is the present branch, where that has
    /// the name of a trunk, else `main` or `master`, where there is such a branch; a repository without any of them
    /// says nothing, and no branch of it is known to be another one.
    pub(super) async fn default_branch(&self, io: &Io, present: Option<&str>) -> Option<String> {
        let common = self.common(io).await.ok()?;
        if let Some(branch) = self.default_of_origin(io, &common).await {
            return Some(branch);
        }
        let present = present?;
        if crate::git::TRUNKS.contains(&present) {
            return Some(present.to_owned());
        }
        for branch in ["main", "master"] {
            let name = RefName::new(&format!("refs/heads/{branch}"))?;
            if matches!(self.find(io, &common, &name).await, Ok(Some(_))) {
                return Some(branch.to_owned());
            }
        }
        None
    }

    async fn default_of_origin(&self, io: &Io, common: &str) -> Option<String> {
        let file = join(common, "refs/remotes/origin/HEAD");
        let bytes = io.read(file, LINE_LIMIT, Links::Follow).await.ok()?;
        let Reference::Symbolic(name) = head::reference(&bytes).ok()? else {
            return None;
        };
        let branch = name.as_str().strip_prefix("refs/remotes/origin/")?;
        Some(branch.to_owned())
    }

    /// Returns whether the index holds the file at this path below the root.
    pub(super) async fn tracks(&self, io: &Io, below_root: &str) -> Result<bool, String> {
        let path = match self.found.below.as_str() {
            "" => below_root.to_owned(),
            below => join(below, below_root),
        };
        let file = "index";
        let start = io.read_start(join(&self.own, file), START_BYTES).await;
        let whole = match start {
            Ok(start) if start.len() < START_BYTES as usize => Some(start),
            Ok(start) => match index::look_up_start(&start, &path) {
                IndexStart::Tracked => return Ok(true),
                IndexStart::Passed if !self.may_be_split(io).await => return Ok(false),
                _ => self.index(io, file).await?,
            },
            Err(failed) if failed.fault == Fault::NotFound => None,
            // On a host that reads whole files only.
            Err(_) => self.index(io, file).await?,
        };
        let Some(whole) = whole else {
            // Nothing was ever added.
            return Ok(false);
        };
        let tracked = self.look_up(file, &whole, &path)?;
        match tracked.shared {
            Some(shared) if tracked.paths != [true] => match self.index(io, &shared).await? {
                Some(bytes) => Ok(self.look_up(&shared, &bytes, &path)?.paths == [true]),
                None => Ok(true),
            },
            _ => Ok(tracked.paths == [true]),
        }
    }

    /// Returns whether there may be a shared index, which the end of the index would name.
    #[inline(never)]
    async fn may_be_split(&self, io: &Io) -> bool {
        let is_shared = |name: &String| name.starts_with(index::SHARED);
        let listed = io.list(self.own.clone(), MAX_GIT_NAMES).await;
        listed.map_or(true, |it| !it.complete || it.names.iter().any(is_shared))
    }

    /// The files below a folder that the index holds, relative to the root.
    pub(super) async fn tracked_below(&self, io: &Io, folder: &str) -> Result<Vec<String>, String> {
        let (above, folder) = match self.found.below.as_str() {
            "" => (String::new(), folder.to_owned()),
            below => (format!("{below}/"), join(below, folder)),
        };
        let mut paths = Vec::new();
        let mut next = Some("index".to_owned());
        while let Some(file) = next.take() {
            let Some(bytes) = self.index(io, &file).await? else {
                break;
            };
            let below = index::list_below(&bytes, &folder)
                .map_err(|_| self.unreadable(&file, UNKNOWN_INDEX))?;
            paths.extend(below.paths);
            // A shared index names no other.
            next = below.shared.filter(|_| file == "index");
        }
        let below_root = |path: String| match path.strip_prefix(&above) {
            Some(below) => below.to_owned(),
            None => path,
        };
        Ok(paths.into_iter().map(below_root).collect())
    }

    fn look_up(&self, file: &str, bytes: &[u8], path: &str) -> Result<Tracked, String> {
        index::look_up(bytes, &[path]).map_err(|_| self.unreadable(file, UNKNOWN_INDEX))
    }

    /// Returns the bytes of an index; `None` without a file of this name.
    async fn index(&self, io: &Io, file: &str) -> Result<Option<Vec<u8>>, String> {
        match io
            .read(join(&self.own, file), LIST_LIMIT, Links::Follow)
            .await
        {
            Ok(bytes) => Ok(Some(bytes)),
            Err(Failed {
                fault: Fault::NotFound,
                ..
            }) => Ok(None),
            Err(failed) => Err(self.unreadable(file, &reason(&failed))),
        }
    }

    /// The folder with the refs that all worktrees share.
    async fn common(&self, io: &Io) -> Result<String, String> {
        if self.found.kind == PathKind::Folder {
            // Git writes `commondir` only where a `.git` file leads to.
            return Ok(self.own.clone());
        }
        self.common_of_worktree(io).await
    }

    #[inline(never)]
    async fn common_of_worktree(&self, io: &Io) -> Result<String, String> {
        match io
            .read(join(&self.own, "commondir"), LINE_LIMIT, Links::Follow)
            .await
        {
            Ok(bytes) => folder::from_commondir(&bytes)
                .map(|path| resolve(&self.own, path))
                .ok_or_else(|| self.unreadable("commondir", "it names no folder")),
            Err(Failed {
                fault: Fault::NotFound,
                ..
            }) => Ok(self.own.clone()),
            Err(failed) => Err(self.unreadable("commondir", &reason(&failed))),
        }
    }

    /// Returns the content of the ref, loose or packed; `None` when there is no such ref.
    async fn find(
        &self,
        io: &Io,
        common: &str,
        name: &RefName,
    ) -> Result<Option<Reference>, String> {
        let folder = if name.is_per_worktree() {
            &self.own
        } else {
            common
        };
        let file = name.as_str();
        match io.read(join(folder, file), LINE_LIMIT, Links::Follow).await {
            Ok(bytes) => return self.reference(file, &bytes).map(Some),
            // A folder of that name can be left from a branch that was below it.
            Err(Failed {
                fault: Fault::NotFound | Fault::WrongKind,
                ..
            }) => {}
            Err(failed) => return Err(self.unreadable(file, &reason(&failed))),
        }
        self.find_packed(io, common, name).await
    }

    #[inline(never)]
    async fn find_packed(
        &self,
        io: &Io,
        common: &str,
        name: &RefName,
    ) -> Result<Option<Reference>, String> {
        let file = "packed-refs";
        match io.read(join(common, file), LIST_LIMIT, Links::Follow).await {
            Ok(bytes) => head::packed(&bytes, name)
                .map(|id| id.map(Reference::Commit))
                .map_err(|_| self.unreadable(file, "the line of the branch holds no commit")),
            Err(Failed {
                fault: Fault::NotFound,
                ..
            }) => Ok(None),
            Err(failed) => Err(self.unreadable(file, &reason(&failed))),
        }
    }

    fn reference(&self, file: &str, bytes: &[u8]) -> Result<Reference, String> {
        head::reference(bytes)
            .map_err(|_| self.unreadable(file, "it holds no commit and no valid ref"))
    }

    /// For refs in `reftable/`, a binary format that changes with git.
    #[cold]
    #[inline(never)]
    async fn query_git(&self, io: &Io, common: &str) -> Result<Head, String> {
        let because = |failed: Failed| self.unreadable("reftable", &reason(&failed));
        let tables = io
            .inspect(vec![join(common, "reftable")])
            .await
            .map_err(because)?;
        if tables.iter().any(|tables| tables.kind != PathKind::Folder) {
            return Err(self.unreadable("HEAD", "it names the tables of refs that are not there"));
        }
        // With `--verify` a missing commit would be a failure that looks like any other.
        let folder = &self.found.folder;
        let printed = io
            .git(folder, &["rev-parse", "--revs-only", "HEAD"])
            .await
            .map_err(because)?;
        if printed.is_empty() {
            // Damaged tables print nothing either, but then HEAD is at no branch.
            let branch = io.git(folder, &["symbolic-ref", "HEAD"]).await;
            return branch.map(|_| Head::Unborn).map_err(because);
        }
        match head::reference(&printed) {
            Ok(Reference::Commit(id)) => Ok(Head::Commit(id)),
            _ => Err(self.unreadable("reftable", "git printed no commit")),
        }
    }

    #[cold]
    #[inline(never)]
    fn unreadable(&self, file: &str, why: &str) -> String {
        format!(
            "{file} of the repository at {} cannot be read: {why}",
            shown(self.found)
        )
    }
}

/// Returns whether two names are of one file: a folder on the way to it may have several.
#[inline(never)]
async fn is_one_file(io: &Io, one: &str, other: &str) -> bool {
    let mut traces = Vec::new();
    for path in [one, other] {
        let (folder, name) = path.rsplit_once('/').unwrap_or((".", path));
        let surveyed = io.survey(folder.to_owned(), vec![name.to_owned()]).await;
        traces.extend(surveyed.unwrap_or_default());
    }
    matches!(traces.as_slice(), [one, other] if !one.is_empty() && one == other)
}
