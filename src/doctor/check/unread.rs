//! Snapshots, task checkpoints, threads and registers that cannot be read.

use crate::doctor::facts::{Inside, RegisterDamage, StateFolderFacts, ThreadDamage, Unread};
use crate::doctor::finding::{Level, Report};
use crate::doctor::fix_step::{FixStep, Remedy};
use crate::effect::PathKind;
use crate::error::Code;

use super::documents::READABLE;

pub(super) fn sessions(facts: &StateFolderFacts<'_>, report: &mut Report) {
    for unread in &facts.unread_sessions {
        let lost = "It is never written again, so that nothing here can fix it: put the file back from a \
                    copy, or remove it by its name.";
        one(
            unread,
            lost,
            Some(FixStep::Remove(unread.path.clone())),
            report,
        );
    }
}

pub(super) fn tasks(_: &StateFolderFacts<'_>, inside: &Inside, report: &mut Report) {
    for unread in &inside.unread_tasks {
        if let Some(task) = unread.path.strip_suffix("/index.json") {
            let lost = "It says which checkpoints its task has: put the file back from a copy, or move the folder \
                        of the task away, which gives them up; the next save of that task begins another one.";
            one(unread, lost, Some(FixStep::aside(task)), report);
        } else {
            let why = "The other checkpoints of the task are not touched by it: put the file back from a copy, \
                       or save that checkpoint again, or delete it by its id.";
            let found = unread.error.to_string();
            report
                .add(Level::Error, &unread.path, &found, why)
                .fleeting();
        }
    }
    for unmarked in &inside.unmarked_tasks {
        let found = format!(
            "The mark of one of its checkpoints is missing: {}",
            unmarked.mark
        );
        let why = "Its checkpoint is found by its id only by a look at all tasks, and another task can be given the \
                   same id.";
        let finding = report.add(Level::Warning, &unmarked.path, &found, why);
        finding.fleeting().with(Remedy::Mark(unmarked.mark.clone()));
    }
}

pub(super) fn threads(_: &StateFolderFacts<'_>, inside: &Inside, report: &mut Report) {
    for damage in &inside.threads {
        match damage {
            ThreadDamage::Lossy { path, id, lines } => {
                let found = match lines {
                    0 => "It holds zeros, as after a loss of power".to_owned(),
                    lines => format!(
                        "As after a loss of power, changes are missing that were acknowledged and did not wait for \
                         the disk: {lines}"
                    ),
                };
                let why = "The thread goes on from what is left. Its next change keeps the file in quarantine, and so \
                           does this.";
                let finding = report.add(Level::Warning, path, &found, why);
                finding
                    .fleeting()
                    .fixed_by(FixStep::RecoverThread(id.clone()));
            }
            ThreadDamage::Unread(unread, id) => {
                let lost = "What is left of its thread can be brought back by the id of that; what is damaged is kept \
                            in quarantine.";
                let step = id.clone().map(FixStep::RecoverThread);
                one(unread, lost, step, report);
            }
        }
    }
}

pub(super) fn registers(facts: &StateFolderFacts<'_>, report: &mut Report) {
    let why = "The newest revision of its history is used in its place, and the next change writes it; a copy of what \
               is corrupt is kept in quarantine.";
    for damage in &facts.registers {
        match damage {
            RegisterDamage::Unread(unread) => one(unread, why, None, report),
            RegisterDamage::Gone(path) => {
                let found = "It is gone, and its history is there";
                report.add(Level::Warning, path, found, why).fleeting();
            }
            RegisterDamage::Record(below) => {
                let path = facts.folder.shown(below);
                let found = "It is not a record of an agent's session";
                let why = "It counts as none, and the session's next status line or turn writes it again.";
                let finding = report.add(Level::Note, &path, found, why);
                finding.fleeting().with(Remedy::Remove(below.clone()));
            }
        }
    }
}

/// Reports one of them; `lost` says what a bad file means, and `step` fixes it.
fn one(unread: &Unread, lost: &'static str, step: Option<FixStep>, report: &mut Report) {
    let Unread { path, error, entry } = unread;
    let is_bad = matches!(
        error.code(),
        Code::Corrupt | Code::TooLarge | Code::InvalidDocument
    );
    let is_closed = entry.mode.is_some_and(|mode| mode & READABLE == 0);
    let why = match (entry.kind, is_bad) {
        (PathKind::File | PathKind::Absent, true) => lost,
        (PathKind::File | PathKind::Folder, _) => {
            "Fix its owner or its permissions: `ls -l` shows them, `chown` and `chmod` change them."
        }
        _ => "Nothing is read through it, because it may lead anywhere.",
    };
    let finding = report.add(Level::Error, path, &error.to_string(), why);
    // A hand may be about to put it right.
    finding.fleeting();
    match entry.kind {
        PathKind::File if is_closed => {
            finding.fixed_by(FixStep::PermitFile(path.clone()));
        }
        PathKind::Folder if is_closed => {
            finding.fixed_by(FixStep::PermitFolder(path.clone()));
        }
        PathKind::File | PathKind::Absent if is_bad => {
            finding.fixed_by(Vec::from_iter(step));
        }
        PathKind::File | PathKind::Folder | PathKind::Absent => {}
        _ => {
            finding.fixed_by(FixStep::aside(path));
        }
    }
}
