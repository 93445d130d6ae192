//! The checks, as a table: what each says where nothing is wrong, and what judges the facts.

mod aside;
mod documents;
mod folder;
mod hooks;
mod privacy;
mod side_files;
mod surroundings;
mod unread;

use super::facts::{Facts, Inside, Way};
use super::finding::{Check, Finding, Level, Report};

/// One check.
struct Row {
    check: Check,
    /// The finding where nothing is wrong.
    sound: &'static str,
    judge: Judge,
}

/// The function that makes findings of facts.
enum Judge {
    /// There are such facts wherever an examination is made.
    Anywhere(fn(&Facts<'_>, &mut Report)),
    /// There are such facts in a state folder.
    Inside(fn(&Facts<'_>, &Inside, &mut Report)),
}

/// Every check, in the order of the report.
#[rustfmt::skip]
static TABLE: [Row; 22] = [
    row(Check::Folder,     "Every part of the store is a file or folder of its own",  Judge::Anywhere(folder::parts)),
    row(Check::FileSystem, "Exclusive creation, renaming over a file, a second name, listing and fsync work",
                                                                                      Judge::Inside(surroundings::file_system)),
    row(Check::Modes,      "Only its owner can read the state folder",                Judge::Inside(privacy::modes)),
    row(Check::Ignored,    "Git ignores everything in the state folder",              Judge::Inside(privacy::ignored)),
    row(Check::Tracked,    "Git tracks no file of the state folder",                  Judge::Inside(privacy::tracked)),
    row(Check::Secrets,    "Nothing in a checkpoint looks like a secret",             Judge::Anywhere(privacy::secrets)),
    row(Check::Names,      "Every checkpoint that can be read is stored under its own name", Judge::Inside(documents::names)),
    row(Check::Documents,  "Every checkpoint can be read",                            Judge::Inside(documents::readable)),
    row(Check::Schema,     "Every checkpoint that can be read keeps the schema",      Judge::Inside(documents::schema)),
    row(Check::History,    "Every kept revision that can be listed matches its record", Judge::Inside(documents::history)),
    row(Check::Sessions,   "Every session checkpoint can be read",                    Judge::Anywhere(unread::sessions)),
    row(Check::Aside,      "No restore has left a file aside",                        Judge::Anywhere(aside::left)),
    row(Check::Tasks,      "Every task checkpoint can be read, and found by its id",  Judge::Inside(unread::tasks)),
    row(Check::Threads,    "Every thread can be read, and lost nothing",              Judge::Inside(unread::threads)),
    row(Check::Registers,  "What is remembered beside checkpoints can be read",       Judge::Anywhere(unread::registers)),
    row(Check::Quarantine, "There is no copy of a corrupt checkpoint",                Judge::Inside(side_files::quarantine)),
    row(Check::Leftovers,  "No writer has left anything behind",                      Judge::Inside(side_files::leftovers)),
    row(Check::Strays,     "Nothing is there that does not belong there",             Judge::Inside(side_files::strays)),
    row(Check::Clock,      "The clock agrees with the checkpoints",                   Judge::Anywhere(surroundings::clock)),
    row(Check::Repository, "HEAD can be read",                                        Judge::Anywhere(surroundings::repository)),
    row(Check::Settings,   "What integrations.json says can be done",                  Judge::Anywhere(surroundings::settings)),
    row(Check::Hooks,      "No coding agent has hooks registered in this project",    Judge::Anywhere(hooks::registered)),
];

const fn row(check: Check, sound: &'static str, judge: Judge) -> Row {
    Row {
        check,
        sound,
        judge,
    }
}

/// Judges these facts: all that is wrong, or worth knowing.
pub(super) fn judge(facts: &Facts<'_>) -> Vec<Finding> {
    let mut report = Report::new();
    for row in &TABLE {
        report.check = row.check;
        match (&row.judge, &facts.inside) {
            (Judge::Anywhere(judge), _) => judge(facts, &mut report),
            (Judge::Inside(judge), Some(inside)) => judge(facts, inside, &mut report),
            (Judge::Inside(_), None) => {}
        }
    }
    report.findings
}

/// Adds that nothing was found, for each check that was made and found nothing.
pub(super) fn add_sound(facts: &Facts<'_>, findings: Vec<Finding>) -> Vec<Finding> {
    let mut report = Report::new();
    report.findings = findings;
    for row in &TABLE {
        let is_made = matches!(row.judge, Judge::Anywhere(_)) || facts.inside.is_some();
        // A check that was not tried has no result.
        let is_left_out =
            row.check == Check::FileSystem && matches!(facts.start.way, Way::Open(_, None));
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
