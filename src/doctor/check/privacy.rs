//! The checks of who sees the state: other users, and those who clone the repository.

use crate::doctor::facts::{FolderAccess, Inside, Secret, StateFolderFacts};
use crate::doctor::finding::{Level, Report};
use crate::doctor::fix_step::{FixStep, Remedy};
use crate::doctor::ignore::is_missing;
use crate::effect::Fault;
use crate::store::SIDE;

/// The rights of everybody but the owner, which no one else should have.
const FOREIGN_BITS: u32 = 0o077;
const ACCESS_BITS: u32 = 0o777;

pub(super) fn modes(facts: &StateFolderFacts<'_>, _: &Inside, report: &mut Report) {
    let FolderAccess::Open(state_folder, _) = &facts.start.access else {
        return;
    };
    if state_folder.modes == [None, None] {
        let found = "This host has no modes, so who may read the state folder is unknown";
        let why = "What is made here has the usual mode: make the folder where modes exist, or \
                   keep the project's folder private.";
        report.add(Level::Note, "", found, why);
    }
    for (below, mode) in ["", SIDE].into_iter().zip(state_folder.modes) {
        let Some(mode) = mode.filter(|mode| mode & FOREIGN_BITS != 0) else {
            continue;
        };
        let path = facts.folder.shown(below);
        let found = format!("Its mode is {:04o}", mode & ACCESS_BITS);
        let why = "Summaries hold private text; with mode 0700 only their owner reads or changes \
                   them.";
        // A folder that the user chose may have a mode that the user chose.
        if facts.folder.is_own() || below == SIDE {
            let finding = report.add(Level::Warning, &path, &found, why);
            finding.with(Remedy::Restrict(below.to_owned()));
        } else {
            let finding = report.add(Level::Note, &path, &found, why);
            finding.fixed_by(FixStep::Restrict(path));
        }
    }
}

pub(super) fn ignored(facts: &StateFolderFacts<'_>, inside: &Inside, report: &mut Report) {
    let Some((below, read)) = &inside.ignore else {
        return;
    };
    let path = facts.folder.shown(below);
    let is_missing = is_missing(read);
    let found = match (is_missing, read) {
        (true, _) => "It is missing, or empty",
        (false, Ok(_) | Err(Fault::Symlink | Fault::WrongKind | Fault::TooLarge)) => {
            "It is not the one that the store makes, and does not ignore everything"
        }
        (false, Err(_)) => "It cannot be read",
    };
    let why = "State would be committed with `git add`, and come with every clone.";
    let finding = report.add(Level::Warning, &path, found, why);
    // It is not there from the first moment of a new folder, nor whole.
    finding.fleeting();
    if is_missing {
        finding.with(Remedy::Ignore(below.clone()));
    } else {
        // Rules that a person wrote are for that person to move.
        finding.fixed_by([FixStep::aside(&path), FixStep::Fix]);
    }
}

pub(super) fn tracked(facts: &StateFolderFacts<'_>, inside: &Inside, report: &mut Report) {
    let folder = facts.folder.path();
    let paths = match &inside.tracked {
        None => return,
        Some(Ok(paths)) => paths,
        Some(Err(found)) => {
            let why = "Whether git tracks state files is unknown.";
            report.add(Level::Note, "", found, why);
            return;
        }
    };
    let Some(first) = paths.first() else {
        return;
    };
    let found = format!("Git tracks {} files of it, such as {first}", paths.len());
    let why = "State that comes with a clone is text of another author, and checking out a \
               commit overwrites what was saved.";
    let finding = report.add(Level::Warning, folder, &found, why);
    finding.fixed_by(FixStep::Untrack(folder.to_owned()));
}

pub(super) fn secrets(facts: &StateFolderFacts<'_>, report: &mut Report) {
    for secret in &facts.secrets {
        let Secret {
            path,
            rule,
            line,
            count,
        } = secret;
        let found = match count {
            1 => format!("Line {line} holds what looks like a secret ({rule})"),
            count => format!(
                "{count} places hold what looks like a secret, the first in line {line} ({rule})"
            ),
        };
        let why = "A checkpoint is read by agents and people, and handed on: take the secret out, \
                   and change it where it is valid. Earlier revisions keep it until they are \
                   pruned.";
        report.add(Level::Warning, path, &found, why);
    }
}
