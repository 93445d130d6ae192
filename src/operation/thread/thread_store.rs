//! The context of every operation on threads: their place, and the way in which a rule gets the parts that it needs.

use crate::checkpoint::thread::change::{self, ThreadOutcome};
use crate::checkpoint::thread::index::{PartRef, Thread, parts};
use crate::checkpoint::thread::line;
use crate::checkpoint::thread::log::{LoadedParts, Log, ThreadStop};
use crate::checkpoint::thread::name;
use crate::checkpoint::thread::retain::{KeptCheckpoints, Retained, retain};
use crate::checkpoint::thread::seal::{MAX_PART_BYTES, Writing};
use crate::effect::Io;
use crate::error::{Advice, Code, Error, ErrorKind, Warning, WarningCode};
use crate::json::Object;
use crate::operation::document_folder::DocumentFolder;
use crate::operation::{Settings, Warnings};
use crate::root;
use crate::store::manifest::{
    Changed, Journal, Keys, ManifestIndex, ManifestLayout, ManifestPlan, NextIndex, PartName,
};
use crate::store::{Stem, Storage};
use crate::text::quoted;
use crate::time;

/// Each attempt finds what another writer has changed since the one before it.
const READ_ATTEMPTS: u32 = 100;

/// So many threads are looked at after a deletion.
const MOST_EXPIRED: usize = 4;

/// The place of threads.
pub(super) struct ThreadStore<'a> {
    io: &'a Io,
    pub(super) documents: DocumentFolder<'a>,
}

impl<'a> ThreadStore<'a> {
    /// Finds the place. Nothing is made.
    pub(super) async fn open(io: &'a Io, settings: &'a Settings) -> Result<Box<Self>, Error> {
        let layout = ManifestLayout {
            durability: settings.durability,
            max_part_bytes: u32::try_from(MAX_PART_BYTES).unwrap_or(u32::MAX),
            keys: Keys::Own,
            parts: named,
        };
        let documents = DocumentFolder::open(io, settings, root::threads_folder, layout).await?;
        Ok(Box::new(ThreadStore { io, documents }))
    }

    /// The way in which changes are written here.
    pub(super) fn writing(&self) -> Writing {
        match self.documents.storage() {
            Storage::Files => Writing::Lines,
            Storage::Records => Writing::Documents,
        }
    }

    /// The thread of a stem; `None` where nothing was put since it was deleted, if ever. Warns of what a loss of power
    /// took of it.
    pub(super) async fn read(
        &self,
        stem: &Stem,
        warnings: &mut Warnings,
    ) -> Result<Option<Thread>, Error> {
        let found = self.documents.manifest().read(stem).await;
        let Some(found) = self.documents.rooted(found).await? else {
            return Ok(None);
        };
        let thread = thread(&found, stem)?;
        if let Some(lost) = self.lost(stem, thread.name(), &found) {
            warnings.add(lost);
        }
        Ok(Some(thread).filter(|it| !it.is_deleted()))
    }

    /// The warning that a loss of power took changes of a thread, whose durability permitted that.
    fn lost(&self, stem: &Stem, name: &str, found: &ManifestIndex) -> Option<Warning> {
        let journal = found.journal.as_ref()?;
        let loss = journal.loss.as_ref()?;
        let manifest = self.documents.manifest();
        let path = manifest.shown_journal(stem, journal);
        let copy = manifest.shown_copy(stem, journal);
        let name = quoted(name);
        let lost = match loss.lines {
            0 => format!(
                "{path} of the thread {name} holds zeros, as after a loss of power; no acknowledged change is \
                 known to be lost"
            ),
            lines => format!(
                "The thread {name} has lost {lines} acknowledged {} that did not wait for the disk, as after a loss \
                 of power: {path} does not have them",
                if lines == 1 { "change" } else { "changes" }
            ),
        };
        let kept = match loss.bytes.is_empty() {
            true => String::new(),
            false => format!(". The next change keeps the file as {copy}"),
        };
        let message = format!("{lost}{kept}");
        Some(Warning::new(WarningCode::LostChanges, message))
    }

    /// The answer of a rule about a thread, which gets the parts that it asks for; `None` where nothing was
    /// put since it was deleted, if ever.
    pub(super) async fn apply<T>(
        &self,
        name: &str,
        warnings: &mut Warnings,
        rule: &mut dyn FnMut(Log<'_>) -> Result<T, ThreadStop>,
    ) -> Result<Option<T>, Error> {
        let stem = stem(name)?;
        let found = self.apply_to(&stem, warnings, rule).await;
        let found = found.map_err(|error| self.advise(&stem, Some(name), error))?;
        if found.is_some() {
            self.documents.notice(&stem, warnings).await;
        }
        Ok(found)
    }

    /// The ids of the threads that can be read; `None` where there are more threads than so many.
    pub(super) async fn ids(&self, most: usize) -> Result<Option<Vec<String>>, Error> {
        let first = self.documents.first(name::is_stem, most).await?;
        if first.has_more() {
            return Ok(None);
        }
        let mut ids = Vec::new();
        for stem in &first.stems {
            // The caller asks for another thread, so that a broken one is no matter here.
            if let Ok(Some(thread)) = self.read(stem, &mut Warnings::default()).await {
                ids.push(thread.name().to_owned());
            }
        }
        Ok(Some(ids))
    }

    /// Applies a rule as [`ThreadStore::apply`] does, to the thread of a stem: failures have no advice, and no warning
    /// says that the file came with the repository.
    pub(super) async fn apply_to<T>(
        &self,
        stem: &Stem,
        warnings: &mut Warnings,
        rule: &mut dyn FnMut(Log<'_>) -> Result<T, ThreadStop>,
    ) -> Result<Option<T>, Error> {
        let mut loaded = LoadedParts::default();
        for _ in 0..READ_ATTEMPTS {
            let Some(thread) = self.read(stem, warnings).await? else {
                self.documents.expect_root().await?;
                return Ok(None);
            };
            loop {
                match rule(Log::new(&thread, &loaded)) {
                    Ok(found) => return Ok(Some(found)),
                    Err(ThreadStop::Failed(error)) => return Err(error),
                    Err(ThreadStop::Needs(parts)) => {
                        if !self.fetch(stem, &parts, &mut loaded).await? {
                            break;
                        }
                    }
                }
            }
        }
        Err(Error::busy(self.documents.manifest().shown(stem)))
    }

    /// Changes a thread by a rule, which is given the parts that it asks for; what became of each change.
    pub(super) async fn change(
        &self,
        name: &str,
        warnings: &mut Warnings,
        rule: &mut dyn FnMut(&Thread, &LoadedParts, &str) -> Result<ThreadOutcome, ThreadStop>,
    ) -> Result<Vec<Result<bool, Error>>, Error> {
        let stem = stem(name)?;
        let changed = self.change_at(&stem, name, warnings, rule).await;
        changed.map_err(|error| self.advise(&stem, Some(name), error))
    }

    /// Keeps some of the checkpoints of a thread.
    pub(super) async fn retain(
        &self,
        name: &str,
        keep: &KeptCheckpoints,
        warnings: &mut Warnings,
    ) -> Result<Retained, Error> {
        let stem = stem(name)?;
        let retained = self.retain_at(&stem, name, keep, warnings).await;
        retained.map_err(|error| self.advise(&stem, Some(name), error))
    }

    /// Keeps some of the checkpoints of the thread of a stem: failures have no advice.
    pub(super) async fn retain_at(
        &self,
        stem: &Stem,
        name: &str,
        keep: &KeptCheckpoints,
        warnings: &mut Warnings,
    ) -> Result<Retained, Error> {
        let at = time::format(self.io.now().await?.wall_ms);
        let mut retained = Retained::default();
        let mut rule = |present: &Thread, loaded: &LoadedParts, token: &str| {
            let (outcome, counts) = retain(Log::new(present, loaded), keep, token, &at)?;
            retained = counts;
            Ok(outcome)
        };
        self.change_at(stem, name, warnings, &mut rule).await?;
        Ok(retained)
    }

    /// Warns that a thread was passed over.
    pub(super) fn pass_over(&self, stem: &Stem, error: Error, warnings: &mut Warnings) {
        let error = self.advise(stem, None, error);
        warnings.add(self.documents.passed_over(stem, &error));
    }

    /// Changes the thread of a stem as [`ThreadStore::change`] does: failures have no advice.
    pub(super) async fn change_at(
        &self,
        stem: &Stem,
        name: &str,
        warnings: &mut Warnings,
        rule: &mut dyn FnMut(&Thread, &LoadedParts, &str) -> Result<ThreadOutcome, ThreadStop>,
    ) -> Result<Vec<Result<bool, Error>>, Error> {
        let manifest = self.documents.manifest();
        let mut loaded = LoadedParts::default();
        let mut attempts = 0;
        while attempts < READ_ATTEMPTS {
            let mut needed = None;
            let mut results = Vec::new();
            let mut lost = None;
            let mut decide = |found: Option<&ManifestIndex>, token: &str| {
                lost = found.and_then(|it| self.lost(stem, name, it));
                let present = match found {
                    Some(found) => thread(found, stem)?,
                    None => Thread::new(name, token),
                };
                match rule(&present, &loaded, token) {
                    Ok(outcome) => {
                        results = outcome.results;
                        Ok(plan(found, outcome.next))
                    }
                    Err(ThreadStop::Failed(error)) => Err(error),
                    Err(ThreadStop::Needs(parts)) => {
                        needed = Some(parts);
                        Err(Error::busy(manifest.shown(stem)))
                    }
                }
            };
            let changed = manifest.change(stem, &mut decide).await;
            if let Some(lost) = lost {
                warnings.add(lost);
            }
            match (changed, needed) {
                (Ok(Changed::Written(_) | Changed::Unchanged(_)), _) => return Ok(results),
                // Keys follow from the thread: a part was put in another one by hand.
                (Ok(Changed::Taken { by, .. }), _) => {
                    let reason = "it names a part of another thread".to_owned();
                    return Err(Error::corrupt(manifest.shown(&by), reason, None));
                }
                // Where it is gone, the thread is another one by now.
                (Err(_), Some(parts)) => {
                    if !self.fetch(stem, &parts, &mut loaded).await? {
                        attempts += 1;
                    }
                }
                (Err(error), None) => return self.documents.rooted(Err(error)).await,
            }
        }
        Err(Error::busy(manifest.shown(stem)))
    }

    /// Puts a tombstone in the place of a thread; whether there was one. One that cannot be read is removed, and leaves
    /// none. Then some others expire, as [`ThreadStore::expire`] says.
    pub(super) async fn delete(&self, name: &str) -> Result<bool, Error> {
        let stem = stem(name)?;
        let manifest = self.documents.manifest();
        let now_ms = self.io.now().await?.wall_ms;
        let at = time::format(now_ms);
        let (mut has_document, mut was_there) = (false, false);
        let mut decide = |found: Option<&ManifestIndex>, token: &str| {
            let present = found.map(|it| thread(it, &stem)).transpose()?;
            has_document = present.is_some();
            was_there = present.as_ref().is_some_and(|it| !it.is_deleted());
            Ok(match present {
                Some(present) => ManifestPlan::Write(NextIndex {
                    object: present.tombstone(token, &at).into_object(),
                    add: Vec::new(),
                }),
                None => ManifestPlan::Keep,
            })
        };
        match manifest.change(&stem, &mut decide).await {
            Ok(_) => {
                if has_document {
                    manifest.forget_copies(&stem).await?;
                    self.expire(&stem, now_ms).await;
                }
                Ok(was_there)
            }
            Err(error) => match error.code() {
                Code::Corrupt
                | Code::TooLarge
                | Code::InvalidDocument
                | Code::UnsupportedVersion => manifest.remove(&stem).await,
                _ => self.documents.rooted(Err(error)).await,
            },
        }
    }

    /// Removes those of the next [`MOST_EXPIRED`] threads that are expired tombstones; the next ones in the order of
    /// stems, after the last of which the first comes. Stems are hashes, so that every thread has its turn. What cannot
    /// be read, and what another writer is changing, is left without a word.
    ///
    /// It costs one listing, and a read for each of those threads, however many there are; among files a second
    /// listing, of what was removed. Of deletions alone there are then, over time, at most half as many expired
    /// tombstones as other documents; a prune of all threads removes every one.
    async fn expire(&self, stem: &Stem, now_ms: f64) {
        let manifest = self.documents.manifest();
        let (mut stems, _) = manifest.some_names().await.unwrap_or_default();
        stems.retain(|it| name::is_stem(it.as_str()) && it != stem);
        let next = stems.partition_point(|it| it.as_str() < stem.as_str());
        let (before, after) = stems.split_at(next);
        for other in after.iter().chain(before).take(MOST_EXPIRED) {
            self.remove_expired(other, now_ms).await;
        }
        self.forget_removed(now_ms).await;
    }

    /// Removes a tombstone where it is expired; what cannot be read is left without a word.
    pub(super) async fn remove_expired(&self, stem: &Stem, now_ms: f64) {
        let mut is_expired = |found: &ManifestIndex| {
            let thread = thread(found, stem);
            thread.is_ok_and(|it| it.is_expired(now_ms))
        };
        let manifest = self.documents.manifest();
        let _ = manifest.remove_if(stem, now_ms, &mut is_expired).await;
    }

    /// Removes some of the expired tombstones that were moved away a day ago or earlier.
    pub(super) async fn forget_removed(&self, now_ms: f64) {
        let _ = self.documents.manifest().forget_removed(now_ms).await;
    }

    /// A failure to read what is stored under a stem, with what would help where that is lost; `thread` is its id,
    /// where that is known.
    pub(super) fn advise(&self, stem: &Stem, thread: Option<&str>, error: Error) -> Error {
        let thread = thread.map(str::to_owned);
        match error.kind() {
            ErrorKind::Corrupt { .. } | ErrorKind::InvalidDocument(_) => {
                error.with_advice(match self.documents.storage() {
                    Storage::Files => Advice::RecoverThread(thread),
                    Storage::Records => Advice::DeleteThread(thread),
                })
            }
            // The values to put may be too large as well.
            ErrorKind::TooLarge { input, .. }
                if *input == self.documents.manifest().shown(stem) =>
            {
                error.with_advice(Advice::DeleteThread(thread))
            }
            _ => error,
        }
    }

    /// Reads parts; `false` where the thread does not have one of them any more.
    async fn fetch(
        &self,
        stem: &Stem,
        parts: &[PartRef],
        loaded: &mut LoadedParts,
    ) -> Result<bool, Error> {
        for part in parts {
            if !self.fetch_one(stem, part, loaded).await? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    async fn fetch_one(
        &self,
        stem: &Stem,
        part: &PartRef,
        loaded: &mut LoadedParts,
    ) -> Result<bool, Error> {
        let manifest = self.documents.manifest();
        let named = PartName {
            key: part.key.clone(),
            token: part.token.clone(),
        };
        let found = match manifest.read_part(stem, &named).await? {
            Some(bytes) => Some(bytes),
            // The thread may not have it any more, or has lost it.
            None => {
                let mut choose = |index: &ManifestIndex| {
                    let is_there = index.parts.contains(&named);
                    is_there.then(|| part.key.clone())
                };
                let found = manifest.part(stem, &mut choose).await?;
                found.map(|it| it.bytes)
            }
        };
        let Some(bytes) = found else {
            return Ok(false);
        };
        loaded.add(part, &bytes, &manifest.shown_named(stem, &named))?;
        Ok(true)
    }
}

/// The stem of a thread.
pub(super) fn stem(thread: &str) -> Result<Stem, Error> {
    name::check("thread id", thread)?;
    Stem::new(name::stem(thread))
}

fn thread(found: &ManifestIndex, stem: &Stem) -> Result<Thread, Error> {
    let thread = Thread::read(found.document.object.clone(), stem.as_str())?;
    match &found.journal {
        Some(journal) => line::after(thread, &journal.lines),
        None => Ok(thread),
    }
}

/// The plan for the index: a line in its journal, wherever that is enough and there is one.
fn plan(found: Option<&ManifestIndex>, next: Option<change::NextThread>) -> ManifestPlan {
    let Some(next) = next else {
        return ManifestPlan::Keep;
    };
    let journal = found.and_then(|it| it.journal.as_ref());
    let is_open = journal.is_some_and(Journal::is_open);
    if let Some(line) = next.line.filter(|_| is_open) {
        return ManifestPlan::Append(line);
    }
    let add = next.sealed.into_iter().map(|it| (it.key, it.bytes));
    ManifestPlan::Write(NextIndex {
        object: next.thread.into_object(),
        add: add.collect(),
    })
}

fn named(index: &Object) -> Vec<PartName> {
    let parts = parts(index).into_iter();
    let parts = parts.map(|it| PartName {
        key: it.key,
        token: it.token,
    });
    parts.collect()
}
