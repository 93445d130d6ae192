//! The files of a checkpoint: its member `snapshot`.

use std::cmp::Ordering;

use super::plan::fact::{
    Bytes, ContentKind, FactSource, PathContent, RecordedPath, octal, of_octal,
};
use crate::json::{Json, Object};
use crate::schema::Shaped;
use crate::str_map::{StrMap, StrSet, order};

/// The member with a line for each file, where there are many.
pub(super) const LINES: &str = "lines";

/// The member with the contents that have several files in them, to which lines refer by their positions.
pub(super) const BUNDLES: &str = "bundles";

/// The fields of a line; the path is the last one, and may have blanks in it.
const FIELDS: usize = 6;

/// The differences from the commit, and the part of them that is kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Snapshot {
    /// Every path that can be brought back.
    pub files: Vec<SnapshotFile>,
    /// The permission bits of folders on the way to them, and of other files that a restore touched, sorted by path.
    pub modes: Vec<(String, u32)>,
    /// The files that are not kept.
    pub left_out: Vec<SnapshotOmission>,
    /// The facts that could not be seen on the host.
    pub notes: Vec<String>,
}

/// A path that differed from the commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SnapshotFile {
    /// Relative to the root, with `/`.
    pub path: String,
    /// Its difference.
    pub change: SnapshotChange,
    /// The content that stood there; `None` where nothing did.
    pub content: Option<PathContent>,
    /// True if some of it was staged.
    pub is_staged: bool,
    /// The content that has this one in it, where it is not stored by itself.
    pub within: Option<BundlePart>,
}

/// A part of a content that was made of several small files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BundlePart {
    /// The content.
    pub sha256: String,
    /// The place of the first byte in it.
    pub offset: u64,
}

impl SnapshotFile {
    /// The SHA-256 of the stored content that it needs.
    pub fn stored_sha256(&self) -> Option<&str> {
        let within = self.within.as_ref().map(|it| it.sha256.as_str());
        within.or_else(|| Some(self.content.as_ref()?.sha256.as_str()))
    }

    /// The order of their paths.
    pub fn by_path(one: &Self, other: &Self) -> Ordering {
        one.path.cmp(&other.path)
    }
}

/// The ways in which a path differs from the commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SnapshotChange {
    /// The commit does not have it.
    Added,
    /// Its bytes, its mode or its kind.
    Modified,
    /// It was not there.
    Deleted,
}

impl SnapshotChange {
    /// As it is stored.
    pub const fn as_str(self) -> &'static str {
        match self {
            SnapshotChange::Added => "added",
            SnapshotChange::Modified => "modified",
            SnapshotChange::Deleted => "deleted",
        }
    }
}

/// A path that is not kept.
#[derive(Clone, Debug, PartialEq, Eq, Shaped)]
#[shape(name = "LeftOutOfSession")]
pub struct SnapshotOmission {
    /// Relative to the root.
    pub path: String,
    /// Why, as it goes on after the path.
    pub reason: String,
}

impl SnapshotOmission {
    /// The order of their paths.
    pub fn by_path(one: &Self, other: &Self) -> Ordering {
        one.path.cmp(&other.path)
    }
}

impl Snapshot {
    /// The snapshot of a document, where it has one. A part in another form than this product's counts as
    /// absent.
    pub fn of(document: &Object) -> Option<Snapshot> {
        let snapshot = document.get("snapshot")?.as_object()?;
        let objects = |key: &str| {
            let list = snapshot.get(key).and_then(Json::as_array);
            let list = list.unwrap_or_default().iter();
            list.filter_map(Json::as_object)
        };
        let notes = snapshot.get("notes").and_then(Json::as_array);
        let notes = notes.unwrap_or_default().iter().filter_map(Json::as_str);
        Some(Snapshot {
            files: files_of_lines(snapshot)
                .unwrap_or_else(|| objects("files").filter_map(file).collect()),
            modes: in_order(objects("modes").filter_map(mode).collect()),
            left_out: objects("left_out").filter_map(left_out).collect(),
            notes: notes.map(str::to_owned).collect(),
        })
    }

    /// Says of paths that nothing is there, where it says nothing of them yet.
    pub fn mark_absent(&mut self, paths: &[&str]) {
        let known: StrSet<'_> = self.files.iter().map(|it| it.path.as_str()).collect();
        let new = paths.iter().filter(|it| !known.contains(it));
        let new: Vec<SnapshotFile> = new
            .map(|path| SnapshotFile {
                path: (*path).to_owned(),
                change: SnapshotChange::Deleted,
                content: None,
                is_staged: false,
                within: None,
            })
            .collect();
        self.files.extend(new);
        self.files.sort_by(SnapshotFile::by_path);
    }

    /// Says of these paths what an earlier snapshot says of them, and nothing where that says nothing.
    pub fn take_over(&mut self, earlier: &Snapshot, paths: &[&str]) {
        let paths: StrSet<'_> = paths.iter().copied().collect();
        self.files.retain(|it| !paths.contains(&it.path));
        self.left_out.retain(|it| !paths.contains(&it.path));
        let files = earlier.files.iter();
        let files = files.filter(|it| paths.contains(&it.path));
        self.files.extend(files.cloned());
        let left_out = earlier.left_out.iter();
        let left_out = left_out.filter(|it| paths.contains(&it.path));
        self.left_out.extend(left_out.cloned());
        // A mode that was set since then is no earlier mode.
        let known: StrSet<'_> = earlier.modes.iter().map(|(it, _)| it.as_str()).collect();
        let modes = self.modes.iter().filter(|(it, _)| !known.contains(it));
        let modes = modes.chain(&earlier.modes).cloned();
        self.modes = in_order(modes.collect());
        self.files.sort_by(SnapshotFile::by_path);
        self.left_out.sort_by(SnapshotOmission::by_path);
    }

    /// Returns whether something that differed is not in it.
    pub fn is_partial(&self) -> bool {
        !self.left_out.is_empty()
    }

    /// The paths that were left out.
    pub fn unkept(&self) -> Unkept<'_> {
        Unkept(self.left_out.iter().map(|it| it.path.as_str()).collect())
    }

    /// As it is stored.
    pub fn to_object(&self) -> Object {
        let files: Vec<Json> = self.files.iter().map(|it| stored(it).into()).collect();
        let mut object = Object::new()
            .with("partial", self.is_partial())
            .with("files", files);
        if !self.modes.is_empty() {
            let modes = self.modes.iter().map(|(path, bits)| {
                let line = Object::new()
                    .with("path", path.as_str())
                    .with("mode", octal(*bits));
                Json::from(line)
            });
            object.set("modes", modes.collect::<Vec<_>>());
        }
        if !self.left_out.is_empty() {
            let left_out = self.left_out.iter().map(|it| {
                let line = Object::new()
                    .with("path", it.path.as_str())
                    .with("reason", it.reason.as_str());
                Json::from(line)
            });
            object.set("left_out", left_out.collect::<Vec<_>>());
        }
        if !self.notes.is_empty() {
            object.set("notes", self.notes.clone());
        }
        object
    }

    /// The SHA-256 of every stored content that it needs.
    pub fn contents(&self) -> Vec<&str> {
        let files = self.files.iter();
        files.filter_map(SnapshotFile::stored_sha256).collect()
    }

    /// Returns what it says of a path; its files are sorted.
    pub fn find(&self, path: &str) -> Option<&SnapshotFile> {
        let at = self.files.binary_search_by(|it| it.path.as_str().cmp(path));
        Some(&self.files[at.ok()?])
    }

    /// Returns the recorded state, for a plan. `lost` gives the reason why a content cannot be had,
    /// by its SHA-256.
    ///
    /// A file that was saved below a path whose own file had been replaced by a folder is kept with it (see
    /// [`Snapshot::take_over`]); only one of the two can stand, and that is the path's own.
    pub fn recorded<'a>(&'a self, lost: &StrMap<'a, &'a str>) -> Vec<RecordedPath<'a>> {
        let standing = self.files.iter().filter(|file| file.content.is_some());
        let standing: StrSet<'_> = standing.map(|file| file.path.as_str()).collect();
        let is_below_file = |path: &str| {
            let mut folders = path.match_indices('/').map(|(at, _)| &path[..at]);
            folders.any(|folder| standing.contains(folder))
        };
        let files = self.files.iter().map(|file| {
            let content = file.content.as_ref();
            let content = content.filter(|_| !is_below_file(&file.path));
            let stored = content.and_then(|_| file.stored_sha256());
            let why = stored.and_then(|it| lost.get(it));
            RecordedPath {
                path: &file.path,
                content: content.cloned(),
                source: FactSource::Snapshot,
                bytes: why.map_or(Bytes::Available, |why| Bytes::Lost(why)),
            }
        });
        let left_out = self.left_out.iter().map(|it| RecordedPath {
            path: &it.path,
            // Its earlier content is unknown.
            content: Some(PathContent {
                kind: ContentKind::File,
                is_executable: None,
                permissions: None,
                size: 0,
                sha256: String::new(),
            }),
            source: FactSource::Snapshot,
            bytes: Bytes::LeftOut(&it.reason),
        });
        files.chain(left_out).collect()
    }
}

/// The paths that a snapshot left out.
#[derive(Debug)]
pub struct Unkept<'a>(StrSet<'a>);

impl Unkept<'_> {
    /// Returns the path, or the folder that contains it, which was left out.
    pub fn above<'p>(&self, path: &'p str) -> Option<&'p str> {
        let folders = path.match_indices('/').map(|(at, _)| &path[..at]);
        let mut all = folders.chain([path]);
        all.rfind(|it| self.0.contains(it))
    }
}

fn stored(file: &SnapshotFile) -> Object {
    let mut object = Object::new()
        .with("path", file.path.as_str())
        .with("change", file.change.as_str());
    if let Some(content) = &file.content {
        let kind = match content.kind {
            ContentKind::File => "file",
            ContentKind::Link => "link",
        };
        object.set("kind", kind);
        if let Some(is_executable) = content.is_executable {
            object.set("executable", is_executable);
        }
        if let Some(bits) = content.permissions {
            object.set("mode", octal(bits));
        }
        object.set("size", content.size);
        object.set("sha256", content.sha256.as_str());
    }
    if file.is_staged {
        object.set("staged", true);
    }
    if let Some(BundlePart { sha256, offset }) = &file.within {
        object.set("within", sha256.as_str());
        object.set("offset", *offset);
    }
    object
}

fn file(object: &Object) -> Option<SnapshotFile> {
    let text = |key: &str| object.get(key)?.as_str();
    let change = match text("change")? {
        "added" => SnapshotChange::Added,
        "modified" => SnapshotChange::Modified,
        "deleted" => SnapshotChange::Deleted,
        _ => return None,
    };
    let kind = match text("kind") {
        Some("link") => Some(ContentKind::Link),
        Some(_) => Some(ContentKind::File),
        None => None,
    };
    let content = kind.map(|kind| PathContent {
        kind,
        is_executable: object.get("executable").and_then(Json::as_bool),
        permissions: text("mode").and_then(of_octal),
        size: object
            .get("size")
            .and_then(Json::as_u64)
            .unwrap_or_default(),
        sha256: text("sha256").unwrap_or_default().to_owned(),
    });
    Some(SnapshotFile {
        path: text("path")?.to_owned(),
        change,
        content,
        is_staged: object.get("staged").and_then(Json::as_bool) == Some(true),
        within: text("within").map(|sha256| BundlePart {
            sha256: sha256.to_owned(),
            offset: object
                .get("offset")
                .and_then(Json::as_u64)
                .unwrap_or_default(),
        }),
    })
}

/// Modes sorted by their paths, of each path the first.
pub fn in_order(modes: Vec<(String, u32)>) -> Vec<(String, u32)> {
    let paths: Vec<&str> = modes.iter().map(|(path, _)| path.as_str()).collect();
    let ordered = order(&paths).into_iter().map(|at| modes[at].clone());
    let mut ordered: Vec<(String, u32)> = ordered.collect();
    ordered.dedup_by(|later, first| later.0 == first.0);
    ordered
}

fn mode(object: &Object) -> Option<(String, u32)> {
    let path = object.get("path")?.as_str()?;
    let bits = of_octal(object.get("mode")?.as_str()?)?;
    Some((path.to_owned(), bits))
}

fn left_out(object: &Object) -> Option<SnapshotOmission> {
    Some(SnapshotOmission {
        path: object.get("path")?.as_str()?.to_owned(),
        reason: object.get("reason")?.as_str()?.to_owned(),
    })
}

/// The change, the kind, whether it is executable, and whether it is staged.
pub(super) fn kind_letters(file: &SnapshotFile) -> String {
    let change = match file.change {
        SnapshotChange::Added => 'a',
        SnapshotChange::Modified => 'm',
        SnapshotChange::Deleted => 'd',
    };
    let content = file.content.as_ref();
    let kind = match content.map(|it| it.kind) {
        Some(ContentKind::File) => 'f',
        Some(ContentKind::Link) => 'l',
        None => '-',
    };
    let executable = match content.and_then(|it| it.is_executable) {
        Some(true) => 'x',
        Some(false) => 'n',
        None => '-',
    };
    let staged = if file.is_staged { 's' } else { '-' };
    [change, kind, executable, staged].iter().collect()
}

/// The file that such letters and the other facts say.
pub(super) fn listed(
    letters: &str,
    path: &str,
    (bits, size): (&str, &str),
    (sha256, within): (&str, &str),
) -> Option<SnapshotFile> {
    let &[change, kind, executable, staged] = letters.as_bytes() else {
        return None;
    };
    let change = match change {
        b'a' => SnapshotChange::Added,
        b'm' => SnapshotChange::Modified,
        b'd' => SnapshotChange::Deleted,
        _ => return None,
    };
    let kind = match kind {
        b'f' => Some(ContentKind::File),
        b'l' => Some(ContentKind::Link),
        _ => None,
    };
    let content = match kind {
        Some(kind) => Some(PathContent {
            kind,
            is_executable: match executable {
                b'x' => Some(true),
                b'n' => Some(false),
                _ => None,
            },
            permissions: of_octal(bits),
            size: size.parse().ok()?,
            sha256: sha256.to_owned(),
        }),
        None => None,
    };
    let within = match within.split_once(':') {
        Some((sha256, offset)) => Some(BundlePart {
            sha256: sha256.to_owned(),
            offset: offset.parse().ok()?,
        }),
        None => None,
    };
    Some(SnapshotFile {
        path: path.to_owned(),
        change,
        content,
        is_staged: staged == b's',
        within,
    })
}

/// The files that lines of text say, which may be parts of these contents: see
/// [`listing_lines`](super::listing_lines). `None` where there are no lines.
fn files_of_lines(snapshot: &Object) -> Option<Vec<SnapshotFile>> {
    let lines = snapshot.get(LINES)?.as_array()?;
    let bundles = snapshot.get(BUNDLES).and_then(Json::as_array);
    let bundles = bundles.unwrap_or_default();
    let files = lines
        .iter()
        .filter_map(|it| file_of_line(it.as_str()?, bundles));
    Some(files.collect())
}

fn file_of_line(line: &str, bundles: &[Json]) -> Option<SnapshotFile> {
    let fields: Vec<&str> = line.splitn(FIELDS, ' ').collect();
    let &[letters, bits, size, sha256, within, path] = fields.as_slice() else {
        return None;
    };
    let within = match within.split_once(':') {
        Some((at, offset)) => {
            let bundle = bundles.get(at.parse::<usize>().ok()?)?.as_str()?;
            [bundle, ":", offset].concat()
        }
        None => within.to_owned(),
    };
    listed(letters, path, (bits, size), (sha256, &within))
}

#[cfg(test)]
#[path = "snapshot_tests.rs"]
mod tests;
