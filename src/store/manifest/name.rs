//! The names of parts and marks, and their places.

use crate::digest;
use crate::error::Error;
use crate::store::location::{SIDE, Stem};
use crate::text::quoted;

/// With the longest key, a token and what stands between them, the name of a mark fits any file system's
/// 255 bytes.
const MAX_NAME_BYTES: usize = 150;

/// A key has at most the digits of a SHA-256.
const MAX_KEY_DIGITS: usize = 64;

/// The keys of journals, and of their tallies. Those of parts follow from names and numbers, and are longer.
const JOURNAL_KEY: &str = "00";
const TALLY_KEY: &str = "01";

/// The folder of all marks.
pub(super) fn keys() -> String {
    format!("{SIDE}/keys")
}

/// The folder of removed documents, on their way.
pub(super) fn trash() -> String {
    format!("{SIDE}/trash")
}

/// The folder of documents that went for what was in them.
pub(super) fn removals() -> String {
    format!("{SIDE}/removals")
}

/// The name of one of them there.
pub(super) fn removal(removed_ms: f64, token: &str) -> String {
    format!("{:015}.{token}", removed_ms.max(0.0) as u64)
}

/// The time in such a name; `None` for any other text, which may lead elsewhere.
pub(super) fn removed_ms(removal: &str) -> Option<f64> {
    let (ms, id) = removal.split_once('.')?;
    let ms = ms.parse::<u64>().ok()?;
    digest::is_id(id).then_some(ms as f64)
}

/// The name that an index gives one of its parts: the key that it has in every state of the
/// document, and the token of the bytes that it has in this one. No token is used twice.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PartName {
    /// Lower-case hex digits, two at least.
    pub key: String,
    /// 32 lower-case hex digits.
    pub token: String,
}

impl PartName {
    /// The file in the document's folder.
    pub(super) fn file(&self) -> String {
        format!("{}-{}{}", self.key, self.token, Stem::ENDING)
    }

    pub(super) fn of_file(file: &str) -> Option<Self> {
        let (key, token) = file.strip_suffix(Stem::ENDING)?.split_once('-')?;
        PartName::new(key, token)
    }

    /// The record below the document's.
    pub(super) fn record(&self, name: &Stem) -> String {
        format!("{}/parts/{}-{}", name.as_str(), self.key, self.token)
    }

    /// The journal of an index, which has a key that no part of a document has.
    pub(super) fn of_journal(token: &str) -> Option<Self> {
        PartName::new(JOURNAL_KEY, token)
    }

    /// Returns the beginning of the name of a copy of it in quarantine.
    pub(super) fn label(&self) -> String {
        format!("{}-{}-", self.key, self.token)
    }

    /// The tally of this journal.
    pub(super) fn tally(&self) -> Self {
        PartName {
            key: TALLY_KEY.to_owned(),
            token: self.token.clone(),
        }
    }

    /// Returns whether it is a journal.
    pub(super) fn is_journal(&self) -> bool {
        self.key == JOURNAL_KEY
    }

    /// Returns whether it is a journal or a tally, and so no part that a document has of its own.
    pub(super) fn is_of_journal(&self) -> bool {
        self.is_journal() || self.key == TALLY_KEY
    }

    fn new(key: &str, token: &str) -> Option<Self> {
        (is_key(key) && digest::is_id(token)).then(|| PartName {
            key: key.to_owned(),
            token: token.to_owned(),
        })
    }
}

/// Says that a document has a part, or is about to have it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PartMark {
    pub(super) name: Stem,
    pub(super) part: PartName,
}

impl PartMark {
    pub(super) fn new(name: &Stem, part: &PartName) -> Self {
        PartMark {
            name: name.clone(),
            part: part.clone(),
        }
    }

    pub(super) fn of_file(file: &str) -> Option<Self> {
        let (key, rest) = file.split_once('.')?;
        let (name, token) = rest.rsplit_once('.')?;
        Some(PartMark {
            part: PartName::new(key, token)?,
            name: Stem::new(name.to_owned()).ok()?,
        })
    }

    /// Returns its place in the folder of documents.
    pub(super) fn below(&self) -> String {
        let PartName { key, token } = &self.part;
        format!("{}/{key}.{}.{token}", shard(key), self.name.as_str())
    }
}

/// The folder of the marks of a key: one of 256.
pub(super) fn shard(key: &str) -> String {
    format!("{}/{}", keys(), key.get(..2).unwrap_or_default())
}

/// The record that says which document has a key.
pub(super) fn holder(key: &str) -> String {
    format!("{}/{key}", shard(key))
}

fn is_key(key: &str) -> bool {
    (2..=MAX_KEY_DIGITS).contains(&key.len())
        && key
            .bytes()
            .all(|it| matches!(it, b'0'..=b'9' | b'a'..=b'f'))
}

/// Refuses what would be no safe part of a path.
pub(super) fn check_key(key: &str) -> Result<(), Error> {
    if is_key(key) {
        return Ok(());
    }
    Err(Error::invalid_name(format!(
        "Invalid key {}: expected 2 to {MAX_KEY_DIGITS} lower-case hex digits",
        quoted(key)
    )))
}

/// Refuses a name that would make that of a mark too long.
pub(super) fn check_name(name: &Stem) -> Result<(), Error> {
    if name.as_str().len() <= MAX_NAME_BYTES {
        return Ok(());
    }
    Err(Error::invalid_name(format!(
        "Invalid name {}: expected at most {MAX_NAME_BYTES} bytes",
        quoted(name.as_str())
    )))
}

#[cfg(test)]
mod tests {
    use super::{PartMark, PartName, check_key};
    use crate::store::Stem;

    const TOKEN: &str = "00112233445566778899aabbccddeeff";

    #[test]
    fn parts_and_marks_are_read_from_their_files_and_nothing_else_is_one() {
        let part = PartName::new("ab12", TOKEN).unwrap();
        assert_eq!(PartName::of_file(&part.file()), Some(part.clone()));
        for name in ["a", "a.b", "Task-1.ab"] {
            let mark = PartMark::new(&Stem::new(name.to_owned()).unwrap(), &part);
            let below = mark.below();
            let file = below.strip_prefix(".milepost/keys/ab/").unwrap();
            assert_eq!(PartMark::of_file(file), Some(mark));
        }
        for file in ["index.json", "ab-.json", "-x.json", "ab12", "../x-y.json"] {
            assert_eq!(PartName::of_file(file), None, "{file}");
            assert_eq!(PartMark::of_file(file), None, "{file}");
        }
        let marks = [
            format!("ab.a.b.{}", &TOKEN[1..]),
            format!("AB.a.{TOKEN}"),
            format!("ab..{TOKEN}"),
            format!("ab.{TOKEN}"),
        ];
        for file in marks {
            assert_eq!(PartMark::of_file(&file), None, "{file}");
        }
    }

    #[test]
    fn a_key_that_is_not_a_safe_part_of_a_path_is_refused() {
        for key in ["", "a", "AB", "../..", "世界", &"a".repeat(65)] {
            assert!(check_key(key).is_err(), "{key:?}");
        }
        assert!(check_key(&"f".repeat(64)).is_ok());
    }
}
