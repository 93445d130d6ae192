//! A file of settings that belongs to another program: read whole, and replaced whole or not at all.
//!
//! A new text is written beside the file, made durable, and renamed over it, right after one more look that nothing has
//! changed in between. The text before our entries came is kept beside it, once.

use crate::agent::Agent;
use crate::agent::registration::{SettingsRefusal, SettingsScope};
use crate::digest::hex;
use crate::effect::{Access, Failed, Fault, Io, Links, PathKind, Sync};
use crate::error::{Error, Written};
use crate::json::Pointer;
use crate::schema::{Problem, ProblemCode};
use crate::store::{while_shared, wrong_kind};

use super::settings_path::SettingsPath;

/// No settings that people write are larger.
const MAX_BYTES: u32 = 1024 * 1024;

/// The ending that is added to the name of the file for its text before our entries.
const BACKUP: &str = ".milepost-backup";

/// Bytes of chance in the name of what is being written.
const UNIQUE_BYTES: u32 = 8;

/// The part of a mode that is for others than the owner.
const OTHERS: u32 = 0o077;

/// The part of a mode that lets the owner write.
const OWNER_WRITES: u32 = 0o200;

/// The choice between making a change and only showing it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// It is made.
    Write,
    /// It is only shown.
    Preview,
}

/// The change of one file, made or only shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingsChange {
    /// The agent.
    pub agent: Agent,
    /// The scope.
    pub scope: SettingsScope,
    /// The file, relative to the root or to `~`.
    pub path: String,
    /// The outcome.
    pub outcome: SettingsOutcome,
    /// The text before; `None` where there was no file.
    pub before: Option<String>,
    /// The text after.
    pub after: Option<String>,
    /// The reason that it could not be made; of a preview alone, as far as that is seen without writing.
    pub refused: Option<Error>,
}

/// See [`SettingsChange`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettingsOutcome {
    /// There was no file, and now there is one.
    Created,
    /// It was changed.
    Changed,
    /// It is unchanged.
    Unchanged,
    /// All of it was ours, and it is gone.
    Removed,
    /// There was nothing of ours, or no file.
    Absent,
}

impl SettingsOutcome {
    /// The outcome as programs see it.
    pub fn as_str(self) -> &'static str {
        match self {
            SettingsOutcome::Created => "created",
            SettingsOutcome::Changed => "changed",
            SettingsOutcome::Unchanged => "unchanged",
            SettingsOutcome::Removed => "removed",
            SettingsOutcome::Absent => "absent",
        }
    }
}

/// A file of settings.
pub(super) struct SettingsFile<'a> {
    pub(super) io: &'a Io,
    pub(super) path: SettingsPath,
}

impl SettingsFile<'_> {
    /// The text of the file; `None` without a file.
    ///
    /// # Errors
    ///
    /// [`Error::unsafe_path`] when the file or a folder on the way to it is a symbolic link or of another
    /// kind; [`Error::too_large`]; [`Error::invalid_document`] when it is no UTF-8; [`Error::io`].
    pub(super) async fn read(&self) -> Result<Option<String>, Error> {
        self.expect_way().await?;
        let SettingsPath { below, shown, .. } = &self.path;
        self.text(below, shown, Links::Refuse).await
    }

    /// The text as the agent reads it: through symbolic links. Nothing is written to a file that was read so.
    ///
    /// # Errors
    ///
    /// As [`SettingsFile::read`], but for links.
    pub(super) async fn read_following_links(&self) -> Result<Option<String>, Error> {
        let SettingsPath { below, shown, .. } = &self.path;
        self.text(below, shown, Links::Follow).await
    }

    /// The text that a change is made of: one that is only shown may be of the file that a link leads to.
    ///
    /// # Errors
    ///
    /// As [`SettingsFile::read`].
    pub(super) async fn text_for(&self, mode: Mode) -> Result<Option<String>, Error> {
        match mode {
            Mode::Write => self.read().await,
            Mode::Preview => self.read_following_links().await,
        }
    }

    /// The text before our entries came, where that is known.
    ///
    /// # Errors
    ///
    /// As [`SettingsFile::read`].
    pub(super) async fn backup(&self) -> Result<Option<String>, Error> {
        let below = format!("{}{BACKUP}", self.path.below);
        let shown = format!("{}{BACKUP}", self.path.shown);
        self.text(&below, &shown, Links::Refuse).await
    }

    /// Keeps what stands there before our entries come.
    ///
    /// # Errors
    ///
    /// [`Error::io`].
    pub(super) async fn keep(&self, text: &str) -> Result<(), Error> {
        let below = format!("{}{BACKUP}", self.path.below);
        let prepared = self.prepare(text).await?;
        self.put(prepared, &below).await
    }

    /// Forgets what stood there.
    pub(super) async fn forget(&self) {
        let below = format!("{}{BACKUP}", self.path.below);
        // Nothing depends on it: the next install keeps another one in its place.
        let _ = self.io.remove(self.path.host(&below)).await;
    }

    /// Puts a text in the place of another one, or takes the file away. `false`: the file has changed in between, and
    /// nothing was written.
    ///
    /// # Errors
    ///
    /// [`Error::unsafe_path`], [`Error::io`]; [`Error::invalid_document`] for a file that must not be written.
    pub(super) async fn replace(
        &self,
        before: Option<&str>,
        after: Option<&str>,
    ) -> Result<bool, Error> {
        let below = &self.path.below;
        let prepared = match after {
            Some(text) => {
                self.make_folders().await?;
                Some(self.prepare(text).await?)
            }
            None => {
                self.access().await?;
                None
            }
        };
        let now = self.read().await;
        if !matches!(&now, Ok(now) if now.as_deref() == before) {
            if let Some(prepared) = prepared {
                let _ = self.io.remove(prepared).await;
            }
            return now.map(|_| false);
        }
        match prepared {
            Some(prepared) => self.put(prepared, below).await?,
            None => {
                let removed = while_shared(self.io, || self.io.remove(self.path.host(below))).await;
                removed.map_err(|failed| failed.cannot("remove", &self.path.shown))?;
            }
        }
        self.sync().await?;
        if after.is_none() {
            // Where it held nothing else, it was made for the file.
            let folder = self.path.host(parent(below));
            let _ = self.io.remove_folder(folder).await;
        }
        Ok(true)
    }

    /// Refuses to follow a link, or to go on through what is no folder.
    async fn expect_way(&self) -> Result<(), Error> {
        let SettingsPath { below, shown, .. } = &self.path;
        let ends = below.match_indices('/').map(|(at, _)| at);
        let parts: Vec<&str> = ends.chain([below.len()]).map(|end| &below[..end]).collect();
        let paths = parts.iter().map(|part| self.path.host(part)).collect();
        let entries = self.io.inspect(paths).await;
        let entries = entries.map_err(|failed| failed.cannot("look at", shown))?;
        for (part, entry) in parts.iter().zip(&entries) {
            let is_file = part.len() == below.len();
            let (kind, noun) = match is_file {
                true => (PathKind::File, "a regular file"),
                false => (PathKind::Folder, "a folder"),
            };
            if entry.kind != PathKind::Absent && entry.kind != kind {
                let shown = &shown[..shown.len() - (below.len() - part.len())];
                return Err(wrong_kind(shown, entry.kind, noun));
            }
        }
        Ok(())
    }

    async fn text(&self, below: &str, shown: &str, links: Links) -> Result<Option<String>, Error> {
        let read = || self.io.read(self.path.host(below), MAX_BYTES, links);
        let bytes = match while_shared(self.io, read).await {
            Ok(bytes) => bytes,
            Err(failed) if failed.fault == Fault::NotFound => return Ok(None),
            Err(failed) if failed.fault == Fault::TooLarge => {
                let message = format!("{shown} is larger than 1 MiB");
                return Err(Error::too_large(shown.to_owned(), message));
            }
            Err(failed) => return Err(failed.cannot("read", shown)),
        };
        let text = String::from_utf8(bytes).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            refused(format!("{shown} is not UTF-8 from byte {} on", at + 1))
        })?;
        Ok(Some(text))
    }

    async fn make_folders(&self) -> Result<(), Error> {
        for (end, _) in self.path.below.match_indices('/') {
            let part = &self.path.below[..end];
            match self
                .io
                .make_folder(self.path.host(part), Access::Shared)
                .await
            {
                Ok(()) => {}
                Err(failed) if failed.fault == Fault::Exists => {}
                Err(failed) => return Err(failed.cannot("make", part)),
            }
        }
        Ok(())
    }

    /// The access to the file. A read-only one could still be replaced, against its owner's word.
    async fn access(&self) -> Result<Access, Error> {
        let SettingsPath { below, shown, .. } = &self.path;
        let looked = self.io.inspect(vec![self.path.host(below)]).await;
        let entries = looked.map_err(|failed| failed.cannot("look at", shown))?;
        match entries.first().and_then(|entry| entry.mode) {
            Some(mode) if mode & OWNER_WRITES == 0 => Err(refused(format!(
                "{shown} is read-only and stays unchanged: make it writable first"
            ))),
            Some(mode) if mode & OTHERS == 0 => Ok(Access::Owner),
            _ => Ok(Access::Shared),
        }
    }

    /// Writes a text beside the file, with the file's access; answers where it is.
    async fn prepare(&self, text: &str) -> Result<String, Error> {
        let SettingsPath { below, shown, .. } = &self.path;
        let access = self.access().await?;
        let chance = self.io.random(UNIQUE_BYTES).await;
        let chance = chance.map_err(|failed| failed.cannot_do("get random bytes"))?;
        let at = self
            .path
            .host(&format!("{below}.milepost-{}", hex(&chance)));
        let bytes = text.as_bytes().to_owned();
        match self
            .io
            .create(at.clone(), bytes, Sync::Durable, access)
            .await
        {
            Ok(()) => Ok(at),
            Err(failed) => {
                // A file whose fsync failed is never used.
                let _ = self.io.remove(at).await;
                Err(failed.cannot("write", shown))
            }
        }
    }

    async fn put(&self, prepared: String, below: &str) -> Result<(), Error> {
        let to = self.path.host(below);
        let renamed = while_shared(self.io, || self.io.rename(prepared.clone(), to.clone())).await;
        match renamed {
            Ok(()) => Ok(()),
            Err(failed) => {
                let _ = self.io.remove(prepared).await;
                Err(failed.cannot("replace", &self.path.shown))
            }
        }
    }

    async fn sync(&self) -> Result<(), Error> {
        let folder = self.path.host(parent(&self.path.below));
        match self.io.sync_folder(folder).await {
            Ok(())
            | Err(Failed {
                fault: Fault::Unsupported,
                ..
            }) => Ok(()),
            Err(failed) => {
                let error = failed.cannot("make durable", &self.path.shown);
                Err(error.with_written(Written::Yes))
            }
        }
    }
}

/// Returns a change that is only shown, with the reason that it could not be made, if there is one.
pub(super) async fn previewed(file: &SettingsFile<'_>, change: SettingsChange) -> SettingsChange {
    let mut refused = file.expect_way().await.err();
    let is_same = matches!(
        change.outcome,
        SettingsOutcome::Unchanged | SettingsOutcome::Absent
    );
    if refused.is_none() && !is_same {
        refused = file.access().await.err();
    }
    SettingsChange { refused, ..change }
}

fn parent(below: &str) -> &str {
    below.rsplit_once('/').map_or(".", |(parent, _)| parent)
}

/// The failure where a file is not edited.
pub(super) fn refusal(shown: &str, refusal: SettingsRefusal) -> Error {
    refused(match refusal {
        SettingsRefusal::Malformed(malformed) => {
            format!("{shown} is not JSON: {malformed}. It is unchanged")
        }
        SettingsRefusal::Kind {
            at,
            expected,
            found,
        } => {
            let part = if at.is_empty() { "it" } else { &at };
            format!("{shown} is unchanged: {part} is of kind {found}; expected {expected}")
        }
        SettingsRefusal::Foreign => {
            format!("{shown} is unchanged: Milepost did not write it")
        }
    })
}

/// The failure where another program changes the file again and again.
pub(super) fn overtaken(shown: &str) -> Error {
    let message = format!("{shown} changed at the same moment; retry");
    Error::conflict(message, Vec::new())
}

fn refused(message: String) -> Error {
    Error::invalid_document(vec![Problem {
        at: Pointer::root(),
        code: ProblemCode::Type,
        message,
    }])
}
