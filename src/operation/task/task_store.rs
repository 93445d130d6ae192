//! The context of every operation on task checkpoints: their place, and the index of one task.

use crate::checkpoint::task::index::{TaskIndex, parts};
use crate::checkpoint::task::limits::MOST_BYTES;
use crate::checkpoint::task::name::TaskId;
use crate::effect::Io;
use crate::error::{Advice, Code, Error, ErrorKind};
use crate::json::Object;
use crate::operation::Settings;
use crate::operation::document_folder::DocumentFolder;
use crate::root;
use crate::store::Stem;
use crate::store::manifest::{self, Keys, ManifestLayout, PartName};
use crate::time;

/// The place of task checkpoints.
pub(super) struct TaskStore<'a> {
    io: &'a Io,
    pub(super) documents: DocumentFolder<'a>,
}

impl<'a> TaskStore<'a> {
    /// Finds the place. Nothing is made.
    pub(super) async fn open(io: &'a Io, settings: &'a Settings) -> Result<Box<Self>, Error> {
        let layout = ManifestLayout {
            durability: settings.durability,
            max_part_bytes: u32::try_from(MOST_BYTES).unwrap_or(u32::MAX),
            keys: Keys::OfAll,
            parts: named,
        };
        let documents = DocumentFolder::open(io, settings, root::tasks_folder, layout).await?;
        Ok(Box::new(TaskStore { io, documents }))
    }

    /// The index of a task; `None` where it was never saved.
    ///
    /// # Errors
    ///
    /// Those of [`manifest::Manifest::read`] and [`TaskIndex::read`].
    pub(super) async fn read(&self, stem: &Stem) -> Result<Option<TaskIndex>, Error> {
        let found = self.documents.manifest().read(stem).await;
        let found = self.documents.rooted(found).await?;
        found.map(|found| index(&found, stem)).transpose()
    }

    /// The stem of the task that has a checkpoint of this name.
    ///
    /// # Errors
    ///
    /// Those of [`manifest::Manifest::find`].
    pub(super) async fn holder(&self, id: &TaskId) -> Result<Option<Stem>, Error> {
        let found = self.documents.manifest().find(&id.key(), None).await;
        let found = found.map_err(|error| match error.code() {
            // It looks into indexes alone.
            Code::Corrupt | Code::TooLarge => lost(None, error),
            _ => error,
        });
        self.documents.rooted(found).await
    }

    /// A failure of what is asked of the task under this stem, with what would help where its index is lost;
    /// `task` is its id, where that is known.
    pub(super) fn advise(&self, stem: &Stem, task: Option<&TaskId>, error: Error) -> Error {
        let index = self.documents.manifest().shown(stem);
        let is_lost = match error.kind() {
            ErrorKind::Corrupt { path, .. } => *path == index,
            ErrorKind::TooLarge { input, .. } => *input == index,
            ErrorKind::InvalidDocument(_) => error.advice().is_none(),
            _ => false,
        };
        match is_lost {
            true => lost(task, error),
            false => error,
        }
    }

    /// The time, as documents have it.
    pub(super) async fn now(&self) -> Result<String, Error> {
        Ok(time::format(self.io.now().await?.wall_ms))
    }
}

/// The stem of a task.
pub(super) fn stem(task: &TaskId) -> Result<Stem, Error> {
    Stem::new(task.stem())
}

/// The failure to read an index, with what would help.
fn lost(task: Option<&TaskId>, error: Error) -> Error {
    let task = task.map(|it| it.as_str().to_owned());
    error.with_advice(Advice::DeleteTask(task))
}

/// The content of a stored document that was found under this stem.
pub(super) fn index(found: &manifest::ManifestIndex, stem: &Stem) -> Result<TaskIndex, Error> {
    TaskIndex::read(found.document.object.clone(), stem.as_str())
}

fn named(index: &Object) -> Vec<PartName> {
    let parts = parts(index).into_iter();
    let parts = parts.map(|(key, token)| PartName {
        key: key.to_owned(),
        token: token.to_owned(),
    });
    parts.collect()
}
