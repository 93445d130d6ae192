//! The checks of what the state depends on: the file system, the clock, the repository.

use crate::doctor::facts::{
    FileSystemLack, FolderAccess, Inside, Read, StateFolder, StateFolderFacts, TrialResult,
};
use crate::doctor::finding::{Finding, Level, Report};
use crate::doctor::fix_step::FixStep;
use crate::error::ErrorKind;
use crate::integrations;
use crate::root::Head;
use crate::store::{SIDE, StoreFolder};
use crate::time;

/// The rights of the owner, without which nothing can be kept in a folder.
const OWN_BITS: u32 = 0o700;
const ACCESS_BITS: u32 = 0o777;

const YEAR_MS: f64 = 365.25 * 24.0 * 60.0 * 60.0 * 1000.0;
/// 2020-01-01T00:00:00Z, before this program was written.
const BEFORE_US_MS: f64 = 1_577_836_800_000.0;
/// Clocks of machines that share a project differ by less.
const SKEW_MS: f64 = 5.0 * 60.0 * 1000.0;
/// A project that was untouched for longer is the exception; a wrong clock is not.
const ASLEEP_MS: f64 = 5.0 * YEAR_MS;

pub(super) fn file_system(facts: &StateFolderFacts<'_>, _: &Inside, report: &mut Report) {
    let FolderAccess::Open(state_folder, tried) = &facts.start.access else {
        return;
    };
    let path = facts.folder.path();
    for tried in tried.iter().flatten() {
        match tried {
            TrialResult::Unwritable(within, detail) => {
                let path = facts.folder.shown(within);
                let found = format!(
                    "No folder can be made here{}: {detail}",
                    mode(*state_folder, within)
                );
                let why = "Checkpoints can only be read. Saving them takes all rights of an \
                           owner to this folder (mode 0700): `ls -ld` shows whose it is, `chown` and \
                           `chmod` change it.";
                let error = report.add(Level::Error, &path, &found, why);
                permit(facts.folder, *state_folder, error);
            }
            TrialResult::Full(detail) => {
                let found = format!("The disk is full, or a quota is used up: {detail}");
                let why = "Nothing can be saved until there is room; what was acknowledged is still \
                           there. `df` shows how full it is. The file system was not tried.";
                report.add(Level::Error, path, &found, why);
            }
            TrialResult::Unfit(found) => {
                let why = "The store rests on this: on such a file system changes that were \
                           acknowledged can be lost. Keep the state on a local disk, or in a \
                           database.";
                report.add(Level::Error, path, found, why);
            }
            TrialResult::Lacks(lack) => {
                let (found, why) = lacking(*lack);
                report.add(Level::Note, path, found, why);
            }
            TrialResult::Closed(detail) => {
                let found = format!(
                    "No file can be put here{}: {detail}",
                    mode(*state_folder, "")
                );
                let why = "A save renames its file into this folder: every one fails. Saving takes \
                           all rights of an owner to the folder (mode 0700): `ls -ld` shows whose it is, \
                           `chown` and `chmod` change it.";
                let error = report.add(Level::Error, path, &found, why);
                permit(facts.folder, *state_folder, error);
            }
            TrialResult::Interrupted => {
                let found = "The folder in which the file system was tried has been removed";
                let why = "Nothing is known of it; examine it again.";
                report.add(Level::Note, path, found, why);
            }
            TrialResult::Stays(below, remedy, detail) => {
                let path = facts.folder.shown(below);
                let found = format!("What was made to try it cannot be removed: {detail}");
                let why = "It is of no use to anybody.";
                let finding = report.add(Level::Warning, &path, &found, why);
                finding.with(remedy.clone());
            }
        }
    }
}

/// The permission bits of the state folder or the side folder, in brackets.
fn mode(state_folder: StateFolder, below: &str) -> String {
    let mode = state_folder.modes[usize::from(below == SIDE)];
    mode.map_or(String::new(), |mode| {
        format!(" (mode {:04o})", mode & ACCESS_BITS)
    })
}

/// Names the step that gives the owner of a folder what is needed to write to it. A fix has done that before the trial,
/// where it can.
fn permit(folder: &StoreFolder, state_folder: StateFolder, error: &mut Finding) {
    if let Some(path) = closed_folder(folder, state_folder) {
        error.fixed_by(FixStep::PermitFolder(path));
    }
}

/// The outer one of the state folder and the side folder that lacks a right of its owner.
fn closed_folder(folder: &StoreFolder, state_folder: StateFolder) -> Option<String> {
    let lacks = |mode: &Option<u32>| mode.is_some_and(|mode| mode & OWN_BITS != OWN_BITS);
    let at = state_folder.modes.iter().position(lacks)?;
    Some(folder.shown(["", SIDE][at]))
}

/// The folder by whose mode the trial of the file system was refused, if it was.
pub(super) fn refused_folder(facts: &StateFolderFacts<'_>) -> Option<String> {
    let FolderAccess::Open(state_folder, tried) = &facts.start.access else {
        return None;
    };
    let is_refusal =
        |it: &TrialResult| matches!(it, TrialResult::Unwritable(..) | TrialResult::Closed(_));
    let was_refused = tried.iter().flatten().any(is_refusal);
    let closed = closed_folder(facts.folder, *state_folder);
    closed.filter(|_| was_refused)
}

fn lacking(lack: FileSystemLack) -> (&'static str, &'static str) {
    match lack {
        FileSystemLack::SecondNames => (
            "Files cannot have a second name here",
            "Replaced revisions are copied instead, which takes longer.",
        ),
        FileSystemLack::FolderSync => (
            "Folders cannot be synced here",
            "What was acknowledged survives the end of a process, and perhaps not a power loss.",
        ),
        FileSystemLack::Case => (
            "Letter case makes no difference in names here",
            "Features whose names differ in case only cannot both have a checkpoint.",
        ),
    }
}

/// Compares the clock with the newest checkpoint.
pub(super) fn clock(facts: &StateFolderFacts<'_>, report: &mut Report) {
    let now_ms = facts.now_ms;
    let mut newest: Option<(f64, String)> = None;
    for checkpoint in facts.inside.iter().flat_map(|inside| &inside.checkpoints) {
        if let Read::Document(content) = &checkpoint.read
            && let Some(updated_ms) = content.updated_ms
            && newest
                .as_ref()
                .is_none_or(|(latest, _)| updated_ms > *latest)
        {
            let path = facts.folder.shown(&checkpoint.listed.stem.file());
            newest = Some((updated_ms, path));
        }
    }
    let newest_ms = newest.as_ref().map_or(now_ms, |(newest_ms, _)| *newest_ms);
    let level = if now_ms >= BEFORE_US_MS && now_ms >= newest_ms - SKEW_MS {
        if now_ms <= newest_ms + ASLEEP_MS {
            return;
        }
        Level::Note
    } else {
        Level::Warning
    };
    let mut found = format!("The clock says {}", time::format(now_ms));
    if let Some((newest_ms, path)) = newest {
        let newest = time::format(newest_ms);
        found.push_str(&format!(", and {path} was updated at {newest}"));
    }
    let why = "Nothing is lost by it, since order is by revision; but where a run is resumed without \
               its name, the checkpoint with the latest time is taken. Set the clock.";
    report.add(level, "", &found, why);
}

pub(super) fn repository(facts: &StateFolderFacts<'_>, report: &mut Report) {
    let found = match &facts.start.head {
        Head::Commit(_) | Head::Unborn => return,
        Head::NoRepository => "There is no git repository here",
        Head::OutOfSight => "No .git is in what this program may see",
        Head::Unreadable(why) => why,
    };
    let why = "Checkpoints are saved without the commit they were true at, and none is ever called \
               stale.";
    report.add(Level::Note, "", found, why);
}

pub(super) fn settings(facts: &StateFolderFacts<'_>, report: &mut Report) {
    let Some(error) = facts.wrong_settings else {
        return;
    };
    let problems: Vec<String> = match error.kind() {
        ErrorKind::InvalidDocument(problems) => problems.iter().map(ToString::to_string).collect(),
        _ => vec![error.to_string()],
    };
    for found in problems {
        let why = "Commands that it adds are not known, snapshots are made within the usual \
                   limits, and none is removed.";
        report.add(Level::Error, integrations::FILE, &found, why);
    }
}
