//! The resume point of a checkpoint.

use crate::checkpoint::command::resume::{self, ResumePoint};
use crate::effect::{Io, boxed};
use crate::error::whole;
use crate::error::{Error, WarningCode};
use crate::extent::IS_WHOLE;
use crate::json::{Json, Object};
use crate::operation::project::budget::{budget, fit};
use crate::operation::reply::about;
use crate::operation::row::{Answering, Arguments, Operation};
use crate::operation::{Reply, Settings, Target, Warnings};

use super::load::present;
use super::not_found::vanished;
use super::run_store::RunStore;

pub(super) const OPERATION: Operation =
    Operation::at::<Target, ResumePoint>("resume_point", "The resume point of a run.", perform);

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        let target = arguments.read();
        resume_point(io, settings, &target).await.map(Json::from)
    })
}

/// Returns the resume point: nothing without a checkpoint, or when it is complete.
///
/// Warns and fails as [`load`](super::load::load) does; warns `vanished` where there is no checkpoint
/// any more though its history is kept, and `summary_too_long` where a summary was cut.
pub async fn resume_point(io: &Io, settings: &Settings, target: &Target) -> Reply<ResumePoint> {
    about(target, async |warnings| {
        let store = RunStore::open(io, settings, target).await?;
        let mut stored = store.read().await?;
        let mut gone = None;
        // A checkpoint that was removed on purpose is no hidden work.
        if stored.document.is_none() && stored.tombstone.is_none() {
            gone = vanished(&store).await;
        }
        if gone.is_some() {
            // It may have begun since it was looked for.
            stored = store.read().await?;
        }
        let Some(document) = stored.document else {
            gone.into_iter().for_each(|warning| warnings.add(warning));
            return Ok(ResumePoint::default());
        };
        let (loaded, _) = present(&store, *document, stored.has_side, warnings).await?;
        point_of(&store, &loaded.object, warnings).await
    })
    .await
}

/// The resume point of a document, its summaries within the project's budget.
///
/// Warns `summary_too_long` where one was cut. Fails where the budget cannot be read or
/// counted.
pub(super) async fn point_of(
    store: &RunStore<'_>,
    object: &Object,
    warnings: &mut Warnings,
) -> Result<ResumePoint, Error> {
    let mut point = resume::point(object);
    if let Some(why) = &point.cut {
        whole::needed()?;
        let message = format!("The summary to resume with was cut: {why}");
        warnings.warn(WarningCode::SummaryTooLong, message);
    }
    let has_summary = point.summary.is_some() || point.phase_summary.is_some();
    if has_summary
        && let Some(budget) = budget(store.io, &store.root).await?
        && IS_WHOLE
    {
        for summary in [&mut point.phase_summary, &mut point.summary] {
            let Some(text) = summary.as_deref() else {
                continue;
            };
            let (kept, why) = fit(store.io, budget, text).await?;
            let Some(why) = why else { continue };
            let message = format!("The summary to resume with was cut: {why}");
            warnings.warn(WarningCode::SummaryTooLong, message);
            *summary = Some(kept.to_owned());
            point.cut = Some(why);
        }
    }
    Ok(point)
}
