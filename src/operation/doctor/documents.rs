//! The checkpoints themselves, and their histories.

use crate::command::document::{self, Command, check_version};
use crate::effect::Kind;
use crate::error::{Code, Error};
use crate::json::Json;
use crate::keys;
use crate::operation::Target;
use crate::store::{self, Document, MAX_DOCUMENTS, Name, Origin, Recorded, SIDE};
use crate::time;

use super::Ward;
use super::finding::{Check, Finding, Level, Remedy, aside, word};
use super::probe::is_probe;
use super::sides::{crowd, strays};

/// In the mode of a file that its owner can read.
const READABLE: u32 = 0o400;

/// What the state folder holds.
#[derive(Default)]
pub(super) struct Listed {
    pub(super) checkpoints: Vec<Listing>,
}

/// A file that is stored under the name of a checkpoint.
pub(super) struct Listing {
    pub(super) target: Target,
    pub(super) name: Name,
}

impl Ward<'_> {
    /// Lists the state folder, and tells what in it is no checkpoint.
    pub(super) async fn listed(&self, findings: &mut Vec<Finding>) -> Listed {
        let mut listed = Listed::default();
        let names = match self.folder.names_up_to(self.io, "", MAX_DOCUMENTS).await {
            Ok(Some(names)) => names,
            Ok(None) => {
                findings.push(crowd(
                    self.folder.path(),
                    MAX_DOCUMENTS,
                    &["*-*.json", ".gitignore"],
                ));
                return listed;
            }
            Err(error) => {
                let error = Finding::new(Check::Folder, Level::Error, error.to_string());
                findings.push(error.because("No checkpoint can be listed.").fleeting());
                return listed;
            }
        };
        let mut others = Vec::new();
        for file in keys::sort(names) {
            match checkpoint(&file) {
                Some(listing) => listed.checkpoints.push(listing),
                None if file == SIDE || file == ".gitignore" => {}
                None if is_probe(&file) => findings.push(self.old_probe(&file)),
                None => others.push(file),
            }
        }
        findings.extend(strays(self.folder.path(), &others));
        self.twins(&listed, findings);
        listed
    }

    /// Names that differ in case only.
    fn twins(&self, listed: &Listed, findings: &mut Vec<Finding>) {
        let sides: Vec<String> = listed.checkpoints.iter().map(|it| it.name.side()).collect();
        let sides: Vec<&str> = sides.iter().map(String::as_str).collect();
        let order = keys::order(&sides);
        for pair in order.windows(2) {
            if let &[one, other] = pair
                && sides[one] == sides[other]
            {
                let [one, other] = [one, other].map(|at| listed.checkpoints[at].name.file());
                let found = format!("{one} and {other} differ in letter case only");
                findings.push(
                    Finding::new(Check::Names, Level::Warning, found)
                        .at(self.folder.shown(&other))
                        .because(
                            "On macOS and Windows they would be one file: choose another feature \
                             name for one of them.",
                        ),
                );
            }
        }
    }

    /// Reads every checkpoint and its history; returns the time of the newest one.
    pub(super) async fn documents(
        &self,
        listed: &Listed,
        findings: &mut Vec<Finding>,
    ) -> Option<f64> {
        let mut newest: Option<f64> = None;
        for listing in &listed.checkpoints {
            let read = store::read(self.io, self.folder, &listing.name).await;
            let revision = match read.map(|stored| stored.document) {
                // Gone since the folder was listed.
                Ok(None) => continue,
                Ok(Some(document)) => {
                    let updated = document.object.get("updated_at").and_then(Json::as_str);
                    let updated = updated.and_then(time::parse).map(time::Time::wall_ms);
                    newest = newest.into_iter().chain(updated).reduce(f64::max);
                    self.content(listing, &document, findings);
                    Some(document.stamp.revision)
                }
                Err(error) => {
                    findings.extend(self.unreadable(listing, &error).await);
                    None
                }
            };
            self.history(listing, revision, findings).await;
        }
        newest
    }

    /// What a checkpoint says of itself.
    fn content(&self, listing: &Listing, document: &Document, findings: &mut Vec<Finding>) {
        let path = self.folder.shown(&listing.name.file());
        let mut tell = |check, level, found: String, why, mend: Option<String>| {
            let finding = Finding::new(check, level, found).at(path.as_str());
            let mend = mend.into_iter();
            findings.push(mend.fold(finding.because(why), Finding::mended_by));
        };
        let Target { command, feature } = &listing.target;
        let own = [("command", Some(command)), ("feature", feature.as_ref())];
        for (key, expected) in own {
            let stored = document.object.get(key).and_then(Json::as_str);
            if stored.is_some() && stored != expected.map(String::as_str) {
                tell(
                    Check::Names,
                    Level::Error,
                    format!("Its {key} is not the one that its file is named after"),
                    "Every command on it is a conflict: it was copied or renamed by hand.",
                    None,
                );
            }
        }
        if let Err(error) = check_version(&document.object) {
            tell(
                Check::Schema,
                Level::Warning,
                error.to_string(),
                "It can be read and not changed.",
                None,
            );
        } else {
            let problems = document::problems(&Json::Object(document.object.clone())).len();
            if problems > 0 {
                let noun = if problems == 1 { "problem" } else { "problems" };
                tell(
                    Check::Schema,
                    Level::Warning,
                    format!("It has {problems} {noun}"),
                    "It can be read, but not be changed as long as it breaks the schema.",
                    Some(format!("milepost validate {}", word(&path))),
                );
            }
        }
        if document.origin == Origin::Edited {
            let revision = document.stamp.revision;
            tell(
                Check::Documents,
                Level::Note,
                format!("It was changed by hand and counts as revision {revision}"),
                "The next save goes on from it, and says so.",
                None,
            );
        }
    }

    async fn unreadable(&self, listing: &Listing, error: &Error) -> Option<Finding> {
        let file = listing.name.file();
        let path = self.folder.shown(&file);
        let entries = self
            .folder
            .inspect(self.io, std::slice::from_ref(&path))
            .await;
        let entry = *entries.ok()?.first()?;
        if error.code() == Code::UnsafePath {
            // It may be a part beside it, which the look at the side folders tells.
            let is_misplaced = !matches!(entry.kind, Kind::Absent | Kind::File);
            return is_misplaced.then(|| self.misplaced(&file, entry.kind));
        }
        let mend = match self.last_good(&listing.name).await {
            _ if entry.mode.is_some_and(|mode| mode & READABLE == 0) => {
                format!("chmod u+rw {}", word(&path))
            }
            Some(_) => recover(&listing.target),
            None => aside(&path),
        };
        Some(
            Finding::new(Check::Documents, Level::Error, error.to_string())
                .at(path)
                .because("It is never overwritten, so every save of it fails until it is mended.")
                .mended_by(mend)
                .fleeting(),
        )
    }

    async fn last_good(&self, name: &Name) -> Option<u64> {
        let revisions = store::revisions(self.io, self.folder, name).await.ok()?;
        for revision in revisions.iter().rev() {
            let recorded = store::recorded(self.io, self.folder, name, revision).await;
            if let Ok(Some(Recorded::Whole(_))) = recorded {
                return Some(revision.number);
            }
        }
        None
    }

    /// Reads every kept revision. What cannot be listed, the look at the side folders tells.
    async fn history(&self, listing: &Listing, current: Option<u64>, findings: &mut Vec<Finding>) {
        let name = &listing.name;
        let revisions = store::revisions(self.io, self.folder, name).await;
        for revision in revisions.unwrap_or_default() {
            let recorded = store::recorded(self.io, self.folder, name, &revision).await;
            let found = match recorded {
                Ok(Some(Recorded::Altered)) => "is not as it was recorded".to_owned(),
                Ok(_) => continue,
                // The look at the side folders tells it.
                Err(error) if error.code() == Code::UnsafePath => continue,
                Err(error) => format!("cannot be read: {error}"),
            };
            let number = revision.number;
            let path = self.folder.shown(&listing.name.file());
            let found = format!("Revision {number} {found}");
            // The copy of the newest one is made durable by the next save only.
            let finding = match current == Some(number) {
                true => Finding::new(Check::History, Level::Note, found)
                    .because("The power may have failed; the next save replaces it."),
                false => Finding::new(Check::History, Level::Warning, found).because(
                    "It cannot be shown, compared with or recovered; the other revisions can.",
                ),
            };
            findings.push(finding.at(path).fleeting());
        }
    }

    /// The folder of another examination.
    pub(super) fn old_probe(&self, below: &str) -> Finding {
        let found = "An examination that was stopped has left this folder";
        Finding::new(Check::Leftovers, Level::Warning, found)
            .at(self.folder.shown(below))
            .because("It is of no use to anybody.")
            .with(Remedy::RemoveProbe(below.to_owned()))
            .fleeting()
    }
}

/// The checkpoint that is stored under this name; `None` for any other file.
pub(super) fn checkpoint(file: &str) -> Option<Listing> {
    let (command, feature) = Name::of_file(file)?;
    Command::parse(command)?;
    let name = Name::checkpoint(command, feature).ok()?;
    let target = Target {
        command: command.to_owned(),
        feature: feature.map(str::to_owned),
    };
    Some(Listing { target, name })
}

/// The command that puts the last good revision back.
pub(super) fn recover(target: &Target) -> String {
    match &target.feature {
        Some(feature) => format!("milepost recover {} --feature {feature}", target.command),
        None => format!("milepost recover {}", target.command),
    }
}
