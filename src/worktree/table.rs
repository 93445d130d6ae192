//! The content of the index and of HEAD below the root, path by path.

use std::ops::Range;

use crate::git::entries::{GitIndex, IndexEntry, IndexTime};
use crate::git::id::{Hash, Id};
use crate::git::unreadable::Unreadable;

/// The content of a path in HEAD or in the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoredBlob {
    /// The blob: the bytes of a file as git stores them, or the path in a link. Of a submodule, the
    /// commit.
    pub id: Id,
    /// 100644, 100755, 120000 (symbolic link) or 160000 (submodule), in octal.
    pub mode: u32,
}

/// The mode of a symbolic link, and of a submodule.
pub(crate) const LINK: u32 = 0o120_000;
pub(crate) const SUBMODULE: u32 = 0o160_000;
/// The mode of an executable file.
pub(crate) const EXECUTABLE: u32 = 0o100_755;

impl StoredBlob {
    /// Returns whether it is a symbolic link.
    pub fn is_link(&self) -> bool {
        self.mode == LINK
    }

    /// Returns whether it is another repository.
    pub fn is_submodule(&self) -> bool {
        self.mode == SUBMODULE
    }

    /// Returns whether it is an executable file.
    pub fn is_executable(&self) -> bool {
        self.mode == EXECUTABLE
    }
}

/// One path of the index, or of HEAD alone. A path in conflict has one for each of its stages.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TrackedRow {
    start: u32,
    length: u32,
    pub(crate) id: Id,
    pub(crate) mode: u32,
    pub(crate) size: u32,
    pub(crate) number: u32,
    pub(crate) changed: IndexTime,
    pub(crate) modified: IndexTime,
    pub(crate) tracking: IndexTracking,
    pub(crate) assume_unchanged: bool,
    pub(crate) skip_worktree: bool,
    /// The number of its entry in [`Table::staged`], counted from 1, where HEAD has something else;
    /// else 0.
    pub(crate) staged: u32,
}

/// The ways in which the index has a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IndexTracking {
    Staged,
    /// `git add --intent-to-add`.
    Intended,
    Conflict,
    /// HEAD has it, and the index has not.
    HeadOnly,
}

impl TrackedRow {
    /// Returns the content in the index.
    pub(crate) fn stored(&self) -> StoredBlob {
        StoredBlob {
            id: self.id,
            mode: self.mode,
        }
    }
}

/// The whole table, in the order of the paths' bytes, which are relative to the root.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    paths: Vec<u8>,
    pub(crate) rows: Vec<TrackedRow>,
    /// The content in HEAD where it differs from the index.
    pub(crate) staged: Vec<Option<StoredBlob>>,
}

/// The content of a folder under one name.
#[derive(Clone, Debug)]
pub(crate) struct Child {
    /// The place of the name in the path of each of its rows.
    pub(crate) name: Range<usize>,
    pub(crate) rows: Range<usize>,
    pub(crate) is_folder: bool,
}

/// The rows of one name of a folder: as a file, and as a folder.
#[derive(Clone, Default)]
pub(crate) struct Rows {
    pub(crate) file: Range<usize>,
    pub(crate) folder: Range<usize>,
}

impl Rows {
    pub(crate) fn add(&mut self, child: Option<&Child>) {
        match child {
            Some(child) if child.is_folder => self.folder = child.rows.clone(),
            Some(child) => self.file = child.rows.clone(),
            None => {}
        }
    }

    pub(crate) fn first(&self) -> Option<usize> {
        let mut all = [&self.file, &self.folder].into_iter();
        all.find_map(|rows| (!rows.is_empty()).then_some(rows.start))
    }
}

impl Table {
    /// Reads an index, and the entries of it that are below a folder, which is empty or ends in `/`.
    ///
    /// # Errors
    ///
    /// As [`GitIndex::open`].
    pub(crate) fn read<'a>(
        bytes: &'a [u8],
        hash: Hash,
        below: &[u8],
    ) -> Result<(Table, GitIndex<'a>), Unreadable> {
        let mut table = Table::default();
        let index = GitIndex::show(bytes, hash, |entry| {
            if let Some(path) = entry.path.strip_prefix(below) {
                table.add_entry(path, entry);
            }
        })?;
        Ok((table, index))
    }

    fn add_entry(&mut self, path: &[u8], entry: &IndexEntry<'_>) {
        let (start, length) = self.add(path);
        let tracking = match (entry.stage, entry.intent_to_add) {
            (0, false) => IndexTracking::Staged,
            (0, true) => IndexTracking::Intended,
            _ => IndexTracking::Conflict,
        };
        self.rows.push(TrackedRow {
            start,
            length,
            id: entry.id,
            mode: entry.mode,
            size: entry.size,
            number: entry.number,
            changed: entry.changed,
            modified: entry.modified,
            tracking,
            assume_unchanged: entry.assume_unchanged,
            skip_worktree: entry.skip_worktree,
            staged: 0,
        });
    }

    fn add(&mut self, path: &[u8]) -> (u32, u32) {
        let start = self.paths.len();
        self.paths.extend_from_slice(path);
        // An index is no larger than what this counts.
        (u32::try_from(start).unwrap_or(u32::MAX), path.len() as u32)
    }

    /// The path of a row.
    pub(crate) fn path(&self, row: &TrackedRow) -> &[u8] {
        let start = row.start as usize;
        &self.paths[start..start + row.length as usize]
    }

    /// The rows of one path.
    pub(crate) fn find(&self, path: &[u8]) -> &[TrackedRow] {
        let start = self.rows.partition_point(|row| self.path(row) < path);
        let rows = &self.rows[start..];
        let end = rows.iter().take_while(|row| self.path(row) == path);
        &rows[..end.count()]
    }

    /// Returns whether the index has something at a path, or below it.
    pub(crate) fn tracks(&self, path: &[u8]) -> bool {
        let is_tracked = |row: &TrackedRow| row.tracking != IndexTracking::HeadOnly;
        if self.find(path).iter().any(is_tracked) {
            return true;
        }
        let below = self.below(&[path, b"/"].concat());
        self.rows[below].iter().any(is_tracked)
    }

    /// The rows below a folder, whose path ends in `/`.
    pub(crate) fn below(&self, folder: &[u8]) -> Range<usize> {
        let start = self.rows.partition_point(|row| self.path(row) < folder);
        let below = self.rows[start..].partition_point(|row| self.path(row).starts_with(folder));
        start..start + below
    }

    /// The names in a folder, of which these are all rows, and whose path has this length with its `/`.
    pub(crate) fn children(&self, rows: Range<usize>, length: usize) -> Vec<Child> {
        let mut children: Vec<Child> = Vec::new();
        let mut at = rows.start;
        while at < rows.end {
            let path = self.path(&self.rows[at]);
            let slash = path[length..].iter().position(|&byte| byte == b'/');
            let end = slash.map_or(path.len(), |slash| length + slash);
            let is_same = |row: &TrackedRow| match slash {
                Some(_) => self.path(row).starts_with(&path[..=end]),
                None => self.path(row) == path,
            };
            // All of a folder is found by halves: the rows of a large one are not all compared.
            let mut step = 1;
            while at + step < rows.end && is_same(&self.rows[at + step]) {
                step *= 2;
            }
            let known = at + step / 2;
            let most = (at + step).min(rows.end);
            let next = known + self.rows[known..most].partition_point(is_same);
            children.push(Child {
                name: length..end,
                rows: at..next,
                is_folder: slash.is_some(),
            });
            at = next;
        }
        children
    }

    /// The name of a child.
    pub(crate) fn name(&self, child: &Child) -> &[u8] {
        &self.path(&self.rows[child.rows.start])[child.name.clone()]
    }

    /// Returns the content in HEAD of the path of a row.
    pub(crate) fn head(&self, row: &TrackedRow) -> Option<StoredBlob> {
        match row.staged.checked_sub(1) {
            Some(at) => self.staged[at as usize],
            None => Some(row.stored()),
        }
    }

    /// Notes what HEAD has at the path of these rows, which is something else than they have.
    pub(crate) fn differ(&mut self, rows: Range<usize>, head: Option<StoredBlob>) {
        self.staged.push(head);
        let staged = u32::try_from(self.staged.len()).unwrap_or(u32::MAX);
        for row in &mut self.rows[rows] {
            row.staged = staged;
        }
    }

    /// Adds paths that HEAD alone has, which are sorted.
    pub(crate) fn add_of_head(&mut self, paths: &[(Vec<u8>, StoredBlob)]) {
        if paths.is_empty() {
            return;
        }
        let time = IndexTime {
            seconds: 0,
            nanoseconds: 0,
        };
        let mut added = Vec::new();
        for (path, stored) in paths {
            let (start, length) = self.add(path);
            self.staged.push(Some(*stored));
            added.push(TrackedRow {
                start,
                length,
                id: stored.id,
                mode: stored.mode,
                size: 0,
                number: 0,
                changed: time,
                modified: time,
                tracking: IndexTracking::HeadOnly,
                assume_unchanged: false,
                skip_worktree: false,
                staged: u32::try_from(self.staged.len()).unwrap_or(u32::MAX),
            });
        }
        let mut rows = std::mem::take(&mut self.rows);
        rows.extend(added);
        // Two sorted runs, which a stable sort merges.
        rows.sort_by(|one, other| self.path(one).cmp(self.path(other)));
        self.rows = rows;
    }
}

#[cfg(test)]
mod tests {
    use super::{StoredBlob, Table};
    use crate::git::id::{Hash, Id};

    #[test]
    fn names_of_a_folder_are_those_of_all_its_rows() {
        let mut table = Table::default();
        let stored = StoredBlob {
            id: Id::new(Hash::Sha1, &[7; 20]).unwrap(),
            mode: 0o100_644,
        };
        let paths = ["a-b", "a/1", "a/2/x", "a/2/y", "a/3", "a0", "b/c/d"];
        let rows = paths.map(|path| (path.as_bytes().to_vec(), stored));
        table.add_of_head(&rows);
        let names = |rows: std::ops::Range<usize>, length| {
            let children = table.children(rows, length);
            let shown = |it: &super::Child| {
                let name = String::from_utf8(table.name(it).to_vec()).unwrap();
                (name, it.rows.clone(), it.is_folder)
            };
            children.iter().map(shown).collect::<Vec<_>>()
        };
        let name = |name: &str, rows, is_folder| (name.to_owned(), rows, is_folder);
        let expected = [
            name("a-b", 0..1, false),
            name("a", 1..5, true),
            name("a0", 5..6, false),
            name("b", 6..7, true),
        ];
        assert_eq!(names(0..7, 0), expected);
        let expected = [
            name("1", 1..2, false),
            name("2", 2..4, true),
            name("3", 4..5, false),
        ];
        assert_eq!(names(table.below(b"a/"), 2), expected);
        assert!(!table.tracks(b"a"));
        assert_eq!(table.find(b"a/3").len(), 1);
    }
}
