//! Reading a document: what it holds, and which state of it this is.

use crate::effect::{Failed, Fault, Io, Links};
use crate::error::Error;
use crate::json::{self, Json, Object};

use super::folder::{Folder, Paths};
use super::history::History;
use super::seal::{self, MAX_CLAIMED, MAX_REVISION, Stamp};

/// The largest document that is read or written.
pub const MAX_DOCUMENT_BYTES: u32 = 16 * 1024 * 1024;

/// A program that writes in place may be in the middle of it: one more look after this long.
const TORN_WAIT_MS: u32 = 20;

/// A document as it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// The file's bytes.
    pub bytes: Vec<u8>,
    /// What they hold.
    pub object: Object,
    /// Which state this is. Where no seal holds, the revision and seal that this state is adopted
    /// under: they name these very bytes.
    pub stamp: Stamp,
    /// Who wrote it.
    pub origin: Origin,
    /// The first key that stood twice in one object.
    pub duplicate_key: Option<String>,
    /// Whether a lone surrogate was replaced.
    pub text_replaced: bool,
}

/// Who wrote a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// This store: the seal holds.
    Store,
    /// Another program, before this store ever wrote it.
    Elsewhere,
    /// A hand or another program, after this store wrote it.
    Edited,
}

/// What a document's file holds.
#[derive(Clone, Debug)]
pub(super) enum Content {
    Absent,
    Document(Box<Document>),
    Corrupt { bytes: Vec<u8>, reason: String },
}

pub(super) struct Reader<'a> {
    pub(super) io: &'a Io,
    pub(super) folder: &'a Folder,
    pub(super) paths: &'a Paths,
}

impl Reader<'_> {
    /// Reads the document; `has_side` says whether there can be a history.
    pub(super) async fn content(&self, has_side: bool) -> Result<Content, Error> {
        let Some(bytes) = self.bytes().await? else {
            return Ok(Content::Absent);
        };
        let (bytes, object) = match parse(&bytes) {
            Ok(object) => (bytes, object),
            Err(_) => {
                self.io
                    .wait(TORN_WAIT_MS)
                    .await
                    .map_err(|failed| self.error(&failed))?;
                let Some(bytes) = self.bytes().await? else {
                    return Ok(Content::Absent);
                };
                match parse(&bytes) {
                    Ok(object) => (bytes, object),
                    Err(reason) => return Ok(Content::Corrupt { bytes, reason }),
                }
            }
        };
        let (stamp, origin) = self.stamp(&bytes, &object.value, has_side).await?;
        Ok(Content::Document(Box::new(Document {
            bytes,
            object: object.value,
            stamp,
            origin,
            duplicate_key: object.duplicate_key,
            text_replaced: object.text_replaced,
        })))
    }

    /// The document's bytes as they are at this moment; `None` when it is absent.
    pub(super) async fn bytes(&self) -> Result<Option<Vec<u8>>, Error> {
        self.bytes_of(&self.paths.document).await
    }

    /// The bytes of a file of the store; `None` when it is absent.
    pub(super) async fn bytes_of(&self, below: &str) -> Result<Option<Vec<u8>>, Error> {
        let path = self.folder.host(below);
        match self.io.read(path, MAX_DOCUMENT_BYTES, Links::Refuse).await {
            Ok(bytes) => Ok(Some(bytes)),
            Err(Failed {
                fault: Fault::NotFound,
                ..
            }) => Ok(None),
            Err(Failed {
                fault: Fault::TooLarge,
                ..
            }) => Err(too_large(&self.folder.shown(below))),
            Err(failed) => Err(self.folder.error("read", below, &failed)),
        }
    }

    async fn stamp(
        &self,
        bytes: &[u8],
        object: &Object,
        has_side: bool,
    ) -> Result<(Stamp, Origin), Error> {
        let claimed = object
            .get("revision")
            .and_then(Json::as_u64)
            .filter(|revision| (1..=MAX_REVISION).contains(revision));
        if let (Some(revision), Some(seal)) = (claimed, seal::holding(bytes)) {
            return Ok((
                Stamp {
                    revision,
                    seal: seal.to_owned(),
                },
                Origin::Store,
            ));
        }
        let newest = match has_side {
            true => History { reader: self }.newest_revision().await?,
            false => None,
        };
        // An edited document takes the place after the newest revision that is known.
        let (revision, origin) = match newest {
            Some(newest) => (newest + 1, Origin::Edited),
            None => {
                let is_ours = |key: &&str| object.get(key).is_some();
                let origin = match ["revision", "seal"].iter().any(is_ours) {
                    true => Origin::Edited,
                    false => Origin::Elsewhere,
                };
                let plausible = claimed.filter(|revision| *revision <= MAX_CLAIMED);
                (plausible.unwrap_or(1), origin)
            }
        };
        Ok((
            Stamp {
                revision,
                seal: format!("edited.{}", seal::digest(bytes)),
            },
            origin,
        ))
    }

    fn error(&self, failed: &Failed) -> Error {
        self.folder.error("read", &self.paths.document, failed)
    }
}

/// Refuses what is too large from its size alone.
pub(super) fn check_size(folder: &Folder, paths: &Paths, size: u64) -> Result<(), Error> {
    if size > u64::from(MAX_DOCUMENT_BYTES) {
        return Err(too_large(&folder.shown(&paths.document)));
    }
    Ok(())
}

fn too_large(path: &str) -> Error {
    Error::too_large(format!(
        "{path} is larger than 16 MiB; expected a checkpoint below that"
    ))
}

struct Parsed {
    value: Object,
    duplicate_key: Option<String>,
    text_replaced: bool,
}

fn parse(bytes: &[u8]) -> Result<Parsed, String> {
    let reading = json::read(bytes).map_err(|malformed| malformed.to_string())?;
    match reading.value {
        Json::Object(value) => Ok(Parsed {
            value,
            duplicate_key: reading.duplicate_key,
            text_replaced: reading.text_replaced,
        }),
        other => Err(format!("expected an object, found {}", other.kind())),
    }
}

impl Document {
    /// The document under the revision and seal that name this state.
    pub fn stamped(&self) -> Object {
        let mut object = self.object.clone();
        if self.origin != Origin::Store {
            object.remove("revision");
            object.remove("seal");
            object.set("revision", self.stamp.revision);
            object.set("seal", self.stamp.seal.as_str());
        }
        object
    }
}
