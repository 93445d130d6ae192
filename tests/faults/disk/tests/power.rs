//! The names and bytes that a loss of power leaves.

use std::collections::BTreeSet;

use milepost::effect::{Access, Effect, Outcome, Sync};
use milepost_disk::{Cuts, Disk, Node, PowerLoss};

fn create(disk: &mut Disk, path: &str, bytes: &str, sync: Sync) {
    let effect = Effect::Create {
        path: path.into(),
        bytes: bytes.into(),
        sync,
        access: Access::Owner,
    };
    assert_eq!(disk.perform(&effect), Some(Outcome::Done));
}

fn rename(disk: &mut Disk, from: &str, to: &str) {
    let (from, to) = (from.into(), to.into());
    let renamed = disk.perform(&Effect::Rename { from, to });
    assert_eq!(renamed, Some(Outcome::Done));
}

fn sync(disk: &mut Disk, path: &str) {
    let path = path.into();
    disk.perform(&Effect::SyncFolder { path });
}

/// Every state that may be left, as `name=bytes` of each file.
fn left(disk: &Disk, kept: PowerLoss) -> BTreeSet<String> {
    let mut left = BTreeSet::new();
    if let Some(journal) = disk.journal() {
        journal.every_loss(kept, Cuts::Every, &mut |nodes| {
            let disk = Disk::after(nodes, disk);
            let files = disk
                .files()
                .map(|(path, bytes)| format!("{path}={}", String::from_utf8_lossy(bytes)));
            left.insert(files.collect::<Vec<_>>().join(" "));
        });
    }
    left
}

fn settled() -> Disk {
    let mut disk = Disk::new();
    disk.put_node("/a", Node::Folder);
    disk.put("/a/doc", "old");
    disk.settle();
    disk
}

fn set<const N: usize>(states: [&str; N]) -> BTreeSet<String> {
    states.map(str::to_owned).into()
}

#[test]
fn a_file_that_was_not_synced_keeps_any_beginning_or_no_name() {
    let mut disk = settled();
    create(&mut disk, "/a/new", "xy", Sync::Lazy);
    let expected = set([
        "/a/doc=old",
        "/a/doc=old /a/new=",
        "/a/doc=old /a/new=x",
        "/a/doc=old /a/new=xy",
    ]);
    assert_eq!(left(&disk, PowerLoss::Any), expected);
    assert_eq!(left(&disk, PowerLoss::InOrder), expected);
}

#[test]
fn a_synced_file_in_a_folder_that_was_not_synced_may_lack_its_name() {
    let mut disk = settled();
    create(&mut disk, "/a/new", "xy", Sync::Durable);
    let expected = set(["/a/doc=old", "/a/doc=old /a/new=xy"]);
    assert_eq!(left(&disk, PowerLoss::Any), expected);
    sync(&mut disk, "/a");
    assert_eq!(left(&disk, PowerLoss::Any), set(["/a/doc=old /a/new=xy"]));
}

#[test]
fn the_two_names_of_a_rename_come_back_together_only_where_there_is_order() {
    let mut disk = settled();
    create(&mut disk, "/a/new", "xy", Sync::Durable);
    sync(&mut disk, "/a");
    rename(&mut disk, "/a/new", "/a/doc");
    let orderly = set(["/a/doc=old /a/new=xy", "/a/doc=xy"]);
    assert_eq!(left(&disk, PowerLoss::InOrder), orderly);
    let mut any = orderly;
    any.extend(set(["/a/doc=old", "/a/doc=xy /a/new=xy"]));
    assert_eq!(left(&disk, PowerLoss::Any), any);
    sync(&mut disk, "/a");
    assert_eq!(left(&disk, PowerLoss::Any), set(["/a/doc=xy"]));
}

#[test]
fn the_content_of_a_lost_folder_is_lost() {
    let mut disk = settled();
    disk.perform(&Effect::MakeFolder {
        path: "/b".into(),
        access: Access::Owner,
    });
    create(&mut disk, "/b/new", "x", Sync::Durable);
    sync(&mut disk, "/b");
    let expected = set(["/a/doc=old", "/a/doc=old /b/new=x"]);
    assert_eq!(left(&disk, PowerLoss::Any), expected);
}

#[test]
fn a_state_by_chance_is_one_of_all_states() {
    let mut disk = settled();
    create(&mut disk, "/a/new", "xy", Sync::Lazy);
    rename(&mut disk, "/a/new", "/a/doc");
    let _run = milepost_property::seed("a state by chance is one of all states", 1);
    let mut random = fastrand::Rng::with_seed(1);
    for kept in [PowerLoss::Any, PowerLoss::InOrder] {
        let all = left(&disk, kept);
        let mut met = BTreeSet::new();
        for _ in 0..200 {
            let nodes = disk
                .journal()
                .map(|journal| journal.loss(kept, &mut random));
            let one = Disk::after(nodes.unwrap_or_default(), &disk);
            met.extend(left(&one, kept));
        }
        assert_eq!(met, all);
    }
}

#[test]
fn a_few_cuts_are_the_ends_of_a_file_and_its_middle() {
    assert_eq!(Cuts::Few.lengths(0..9), [0, 1, 4, 8]);
    assert_eq!(Cuts::Few.lengths(5..7), [5, 6]);
    assert_eq!(Cuts::Few.lengths(3..3), [0; 0]);
    assert_eq!(Cuts::Every.lengths(5..8), [5, 6, 7]);
}
