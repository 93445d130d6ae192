//! The checkpoints themselves, and their histories.

use crate::checkpoint::command::document::{self, Command};
use crate::checkpoint::command::name;
use crate::effect::Kind;
use crate::error::{Code, Error, Target};
use crate::json::Json;
use crate::keys;
use crate::store::{Document, Origin, Policy, Recorded, SIDE, Slot, Stem};
use crate::time;

use super::Examination;
use super::finding::{Check, Level, Report, aside, word};

/// In the mode of a file that its owner can read.
const READABLE: u32 = 0o400;

/// A file that is stored under the name of a checkpoint.
pub(super) struct Listed {
    pub(super) target: Target,
    pub(super) stem: Stem,
}

impl Examination<'_> {
    /// Lists the state folder, and tells what in it is no checkpoint.
    pub(super) async fn checkpoints(&self, report: &mut Report) -> Vec<Listed> {
        let mut checkpoints = Vec::new();
        let mut others = Vec::new();
        for file in self.entries("", &["*-*.json", ".gitignore"], report).await {
            match checkpoint(&file) {
                Some(listed) => checkpoints.push(listed),
                None if file == SIDE => {}
                None => others.push(file),
            }
        }
        self.strays("", &others, report).await;
        self.twins(&checkpoints, report);
        checkpoints
    }

    fn slot(&self, listed: &Listed) -> Slot<'_> {
        Slot::new(self.io, self.folder, &listed.stem, Policy::default())
    }

    /// Names that differ in case only.
    fn twins(&self, checkpoints: &[Listed], report: &mut Report) {
        let sides: Vec<String> = checkpoints.iter().map(|it| it.stem.side()).collect();
        let sides: Vec<&str> = sides.iter().map(String::as_str).collect();
        for pair in keys::order(&sides).windows(2) {
            if sides[pair[0]] == sides[pair[1]] {
                let [one, other] = [0, 1].map(|it| checkpoints[pair[it]].stem.file());
                let found = format!("{one} and {other} differ in letter case only");
                let why = "On macOS and Windows they would be one file: choose another feature name \
                           for one of them.";
                report.tell(Check::Names, Level::Warning, "", &found, why);
            }
        }
    }

    /// Reads every checkpoint and its history; returns the time and the path of the newest one.
    pub(super) async fn documents(
        &self,
        checkpoints: &[Listed],
        report: &mut Report,
    ) -> Option<(f64, String)> {
        let mut newest: Option<(f64, String)> = None;
        for listed in checkpoints {
            let read = self.slot(listed).read().await;
            let mut current = 0;
            let mut unreadable = None;
            match read {
                Ok(stored) => {
                    // Gone since the folder was listed.
                    let Some(document) = stored.document else {
                        continue;
                    };
                    current = document.stamp.revision;
                    let updated = document.object.get("updated_at").and_then(Json::as_str);
                    let updated = updated.and_then(time::parse).map(time::Time::wall_ms);
                    if let Some(updated) = updated
                        && newest.as_ref().is_none_or(|(latest, _)| updated > *latest)
                    {
                        newest = Some((updated, self.folder.shown(&listed.stem.file())));
                    }
                    self.content(listed, *document, checkpoints, report);
                }
                Err(error) => unreadable = Some(error),
            }
            let kept = self.history(listed, current, report).await;
            if let Some(error) = unreadable {
                self.unreadable(listed, &error, kept, report).await;
            }
        }
        newest
    }

    /// What a checkpoint says of itself.
    fn content(
        &self,
        listed: &Listed,
        document: Document,
        checkpoints: &[Listed],
        report: &mut Report,
    ) {
        let path = self.folder.shown(&listed.stem.file());
        let Target { command, feature } = &listed.target;
        let own = [("command", Some(command)), ("feature", feature.as_ref())];
        for (key, expected) in own {
            let stored = document.object.get(key).and_then(Json::as_str);
            if stored.is_some() && stored != expected.map(String::as_str) {
                let found = format!("Its {key} is not the one that its file is named after");
                let why = "Every command on it is a conflict: it was copied or renamed by hand.";
                let finding = report.tell(Check::Names, Level::Error, &path, &found, why);
                finding.mended_by(match self.place_of(listed, &document, checkpoints) {
                    Some(free) => format!("mv {} {}", word(&path), word(&free)),
                    None => aside(&path),
                });
            }
        }
        if document.origin == Origin::Edited {
            let revision = document.stamp.revision;
            let found = format!("It was changed by hand and counts as revision {revision}");
            let why = "The next save goes on from it, and says so.";
            report.tell(Check::Documents, Level::Note, &path, &found, why);
        }
        // A later version is a problem too.
        let problems = document::problems(&Json::Object(document.object)).len();
        if problems > 0 {
            let found = format!("It does not keep the schema (problems: {problems})");
            let why = "It can be read, but not be changed as long as that is so.";
            let finding = report.tell(Check::Schema, Level::Warning, &path, &found, why);
            finding.mended_by(self.milepost(&format!("validate {}", word(&path))));
        }
    }

    /// Where a document belongs by what it says of itself, unless something stands there.
    fn place_of(
        &self,
        listed: &Listed,
        document: &Document,
        checkpoints: &[Listed],
    ) -> Option<String> {
        let says = |key| document.object.get(key).and_then(Json::as_str);
        let Target { command, feature } = &listed.target;
        let command = Command::parse(says("command").unwrap_or(command))?;
        let feature = says("feature").or(feature.as_deref());
        let stem = Stem::new(name::stem(command.as_str(), feature).ok()?).ok()?;
        let is_taken = checkpoints.iter().any(|it| it.stem == stem);
        (!is_taken).then(|| self.folder.shown(&stem.file()))
    }

    async fn unreadable(&self, listed: &Listed, error: &Error, kept: Kept, report: &mut Report) {
        let file = listed.stem.file();
        let path = self.folder.shown(&file);
        let inspected = self
            .folder
            .inspect(self.io, std::slice::from_ref(&path))
            .await;
        let Ok(&[entry]) = inspected.as_deref() else {
            return;
        };
        if error.code() == Code::UnsafePath {
            // It may be a part beside it, which the look at the side folders tells.
            if !matches!(entry.kind, Kind::Absent | Kind::File) {
                self.misplaced(&file, entry.kind, report);
            }
            return;
        }
        // What could not be read is not known to be bad: it stays where it is.
        let is_bad = matches!(error.code(), Code::Corrupt | Code::TooLarge);
        let why = match (is_bad, entry.mode) {
            (false, Some(_)) => {
                "Its owner or its permissions are to be mended: `ls -l` shows them, `chown` and \
                 `chmod` change them."
            }
            _ => "It is never overwritten, so every save of it fails until it is mended.",
        };
        let finding = report.tell(
            Check::Documents,
            Level::Error,
            &path,
            &error.to_string(),
            why,
        );
        finding.fleeting();
        let command = match (error.code(), kept, entry.mode) {
            (_, _, Some(mode)) if mode & READABLE == 0 => format!("chmod u+rw {}", word(&path)),
            (Code::Corrupt | Code::TooLarge, Kept::Nothing, _) => aside(&path),
            (Code::Corrupt, Kept::Good, _) => self.recover(&listed.target),
            // What cannot be read cannot be kept in quarantine.
            (Code::TooLarge, Kept::Good, _) => {
                format!("{} && {}", aside(&path), self.recover(&listed.target))
            }
            _ => return,
        };
        finding.mended_by(command);
    }

    /// Reads every kept revision. What cannot be listed, the look at the side folders tells.
    async fn history(&self, listed: &Listed, current: u64, report: &mut Report) -> Kept {
        let slot = self.slot(listed);
        let Ok(revisions) = slot.revisions().await else {
            return Kept::Unknown;
        };
        let mut kept = Kept::Nothing;
        for revision in revisions {
            let number = revision.number;
            let recorded = slot.recorded(&revision).await;
            let is_altered = matches!(recorded, Ok(Some(Recorded::Altered)));
            let (level, found, why) = match recorded {
                Ok(Some(Recorded::Whole(_))) => {
                    kept = Kept::Good;
                    continue;
                }
                // Something else stands there, or it is gone.
                Ok(None) => continue,
                Err(error) if error.code() == Code::UnsafePath => continue,
                Ok(Some(Recorded::Altered)) => {
                    // The copy of the newest one is made durable by the next save only.
                    let (level, why) = match current == number {
                        true => (
                            Level::Note,
                            "The power may have failed; the next save replaces it.",
                        ),
                        false => (
                            Level::Warning,
                            "It cannot be shown, compared with or recovered; the others can.",
                        ),
                    };
                    let found = format!("Revision {number} is not as it was recorded");
                    (level, found, why)
                }
                Err(error) => {
                    if kept == Kept::Nothing {
                        kept = Kept::Unknown;
                    }
                    let why = "As long as that is so, it cannot be shown, compared with or \
                               recovered; the others can.";
                    let found = format!("Revision {number}: {error}");
                    (Level::Warning, found, why)
                }
            };
            let path = slot.shown();
            let finding = report.tell(Check::History, level, &path, &found, why);
            finding.fleeting();
            // What a document that cannot be read comes back as is numbered by what is kept.
            if is_altered && number < current {
                finding.mended_by(aside(&slot.entry(&revision)));
            }
        }
        kept
    }
}

/// What history has to go back to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kept {
    /// Nothing.
    Nothing,
    /// At least one revision that is whole.
    Good,
    /// What could not be listed or read.
    Unknown,
}

/// The checkpoint that is stored under this name; `None` for any other file.
pub(super) fn checkpoint(file: &str) -> Option<Listed> {
    let stem = Stem::of_file(file)?;
    let (command, feature) = name::of_stem(stem.as_str())?;
    Command::parse(command)?;
    let target = Target {
        command: command.to_owned(),
        feature: feature.map(str::to_owned),
    };
    Some(Listed { target, stem })
}
