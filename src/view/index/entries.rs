//! The entries, and those of them that have to be read again.

use std::collections::BTreeMap;

use crate::blocking::effect::Io;
use crate::blocking::operation::Settings;
use crate::blocking::operation::command::listed_state::{self, ListedState};
use crate::blocking::operation::command::names::versioned_document;
use crate::blocking::operation::project::load_integrations::added_commands;
use crate::blocking::root::{self, Head};
use crate::blocking::store::{Document, Origin, Revision, Stem, StoreFolder, check_side};
use crate::error::Error;
use crate::git::head::stale;
use crate::integrations;
use crate::view::files::ViewFiles;
use crate::view::meta::{Distances, Meta};
use crate::view::missing_files::MissingFiles;

use super::badge::Badge;
use super::facts::IndexedRun;
use super::filter::RunFilter;

/// The side folder of all documents, in theirs.
const SIDE: &str = ".milepost";
/// Corrupt files are kept in a folder of this name; earlier states, and who writes, in these.
const QUARANTINE: &str = "quarantine";
const HISTORY: &str = "history";
const TOKENS: &str = "tokens";

/// So many checkpoints are asked for together of which something is missing that no source brings unasked.
const REQUESTED_TOGETHER: usize = 256;

/// Reading a document costs as much as so many bytes of it, however short it is.
const LEAST_COST: u64 = 1_000;

/// Every checkpoint of a place.
#[derive(Debug, Default)]
pub(in crate::view) struct RunIndex {
    /// One that is gone stays, and knows nothing: its checkpoint is likely to come back.
    entries: BTreeMap<String, RunEntry>,
    /// Those to be read, and where in these the next one stands.
    queue: Vec<String>,
    next: usize,
    /// The number of checkpoints.
    indexed: usize,
    /// The number of those of which nothing can be said before more is brought.
    waiting: usize,
    /// Names with capitals, which share a side folder with others.
    capitals: Vec<String>,
    /// The commands that the project adds, once they are known.
    added: Option<Result<Vec<String>, Error>>,
    /// The commit that HEAD is at.
    head: Option<String>,
    /// The files that git tracks, in small letters, sorted.
    tracked: Vec<String>,
    /// The distances of HEAD from the commits at which runs were recorded.
    distances: Distances,
    is_redacted: bool,
    version: u64,
    /// The text that was searched for last; each entry knows whether it has it.
    searched: String,
}

#[derive(Debug, Default)]
struct RunEntry {
    is_queued: bool,
    /// The state that its document says by itself to be, where no newer one is kept in history.
    sure: Option<Revision>,
    facts: Option<IndexedRun>,
    /// `Some(true)` if it has the text that was searched for last; `None` where that is not known.
    has_text: Option<bool>,
    /// The files that have to be brought before it can be read.
    lacks: MissingFiles,
}

/// The context that reading needs.
#[derive(Clone, Copy, Debug)]
pub(in crate::view) struct ReadContext<'a> {
    pub(in crate::view) io: &'a Io,
    pub(in crate::view) settings: &'a Settings,
    pub(in crate::view) files: &'a std::cell::RefCell<ViewFiles>,
}

impl RunIndex {
    /// Counts the changes that a page may see.
    pub(in crate::view) fn version(&self) -> u64 {
        self.version
    }

    /// The distance of HEAD from the commit at which a checkpoint was recorded, in words, where the source states it.
    pub(in crate::view) fn since_recorded(&self, stem: &str) -> Option<&str> {
        let facts = self.entries.get(stem)?.facts.as_ref()?;
        facts.since_recorded.as_deref()
    }

    /// Returns the number of known checkpoints.
    pub(in crate::view) fn indexed(&self) -> usize {
        self.indexed
    }

    /// Returns the number of checkpoints that are still to be read.
    pub(in crate::view) fn pending(&self) -> usize {
        self.queue.len() - self.next + self.waiting
    }

    /// Every checkpoint, sorted by name.
    pub(in crate::view) fn all(&self) -> impl Iterator<Item = &IndexedRun> {
        let entries = self.entries.values();
        entries.filter_map(|entry| entry.facts.as_ref())
    }

    /// Every checkpoint, sorted by name, with whether it has the text of a filter.
    pub(in crate::view) fn searched(
        &mut self,
        filter: &RunFilter,
    ) -> Vec<(&str, &IndexedRun, bool)> {
        // An entry without a part of the text is without the text.
        let is_narrower = filter.text.contains(&self.searched);
        let is_same = filter.text == self.searched;
        for entry in self.entries.values_mut() {
            let Some(facts) = &entry.facts else { continue };
            entry.has_text = match entry.has_text {
                known @ Some(_) if is_same => known,
                Some(false) if is_narrower => Some(false),
                _ => Some(facts.text.contains(&filter.text)),
            };
        }
        self.searched.clone_from(&filter.text);
        let entries = self.entries.iter();
        let all = entries.filter_map(|(stem, entry)| {
            let has_text = entry.has_text.unwrap_or_default();
            Some((stem.as_str(), entry.facts.as_ref()?, has_text))
        });
        all.collect()
    }

    /// Notes that something changed at a path, so that what depends on it is read again. `state` is the folder of
    /// documents; `is_folder` says that a folder stands at the path that can be read.
    pub(in crate::view) fn touch(
        &mut self,
        path: &str,
        state: &str,
        files: &ViewFiles,
        is_folder: bool,
    ) {
        if is_at_or_below(integrations::FILE, path) {
            self.touch_others();
        }
        if is_at_or_below(state, path) {
            return self.touch_all(state, files);
        }
        if !is_at_or_below(path, state) {
            return;
        }
        let below = path[state.len()..].trim_start_matches('/');
        match below.split_once('/') {
            None if below == SIDE => self.touch_all(state, files),
            None => {
                if let Some(stem) = Stem::of_file(below) {
                    self.touch_stem(stem.as_str());
                    self.touch_side(&stem.side(), state, files, Reach::Unsure);
                }
            }
            Some((SIDE, side)) => {
                let (side, inner) = side.split_once('/').unwrap_or((side, ""));
                self.touch_side(side, state, files, Reach::of(inner, is_folder));
            }
            Some(_) => {}
        }
    }

    /// Notes that the project may add other commands.
    pub(in crate::view) fn touch_others(&mut self) {
        self.added = None;
        let is_other = |stem: &String| {
            let stem = Stem::new(stem.clone());
            stem.is_ok_and(|stem| listed_state::is_of_other_command(&stem))
        };
        let others: Vec<String> = self
            .entries
            .keys()
            .filter(|it| is_other(it))
            .cloned()
            .collect();
        for stem in others {
            self.touch_stem(&stem);
        }
    }

    /// Notes that what was asked for may be there.
    pub(in crate::view) fn touch_waiting(&mut self) {
        if self.waiting == 0 {
            return;
        }
        let waiting = self.entries.iter().filter(|(_, it)| !it.lacks.is_empty());
        let waiting: Vec<String> = waiting.map(|(stem, _)| stem.clone()).collect();
        for stem in waiting {
            self.touch_stem(&stem);
        }
    }

    /// Notes that everything may have changed.
    pub(in crate::view) fn touch_all(&mut self, state: &str, files: &ViewFiles) {
        self.added = None;
        let known: Vec<String> = self.entries.keys().cloned().collect();
        for stem in known {
            self.touch_stem(&stem);
        }
        for file in files.names(state) {
            if let Some(stem) = Stem::of_file(&file) {
                self.touch_stem(stem.as_str());
            }
        }
        for side in files.names(&format!("{state}/{SIDE}")) {
            self.touch_side(&side, state, files, Reach::All);
        }
    }

    fn touch_stem(&mut self, stem: &str) {
        match self.entries.get_mut(stem) {
            Some(entry) if entry.is_queued => return,
            Some(entry) => entry.is_queued = true,
            None => {
                let entry = RunEntry {
                    is_queued: true,
                    ..RunEntry::default()
                };
                self.entries.insert(stem.to_owned(), entry);
                if stem.bytes().any(|byte| byte.is_ascii_uppercase()) {
                    self.capitals.push(stem.to_owned());
                }
            }
        }
        self.queue.push(stem.to_owned());
    }

    /// Notes that something changed in a side folder, on which it may depend what its documents are.
    fn touch_side(&mut self, side: &str, state: &str, files: &ViewFiles, reach: Reach) {
        if self.capitals.is_empty() && !self.is_reached(side, &reach) {
            return;
        }
        let sharing = self.capitals.iter();
        let sharing = sharing.filter(|stem| stem.eq_ignore_ascii_case(side));
        let mut stems: Vec<String> = sharing.cloned().collect();
        let own = files.names(&format!("{state}/{SIDE}/{side}"));
        let own = own
            .into_iter()
            .filter(|name| name.eq_ignore_ascii_case(side));
        stems.extend(own);
        stems.push(side.to_owned());
        for stem in stems {
            if self.is_reached(&stem, &reach) && Stem::new(stem.clone()).is_ok() {
                self.touch_stem(&stem);
            }
        }
    }

    fn is_reached(&self, stem: &str, reach: &Reach) -> bool {
        let sure = self.entries.get(stem).and_then(|it| it.sure.as_ref());
        let Some(own) = sure else { return true };
        match reach {
            Reach::All => true,
            Reach::Unsure => false,
            Reach::UpTo(stored) => {
                stored.number >= own.number && stored.fingerprint != own.fingerprint
            }
        }
    }

    /// Reads entries that have changed, until this is used up: bytes of documents.
    pub(in crate::view) fn read(
        &mut self,
        context: ReadContext<'_>,
        mut budget: u64,
    ) -> Result<(), Error> {
        let folder = self.folder(context)?;
        // A fault that concerns all of them is reported of each.
        let is_looked_at = check_side(context.io, &folder).is_ok();
        while let Some(stem) = self.queue.get(self.next).cloned() {
            if budget == 0 {
                return Ok(());
            }
            let added = match self.added.take() {
                Some(added) => added,
                None => {
                    let root = root::locate(context.io, context.settings)?;
                    let added = added_commands(context.io, &root);
                    if context.files.borrow().lacks() {
                        // It decides which files are checkpoints.
                        return Ok(());
                    }
                    added
                }
            };
            let size = self.read_one(context, (&folder, is_looked_at), &added, &stem);
            self.added = Some(added);
            self.next += 1;
            budget = budget.saturating_sub(size.max(LEAST_COST));
        }
        (self.queue, self.next) = (Vec::new(), 0);
        // While a stream comes in, this is reached after each part of it.
        if self.waiting == 0 {
            return Ok(());
        }
        let waiting = self.entries.values().filter(|it| !it.lacks.is_empty());
        let mut files = context.files.borrow_mut();
        for entry in waiting.take(REQUESTED_TOGETHER) {
            files.request_again(&entry.lacks);
        }
        Ok(())
    }

    /// The folder of documents.
    ///
    /// # Errors
    ///
    /// As in a listing of it: where it is no folder, nothing in it is looked at.
    pub(in crate::view) fn folder(&self, context: ReadContext<'_>) -> Result<StoreFolder, Error> {
        let root = root::locate(context.io, context.settings)?;
        let folder = root::state_folder(&root, context.settings)?;
        folder.check(context.io)?;
        Ok(folder)
    }

    /// Reads one entry; answers how many bytes its file has. With the folder it is said whether what all documents
    /// share was looked at.
    fn read_one(
        &mut self,
        context: ReadContext<'_>,
        (folder, is_looked_at): (&StoreFolder, bool),
        added: &Result<Vec<String>, Error>,
        stem: &str,
    ) -> u64 {
        let side = stem.to_ascii_lowercase();
        let (path, has_file, size) = {
            let files = context.files.borrow();
            let path = format!("{}/{stem}{}", folder.path(), Stem::ENDING);
            let size = files.size(&path);
            (path, size.is_some(), size.unwrap_or_default())
        };
        let is_orphan = !has_file && !self.is_shared(&side, folder, context);
        let listed = match Stem::new(stem.to_owned()) {
            Ok(name) => {
                let versioned =
                    match versioned_document(context.io, folder, &name, context.settings) {
                        versioned if is_looked_at => versioned.one_of_many(),
                        versioned => versioned,
                    };
                match (has_file, is_orphan) {
                    (true, _) => listed_state::of_file(&versioned, &name, added),
                    (false, true) => {
                        let commands = added.as_deref().unwrap_or_default();
                        listed_state::of_history(&versioned, &name, commands)
                    }
                    (false, false) => ListedState::Nothing,
                }
            }
            Err(_) => ListedState::Nothing,
        };
        let lacks = context.files.borrow_mut().take_lacks();
        let Some(entry) = self.entries.get_mut(stem) else {
            return size;
        };
        entry.is_queued = false;
        self.waiting -= usize::from(!entry.lacks.is_empty());
        entry.sure = said_itself(&listed);
        entry.lacks = match entry.sure.is_some() {
            true => MissingFiles::default(),
            false => lacks,
        };
        if !entry.lacks.is_empty() {
            self.waiting += 1;
            return size;
        }
        entry.has_text = None;
        let files = context.files.borrow();
        let bytes = || files.bytes(&path).unwrap_or_default();
        let facts = IndexedRun::of(listed, has_file, bytes);
        self.indexed -= usize::from(entry.facts.is_some());
        self.indexed += usize::from(facts.is_some());
        entry.facts = facts;
        if let Some(facts) = &mut entry.facts {
            let side = own_side(stem, &side);
            let quarantine = format!("{}/{SIDE}/{side}/{QUARANTINE}", folder.path());
            let is_quarantined = !files.names(&quarantine).is_empty();
            facts.own = facts.own.with(Badge::Quarantined, is_quarantined);
        }
        drop(files);
        self.classify(stem, &path);
        self.version += 1;
        size
    }

    /// Returns whether there is a document that a side folder belongs to.
    fn is_shared(&self, side: &str, folder: &StoreFolder, context: ReadContext<'_>) -> bool {
        let files = context.files.borrow();
        let is_there = |stem: &str| {
            let path = format!("{}/{stem}{}", folder.path(), Stem::ENDING);
            files.size(&path).is_some()
        };
        let mut sharing = self.capitals.iter();
        is_there(side) || sharing.any(|it| it.eq_ignore_ascii_case(side) && is_there(it))
    }

    /// Takes over what is known of the place.
    pub(in crate::view) fn settle(&mut self, context: ReadContext<'_>, meta: &Meta) {
        self.head =
            root::locate(context.io, context.settings)
                .ok()
                .and_then(|root| match root::head(context.io, &root) {
                    Head::Commit(commit) => Some(commit),
                    _ => None,
                });
        let tracked = meta.tracked().into_iter();
        let tracked = tracked.map(|path| path.to_ascii_lowercase());
        self.tracked = crate::str_map::sort(tracked.collect());
        self.distances = meta.distances();
        self.is_redacted = meta.is_redacted();
        self.version += 1;
        let stems: Vec<String> = self.entries.keys().cloned().collect();
        let dir = context.settings.dir.as_deref();
        let folder = dir.unwrap_or(root::STATE_FOLDER);
        for stem in stems {
            self.classify(&stem, &format!("{folder}/{stem}{}", Stem::ENDING));
        }
    }

    /// Sets what a checkpoint warns of, by what is known of the place now.
    fn classify(&mut self, stem: &str, path: &str) {
        let Some(facts) = self.entries.get_mut(stem).and_then(|it| it.facts.as_mut()) else {
            return;
        };
        let saved = stale(facts.head.as_deref(), self.head.as_deref());
        let is_tracked = self
            .tracked
            .binary_search(&path.to_ascii_lowercase())
            .is_ok();
        facts.since_recorded = match self.distances.get(path) {
            Some((at, text)) if saved == Some(at.as_str()) => Some(text.clone()),
            _ => None,
        };
        let is_stale = saved.is_some();
        facts.badges = facts
            .own
            .with(Badge::Stale, is_stale)
            .with(Badge::UntrustedOrigin, is_tracked)
            .with(Badge::Redacted, self.is_redacted);
    }
}

/// The documents sharing a side folder that are read again.
#[derive(PartialEq, Eq)]
enum Reach {
    All,
    /// Those that do not say by themselves what they are.
    Unsure,
    /// These, and those that are no newer than this other revision in history: they may have been put back.
    UpTo(Revision),
}

impl Reach {
    /// Of a change at this path in the side folder, where a folder stands now that can be read or not.
    fn of(path: &str, is_folder: bool) -> Self {
        let (above, name) = path.rsplit_once('/').unwrap_or(("", path));
        let is_below = |folder: &str| above.split('/').any(|part| part == folder);
        if name == QUARANTINE || is_below(QUARANTINE) {
            return Reach::All;
        }
        match Revision::of_file(name).filter(|_| is_below(HISTORY)) {
            Some(revision) => Reach::UpTo(revision),
            None if is_folder || is_below(HISTORY) || is_below(TOKENS) => Reach::Unsure,
            None => Reach::All,
        }
    }
}

fn is_at_or_below(path: &str, above: &str) -> bool {
    let below = path.strip_prefix(above);
    below.is_some_and(|below| below.is_empty() || below.starts_with('/') || above.is_empty())
}

/// The path, in the side folder of all, of what belongs to this very name.
fn own_side(stem: &str, side: &str) -> String {
    match stem == side {
        true => side.to_owned(),
        false => format!("{side}/{stem}"),
    }
}

/// The state that a document says by itself to be.
fn said_itself(listed: &ListedState) -> Option<Revision> {
    let document: &Document = match listed {
        ListedState::Checkpoint(_, document) | ListedState::Removed(document) => document,
        ListedState::Moving(_) | ListedState::Broken(..) | ListedState::Nothing => return None,
    };
    (document.origin == Origin::Store).then(|| Revision::of(&document.stamp))
}
