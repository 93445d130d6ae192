//! The checkpoints themselves, and their histories.

use crate::checkpoint::command::document::Changeability;
use crate::doctor::facts::{
    DocumentFacts, ExaminedRun, HistoryState, Inside, Read, StateFolderFacts, StoredRun, Wrong,
};
use crate::doctor::finding::{Level, Report};
use crate::doctor::fix_step::FixStep;
use crate::effect::PathEntry;
use crate::error::{Code, Error};
use crate::store::Stem;
use crate::str_map;

/// In the mode of a file that its owner can read.
pub(super) const READABLE: u32 = 0o400;

pub(super) fn names(facts: &StateFolderFacts<'_>, inside: &Inside, report: &mut Report) {
    twins(&inside.checkpoints, report);
    for (checkpoint, content, home) in misnamed(inside) {
        let path = facts.folder.shown(&checkpoint.listed.stem.file());
        let found = match content.contradictions[..] {
            [key] => format!("Its {key} is not the one that its file is named after"),
            _ => {
                "Its command and its feature are not those that its file is named after".to_owned()
            }
        };
        let why = "Every command on it is a conflict: it was copied or renamed by hand.";
        let finding = report.add(Level::Error, &path, &found, why);
        finding.fixed_by(match home {
            Some(home) => FixStep::Move {
                from: path,
                to: facts.folder.shown(&home.file()),
            },
            None => FixStep::aside(&path),
        });
    }
}

/// The checkpoints that say that they belong under another name, each with that name where it is
/// free: no file has it, in any letter case, and none before this one is to be moved there.
fn misnamed(inside: &Inside) -> Vec<(&ExaminedRun, &DocumentFacts, Option<&Stem>)> {
    let mut found: Vec<(&ExaminedRun, &DocumentFacts, Option<&Stem>)> = Vec::new();
    for checkpoint in &inside.checkpoints {
        let Read::Document(content) = &checkpoint.read else {
            continue;
        };
        if content.contradictions.is_empty() {
            continue;
        }
        let own = &checkpoint.listed.stem;
        let home = content.belongs.as_ref().filter(|home| {
            let side = home.side();
            let is_there =
                |it: &ExaminedRun| it.listed.stem != *own && it.listed.stem.side() == side;
            let is_taken = |it: &Stem| it.side() == side;
            !inside.checkpoints.iter().any(is_there)
                && !found.iter().any(|(.., it)| it.is_some_and(is_taken))
        });
        found.push((checkpoint, content, home));
    }
    found
}

/// Names that differ in case only.
fn twins(checkpoints: &[ExaminedRun], report: &mut Report) {
    let sides: Vec<String> = checkpoints.iter().map(|it| it.listed.stem.side()).collect();
    let sides: Vec<&str> = sides.iter().map(String::as_str).collect();
    for pair in str_map::order(&sides).windows(2) {
        if sides[pair[0]] == sides[pair[1]] {
            let [one, other] = [0, 1].map(|it| checkpoints[pair[it]].listed.stem.file());
            let found = format!("{one} and {other} differ in letter case only");
            let why = "On macOS and Windows they would be one file: choose another feature name for \
                       one of them.";
            report.add(Level::Warning, "", &found, why);
        }
    }
}

pub(super) fn readable(facts: &StateFolderFacts<'_>, inside: &Inside, report: &mut Report) {
    for checkpoint in &inside.checkpoints {
        let path = facts.folder.shown(&checkpoint.listed.stem.file());
        match &checkpoint.read {
            // Nothing goes on from one under a wrong name.
            Read::Document(content) if content.is_edited && content.contradictions.is_empty() => {
                let revision = content.revision;
                let found = format!("It was changed by hand and counts as revision {revision}");
                let why = "The next save goes on from it, and says so.";
                report.add(Level::Note, &path, &found, why);
            }
            Read::Document(_) | Read::Nothing => {}
            Read::Failed(error, entry) => failed(checkpoint, &path, error, *entry, report),
        }
    }
    let checkpoints = &inside.checkpoints;
    let is_there = |lost: &StoredRun| checkpoints.iter().any(|it| it.listed == *lost);
    // A document of that name is moved there: it is the lost one.
    let homes = misnamed(inside);
    let comes_back = |lost: &StoredRun| homes.iter().any(|(.., home)| *home == Some(&lost.stem));
    let recorded = inside.side_files.recorded.iter();
    for lost in recorded.filter(|it| !is_there(it) && !comes_back(it)) {
        let path = facts.folder.shown(&lost.stem.file());
        let found = "It is gone, and its history is still there";
        let why = "It was removed by hand; a save creates it.";
        let note = report.add(Level::Note, &path, found, why);
        note.fleeting()
            .fixed_by(FixStep::Recover(lost.target.clone()));
    }
}

fn failed(
    checkpoint: &ExaminedRun,
    path: &str,
    error: &Error,
    entry: PathEntry,
    report: &mut Report,
) {
    // A document that could not be read is not known to be bad: it stays in its place.
    let is_bad = matches!(error.code(), Code::Corrupt | Code::TooLarge);
    let why = match (is_bad, entry.mode) {
        (false, Some(_)) => {
            "Fix its owner or its permissions: `ls -l` shows them, `chown` and `chmod` change them."
        }
        _ => "It is never overwritten, so every save of it fails until it is fixed.",
    };
    let finding = report.add(Level::Error, path, &error.to_string(), why);
    finding.fleeting();
    let recover = || FixStep::Recover(checkpoint.listed.target.clone());
    match (error.code(), checkpoint.history.kept, entry.mode) {
        (_, _, Some(mode)) if mode & READABLE == 0 => {
            finding.fixed_by(FixStep::PermitFile(path.to_owned()));
        }
        (Code::Corrupt | Code::TooLarge, HistoryState::Nothing, _) => {
            finding.fixed_by(FixStep::aside(path));
        }
        (Code::Corrupt, HistoryState::Good, _) => {
            finding.fixed_by(recover());
        }
        // A document that cannot be read cannot be kept in quarantine.
        (Code::TooLarge, HistoryState::Good, _) => {
            finding.fixed_by([FixStep::aside(path), recover()]);
        }
        _ => {}
    }
}

pub(super) fn schema(facts: &StateFolderFacts<'_>, inside: &Inside, report: &mut Report) {
    for checkpoint in &inside.checkpoints {
        let Read::Document(content) = &checkpoint.read else {
            continue;
        };
        let problems = content.problems;
        if problems == 0 {
            continue;
        }
        let path = facts.folder.shown(&checkpoint.listed.stem.file());
        let found = format!("It does not keep the schema (problems: {problems})");
        let (why, step) = broken(checkpoint, content, &path);
        let finding = report.add(Level::Warning, &path, &found, why);
        // One under a wrong name is moved first, and looked at again.
        if content.contradictions.is_empty() {
            finding.fixed_by(step);
        }
    }
}

/// The consequence of a document that breaks its schema, and the step that fixes it.
fn broken(
    checkpoint: &ExaminedRun,
    content: &DocumentFacts,
    path: &str,
) -> (&'static str, FixStep) {
    let validate = || FixStep::Validate(path.to_owned());
    match content.changeability {
        Changeability::Any => (
            "It can be read and changed, and each change warns of what is still wrong. An update with \
             an allowed value, such as a status for that phase, puts it right; `validate` names each \
             problem with its place.",
            validate(),
        ),
        Changeability::Undo if checkpoint.history.kept == HistoryState::Good => (
            "It can be read, and no update is made as long as its version is wrong: `undo` goes back \
             to the revision before.",
            validate(),
        ),
        Changeability::Undo => (
            "It can be read, and no update is made as long as its version is wrong. No good revision \
             of it is kept: correct the file by hand.",
            validate(),
        ),
        Changeability::Recover if checkpoint.history.kept == HistoryState::Good => (
            "It can be read, and no update is made, because its state, its phases or a list of them is \
             of another kind: its last good revision can take its place.",
            FixStep::Recover(checkpoint.listed.target.clone()),
        ),
        Changeability::Recover => (
            "It can be read, and no update is made, because its state, its phases or a list of them is \
             of another kind. No good revision of it is kept: correct the file by hand.",
            validate(),
        ),
        Changeability::Nothing => (
            "A later version of this program wrote it: this one reads it and never writes over it.",
            validate(),
        ),
    }
}

pub(super) fn history(facts: &StateFolderFacts<'_>, inside: &Inside, report: &mut Report) {
    for ExaminedRun {
        listed,
        read,
        history,
    } in &inside.checkpoints
    {
        let path = facts.folder.shown(&listed.stem.file());
        let current = match read {
            Read::Document(content) => content.revision,
            Read::Failed(..) | Read::Nothing => 0,
        };
        for (number, wrong) in &history.wrong {
            let (level, found, why) = match wrong {
                // The copy of the newest one is made durable by the next save only.
                Wrong::Altered(_) if *number == current => (
                    Level::Note,
                    format!("Revision {number} differs from its record"),
                    "The power may have failed; the next save replaces it.",
                ),
                Wrong::Altered(_) => (
                    Level::Warning,
                    format!("Revision {number} differs from its record"),
                    "It cannot be shown, compared with or recovered; the others can.",
                ),
                Wrong::Unreadable(error) => (
                    Level::Warning,
                    format!("Revision {number}: {error}"),
                    "As long as that is so, it cannot be shown, compared with or recovered; the \
                     others can.",
                ),
            };
            let path = match wrong {
                Wrong::Altered(entry) => entry,
                Wrong::Unreadable(_) => &path,
            };
            let finding = report.add(level, path, &found, why);
            finding.fleeting();
            // A document that cannot be read comes back under the number that the kept revisions give.
            if let Wrong::Altered(entry) = wrong
                && *number < current
            {
                finding.fixed_by(FixStep::aside(entry));
            }
        }
    }
}
