//! Reading a document: its content, and the state that this is.

use crate::error::Error;
use crate::error::whole;
use crate::json::{self, Json, Object};

use super::reader::DocumentReader;
use super::revision::Revision;
use super::seal::{self, MAX_CLAIMED, MAX_REVISION, Stamp};

/// A program that writes in place may be in the middle of it: one more look after this long.
const TORN_WAIT_MS: u32 = 20;

/// A document that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// The file's bytes.
    pub bytes: Vec<u8>,
    /// The content of the bytes.
    pub object: Object,
    /// The state that this is. Where no seal holds, the revision and seal that this state is
    /// adopted under: they name these very bytes.
    pub stamp: Stamp,
    /// The writer of it.
    pub origin: Origin,
    /// The first key that stood twice in one object.
    pub duplicate_key: Option<String>,
    /// True if a lone surrogate was replaced.
    pub text_replaced: bool,
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

/// The writer of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// This store: the seal holds.
    Store,
    /// Another program, before this store ever wrote it.
    Elsewhere,
    /// A hand or another program, after this store wrote it; also one that put an older state back.
    Edited,
}

/// The content of a document's file.
#[derive(Clone, Debug)]
pub(in crate::store) enum DocumentFileContent {
    Absent,
    Document(Box<Document>),
    Corrupt { bytes: Vec<u8>, reason: String },
}

impl DocumentFileContent {
    /// The bytes that were read; `None` where there is no document.
    pub(in crate::store) fn bytes(&self) -> Option<&[u8]> {
        match self {
            DocumentFileContent::Absent => None,
            DocumentFileContent::Document(document) => Some(&document.bytes),
            DocumentFileContent::Corrupt { bytes, .. } => Some(bytes),
        }
    }

    pub(in crate::store) fn document(self) -> Option<Box<Document>> {
        match self {
            DocumentFileContent::Document(document) => Some(document),
            DocumentFileContent::Absent | DocumentFileContent::Corrupt { .. } => None,
        }
    }
}

/// Reads the document. `kept` are the revisions in history, listed before: then no commit in between
/// makes what is read look older than what is kept.
pub(in crate::store) async fn content(
    reader: &DocumentReader<'_>,
    kept: Result<Vec<Revision>, Error>,
) -> Result<DocumentFileContent, Error> {
    let Some(bytes) = reader.bytes().await? else {
        return Ok(DocumentFileContent::Absent);
    };
    let (bytes, parsed) = match parse(&bytes) {
        Ok(parsed) => (bytes, parsed),
        Err(_) => {
            let waited = reader.io.wait(TORN_WAIT_MS).await;
            waited.map_err(|failed| reader.error(&failed))?;
            let Some(bytes) = reader.bytes().await? else {
                return Ok(DocumentFileContent::Absent);
            };
            match parse(&bytes) {
                Ok(parsed) => (bytes, parsed),
                Err(reason) => {
                    whole::needed()?;
                    return Ok(DocumentFileContent::Corrupt { bytes, reason });
                }
            }
        }
    };
    if parsed.duplicate_key.is_some() || parsed.text_replaced {
        whole::needed()?;
    }
    let (stamp, origin) = stamp(&bytes, &parsed.value, kept)?;
    Ok(DocumentFileContent::Document(Box::new(Document {
        bytes,
        object: parsed.value,
        stamp,
        origin,
        duplicate_key: parsed.duplicate_key,
        text_replaced: parsed.text_replaced,
    })))
}

/// Returns the state of these bytes, and their writer, by the entries of history. A document whose
/// seal holds is readable also where history cannot be listed.
fn stamp(
    bytes: &[u8],
    object: &Object,
    kept: Result<Vec<Revision>, Error>,
) -> Result<(Stamp, Origin), Error> {
    let claimed = object
        .get("revision")
        .and_then(Json::as_u64)
        .filter(|revision| (1..=MAX_REVISION).contains(revision));
    let holding = seal::holding(bytes);
    let sealed = claimed.zip(holding);
    let kept = match kept {
        Err(error) if sealed.is_none() => return Err(error),
        kept => kept.unwrap_or_default(),
    };
    let fingerprint = seal::fingerprint_under(holding, bytes);
    // These very bytes are there already when a commit over them was not finished.
    let others = kept.iter().filter(|it| it.fingerprint != fingerprint);
    let newest = others.map(|revision| revision.number).max();
    if let Some((revision, seal)) = sealed
        && newest.is_none_or(|newest| newest < revision)
    {
        let seal = seal.to_owned();
        return Ok((Stamp { revision, seal }, Origin::Store));
    }
    // An edited document, or an older one that was put back, takes the place after the newest
    // revision that is known. That one may be missing from history, where its writer died; it may be
    // two ahead, where it was the first one after a loss.
    let (revision, origin) = match (newest, claimed) {
        (Some(newest), Some(claimed)) if (newest + 1..=newest + 2).contains(&claimed) => {
            (claimed + 1, Origin::Edited)
        }
        (Some(newest), _) => (newest + 1, Origin::Edited),
        (None, claimed) => {
            let is_ours = |key: &&str| object.get(key).is_some();
            let origin = match ["revision", "seal"].iter().any(is_ours) {
                true => Origin::Edited,
                false => Origin::Elsewhere,
            };
            let plausible = claimed.filter(|revision| *revision <= MAX_CLAIMED);
            (plausible.unwrap_or(1), origin)
        }
    };
    let seal = seal::edited(&fingerprint);
    Ok((Stamp { revision, seal }, origin))
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
        other => Err(sentence!("expected an object, found {}", other.kind())),
    }
}
