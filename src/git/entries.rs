//! The index read whole: what it says of every path (gitformat-index, versions 2 to 4).
//!
//! A whole index is walked once where it is opened, so that a walk through its entries meets no
//! broken one; who needs each of them once has them shown on that walk. Memory is that of one path. The checksum is
//! not verified, as in [`super::index`].

use super::bytes::ByteCursor;
use super::id::{Hash, Id};
use super::index::{EXTENDED, FOLDER_MODE, STAT_BYTES, entry, header, shared};
use super::unreadable::Unreadable;

/// An index that was found whole.
#[derive(Clone, Debug)]
pub struct GitIndex<'a> {
    version: u32,
    hash: Hash,
    count: u32,
    entries: &'a [u8],
    trees: Option<&'a [u8]>,
    /// The name of the shared index in the same folder, when this one is split. Then these entries
    /// are not the whole: an empty path stands for a path of the shared index, and which paths of it
    /// are gone or replaced is not read here.
    pub shared: Option<String>,
    /// True if entries can be folders, which stand for all below them (mode 040000, and a path that
    /// ends in `/`).
    pub is_sparse: bool,
}

/// The entry of one path in the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IndexEntry<'e> {
    /// From the top of the worktree, with `/`. Any bytes but NUL.
    pub path: &'e [u8],
    /// The object that is staged there.
    pub id: Id,
    /// 100644, 100755, 120000 (symbolic link), 160000 (submodule) or, where the index is sparse,
    /// 040000, in octal.
    pub mode: u32,
    /// 0, or in a merge that has conflicts 1 (base), 2 (ours), 3 (theirs).
    pub stage: u8,
    /// The low 32 bits of the file's size when it was last seen to be the same; 0 where git wants it
    /// to be looked at again.
    pub size: u32,
    /// The time at which the file's inode changed (ctime).
    pub changed: IndexTime,
    /// The time at which the file's bytes changed (mtime). Where this is not before the time of
    /// the index file itself, a later change may have left it as it is.
    pub modified: IndexTime,
    /// The low 32 bits of the file's number (inode); 0 on systems where git has none.
    pub number: u32,
    /// `git update-index --assume-unchanged`.
    pub assume_unchanged: bool,
    /// Not in the worktree, because a sparse checkout leaves it out.
    pub skip_worktree: bool,
    /// `git add --intent-to-add`: nothing is staged yet.
    pub intent_to_add: bool,
}

/// A time as the index has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct IndexTime {
    /// The low 32 bits of the seconds since 1970.
    pub seconds: u32,
    /// Nanoseconds, or 0 where git was built without them.
    pub nanoseconds: u32,
}

/// A folder whose staged content git has written as a tree, or once had (the extension `TREE`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CachedTree {
    /// The folder's path with a final `/`; empty for the top.
    pub path: Vec<u8>,
    /// The number of entries of the index below it, and the tree that they make. `None` where an
    /// entry below it was changed since.
    pub tree: Option<(u32, Id)>,
}

/// The longest path that is read. No system opens one of half that length.
const LONGEST_PATH: usize = 8 << 10;
/// So many bytes of folders' paths are kept: a hundred for each of half a million.
const MOST_PATHS: usize = 64 << 20;
/// In the flags: the file is taken for unchanged.
const ASSUME_UNCHANGED: u16 = 0x8000;
/// In the additional flags, since version 3.
const SKIP_WORKTREE: u16 = 0x4000;
const INTENT_TO_ADD: u16 = 0x2000;
/// In the flags: the two bits of the stage.
const STAGE_AT: u16 = 12;

impl<'a> GitIndex<'a> {
    /// Opens an index, or a shared one.
    ///
    /// An index does not say how its ids are made. Without `hash`, either is tried, as
    /// [`super::index`] describes.
    ///
    /// # Errors
    ///
    /// [`Unreadable::Malformed`] when the bytes are no whole index, or its entries are not in order;
    /// [`Unreadable::TooLarge`] for a path beyond 8 KiB.
    pub fn open(bytes: &'a [u8], hash: Option<Hash>) -> Result<Self, Unreadable> {
        let mut opened = Err(Unreadable::Malformed);
        for tried in Hash::ALL {
            if hash.is_none_or(|it| it == tried) && opened.is_err() {
                opened = GitIndex::show(bytes, tried, |_| {});
            }
        }
        opened
    }

    /// Opens an index whose ids this hash makes, and shows each of its entries on the way.
    ///
    /// # Errors
    ///
    /// As [`GitIndex::open`]. Then those that were shown are of no use.
    pub fn show(
        bytes: &'a [u8],
        hash: Hash,
        show: impl FnMut(&IndexEntry<'_>),
    ) -> Result<Self, Unreadable> {
        let malformed = Unreadable::Malformed;
        let end = bytes.len().checked_sub(hash.bytes()).ok_or(malformed)?;
        let mut rest = ByteCursor(&bytes[..end]);
        let (version, count) = header(&mut rest).ok_or(malformed)?;
        let mut index = GitIndex {
            version,
            hash,
            count,
            entries: rest.0,
            trees: None,
            shared: None,
            is_sparse: false,
        };
        let mut entries = index.entries();
        let has_nameless = entries.check(show)?;
        index.extensions(entries.rest).ok_or(malformed)?;
        match has_nameless && index.shared.is_none() {
            true => Err(malformed),
            false => Ok(index),
        }
    }

    fn extensions(&mut self, mut rest: ByteCursor<'a>) -> Option<()> {
        while !rest.0.is_empty() {
            let name = rest.take(4)?;
            let length = usize::try_from(rest.number()?).ok()?;
            let data = rest.take(length)?;
            match name {
                b"link" => self.shared = shared(data.get(..self.hash.bytes())?),
                b"sdir" => self.is_sparse = true,
                b"TREE" => self.trees = Some(data),
                // Git's rule: a capital letter marks what a reader may skip.
                _ if name[0].is_ascii_uppercase() => {}
                _ => return None,
            }
        }
        Some(())
    }

    /// 2, 3 or 4.
    pub fn version(&self) -> u32 {
        self.version
    }

    /// The hash that makes its ids.
    pub fn hash(&self) -> Hash {
        self.hash
    }

    /// Returns the number of its entries.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// Its entries from the first on: in the order of their paths' bytes, then of their stages.
    pub fn entries(&self) -> Entries<'a> {
        Entries {
            rest: ByteCursor(self.entries),
            left: self.count,
            version: self.version,
            hash: self.hash,
            path: Vec::new(),
        }
    }

    /// The folders of which it knows trees, each before those below it; none where git keeps none.
    ///
    /// A folder with the same tree as in a commit has nothing staged below it.
    ///
    /// # Errors
    ///
    /// [`Unreadable::Malformed`] when the extension is not what git writes, which says nothing
    /// against the entries; [`Unreadable::TooLarge`] for a path beyond 8 KiB.
    pub fn trees(&self) -> Result<Vec<CachedTree>, Unreadable> {
        match self.trees {
            Some(bytes) => cached(ByteCursor(bytes), self.hash),
            None => Ok(Vec::new()),
        }
    }
}

/// Goes through the entries of an index.
pub struct Entries<'a> {
    rest: ByteCursor<'a>,
    left: u32,
    version: u32,
    hash: Hash,
    /// Version 4 gives each path as a change to the one before.
    path: Vec<u8>,
}

impl Entries<'_> {
    /// The next entry, which holds until the one after it is asked for.
    pub fn read_next(&mut self) -> Option<IndexEntry<'_>> {
        self.left = self.left.checked_sub(1)?;
        let mut fixed = ByteCursor(self.rest.0);
        let mode = entry(
            &mut self.rest,
            self.version,
            self.hash.bytes(),
            &mut self.path,
        )?;
        let mut stat = ByteCursor(fixed.take(STAT_BYTES)?);
        let (changed, modified) = (time(&mut stat)?, time(&mut stat)?);
        let number = ByteCursor(stat.0.get(NUMBER_AFTER_TIMES..)?).number()?;
        let size = ByteCursor(stat.0.get(SIZE_AFTER_TIMES..)?).number()?;
        let id = Id::new(self.hash, fixed.take(self.hash.bytes())?).ok()?;
        let flags = fixed.short()?;
        let more = match flags & EXTENDED {
            0 => 0,
            _ => fixed.short()?,
        };
        Some(IndexEntry {
            path: &self.path,
            id,
            mode,
            stage: (flags >> STAGE_AT & 3) as u8,
            size,
            changed,
            modified,
            number,
            assume_unchanged: flags & ASSUME_UNCHANGED != 0,
            skip_worktree: more & SKIP_WORKTREE != 0,
            intent_to_add: more & INTENT_TO_ADD != 0,
        })
    }

    /// Goes through all of them. Whether some have no path, as in a split index.
    fn check(&mut self, mut show: impl FnMut(&IndexEntry<'_>)) -> Result<bool, Unreadable> {
        let mut has_nameless = false;
        let mut last = (Vec::new(), 0);
        while self.left > 0 {
            let entry = self.read_next().ok_or(Unreadable::Malformed)?;
            if entry.path.len() > LONGEST_PATH {
                return Err(Unreadable::TooLarge);
            }
            let is_known = matches!(
                entry.mode,
                0o100_644 | 0o100_755 | 0o120_000 | 0o160_000 | FOLDER_MODE
            );
            let is_folder = entry.mode == FOLDER_MODE;
            let is_nameless = entry.path.is_empty();
            let is_in_order = is_nameless || (&last.0[..], last.1) < (entry.path, entry.stage);
            if !is_known || !is_in_order || is_folder != entry.path.ends_with(b"/") {
                return Err(Unreadable::Malformed);
            }
            has_nameless |= is_nameless;
            show(&entry);
            last.0.clear();
            last.0.extend_from_slice(entry.path);
            last.1 = entry.stage;
        }
        Ok(has_nameless)
    }
}

/// After the two times: device, inode, mode, user and group, four bytes each, and then the size.
const SIZE_AFTER_TIMES: usize = 20;
const NUMBER_AFTER_TIMES: usize = 4;

fn time(stat: &mut ByteCursor<'_>) -> Option<IndexTime> {
    Some(IndexTime {
        seconds: stat.number()?,
        nanoseconds: stat.number()?,
    })
}

fn cached(mut rest: ByteCursor<'_>, hash: Hash) -> Result<Vec<CachedTree>, Unreadable> {
    let malformed = Unreadable::Malformed;
    let mut trees = Vec::new();
    let mut path = Vec::new();
    let mut paths = 0;
    // For each folder that is open: how many below it are still to come, and how long its path is.
    let mut open: Vec<(u32, usize)> = Vec::new();
    while !rest.0.is_empty() {
        while open.pop_if(|(left, _)| *left == 0).is_some() {}
        let name = rest.until_nul().ok_or(malformed)?;
        match open.last_mut() {
            Some((left, length)) => {
                *left -= 1;
                path.truncate(*length);
                path.extend_from_slice(name);
                path.push(b'/');
            }
            None if trees.is_empty() && name.is_empty() => {}
            None => return Err(malformed),
        }
        paths += path.len();
        if path.len() > LONGEST_PATH || paths > MOST_PATHS {
            return Err(Unreadable::TooLarge);
        }
        let count = decimal(&mut rest, b' ').ok_or(malformed)?;
        let below = decimal(&mut rest, b'\n').and_then(|it| u32::try_from(it).ok());
        let tree = match u32::try_from(count) {
            Ok(count) => {
                let id = rest.take(hash.bytes()).ok_or(malformed)?;
                Some((count, Id::new(hash, id)?))
            }
            Err(_) => None,
        };
        trees.push(CachedTree {
            path: path.clone(),
            tree,
        });
        open.push((below.ok_or(malformed)?, path.len()));
    }
    match open.iter().all(|(left, _)| *left == 0) {
        true => Ok(trees),
        false => Err(malformed),
    }
}

/// A number in decimal digits, up to `end`, which is skipped.
fn decimal(rest: &mut ByteCursor<'_>, end: u8) -> Option<i64> {
    let length = rest.0.iter().position(|&byte| byte == end)?;
    let digits = std::str::from_utf8(rest.take(length)?).ok()?;
    rest.take(1)?;
    digits.parse().ok()
}

#[cfg(test)]
#[path = "entries_tests.rs"]
mod tests;
