//! The check that every part on the way to the documents, and of the store, is a folder or file of its own.

use crate::doctor::facts::{ClosedPath, FolderAccess, StateFolderFacts};
use crate::doctor::finding::{Check, Finding, Level, Report};
use crate::doctor::fix_step::{FixStep, ModeChange, Remedy};
use crate::effect::PathKind;

use super::surroundings::refused_folder;

/// The rights without which nothing is known of what is in a folder, or of a file.
const LOOK_BITS: u32 = 0o500;
/// The rights of the owner, with the words for their use in a folder and in a file.
const RIGHTS: [(u32, &str, &str); 3] = [
    (0o400, "list", "read"),
    (0o200, "write to", "write to"),
    (0o100, "search", "run"),
];

pub(super) fn parts(facts: &StateFolderFacts<'_>, report: &mut Report) {
    let refused = refused_folder(facts);
    let closed = facts.closed.iter();
    // The trial reports the folder that refused it.
    let closed = closed.filter(|it| Some(it.shown.as_str()) != refused.as_deref());
    report.findings.extend(closed.map(finding_of));
    match &facts.start.access {
        FolderAccess::Blocked(part, PathKind::Denied) if is_in_closed(facts, part) => {}
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
        if *kind == PathKind::Denied && is_in_closed(facts, &path) {
            continue;
        }
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

/// The findings about folders and files that an examination can open.
pub(in crate::doctor) fn closed(paths: &[ClosedPath]) -> Vec<Finding> {
    let findings = paths.iter().map(finding_of);
    findings.filter(|it| it.remedy.is_some()).collect()
}

/// The finding about a folder or file that keeps its owner out.
fn finding_of(closed: &ClosedPath) -> Finding {
    let ClosedPath {
        shown,
        host,
        kind,
        mode,
        lacking,
        made_with,
    } = closed;
    let is_folder = *kind == PathKind::Folder;
    let words = RIGHTS.iter().filter(|(bit, ..)| lacking & bit != 0);
    let words = words.map(|(_, folder, file)| if is_folder { *folder } else { *file });
    let words: Vec<&str> = words.collect();
    let found = format!(
        "Its mode is {mode:04o}, so that its owner cannot {} it",
        words.join(" or ")
    );
    let why = match is_folder && lacking & LOOK_BITS != 0 {
        true => {
            "Every save that needs it fails, and of what is in it nothing is known until it is opened."
        }
        false => "Every save that needs it fails.",
    };
    let mut finding = Finding::new(Check::Folder, Level::Error, shown, &found, why);
    let step = match is_folder {
        true => FixStep::PermitFolder(shown.clone()),
        false => FixStep::PermitFile(shown.clone()),
    };
    match made_with {
        Some(bits) => finding.with(Remedy::Permit(Box::new(ModeChange {
            host: host.clone(),
            bits: *bits,
            step,
        }))),
        None => finding.fixed_by(step),
    };
    finding
}

/// Returns whether a path is in a folder that keeps its owner out.
fn is_in_closed(facts: &StateFolderFacts<'_>, path: &str) -> bool {
    let is_in = |folder: &str| {
        let below = path.strip_prefix(folder);
        below.is_some_and(|below| below.starts_with('/'))
    };
    facts.closed.iter().any(|it| is_in(&it.shown))
}
