//! Differences from HEAD, beside those that the real git lists.

mod agree;
mod cases;
mod generated;
mod head_facts;

use std::path::Path;

use milepost::effect::{Effect, Fault, Io, Machine, Outcome};
use milepost::root;
use milepost::worktree::report::ScanLimits;
use milepost::worktree::{WorktreeScan, scan};

use crate::disk::Disk;
use crate::git::rooted;

/// A host that has git, or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Git {
    There,
    Missing,
}

/// Runs an operation, and returns the effects that it asked for as well.
fn run<T, F>(git: Git, operation: impl FnOnce(Io) -> F) -> (T, Vec<Effect>)
where
    F: Future<Output = T> + 'static,
{
    run_over(Disk::new(), git, operation)
}

/// Runs an operation over a host of the caller's.
fn run_over<T, F>(disk: Disk, git: Git, operation: impl FnOnce(Io) -> F) -> (T, Vec<Effect>)
where
    F: Future<Output = T> + 'static,
{
    let mut disk = disk;
    let value = Machine::start(operation).run(|effect| match (&effect, git) {
        (Effect::Git { .. }, Git::Missing) => Outcome::Failed {
            fault: Fault::Unsupported,
            detail: "there is no git".into(),
        },
        _ => disk.perform(effect),
    });
    (value, disk.asked)
}

/// The product's own folders.
const OWN: [&str; 2] = [".claude/state", ".claude/checkpoints"];

fn scan_below(folder: &Path, git: Git) -> (WorktreeScan, Vec<Effect>) {
    scan_over(Disk::new(), folder, git)
}

/// Looks over a host of the caller's.
fn scan_over(disk: Disk, folder: &Path, git: Git) -> (WorktreeScan, Vec<Effect>) {
    let settings = rooted(folder);
    run_over(disk, git, |io| async move {
        let root = root::locate(&io, &settings).await.unwrap();
        scan(&io, &root, &ScanLimits::default(), &OWN)
            .await
            .unwrap()
    })
}
