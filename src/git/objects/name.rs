//! Naming objects: the hash of a header and of what they hold.

use sha1::Sha1;
use sha2::{Digest, Sha256};

use super::ObjectKind;
use crate::git::id::{Hash, Id};

/// Names an object whose bytes come in parts.
pub struct ObjectHasher(ObjectHasherState);

enum ObjectHasherState {
    Sha1(Sha1),
    Sha256(Sha256),
}

impl ObjectHasher {
    /// Begins with the header of an object of this size.
    pub fn new(hash: Hash, kind: ObjectKind, size: u64) -> ObjectHasher {
        let state = match hash {
            Hash::Sha1 => ObjectHasherState::Sha1(Sha1::new()),
            Hash::Sha256 => ObjectHasherState::Sha256(Sha256::new()),
        };
        let mut naming = ObjectHasher(state);
        naming.update(kind.word().as_bytes());
        naming.update(format!(" {size}\0").as_bytes());
        naming
    }

    /// Goes on with these bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        match &mut self.0 {
            ObjectHasherState::Sha1(state) => state.update(bytes),
            ObjectHasherState::Sha256(state) => state.update(bytes),
        }
    }

    /// The name, where as many bytes came as the header says; else that of nothing that exists.
    pub fn finish(self) -> Id {
        let id = match self.0 {
            ObjectHasherState::Sha1(state) => Id::new(Hash::Sha1, &state.finalize()),
            ObjectHasherState::Sha256(state) => Id::new(Hash::Sha256, &state.finalize()),
        };
        id.expect("a hash is as long as its ids")
    }
}

#[cfg(test)]
mod tests {
    use super::ObjectHasher;
    use crate::git::id::Hash;
    use crate::git::objects::{GitObject, ObjectKind};

    #[test]
    fn an_object_has_the_name_that_git_documents() {
        let object = |kind, bytes: &[u8]| GitObject {
            kind,
            bytes: bytes.to_vec(),
        };
        let blob = object(ObjectKind::Blob, b"what is up, doc?");
        for (object, hash, expected) in [
            (
                &blob,
                Hash::Sha1,
                "bd9dbf5aae1a3862dd1526723246b20206e5fc37",
            ),
            (
                &object(ObjectKind::Tree, b""),
                Hash::Sha1,
                "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
            ),
            (
                &object(ObjectKind::Tree, b""),
                Hash::Sha256,
                "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
            ),
        ] {
            assert_eq!(object.id(hash).digits(), expected);
        }
    }

    #[test]
    fn bytes_in_parts_have_the_name_of_the_whole() {
        let bytes: Vec<u8> = (0..=255).cycle().take(1000).collect();
        for hash in Hash::ALL {
            let mut naming = ObjectHasher::new(hash, ObjectKind::Blob, 1000);
            bytes.chunks(77).for_each(|part| naming.update(part));
            let whole = GitObject {
                kind: ObjectKind::Blob,
                bytes: bytes.clone(),
            };
            assert_eq!(naming.finish(), whole.id(hash));
        }
    }
}
