//! The files that stay and stand in the way of those that are written.

use super::change::{PathAction, PlannedChange, RestoreRefusal};
use super::fact::{EntryState, NameComparison, Present};
use super::path::folders;
use crate::str_map::StrMap;

/// A file or link that stands at a path once all is done.
struct Occupant<'a> {
    path: &'a str,
    is_written: bool,
}

/// Returns the reasons why the changes cannot be made, looking at no more than what was listed.
///
/// A folder in the way of a file may go when all that stands in it is deleted, and a file or link in the way
/// of a folder when it is deleted: nothing is written through a link.
pub(super) fn refusals<'a>(
    changes: &[PlannedChange<'a>],
    present: &[Present<'a>],
    names: NameComparison,
) -> Vec<RestoreRefusal<'a>> {
    let changed: StrMap<'_, &PathAction> = changes.iter().map(|it| (it.path, &it.act)).collect();
    let is_gone = |path: &str| matches!(changed.get(path), Some(PathAction::Delete));
    let is_written = |path: &str| matches!(changed.get(path), Some(PathAction::Write(_)));
    let stays = present
        .iter()
        .filter(|it| it.state != EntryState::Folder && !is_gone(it.path) && !is_written(it.path));
    let written = changes.iter().filter(|it| is_written(it.path));
    let after: Vec<Occupant<'a>> = stays
        .map(|it| (it.path, false))
        .chain(written.map(|it| (it.path, true)))
        .map(|(path, is_written)| Occupant { path, is_written })
        .collect();
    let compared: Vec<String> = after.iter().map(|it| names.compared(it.path)).collect();
    let by_name: StrMap<'_, usize> = compared.iter().map(String::as_str).zip(0..).collect();
    let mut refusals = Vec::new();
    for (at, own) in after.iter().enumerate() {
        // Of one name the first counts, so that each pair is seen once.
        let first = by_name.get(&compared[at]).copied().unwrap_or(at);
        if first != at && (own.is_written || after[first].is_written) {
            refusals.push(RestoreRefusal::Collides(own.path, after[first].path));
        }
        for folder in folders(&compared[at]) {
            if let Some(other) = by_name.get(folder).map(|at| &after[*at])
                && (own.is_written || other.is_written)
            {
                refusals.push(RestoreRefusal::InTheWay(
                    if own.is_written { own.path } else { other.path },
                    if own.is_written { other.path } else { own.path },
                ));
            }
        }
    }
    refusals
}
