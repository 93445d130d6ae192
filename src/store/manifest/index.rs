//! The document that names the parts.

use super::journal::Journal;
use super::name::{self, PartName};
use crate::effect::{Io, Sync};
use crate::error::Error;
use crate::json::{Json, Object};
use crate::store::keep::RetentionPolicy;
use crate::store::location::{Stem, Storage, StoreFolder};
use crate::store::read::{Document, Stamp};
use crate::store::versioned_document::VersionedDocument;

/// The member that the store sets: what was prepared under one generation is never named by an index of
/// another.
const GENERATION: &str = "generation";

/// The member that says which file is the journal of this index: its token.
const JOURNAL: &str = "journal";

/// The member that says that this journal has a tally: its token again. An older program leaves it as it is and
/// begins another journal, which then has none.
const TALLY: &str = "tally";

/// The member of an index that says only that its document was removed: the place that its folder is moved to.
const REMOVAL: &str = "removal";

/// The scope of the keys of parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keys {
    /// The keys are those of all documents: one that a document has, no other gets, and by it the
    /// document is found.
    OfAll,
    /// The keys are a document's own: they follow from its name, so that no other has them anyway,
    /// and none is ever looked for. Among files, parts have no marks then, and an index has a
    /// [`Journal`].
    Own,
}

/// The layout of a document of parts.
#[derive(Clone, Copy, Debug)]
pub struct ManifestLayout {
    /// States whether a change must survive a power loss before it is acknowledged.
    pub durability: Sync,
    /// The largest part that is read.
    pub max_part_bytes: u32,
    /// The scope of the keys of parts.
    pub keys: Keys,
    /// The parts that an index names.
    pub parts: fn(&Object) -> Vec<PartName>,
}

/// A document that names parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ManifestIndex {
    /// As it is stored.
    pub document: Box<Document>,
    /// The parts that it names.
    pub parts: Vec<PartName>,
    /// The changes since, where there is a journal.
    pub journal: Option<Journal>,
}

impl ManifestIndex {
    /// The file of its journal.
    pub(super) fn journal_part(&self) -> Option<PartName> {
        journal(&self.document.object)
    }

    /// The file of that one's tally.
    pub(super) fn tally_part(&self) -> Option<PartName> {
        tally(&self.document.object)
    }

    /// The part under a key.
    pub fn part(&self, key: &str) -> Option<&PartName> {
        self.parts.iter().find(|part| part.key == key)
    }
}

/// The state of the place where a document belongs.
#[derive(Clone, Debug)]
pub(super) struct ManifestState {
    /// `None` where the member was taken away by hand.
    pub(super) generation: Option<String>,
    pub(super) stamp: Stamp,
    /// `None` where a writer has begun, and nothing was ever written, and where it was removed.
    pub(super) index: Option<ManifestIndex>,
    /// The place for the folder of a document whose removal is committed. Nothing is committed over that.
    pub(super) removal: Option<String>,
}

impl ManifestState {
    pub(super) fn new(layout: &ManifestLayout, document: Box<Document>) -> Self {
        let object = &document.object;
        let is_begun = |key: &str| matches!(key, GENERATION | REMOVAL | "revision" | "seal");
        let is_index = !object.iter().all(|(key, _)| is_begun(key));
        let removal = object.get(REMOVAL).and_then(Json::as_str);
        let removal = removal.filter(|it| !is_index && name::removed_ms(it).is_some());
        ManifestState {
            generation: generation(object),
            stamp: document.stamp.clone(),
            removal: removal.map(str::to_owned),
            index: is_index.then(|| ManifestIndex {
                parts: parts(layout, &document.object),
                journal: None,
                document,
            }),
        }
    }

    pub(super) fn parts(&self) -> &[PartName] {
        self.index.as_ref().map_or(&[], |index| &index.parts)
    }
}

pub(super) fn generation(object: &Object) -> Option<String> {
    let text = object.get(GENERATION).and_then(Json::as_str);
    text.map(str::to_owned)
}

/// The index of a document that is removed.
pub(super) fn removed(removal: &str) -> Object {
    Object::new().with(REMOVAL, removal)
}

/// All parts that an index names, its journal and the tally of that among them.
pub(super) fn parts(layout: &ManifestLayout, object: &Object) -> Vec<PartName> {
    let mut parts = (layout.parts)(object);
    parts.extend(journal(object));
    parts.extend(tally(object));
    parts
}

fn journal(object: &Object) -> Option<PartName> {
    let token = object.get(JOURNAL).and_then(Json::as_str)?;
    PartName::of_journal(token)
}

fn tally(object: &Object) -> Option<PartName> {
    let token = object.get(TALLY).and_then(Json::as_str);
    let journal = journal(object).filter(|it| token == Some(it.token.as_str()));
    journal.map(|it| it.tally())
}

/// Gives a document a new journal, with a tally.
pub(super) fn set_journal(object: &mut Object, part: &PartName) {
    object.set(JOURNAL, part.token.as_str());
    object.set(TALLY, part.token.as_str());
}

/// Puts a document under a generation.
pub(super) fn set_generation(object: &mut Object, generation: &str) {
    object.set(GENERATION, generation);
}

/// The folder of documents with parts, and its layout.
#[derive(Clone, Copy, Debug)]
pub(super) struct ManifestFolder<'a> {
    pub(super) io: &'a Io,
    pub(super) folder: &'a StoreFolder,
    pub(super) layout: ManifestLayout,
}

impl<'a> ManifestFolder<'a> {
    pub(super) fn storage(&self) -> Storage {
        self.folder.storage()
    }

    /// The folder of one document and its parts.
    pub(super) fn inner(&self, name: &Stem) -> StoreFolder {
        self.folder.below(name.as_str())
    }

    /// The document itself.
    pub(super) fn versioned_document(&self, name: &Stem) -> Result<VersionedDocument<'a>, Error> {
        name::check_name(name)?;
        let policy = RetentionPolicy {
            durability: self.layout.durability,
            ..RetentionPolicy::default()
        };
        Ok(match self.storage() {
            Storage::Records => VersionedDocument::new(self.io, self.folder, name, policy),
            Storage::Files => {
                let stem = Stem::new("index".to_owned())?;
                VersionedDocument::new(self.io, &self.inner(name), &stem, policy)
            }
        })
    }

    pub(super) async fn read(&self, name: &Stem) -> Result<Option<ManifestState>, Error> {
        let stored = self.versioned_document(name)?.read().await?;
        let document = stored.document;
        Ok(document.map(|it| ManifestState::new(&self.layout, it)))
    }

    /// Makes names in a folder durable, where that is asked for.
    pub(super) async fn sync(&self, folder: &StoreFolder, below: &str) -> Result<(), Error> {
        match self.layout.durability {
            Sync::Durable => folder.sync(self.io, below).await,
            Sync::Lazy => Ok(()),
        }
    }
}
