//! The changes that a rewind takes back: those since a prompt, or those of the last rewind.

use crate::checkpoint::session::id::SnapshotId;
use crate::error::Error;
use crate::operation::Warnings;

use super::moments::TurnMoment;
use super::snapshot_store::SnapshotStore;

/// The changes to take back, by the positions of moments.
#[derive(Clone, Copy)]
pub(super) enum Rewound {
    /// Those since a prompt.
    Since(usize),
    /// Those of a rewind, with the moment before it and the one after it; `None` where it died before that was kept.
    Of { before: usize, after: Option<usize> },
}

/// A rewind on a branch that died, or failed, after the moment before it was kept.
pub(super) fn died_rewind(all: &[TurnMoment], branch: Option<&str>) -> Option<Rewound> {
    let target = position(all, all.last()?.undo_of()?)?;
    let mark = all[target].prompt()?;
    (mark.branch.as_deref() == branch).then_some(Rewound::Of {
        before: all.len() - 1,
        after: None,
    })
}

/// The last rewind on a branch that was done.
pub(super) fn last_rewind(all: &[TurnMoment], branch: Option<&str>) -> Result<Rewound, Error> {
    let marked = all.iter().enumerate().rev();
    let mut rewinds = marked.filter_map(|(at, it)| {
        let mark = it.mark.as_ref()?;
        let rewind = mark.rewind.as_ref()?;
        (mark.branch.as_deref() == branch).then_some((at, rewind))
    });
    let found = rewinds.next().and_then(|(after, rewind)| {
        Some(Rewound::Of {
            before: position(all, rewind.undo)?,
            after: Some(after),
        })
    });
    found.ok_or_else(|| Error::not_found("There is no rewind of this branch to undo".to_owned()))
}

/// The position of a moment.
pub(super) fn position(all: &[TurnMoment], id: SnapshotId) -> Option<usize> {
    all.iter().position(|it| it.id() == id)
}

/// Returns whether a path is one of these, or in a folder that is.
pub(super) fn is_in(paths: &[String], path: &str) -> bool {
    let mut paths = paths.iter();
    paths.any(|it| {
        if it.is_empty() {
            return true;
        }
        let rest = path.strip_prefix(it.as_str());
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    })
}

/// The paths that a caller typed; of all files, the empty one.
pub(super) async fn resolved(
    store: &SnapshotStore<'_>,
    typed: &[&str],
    warnings: &mut Warnings,
) -> Result<Vec<String>, Error> {
    // In a folder below the root, it is that folder.
    if typed.contains(&".") && store.root.prefix(&store.settings.working).is_empty() {
        return Ok(vec![String::new()]);
    }
    store.resolve_paths(typed, warnings).await
}

#[cfg(test)]
mod tests {
    use super::is_in;

    #[test]
    fn a_folder_stands_for_all_in_it() {
        assert!(is_in(&[String::new()], "any"));
        let paths = ["src".to_owned(), "a.txt".to_owned()];
        for (path, expected) in [
            ("src/a", true),
            ("src", true),
            ("srcs/a", false),
            ("a.txt", true),
        ] {
            assert_eq!(is_in(&paths, path), expected, "{path}");
        }
    }
}
