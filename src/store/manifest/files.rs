//! Changing a document among files: its parts are prepared, and then the index alone is committed.

use super::index::{
    Keys, ManifestFolder, ManifestIndex, ManifestState, parts, removed, set_generation, set_journal,
};
use super::keys::{self, Free};
use super::lines::{self, Added};
use super::name::{self, PartMark, PartName};
use super::part::{self, Age};
use super::plan::{Decide, ManifestPlan, NextIndex, PlannedParts, difference, no_journal};
use super::records::Changed;
use super::remove;
use super::whole::{self, OnDamage};
use crate::error::{Code, Error, Written};
use crate::json::Object;
use crate::store::location::{SIDE, Stem, StoreFolder, make_below, make_folder};
use crate::store::versioned_document::VersionedDocument;
use crate::store::write::{Change, Current, DocumentWrite, Keep, new_id};

/// The end of one try.
pub(super) enum Attempt {
    Done(Changed),
    /// The place for it is made; the change itself is to be tried.
    Begun,
    /// The place for it may have been removed in the moment that it was made; otherwise this is why it could
    /// not be made.
    Removed(Error),
    /// The preparation is of an older generation, or another writer's line came first.
    Outdated,
    /// A line was added to a journal that was gone by then: whether it was in time is unknown.
    Unknown,
}

/// Makes one try. The token is unique, and used once.
pub(super) async fn attempt(
    location: &ManifestFolder<'_>,
    name: &Stem,
    token: &str,
    decide: &mut Decide<'_>,
) -> Result<Attempt, Error> {
    let state = whole::whole(location, name, OnDamage::Keep).await?;
    if let Some(removal) = state.as_ref().and_then(|it| it.removal.as_deref()) {
        remove::finish(location, name, removal).await?;
        return Ok(Attempt::Begun);
    }
    let index = state.as_ref().and_then(|it| it.index.as_ref());
    let next = match decide(index, token)? {
        ManifestPlan::Write(next) => with_journal(location, next, token),
        ManifestPlan::Append(line) => return append(location, name, index, token, &line).await,
        ManifestPlan::Keep => return keep(location, name, index).await,
    };
    let Some(state) = state else {
        return begin(location, name).await;
    };
    let Some(generation) = state.generation.clone() else {
        // Taken away by hand.
        keys::fence(location, name).await?;
        return Ok(Attempt::Begun);
    };
    let journal = state.index.as_ref().and_then(|it| it.journal.as_ref());
    if let Some(journal) = journal
        && let Some(loss) = &journal.loss
    {
        // Another one is about to take its place.
        whole::keep(location, name, &journal.part, &loss.bytes).await?;
    }
    let draft = PlannedParts::new(&location.layout, state.parts(), next, token)?;
    let writer = ManifestWriter {
        location,
        name,
        token,
        generation,
        draft,
    };
    write(&writer, &state, decide).await
}

/// Commits an index in the place of one that can be read and is damaged otherwise, or whose journal or parts are.
/// Of the parts that the new one names, those that are `present` are there.
pub(super) async fn rebuild(
    location: &ManifestFolder<'_>,
    name: &Stem,
    state: &ManifestState,
    present: &[PartName],
    next: NextIndex,
    token: &str,
) -> Result<Attempt, Error> {
    let Some(generation) = state.generation.clone() else {
        keys::fence(location, name).await?;
        return Ok(Attempt::Begun);
    };
    let next = with_journal(location, next, token);
    let draft = PlannedParts::new(&location.layout, present, next, token)?;
    let writer = ManifestWriter {
        location,
        name,
        token,
        generation,
        draft,
    };
    // It is asked where the index has changed, and then this is retried.
    write(&writer, state, &mut |_, _| Ok(ManifestPlan::Keep)).await
}

/// Commits the removal of a document that can be read, in the place of its index.
pub(super) async fn commit_removal(
    location: &ManifestFolder<'_>,
    name: &Stem,
    state: &ManifestState,
    removal: &str,
    token: &str,
) -> Result<Attempt, Error> {
    let Some(generation) = state.generation.clone() else {
        return Ok(Attempt::Outdated);
    };
    let next = NextIndex {
        object: removed(removal),
        add: Vec::new(),
    };
    let draft = PlannedParts::new(&location.layout, state.parts(), next, token)?;
    let writer = ManifestWriter {
        location,
        name,
        token,
        generation,
        draft,
    };
    // It is asked where the index has changed, and then it stays.
    write(&writer, state, &mut |_, _| Ok(ManifestPlan::Keep)).await
}

/// Prepares what the draft of a writer needs, and commits it; what is not needed after all is removed.
async fn write(
    writer: &ManifestWriter<'_>,
    state: &ManifestState,
    decide: &mut Decide<'_>,
) -> Result<Attempt, Error> {
    let ManifestWriter { location, name, .. } = writer;
    let tried = writer.run(state, decide).await;
    match &tried {
        // It is unknown whether the index names them.
        Err(error) if error.written() != Written::No => {}
        Ok(Attempt::Done(Changed::Written(_))) => {}
        _ => part::drop_all(location, name, &writer.draft.names()).await,
    }
    match tried {
        Err(error) if error.code() == Code::Io && writer.is_outdated().await => {
            Ok(Attempt::Outdated)
        }
        tried => tried,
    }
}

/// Makes durable what was read: it may be another writer's commit that is not durable yet.
async fn keep(
    location: &ManifestFolder<'_>,
    name: &Stem,
    index: Option<&ManifestIndex>,
) -> Result<Attempt, Error> {
    let Some(index) = index else {
        return Ok(Attempt::Done(Changed::Unchanged(None)));
    };
    location.versioned_document(name)?.make_durable().await?;
    if let Some(journal) = &index.journal
        && !lines::make_durable(location, name, journal).await?
    {
        return Ok(Attempt::Outdated);
    }
    Ok(Attempt::Done(Changed::Unchanged(Some(Box::new(
        index.clone(),
    )))))
}

/// Adds a line to the journal of an index that stays as it is.
async fn append(
    location: &ManifestFolder<'_>,
    name: &Stem,
    index: Option<&ManifestIndex>,
    token: &str,
    line: &[u8],
) -> Result<Attempt, Error> {
    let open = index.and_then(|it| it.journal.as_ref());
    let Some(journal) = open.filter(|it| it.is_open()) else {
        return Err(no_journal(location.folder.shown(name.as_str())));
    };
    Ok(
        match lines::add(location, name, journal, token, line).await? {
            Added::Yes(_) => Attempt::Done(Changed::Unchanged(None)),
            Added::No => Attempt::Outdated,
            Added::Unknown => Attempt::Unknown,
        },
    )
}

/// Adds an empty journal and its tally, where an index has them.
pub(super) fn with_journal(
    location: &ManifestFolder<'_>,
    mut next: NextIndex,
    token: &str,
) -> NextIndex {
    if location.layout.keys == Keys::Own
        && let Some(part) = PartName::of_journal(token)
    {
        set_journal(&mut next.object, &part);
        for file in [part.tally(), part] {
            next.add.push((file.key, Vec::new()));
        }
    }
    next
}

/// Makes an index that names nothing, so that there is a generation to prepare parts under. No
/// reader sees it.
async fn begin(location: &ManifestFolder<'_>, document: &Stem) -> Result<Attempt, Error> {
    let ManifestFolder { io, folder, layout } = location;
    let mut folders: Vec<StoreFolder> = vec![(*folder).clone()];
    while let Some(outer) = folders.last().and_then(StoreFolder::outer) {
        folders.push(outer);
    }
    for folder in folders.iter().rev() {
        make_folder(io, folder, layout.durability).await?;
    }
    // An index is there only after this is durable, so that no mark gets lost with the folder of all.
    make_below(io, folder, &name::keys()).await?;
    location.sync(folder, SIDE).await?;
    let first = new_id(io).await?;
    let mut decide = |current: &Current<'_>| {
        if current.document.is_some() {
            return Ok(Change::Keep);
        }
        let mut object = Object::new();
        set_generation(&mut object, &first);
        Ok(Change::Write(unkept(object)))
    };
    match location
        .versioned_document(document)?
        .update(None, &mut decide)
        .await
    {
        Ok(_) => Ok(Attempt::Begun),
        // In any state, the index names nothing of what was to be changed.
        Err(error) => match (error.code(), error.with_written(Written::No)) {
            // Another process may have removed it in between, with the folder that this wrote in.
            (Code::Io, error) => Ok(Attempt::Removed(error)),
            (_, error) => Err(error),
        },
    }
}

/// The commit of an index, which has no history.
pub(super) fn unkept(object: Object) -> DocumentWrite {
    DocumentWrite {
        keeps: Keep::Nothing,
        ..DocumentWrite::new(object)
    }
}

/// The writer of one change.
struct ManifestWriter<'a> {
    location: &'a ManifestFolder<'a>,
    name: &'a Stem,
    token: &'a str,
    /// The generation that the parts are prepared under.
    generation: String,
    draft: PlannedParts,
}

impl ManifestWriter<'_> {
    async fn run(&self, state: &ManifestState, decide: &mut Decide<'_>) -> Result<Attempt, Error> {
        let ManifestWriter {
            location,
            name,
            draft,
            ..
        } = self;
        for (part, bytes) in &draft.added {
            part::put(location, name, part, bytes).await?;
        }
        let mut known = draft.names();
        known.extend_from_slice(state.parts());
        known.extend(parts(&location.layout, &draft.object));
        // Listed before the commit that begins another generation: what comes later is of that one.
        let left = part::others(location, name, &known, Age::Dead).await?;
        if !draft.added.is_empty() {
            location.sync(&location.inner(name), "").await?;
        }
        if location.layout.keys == Keys::Own {
            // The committed state has all lines up to here, and none is added from here on.
            let journal = state.index.as_ref().and_then(|it| it.journal.as_ref());
            if let Some(journal) = journal
                && !lines::close(location, name, journal, self.token).await?
            {
                return Ok(Attempt::Outdated);
            }
            return self
                .commit(&location.versioned_document(name)?, state, decide, left)
                .await;
        }
        for (part, _) in &draft.added {
            keys::put(location, &PartMark::new(name, part)).await?;
        }
        for key in &draft.new_keys {
            if let Free::No(by) = keys::free(location, key, name).await? {
                let key = key.clone();
                return Ok(Attempt::Done(Changed::Taken { key, by }));
            }
        }
        self.commit(&location.versioned_document(name)?, state, decide, left)
            .await
    }

    async fn commit(
        &self,
        versioned: &VersionedDocument<'_>,
        state: &ManifestState,
        decide: &mut Decide<'_>,
        left: Vec<PartName>,
    ) -> Result<Attempt, Error> {
        let ManifestWriter {
            location, draft, ..
        } = self;
        let generation = match left.is_empty() {
            true => self.generation.clone(),
            false => new_id(location.io).await?,
        };
        let mut is_outdated = false;
        let mut removed = Vec::new();
        let mut commit = |current: &Current<'_>| {
            let found = current
                .document
                .map(|it| ManifestState::new(&location.layout, Box::new(it.clone())));
            let found = found.filter(|it| it.generation.as_ref() == Some(&self.generation));
            let Some(found) = found else {
                is_outdated = true;
                return Err(Error::busy(versioned.shown()));
            };
            let mut now = draft.clone();
            if found.stamp != state.stamp {
                if location.layout.keys == Keys::Own {
                    // Its journal is to be read first.
                    is_outdated = true;
                    return Err(Error::busy(versioned.shown()));
                }
                match decide(found.index.as_ref(), self.token)? {
                    ManifestPlan::Keep => return Ok(Change::Keep),
                    ManifestPlan::Append(_) => return Err(no_journal(versioned.shown())),
                    ManifestPlan::Write(next) => {
                        now = PlannedParts::new(&location.layout, found.parts(), next, self.token)?;
                    }
                }
            }
            if !draft.covers(&now) {
                is_outdated = true;
                return Err(Error::busy(versioned.shown()));
            }
            removed = difference(&left, found.parts());
            removed.append(&mut now.dropped);
            set_generation(&mut now.object, &generation);
            Ok(Change::Write(unkept(now.object)))
        };
        let committed = versioned.update(None, &mut commit).await;
        if is_outdated {
            return Ok(Attempt::Outdated);
        }
        let committed = committed?;
        if !committed.changed {
            let before = committed.before;
            let state = before.map(|it| ManifestState::new(&location.layout, it));
            let index = state.and_then(|it| it.index).map(Box::new);
            return Ok(Attempt::Done(Changed::Unchanged(index)));
        }
        part::drop_all(location, self.name, &removed).await;
        Ok(Attempt::Done(Changed::Written(committed)))
    }

    /// Returns whether another process removed the document, or began another generation of it.
    async fn is_outdated(&self) -> bool {
        match self.location.read(self.name).await {
            Ok(Some(state)) => state.generation.as_ref() != Some(&self.generation),
            Ok(None) => true,
            Err(_) => false,
        }
    }
}
