//! The names in a folder, beside those that git knows, and paths.

use super::table::{Child, Table};
use crate::effect::{PathKind, Scanned};
use crate::str_map::StrSet;
use crate::text::escaped;

/// Takes out what has a name that is not Unicode: the name as its bytes are escaped, and what stands there.
pub(super) fn without_text(entries: &mut Vec<Scanned>) -> Vec<(String, PathKind)> {
    let mut strange = Vec::new();
    entries.retain(|scanned| match scanned.bytes() {
        Some(name) => {
            strange.push((escaped(&name), scanned.entry.kind));
            false
        }
        None => true,
    });
    strange
}

/// Returns whether a path is one of these, or is below one.
pub(super) fn is_within(path: &str, own: &StrSet<'_>) -> bool {
    let folders = path.match_indices('/').map(|(at, _)| &path[..at]);
    folders.chain([path]).any(|it| own.contains(it))
}

/// Where case does not count, gives what stands there the names that git knows.
pub(super) fn as_tracked(entries: &mut [Scanned], children: &[Child], table: &Table) {
    let stands = |name: &[u8]| {
        let at = entries.binary_search_by(|it| it.name.as_bytes().cmp(name));
        at.is_ok()
    };
    let names = children.iter().map(|child| table.name(child));
    let missing = names.filter_map(|name| std::str::from_utf8(name).ok());
    let missing = missing.filter(|name| !stands(name.as_bytes()));
    let mut missing: Vec<(String, &str)> = missing.map(|it| (it.to_lowercase(), it)).collect();
    if missing.is_empty() {
        return;
    }
    missing.sort_unstable();
    for entry in entries.iter_mut() {
        let has_name = |child: &Child| table.name(child).cmp(entry.name.as_bytes());
        if children.binary_search_by(has_name).is_ok() {
            continue;
        }
        let folded = entry.name.to_lowercase();
        if let Ok(at) = missing.binary_search_by(|(name, _)| name.cmp(&folded)) {
            entry.name = missing[at].1.to_owned();
        }
    }
    entries.sort_unstable_by(|one, other| one.name.cmp(&other.name));
}
