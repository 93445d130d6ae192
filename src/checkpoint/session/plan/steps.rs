//! The steps of a plan, in an order that works: what goes, then folders, then what comes.
//!
//! A folder whose owner may do everything again gets its permission bits before that, so that what is in it can be
//! changed, and any other one behind it, the deepest first. One that its owner may not change, now as then, is open to
//! its owner in between, where names in it come or go.

use super::change::{PathAction, PlannedChange, RestoreStep};
use super::fact::{EntryState, FolderMode, Present};
use super::path::folders;
use crate::str_map::{StrSet, order};

/// The bits that the owner of a folder needs to change what is in it.
const OWNER: u32 = 0o700;

/// Orders the changes, which are sorted by path.
pub(super) fn steps<'a>(
    changes: &[PlannedChange<'a>],
    present: &[Present<'a>],
    modes: &[FolderMode<'a>],
) -> Vec<RestoreStep<'a>> {
    let of = |is: fn(&PathAction) -> bool| {
        let paths = changes.iter().filter(move |it| is(&it.act));
        paths.map(|it| it.path).collect::<Vec<&'a str>>()
    };
    let deleted = of(|act| *act == PathAction::Delete);
    let written = of(|act| matches!(act, PathAction::Write(_)));
    let standing = present.iter().filter(|it| it.state == EntryState::Folder);
    let standing: Vec<&'a str> = standing.map(|it| it.path).collect();
    // A file goes where they stand.
    let replaced: StrSet<'_> = {
        let written: StrSet<'_> = written.iter().copied().collect();
        let replaced = standing.iter().copied();
        replaced.filter(|it| written.contains(it)).collect()
    };
    let used = once_each(deleted.iter().flat_map(|it| folders(it)).collect());
    let needed = once_each(written.iter().flat_map(|it| folders(it)).collect());
    let is_needed: StrSet<'_> = needed.iter().copied().collect();

    let mut steps: Vec<RestoreStep<'a>> =
        deleted.iter().map(|it| RestoreStep::Delete(it)).collect();
    let was_used: StrSet<'_> = used.iter().copied().collect();
    for folder in once_each([used.as_slice(), &standing].concat())
        .into_iter()
        .rev()
    {
        let gives_way =
            replaced.contains(folder) || folders(folder).any(|it| replaced.contains(it));
        if gives_way {
            steps.push(RestoreStep::RemoveFolder(folder));
        } else if was_used.contains(folder) && !is_needed.contains(folder) {
            steps.push(RestoreStep::RemoveIfEmpty(folder));
        }
    }
    steps.extend(needed.into_iter().map(RestoreStep::MakeFolder));
    for change in changes {
        match &change.act {
            PathAction::Delete => {}
            PathAction::Write(content) => {
                steps.push(RestoreStep::Write(change.path, content.clone()));
            }
            PathAction::SetMode(is_executable) => {
                steps.push(RestoreStep::SetMode(change.path, *is_executable));
            }
            PathAction::SetPermissions(bits) => {
                steps.push(RestoreStep::SetPermissions(change.path, *bits));
            }
        }
    }
    let touched = touched(&steps, modes);
    let opens = |it: &FolderMode<'a>| {
        is_closed(it.recorded) && it.present.is_some_and(is_closed) && touched.contains(it.path)
    };
    let is_early = |it: &FolderMode<'a>| it.differs() && !is_closed(it.recorded);
    let is_late = |it: &FolderMode<'a>| {
        let is_made = it.present.is_none() && is_needed.contains(it.path);
        is_made || opens(it) || it.differs() && !is_early(it)
    };
    let set = |it: &FolderMode<'a>| RestoreStep::SetFolderPermissions(it.path, it.recorded);
    let early = modes.iter().filter_map(|it| match it.present {
        Some(bits) if opens(it) => Some(RestoreStep::SetFolderPermissions(it.path, bits | OWNER)),
        _ => is_early(it).then(|| set(it)),
    });
    let late = modes.iter().rev();
    let late = late.filter(|it| is_late(it)).map(set);
    early.chain(steps).chain(late).collect()
}

/// Returns whether the owner of a folder with these bits may not change what is in it.
fn is_closed(bits: u32) -> bool {
    bits & OWNER != OWNER
}

/// The folders in which names come or go.
fn touched<'a>(steps: &[RestoreStep<'a>], modes: &[FolderMode<'a>]) -> StrSet<'a> {
    let standing = modes.iter().filter(|it| it.present.is_some());
    let standing: StrSet<'_> = standing.map(|it| it.path).collect();
    let paths = steps.iter().filter_map(|step| match step {
        RestoreStep::Delete(path)
        | RestoreStep::RemoveFolder(path)
        | RestoreStep::RemoveIfEmpty(path)
        | RestoreStep::Write(path, _) => Some(*path),
        RestoreStep::MakeFolder(path) => (!standing.contains(path)).then_some(*path),
        RestoreStep::SetMode(..)
        | RestoreStep::SetPermissions(..)
        | RestoreStep::SetFolderPermissions(..) => None,
    });
    let folders = paths.filter_map(|path| path.rsplit_once('/'));
    folders.map(|(folder, _)| folder).collect()
}

/// Paths in order, a folder before what is in it.
fn once_each(paths: Vec<&str>) -> Vec<&str> {
    let mut sorted: Vec<&str> = order(&paths).into_iter().map(|at| paths[at]).collect();
    sorted.dedup();
    sorted
}
