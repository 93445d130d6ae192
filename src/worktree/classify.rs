//! The result for one path: the state there beside the state in git.

use std::ops::Range;

use super::report::{PathState, PathTracking, ReportedFile, UnscannedReason, WorktreeChange};
use super::scan_aid::stamp_of;
use super::table::{IndexTracking, StoredBlob, TrackedRow};
use super::tree::{BytesComparison, Stat, Tree};
use crate::effect::{Io, PathEntry, PathKind, Scanned};

/// The result for a path.
pub(crate) enum Classification {
    /// Nothing differs.
    Same,
    LeftOut(UnscannedReason),
    File(ReportedFile),
    /// A path that differs, and only git can decide whether the bytes differ from the index.
    Doubtful(ReportedFile),
}

/// Returns whether a name is tracked, and nothing has happened to it: so it is for nearly all.
pub(crate) fn is_unchanged(tree: &Tree, rows: &Range<usize>, entry: Option<&Scanned>) -> bool {
    let rows = &tree.table.rows[rows.clone()];
    let [row] = rows else {
        return false;
    };
    if row.tracking != IndexTracking::Staged || row.staged != 0 || row.stored().is_submodule() {
        return false;
    }
    if row.assume_unchanged {
        return true;
    }
    let Some(entry) = entry else {
        return row.skip_worktree;
    };
    let is_kept = row.skip_worktree && !tree.configuration.is_sparse();
    is_kept
        || is_of_kind(tree, entry.entry.kind, row.stored())
            && !differs_in_mode(tree, row.stored(), entry.entry)
            && tree.stat(row, entry) == Stat::Same
}

fn differs_in_mode(tree: &Tree, stored: StoredBlob, entry: PathEntry) -> bool {
    let is_executable = tree.is_executable(entry, Some(stored));
    !stored.is_link() && is_executable.is_some_and(|it| it != stored.is_executable())
}

/// A path of the table at which no file stands.
pub(crate) fn absent_file(
    tree: &Tree,
    path: String,
    rows: &Range<usize>,
    state: PathState,
) -> Classification {
    let row = tree.table.rows[rows.start];
    let head = tree.table.head(&row);
    if is_submodule(&row, head) {
        return Classification::LeftOut(UnscannedReason::Submodule);
    }
    let staged = staged(&row, head);
    let is_hidden = row.assume_unchanged || row.skip_worktree;
    let unstaged = match row.tracking {
        IndexTracking::Conflict => Some(WorktreeChange::Conflict),
        IndexTracking::HeadOnly => None,
        IndexTracking::Staged | IndexTracking::Intended if is_hidden => None,
        IndexTracking::Staged | IndexTracking::Intended => Some(WorktreeChange::Deleted),
    };
    // A path that is left out of the worktree on purpose is not deleted there.
    let change = match (is_hidden, head) {
        (true, _) => staged,
        (false, head) => head.map(|_| WorktreeChange::Deleted),
    };
    Classification::File(ReportedFile {
        path,
        head,
        state,
        modified_ms: None,
        stamp: None,
        tracking: tracking(row.tracking, false),
        staged,
        unstaged,
        change,
        is_assumed: false,
    })
}

/// A path of the table, and what stands there.
///
/// `is_ignored` is asked only of what the index does not have.
pub(crate) async fn present_file(
    io: &Io,
    tree: &mut Tree,
    path: &str,
    rows: &Range<usize>,
    scanned: &Scanned,
    is_ignored: bool,
) -> Classification {
    let row = tree.table.rows[rows.start];
    let head = tree.table.head(&row);
    if is_submodule(&row, head) && row.staged != 0 {
        return Classification::LeftOut(UnscannedReason::Submodule);
    }
    let is_sparse = tree.configuration.is_sparse();
    let is_hidden = row.assume_unchanged || row.skip_worktree && !is_sparse;
    let staged = staged(&row, head);
    let mut classified = Classified::default();
    let unstaged = match row.tracking {
        IndexTracking::Conflict => Some(WorktreeChange::Conflict),
        IndexTracking::HeadOnly => None,
        IndexTracking::Staged | IndexTracking::Intended if is_hidden => None,
        IndexTracking::Intended => Some(WorktreeChange::Added),
        IndexTracking::Staged => {
            let stat = tree.stat(&row, scanned);
            change(io, tree, path, scanned, row.stored(), stat, &mut classified).await
        }
    };
    let change = match (staged, head) {
        // The index has what HEAD has.
        (None, Some(_)) if row.tracking == IndexTracking::Staged => unstaged,
        (_, None) => Some(WorktreeChange::Added),
        (_, Some(head)) => {
            let is_as_staged = row.tracking == IndexTracking::Staged
                && !is_hidden
                && !matches!(
                    unstaged,
                    Some(WorktreeChange::Modified | WorktreeChange::Type)
                );
            if !is_as_staged {
                let unknown = Stat::Unknown;
                change(io, tree, path, scanned, head, unknown, &mut classified).await
            } else if !is_of_kind(tree, scanned.entry.kind, head) {
                Some(WorktreeChange::Type)
            } else if head.id != row.id {
                Some(WorktreeChange::Modified)
            } else {
                differs_in_mode(tree, head, scanned.entry).then_some(WorktreeChange::Mode)
            }
        }
    };
    let is_known = matches!(
        row.tracking,
        IndexTracking::Staged | IndexTracking::Intended
    );
    if is_known && staged.is_none() && unstaged.is_none() {
        return Classification::Same;
    }
    let state = path_state(tree, Some(scanned), Some(row.stored()));
    let file = ReportedFile {
        path: path.to_owned(),
        head,
        state,
        modified_ms: modified_ms(scanned),
        stamp: Some((stamp_of(scanned), scanned.entry.mode)),
        tracking: tracking(row.tracking, is_ignored),
        staged,
        unstaged,
        change,
        is_assumed: classified.is_assumed,
    };
    match classified.is_doubtful {
        true => Classification::Doubtful(file),
        false => Classification::File(file),
    }
}

/// Returns the difference of the state of a path from the stored one.
async fn change(
    io: &Io,
    tree: &mut Tree,
    path: &str,
    scanned: &Scanned,
    stored: StoredBlob,
    stat: Stat,
    classified: &mut Classified,
) -> Option<WorktreeChange> {
    if !is_of_kind(tree, scanned.entry.kind, stored) {
        return Some(WorktreeChange::Type);
    }
    let is_same = match stat {
        Stat::Same => true,
        Stat::OtherSize => false,
        Stat::Unknown => {
            let compared = tree.compare_once(io, path, scanned, stored);
            match compared.await {
                Ok(compared) => {
                    classified.is_doubtful |= compared == BytesComparison::Doubtful;
                    classified.is_assumed |= matches!(
                        compared,
                        BytesComparison::Doubtful | BytesComparison::Refused
                    );
                    compared == BytesComparison::Same
                }
                Err(_) => {
                    classified.is_assumed = true;
                    false
                }
            }
        }
    };
    if !is_same {
        return Some(WorktreeChange::Modified);
    }
    let has_other_mode = differs_in_mode(tree, stored, scanned.entry);
    has_other_mode.then_some(WorktreeChange::Mode)
}

/// Returns the result of a look at a path.
pub(crate) fn path_state(
    tree: &Tree,
    scanned: Option<&Scanned>,
    stored: Option<StoredBlob>,
) -> PathState {
    let Some(scanned) = scanned else {
        return PathState::Absent;
    };
    match scanned.entry.kind {
        PathKind::Absent => PathState::Absent,
        PathKind::File => PathState::File {
            size: scanned.entry.size,
            is_executable: tree.is_executable(scanned.entry, stored),
        },
        PathKind::Folder => PathState::Folder,
        PathKind::Symlink => PathState::Link,
        PathKind::Other | PathKind::Denied => PathState::Special,
    }
}

/// Returns the time when the file at a path was written last. Hosts give it with different
/// fractions of a millisecond.
pub(crate) fn modified_ms(scanned: &Scanned) -> Option<u64> {
    let is_known = scanned.modified_ms.is_finite();
    is_known.then_some(scanned.modified_ms as u64)
}

/// The result of a comparison.
#[derive(Default)]
struct Classified {
    is_assumed: bool,
    /// True if only git can decide.
    is_doubtful: bool,
}

fn is_submodule(row: &TrackedRow, head: Option<StoredBlob>) -> bool {
    row.stored().is_submodule() || head.is_some_and(|head| head.is_submodule())
}

/// Returns whether a file or link is of the stored kind, where links may be files.
fn is_of_kind(tree: &Tree, kind: PathKind, stored: StoredBlob) -> bool {
    match kind {
        PathKind::File if stored.is_link() => !tree.configuration.has_links(),
        PathKind::File => !stored.is_submodule(),
        PathKind::Symlink => stored.is_link(),
        _ => false,
    }
}

fn staged(row: &TrackedRow, head: Option<StoredBlob>) -> Option<WorktreeChange> {
    match (row.tracking, head) {
        (IndexTracking::Conflict, _) => Some(WorktreeChange::Conflict),
        // A reset can leave the mark where HEAD has an empty file: then git says no more of it.
        (IndexTracking::Intended, _) if row.staged == 0 => None,
        (IndexTracking::Intended, head) => head.map(|_| WorktreeChange::Deleted),
        (IndexTracking::HeadOnly, _) => Some(WorktreeChange::Deleted),
        (IndexTracking::Staged, None) => Some(WorktreeChange::Added),
        (IndexTracking::Staged, Some(head)) => difference(head, row.stored()),
    }
}

/// Returns the difference of one thing that git has stored from another one.
pub(crate) fn difference(earlier: StoredBlob, later: StoredBlob) -> Option<WorktreeChange> {
    let is_one_kind = earlier.mode & 0o170_000 == later.mode & 0o170_000;
    match (is_one_kind, earlier.id == later.id) {
        (false, _) => Some(WorktreeChange::Type),
        (true, false) => Some(WorktreeChange::Modified),
        (true, true) => (earlier.mode != later.mode).then_some(WorktreeChange::Mode),
    }
}

fn tracking(known: IndexTracking, is_ignored: bool) -> PathTracking {
    match known {
        IndexTracking::Staged => PathTracking::Tracked,
        IndexTracking::Intended => PathTracking::Intended,
        IndexTracking::Conflict => PathTracking::Conflict,
        IndexTracking::HeadOnly if is_ignored => PathTracking::Ignored,
        IndexTracking::HeadOnly => PathTracking::Untracked,
    }
}
