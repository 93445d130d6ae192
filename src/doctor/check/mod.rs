//! The checks, as a table: what each says where nothing is wrong, and what judges the facts.

mod aside;
mod documents;
mod folder;
mod hooks;
mod privacy;
mod side_files;
mod surroundings;
mod unread;

use super::facts::{FolderAccess, Inside, StateFolderFacts};
use super::finding::{Check, Finding, Level, Report};

/// One check.
struct CheckRow {
    check: Check,
    /// The finding where nothing is wrong.
    sound: &'static str,
    classify: CheckFunction,
}

/// The function that makes findings of facts.
enum CheckFunction {
    /// There are such facts wherever an examination is made.
    Anywhere(fn(&StateFolderFacts<'_>, &mut Report)),
    /// There are such facts in a state folder.
    Inside(fn(&StateFolderFacts<'_>, &Inside, &mut Report)),
}

/// Every check, in the order of the report.
#[rustfmt::skip]
static TABLE: [CheckRow; 22] = [
    row(Check::Folder,     "Every part of the store is a file or folder of its own",  CheckFunction::Anywhere(folder::parts)),
    row(Check::FileSystem, "Exclusive creation, renaming over a file, a second name, listing and fsync work",
                                                                                      CheckFunction::Inside(surroundings::file_system)),
    row(Check::Modes,      "Only its owner can read the state folder",                CheckFunction::Inside(privacy::modes)),
    row(Check::Ignored,    "Git ignores everything in the state folder",              CheckFunction::Inside(privacy::ignored)),
    row(Check::Tracked,    "Git tracks no file of the state folder",                  CheckFunction::Inside(privacy::tracked)),
    row(Check::Secrets,    "Nothing in a checkpoint looks like a secret",             CheckFunction::Anywhere(privacy::secrets)),
    row(Check::Names,      "Every checkpoint that can be read is stored under its own name", CheckFunction::Inside(documents::names)),
    row(Check::Documents,  "Every checkpoint can be read",                            CheckFunction::Inside(documents::readable)),
    row(Check::Schema,     "Every checkpoint that can be read keeps the schema",      CheckFunction::Inside(documents::schema)),
    row(Check::History,    "Every kept revision that can be listed matches its record", CheckFunction::Inside(documents::history)),
    row(Check::Sessions,   "Every snapshot can be read",                              CheckFunction::Anywhere(unread::sessions)),
    row(Check::Aside,      "No restore has left a file aside",                        CheckFunction::Anywhere(aside::left)),
    row(Check::Tasks,      "Every task checkpoint can be read, and found by its id",  CheckFunction::Inside(unread::tasks)),
    row(Check::Threads,    "Every thread can be read, and lost nothing",              CheckFunction::Inside(unread::threads)),
    row(Check::Registers,  "What is remembered beside checkpoints can be read",       CheckFunction::Anywhere(unread::registers)),
    row(Check::Quarantine, "There is no copy of a corrupt checkpoint",                CheckFunction::Inside(side_files::quarantine)),
    row(Check::Leftovers,  "No writer has left anything behind",                      CheckFunction::Inside(side_files::leftovers)),
    row(Check::Strays,     "Nothing is there that does not belong there",             CheckFunction::Inside(side_files::strays)),
    row(Check::Clock,      "The clock agrees with the checkpoints",                   CheckFunction::Anywhere(surroundings::clock)),
    row(Check::Repository, "HEAD can be read",                                        CheckFunction::Anywhere(surroundings::repository)),
    row(Check::Settings,   "What integrations.json says can be done",                  CheckFunction::Anywhere(surroundings::settings)),
    row(Check::Hooks,      "No coding agent has hooks registered in this project",    CheckFunction::Anywhere(hooks::registered)),
];

const fn row(check: Check, sound: &'static str, classify: CheckFunction) -> CheckRow {
    CheckRow {
        check,
        sound,
        classify,
    }
}

pub(super) use folder::closed;

/// Classifies these facts: all that is wrong, or worth knowing.
pub(super) fn classify(facts: &StateFolderFacts<'_>) -> Vec<Finding> {
    let mut report = Report::new();
    for row in &TABLE {
        report.check = row.check;
        match (&row.classify, &facts.inside) {
            (CheckFunction::Anywhere(classify), _) => classify(facts, &mut report),
            (CheckFunction::Inside(classify), Some(inside)) => classify(facts, inside, &mut report),
            (CheckFunction::Inside(_), None) => {}
        }
    }
    report.findings
}

/// Adds that nothing was found, for each check that was made and found nothing.
pub(super) fn add_sound(facts: &StateFolderFacts<'_>, findings: Vec<Finding>) -> Vec<Finding> {
    let mut report = Report::new();
    report.findings = findings;
    for row in &TABLE {
        let is_made = matches!(row.classify, CheckFunction::Anywhere(_)) || facts.inside.is_some();
        // A check that was not tried has no result.
        let is_left_out = row.check == Check::FileSystem
            && matches!(facts.start.access, FolderAccess::Open(_, None));
        let has_found = report.findings.iter().any(|it| it.check == row.check);
        if is_made && !has_found && !is_left_out {
            report.check = row.check;
            report.add(Level::Ok, "", row.sound, "");
        }
    }
    report.findings
}

#[cfg(test)]
mod tests {
    use super::TABLE;
    use crate::doctor::Check;

    #[test]
    fn every_check_has_its_row_in_the_order_of_the_report() {
        assert!(TABLE.iter().map(|row| row.check).eq(Check::ALL));
    }
}
