//! A restore that stopped because something was changed after its undo was made.

use crate::checkpoint::session::plan::change::RestoreStep;
use crate::error::{Code, Error, Written};
use crate::operation::reply::Warnings;
use crate::str_map::StrSet;

use super::snapshot_store::{SnapshotStore, StoredSnapshot};
use super::undo::Beginning;

/// The most paths that are named.
const NAMED: usize = 5;

/// The point at which a restore stopped.
pub(super) struct RestoreStop<'a> {
    done: Vec<&'a str>,
    /// Those of them at which nothing was left.
    deleted: Vec<&'a str>,
    left: Vec<&'a str>,
    /// The run that is not restored either.
    state: Option<String>,
}

impl<'a> RestoreStop<'a> {
    /// After so many of the steps.
    pub(super) fn at(steps: &'a [RestoreStep<'a>], done: usize, state: Option<String>) -> Self {
        let (done, left) = steps.split_at(done.min(steps.len()));
        let written = done
            .iter()
            .filter(|step| !matches!(step, RestoreStep::Delete(_)));
        let written: StrSet<'_> = written.filter_map(file).collect();
        let deleted = done.iter().filter_map(|step| match step {
            RestoreStep::Delete(path) if !written.contains(path) => Some(*path),
            _ => None,
        });
        RestoreStop {
            deleted: deleted.collect(),
            done: done.iter().filter_map(file).collect(),
            left: left.iter().filter_map(file).collect(),
            state,
        }
    }

    /// Makes the undo complete, and says with the error what is done and what is not. A failure that is no conflict
    /// only says that something is written.
    pub(super) async fn explained(
        &self,
        store: &SnapshotStore<'_>,
        beginning: &Beginning<'_>,
        undo: &StoredSnapshot,
        error: Error,
        warnings: &mut Warnings,
    ) -> Error {
        let written = match self.done.is_empty() {
            true => error.written(),
            false => Written::Yes,
        };
        if error.code() != Code::Conflict {
            return error.with_written(written);
        }
        let completed = beginning
            .complete(store, undo, (&self.done, &self.deleted), warnings)
            .await;
        let back = match completed {
            Ok(id) => format!("{id} brings everything back"),
            Err(why) => format!(
                "{} brings back what was there before, and a change that was made since is not in it: {why}",
                undo.known.id
            ),
        };
        let mut left = self.left.clone();
        left.extend(self.state.as_deref());
        let (done, left) = (named(&self.done), named(&left));
        let message = format!(
            "{error}. Done: {done}. Not done: {left}. The same restore again finishes it, and {back}"
        );
        Error::conflict(message, Vec::new()).with_written(written)
    }
}

/// The file that a step is about.
fn file<'a>(step: &'a RestoreStep<'a>) -> Option<&'a str> {
    match step {
        RestoreStep::Delete(path)
        | RestoreStep::Write(path, _)
        | RestoreStep::SetMode(path, _)
        | RestoreStep::SetPermissions(path, _) => Some(path),
        RestoreStep::RemoveFolder(_)
        | RestoreStep::RemoveIfEmpty(_)
        | RestoreStep::MakeFolder(_)
        | RestoreStep::SetFolderPermissions(..) => None,
    }
}

/// The first of some names, and how many more there are.
fn named(names: &[&str]) -> String {
    let first = names.get(..NAMED).unwrap_or(names).join(", ");
    match names.len() {
        0 => "nothing".to_owned(),
        count if count > NAMED => format!("{first} and {} more", count - NAMED),
        _ => first,
    }
}

#[cfg(test)]
mod tests {
    use super::{RestoreStop, named};
    use crate::checkpoint::session::plan::change::RestoreStep;

    #[test]
    fn a_stop_lists_done_and_undone_files_apart() {
        let steps = [
            RestoreStep::Delete("a"),
            RestoreStep::MakeFolder("b"),
            RestoreStep::SetMode("b/c", true),
            RestoreStep::Delete("d"),
        ];
        let stop = RestoreStop::at(&steps, 2, None);
        assert_eq!((stop.done, stop.left), (vec!["a"], vec!["b/c", "d"]));
        let stop = RestoreStop::at(&steps, 9, None);
        assert_eq!((stop.done.len(), stop.left.len()), (3, 0));
        assert_eq!(stop.deleted, ["a", "d"]);
    }

    #[test]
    fn many_names_are_counted() {
        assert_eq!(named(&[]), "nothing");
        assert_eq!(named(&["a", "b"]), "a, b");
        let many = ["a", "b", "c", "d", "e", "f", "g"];
        assert_eq!(named(&many), "a, b, c, d, e and 2 more");
    }
}
