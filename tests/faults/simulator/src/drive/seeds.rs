//! A run from its seed to its verdict, for any kind of jobs.

use fastrand::Rng;
use milepost::effect::Sync;
use milepost_disk::{Disk, Node};
use milepost_property as property;

use super::{Kind, Run, Tally};
use crate::Violation;
use crate::job::ROOT;
use crate::trace::Trace;

/// Jobs of which a seed decides whole runs.
pub(crate) trait Seeded: Kind + Sized {
    /// The words before the seed where a violation is reported.
    const SEED: &'static str;

    /// Decides what a run begins with, in an order that stays: a seed that found something is kept.
    fn begun(random: Rng, trace: Trace) -> Run<Self>;

    /// Later, in peace: what has to hold once all are gone.
    ///
    /// # Errors
    ///
    /// The property that does not hold.
    fn quiet(run: &mut Run<Self>) -> Result<(), String>;
}

/// Runs what the seed says, and writes each thing that happens to `trace`.
///
/// # Errors
///
/// The violation.
pub(crate) fn run<K: Seeded>(seed: u64, trace: Trace) -> Result<Tally, Violation> {
    let _run = property::run(format!("{} {seed}: it panics", K::SEED));
    let mut run = K::begun(Rng::with_seed(seed), trace);
    let all = run.rounds().and_then(|()| K::quiet(&mut run));
    all.map_err(|what| Violation {
        origin: format!("{} {seed}", K::SEED),
        what,
    })?;
    Ok(run.world.tally)
}

/// A disk that has the root alone; in some runs it has no links.
pub(crate) fn empty_disk(random: &mut Rng) -> Disk {
    let mut disk = Disk::new();
    disk.put_node(ROOT, Node::Folder);
    settled(random, disk)
}

/// The disk before the run, all of it durable; in some runs on a disk that has no links.
pub(crate) fn settled(random: &mut Rng, disk: Disk) -> Disk {
    let mut disk = match random.u8(..8) {
        0 => disk.without_links(),
        _ => disk,
    };
    disk.settle();
    disk
}

/// Mostly what is acknowledged has to survive a loss of power.
pub(crate) fn any_durability(random: &mut Rng) -> Sync {
    match random.u8(..5) {
        0 => Sync::Lazy,
        _ => Sync::Durable,
    }
}
