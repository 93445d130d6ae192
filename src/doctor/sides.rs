//! What lies beside the documents: what dead writers left, quarantine, and what belongs to nobody.

use crate::effect::{Kind, Links};
use crate::keys;
use crate::store::{self, MAX_DOCUMENTS, MAX_LOCK_BYTES, MAX_NAMES, SIDE};

use super::Examination;
use super::documents::{Listed, checkpoint};
use super::finding::{Check, Level, Remedy, Report, aside, word};
use super::folder::named;
use super::probe::{is_moved, is_probe, is_trial};

/// Of many strays this many are named.
const NAMED: usize = 3;

impl Examination<'_> {
    /// Looks through the side folder of every checkpoint.
    pub(super) async fn sides(&self, checkpoints: &[Listed], report: &mut Report) {
        let mut sides = Vec::new();
        let mut others = Vec::new();
        for name in self.entries(SIDE, &[".gitignore"], report).await {
            let listed = checkpoint(&format!("{name}.json"));
            match listed.is_some_and(|listed| listed.stem.side() == name) {
                true => sides.push(name),
                false => others.push(name),
            }
        }
        self.strays(SIDE, &others, report).await;
        let path = |side: &String| self.folder.shown(&format!("{SIDE}/{side}"));
        let shown: Vec<String> = sides.iter().map(path).collect();
        let entries = self.folder.inspect(self.io, &shown).await;
        for (side, entry) in sides.iter().zip(entries.unwrap_or_default()) {
            match entry.kind {
                Kind::Folder => self.side(side, checkpoints, report).await,
                Kind::Absent => {}
                kind => self.misplaced(&format!("{SIDE}/{side}"), kind, report),
            }
        }
    }

    async fn side(&self, side: &str, checkpoints: &[Listed], report: &mut Report) {
        let survey = store::survey(self.io, self.folder, side).await;
        for below in &survey.unfinished {
            self.leftover(below, report).await;
        }
        for below in &survey.quarantined {
            let path = self.folder.shown(below);
            let found = "A copy of a corrupt checkpoint is kept here";
            let why = "Remove it when nothing in it is needed any more.";
            let note = report.tell(Check::Quarantine, Level::Note, &path, found, why);
            note.mended_by(format!("rm {}", word(&path)));
        }
        for (below, kind) in &survey.misplaced {
            self.misplaced(below, *kind, report);
        }
        for below in &survey.crowded {
            // A token that is removed is a right that is taken back: its writer begins again.
            let kept: &[&str] = match below.ends_with("/tokens") {
                true => &[],
                false => &["*.json"],
            };
            self.crowd(below, MAX_NAMES, kept, report);
        }
        for failure in &survey.failures {
            self.unlisted(&failure.to_string(), report);
        }
        self.strays(&format!("{SIDE}/{side}"), &survey.strays, report)
            .await;
        for stem in &survey.recorded {
            let file = format!("{stem}.json");
            if let Some(lost) = checkpoint(&file)
                && !checkpoints.iter().any(|it| it.stem == lost.stem)
            {
                let path = self.folder.shown(&file);
                let found = "It is gone, and its history is still there";
                let why = "Somebody removed it by hand; a save begins it anew.";
                let note = report.tell(Check::Documents, Level::Note, &path, found, why);
                note.fleeting().mended_by(self.recover(&lost.target));
            }
        }
    }

    /// The names in a folder, sorted; more than a folder of the store can have are told with the
    /// command that removes all but what is kept.
    pub(super) async fn entries(
        &self,
        below: &str,
        kept: &[&str],
        report: &mut Report,
    ) -> Vec<String> {
        let listed = self.folder.names_up_to(self.io, below, MAX_DOCUMENTS).await;
        match listed {
            Ok(Some(names)) => keys::sort(names),
            Ok(None) => {
                self.crowd(below, MAX_DOCUMENTS, kept, report);
                Vec::new()
            }
            Err(error) => {
                self.unlisted(&error.to_string(), report);
                Vec::new()
            }
        }
    }

    /// What a writer made on its way, unless it is gone.
    async fn leftover(&self, below: &str, report: &mut Report) {
        let mut found = "Left by a writer that died or stands still".to_owned();
        let mut level = Level::Warning;
        let mut remedy = Remedy::Remove(below.to_owned());
        if below.ends_with("/lock") {
            let lock = self
                .io
                .read(self.host(below), MAX_LOCK_BYTES, Links::Refuse);
            let Ok(bytes) = lock.await else {
                return;
            };
            // Part of what is compared: another owner's is another lock.
            found.push_str(": ");
            found.push_str(String::from_utf8_lossy(&bytes).trim_end());
            remedy = Remedy::Unlock(below.to_owned(), bytes);
        } else if below.ends_with("/waiting") {
            // It looks the same whoever waits.
            level = Level::Note;
        }
        let path = self.folder.shown(below);
        let why = "Nothing of it was acknowledged. It takes space, and a lock delays the next save; \
                   a writer that lives begins again without it.";
        let finding = report.tell(Check::Leftovers, level, &path, &found, why);
        finding.fleeting().with(remedy);
    }

    /// What stands where something else belongs.
    pub(super) fn misplaced(&self, below: &str, kind: Kind, report: &mut Report) {
        let path = self.folder.shown(below);
        let found = format!("It is {}, which the store did not make", named(kind));
        let why = "Nothing is followed or replaced: every save that needs its place fails.";
        let finding = report.tell(Check::Folder, Level::Error, &path, &found, why);
        finding.fleeting().mended_by(aside(&path));
    }

    fn unlisted(&self, found: &str, report: &mut Report) {
        let why = "Commands that list it fail as well.";
        report
            .tell(Check::Folder, Level::Error, "", found, why)
            .fleeting();
    }

    /// A folder with more names than the store makes; the command removes all files but those that
    /// have one of the names `kept`.
    fn crowd(&self, below: &str, limit: u32, kept: &[&str], report: &mut Report) {
        let path = self.folder.shown(below);
        let mut mend = format!("find {} -maxdepth 1 -type f", word(&path));
        for name in kept {
            mend.push_str(" ! -name ");
            mend.push_str(&word(name));
        }
        mend.push_str(" -delete");
        let found = format!("It holds more than {limit} entries, which were not looked at");
        let why = "No listing goes further, so that commands that need one fail.";
        let finding = report.tell(Check::Strays, Level::Error, &path, &found, why);
        finding.mended_by(mend);
    }

    /// What lies in a folder of the store and is none of its parts.
    pub(super) async fn strays(&self, below: &str, names: &[String], report: &mut Report) {
        let (probes, others): (Vec<&str>, Vec<&str>) = names
            .iter()
            .map(String::as_str)
            .filter(|name| *name != ".gitignore")
            .partition(|name| is_trial(name));
        self.probes(below, &probes, report).await;
        if let Some(first) = others
            .get(..NAMED.min(others.len()))
            .filter(|it| !it.is_empty())
        {
            let path = self.folder.shown(below);
            let (count, first) = (others.len(), first.join(", "));
            let found = format!("Not made by the store: {first} (entries: {count})");
            let why = "They do no harm, and are never touched.";
            report.tell(Check::Strays, Level::Note, &path, &found, why);
        }
    }

    /// What has the name of a folder that an examination makes. A name proves nothing: whoever
    /// wrote the repository can give it to a link that leads to any folder.
    async fn probes(&self, below: &str, names: &[&str], report: &mut Report) {
        let join = |name: &&str| match below {
            "" => (*name).to_owned(),
            below => format!("{below}/{name}"),
        };
        let probes: Vec<String> = names.iter().map(join).collect();
        let shown: Vec<String> = probes.iter().map(|it| self.folder.shown(it)).collect();
        if shown.is_empty() {
            return;
        }
        let entries = match self.folder.inspect(self.io, &shown).await {
            Ok(entries) => entries,
            Err(error) => return self.unlisted(&error.to_string(), report),
        };
        for (((name, probe), path), entry) in names.iter().zip(probes).zip(&shown).zip(entries) {
            let remedy = match entry.kind {
                Kind::Absent => continue,
                Kind::Folder if is_probe(name) => Remedy::RemoveProbe(probe),
                Kind::File if is_moved(name, entry) => Remedy::Remove(probe),
                kind => {
                    self.misplaced(&probe, kind, report);
                    continue;
                }
            };
            let found = "An examination that was stopped has left this";
            let why = "It is of no use to anybody.";
            let finding = report.tell(Check::Leftovers, Level::Warning, path, found, why);
            finding.fleeting().with(remedy);
        }
    }
}
