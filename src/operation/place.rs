//! Where an operation works: the root, the commit that HEAD is at, and whether git tracks a file.
//!
//! HEAD and the index are read from the repository's files, so that no configuration of a
//! repository can make a program run. Only where refs lie in `reftable/` is the host asked for git.

use std::cell::OnceCell;

use super::Place;
use crate::effect::{Failed, Fault, Found, Io, Kind, Links};
use crate::error::Error;
use crate::git::head::{MAX_SYMBOLIC_DEPTH, RefName, Reference};
use crate::git::{folder, head, index};

/// HEAD, a loose ref, a `.git` file and `commondir` hold one line each.
const LINE_LIMIT: u32 = 64 << 10;
/// `packed-refs` and the index have a line or entry per ref or file. The largest repositories known
/// stay below 100 MB; more than this would fill the memory of a wasm host for a mere warning.
const LIST_LIMIT: u32 = 256 << 20;

/// The folder that state is kept below.
#[derive(Clone, Debug)]
pub struct Root {
    path: String,
    /// Where the nearest `.git` at or above the root is, once it was looked for.
    git: OnceCell<Option<Found>>,
}

/// The commit that HEAD is at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Head {
    /// There is no repository at or above the root.
    NoRepository,
    /// The id in lower case, of 40 or 64 hexadecimal digits.
    Commit(String),
    /// The branch has no commit yet.
    Unborn,
    /// There is a repository, but it cannot be told; the sentence says why.
    Unreadable(String),
}

/// Finds the root: the one that the caller names, else `GIT_ROOT`, else the nearest folder at or
/// above the working folder that holds `.git`, else the working folder.
///
/// # Errors
///
/// [`Error::Usage`] for an empty root, [`Error::Io`] when the folders above cannot be searched.
pub async fn locate(io: &Io, place: &Place) -> Result<Root, Error> {
    if let Some(root) = &place.root {
        if root.is_empty() {
            return Err(Error::Usage(
                "Expected `root` to be a folder, got an empty text".into(),
            ));
        }
        return Ok(Root::new(root, OnceCell::new()));
    }
    if let Some(git_root) = place.git_root.as_ref().filter(|root| !root.is_empty()) {
        return Ok(Root::new(git_root, OnceCell::new()));
    }
    let found = io.ascend(&place.working, ".git").await.map_err(|failed| {
        let reason = reason(&failed);
        Error::Io(format!(
            "Cannot look for a repository at or above the working folder: {reason}"
        ))
    })?;
    // The root is the folder of `.git` itself, so that nothing lies between them.
    let found = found.map(|found| Found {
        below: String::new(),
        ..found
    });
    let path = found.as_ref().map_or(&place.working, |found| &found.folder);
    Ok(Root::new(path, OnceCell::from(found.clone())))
}

/// Reads the commit that HEAD of the nearest repository at or above the root is at. After
/// [`locate`] found the root by its `.git`, this takes two reads in the common case: HEAD and the
/// branch.
pub async fn head(io: &Io, root: &Root) -> Head {
    match resolve(io, root).await {
        Ok(head) => head,
        Err(why) => Head::Unreadable(why),
    }
}

/// Whether the git index holds the file at this path below the root. An index that is there but
/// cannot be read counts as holding it: the answer only decides whether to warn of a planted file.
pub async fn tracked(io: &Io, root: &Root, below_root: &str) -> bool {
    look_up(io, root, below_root).await.unwrap_or(true)
}

impl Root {
    fn new(path: &str, git: OnceCell<Option<Found>>) -> Self {
        Root {
            path: path.to_owned(),
            git,
        }
    }

    /// The folder, as the caller or the host named it.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The path of something below the root; `below` has `/` between its parts.
    pub fn join(&self, below: &str) -> String {
        join(&self.path, below)
    }

    /// The nearest `.git`, looked for at most once.
    async fn git(&self, io: &Io) -> Result<Option<&Found>, String> {
        if self.git.get().is_none() {
            let found = io.ascend(&self.path, ".git").await.map_err(|failed| {
                format!(
                    "The folders above the root cannot be searched: {}",
                    reason(&failed)
                )
            })?;
            // Nobody else can have set it: an operation is one line of steps.
            let _ = self.git.set(found);
        }
        Ok(self.git.get().and_then(Option::as_ref))
    }
}

/// Appends `below` to a folder, which may be a root, end in `/`, or be `.`.
fn join(folder: &str, below: &str) -> String {
    match folder.trim_end_matches('/') {
        "." => below.to_owned(),
        folder => format!("{folder}/{below}"),
    }
}

/// A path that git wrote, which is relative to `folder` or absolute.
fn beside(folder: &str, path: &str) -> String {
    if folder::is_absolute(path) {
        path.to_owned()
    } else {
        join(folder, path)
    }
}

/// `.git` as seen from the root.
fn shown(found: &Found) -> String {
    let depth = found
        .below
        .split('/')
        .filter(|part| !part.is_empty())
        .count();
    format!("{}.git", "../".repeat(depth))
}

async fn resolve(io: &Io, root: &Root) -> Result<Head, String> {
    let Some(found) = root.git(io).await? else {
        return Ok(Head::NoRepository);
    };
    let repository = Repository::open(io, found).await?;
    let mut reference = repository.head(io).await?;
    for _ in 0..MAX_SYMBOLIC_DEPTH {
        let name = match reference {
            Reference::Commit(id) => return Ok(Head::Commit(id)),
            Reference::InReftable => return repository.ask_git(io).await,
            Reference::Symbolic(name) => name,
        };
        match repository.find(io, &name).await? {
            Some(next) => reference = next,
            None => return Ok(Head::Unborn),
        }
    }
    Err(format!(
        "HEAD of the repository at {} leads through too many refs",
        shown(found)
    ))
}

async fn look_up(io: &Io, root: &Root, below_root: &str) -> Result<bool, String> {
    let Some(found) = root.git(io).await? else {
        return Ok(false);
    };
    let git_folder = git_folder(io, found).await?;
    let path = match found.below.as_str() {
        "" => below_root.to_owned(),
        below => join(below, below_root),
    };
    let mut file = "index".to_owned();
    loop {
        let bytes = io
            .read(&join(&git_folder, &file), LIST_LIMIT, Links::Follow)
            .await;
        let bytes = match bytes {
            // A repository in which nothing was ever added.
            Err(Failed {
                fault: Fault::NotFound,
                ..
            }) if file == "index" => return Ok(false),
            bytes => bytes.map_err(|failed| reason(&failed))?,
        };
        let answer = index::look_up(&bytes, &[&path]).map_err(|_| "no index".to_owned())?;
        match answer.shared {
            _ if answer.paths == [true] => return Ok(true),
            // A shared index is never split itself.
            Some(shared) if file == "index" => file = shared,
            _ => return Ok(false),
        }
    }
}

/// The git folder of a worktree, which holds its HEAD and its index.
async fn git_folder(io: &Io, found: &Found) -> Result<String, String> {
    let dot_git = join(&found.folder, ".git");
    if found.kind == Kind::Folder {
        return Ok(dot_git);
    }
    match io.read(&dot_git, LINE_LIMIT, Links::Follow).await {
        Ok(bytes) => folder::from_git_file(&bytes)
            .map(|path| beside(&found.folder, path))
            .ok_or_else(|| format!("{} is neither a git folder nor names one", shown(found))),
        // A link to a folder is as good as the folder.
        Err(failed) if found.kind == Kind::Symlink && failed.fault != Fault::NotFound => {
            Ok(dot_git)
        }
        Err(failed) => Err(format!(
            "{} cannot be read: {}",
            shown(found),
            reason(&failed)
        )),
    }
}

/// The folders of a repository, as one of its worktrees sees them.
struct Repository<'a> {
    found: &'a Found,
    /// Holds HEAD and the refs that each worktree has for itself.
    own: String,
    /// Holds the refs that all worktrees share.
    common: String,
}

impl<'a> Repository<'a> {
    async fn open(io: &Io, found: &'a Found) -> Result<Self, String> {
        let own = git_folder(io, found).await?;
        let common = match found.kind {
            // Git writes `commondir` only where a `.git` file leads to.
            Kind::Folder => own.clone(),
            _ => match io
                .read(&join(&own, "commondir"), LINE_LIMIT, Links::Follow)
                .await
            {
                Ok(bytes) => folder::from_commondir(&bytes)
                    .map(|path| beside(&own, path))
                    .ok_or_else(|| unreadable(found, "commondir", "it names no folder"))?,
                Err(Failed {
                    fault: Fault::NotFound,
                    ..
                }) => own.clone(),
                Err(failed) => return Err(unreadable(found, "commondir", &reason(&failed))),
            },
        };
        Ok(Repository { found, own, common })
    }

    async fn head(&self, io: &Io) -> Result<Reference, String> {
        let bytes = io
            .read(&join(&self.own, "HEAD"), LINE_LIMIT, Links::Follow)
            .await
            .map_err(|failed| unreadable(self.found, "HEAD", &reason(&failed)))?;
        head::reference(&bytes)
            .map_err(|_| unreadable(self.found, "HEAD", "it holds no commit and no valid ref"))
    }

    /// What the ref holds; `None` when there is no such ref.
    async fn find(&self, io: &Io, name: &RefName) -> Result<Option<Reference>, String> {
        let folder = if name.is_per_worktree() {
            &self.own
        } else {
            &self.common
        };
        let shown = name.as_str();
        match io
            .read(&join(folder, shown), LINE_LIMIT, Links::Follow)
            .await
        {
            Ok(bytes) => {
                return head::reference(&bytes).map(Some).map_err(|_| {
                    unreadable(self.found, shown, "it holds no commit and no valid ref")
                });
            }
            // A folder of that name can be left from a branch that was below it.
            Err(Failed {
                fault: Fault::NotFound | Fault::WrongKind,
                ..
            }) => {}
            Err(failed) => return Err(unreadable(self.found, shown, &reason(&failed))),
        }
        match io
            .read(
                &join(&self.common, "packed-refs"),
                LIST_LIMIT,
                Links::Follow,
            )
            .await
        {
            Ok(bytes) => head::packed(&bytes, name)
                .map(|id| id.map(Reference::Commit))
                .map_err(|_| unreadable(self.found, "packed-refs", "a line of it is no ref")),
            Err(Failed {
                fault: Fault::NotFound,
                ..
            }) => Ok(None),
            Err(failed) => Err(unreadable(self.found, "packed-refs", &reason(&failed))),
        }
    }

    /// For refs in `reftable/`, a binary format that changes with git.
    async fn ask_git(&self, io: &Io) -> Result<Head, String> {
        let because = |failed: &Failed| unreadable(self.found, "reftable", &reason(failed));
        let tables = io.inspect(vec![join(&self.common, "reftable")]).await;
        if tables.map_err(|failed| because(&failed))?[0].kind != Kind::Folder {
            return Err(unreadable(
                self.found,
                "HEAD",
                "it holds no commit and no valid ref",
            ));
        }
        // With `--verify` a missing commit would be a failure, and look like any other.
        let folder = &self.found.folder;
        let printed = io.git(folder, &["rev-parse", "--revs-only", "HEAD"]).await;
        let printed = printed.map_err(|failed| because(&failed))?;
        if printed.is_empty() {
            // Damaged tables print nothing either, but then HEAD is at no branch.
            let branch = io.git(folder, &["symbolic-ref", "HEAD"]).await;
            return branch
                .map(|_| Head::Unborn)
                .map_err(|failed| because(&failed));
        }
        match head::reference(&printed) {
            Ok(Reference::Commit(id)) => Ok(Head::Commit(id)),
            _ => Err(unreadable(self.found, "reftable", "git printed no commit")),
        }
    }
}

/// The sentence about a file of the repository. It quotes nothing that the file holds.
fn unreadable(found: &Found, file: &str, why: &str) -> String {
    format!(
        "{file} of the repository at {} cannot be read: {why}",
        shown(found)
    )
}

/// Why an effect failed, in words that are the same on every host wherever the reason is known.
fn reason(failed: &Failed) -> String {
    match failed.fault {
        Fault::NotFound => "it is missing or out of reach".into(),
        Fault::Symlink => "it is a symbolic link that leads nowhere".into(),
        Fault::WrongKind => "it is no regular file".into(),
        Fault::TooLarge => "it is too large".into(),
        Fault::Unsupported => "this host cannot run git".into(),
        Fault::Exists | Fault::Sharing | Fault::Other => failed.detail.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::{Root, beside, shown};
    use crate::effect::{Found, Kind};
    use std::cell::OnceCell;

    #[test]
    fn a_path_below_the_root_has_one_separator() {
        for (root, expected) in [
            ("/work/a", "/work/a/b/c"),
            ("/work/a/", "/work/a/b/c"),
            ("/work/a//", "/work/a/b/c"),
            ("/", "/b/c"),
            (".", "b/c"),
            ("./", "b/c"),
            ("..", "../b/c"),
            ("C:/", "C:/b/c"),
            ("C:\\work", "C:\\work/b/c"),
        ] {
            assert_eq!(
                Root::new(root, OnceCell::new()).join("b/c"),
                expected,
                "{root}"
            );
        }
    }

    #[test]
    fn a_path_that_git_wrote_is_beside_its_file_or_absolute() {
        for (path, expected) in [
            ("../.git/modules/a", "/r/a/../.git/modules/a"),
            ("/srv/a", "/srv/a"),
            ("C:/srv/a", "C:/srv/a"),
        ] {
            assert_eq!(beside("/r/a", path), expected, "{path}");
        }
    }

    #[test]
    fn messages_name_git_as_seen_from_the_root() {
        for (below, expected) in [("", ".git"), ("a", "../.git"), ("a/b", "../../.git")] {
            let found = Found {
                folder: "/r".into(),
                below: below.into(),
                kind: Kind::Folder,
            };
            assert_eq!(shown(&found), expected, "{below}");
        }
    }
}
