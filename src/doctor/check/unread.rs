//! Session and task checkpoints that cannot be read.

use crate::doctor::facts::{Facts, Inside, Unread};
use crate::doctor::finding::{Level, Report};
use crate::doctor::mend::Mend;
use crate::effect::Kind;
use crate::error::Code;

use super::documents::READABLE;

pub(super) fn sessions(facts: &Facts<'_>, report: &mut Report) {
    for unread in &facts.unread_sessions {
        let lost = "It is never written again, so that nothing here can mend it: put the file back from a \
                    copy, or remove it by its name.";
        one(unread, lost, report);
    }
}

pub(super) fn tasks(_: &Facts<'_>, inside: &Inside, report: &mut Report) {
    for unread in &inside.unread_tasks {
        if unread.path.ends_with("/index.json") {
            let lost = "It says which checkpoints its task has: put the file back from a copy, or remove it, \
                        which gives them up; the next save of that task begins it anew.";
            one(unread, lost, report);
        } else {
            let why = "The other checkpoints of the task are not touched by it: put the file back from a copy, \
                       or save that checkpoint again, or delete it by its id.";
            let found = unread.error.to_string();
            report
                .add(Level::Error, &unread.path, &found, why)
                .fleeting();
        }
    }
}

/// One of them; `lost` says what a bad file means.
fn one(unread: &Unread, lost: &'static str, report: &mut Report) {
    let Unread { path, error, entry } = unread;
    let is_bad = matches!(error.code(), Code::Corrupt | Code::TooLarge);
    let is_closed = entry.mode.is_some_and(|mode| mode & READABLE == 0);
    let why = match (entry.kind, is_bad) {
        (Kind::File, true) => lost,
        (Kind::File | Kind::Folder, _) => {
            "Its owner or its permissions are to be mended: `ls -l` shows them, `chown` and `chmod` \
             change them."
        }
        _ => "Nothing is read through it, because it may lead anywhere.",
    };
    let finding = report.add(Level::Error, path, &error.to_string(), why);
    // A hand may be about to put it right.
    finding.fleeting();
    match entry.kind {
        Kind::File if is_closed => drop(finding.mended_by(Mend::PermitFile(path.clone()))),
        Kind::Folder if is_closed => drop(finding.mended_by(Mend::PermitFolder(path.clone()))),
        Kind::File if is_bad => drop(finding.mended_by(Mend::Remove(path.clone()))),
        Kind::File | Kind::Folder => {}
        _ => drop(finding.mended_by(Mend::aside(path))),
    }
}
