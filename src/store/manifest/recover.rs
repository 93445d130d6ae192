//! Another index in the place of one that cannot be read, or whose journal or parts cannot, made of all that can.
//!
//! It is a commit as any other: where the index can be read, it is the base, and its journal is closed first if that
//! can be read; else what is corrupt is replaced, or what is absent. Damaged files are kept in quarantine before.
//! Documents whose keys are those of all have marks, and are not recovered so.

use super::files::{self, Attempt, unkept, with_journal};
use super::index::{ManifestFolder, ManifestState, parts, set_generation};
use super::name::PartName;
use super::part;
use super::plan::{NextIndex, PlannedParts};
use super::salvage::{SalvagedJournal, salvage};
use super::tally::Tally;
use super::whole::{JournalReading, keep, reading};
use crate::error::{Code, Error, Written};
use crate::json::Object;
use crate::store::MAX_DOCUMENTS;
use crate::store::location::Stem;
use crate::store::write::new_id;
use crate::str_map;

/// The remains of a document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ManifestRemains {
    /// Its index, where that is a document.
    pub index: Option<Object>,
    /// Every part in its folder, whether the index names it or not.
    pub parts: Vec<(PartName, Vec<u8>)>,
    /// The lines of its journal that can be read, the oldest first; without an index, those of each
    /// journal that is there.
    pub lines: Vec<Vec<u8>>,
    /// At least so many lines more were acknowledged.
    pub lost: usize,
    /// True if all that the index names is there and can be read. The store does not know its
    /// meaning.
    pub is_sound: bool,
}

/// The state that takes its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rebuilt {
    /// The index; of the parts that it names, those that are new are added.
    pub next: NextIndex,
    /// The parts that are damaged, which are kept in quarantine.
    pub broken: Vec<PartName>,
}

/// Makes an index of what is left, once per try; new parts have the token that is given. It fails where nothing is to
/// be recovered.
pub type Rebuild<'a> = dyn FnMut(&ManifestRemains, &str) -> Result<Rebuilt, Error> + 'a;

/// The files found of a damaged document.
struct RemainingFiles {
    state: Option<ManifestState>,
    remains: ManifestRemains,
    /// The journals, as they are.
    journals: Vec<(PartName, Vec<u8>)>,
}

/// One try; where copies of what was damaged are kept, or `None` where another writer was faster.
pub(super) async fn attempt(
    location: &ManifestFolder<'_>,
    name: &Stem,
    token: &str,
    rebuild: &mut Rebuild<'_>,
) -> Result<Option<Vec<String>>, Error> {
    let found = find(location, name).await?;
    let Rebuilt { next, broken } = rebuild(&found.remains, token)?;
    let mut copies = Vec::new();
    for (part, bytes) in &found.journals {
        copies.extend(keep(location, name, part, bytes).await?);
    }
    let damaged = found.remains.parts.iter();
    for (part, bytes) in damaged.filter(|(part, _)| broken.contains(part)) {
        copies.extend(keep(location, name, part, bytes).await?);
    }
    let named = parts(&location.layout, &next.object);
    let there = found.remains.parts.iter().map(|(part, _)| part);
    let mut present: Vec<PartName> = there.filter(|it| named.contains(it)).cloned().collect();
    let Some(state) = &found.state else {
        let copy = replace(location, name, &present, next, token).await?;
        copies.extend(copy);
        return Ok(Some(copies));
    };
    let others = state.parts().iter().filter(|it| !named.contains(it));
    present.extend(others.cloned());
    let tried = files::rebuild(location, name, state, &present, next, token).await?;
    Ok(matches!(tried, Attempt::Done(_)).then_some(copies))
}

async fn find(location: &ManifestFolder<'_>, name: &Stem) -> Result<RemainingFiles, Error> {
    let (state, is_corrupt) = match location.read(name).await {
        Ok(state) => (state, false),
        Err(error) if error.code() == Code::Corrupt => (None, true),
        Err(error) => return Err(error),
    };
    let files = location
        .inner(name)
        .names(location.io, "", MAX_DOCUMENTS)
        .await?;
    let files = str_map::sort(files).into_iter();
    let there: Vec<PartName> = files.filter_map(|it| PartName::of_file(&it)).collect();
    let is_begun = state.as_ref().is_some_and(|it| it.index.is_none());
    let is_absent = state.is_none() && !is_corrupt && there.is_empty();
    if is_begun || is_absent {
        let shown = location.versioned_document(name)?.shown();
        let message = format!("There is nothing to recover: {shown} was never written");
        return Err(Error::not_found(message));
    }
    let mut found = RemainingFiles {
        state,
        remains: ManifestRemains::default(),
        journals: Vec::new(),
    };
    found.read_parts(location, name, &there).await?;
    match found.state.is_some() {
        true => found.read_journal(location, name, &there).await?,
        false => found.read_journals(location, name, &there).await?,
    }
    Ok(found)
}

impl RemainingFiles {
    async fn read_parts(
        &mut self,
        location: &ManifestFolder<'_>,
        name: &Stem,
        there: &[PartName],
    ) -> Result<(), Error> {
        for part in there.iter().filter(|it| !it.is_of_journal()) {
            if let Some(bytes) = part::read(location, name, part).await? {
                self.remains.parts.push((part.clone(), bytes));
            }
        }
        Ok(())
    }

    /// The journal of an index that can be read.
    async fn read_journal(
        &mut self,
        location: &ManifestFolder<'_>,
        name: &Stem,
        there: &[PartName],
    ) -> Result<(), Error> {
        let Some(index) = self.state.as_mut().and_then(|it| it.index.as_mut()) else {
            return Ok(());
        };
        self.remains.index = Some(index.document.object.clone());
        self.remains.is_sound = index.parts.iter().all(|it| there.contains(it));
        let Some(part) = index.journal_part() else {
            return Ok(());
        };
        let tally = match index.tally_part() {
            Some(tally) => part::read(location, name, &tally).await?,
            None => None,
        };
        let tally = tally.map(|it| Tally::read(&part.token, &it));
        let bytes = part::read(location, name, &part).await?.unwrap_or_default();
        match reading(location, name, index).await? {
            JournalReading::Without => {}
            JournalReading::Whole(journal) => {
                self.remains.lines = journal.lines.clone();
                if let Some(loss) = &journal.loss {
                    self.remains.is_sound = false;
                    self.remains.lost = loss.lines;
                }
                index.journal = Some(*journal);
            }
            JournalReading::Missing(_) | JournalReading::Damaged(_) => {
                self.remains.is_sound = false;
                let salvaged = salvage(&part, &bytes, tally.as_ref());
                self.remains.add(salvaged);
            }
        }
        self.journals.push((part, bytes));
        Ok(())
    }

    /// Every journal in the folder, where no index says which one is of use.
    async fn read_journals(
        &mut self,
        location: &ManifestFolder<'_>,
        name: &Stem,
        there: &[PartName],
    ) -> Result<(), Error> {
        for part in there.iter().filter(|it| it.is_journal()) {
            let tally = part::read(location, name, &part.tally()).await?;
            let tally = tally.map(|it| Tally::read(&part.token, &it));
            let bytes = part::read(location, name, part).await?.unwrap_or_default();
            let salvaged = salvage(part, &bytes, tally.as_ref());
            self.remains.add(salvaged);
            self.journals.push((part.clone(), bytes));
        }
        Ok(())
    }
}

impl ManifestRemains {
    fn add(&mut self, salvaged: SalvagedJournal) {
        self.lines.extend(salvaged.lines);
        self.lost += salvaged.lost;
    }
}

/// Commits an index in the place of one that is corrupt or absent; where a copy of it is kept.
async fn replace(
    location: &ManifestFolder<'_>,
    name: &Stem,
    present: &[PartName],
    next: NextIndex,
    token: &str,
) -> Result<Option<String>, Error> {
    let next = with_journal(location, next, token);
    let draft = PlannedParts::new(&location.layout, present, next, token)?;
    let replaced = commit(location, name, &draft).await;
    if let Err(error) = &replaced
        && error.written() == Written::No
    {
        part::drop_all(location, name, &draft.names()).await;
    }
    replaced
}

async fn commit(
    location: &ManifestFolder<'_>,
    name: &Stem,
    draft: &PlannedParts,
) -> Result<Option<String>, Error> {
    for (part, bytes) in &draft.added {
        part::put(location, name, part, bytes).await?;
    }
    location.sync(&location.inner(name), "").await?;
    let mut object = draft.object.clone();
    // Preparations of others from before belong to no index any more.
    set_generation(&mut object, &new_id(location.io).await?);
    location
        .versioned_document(name)?
        .replace(unkept(object))
        .await
}
