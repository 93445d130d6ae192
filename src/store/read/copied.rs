//! A copy of a stored file that says less than the original, for readers that get it in its place.

use crate::json::Object;

use super::revision::Revision;
use super::seal;

/// The file name and the bytes of a copy that holds `object` in place of what `bytes` held.
///
/// Where the original's seal holds, the copy has one that does, with the same revision, id and mark; so it reads
/// as written by the store, and as edited where the original was. An entry of history is named by the digest of its
/// bytes, so that a copy of one has another name. Such a copy never replaces a stored file: its history
/// would not be that of any commit.
pub fn copied(file: &str, bytes: &[u8], mut object: Object) -> (String, Vec<u8>) {
    let entry = Revision::of_file(file);
    let sealed = seal::holding(bytes).and_then(|it| Some((it, seal::parts(it)?.0)));
    let revision = object.get("revision").and_then(crate::json::Json::as_u64);
    let copy = match (sealed, revision) {
        (Some((seal, id)), Some(revision)) => {
            let (_, mark) = seal::CommitMark::split(seal);
            let (id, mark) = (id.to_owned(), mark);
            seal::write(&mut object, revision, &id, mark).0
        }
        _ => object.to_document().into_bytes(),
    };
    let was_whole = |entry: &Revision| entry.fingerprint == seal::fingerprint(bytes);
    let name = match entry.filter(was_whole) {
        Some(entry) => Revision {
            fingerprint: seal::fingerprint(&copy),
            ..entry
        }
        .file(),
        None => file.to_owned(),
    };
    (name, copy)
}

#[cfg(test)]
mod tests {
    use super::copied;
    use crate::json::{self, Json, Object};
    use crate::store::read::seal::{CommitMark, fingerprint, holding, write};

    const ID: &str = "00112233445566778899aabbccddeeff";

    fn original(mark: CommitMark) -> Vec<u8> {
        let mut document = Object::from_iter([("command", "design"), ("note", "secret")]);
        write(&mut document, 7, ID, mark).0
    }

    fn less(bytes: &[u8]) -> Object {
        let Ok(Json::Object(mut object)) = json::read(bytes).map(|it| it.value) else {
            panic!("an object");
        };
        object.set("note", "hidden");
        object
    }

    #[test]
    fn the_copy_of_a_sealed_document_counts_as_sealed() {
        for mark in [CommitMark::Change, CommitMark::Heartbeat] {
            let bytes = original(mark);
            let (name, copy) = copied("design-checkpoint.json", &bytes, less(&bytes));
            assert_eq!(name, "design-checkpoint.json");
            let seal = holding(&copy).unwrap();
            assert!(seal.starts_with(ID));
            assert_eq!(CommitMark::split(seal).1, mark);
            assert!(!String::from_utf8(copy).unwrap().contains("secret"));
        }
    }

    #[test]
    fn the_copy_of_an_entry_has_the_name_of_its_bytes() {
        for (mark, ending) in [
            (CommitMark::Change, ""),
            (CommitMark::Heartbeat, ".heartbeat"),
        ] {
            let bytes = original(mark);
            let file = format!("7-{}{ending}.json", fingerprint(&bytes));
            let (name, copy) = copied(&file, &bytes, less(&bytes));
            assert_eq!(name, format!("7-{}{ending}.json", fingerprint(&copy)));
            assert_ne!(name, file);
        }
    }

    #[test]
    fn a_copy_of_an_altered_entry_stays_altered() {
        let bytes = original(CommitMark::Change);
        let file = "7-00000000000000000000000000000000.json";
        let (name, copy) = copied(file, &bytes, less(&bytes));
        assert_eq!(name, file);
        assert_ne!(fingerprint(&copy), "00000000000000000000000000000000");
    }

    #[test]
    fn a_copy_of_an_edited_document_has_no_seal_that_holds() {
        let text = String::from_utf8(original(CommitMark::Change)).unwrap();
        let bytes = text.replace("design", "review").into_bytes();
        let (_, copy) = copied("design-checkpoint.json", &bytes, less(&bytes));
        assert_eq!(holding(&copy), None);
    }
}
