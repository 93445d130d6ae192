//! Documents with parts after a loss of power.

use milepost::store::Storage;
use milepost_disk::{Disk, Node, PowerLoss};

use super::{Done, Job, act, contents};
use crate::memory::{Forgetful, Memory};

/// Does jobs one after the other on a disk that loses what is not durable; after each that was acknowledged,
/// after any loss of power, all of it is there. A folder whose name ends like `unsynced` is never made
/// durable.
fn lose_power(jobs: &[Job], kept: PowerLoss, unsynced: Option<&str>) -> Result<(), String> {
    let mut disk = Disk::new();
    disk.put_node("/repo", Node::Folder);
    let mut host = Forgetful::new(disk, unsynced);
    let mut random = fastrand::Rng::with_seed(7);
    let mut expected = Memory::new();
    for job in jobs {
        let machine = job.machine(Storage::Files);
        let done = machine.run(|effect| host.perform(&effect));
        let disk = &host.disk;
        done.unwrap();
        act(&expected, Storage::Files, *job).unwrap();
        for _ in 0..milepost_property::rounds(40, 100) {
            let nodes = disk.journal().unwrap().loss(kept, &mut random);
            let after = Memory::new();
            after.disk.replace(Disk::after(nodes, disk));
            let [now, whole] = [&after, &expected].map(|world| {
                std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                    contents(world, Storage::Files, "t")
                }))
            });
            let whole = whole.map_err(|_| "the oracle failed".to_owned())?;
            match now {
                Ok(now) if now == whole => {}
                Ok(now) => return Err(format!("{job:?}: {now:?} and not {whole:?}")),
                Err(_) => return Err(format!("{job:?}: a part that is named is lost")),
            }
            // And the next one finds nothing in its way.
            let next = act(&after, Storage::Files, Job::Save("t", "next", "n"));
            assert_eq!(next.unwrap(), Done::Saved, "{job:?}");
        }
        expected = {
            let same = Memory::new();
            same.disk.replace(expected.disk.borrow().clone());
            same
        };
    }
    Ok(())
}

const SAVES: [Job; 5] = [
    Job::Save("t", "a", "1"),
    Job::Save("t", "b", "2"),
    Job::Save("t", "a", "3"),
    Job::Save("t", "c", "4"),
    Job::Save("t", "d", "5"),
];

#[test]
fn a_loss_of_power_keeps_all_that_was_acknowledged() {
    let _run = milepost_property::run("a loss of power keeps all that was acknowledged");
    for kept in [PowerLoss::InOrder, PowerLoss::Any] {
        lose_power(&SAVES, kept, None).unwrap();
    }
    let mut removing = SAVES.to_vec();
    removing.extend([Job::Remove("t"), Job::Save("t", "a", "6")]);
    lose_power(&removing, PowerLoss::InOrder, None).unwrap();
}

#[test]
fn the_simulation_notices_a_folder_that_is_not_made_durable() {
    let _run = milepost_property::run("the simulation notices a folder that is not made durable");
    let shard = format!("keys/{}", &super::key("a")[..2]);
    for folder in ["tasks", "tasks/t", "tasks/.milepost", "/keys", &shard] {
        let lost = lose_power(&SAVES, PowerLoss::Any, Some(folder));
        assert!(lost.is_err(), "{folder}");
    }
}
