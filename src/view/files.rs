//! The files of the page, in memory: what frames brought, and what effects are answered with.
//!
//! A file that an effect asks for and that was not brought is noted as wanted. Such an effect fails, and what the
//! operation comes to then is of no account: it is asked again once the source has brought that.

use crate::effect::{Effect, Fault, Links, Outcome, PathEntry, PathKind, Scanned};
use crate::str_map;

use super::frames::{Frame, KnownContent};
use super::missing_files::{FileRequest, MissingFiles};
use super::node::{
    FileNode, FolderListing, FolderNode, PathNode, entry, folder, unchanged_content,
};

/// The root as the core sees it. Messages name paths below it.
pub(super) const ROOT: &str = "/project";

/// No folder of the store is as deep; a deeper path would only cost stack.
const MAX_DEPTH: usize = 64;

/// So much of what is stored beside a wanted file is wanted with it: an operation that reads one revision reads others.
const TOGETHER_BYTES: u64 = 16 << 20;

/// Files and folders by their paths, and what was asked for in vain.
#[derive(Debug, Default)]
pub(super) struct ViewFiles {
    root: FolderNode,
    pub(super) now_ms: u64,
    missing: MissingFiles,
}

/// The thing that a path leads to.
enum Lookup<'a> {
    Node(&'a PathNode),
    Root(&'a FolderNode),
    Absent,
    /// Unknown before this folder is listed.
    Unknown(String),
}

impl ViewFiles {
    /// Takes over what a frame says of a file or a folder.
    pub(super) fn apply(&mut self, frame: Frame) {
        match frame {
            Frame::File {
                path,
                modified_ms,
                id,
                content,
            } => self.put(&path, |node| {
                let unchanged =
                    node.and_then(|node| unchanged_content(node, modified_ms, &content));
                PathNode::File(FileNode {
                    modified_ms,
                    id,
                    content: unchanged.unwrap_or(content),
                })
            }),
            Frame::Link { path } => self.put(&path, |_| PathNode::Link),
            Frame::Folder { path, id, fault } => self.put(&path, |node| {
                let listing = fault.map_or(FolderListing::Unknown, FolderListing::Unreadable);
                PathNode::Folder(FolderNode {
                    listing,
                    id,
                    ..folder(node)
                })
            }),
            Frame::Listed { path } => self.put(&path, |node| {
                PathNode::Folder(FolderNode {
                    listing: FolderListing::Complete,
                    ..folder(node)
                })
            }),
            Frame::Gone { path } => self.remove(&path),
            Frame::Meta(_) | Frame::Done => {}
        }
    }

    /// Puts a file where the core looks for it that no source lists.
    pub(super) fn make(&mut self, path: &str, bytes: Vec<u8>) {
        self.put(path, |_| {
            PathNode::File(FileNode {
                modified_ms: 0,
                id: None,
                content: KnownContent::Here(bytes),
            })
        });
    }

    /// The bytes of a file, where they are there.
    pub(super) fn bytes(&self, path: &str) -> Option<&[u8]> {
        match self.lookup(path) {
            Lookup::Node(PathNode::File(FileNode {
                content: KnownContent::Here(bytes),
                ..
            })) => Some(bytes),
            _ => None,
        }
    }

    /// Returns the size of a file in bytes, if it is one.
    pub(super) fn size(&self, path: &str) -> Option<u64> {
        match self.lookup(path) {
            // The reader determines what stands in its place.
            Lookup::Node(PathNode::File(file)) => Some(file.content.size()),
            Lookup::Node(_) => Some(0),
            Lookup::Root(_) | Lookup::Absent | Lookup::Unknown(_) => None,
        }
    }

    /// Returns whether a folder is there of which all entries are known.
    pub(super) fn is_listed(&self, path: &str) -> bool {
        let listing = match self.lookup(path) {
            Lookup::Root(folder) | Lookup::Node(PathNode::Folder(folder)) => &folder.listing,
            _ => return false,
        };
        matches!(listing, FolderListing::Complete)
    }

    /// Returns whether anything was asked for in vain.
    pub(super) fn lacks(&self) -> bool {
        !self.missing.is_empty()
    }

    /// Takes the requests made in vain, which are then forgotten.
    pub(super) fn take_lacks(&mut self) -> MissingFiles {
        std::mem::take(&mut self.missing)
    }

    /// Asks for it again.
    pub(super) fn request_again(&mut self, lacks: &MissingFiles) {
        self.missing.files.extend_from_slice(&lacks.files);
        self.missing.folders.extend_from_slice(&lacks.folders);
    }

    /// The names in a folder, as far as they are known, in their order.
    pub(super) fn names(&self, path: &str) -> Vec<String> {
        let folder = match self.lookup(path) {
            Lookup::Root(folder) | Lookup::Node(PathNode::Folder(folder)) => folder,
            _ => return Vec::new(),
        };
        folder.entries.keys().cloned().collect()
    }

    /// Takes the requests made in vain since the last call, each once, with what is stored beside each.
    pub(super) fn take_requests(&mut self) -> Vec<FileRequest> {
        let missing = std::mem::take(&mut self.missing);
        let mut requests = Vec::new();
        let mut left = TOGETHER_BYTES;
        for path in str_map::sort(missing.folders) {
            if let Lookup::Node(PathNode::Folder(folder)) = self.lookup(&path)
                && requests
                    .last()
                    .is_none_or(|request: &FileRequest| request.path != path)
            {
                requests.push(FileRequest::folder(path, folder.id.clone()));
            }
        }
        let files = str_map::sort(missing.files);
        let above = |path: &str| path.rfind('/').map_or(0, |end| end);
        for siblings in files.chunk_by(|a, b| a[..above(a)] == b[..above(b)]) {
            if let Some(first) = siblings.first() {
                self.together(&first[..above(first)], siblings, &mut left, &mut requests);
            }
        }
        requests
    }

    /// The wanted files of a folder, and the others that were not brought either, as far as they fit.
    fn together(
        &self,
        above: &str,
        siblings: &[String],
        left: &mut u64,
        requests: &mut Vec<FileRequest>,
    ) {
        let folder = match self.lookup(above) {
            Lookup::Root(folder) | Lookup::Node(PathNode::Folder(folder)) => folder,
            _ => return,
        };
        for (name, node) in &folder.entries {
            if let PathNode::File(file) = node
                && let KnownContent::Sized(size) = file.content
            {
                let path = join(above, name);
                if siblings.binary_search(&path).is_err() {
                    if size > *left {
                        continue;
                    }
                    *left -= size;
                }
                requests.push(FileRequest::file(path, file.id.clone()));
            }
        }
    }

    /// Performs one effect, as a read-only file system does.
    pub(super) fn perform(&mut self, effect: Effect) -> Outcome {
        match effect {
            Effect::Clock => Outcome::Clock {
                wall_ms: self.now_ms as f64,
                monotonic_ms: self.now_ms as f64,
            },
            Effect::Wait { .. } => Outcome::Done,
            Effect::Ascend { from, name } => self.ascend(&from, &name),
            Effect::Inspect { paths } => {
                let entries = paths.iter().map(|path| self.entry(below_root(path)));
                Outcome::Entries(entries.collect())
            }
            Effect::Read { path, limit, links } => {
                self.read(&path, 0, Limit::Most(u64::from(limit)), links)
            }
            Effect::ReadStart { path, limit } => {
                self.read(&path, 0, Limit::Cut(limit), Links::Follow)
            }
            Effect::Part {
                path,
                offset,
                length,
                links,
            } => self.read(&path, offset, Limit::Cut(length), links),
            Effect::List { path, limit } => self.list(&path, limit),
            Effect::Scan { folder, limit } => self.scan(&folder, limit),
            Effect::ReadLink { .. } => failed(Fault::WrongKind),
            // Git and streams are no part of a page, nor is chance, which only writers need. What distinguishes a
            // file from other states of it would only serve a hint that is not kept here.
            Effect::Survey { .. }
            | Effect::Random { .. }
            | Effect::Git { .. }
            | Effect::Print { .. }
            | Effect::Input { .. }
            | Effect::CountTokens { .. }
            | Effect::ReadRecord { .. }
            | Effect::SwapRecord(_)
            | Effect::ListRecords { .. } => failed(Fault::Unsupported),
            Effect::MakeFolder { .. }
            | Effect::Create { .. }
            | Effect::Append { .. }
            | Effect::Symlink { .. }
            | Effect::Rename { .. }
            | Effect::Link { .. }
            | Effect::Remove { .. }
            | Effect::RemoveFolder { .. }
            | Effect::Restrict { .. }
            | Effect::SetMode { .. }
            | Effect::SyncFolder { .. } => Outcome::Failed {
                fault: Fault::Denied,
                detail: "EROFS: read-only file system".to_owned(),
            },
        }
    }

    /// The root is as far up as anything is known.
    fn ascend(&mut self, from: &str, name: &str) -> Outcome {
        let from = below_root(from);
        let mut folder = from;
        loop {
            let path = join(folder, name);
            let kind = self.entry(&path).kind;
            if kind != PathKind::Absent {
                let below = from.strip_prefix(folder).unwrap_or_default();
                return Outcome::Found {
                    folder: join(ROOT, folder).trim_end_matches('/').to_owned(),
                    below: below.trim_start_matches('/').to_owned(),
                    kind,
                };
            }
            match folder.rfind('/') {
                _ if folder.is_empty() => return failed(Fault::NotFound),
                Some(end) => folder = &folder[..end],
                None => folder = "",
            }
        }
    }

    fn entry(&mut self, path: &str) -> PathEntry {
        match self.lookup(path) {
            Lookup::Root(_) => entry(PathKind::Folder, 0),
            Lookup::Node(node) => node.entry(),
            Lookup::Absent => entry(PathKind::Absent, 0),
            Lookup::Unknown(folder) => {
                self.missing.folders.push(folder);
                entry(PathKind::Absent, 0)
            }
        }
    }

    fn read(&mut self, path: &str, offset: u64, limit: Limit, links: Links) -> Outcome {
        let path = below_root(path);
        match self.lookup(path) {
            Lookup::Node(PathNode::File(file)) => match (&file.content, limit) {
                (content, Limit::Most(most)) if content.size() > most => failed(Fault::TooLarge),
                (KnownContent::Here(bytes), Limit::Most(_)) => Outcome::Bytes(bytes.clone()),
                (KnownContent::Here(bytes), Limit::Cut(length)) => {
                    let start = usize::try_from(offset)
                        .unwrap_or(usize::MAX)
                        .min(bytes.len());
                    let rest = &bytes[start..];
                    Outcome::Bytes(rest[..rest.len().min(length as usize)].to_owned())
                }
                (KnownContent::Unreadable(_, fault), _) => failed(*fault),
                (KnownContent::Sized(_), _) => {
                    self.missing.files.push(path.to_owned());
                    not_brought()
                }
            },
            Lookup::Root(_) | Lookup::Node(PathNode::Folder(_)) => failed(Fault::WrongKind),
            Lookup::Node(PathNode::Link) => failed(match links {
                Links::Refuse => Fault::Symlink,
                Links::Follow => Fault::NotFound,
            }),
            Lookup::Absent => failed(Fault::NotFound),
            Lookup::Unknown(folder) => {
                self.missing.folders.push(folder);
                not_brought()
            }
        }
    }

    /// The folder at a path, if its names are known.
    fn listed(&mut self, path: &str) -> Result<&FolderNode, Outcome> {
        let path = below_root(path);
        let unknown = match self.lookup(path) {
            Lookup::Root(_) => None,
            Lookup::Node(PathNode::Folder(folder)) => match folder.listing {
                FolderListing::Implied | FolderListing::Complete => None,
                FolderListing::Unknown => Some(path.to_owned()),
                FolderListing::Unreadable(fault) => return Err(failed(fault)),
            },
            Lookup::Node(PathNode::File(_)) => return Err(failed(Fault::WrongKind)),
            Lookup::Node(PathNode::Link) => return Err(failed(Fault::Symlink)),
            Lookup::Absent => return Err(failed(Fault::NotFound)),
            Lookup::Unknown(folder) => Some(folder),
        };
        if let Some(folder) = unknown {
            self.missing.folders.push(folder);
            return Err(not_brought());
        }
        match self.lookup(path) {
            Lookup::Root(folder) | Lookup::Node(PathNode::Folder(folder)) => Ok(folder),
            _ => Err(failed(Fault::NotFound)),
        }
    }

    fn list(&mut self, path: &str, limit: u32) -> Outcome {
        match self.listed(path) {
            Ok(folder) => Outcome::Names {
                names: folder
                    .entries
                    .keys()
                    .take(limit as usize)
                    .cloned()
                    .collect(),
                complete: folder.entries.len() < limit as usize,
            },
            Err(outcome) => outcome,
        }
    }

    fn scan(&mut self, path: &str, limit: u32) -> Outcome {
        match self.listed(path) {
            Ok(folder) => {
                let entries = folder.entries.iter().take(limit as usize);
                let scanned = entries.map(|(name, node)| Scanned {
                    name: name.clone(),
                    entry: node.entry(),
                    modified_ms: node.modified_ms(),
                    changed_ms: f64::NAN,
                    number: 0,
                });
                Outcome::Scanned {
                    entries: scanned.collect(),
                    complete: folder.entries.len() <= limit as usize,
                }
            }
            Err(outcome) => outcome,
        }
    }

    fn lookup(&self, path: &str) -> Lookup<'_> {
        let mut folder = &self.root;
        let mut above = String::new();
        let mut parts = parts(path).peekable();
        while let Some(part) = parts.next() {
            let Some(node) = folder.entries.get(part) else {
                return match folder.listing {
                    FolderListing::Unknown => Lookup::Unknown(above),
                    _ => Lookup::Absent,
                };
            };
            if parts.peek().is_none() {
                return Lookup::Node(node);
            }
            let PathNode::Folder(next) = node else {
                return Lookup::Absent;
            };
            above = join(&above, part);
            folder = next;
        }
        Lookup::Root(&self.root)
    }

    /// Puts something at a path, made of what is there, and the folders above it.
    fn put(&mut self, path: &str, make: impl FnOnce(Option<PathNode>) -> PathNode) {
        let parts: Vec<&str> = parts(path).collect();
        let Some((name, above)) = parts.split_last().filter(|_| parts.len() <= MAX_DEPTH) else {
            return;
        };
        let mut folder = &mut self.root;
        for part in above {
            if !matches!(folder.entries.get(*part), Some(PathNode::Folder(_))) {
                // A folder whose names are not known has no known folders in it either.
                let listing = match folder.listing {
                    FolderListing::Unknown => FolderListing::Unknown,
                    _ => FolderListing::Implied,
                };
                let made = PathNode::Folder(FolderNode {
                    listing,
                    ..FolderNode::default()
                });
                folder.entries.insert((*part).to_owned(), made);
            }
            let Some(PathNode::Folder(next)) = folder.entries.get_mut(*part) else {
                return;
            };
            folder = next;
        }
        match folder.entries.get_mut(*name) {
            Some(node) => {
                let before = std::mem::replace(node, PathNode::Link);
                *node = make(Some(before));
            }
            None => drop(folder.entries.insert((*name).to_owned(), make(None))),
        }
    }

    pub(super) fn remove(&mut self, path: &str) {
        let parts: Vec<&str> = parts(path).collect();
        let Some((name, above)) = parts.split_last() else {
            self.root = FolderNode::default();
            return;
        };
        let mut folder = &mut self.root;
        for part in above {
            match folder.entries.get_mut(*part) {
                Some(PathNode::Folder(next)) => folder = next,
                _ => return,
            }
        }
        folder.entries.remove(*name);
    }
}

/// The part of a file that is read.
#[derive(Clone, Copy)]
enum Limit {
    /// All of it, if that is no more.
    Most(u64),
    /// So much of it.
    Cut(u32),
}

fn failed(fault: Fault) -> Outcome {
    let detail = match fault {
        Fault::NotFound => "ENOENT: no such file or directory",
        Fault::Symlink => "ELOOP: too many symbolic links encountered",
        Fault::Denied => "EACCES: permission denied",
        Fault::Unsupported => "a page has no such thing",
        Fault::Other => "EIO: i/o error",
        _ => "",
    };
    Outcome::Failed {
        fault,
        detail: detail.to_owned(),
    }
}

fn not_brought() -> Outcome {
    Outcome::Failed {
        fault: Fault::Other,
        detail: "it was not brought yet".to_owned(),
    }
}

/// A path of the core, as the frames have it.
fn below_root(path: &str) -> &str {
    let below = path.strip_prefix(ROOT).unwrap_or(path);
    below.trim_start_matches('/')
}

fn parts(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter(|part| !matches!(*part, "" | "."))
}

fn join(above: &str, below: &str) -> String {
    match (above, below) {
        ("", path) | (path, "") => path.to_owned(),
        _ => [above, "/", below].concat(),
    }
}
