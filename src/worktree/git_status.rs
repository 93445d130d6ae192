//! The differences that only git can find, on hosts that have it.

use super::classify::difference;
use super::patterns::Patterns;
use super::report::{
    PathState, PathTracking, ReportedFile, UnscannedPath, UnscannedReason, WorktreeChange,
};
use super::table::StoredBlob;
use super::tree::Tree;
use super::walk::WalkResult;
use crate::effect::{Failed, Fault, Io, PathEntry, PathKind};
use crate::git::status::{PathStatus, Record, records};
use crate::text::escaped;

/// The most bytes of paths that are handed to git in one call.
const MOST_ARGUMENTS: usize = 16 << 10;
/// The number of paths that are looked at in one effect.
const MOST_INSPECTED: usize = 1_000;

const STATUS: [&str; 7] = [
    "--literal-pathspecs",
    "status",
    "--porcelain=v2",
    "-z",
    "--no-renames",
    "--ignore-submodules=all",
    "--no-ahead-behind",
];

/// Asks git of the files that could not be compared, which then are as it says.
pub(super) async fn settle(io: &Io, tree: &mut Tree, found: &mut WalkResult) {
    let Some(repository) = tree.repository.clone() else {
        return;
    };
    let above = above(&repository.below);
    let doubtful = std::mem::take(&mut found.doubtful);
    let paths: Vec<String> = doubtful
        .iter()
        .map(|at| [&above, found.files[*at].path.as_str()].concat())
        .collect();
    if paths.is_empty() {
        return;
    }
    let mut arguments = [&STATUS[..], &["--untracked-files=no", "--"]].concat();
    if paths.iter().map(String::len).sum::<usize>() <= MOST_ARGUMENTS {
        arguments.extend(paths.iter().map(String::as_str));
    }
    let configuration = &mut tree.configuration;
    let Ok(printed) = configuration.run(io, &repository.top, &arguments).await else {
        return;
    };
    let Ok(changes) = records(&printed) else {
        return;
    };
    let mut changed: Vec<(&[u8], u8)> = Vec::new();
    for record in &changes {
        if let PathStatus::Changed(_, unstaged) = record.state {
            changed.push((record.path, unstaged));
        }
    }
    changed.sort_unstable();
    let mut same = Vec::new();
    for (at, path) in doubtful.into_iter().zip(&paths) {
        let said = changed.binary_search_by(|(it, _)| (*it).cmp(path.as_bytes()));
        let is_same = said.is_ok_and(|at| changed[at].1 == b'.') || said.is_err();
        let file = &mut found.files[at];
        let mut is_settled = file.tracking == PathTracking::Tracked;
        if is_settled && is_same {
            file.unstaged = None;
            // The worktree has what is staged.
            file.change = file.staged;
        }
        // Staged content was compared with git's answer, and HEAD with nothing.
        is_settled &= is_same || file.staged.is_none();
        file.is_assumed &= !is_settled;
        if is_settled && file.staged.is_none() && file.unstaged.is_none() {
            same.push(at);
        }
    }
    let mut at = 0;
    found.files.retain(|_| {
        at += 1;
        same.binary_search(&(at - 1)).is_err()
    });
}

/// Asks git for all that differs, and which paths it ignores.
pub(super) async fn all(io: &Io, tree: &mut Tree) -> Result<WalkResult, Failed> {
    let mut found = WalkResult::default();
    let Some(repository) = tree.repository.clone() else {
        return Ok(found);
    };
    let above = above(&repository.below);
    let mut arguments = [&STATUS[..], &["--untracked-files=all", "--"]].concat();
    let below = repository.below.as_str();
    arguments.extend((!below.is_empty()).then_some(below));
    let configuration = &mut tree.configuration;
    let printed = configuration.run(io, &repository.top, &arguments).await?;
    let changes = records(&printed).map_err(|_| unfitting())?;
    let of = |is: fn(&PathStatus) -> bool| {
        let paths = changes.iter().filter(|it| is(&it.state)).map(|it| it.path);
        let mut paths: Vec<&[u8]> = paths.collect();
        paths.sort_unstable();
        paths
    };
    let untracked = of(|state| *state == PathStatus::Untracked);
    let changed = of(|state| *state != PathStatus::Untracked);
    for record in &changes {
        let is_again = changed.binary_search(&record.path).is_ok();
        if record.state == PathStatus::Untracked && is_again {
            // The index does not have it any more, which says the record before.
            continue;
        }
        let Some(path) = record.path.strip_prefix(above.as_bytes()) else {
            continue;
        };
        let Ok(path) = std::str::from_utf8(path) else {
            let path = escaped(path);
            let reason = UnscannedReason::NotUnicode;
            found.left_out.push(UnscannedPath { path, reason });
            continue;
        };
        if let Some(folder) = path.strip_suffix('/') {
            let path = folder.to_owned();
            let reason = UnscannedReason::NestedRepository;
            found.left_out.push(UnscannedPath { path, reason });
            continue;
        }
        let mut file = file(path.to_owned(), record);
        let is_untracked = untracked.binary_search(&record.path).is_ok();
        if file.tracking == PathTracking::Untracked && !is_untracked {
            file.tracking = PathTracking::Ignored;
        }
        found.files.push(file);
    }
    inspect_files(io, tree, &mut found.files).await?;
    let arguments = [
        "ls-files",
        "-z",
        "--others",
        "--ignored",
        "--exclude-standard",
        "--directory",
        "--full-name",
    ];
    let printed = io.git(&repository.top, &arguments).await?;
    tree.patterns = Patterns::of_paths(&tree.configuration, &above, &printed);
    Ok(found)
}

fn unfitting() -> Failed {
    Failed {
        effect: "git",
        fault: Fault::Other,
        detail: "git status printed something else than its format".to_owned(),
    }
}

fn above(below: &str) -> String {
    match below {
        "" => String::new(),
        below => [below, "/"].concat(),
    }
}

/// Returns the file of a record, before a look at the path.
fn file(path: String, record: &Record<'_>) -> ReportedFile {
    let stored = |it: Option<(u32, _)>| it.map(|(mode, id)| StoredBlob { id, mode });
    let (head, index) = (stored(record.head), stored(record.index));
    let (tracking, staged, unstaged) = match record.state {
        PathStatus::Untracked => (PathTracking::Untracked, None, None),
        PathStatus::Conflict => {
            let conflict = Some(WorktreeChange::Conflict);
            (PathTracking::Conflict, conflict, conflict)
        }
        PathStatus::Changed(staged, unstaged) => {
            let staged = change(staged).map(|change| match (change, head, index) {
                (WorktreeChange::Modified, Some(head), Some(index)) => {
                    difference(head, index).unwrap_or(change)
                }
                _ => change,
            });
            let tracking = match (index, unstaged) {
                (_, b'A') => PathTracking::Intended,
                (None, _) => PathTracking::Untracked,
                _ => PathTracking::Tracked,
            };
            (tracking, staged, change(unstaged))
        }
    };
    ReportedFile {
        path,
        head,
        state: PathState::Absent,
        modified_ms: None,
        stamp: None,
        tracking,
        staged,
        unstaged,
        change: unstaged.or(staged).or(Some(WorktreeChange::Added)),
        is_assumed: false,
    }
}

fn change(letter: u8) -> Option<WorktreeChange> {
    match letter {
        b'A' => Some(WorktreeChange::Added),
        b'M' => Some(WorktreeChange::Modified),
        b'D' => Some(WorktreeChange::Deleted),
        b'T' => Some(WorktreeChange::Type),
        _ => None,
    }
}

/// Looks at each of the paths, and at its difference from HEAD as far as a look shows it.
async fn inspect_files(io: &Io, tree: &Tree, files: &mut [ReportedFile]) -> Result<(), Failed> {
    for files in files.chunks_mut(MOST_INSPECTED) {
        let paths = files.iter().map(|it| tree.at(&it.path)).collect();
        let entries = io.inspect(paths).await?;
        for (file, entry) in files.iter_mut().zip(entries) {
            file.state = path_state(tree, file, entry);
            let is_gone = matches!(file.state, PathState::Absent | PathState::Folder);
            file.change = match (is_gone, file.head) {
                (true, head) => head.map(|_| WorktreeChange::Deleted),
                (false, None) => Some(WorktreeChange::Added),
                (false, Some(_)) if file.staged.is_none() => file.change,
                (false, Some(_)) => {
                    // Git compares each with the index, and not with one another.
                    file.is_assumed = true;
                    Some(WorktreeChange::Modified)
                }
            };
            if is_gone && file.tracking == PathTracking::Ignored {
                file.tracking = PathTracking::Untracked;
            }
        }
    }
    Ok(())
}

fn path_state(tree: &Tree, file: &ReportedFile, entry: PathEntry) -> PathState {
    match entry.kind {
        PathKind::Absent => PathState::Absent,
        PathKind::File => PathState::File {
            size: entry.size,
            is_executable: tree.is_executable(entry, file.head),
        },
        PathKind::Folder => PathState::Folder,
        PathKind::Symlink => PathState::Link,
        PathKind::Other | PathKind::Denied => PathState::Special,
    }
}
