//! The check that every part on the way to the documents, and of the store, is a folder or file of its own.

use crate::doctor::facts::{FolderAccess, StateFolderFacts};
use crate::doctor::finding::{Level, Report};
use crate::doctor::fix_step::FixStep;

pub(super) fn parts(facts: &StateFolderFacts<'_>, report: &mut Report) {
    match &facts.start.access {
        FolderAccess::Blocked(part, kind) => {
            let found = format!("It is {}, and a folder belongs there", kind.noun());
            let why = "Nothing is followed or replaced below the root: every command that needs it \
                       fails.";
            report.add(Level::Error, part, &found, why);
        }
        FolderAccess::Missing => {
            let found = "There is no state folder: nothing was saved here yet";
            let why = "The first save makes it.";
            report.add(Level::Note, facts.folder.path(), found, why);
        }
        FolderAccess::Open(..) => {}
    }
    let Some(inside) = &facts.inside else {
        return;
    };
    for (below, kind) in &inside.side_files.misplaced {
        let path = facts.folder.shown(below);
        let found = format!("It is {}, which the store did not make", kind.noun());
        let why = "Nothing is followed or replaced: every save that needs its place fails.";
        let finding = report.add(Level::Error, &path, &found, why);
        finding.fleeting().fixed_by(FixStep::aside(&path));
    }
    for found in &inside.side_files.unlisted {
        let why = "Commands that list it fail as well. Its owner lists a folder with mode 0700: \
                   `ls -ld` shows whose it is and its mode, `chown` and `chmod` change them.";
        report.add(Level::Error, "", found, why).fleeting();
    }
}
