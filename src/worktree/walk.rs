//! A walk through the worktree beside the table of what git knows, folder by folder.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::ops::Range;

use super::classify::{
    Classification, absent_file, is_unchanged, modified_ms, path_state, present_file,
};
use super::names::{self, is_within};
use super::patterns::{ATTRIBUTES, IGNORE};
use super::report::{
    Note, PathState, PathTracking, ReportedFile, ScanLimits, UnscannedPath, UnscannedReason,
    WorktreeChange,
};
use super::scan_aid::stamp_of;
use super::table::{IndexTracking, Rows, TrackedRow};
use super::tree::Tree;
use crate::effect::{Failed, Fault, Io, Links, PathKind, Scanned};
use crate::error::Error;
use crate::git::folder::{from_git_file, join};
use crate::git::ignore::{Case, IgnorePathKind, IgnoreVerdict};
use crate::str_map::StrSet;
use crate::text::escaped;

/// The result of a walk.
#[derive(Debug, Default)]
pub(crate) struct WalkResult {
    pub(crate) files: Vec<ReportedFile>,
    pub(crate) left_out: Vec<UnscannedPath>,
    pub(crate) notes: Vec<Note>,
    /// The files that only git can compare with the index.
    pub(crate) doubtful: Vec<usize>,
}

/// A walk in progress.
pub(crate) struct WorktreeWalk<'a> {
    io: &'a Io,
    tree: &'a mut Tree,
    /// The product's own folders, and what else is passed over.
    own: &'a StrSet<'a>,
    limits: &'a ScanLimits,
    found: WalkResult,
    open: Vec<WalkFolder>,
    folders: usize,
    /// The names in the folder of now that are not Unicode, as their bytes are escaped.
    strange: Vec<String>,
}

/// A folder to go into.
struct WalkFolder {
    /// Relative to the root: empty, or with `/` at its end.
    path: String,
    rows: Range<usize>,
    /// True if all in it is ignored that is not tracked; `None` before the first look.
    is_ignored: Option<bool>,
}

/// Goes through all below the root.
pub(crate) async fn walk(
    io: &Io,
    tree: &mut Tree,
    own: &StrSet<'_>,
    limits: &ScanLimits,
) -> Result<WalkResult, Error> {
    let start = WalkFolder {
        path: String::new(),
        rows: 0..tree.table.rows.len(),
        is_ignored: Some(tree.patterns.ignores_root()),
    };
    let mut walk = WorktreeWalk {
        io,
        tree,
        own,
        limits,
        found: WalkResult::default(),
        open: vec![start],
        folders: 0,
        strange: Vec::new(),
    };
    while let Some(folder) = walk.open.pop() {
        if walk.tree.aid.budget.is_walk_over(io).await {
            break;
        }
        walk.enter(folder).await?;
    }
    Ok(walk.found)
}

impl WorktreeWalk<'_> {
    async fn enter(&mut self, mut folder: WalkFolder) -> Result<(), Error> {
        self.folders += 1;
        if self.folders > self.limits.folders {
            let most = self.limits.folders;
            let message = format!("There are more than {most} folders to look at below the root");
            return Err(Error::too_large("folders".to_owned(), message));
        }
        let Some((mut entries, is_complete)) = self.scan(&folder).await? else {
            return Ok(());
        };
        let strange = names::without_text(&mut entries);
        entries.sort_unstable_by(|one, other| one.name.cmp(&other.name));
        if self.is_nested(&folder, &entries).await {
            self.leave_out(
                folder.path.trim_end_matches('/'),
                UnscannedReason::NestedRepository,
            );
            if folder.rows.is_empty() {
                return Ok(());
            }
            folder.is_ignored = Some(true);
        }
        self.read_patterns(&folder, &entries).await;
        let mut children = self
            .tree
            .table
            .children(folder.rows.clone(), folder.path.len());
        // Nearly in order: a folder comes where its `/` puts it.
        let table = &self.tree.table;
        children.sort_by(|one, other| table.name(one).cmp(table.name(other)));
        if self.tree.configuration.case() == Case::Folded {
            names::as_tracked(&mut entries, &children, table);
        }
        self.strange.clear();
        for (name, kind) in strange {
            let table = &self.tree.table;
            let mut tracked = children.iter().map(|child| escaped(table.name(child)));
            let is_tracked = tracked.any(|it| it == name);
            // Of a tracked one the rows of the table say it.
            if !is_tracked {
                self.leave_out_strange(&mut folder, &name, kind).await;
            }
            self.strange.push(name);
        }
        let (mut entries, mut children) = (entries.iter().peekable(), children.iter().peekable());
        loop {
            if self.tree.aid.budget.is_spent() {
                return Ok(());
            }
            let order = match (entries.peek(), children.peek()) {
                (None, None) => return Ok(()),
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(entry), Some(child)) => {
                    entry.name.as_bytes().cmp(self.tree.table.name(child))
                }
            };
            let entry = if order.is_le() { entries.next() } else { None };
            let mut rows = Rows::default();
            if order.is_ge() {
                let first = children.next();
                rows.add(first);
                if let (Some(first), Some(next)) = (first, children.peek())
                    && self.tree.table.name(first) == self.tree.table.name(next)
                {
                    // A file here and a folder there, in a conflict or beside what HEAD has.
                    rows.add(children.next());
                }
            }
            self.name(&mut folder, entry, rows, is_complete).await?;
        }
    }

    /// Returns the content of a folder, and whether that is all; `None` where it cannot be read.
    async fn scan(&mut self, folder: &WalkFolder) -> Result<Option<(Vec<Scanned>, bool)>, Error> {
        let path = match folder.path.as_str() {
            // The root may be a link to one.
            "" => join(&self.tree.root, "."),
            path => self.tree.at(path.trim_end_matches('/')),
        };
        match self.io.scan(path, self.limits.names).await {
            Ok(scan) if !scan.complete && scan.entries.len() >= self.limits.names as usize => {
                let (path, most) = (&folder.path, self.limits.names);
                let message = format!("The folder {path} has more than {most} names");
                Err(Error::too_large(path.clone(), message))
            }
            Ok(scan) => {
                if !scan.complete {
                    let note = Note::FolderUnfinished(folder.path.clone());
                    self.found.notes.push(note);
                }
                Ok(Some((scan.entries, scan.complete)))
            }
            // It was there a moment ago.
            Err(failed) if is_gone(&failed) && !folder.path.is_empty() => {
                Ok(Some((Vec::new(), true)))
            }
            Err(failed) if folder.path.is_empty() => Err(failed.cannot("look into", "the root")),
            Err(_) => {
                self.leave_out(
                    folder.path.trim_end_matches('/'),
                    UnscannedReason::Unreadable,
                );
                Ok(None)
            }
        }
    }

    /// Returns whether the folder is a repository of its own, of which the index has no files.
    async fn is_nested(&self, folder: &WalkFolder, entries: &[Scanned]) -> bool {
        let rows = &self.tree.table.rows[folder.rows.clone()];
        let has_files = rows.iter().any(|it| it.tracking != IndexTracking::HeadOnly);
        let at = entries.binary_search_by(|it| it.name.as_str().cmp(".git"));
        let (Ok(at), false, false) = (at, folder.path.is_empty(), has_files) else {
            return false;
        };
        let dot_git = self.tree.at(&[&folder.path, ".git"].concat());
        if entries[at].entry.kind == PathKind::File {
            let bytes = self.io.read(dot_git, MOST_LINE, Links::Refuse).await;
            // To be on the safe side, as git is.
            return bytes.map_or(true, |bytes| from_git_file(&bytes).is_some());
        }
        let parts = ["HEAD", "objects", "refs"].map(|name| join(&dot_git, name));
        let standing = self.io.inspect(parts.to_vec()).await;
        standing.is_ok_and(|all| all.iter().all(|it| it.kind != PathKind::Absent))
    }

    async fn read_patterns(&mut self, folder: &WalkFolder, entries: &[Scanned]) {
        let stands = |name: &str| {
            let at = entries.binary_search_by(|it| it.name.as_str().cmp(name));
            at.is_ok_and(|at| entries[at].entry.kind == PathKind::File)
        };
        let Tree {
            root,
            patterns,
            objects,
            table,
            ..
        } = &mut *self.tree;
        let notes = &mut self.found.notes;
        for name in [IGNORE, ATTRIBUTES] {
            if stands(name) {
                patterns
                    .add_standing(self.io, root, &folder.path, name, notes)
                    .await;
            } else if name == ATTRIBUTES && !folder.rows.is_empty() {
                patterns
                    .add_staged(self.io, objects, table, &folder.path)
                    .await;
            }
        }
    }

    /// Names something whose name is not Unicode, unless it is ignored. A pattern sees the name as it is escaped.
    async fn leave_out_strange(&mut self, folder: &mut WalkFolder, name: &str, kind: PathKind) {
        let path = [&folder.path, name].concat();
        let kind = match kind {
            PathKind::Folder => IgnorePathKind::Folder,
            _ => IgnorePathKind::File,
        };
        if !self.is_ignored(folder, &path, kind).await {
            self.leave_out(&path, UnscannedReason::NotUnicode);
        }
    }

    /// Compares what stands under a name with what git knows.
    async fn name(
        &mut self,
        folder: &mut WalkFolder,
        entry: Option<&Scanned>,
        rows: Rows,
        is_complete: bool,
    ) -> Result<(), Error> {
        if rows.folder.is_empty() && is_unchanged(self.tree, &rows.file, entry) {
            return Ok(());
        }
        let name = match (entry, rows.first()) {
            (Some(entry), _) => entry.name.as_bytes(),
            (None, Some(row)) => {
                let path = self.tree.table.path(&self.tree.table.rows[row]);
                let rest = &path[folder.path.len()..];
                let slash = rest.iter().position(|&byte| byte == b'/');
                &rest[..slash.unwrap_or(rest.len())]
            }
            (None, None) => return Ok(()),
        };
        let is_text = std::str::from_utf8(name).is_ok();
        let name = match is_text {
            true => String::from_utf8_lossy(name),
            false => Cow::Owned(escaped(name)),
        };
        let path = [&folder.path, &*name].concat();
        if name.eq_ignore_ascii_case(".git") {
            if name != ".git" {
                self.leave_out(&path, UnscannedReason::GitName);
            }
            return Ok(());
        }
        if self.own.contains(&path) {
            return Ok(());
        }
        let kind = match (entry.map(|it| it.entry.kind), rows.folder.is_empty()) {
            (Some(PathKind::Folder), _) | (None, false) => IgnorePathKind::Folder,
            _ => IgnorePathKind::File,
        };
        if self.tree.excluded.has(&path, kind) {
            self.leave_out(&path, UnscannedReason::Excluded);
            return Ok(());
        }
        if !is_text {
            // A host that does not name them says that there may be more.
            let is_gone = is_complete && !self.strange.iter().any(|it| *it == *name);
            let reason = match is_gone {
                true => UnscannedReason::GoneNotUnicode,
                false => UnscannedReason::NotUnicode,
            };
            self.leave_out(&path, reason);
            return Ok(());
        }
        let again;
        let entry = match entry {
            None if !is_complete => {
                again = self.look_again(&path, &name).await;
                again.as_ref()
            }
            seen => seen,
        };
        if !rows.file.is_empty() {
            self.file(folder, &path, &rows.file, entry).await?;
        }
        match entry.map(|it| it.entry.kind) {
            Some(PathKind::Folder) => self.folder(folder, path, &rows).await,
            kind => {
                self.gone(rows.folder.clone())?;
                match kind {
                    None | Some(PathKind::Absent) => Ok(()),
                    Some(_) if !rows.file.is_empty() => Ok(()),
                    Some(PathKind::Denied) => {
                        self.leave_out(&path, UnscannedReason::Unreadable);
                        Ok(())
                    }
                    Some(_) => self.untracked(folder, path, entry).await,
                }
            }
        }
    }

    /// In a folder that could not be read to its end, a missing name may be there.
    async fn look_again(&self, path: &str, name: &str) -> Option<Scanned> {
        let looked = self.io.inspect(vec![self.tree.at(path)]).await.ok()?;
        let entry = *looked.first().filter(|it| it.kind != PathKind::Absent)?;
        Some(Scanned {
            name: name.to_owned(),
            entry,
            modified_ms: f64::NAN,
            changed_ms: f64::NAN,
            number: 0,
        })
    }

    async fn folder(
        &mut self,
        folder: &mut WalkFolder,
        path: String,
        rows: &Rows,
    ) -> Result<(), Error> {
        let is_module = |row: &TrackedRow| {
            row.stored().is_submodule() && row.tracking != IndexTracking::HeadOnly
        };
        let of_file = &self.tree.table.rows[rows.file.clone()];
        if of_file.iter().any(is_module) {
            return Ok(());
        }
        let mut is_ignored = None;
        if rows.folder.is_empty() {
            if self.is_ignored(folder, &path, IgnorePathKind::Folder).await {
                return Ok(());
            }
            is_ignored = Some(false);
        }
        self.open.push(WalkFolder {
            path: [&path, "/"].concat(),
            rows: rows.folder.clone(),
            is_ignored,
        });
        Ok(())
    }

    async fn untracked(
        &mut self,
        folder: &mut WalkFolder,
        path: String,
        entry: Option<&Scanned>,
    ) -> Result<(), Error> {
        let Some(entry) = entry else {
            return Ok(());
        };
        if self.is_ignored(folder, &path, IgnorePathKind::File).await {
            return Ok(());
        }
        if entry.entry.kind == PathKind::Other {
            self.leave_out(&path, UnscannedReason::Special);
            return Ok(());
        }
        let state = path_state(self.tree, Some(entry), None);
        self.add(ReportedFile {
            path,
            head: None,
            state,
            modified_ms: modified_ms(entry),
            stamp: Some((stamp_of(entry), entry.entry.mode)),
            tracking: PathTracking::Untracked,
            staged: None,
            unstaged: None,
            change: Some(WorktreeChange::Added),
            is_assumed: false,
        })
    }

    /// Returns whether untracked files are ignored. Git is asked for the user's own patterns only
    /// where those of the repository do not say it.
    async fn is_ignored(
        &mut self,
        folder: &mut WalkFolder,
        path: &str,
        kind: IgnorePathKind,
    ) -> bool {
        let said = self.tree.patterns.verdict(path, kind);
        if folder.is_ignored == Some(true) || said == IgnoreVerdict::Ignored {
            return true;
        }
        let tree = &mut *self.tree;
        let notes = &mut self.found.notes;
        tree.patterns
            .settle(self.io, &mut tree.configuration, notes)
            .await;
        if folder.is_ignored.is_none() {
            let above = folder.path.trim_end_matches('/');
            folder.is_ignored = Some(tree.patterns.ignores(above, IgnorePathKind::Folder));
        }
        folder.is_ignored == Some(true)
            || said == IgnoreVerdict::Unmentioned && tree.patterns.is_ignored_everywhere(path, kind)
    }

    /// Records that git's files below something that is not a folder are gone.
    fn gone(&mut self, rows: Range<usize>) -> Result<(), Error> {
        let mut next = rows.start;
        while next < rows.end {
            let path = self.tree.table.path(&self.tree.table.rows[next]).to_vec();
            let same = self.tree.table.rows[next..rows.end].iter();
            let same = same.take_while(|row| self.tree.table.path(row) == path);
            let end = next + same.count();
            let Ok(known) = std::str::from_utf8(&path).map(str::to_owned) else {
                self.leave_out(&escaped(&path), UnscannedReason::GoneNotUnicode);
                next = end;
                continue;
            };
            if !is_within(&known, self.own) && !is_unchanged(self.tree, &(next..end), None) {
                let classification =
                    absent_file(self.tree, known.clone(), &(next..end), PathState::Absent);
                self.say(&known, classification)?;
            }
            next = end;
        }
        Ok(())
    }

    /// A path of the table, and what stands there.
    async fn file(
        &mut self,
        folder: &mut WalkFolder,
        path: &str,
        rows: &Range<usize>,
        scanned: Option<&Scanned>,
    ) -> Result<(), Error> {
        let classification = match scanned {
            Some(scanned) if !matches!(scanned.entry.kind, PathKind::Absent | PathKind::Folder) => {
                let is_known = self.tree.table.rows[rows.start].tracking != IndexTracking::HeadOnly;
                let is_ignored =
                    !is_known && self.is_ignored(folder, path, IgnorePathKind::File).await;
                present_file(self.io, self.tree, path, rows, scanned, is_ignored).await
            }
            _ if is_unchanged(self.tree, rows, None) => return Ok(()),
            _ => {
                let state = path_state(self.tree, scanned, None);
                absent_file(self.tree, path.to_owned(), rows, state)
            }
        };
        self.say(path, classification)
    }

    fn say(&mut self, path: &str, classification: Classification) -> Result<(), Error> {
        match classification {
            Classification::Same => Ok(()),
            Classification::LeftOut(reason) => {
                self.leave_out(path, reason);
                Ok(())
            }
            Classification::File(file) => self.add(file),
            Classification::Doubtful(file) => {
                self.found.doubtful.push(self.found.files.len());
                self.add(file)
            }
        }
    }

    fn add(&mut self, file: ReportedFile) -> Result<(), Error> {
        if self.found.files.len() == self.limits.files {
            let most = self.limits.files;
            let message = format!(
                "More than {most} files differ from HEAD: commit them, or let .gitignore name what git \
                 should not keep"
            );
            return Err(Error::too_large("files".to_owned(), message));
        }
        self.found.files.push(file);
        Ok(())
    }

    fn leave_out(&mut self, path: &str, reason: UnscannedReason) {
        let path = path.to_owned();
        self.found.left_out.push(UnscannedPath { path, reason });
    }
}

/// A `.git` file holds one path.
const MOST_LINE: u32 = 64 << 10;

fn is_gone(failed: &Failed) -> bool {
    matches!(
        failed.fault,
        Fault::NotFound | Fault::Symlink | Fault::WrongKind
    )
}
