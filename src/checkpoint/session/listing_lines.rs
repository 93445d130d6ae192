//! The files of a moment that was kept for rewinds, each as a line of text: as members of their own, they would be more
//! values than are read of a document.

use super::plan::fact::octal;
use super::snapshot::{BUNDLES, BundlePart, LINES, Snapshot, SnapshotFile, kind_letters};
use crate::json::Object;
use crate::str_map::StrMap;

/// Fewer files are listed as those of any snapshot.
const MANY: usize = 1_000;

/// The stored form of the listing of a moment.
pub fn to_object(snapshot: &Snapshot) -> Object {
    if snapshot.files.len() < MANY {
        return snapshot.to_object();
    }
    let within = snapshot.files.iter().filter_map(|it| it.within.as_ref());
    let mut bundles: Vec<&str> = within.map(|it| it.sha256.as_str()).collect();
    bundles.sort_unstable();
    bundles.dedup();
    let positions: StrMap<'_, usize> = bundles
        .iter()
        .enumerate()
        .map(|(at, it)| (*it, at))
        .collect();
    let lines = snapshot.files.iter().map(|it| line(it, &positions));
    let lines: Vec<String> = lines.collect();
    let rest = Snapshot {
        files: Vec::new(),
        modes: snapshot.modes.clone(),
        left_out: snapshot.left_out.clone(),
        notes: snapshot.notes.clone(),
    };
    let bundles: Vec<String> = bundles.into_iter().map(str::to_owned).collect();
    rest.to_object().with(BUNDLES, bundles).with(LINES, lines)
}

fn line(file: &SnapshotFile, bundles: &StrMap<'_, usize>) -> String {
    let content = file.content.as_ref();
    let bits = content.and_then(|it| it.permissions);
    let within = |it: &BundlePart| {
        let at = bundles.get(&it.sha256)?;
        Some(format!("{at}:{}", it.offset))
    };
    let fields = [
        kind_letters(file),
        bits.map_or("-".to_owned(), octal),
        content.map_or("-".to_owned(), |it| it.size.to_string()),
        content.map_or("-".to_owned(), |it| it.sha256.clone()),
        file.within
            .as_ref()
            .and_then(within)
            .unwrap_or("-".to_owned()),
        file.path.clone(),
    ];
    fields.join(" ")
}

#[cfg(test)]
mod tests {
    use super::{MANY, to_object};
    use crate::checkpoint::session::document;
    use crate::checkpoint::session::plan::fact::{ContentKind, PathContent};
    use crate::checkpoint::session::snapshot::{
        BundlePart, Snapshot, SnapshotChange, SnapshotFile, SnapshotOmission,
    };
    use crate::json::Object;

    /// A document with all that one needs.
    const SPECIFIED: &[u8] = include_bytes!("document_tests/specified.yaml");

    /// So many files can be listed, unless their paths are long.
    const MANY_MORE: usize = 30_000;

    fn files(count: usize) -> Snapshot {
        let file = |number: usize| {
            let content = PathContent {
                kind: match number % 7 {
                    1 => ContentKind::Link,
                    _ => ContentKind::File,
                },
                is_executable: (number % 7 != 1).then_some(number.is_multiple_of(2)),
                permissions: (!number.is_multiple_of(5)).then_some(0o640),
                size: number as u64,
                sha256: format!("{number:064x}"),
            };
            SnapshotFile {
                path: format!("src/a folder/{number:06}\n.rs"),
                change: match number % 3 {
                    0 => SnapshotChange::Added,
                    1 => SnapshotChange::Modified,
                    _ => SnapshotChange::Deleted,
                },
                content: (number % 3 != 2).then_some(content),
                is_staged: number.is_multiple_of(11),
                within: number.is_multiple_of(3).then(|| BundlePart {
                    sha256: format!("{:064x}", number / 500),
                    offset: 4_096 * number as u64,
                }),
            }
        };
        Snapshot {
            files: (0..count).map(file).collect(),
            modes: vec![("src".to_owned(), 0o750)],
            left_out: vec![SnapshotOmission {
                path: "key.pem".to_owned(),
                reason: "is a file of secrets by its name".to_owned(),
            }],
            notes: vec!["a note".to_owned()],
        }
    }

    #[test]
    fn a_listing_is_read_back_unchanged_in_either_form() {
        for count in [0, MANY - 1, MANY, MANY + 500] {
            let snapshot = files(count);
            let stored = to_object(&snapshot);
            assert_eq!(stored.get("lines").is_some(), count >= MANY);
            let document = Object::new().with("snapshot", stored);
            assert_eq!(Snapshot::of(&document), Some(snapshot));
        }
    }

    #[test]
    fn a_document_lists_tens_of_thousands_of_files() {
        let document = document::read(SPECIFIED, None).unwrap().document;
        let document = document.with("snapshot", to_object(&files(MANY_MORE)));
        let id = "chk-20260101-000000".parse().unwrap();
        let text = document::write(document, id, 0.0).unwrap();
        let read = document::read(text.as_bytes(), None).unwrap();
        assert_eq!(Snapshot::of(&read.document).unwrap().files.len(), MANY_MORE);
    }
}
