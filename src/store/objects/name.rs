//! The names of objects, and their places in the folder of documents.

use std::collections::BTreeSet;

use crate::digest::is_id;

/// The folder of all objects.
pub(super) const OBJECTS: &str = "objects";

/// The objects that a collector has moved out of the way, and has not decided about yet.
pub(super) const TRASH: &str = "objects/trash";

/// A folder for each writer of a snapshot at work.
pub(super) const MAKING: &str = "objects/making";

/// The ending of the name of a list.
const LIST: &str = ".list";

/// Hex digits of a SHA-256.
const DIGITS: usize = 64;

/// The name of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ObjectName {
    sha256: [u8; 32],
    form: ObjectForm,
}

/// The kinds of objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ObjectForm {
    /// Bytes, under their own SHA-256.
    Piece,
    /// The pieces of a longer content, under the SHA-256 of all of it.
    List,
}

impl ObjectName {
    /// `None` where that is no SHA-256 in lower-case hex.
    pub(super) fn new(sha256: &str, form: ObjectForm) -> Option<Self> {
        let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        if sha256.len() != DIGITS || !sha256.bytes().all(is_digit) {
            return None;
        }
        let mut bytes = [0; 32];
        for (at, byte) in bytes.iter_mut().enumerate() {
            *byte = u8::from_str_radix(sha256.get(2 * at..2 * at + 2)?, 16).ok()?;
        }
        Some(ObjectName {
            sha256: bytes,
            form,
        })
    }

    /// Returns the name of a file of an object.
    pub(super) fn of_file(file: &str) -> Option<Self> {
        match file.strip_suffix(LIST) {
            Some(sha256) => ObjectName::new(sha256, ObjectForm::List),
            None => ObjectName::new(file, ObjectForm::Piece),
        }
    }

    /// Returns the name of a file in the trash.
    pub(super) fn of_trashed(file: &str) -> Option<Self> {
        let (name, collector) = file.rsplit_once('.')?;
        ObjectName::of_file(name).filter(|_| is_id(collector))
    }

    pub(super) fn form(self) -> ObjectForm {
        self.form
    }

    /// The SHA-256, in lower-case hex.
    pub(super) fn sha256(self) -> String {
        crate::digest::hex(&self.sha256)
    }

    pub(super) fn file(self) -> String {
        match self.form {
            ObjectForm::Piece => self.sha256(),
            ObjectForm::List => self.sha256() + LIST,
        }
    }

    /// The piece of the same SHA-256.
    pub(super) fn piece(self) -> Self {
        ObjectName {
            form: ObjectForm::Piece,
            ..self
        }
    }

    /// Returns the number of its folder among the 256.
    pub(super) fn shard(self) -> u8 {
        self.sha256[0]
    }

    /// Returns its path.
    pub(super) fn below(self) -> String {
        format!("{}/{}", shard(self.shard()), self.file())
    }

    /// Returns the path that a collector moves it to. No name in the trash is used twice.
    pub(super) fn trashed_by(self, collector: &str) -> String {
        format!("{TRASH}/{}.{collector}", self.file())
    }
}

/// Returns one of the 256 folders of objects.
pub(super) fn shard(number: u8) -> String {
    format!("{OBJECTS}/{number:02x}")
}

/// The contents that documents refer to.
///
/// A standard tree, in spite of its size in a wasm: there may be a million, in any order.
#[derive(Debug, Default)]
pub struct References {
    needed: BTreeSet<ObjectName>,
}

impl References {
    /// Adds a content. A text that is not a SHA-256 in lower-case hex refers to nothing.
    pub fn add(&mut self, sha256: &str) {
        let forms = [ObjectForm::Piece, ObjectForm::List];
        let names = forms
            .iter()
            .filter_map(|form| ObjectName::new(sha256, *form));
        self.needed.extend(names);
    }

    /// Adds all that others refer to.
    pub fn add_all(&mut self, others: &References) {
        self.needed.extend(&others.needed);
    }

    pub(super) fn has(&self, name: ObjectName) -> bool {
        self.needed.contains(&name)
    }

    pub(super) fn lists(&self) -> Vec<ObjectName> {
        let names = self.needed.iter().copied();
        names.filter(|it| it.form == ObjectForm::List).collect()
    }

    pub(super) fn add_pieces(&mut self, pieces: impl IntoIterator<Item = ObjectName>) {
        self.needed.extend(pieces);
    }
}

#[cfg(test)]
mod tests {
    use super::{ObjectForm, ObjectName, References};

    #[test]
    fn a_name_is_read_from_its_file_and_nothing_else_is_one() {
        let sha256 = crate::digest::sha256(b"abc");
        let collector = "00112233445566778899aabbccddeeff";
        for form in [ObjectForm::Piece, ObjectForm::List] {
            let name = ObjectName::new(&sha256, form).unwrap();
            assert_eq!(ObjectName::of_file(&name.file()), Some(name));
            assert_eq!(name.below(), format!("objects/ba/{}", name.file()));
            let trashed = name.trashed_by(collector);
            let file = trashed.strip_prefix("objects/trash/").unwrap();
            assert_eq!(ObjectName::of_trashed(file), Some(name));
            assert_eq!(ObjectName::of_file(file), None);
        }
        for file in ["", "ba78", &sha256.to_uppercase(), &sha256[1..], "世"] {
            assert_eq!(ObjectName::of_file(file), None);
        }
        let mut references = References::default();
        references.add("../../x");
        references.add(&sha256);
        assert_eq!(references.lists().len(), 1);
        assert!(references.has(ObjectName::of_file(&sha256).unwrap()));
    }
}
