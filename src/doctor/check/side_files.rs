//! The checks of the files beside the documents: copies of corrupt ones, files that writers left, and foreign files.

use crate::doctor::facts::{Crowd, Inside, Leftover, StateFolderFacts};
use crate::doctor::finding::{Level, Report};
use crate::doctor::fix_step::{FixStep, Remedy};

/// Of many strays this many are named.
const NAMED: usize = 3;

pub(super) fn quarantine(facts: &StateFolderFacts<'_>, inside: &Inside, report: &mut Report) {
    for below in &inside.side_files.quarantined {
        let path = facts.folder.shown(below);
        let found = "A copy of a corrupt checkpoint is kept here";
        let why = "Remove it when nothing in it is needed any more.";
        let note = report.add(Level::Note, &path, found, why);
        note.fixed_by(FixStep::Remove(path));
    }
}

pub(super) fn leftovers(facts: &StateFolderFacts<'_>, inside: &Inside, report: &mut Report) {
    const WRITER: &str = "Left by a writer that died or stands still";
    for leftover in &inside.side_files.leftovers {
        let (below, level, found, remedy) = match leftover {
            Leftover::Unfinished(below) => {
                let remedy = Remedy::Remove(below.clone());
                (below, Level::Warning, WRITER.to_owned(), remedy)
            }
            // It looks the same for every waiting process.
            Leftover::Waiting(below) => {
                let remedy = Remedy::Remove(below.clone());
                (below, Level::Note, WRITER.to_owned(), remedy)
            }
            Leftover::Lock(below, bytes) => {
                // Part of what is compared: another owner's is another lock.
                let owner = String::from_utf8_lossy(bytes);
                let found = format!("{WRITER}: {}", owner.trim_end());
                let remedy = Remedy::Unlock(below.clone(), bytes.clone());
                (below, Level::Warning, found, remedy)
            }
            Leftover::Trial(below, remedy) => {
                let found = "An examination that was stopped has left this".to_owned();
                (below, Level::Warning, found, remedy.clone())
            }
        };
        let why = match leftover {
            Leftover::Trial(..) => "It is of no use to anybody.",
            _ => {
                "Nothing of it was acknowledged. It takes space, and a lock delays the next save; a \
                 writer that lives begins again without it."
            }
        };
        let path = facts.folder.shown(below);
        let finding = report.add(level, &path, &found, why);
        finding.fleeting().with(remedy);
    }
}

pub(super) fn strays(facts: &StateFolderFacts<'_>, inside: &Inside, report: &mut Report) {
    for Crowd { below, limit, kept } in &inside.side_files.crowds {
        let path = facts.folder.shown(below);
        let found = format!("It holds more than {limit} entries, which were not looked at");
        let why = "No listing goes further, so that commands that need one fail.";
        let finding = report.add(Level::Error, &path, &found, why);
        finding.fixed_by(FixStep::Clear { folder: path, kept });
    }
    for (below, names) in &inside.side_files.strays {
        let path = facts.folder.shown(below);
        let (count, first) = (names.len(), names[..NAMED.min(names.len())].join(", "));
        let found = format!("Not made by the store: {first} (entries: {count})");
        let why = "They do no harm, and are never touched.";
        report.add(Level::Note, &path, &found, why);
    }
}
