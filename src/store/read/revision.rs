//! One revision of a document, as it is called in history.

use crate::digest::is_id;
use crate::json::{Json, Object};

use super::seal::{self, CommitMark, MAX_REVISION, Stamp};

/// One stored revision.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Revision {
    /// Its number.
    pub number: u64,
    /// The fingerprint of its bytes.
    pub fingerprint: String,
    /// The mark of a change or a heartbeat.
    pub mark: CommitMark,
}

impl Revision {
    /// The revision that a state of the document has in history. The digest in a seal is the
    /// fingerprint of the bytes.
    pub fn of(stamp: &Stamp) -> Self {
        let fingerprint = seal::parts(&stamp.seal).map_or("", |(_, digest)| digest);
        Revision {
            number: stamp.revision,
            fingerprint: fingerprint.to_owned(),
            mark: stamp.mark(),
        }
    }

    /// The document of this revision, under the revision and seal that name this state: those that
    /// it carries, where this store wrote it.
    pub fn stamped(&self, mut object: Object) -> Object {
        if !self.is_seal_of(&object)
            || object.get("revision").and_then(Json::as_u64) != Some(self.number)
        {
            object.remove("revision");
            object.remove("seal");
            object.set("revision", self.number);
            object.set("seal", seal::edited(&self.fingerprint));
        }
        object
    }

    /// Returns whether the seal in the document of this revision holds: this store wrote it, and no
    /// hand.
    pub fn is_seal_of(&self, object: &Object) -> bool {
        let seal = object.get("seal").and_then(Json::as_str);
        let parts = seal.and_then(seal::parts);
        parts.is_some_and(|(id, digest)| is_id(id) && digest == self.fingerprint)
    }

    /// The entry's file name.
    pub(in crate::store) fn file(&self) -> String {
        let ending = self.mark.ending();
        format!("{}-{}{ending}.json", self.number, self.fingerprint)
    }

    /// The revision that a file of history has, by its name.
    pub fn of_file(file: &str) -> Option<Self> {
        let (name, mark) = CommitMark::split(file.strip_suffix(".json")?);
        let (number, fingerprint) = name.split_once('-')?;
        let digits = !number.starts_with('0') && number.bytes().all(|b| b.is_ascii_digit());
        let number: u64 = number
            .parse()
            .ok()
            .filter(|n| digits && *n <= MAX_REVISION + 2)?;
        is_id(fingerprint).then(|| Revision {
            number,
            fingerprint: fingerprint.to_owned(),
            mark,
        })
    }
}
