//! Revisions and seals: the proof in a document of the commit that wrote it, and that no other
//! program did.
//!
//! The last two members of a committed document are `revision`, a counter, and `seal`: the random
//! id of the commit and a digest of the document's bytes without the seal, and for a heartbeat a mark
//! that it is one. A document whose seal does not hold was written by a hand or another program.

use crate::digest::{ID_BYTES, digest, is_id};
use crate::json::Object;

/// Revisions stay exact in JavaScript.
pub(in crate::store) const MAX_REVISION: u64 = (1 << 53) - 1;

/// The highest revision that a document without a seal can claim: half of all, so that there is
/// room to count on.
pub(in crate::store) const MAX_CLAIMED: u64 = 1 << 52;

const CLOSING: &[u8] = b"\n}\n";
const BEFORE_SEAL: &[u8] = b",\n  \"seal\": \"";
const AFTER_SEAL: &[u8] = b"\"\n}\n";

/// The ending of the seal of a heartbeat, and of the name of its entry in history before `.json`.
const HEARTBEAT: &str = ".heartbeat";

/// The mark of a commit that changed a document, or only renewed its time. The caller knows what a
/// change is; the store keeps changes longer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CommitMark {
    /// It changed something.
    #[default]
    Change,
    /// It only renewed the time.
    Heartbeat,
}

impl CommitMark {
    /// Returns the ending of a seal, or of a name, that stands for it.
    pub(in crate::store) fn ending(self) -> &'static str {
        match self {
            CommitMark::Change => "",
            CommitMark::Heartbeat => HEARTBEAT,
        }
    }

    /// Takes the mark from the end of a seal, or of a name.
    pub(in crate::store) fn split(marked: &str) -> (&str, Self) {
        match marked.strip_suffix(HEARTBEAT) {
            Some(plain) => (plain, CommitMark::Heartbeat),
            None => (marked, CommitMark::Change),
        }
    }
}

/// The state of a document: a compare-and-swap compares it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// The counter, +1 per commit.
    pub revision: u64,
    /// The seal as it stands in the document, or what stands for it in one without.
    pub seal: String,
}

impl Stamp {
    /// Returns whether the commit that wrote this state changed something.
    pub fn mark(&self) -> CommitMark {
        CommitMark::split(&self.seal).1
    }
}

/// Writes a document with its revision and seal, which become its last two members.
pub(in crate::store) fn write(
    object: &mut Object,
    revision: u64,
    id: &str,
    mark: CommitMark,
) -> (Vec<u8>, Stamp) {
    write_as(object, revision, id, mark, Object::to_document)
}

/// Writes a document as [`write`] does, in one of the layouts that have each member on lines of its own.
pub(in crate::store) fn write_as(
    object: &mut Object,
    revision: u64,
    id: &str,
    mark: CommitMark,
    layout: fn(&Object) -> String,
) -> (Vec<u8>, Stamp) {
    object.remove("seal");
    object.remove("revision");
    object.set("revision", revision);
    let mut bytes = layout(object).into_bytes();
    let seal = format!("{id}.{}{}", digest(&[&bytes]), mark.ending());
    bytes.truncate(bytes.len() - CLOSING.len());
    bytes.extend_from_slice(BEFORE_SEAL);
    bytes.extend_from_slice(seal.as_bytes());
    bytes.extend_from_slice(AFTER_SEAL);
    object.set("seal", seal.as_str());
    (bytes, Stamp { revision, seal })
}

/// The id and the digest in a seal.
pub(in crate::store) fn parts(seal: &str) -> Option<(&str, &str)> {
    CommitMark::split(seal).0.split_once('.')
}

/// Returns the text in place of the seal of a document that has no seal that holds.
pub(in crate::store) fn edited(fingerprint: &str) -> String {
    format!("edited.{fingerprint}")
}

/// The seal that these bytes carry, if it holds for them.
pub(in crate::store) fn holding(bytes: &[u8]) -> Option<&str> {
    let sealed = bytes.strip_suffix(AFTER_SEAL)?;
    let plain = sealed.strip_suffix(HEARTBEAT.as_bytes()).unwrap_or(sealed);
    let at = plain.len().checked_sub(4 * ID_BYTES + 1)?;
    let body = sealed[..at].strip_suffix(BEFORE_SEAL)?;
    let seal = std::str::from_utf8(&sealed[at..]).ok()?;
    let (id, claimed) = parts(seal)?;
    (is_id(id) && claimed == digest(&[body, CLOSING])).then_some(seal)
}

/// Returns the name of a state of a document in history: the seal's digest where it holds, which
/// saves hashing it again, else the digest of all bytes.
pub(in crate::store) fn fingerprint(bytes: &[u8]) -> String {
    fingerprint_under(holding(bytes), bytes)
}

/// [`fingerprint`] where it is known which seal holds.
pub(in crate::store) fn fingerprint_under(holding: Option<&str>, bytes: &[u8]) -> String {
    match holding.and_then(parts) {
        Some((_, digest)) => digest.to_owned(),
        None => digest(&[bytes]),
    }
}

#[cfg(test)]
mod tests {
    use super::{CommitMark, fingerprint, holding, write};
    use crate::json::Object;

    const ID: &str = "00112233445566778899aabbccddeeff";

    fn document() -> Object {
        Object::from_iter([("command", "design"), ("seal", "old"), ("note", "x")])
    }

    #[test]
    fn a_written_document_carries_its_revision_and_a_seal_that_holds() {
        let (bytes, stamp) = write(&mut document(), 7, ID, CommitMark::Change);
        assert_eq!(stamp.mark(), CommitMark::Change);
        assert_eq!(holding(&bytes), Some(stamp.seal.as_str()));
        let text = String::from_utf8(bytes.clone()).unwrap();
        assert!(text.starts_with("{\n  \"command\": \"design\",\n  \"note\": \"x\",\n"));
        assert!(text.contains(&format!(
            "  \"revision\": 7,\n  \"seal\": \"{}\"\n}}\n",
            stamp.seal
        )));
        let reading = crate::json::read(&bytes).unwrap();
        assert_eq!(reading.value.to_document().into_bytes(), bytes);
    }

    #[test]
    fn a_heartbeat_is_marked_in_its_seal_and_is_otherwise_the_same_state() {
        let (change, _) = write(&mut document(), 7, ID, CommitMark::Change);
        let (heartbeat, stamp) = write(&mut document(), 7, ID, CommitMark::Heartbeat);
        assert_eq!(holding(&heartbeat), Some(stamp.seal.as_str()));
        assert!(stamp.seal.ends_with(".heartbeat"));
        assert_eq!(stamp.mark(), CommitMark::Heartbeat);
        assert_eq!(fingerprint(&heartbeat), fingerprint(&change));
    }

    #[test]
    fn a_change_of_any_byte_breaks_the_seal_and_changes_the_fingerprint() {
        let (bytes, _) = write(&mut document(), 7, ID, CommitMark::Change);
        for at in 0..bytes.len() {
            let mut edited = bytes.clone();
            edited[at] ^= 1;
            // The id is the one part that the digest does not cover; a changed id is another seal.
            match holding(&edited) {
                None => assert_ne!(fingerprint(&edited), fingerprint(&bytes)),
                Some(seal) => assert!(!seal.starts_with(ID)),
            }
        }
    }
}
