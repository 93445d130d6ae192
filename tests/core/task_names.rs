//! Names of tasks, which are free text, as names of files.

use std::collections::BTreeSet;
use std::fs;

use milepost::checkpoint::task::limits::MAX_BYTES;
use milepost::checkpoint::task::name::{MAX_ID_BYTES, TaskId};
use milepost::store::{MAX_DOCUMENT_BYTES, Stem};

/// Names that would leave a folder, mean a device, or be equal where case or Unicode's forms are.
fn hostile() -> Vec<String> {
    let plain = [
        ".",
        "..",
        "../../x",
        "/",
        "\\",
        "C:",
        "x:y",
        "a\nb",
        "-a",
        ".a",
        "a.",
        "CON",
        "con",
        "nul.txt",
        "checkpoint",
        "Foo",
        "foo",
        "FOO",
        "a b",
        "a-b",
        "é",
        "e\u{301}",
        "世界",
        "__proto__",
        "\u{202e}x",
    ];
    let long = ["a".repeat(300), "A".repeat(300), "/".repeat(MAX_ID_BYTES)];
    plain.map(str::to_owned).into_iter().chain(long).collect()
}

#[test]
fn the_store_takes_the_stem_of_every_task() {
    for name in hostile() {
        let stem = TaskId::new(&name).unwrap().stem();
        let taken = Stem::new(stem.clone()).unwrap();
        assert_eq!(
            (taken.as_str(), taken.side()),
            (stem.as_str(), stem.clone())
        );
        assert_eq!(Stem::of_file(&taken.file()), Some(taken), "{name:?}");
    }
}

#[test]
fn each_task_has_a_file_of_its_own_in_its_folder() {
    let outer = tempfile::tempdir().unwrap();
    let folder = outer.path().join("tasks");
    fs::create_dir(&folder).unwrap();
    for name in hostile() {
        let stem = Stem::new(TaskId::new(&name).unwrap().stem()).unwrap();
        fs::File::create_new(folder.join(stem.file())).unwrap();
    }
    let files = fs::read_dir(&folder).unwrap();
    let files: BTreeSet<_> = files.map(|it| it.unwrap().file_name()).collect();
    assert_eq!(files.len(), hostile().len());
    assert_eq!(fs::read_dir(outer.path()).unwrap().count(), 1);
}

#[test]
fn a_task_checkpoint_has_the_size_limit_of_every_document() {
    assert_eq!(MAX_BYTES, u64::from(MAX_DOCUMENT_BYTES));
}
