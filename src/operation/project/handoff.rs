//! Handoffs, checked as the project wants them: against its budget in exact tokens, too.

use crate::effect::Io;
use crate::error::{Error, Warning, WarningCode};
use crate::handoff::{self, Checked, SummaryPolicy};
use crate::json::Json;
use crate::operation::Settings;
use crate::root;
use crate::schema::{Budget, Problem, ProblemCode};

use super::budget::{budget, excess, fit};

/// Checks a request as [`handoff::check_request`] does, and against the project's budget.
///
/// # Errors
///
/// Those of [`budget`] and [`excess`].
pub(crate) async fn check_request(
    io: &Io,
    settings: &Settings,
    request: Json,
) -> Result<Checked, Error> {
    let mut checked = handoff::check_request(request);
    let Some(budget) = of_project(io, settings).await? else {
        return Ok(checked);
    };
    let mut problems = Vec::new();
    for (at, text) in handoff::request_summaries(&checked.document) {
        if let Some(message) = excess(io, budget, text).await? {
            problems.push(Problem {
                at,
                code: ProblemCode::SummaryTooLong,
                message,
            });
        }
    }
    checked.problems.extend(problems);
    Ok(checked)
}

/// Checks a response as [`handoff::check_response`] does, and against the project's budget, under the same
/// policy.
///
/// # Errors
///
/// Those of [`budget`] and [`excess`].
pub(crate) async fn check_response(
    io: &Io,
    settings: &Settings,
    response: Json,
    policy: SummaryPolicy,
) -> Result<Checked, Error> {
    let mut checked = handoff::check_response(response, policy);
    let Some(budget) = of_project(io, settings).await? else {
        return Ok(checked);
    };
    let Some((at, text)) = handoff::response_summary(&mut checked.document) else {
        return Ok(checked);
    };
    let (kept, why) = fit(io, budget, text).await?;
    let kept = kept.len();
    let Some(message) = why else {
        return Ok(checked);
    };
    let warning = |message| Warning::new(WarningCode::SummaryTooLong, message);
    match policy {
        SummaryPolicy::Reject => checked.problems.push(Problem {
            at,
            code: ProblemCode::SummaryTooLong,
            message,
        }),
        SummaryPolicy::Truncate => {
            text.truncate(kept);
            let limit = budget.limit;
            let message = format!("{message}; it was cut to {limit} tokens");
            checked.warnings.push(warning(message));
        }
        SummaryPolicy::Warn => checked.warnings.push(warning(message)),
    }
    Ok(checked)
}

async fn of_project(io: &Io, settings: &Settings) -> Result<Option<Budget>, Error> {
    let root = root::locate(io, settings).await?;
    budget(io, &root).await
}
