//! Documents and the contents that they refer to, after a loss of power.

use milepost_disk::{Cuts, Disk, Journal, PowerLoss};

use super::objects_in_order::{Job, check, object, start};
use crate::memory::Forgetful;

/// Does jobs one after the other; at every moment, after any loss of power then, each published
/// document has its objects. Answers how many disks were looked at, or what was lost. A folder whose name
/// ends like `unsynced` is never made durable.
fn lose_power(
    disk: Disk,
    jobs: &[Job],
    kept: PowerLoss,
    unsynced: Option<&str>,
) -> Result<usize, String> {
    let mut host = Forgetful::new(disk, unsynced);
    let mut seen = 0;
    let mut lost = Ok(());
    let mut time = None;
    for job in jobs {
        job.machine().run(|effect| {
            let outcome = host.perform(&effect);
            let disk = &host.disk;
            let now = disk.journal().map(Journal::moment);
            if time != now {
                time = now;
                let journal = disk.journal().unwrap();
                journal.every_loss(kept, Cuts::Every, &mut |nodes| {
                    seen += 1;
                    if lost.is_ok() {
                        lost = check(&Disk::after(nodes, disk));
                    }
                });
            }
            outcome
        });
    }
    lost.map(|()| seen)
}

#[test]
fn a_loss_of_power_leaves_no_document_without_its_objects() {
    let _run = milepost_property::run("a loss of power leaves no document without its objects");
    let mut seen = 0;
    for has_links in [true, false] {
        for kept in [PowerLoss::InOrder, PowerLoss::Any] {
            for (document, jobs) in [
                (None, vec![Job::Make("a")]),
                (None, vec![Job::Collect(0), Job::Make("a")]),
                (Some("z"), vec![Job::Remove("z"), Job::Collect(0)]),
                (
                    Some("z"),
                    vec![Job::Make("a"), Job::Remove("z"), Job::Collect(0)],
                ),
            ] {
                let disk = start(document, has_links);
                seen += lose_power(disk, &jobs, kept, None).unwrap();
            }
        }
    }
    assert!(seen > 500, "{seen}");
}

#[test]
fn the_simulation_notices_a_folder_that_is_not_made_durable() {
    let _run = milepost_property::run("the simulation notices a folder that is not made durable");
    let jobs = [Job::Collect(0), Job::Make("a")];
    for folder in ["/objects", &object()[..object().len() - 65]] {
        let lost = lose_power(start(None, true), &jobs, PowerLoss::Any, Some(folder));
        let is_new = folder != "/objects";
        assert_eq!(lost.is_err(), is_new, "{folder}: {lost:?}");
    }
    // The one before was made long ago; here it is new.
    let jobs = [Job::Make("a")];
    let mut empty = Disk::new();
    empty.put_node("/r", milepost_disk::Node::Folder);
    for (unsynced, is_lost) in [(Some("/objects"), true), (None, false)] {
        let lost = lose_power(empty.clone(), &jobs, PowerLoss::Any, unsynced);
        assert_eq!(lost.is_err(), is_lost, "{lost:?}");
    }
}
