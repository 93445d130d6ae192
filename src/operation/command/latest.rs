//! The checkpoint to carry on with.

use crate::checkpoint::command::resume::ResumePoint;
use crate::effect::{Io, boxed};
use crate::error::whole;
use crate::error::{Code, Error, ErrorKind, Warning};
use crate::json::Json;
use crate::operation::reply::{explain, with_warnings};
use crate::operation::row::{Answering, Arguments, Operation};
use crate::operation::{Reply, Settings, Target, Warnings};
use crate::root;
use crate::schema::Shaped;
use crate::sorting;
use crate::time;

use super::list::{Read, RunSelection, read_all};
use super::resume_point::resume_point;
use super::summary::RunSummary;

pub(super) const OPERATION: Operation = Operation::at::<(), Option<LatestRun>>(
    "latest",
    "The unfinished checkpoint that was updated last, of those that have something to do if there is \
     one; null where nothing is unfinished.",
    perform,
);

/// The furthest ahead of the clock that a time may be to count among the newest.
const MAX_AHEAD_MS: f64 = 60_000.0;

/// The effect that the project's budget asks for.
const COUNT: &str = "count_tokens";

fn perform<'a>(io: &'a Io, settings: &'a Settings, _: &'a Arguments) -> Answering<'a> {
    boxed(async move { latest(io, settings).await.map(Json::from) })
}

/// The most recently updated unfinished checkpoint.
#[derive(Clone, Debug, PartialEq, Eq, Shaped)]
#[shape(name = "Latest")]
pub struct LatestRun {
    /// Its names.
    #[shape(flatten)]
    pub target: Target,
    /// Its resume point.
    #[shape(flatten)]
    pub point: ResumePoint,
    /// The other unfinished checkpoints.
    ///
    /// They are in the order of a list.
    pub others: Vec<Target>,
}

/// The unfinished checkpoint that was updated last, and its resume point; one that has something to do comes before one
/// that has nothing. `None` when all are complete, or none exists.
///
/// Warns as [`load`](super::load::load) does, and of each one that cannot be read. Fails with `usage`, `unsafe_path`,
/// `io`, and where there is no other one, as reading that one does.
pub async fn latest(io: &Io, settings: &Settings) -> Reply<Option<LatestRun>> {
    with_warnings(async |warnings| {
        let root = root::locate(io, settings).await?;
        let now_ms = now_ms(io).await;
        let all = read_all(io, settings, &root, RunSelection::Unfinished { of: None }).await?;
        let rank = |_: &Target, summary: &RunSummary| rank(summary, now_ms);
        first_of(io, settings, all, rank, warnings).await
    })
    .await
}

/// The time, for a rank.
pub(in crate::operation) async fn now_ms(io: &Io) -> f64 {
    let clock = io.clock().await;
    clock.map_or(f64::INFINITY, |clock| clock.wall_ms)
}

/// Of these checkpoints the unfinished one of the highest rank that can be read; `None` from `rank` for one that is
/// complete.
///
/// # Errors
///
/// See [`latest`].
pub(in crate::operation) async fn first_of<R: PartialOrd>(
    io: &Io,
    settings: &Settings,
    all: Vec<Read>,
    rank: impl Fn(&Target, &RunSummary) -> Option<R>,
    warnings: &mut Warnings,
) -> Result<Option<LatestRun>, Error> {
    let mut failures = Vec::new();
    let mut unfinished = Vec::new();
    for (target, read) in all {
        match read {
            Ok(summary) => unfinished.extend(rank(&target, &summary).map(|rank| (rank, target))),
            // Not even a checkpoint, as far as it is known which commands there are.
            Err(error) => {
                whole::needed()?;
                match error.code() {
                    Code::InvalidName => {
                        warnings.add(Warning::passed_over(&error).about(&target));
                    }
                    _ => failures.push(explain(error, &target)),
                }
            }
        }
    }

    let mut latest = None;
    while let Some(target) = take_first(&mut unfinished) {
        // The warnings of a cloned or stale checkpoint are those of a call that names it.
        let Reply {
            result,
            warnings: of_point,
        } = resume_point(io, settings, &target).await;
        match result {
            Ok(point) => {
                let others = unfinished.drain(..).map(|(_, target)| target).collect();
                latest = Some((
                    LatestRun {
                        target,
                        point,
                        others,
                    },
                    of_point,
                ));
                break;
            }
            Err(error) => {
                whole::needed()?;
                // A checkpoint whose tokens cannot be counted here is not passed over: nothing is wrong with it.
                if matches!(error.kind(), ErrorKind::Io { effect, .. } if *effect == COUNT) {
                    return Err(error);
                }
                failures.push(error);
            }
        }
    }
    let failed = (latest.is_none() && !failures.is_empty()).then(|| failures.remove(0));
    for failure in &failures {
        warnings.add(Warning::passed_over(failure));
    }
    if let Some(error) = failed {
        return Err(error);
    }
    Ok(latest.map(|(latest, of_point)| {
        of_point
            .into_iter()
            .for_each(|warning| warnings.add(warning));
        latest
    }))
}

/// The unfinished ones of these, the one to carry on with first.
pub(in crate::operation) fn ordered(all: &[Read], now_ms: f64) -> Vec<(&Target, &RunSummary)> {
    let ranked = all.iter().filter_map(|(target, read)| {
        let summary = read.as_ref().ok()?;
        Some((rank(summary, now_ms)?, target, summary))
    });
    let mut ranked: Vec<(Rank, &Target, &RunSummary)> = ranked.collect();
    sorting::sort_by(&mut ranked, |(rank, ..), (other, ..)| other.cmp(rank));
    let ranked = ranked.into_iter();
    ranked
        .map(|(_, target, summary)| (target, summary))
        .collect()
}

/// The rank of an unfinished checkpoint: whether it has something to do, when it was updated last, as it says itself,
/// and its revision.
pub(in crate::operation) type Rank = (bool, Option<time::Time>, u64);

/// Of those that are equal the one that was listed first.
fn take_first<R: PartialOrd>(unfinished: &mut Vec<(R, Target)>) -> Option<Target> {
    let ranks = unfinished.iter().map(|(rank, _)| rank).enumerate();
    let (at, _) = ranks.reduce(|first, next| if first.1 < next.1 { next } else { first })?;
    Some(unfinished.remove(at).1)
}

/// The rank of an unfinished checkpoint.
pub(in crate::operation) fn rank(summary: &RunSummary, now_ms: f64) -> Option<Rank> {
    if summary.is_completed() {
        return None;
    }
    Some((
        summary.has_work(),
        updated(summary, now_ms),
        summary.revision(),
    ))
}

/// The time of a checkpoint's last update, as it says itself.
fn updated(summary: &RunSummary, now_ms: f64) -> Option<time::Time> {
    let updated = summary.updated_at().and_then(time::parse);
    // A time further ahead is of a clock that was wrong, and does not count.
    updated.filter(|it| it.wall_ms() <= now_ms + MAX_AHEAD_MS)
}

/// Of these checkpoints the one that was updated last, complete or not.
pub(in crate::operation) fn newest_of(all: Vec<Read>, now_ms: f64) -> Option<Target> {
    let readable = all.into_iter().filter_map(|(target, read)| {
        let summary = read.ok()?;
        Some(((updated(&summary, now_ms), summary.revision()), target))
    });
    take_first(&mut readable.collect())
}
