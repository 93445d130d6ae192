use super::{
    BundlePart, ContentKind, PathContent, Snapshot, SnapshotChange, SnapshotFile, SnapshotOmission,
};
use crate::checkpoint::session::plan::fact::Bytes;
use crate::json::Object;
use crate::str_map::StrMap;

fn content(sha256: &str) -> PathContent {
    PathContent {
        kind: ContentKind::File,
        is_executable: Some(true),
        permissions: Some(0o750),
        size: 3,
        sha256: sha256.to_owned(),
    }
}

#[test]
fn a_snapshot_is_read_back_unchanged() {
    let file = |path: &str, change, content| SnapshotFile {
        path: path.to_owned(),
        change,
        content,
        is_staged: path == "b",
        within: (path == "a").then(|| BundlePart {
            sha256: "z".to_owned(),
            offset: 5,
        }),
    };
    let link = PathContent {
        kind: ContentKind::Link,
        is_executable: None,
        permissions: None,
        ..content("y")
    };
    let snapshot = Snapshot {
        files: vec![
            file("a", SnapshotChange::Added, Some(content("x"))),
            file("b", SnapshotChange::Modified, Some(link)),
            file("c", SnapshotChange::Deleted, None),
        ],
        modes: vec![("d".to_owned(), 0o700)],
        left_out: vec![SnapshotOmission {
            path: ".env".to_owned(),
            reason: "is a file of secrets by its name".to_owned(),
        }],
        notes: vec!["a note".to_owned()],
    };
    let document = Object::new().with("snapshot", snapshot.to_object());
    assert_eq!(Snapshot::of(&document), Some(snapshot.clone()));
    assert_eq!(snapshot.contents(), ["z", "y"]);
    let lost: StrMap<'_, &str> = [("y", "it is gone")].into_iter().collect();
    let recorded = snapshot.recorded(&lost);
    let bytes: Vec<Bytes<'_>> = recorded.iter().map(|it| it.bytes).collect();
    assert_eq!(
        bytes,
        [
            Bytes::Available,
            Bytes::Lost("it is gone"),
            Bytes::Available,
            Bytes::LeftOut("is a file of secrets by its name"),
        ]
    );
    assert_eq!(Snapshot::of(&Object::new()), None);
}

#[test]
fn a_snapshot_takes_over_what_an_earlier_one_says_of_the_paths_that_are_named() {
    let file = |path: &str, sha256: &str| SnapshotFile {
        path: path.to_owned(),
        change: SnapshotChange::Modified,
        content: Some(content(sha256)),
        is_staged: false,
        within: None,
    };
    let left_out = |path: &str, reason: &str| SnapshotOmission {
        path: path.to_owned(),
        reason: reason.to_owned(),
    };
    let earlier = Snapshot {
        files: vec![file("a", "then"), file("b", "then"), file("new", "then")],
        modes: vec![("e".to_owned(), 0o500)],
        left_out: vec![left_out("large", "then"), left_out("other", "then")],
        notes: Vec::new(),
    };
    let mut snapshot = Snapshot {
        files: vec![
            file("a", "now"),
            file("b", "now"),
            file("large", "now"),
            file("head", "now"),
        ],
        modes: vec![("d".to_owned(), 0o750), ("e".to_owned(), 0o755)],
        left_out: vec![left_out("new", "now"), left_out("other", "now")],
        notes: vec!["now".to_owned()],
    };
    snapshot.take_over(&earlier, &["a", "new", "large", "head"]);
    let expected = Snapshot {
        files: vec![file("a", "then"), file("b", "now"), file("new", "then")],
        modes: vec![("d".to_owned(), 0o750), ("e".to_owned(), 0o500)],
        left_out: vec![left_out("large", "then"), left_out("other", "now")],
        notes: vec!["now".to_owned()],
    };
    assert_eq!(snapshot, expected);
}

#[test]
fn of_a_file_and_another_one_below_its_path_the_upper_one_is_restored() {
    let file = |path: &str| SnapshotFile {
        path: path.to_owned(),
        change: SnapshotChange::Added,
        content: Some(content("then")),
        is_staged: false,
        within: None,
    };
    let snapshot = Snapshot {
        files: vec![
            file("a"),
            file("a/b"),
            file("a/b/c"),
            file("ab"),
            file("d/e"),
        ],
        ..Snapshot::default()
    };
    let nothing = StrMap::default();
    let recorded = snapshot.recorded(&nothing);
    let stands = recorded.iter().filter(|it| it.content.is_some());
    let stands: Vec<&str> = stands.map(|it| it.path).collect();
    assert_eq!(stands, ["a", "ab", "d/e"]);
}
