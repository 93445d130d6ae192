//! The folder of documents with parts: the context of every operation on task checkpoints and on threads.

use crate::effect::Io;
use crate::error::{Code, Error, Warning, WarningCode};
use crate::operation::workspace::Workspace;
use crate::operation::{Settings, Warnings};
use crate::root;
use crate::store::manifest::{Manifest, ManifestLayout};
use crate::store::{MAX_DOCUMENTS, Stem, Storage, StoreFolder};

/// The most documents that a list of all reads: each is an effect of its own, or several.
pub(super) const MOST_LISTED: usize = 10_000;

/// The time so many days before now, in ms since 1970.
pub(super) fn days_ago(now_ms: f64, days: u64) -> Result<f64, Error> {
    const DAY_MS: f64 = 24.0 * 60.0 * 60.0 * 1_000.0;
    if days == 0 {
        return Err(Error::usage(
            "Expected `days` to be from 1 on, got 0".to_owned(),
        ));
    }
    Ok(now_ms - days as f64 * DAY_MS)
}

/// Some documents of a folder.
pub(super) struct First {
    /// The first of their stems.
    pub(super) stems: Vec<Stem>,
    /// The number of all documents; `None` where there are more than the store lists.
    all: Option<usize>,
}

impl First {
    /// Returns whether there are more.
    pub(super) fn has_more(&self) -> bool {
        self.all != Some(self.stems.len())
    }

    /// Warns that there are more than were looked at; `nouns` says what they are.
    pub(super) fn notice(&self, nouns: &str, warnings: &mut Warnings) {
        if !self.has_more() {
            return;
        }
        let all = match self.all {
            Some(all) => all.to_string(),
            None => format!("more than {MAX_DOCUMENTS}"),
        };
        warnings.warn(
            WarningCode::TooLarge,
            format!("Only {} of {all} {nouns} were examined", self.stems.len()),
        );
    }
}

/// The folder of all documents of one kind.
pub(super) struct DocumentFolder<'a> {
    workspace: Workspace<'a>,
    /// The folder that has theirs in it.
    state: StoreFolder,
    folder: StoreFolder,
    layout: ManifestLayout,
}

impl<'a> DocumentFolder<'a> {
    /// Finds the folder in that of runs. Nothing is made.
    pub(super) async fn open(
        io: &'a Io,
        settings: &'a Settings,
        folder_in: fn(&StoreFolder) -> StoreFolder,
        layout: ManifestLayout,
    ) -> Result<Self, Error> {
        let workspace = Workspace::open(io, settings).await?;
        let state = root::state_folder(&workspace.root, settings)?;
        Ok(DocumentFolder {
            folder: folder_in(&state),
            state,
            workspace,
            layout,
        })
    }

    /// Refuses to begin where the place is a guess.
    pub(super) async fn expect_known(&self) -> Result<(), Error> {
        self.workspace.expect_known(&self.state).await
    }

    /// Refuses a root that does not exist, where something is missing.
    pub(super) async fn expect_root(&self) -> Result<(), Error> {
        self.workspace.expect_root(&self.state).await
    }

    /// The storage that the host keeps them in.
    pub(super) fn storage(&self) -> Storage {
        self.folder.storage()
    }

    /// The handle for operations on the documents.
    pub(super) fn manifest(&self) -> Manifest<'_> {
        Manifest::new(self.workspace.io, &self.folder, self.layout)
    }

    /// The first documents whose stem `is_one`, at most so many.
    pub(super) async fn first(
        &self,
        is_one: fn(&str) -> bool,
        most: usize,
    ) -> Result<First, Error> {
        let (mut stems, has_more) = self.manifest().some_names().await?;
        stems.retain(|it| is_one(it.as_str()));
        let all = (!has_more).then_some(stems.len());
        stems.truncate(most);
        Ok(First { stems, all })
    }

    /// The result, or that the root does not exist, where that may be why.
    pub(super) async fn rooted<T>(&self, result: Result<T, Error>) -> Result<T, Error> {
        match result {
            Err(error) => Err(self.workspace.rooted(&self.state, error).await),
            result => result,
        }
    }

    /// The warning that the document under a stem was passed over. A problem of its content does not say where it is.
    pub(super) fn passed_over(&self, stem: &Stem, error: &Error) -> Warning {
        let mut warning = Warning::passed_over(error);
        if matches!(
            error.code(),
            Code::InvalidDocument | Code::UnsupportedVersion
        ) {
            warning.message = format!("{}: {}", self.manifest().shown(stem), warning.message);
        }
        warning
    }

    /// Warns of a document that came with the repository.
    pub(super) async fn notice(&self, stem: &Stem, warnings: &mut Warnings) {
        let path = self.manifest().shown(stem);
        if self.workspace.tracks_state(&self.folder, &path).await == Some(true) {
            warnings.tracked(&path);
        }
    }
}
