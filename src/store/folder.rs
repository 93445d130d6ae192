//! Where the parts of a stored document lie, and that nothing on the way is a symbolic link.

use crate::effect::{Entry, Failed, Fault, Io, Kind, Sync};
use crate::error::Error;
use crate::git::folder::is_absolute;
use crate::text::quoted;

use super::paths::{Paths, SIDE};

/// What the store's own folders tell git: nothing here is ever committed.
pub const IGNORE_ALL: &str = "*\n";

/// A folder of documents under a root.
#[derive(Clone, Debug)]
pub struct Folder {
    /// As the host names it, without a final `/`; empty for the root of the file system.
    root: String,
    /// Relative to the root with `/`, or absolute where the caller chose so.
    path: String,
    /// Whether it is the one that the program makes by itself, not one that the user chose.
    is_own: bool,
}

impl Folder {
    /// The folder `dir` under `root`, or `own` where none is chosen: the program's own folder, whose
    /// rules for git the store makes.
    ///
    /// # Errors
    ///
    /// [`Error::usage`] for a `dir` with `..` in it, and for the root of a file system.
    pub fn new(root: &str, dir: Option<&str>, own: &str) -> Result<Self, Error> {
        let dir = dir.filter(|dir| !dir.is_empty()).unwrap_or(own);
        let root = root.trim_end_matches('/').to_owned();
        let refused = || {
            Err(Error::usage(format!(
                "Expected `dir` to be a folder below the root, or an absolute path to one, without \
                 `..`; got {}",
                quoted(dir)
            )))
        };
        let normal = dir.replace('\\', "/");
        let parts: Vec<&str> = normal
            .split('/')
            .filter(|part| !matches!(*part, "" | "."))
            .collect();
        if parts.contains(&"..") {
            return refused();
        }
        let mut path = parts.join("/");
        if is_absolute(&normal) {
            if parts.iter().all(|part| is_drive(part)) {
                return refused();
            }
            if normal.starts_with('/') {
                // Two separators on Windows begin the name of another machine.
                let start = if dir.starts_with(r"\\") { "//" } else { "/" };
                path.insert_str(0, start);
            }
            // Below the root, every part on the way is looked at.
            let below = path.strip_prefix(&root);
            let below = below.and_then(|below| below.strip_prefix('/'));
            if let Some(below) = below.filter(|below| !is_absolute(below)) {
                path = below.to_owned();
            }
        } else if is_absolute(&path) {
            // Below the root, a folder with the name of a drive would be taken for the drive.
            return refused();
        }
        Ok(Folder {
            root,
            is_own: path == own,
            path,
        })
    }

    /// Whether it is the one that the program makes by itself, not one that the user chose.
    pub fn is_own(&self) -> bool {
        self.is_own
    }

    /// The folder, as messages name it.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Whether the folder is named from the root on, so that git may know what lies in it.
    pub fn is_below_root(&self) -> bool {
        !is_absolute(&self.path)
    }

    /// A path for the host.
    pub fn host(&self, below: &str) -> String {
        let parts = [self.path.as_str(), below];
        let path: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        self.under_root(&path.join("/"))
    }

    fn under_root(&self, path: &str) -> String {
        if is_absolute(&self.path) {
            path.to_owned()
        } else {
            format!("{}/{path}", self.root)
        }
    }

    /// The folder and those above it, up to the root, outermost first; an absolute folder stands
    /// alone, since what lies above it is the caller's.
    pub fn own_parts(&self) -> Vec<String> {
        if is_absolute(&self.path) {
            return vec![self.path.clone()];
        }
        let ends = self
            .path
            .match_indices('/')
            .map(|(at, _)| at)
            .chain([self.path.len()]);
        ends.filter(|&end| end > 0)
            .map(|end| self.path[..end].to_owned())
            .collect()
    }

    /// Makes a fault of the host into an error that names the path as the user knows it.
    pub fn error(&self, doing: &str, below: &str, failed: &Failed) -> Error {
        let path = self.shown(below);
        match failed.fault {
            Fault::Symlink => {
                let message = format!(
                    "{path} is a symbolic link; expected a file of its own, none is followed here"
                );
                Error::unsafe_path(path, message)
            }
            Fault::WrongKind => {
                let message = format!("{path} is not a regular file");
                Error::unsafe_path(path, message)
            }
            _ => failed.cannot(doing, &path),
        }
    }

    /// A path as messages show it: relative to the root.
    pub fn shown(&self, below: &str) -> String {
        match (self.path.as_str(), below) {
            ("", below) => below.to_owned(),
            (path, "") => path.to_owned(),
            (path, below) => format!("{path}/{below}"),
        }
    }
}

fn is_drive(part: &str) -> bool {
    matches!(part.as_bytes(), [letter, b':'] if letter.is_ascii_alphabetic())
}

/// What stands where a document belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Standing {
    pub(super) document: Entry,
    /// Whether the store has written this document before.
    pub(super) has_side: bool,
    /// Whether every folder that a commit needs is there.
    pub(super) is_prepared: bool,
    /// Whether a writer waits for its turn.
    pub(super) is_awaited: bool,
}

impl Folder {
    /// Looks at the document and every folder on the way to it.
    ///
    /// # Errors
    ///
    /// [`Error::unsafe_path`] when a part below the root is a symbolic link or of the wrong kind.
    pub(super) async fn look(&self, io: &Io, paths: &Paths) -> Result<Standing, Error> {
        let mut parts = self.parts_of(paths);
        let folders = parts.len();
        parts.push(self.shown(&paths.document));
        parts.push(self.shown(&paths.waiting()));
        let entries = self.inspect(io, &parts).await?;
        for (part, entry) in parts.iter().zip(&entries).take(folders) {
            expect_folder(part, *entry)?;
        }
        let document = entries[folders];
        expect_file(&parts[folders], document)?;
        let is_there = |entry: &Entry| entry.kind == Kind::Folder;
        let has_side = is_there(&entries[folders - 1]);
        let is_prepared = entries[..folders].iter().all(is_there);
        let is_awaited = entries[folders + 1].kind != Kind::Absent;
        Ok(Standing {
            document,
            has_side,
            is_prepared,
            is_awaited,
        })
    }

    /// Every folder that a commit needs, outermost first.
    fn parts_of(&self, paths: &Paths) -> Vec<String> {
        let side = [
            SIDE.to_owned(),
            paths.side().to_owned(),
            paths.own().to_owned(),
            paths.tokens(),
            paths.history(),
        ];
        let mut parts = self.own_parts();
        parts.extend(side.iter().map(|part| self.shown(part)));
        // Most names are their own side folder.
        parts.dedup();
        parts
    }

    /// Makes the folder of documents; whether it was absent.
    ///
    /// # Errors
    ///
    /// [`Error::unsafe_path`] when a part below the root is no folder; [`Error::io`].
    pub async fn make(&self, io: &Io, sync: Sync) -> Result<bool, Error> {
        let mut parts = self.own_parts();
        parts.push(self.shown(SIDE));
        self.make_all(io, &parts, sync).await
    }

    /// Makes the folders that a commit needs, and makes durable what it made.
    ///
    /// # Errors
    ///
    /// [`Error::unsafe_path`] as for [`Folder::look`]; [`Error::io`] when a folder cannot be made.
    pub(super) async fn prepare(&self, io: &Io, paths: &Paths, sync: Sync) -> Result<(), Error> {
        self.make_all(io, &self.parts_of(paths), sync)
            .await
            .map(|_| ())
    }

    /// Makes what is absent of these folders, among them the side folder; whether anything was.
    async fn make_all(&self, io: &Io, parts: &[String], sync: Sync) -> Result<bool, Error> {
        let own = self.own_parts().len();
        let entries = self.inspect(io, parts).await?;
        let is_absent = |entry: &Entry| entry.kind == Kind::Absent;
        let mut made = Vec::new();
        for (at, (part, entry)) in parts.iter().zip(&entries).enumerate() {
            expect_folder(part, *entry)?;
            // The folder of documents itself is ignored when it is new or the one that is ours by
            // convention; a folder that the user chose and filled keeps its own rules. As long as
            // a part below is missing, an earlier call may have failed before it came to this.
            let is_new = own > 0 && made.contains(&(own - 1));
            let ours = is_new || self.is_own;
            let ignored = if ours { own } else { own + 1 };
            if at == ignored && entries[own..].iter().any(is_absent) {
                self.ignore(io, if ours { "" } else { SIDE }).await?;
            }
            if is_absent(entry) && self.make_one(io, part).await? {
                made.push(at);
            }
        }
        if made.is_empty() {
            return Ok(false);
        }
        if sync == Sync::Durable {
            for &at in &made {
                self.sync_parent(io, &parts[at]).await?;
            }
        }
        // Somebody may have made a part meanwhile, as something else.
        self.expect_folders(io, parts).await?;
        Ok(true)
    }

    /// Makes one folder below the store's side folder.
    ///
    /// # Errors
    ///
    /// [`Error::UnsafePath`] when something else stands there; [`Error::Io`].
    pub(super) async fn make_below(&self, io: &Io, below: &str) -> Result<(), Error> {
        let parts = [self.shown(below)];
        self.make_one(io, &parts[0]).await?;
        self.expect_folders(io, &parts).await
    }

    /// Whether anything stands where the folder of documents belongs.
    ///
    /// # Errors
    ///
    /// [`Error::io`] when the host cannot look.
    pub async fn is_there(&self, io: &Io) -> Result<bool, Error> {
        let entries = self.inspect(io, std::slice::from_ref(&self.path)).await?;
        Ok(entries.iter().any(|entry| entry.kind != Kind::Absent))
    }

    /// Refuses a folder of documents that is a symbolic link, or below one.
    ///
    /// # Errors
    ///
    /// [`Error::UnsafePath`]; [`Error::Io`].
    pub(super) async fn check(&self, io: &Io) -> Result<(), Error> {
        self.expect_folders(io, &self.own_parts()).await
    }

    /// Refuses what is there and no regular file.
    ///
    /// # Errors
    ///
    /// [`Error::UnsafePath`]; [`Error::Io`].
    pub(super) async fn expect_files(&self, io: &Io, below: &[String]) -> Result<(), Error> {
        let parts: Vec<String> = below.iter().map(|below| self.shown(below)).collect();
        let entries = self.inspect(io, &parts).await?;
        let mut parts = parts.iter().zip(&entries);
        parts.try_for_each(|(part, entry)| expect_file(part, *entry))
    }

    async fn expect_folders(&self, io: &Io, parts: &[String]) -> Result<(), Error> {
        let entries = self.inspect(io, parts).await?;
        let mut parts = parts.iter().zip(&entries);
        parts.try_for_each(|(part, entry)| expect_folder(part, *entry))
    }

    async fn make_one(&self, io: &Io, part: &str) -> Result<bool, Error> {
        match io.make_folder(self.under_root(part)).await {
            Ok(()) => Ok(true),
            Err(Failed {
                fault: Fault::Exists,
                ..
            }) => Ok(false),
            Err(failed) => Err(failed.cannot("make", part)),
        }
    }

    async fn ignore(&self, io: &Io, below: &str) -> Result<(), Error> {
        let file = if below.is_empty() {
            ".gitignore"
        } else {
            &format!("{below}/.gitignore")
        };
        match io
            .create(self.host(file), IGNORE_ALL.into(), Sync::Lazy)
            .await
        {
            Ok(())
            | Err(Failed {
                fault: Fault::Exists,
                ..
            }) => Ok(()),
            Err(failed) => {
                // Cut short, it would count as written.
                let _ = io.remove(self.host(file)).await;
                Err(self.error("write", file, &failed))
            }
        }
    }

    /// Makes the names in a folder of the store durable, where the host can.
    pub(super) async fn sync(&self, io: &Io, below: &str) -> Result<(), Error> {
        match io.sync_folder(self.host(below)).await {
            Ok(())
            | Err(Failed {
                fault: Fault::Unsupported,
                ..
            }) => Ok(()),
            Err(failed) => Err(self.error("make durable", below, &failed)),
        }
    }

    /// Makes the folder of documents itself durable, and those above it.
    pub(super) async fn sync_parents(&self, io: &Io) -> Result<(), Error> {
        for part in self.own_parts() {
            self.sync_parent(io, &part).await?;
        }
        Ok(())
    }

    async fn sync_parent(&self, io: &Io, part: &str) -> Result<(), Error> {
        let host = self.under_root(part);
        let parent = match host.rsplit_once('/') {
            Some(("", _)) => "/",
            Some((parent, _)) => parent,
            None => ".",
        };
        match io.sync_folder(parent.to_owned()).await {
            Ok(())
            | Err(Failed {
                fault: Fault::Unsupported,
                ..
            }) => Ok(()),
            Err(failed) => Err(Error::io(
                failed.effect,
                part.to_owned(),
                format!("Cannot make {part} durable: {}", failed.detail),
            )),
        }
    }

    /// What stands at each of these paths, as messages show them.
    ///
    /// # Errors
    ///
    /// [`Error::io`] when the host cannot look.
    pub async fn inspect(&self, io: &Io, parts: &[String]) -> Result<Vec<Entry>, Error> {
        let paths = parts.iter().map(|part| self.under_root(part)).collect();
        io.inspect(paths)
            .await
            .map_err(|failed| failed.cannot("look at", &self.path))
    }
}

fn expect_folder(part: &str, entry: Entry) -> Result<(), Error> {
    match entry.kind {
        Kind::Absent | Kind::Folder => Ok(()),
        kind => Err(wrong_kind(part, kind, "a folder")),
    }
}

fn expect_file(part: &str, entry: Entry) -> Result<(), Error> {
    match entry.kind {
        Kind::Absent | Kind::File => Ok(()),
        kind => Err(wrong_kind(part, kind, "a regular file")),
    }
}

fn wrong_kind(part: &str, kind: Kind, expected: &str) -> Error {
    let found = kind.noun();
    let message = format!("{part} is {found}; expected {expected}, and nothing is followed");
    Error::unsafe_path(part.to_owned(), message)
}
