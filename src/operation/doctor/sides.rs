//! What lies beside the documents: what dead writers left, quarantine, and what belongs to nobody.

use crate::effect::{Kind, Links};
use crate::keys;
use crate::store::{self, MAX_DOCUMENTS, MAX_NAMES, SIDE, Survey};

use super::Ward;
use super::documents::{Listed, checkpoint, recover};
use super::finding::{Check, Finding, Level, Remedy, aside, word};
use super::folder::named;
use super::probe::is_probe;

/// Of many strays this many are named.
const NAMED: usize = 3;

/// A lock is smaller.
const MAX_LOCK_BYTES: u32 = 256;

impl Ward<'_> {
    /// Looks through the side folder of every checkpoint.
    pub(super) async fn sides(&self, listed: &Listed, findings: &mut Vec<Finding>) {
        let mut sides: Vec<String> = Vec::new();
        let path = self.folder.shown(SIDE);
        match self.folder.names_up_to(self.io, SIDE, MAX_DOCUMENTS).await {
            Ok(Some(names)) => {
                let mut others = Vec::new();
                for name in keys::sort(names) {
                    let is_side = checkpoint(&format!("{name}.json"))
                        .is_some_and(|checkpoint| checkpoint.name.side() == name);
                    match name.as_str() {
                        _ if is_side => sides.push(name),
                        ".gitignore" => {}
                        probe if is_probe(probe) => {
                            findings.push(self.old_probe(&format!("{SIDE}/{probe}")));
                        }
                        _ => others.push(name),
                    }
                }
                findings.extend(strays(&path, &others));
            }
            Ok(None) => {
                findings.push(crowd(&path, MAX_DOCUMENTS, &[".gitignore"]));
                let known = listed.checkpoints.iter().map(|it| it.name.side());
                sides = keys::sort(known.collect());
                sides.dedup();
            }
            Err(error) => {
                let error = Finding::new(Check::Folder, Level::Error, error.to_string());
                findings.push(error.because("No save can be prepared.").fleeting());
            }
        }
        for side in self.folders_of(sides, findings).await {
            let survey = store::survey(self.io, self.folder, &side).await;
            self.tell(survey, listed, findings).await;
        }
    }

    /// Those of the side folders that are folders; what else stands there is told.
    async fn folders_of(&self, sides: Vec<String>, findings: &mut Vec<Finding>) -> Vec<String> {
        let below: Vec<String> = sides.iter().map(|side| format!("{SIDE}/{side}")).collect();
        let shown: Vec<String> = below.iter().map(|below| self.folder.shown(below)).collect();
        let entries = self.folder.inspect(self.io, &shown).await;
        let entries = entries.unwrap_or_default();
        let mut folders = Vec::new();
        for ((side, below), entry) in sides.into_iter().zip(below).zip(entries) {
            match entry.kind {
                Kind::Folder => folders.push(side),
                Kind::Absent => {}
                kind => findings.push(self.misplaced(&below, kind)),
            }
        }
        folders
    }

    async fn tell(&self, survey: Survey, listed: &Listed, findings: &mut Vec<Finding>) {
        for below in &survey.unfinished {
            findings.extend(self.leftover(below).await);
        }
        for below in &survey.quarantined {
            let path = self.folder.shown(below);
            let note = Finding::new(
                Check::Quarantine,
                Level::Note,
                "A copy of a corrupt checkpoint is kept here",
            );
            let note = note.because("Remove it when nothing in it is needed any more.");
            findings.push(note.mended_by(format!("rm {}", word(&path))).at(path));
        }
        for (below, kind) in &survey.misplaced {
            findings.push(self.misplaced(below, *kind));
        }
        for below in &survey.crowded {
            // A token that is removed is a right that is taken back: its writer begins again.
            let kept: &[&str] = match below.ends_with("/tokens") {
                true => &[],
                false => &["*.json"],
            };
            findings.push(crowd(&self.folder.shown(below), MAX_NAMES, kept));
        }
        for failure in &survey.failures {
            let error = Finding::new(Check::Folder, Level::Error, failure.to_string());
            findings.push(error.because("A save does the same, and fails.").fleeting());
        }
        let strays: Vec<String> = survey
            .strays
            .iter()
            .filter_map(|below| below.strip_prefix(SIDE)?.strip_prefix('/'))
            .map(str::to_owned)
            .collect();
        findings.extend(self::strays(&self.folder.shown(SIDE), &keys::sort(strays)));
        for stem in &survey.recorded {
            let is_there = |listing: &super::documents::Listing| {
                listing.name.file().strip_suffix(".json") == Some(stem)
            };
            if let Some(lost) = checkpoint(&format!("{stem}.json"))
                && !listed.checkpoints.iter().any(is_there)
            {
                let found = "It is gone, and its history is still there";
                findings.push(
                    Finding::new(Check::Documents, Level::Note, found)
                        .at(self.folder.shown(&lost.name.file()))
                        .because("Somebody removed it by hand; a save begins it anew.")
                        .mended_by(recover(&lost.target))
                        .fleeting(),
                );
            }
        }
    }

    /// What a writer made on its way, unless it is gone.
    async fn leftover(&self, below: &str) -> Option<Finding> {
        let finding = |level, found: &str| {
            Finding::new(Check::Leftovers, level, found)
                .at(self.folder.shown(below))
                .fleeting()
        };
        let name = below.rsplit('/').next().unwrap_or_default();
        match name {
            "lock" => {
                let lock = self.host(below);
                let bytes = self
                    .io
                    .read(lock, MAX_LOCK_BYTES, Links::Refuse)
                    .await
                    .ok()?;
                // Part of what is compared: another owner's is another lock.
                let owner = String::from_utf8_lossy(&bytes).trim_end().to_owned();
                let found = format!("A lock of a writer that died or stands still ({owner})");
                let lock = finding(Level::Warning, &found);
                let lock = lock.because("The next save waits 2 seconds for it.");
                Some(lock.with(Remedy::Unlock(below.to_owned(), bytes)))
            }
            // It looks the same whoever waits.
            "waiting" => {
                let sign = finding(Level::Note, "A sign that a writer waits, or gave up");
                let sign = sign.because("The next save gives way once, and removes it.");
                Some(sign.with(Remedy::Remove(below.to_owned())))
            }
            _ => {
                let found = "Left by a writer that died or stands still";
                let left = finding(Level::Warning, found);
                let left = left.because(
                    "It was never acknowledged and takes space. A writer whose file is removed \
                     begins again.",
                );
                Some(left.with(Remedy::Remove(below.to_owned())))
            }
        }
    }

    pub(super) fn misplaced(&self, below: &str, kind: Kind) -> Finding {
        let path = self.folder.shown(below);
        let found = format!("It is {}, which the store did not make", named(kind));
        let mend = aside(&path);
        Finding::new(Check::Folder, Level::Error, found)
            .at(path)
            .because("Nothing is followed or replaced: every save that needs its place fails.")
            .mended_by(mend)
            .fleeting()
    }
}

/// A folder with more names than the store makes; the command removes all files but those that have
/// one of the names `kept`.
pub(super) fn crowd(path: &str, limit: u32, kept: &[&str]) -> Finding {
    let kept: String = kept
        .iter()
        .map(|name| format!(" ! -name {}", word(name)))
        .collect();
    let mend = format!("find {} -maxdepth 1 -type f{kept} -delete", word(path));
    let found = format!("It holds more than {limit} entries; they were not looked at one by one");
    Finding::new(Check::Strays, Level::Error, found)
        .at(path)
        .because("No listing goes further, so that commands that need one fail.")
        .mended_by(mend)
}

/// What lies in a folder of the store and is none of its parts.
pub(super) fn strays(path: &str, names: &[String]) -> Option<Finding> {
    let shown: Vec<&str> = names.iter().take(NAMED).map(String::as_str).collect();
    let shown = shown.join(", ");
    let found = match names.len() {
        0 => return None,
        count if count <= NAMED => format!("Not made by the store: {shown}"),
        count => format!("{count} entries are not made by the store: {shown}, …"),
    };
    let note = Finding::new(Check::Strays, Level::Note, found).at(path);
    Some(note.because("They do no harm, and are never touched."))
}
