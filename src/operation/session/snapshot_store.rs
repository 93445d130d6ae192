//! The context of every operation on snapshots: their place, and one of them.

use std::ops::Deref;

use crate::checkpoint::session::document;
use crate::checkpoint::session::id::SnapshotId;
use crate::checkpoint::session::yaml::MalformedYaml;
use crate::effect::{Io, PathEntry};
use crate::error::{Code, Error};
use crate::json::Object;
use crate::operation::paths;
use crate::operation::workspace::Workspace;
use crate::operation::{Settings, Warnings};
use crate::root;
use crate::schema::Problem;
use crate::store::{ImmutableDocuments, Stem, Storage, StoreFolder};
use crate::str_map::StrSet;

/// The extension of their files.
const ENDING: &str = ".yaml";

/// The most paths that are looked at in one effect.
const MOST_INSPECTED: usize = 1_000;

/// The place of snapshots.
pub(super) struct SnapshotStore<'a> {
    workspace: Workspace<'a>,
    pub(super) folder: StoreFolder,
    archive: StoreFolder,
    /// The folder that has all snapshots in it; that of these, or one above.
    top: StoreFolder,
}

/// The id of a stored snapshot, with the folder that it is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct SnapshotLocation {
    pub(super) id: SnapshotId,
    pub(super) is_archived: bool,
}

/// The facts about the checkpoints beside a new one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct OtherSnapshots {
    /// The greatest id, archived or not.
    pub(super) greatest: Option<SnapshotId>,
    /// The number of those that are not archived, at most: files that are no checkpoints may be among them.
    pub(super) count: usize,
    /// Set where one that was to be removed is still there.
    pub(super) is_any_left: bool,
}

/// One that was read.
#[derive(Clone, Debug)]
pub(super) struct StoredSnapshot {
    pub(super) known: SnapshotLocation,
    /// Its text, as it is stored.
    pub(super) text: String,
    /// The document, parsed.
    pub(super) document: Object,
    /// The problems that break its schema.
    pub(super) problems: Vec<Problem>,
}

/// The checkpoint that an operation is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SnapshotSelector {
    /// This one.
    Id(SnapshotId),
    /// The newest one, except archived ones and those a restore made.
    Latest,
}

impl SnapshotSelector {
    /// From the two arguments that say it.
    ///
    /// # Errors
    ///
    /// [`Error::usage`] for neither and for both; [`Error::invalid_name`] for an invalid id.
    pub fn new(id: Option<&str>, is_latest: bool) -> Result<SnapshotSelector, Error> {
        match (id, is_latest) {
            (Some(id), false) => Ok(SnapshotSelector::Id(id.parse()?)),
            (None, true) => Ok(SnapshotSelector::Latest),
            (Some(_), true) => Err(Error::usage(
                "Expected the id of a snapshot or the latest one, got both".to_owned(),
            )),
            (None, false) => Err(Error::usage(
                "Expected the id of a snapshot, such as chk-20250126-103000, or the latest one"
                    .to_owned(),
            )),
        }
    }
}

impl<'a> Deref for SnapshotStore<'a> {
    type Target = Workspace<'a>;

    fn deref(&self) -> &Workspace<'a> {
        &self.workspace
    }
}

impl<'a> SnapshotStore<'a> {
    /// Finds the place. Nothing is made.
    pub(super) async fn open(io: &'a Io, settings: &'a Settings) -> Result<Box<Self>, Error> {
        let workspace = Workspace::open(io, settings).await?;
        let folder = root::sessions_folder(&workspace.root, settings)?;
        Ok(Box::new(SnapshotStore {
            archive: root::archive_folder(&workspace.root, &folder)?,
            top: folder.clone(),
            workspace,
            folder,
        }))
    }

    /// The entries at paths below the root, in their order.
    ///
    /// # Errors
    ///
    /// [`Error::io`].
    pub(super) async fn inspect(&self, paths: &[&str]) -> Result<Vec<PathEntry>, Error> {
        let mut entries = Vec::with_capacity(paths.len());
        for some in paths.chunks(MOST_INSPECTED) {
            let absolute_paths = some.iter().map(|it| self.root.join(it)).collect();
            let looked = self.io.inspect(absolute_paths).await;
            entries.append(&mut looked.map_err(|failed| failed.cannot("look at", some[0]))?);
        }
        Ok(entries)
    }

    /// The paths of the repository that a caller typed; see [`paths::repository_paths`].
    pub(super) async fn resolve_paths(
        &self,
        typed: &[&str],
        warnings: &mut Warnings,
    ) -> Result<Vec<String>, Error> {
        paths::repository_paths(self.io, self.settings, &self.root, typed, warnings).await
    }

    /// Opens those among files, also where runs are kept in a database: what a hook keeps of a work tree belongs to its
    /// machine.
    pub(super) async fn in_files(io: &'a Io, settings: &'a Settings) -> Result<Box<Self>, Error> {
        let mut store = SnapshotStore::open(io, settings).await?;
        if settings.storage == Storage::Records {
            let files = Settings {
                dir: None,
                storage: Storage::Files,
                ..settings.clone()
            };
            store.folder = root::sessions_folder(&store.root, &files)?;
            store.archive = root::archive_folder(&store.root, &store.folder)?;
            store.top = store.folder.clone();
        }
        Ok(store)
    }

    /// Opens those that are kept for rewinds, in files.
    pub(super) async fn of_prompts(io: &'a Io, settings: &'a Settings) -> Result<Box<Self>, Error> {
        let mut store = SnapshotStore::in_files(io, settings).await?;
        store.folder = root::prompts_folder(&store.root, &store.top)?;
        store.archive = root::archive_folder(&store.root, &store.folder)?;
        Ok(store)
    }

    /// The product's own folders, as far as they are below the root: nothing in them is kept or restored.
    pub(super) fn own_folders(&self) -> Result<Vec<String>, Error> {
        let state = root::local_folder(&self.root, self.settings)?;
        let folders = [&state, &self.top];
        let below = folders.into_iter().filter(|it| it.is_below_root());
        Ok(below.map(|it| it.path().to_owned()).collect())
    }

    /// Those of work in progress, or the archived ones.
    pub(super) fn documents(&self, is_archived: bool) -> ImmutableDocuments<'_> {
        let folder = match is_archived {
            true => &self.archive,
            false => &self.folder,
        };
        ImmutableDocuments::new(self.io, folder, ENDING, self.settings.durability)
    }

    /// Every checkpoint, the oldest first; one that is just being archived counts as archived.
    pub(super) async fn all(&self) -> Result<Vec<SnapshotLocation>, Error> {
        let mut all = self.ids(false).await?;
        // One that was moved since then is among these.
        let archived = self.ids(true).await?;
        all.retain(|one| archived.binary_search_by_key(&one.id, |it| it.id).is_err());
        all.extend(archived);
        all.sort_unstable();
        Ok(all)
    }

    /// Those of work in progress, or the archived ones, the oldest first.
    pub(super) async fn ids(&self, is_archived: bool) -> Result<Vec<SnapshotLocation>, Error> {
        let documents = self.documents(is_archived);
        let files = documents.files().await?;
        let stems = files.iter().filter_map(|file| documents.stem_of(file));
        let ids = stems.filter_map(|stem| stem.parse().ok());
        let mut known: Vec<SnapshotLocation> =
            ids.map(|id| SnapshotLocation { id, is_archived }).collect();
        known.sort_unstable();
        if known.is_empty() && !is_archived {
            self.workspace.expect_root(&self.folder).await?;
        }
        Ok(known)
    }

    /// The facts that a new one needs of all others; `gone` are the names of those that were removed.
    ///
    /// Of thousands none is read but the greatest, and nothing is sorted.
    pub(super) async fn other_snapshots(&self, gone: &StrSet<'_>) -> Result<OtherSnapshots, Error> {
        let mut other_snapshots = OtherSnapshots::default();
        // One that is moved in between is among the archived.
        for is_archived in [false, true] {
            let documents = self.documents(is_archived);
            let files = documents.files().await?;
            let stems = files.iter().filter_map(|file| documents.stem_of(file));
            if !is_archived {
                other_snapshots.count = stems.clone().count();
                if other_snapshots.count == 0 {
                    self.workspace.expect_root(&self.folder).await?;
                }
            }
            if !gone.is_empty() {
                other_snapshots.is_any_left |= stems.clone().any(|stem| gone.contains(stem));
            }
            other_snapshots.greatest = other_snapshots.greatest.max(SnapshotId::greatest(stems));
        }
        Ok(other_snapshots)
    }

    /// The file of one, as messages name it.
    pub(super) fn shown(&self, one: SnapshotLocation) -> String {
        let folder = match one.is_archived {
            true => &self.archive,
            false => &self.folder,
        };
        folder.shown(&format!("{}{ENDING}", one.id))
    }

    /// Reads the one that is asked for.
    ///
    /// # Errors
    ///
    /// Those of [`SnapshotStore::read`].
    pub(super) async fn find(&self, selector: SnapshotSelector) -> Result<StoredSnapshot, Error> {
        if let SnapshotSelector::Id(id) = selector {
            return self.read(id).await;
        }
        let mut of_restore = None;
        for one in self.ids(false).await?.iter().rev() {
            match self.read(one.id).await {
                // The checkpoint that a restore began with is no work: the same restore, asked for again, would take
                // back what it did.
                Ok(session) if session.document.get("undo_of").is_some() => {
                    of_restore.get_or_insert(session);
                }
                // It was removed in between.
                Err(error) if error.code() == Code::NotFound => {}
                found => return found,
            }
        }
        let missing = || Error::not_found("There is no snapshot".to_owned());
        of_restore.ok_or_else(missing)
    }

    /// Reads one, wherever it is.
    ///
    /// # Errors
    ///
    /// [`Error::not_found`]; [`Error::corrupt`] for a file that is no checkpoint; as [`ImmutableDocuments::read`].
    pub(super) async fn read(&self, id: SnapshotId) -> Result<StoredSnapshot, Error> {
        // It may be moved to the archive in between, and never back.
        for is_archived in [false, true] {
            let known = SnapshotLocation { id, is_archived };
            if let Some(bytes) = self.documents(is_archived).read(&stem(id)?).await? {
                return self.parse(known, bytes);
            }
        }
        self.workspace.expect_root(&self.folder).await?;
        Err(Error::not_found(format!("There is no snapshot {id}")))
    }

    fn parse(&self, known: SnapshotLocation, bytes: Vec<u8>) -> Result<StoredSnapshot, Error> {
        let corrupt = |reason: String| Error::corrupt(self.shown(known), reason, None);
        let reading = document::read(&bytes, Some(known.id));
        let reading = reading.map_err(|malformed: MalformedYaml| corrupt(malformed.to_string()))?;
        let text = String::from_utf8(bytes).map_err(|_| corrupt("not UTF-8".to_owned()))?;
        Ok(StoredSnapshot {
            known,
            text,
            document: reading.document,
            problems: reading.problems,
        })
    }

    /// Warns of what parsing one showed.
    pub(super) async fn notice(&self, session: &StoredSnapshot, warnings: &mut Warnings) {
        let path = self.shown(session.known);
        warnings.left(&path, &session.problems);
        if !self.folder.is_below_root() {
            return;
        }
        if let Ok(Some(true)) = root::tracked(self.io, &self.root, &path).await {
            warnings.tracked(&path);
        }
    }

    /// The time, in milliseconds since 1970.
    pub(super) async fn now(&self) -> Result<f64, Error> {
        Ok(self.io.now().await?.wall_ms)
    }
}

/// The stem of a checkpoint.
pub(super) fn stem(id: SnapshotId) -> Result<Stem, Error> {
    Stem::new(id.to_string())
}
