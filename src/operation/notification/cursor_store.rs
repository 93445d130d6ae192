//! The stored cursor.

use std::ops::Deref;

use crate::effect::Io;
use crate::error::{Code, Error};
use crate::json::Object;
use crate::notification::cursor::NotificationCursor;
use crate::operation::workspace::Workspace;
use crate::operation::{Settings, Warnings, remembered};
use crate::root;
use crate::store::{
    Change, Current, Retention, RetentionPolicy, Stamp, Stem, StoreFolder, StoredDocument,
    VersionedDocument,
};

/// The stem of the cursor.
const STEM: &str = "cursor";

/// Its history is there for a file that is damaged, and for nothing else.
const KEPT: u64 = 10;

/// So long others are waited for.
const DEADLINE_MS: f64 = 5_000.0;

/// The cursor's place.
pub(super) struct CursorStore<'a> {
    workspace: Workspace<'a>,
    state: StoreFolder,
    folder: StoreFolder,
    begun: f64,
}

/// The stored cursor, and the token of that state.
pub(super) struct StoredCursor {
    /// `None` until it was first written.
    pub(super) cursor: Option<NotificationCursor>,
    stamp: Option<Stamp>,
}

impl<'a> Deref for CursorStore<'a> {
    type Target = Workspace<'a>;

    fn deref(&self) -> &Workspace<'a> {
        &self.workspace
    }
}

impl<'a> CursorStore<'a> {
    /// Finds the place. Nothing is made.
    ///
    /// # Errors
    ///
    /// [`Error::usage`] for a root that does not exist.
    pub(super) async fn open(io: &'a Io, settings: &'a Settings) -> Result<Self, Error> {
        let workspace = Workspace::open(io, settings).await?;
        let state = root::state_folder(&workspace.root, settings)?;
        workspace.expect_root(&state).await?;
        Ok(CursorStore {
            folder: root::notifications_folder(&state),
            begun: io.now().await?.wall_ms,
            state,
            workspace,
        })
    }

    /// Refuses to begin where nothing shows that the root is meant.
    ///
    /// # Errors
    ///
    /// [`Error::usage`].
    pub(super) async fn expect_known(&self) -> Result<(), Error> {
        self.workspace.expect_known(&self.state).await
    }

    /// The time, in milliseconds since 1970.
    pub(super) async fn now(&self) -> Result<f64, Error> {
        Ok(self.io.now().await?.wall_ms)
    }

    /// Reads the cursor, only to show what would follow: where it is damaged, as its history has it, with a warning.
    ///
    /// # Errors
    ///
    /// [`Error::corrupt`] and [`Error::invalid_document`] where it cannot be read; as [`VersionedDocument::read`].
    pub(super) async fn preview(&self, warnings: &mut Warnings) -> Result<StoredCursor, Error> {
        let stored = remembered::read(&self.versioned_document()?, warnings).await?;
        let cursor = stored.as_ref().map(NotificationCursor::read);
        Ok(StoredCursor {
            cursor: cursor.transpose().map_err(Error::invalid_document)?,
            stamp: None,
        })
    }

    /// Reads the cursor. One that is damaged, or gone though it has a history, is first replaced by the newest revision
    /// that is not, with a warning.
    ///
    /// # Errors
    ///
    /// [`Error::corrupt`] and [`Error::invalid_document`] where it cannot be read; as [`VersionedDocument::recover`].
    pub(super) async fn read(&self, warnings: &mut Warnings) -> Result<StoredCursor, Error> {
        let versioned = self.versioned_document()?;
        let failure = match versioned.read().await {
            Ok(stored) if stored.document.is_none() && stored.has_side => None,
            Ok(stored) => return stored_cursor(&versioned, stored, warnings),
            Err(error) if error.code() == Code::Corrupt => Some(error),
            Err(error) => return Err(error),
        };
        remembered::recover(&versioned, failure.as_ref(), warnings).await?;
        stored_cursor(&versioned, versioned.read().await?, warnings)
    }

    /// Commits the next revision of the found cursor, and returns whether it did: not where another writer was faster. The
    /// cursor has to be read again then.
    ///
    /// # Errors
    ///
    /// [`Error::busy`] once others were faster for so long that this one gives up; as [`VersionedDocument::update`].
    pub(super) async fn commit(
        &self,
        found: &StoredCursor,
        next: NotificationCursor,
    ) -> Result<bool, Error> {
        let next = Object::from(next);
        let mut is_overtaken = false;
        let mut decide = |current: &Current<'_>| {
            is_overtaken = current.document.map(|it| &it.stamp) != found.stamp.as_ref();
            Ok(match is_overtaken {
                true => Change::Keep,
                false => Change::write(next.clone()),
            })
        };
        let versioned = self.versioned_document()?;
        versioned.update(None, &mut decide).await?;
        if is_overtaken && self.now().await? - self.begun > DEADLINE_MS {
            return Err(Error::busy(versioned.shown()));
        }
        Ok(!is_overtaken)
    }

    fn versioned_document(&self) -> Result<VersionedDocument<'_>, Error> {
        let policy = RetentionPolicy {
            durability: self.settings.durability,
            retention: Retention::default().with(Some(KEPT), None)?,
            ..RetentionPolicy::default()
        };
        let stem = Stem::new(STEM.to_owned())?;
        Ok(VersionedDocument::new(self.io, &self.folder, &stem, policy))
    }
}

fn stored_cursor(
    versioned: &VersionedDocument<'_>,
    stored: StoredDocument,
    warnings: &mut Warnings,
) -> Result<StoredCursor, Error> {
    let document = stored.document;
    if let Some(document) = &document {
        remembered::notice_older(versioned, document, warnings);
    }
    let cursor = document
        .as_ref()
        .map(|it| NotificationCursor::read(&it.object));
    Ok(StoredCursor {
        cursor: cursor.transpose().map_err(Error::invalid_document)?,
        stamp: document.map(|it| it.stamp),
    })
}
