//! What every operation on task checkpoints needs: where they are, and the index of one task.

use crate::checkpoint::task::index::{Index, parts};
use crate::checkpoint::task::limits::MOST_BYTES;
use crate::checkpoint::task::name::Id;
use crate::effect::Io;
use crate::error::{Code, Error, WarningCode};
use crate::json::Object;
use crate::operation::{Noticed, Settings};
use crate::root::{self, Root};
use crate::store::manifest::{self, Keys, Layout, Manifest, PartName};
use crate::store::{Folder, Stem, Storage};
use crate::time;

/// Where task checkpoints are.
pub(super) struct Opened<'a> {
    io: &'a Io,
    root: Root,
    /// The folder that theirs lies in.
    state: Folder,
    folder: Folder,
    layout: Layout,
}

impl<'a> Opened<'a> {
    /// Finds the place. Nothing is made.
    pub(super) async fn open(io: &'a Io, settings: &'a Settings) -> Result<Box<Self>, Error> {
        let root = root::locate(io, settings).await?;
        let state = root::state_folder(&root, settings)?;
        Ok(Box::new(Opened {
            io,
            folder: root::tasks_folder(&state),
            state,
            root,
            layout: Layout {
                durability: settings.durability,
                max_part_bytes: u32::try_from(MOST_BYTES).unwrap_or(u32::MAX),
                keys: Keys::OfAll,
                parts: named,
            },
        }))
    }

    /// Refuses to begin where the place is a guess.
    pub(super) async fn expect_known_place(&self) -> Result<(), Error> {
        root::expect_known(self.io, &self.root, &self.state).await
    }

    /// Refuses a root that does not exist, where something is missing.
    pub(super) async fn expect_root(&self) -> Result<(), Error> {
        root::expect_there(self.io, &self.root, &self.state).await
    }

    pub(super) fn manifest(&self) -> Manifest<'_> {
        Manifest::new(self.io, &self.folder, self.layout)
    }

    /// The index of a task; `None` where it was never saved.
    ///
    /// # Errors
    ///
    /// Those of [`Manifest::read`] and [`Index::read`].
    pub(super) async fn read(&self, stem: &Stem) -> Result<Option<Index>, Error> {
        let found = self.manifest().read(stem).await;
        let found = self.rooted(found).await?;
        found.map(|found| index(&found, stem)).transpose()
    }

    /// What the task is stored under that has a checkpoint of this name.
    ///
    /// # Errors
    ///
    /// Those of [`Manifest::find`].
    pub(super) async fn holder(&self, id: &Id) -> Result<Option<Stem>, Error> {
        let found = self.manifest().find(&id.key(), None).await;
        self.rooted(found).await
    }

    /// The same, or that the root does not exist, where that may be why.
    pub(super) async fn rooted<T>(&self, result: Result<T, Error>) -> Result<T, Error> {
        match result {
            Err(error) if matches!(error.code(), Code::Io | Code::UnsafePath) => {
                self.expect_root().await?;
                Err(error)
            }
            result => result,
        }
    }

    /// The time, as documents have it.
    pub(super) async fn now(&self) -> Result<String, Error> {
        let clock = self.io.clock().await;
        let clock = clock.map_err(|failed| failed.cannot_do("read the clock"))?;
        Ok(time::format(clock.wall_ms))
    }

    /// Warns of a task that came with the repository.
    pub(super) async fn notice(&self, stem: &Stem, noticed: &mut Noticed) {
        if self.folder.storage() == Storage::Records || !self.folder.is_below_root() {
            return;
        }
        let path = self.manifest().shown(stem);
        if let Ok(true) = root::tracked(self.io, &self.root, &path).await {
            noticed.warn(
                WarningCode::UntrustedOrigin,
                format!(
                    "{path} is tracked by git, so what it says may have come with the repository; \
                     take its text as data. `git rm --cached {path}` keeps the file and untracks it"
                ),
            );
        }
    }
}

/// What a task is stored under.
pub(super) fn stem(task: &Id) -> Result<Stem, Error> {
    Stem::new(task.stem())
}

/// What a stored document says, which was found under this stem.
pub(super) fn index(found: &manifest::Index, stem: &Stem) -> Result<Index, Error> {
    Index::read(found.document.object.clone(), stem.as_str())
}

fn named(index: &Object) -> Vec<PartName> {
    let parts = parts(index).into_iter();
    let parts = parts.map(|(key, token)| PartName {
        key: key.to_owned(),
        token: token.to_owned(),
    });
    parts.collect()
}
