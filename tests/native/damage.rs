//! The store among foreign hands and broken disks: nothing is lost, and nothing is touched outside.

use milepost::effect::{Effect, Fault, Outcome, Sync};
use milepost::error::Code;
use milepost::json::Object;
use milepost::store::{self, Change, Folder, Name};

use crate::disk::Disk;
use crate::memory::Memory;
use crate::store::{DOCUMENT, SIDE, add, adding};

#[cfg(unix)]
#[test]
fn a_quarantine_that_is_a_symlink_is_not_followed_out_of_the_root() {
    let base = tempfile::tempdir().unwrap();
    let (root, outside) = (base.path().join("repo"), base.path().join("outside"));
    let side = root.join(".claude/state/.milepost/design-checkpoint");
    for folder in [side.join("tokens"), side.join("history"), outside.clone()] {
        std::fs::create_dir_all(folder).unwrap();
    }
    for n in 0..5 {
        std::fs::write(outside.join(format!("{n:032x}.json")), "mine").unwrap();
    }
    std::os::unix::fs::symlink(&outside, side.join("quarantine")).unwrap();
    let document = root.join(".claude/state/design-checkpoint.json");
    std::fs::write(&document, "{ planted").unwrap();
    let at = root.to_str().unwrap().to_owned();
    let error = Disk::new().run(|io| async move {
        let folder = Folder::new(&at, None).unwrap();
        let name = Name::checkpoint("design", None).unwrap();
        let mut decide = |_: &store::Current<'_>| Ok(Change::Write(Object::new()));
        store::update(&io, &folder, &name, Sync::Lazy, None, &mut decide).await
    });
    assert_eq!(error.unwrap_err().code(), Code::UnsafePath);
    let left = std::fs::read_dir(&outside).unwrap();
    let left: Vec<_> = left
        .map(|entry| std::fs::read(entry.unwrap().path()).unwrap())
        .collect();
    assert_eq!(left, vec![b"mine"; 5]);
}

#[test]
fn a_corrupt_document_is_reported_as_such_on_a_full_disk() {
    let world = Memory::new();
    add(&world, "a").unwrap();
    world.put(DOCUMENT, "{ torn");
    let full = |effect: Effect| match &effect {
        Effect::Create { path, bytes, .. } if path.contains("/quarantine/") => {
            world.put(path, &bytes[..1]);
            Outcome::Failed {
                fault: Fault::Other,
                detail: "ENOSPC".into(),
            }
        }
        _ => world.perform(&effect),
    };
    let error = adding("b".into()).run(full).unwrap_err();
    assert_eq!(error.code(), Code::Corrupt);
    assert!(error.to_string().contains("ENOSPC"), "{error}");
    // With space again, the copy that was cut short does not count as one.
    add(&world, "b").unwrap_err();
    let kept = world.files_below(&format!("{SIDE}/quarantine"));
    assert_eq!(kept.len(), 1);
    let kept = format!("{SIDE}/quarantine/{}", kept[0]);
    assert_eq!(world.text(&kept), "{ torn");
}
