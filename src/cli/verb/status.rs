//! `milepost status`

use clap::Args;

use crate::cli::answer::Answer;
use crate::cli::call::Call;
use crate::cli::page::{NOTHING, Paint, columns};
use crate::error::Error;
use crate::operation::command::list::{Listed, list};
use crate::text::visible;

/// Print all checkpoints, a line each
#[derive(Args, Debug)]
pub(in crate::cli) struct Arguments {}

pub(super) async fn run(call: &Call, _: Arguments) -> Result<Answer, Error> {
    let reply = list(call.io(), &call.settings).await;
    Ok(page(call.settle(reply).await?, call.paint))
}

fn page(listed: Vec<Listed>, paint: Paint) -> Answer {
    if listed.is_empty() {
        return Answer::data("No checkpoints\n".to_owned(), listed);
    }
    let heading = ["COMMAND", "FEATURE", "REVISION", "DONE", "UPDATED", "PHASE"];
    let mut rows = vec![heading.map(str::to_owned)];
    rows.extend(listed.iter().map(|one| row(one, paint)));
    Answer::data(columns(&rows), listed)
}

fn row(one: &Listed, paint: Paint) -> [String; 6] {
    let command = visible(&one.target.command).into_owned();
    let feature = one.target.feature.as_deref().unwrap_or(NOTHING);
    let feature = visible(feature).into_owned();
    let nothing = || NOTHING.to_owned();
    if let Some(problem) = &one.problem {
        let problem = paint.bad(&visible(problem));
        return [command, feature, nothing(), nothing(), nothing(), problem];
    }
    let under_way = u64::from(one.progress.current_phase.is_some());
    let phase = match (&one.completed_at, &one.progress.current_phase) {
        (Some(_), _) => paint.good("complete"),
        (None, Some(phase)) => visible(phase).into_owned(),
        (None, None) => nothing(),
    };
    let updated = one.updated_at.as_deref().unwrap_or(NOTHING);
    [
        command,
        feature,
        one.revision.to_string(),
        format!(
            "{}/{}",
            one.progress.completed,
            one.progress.completed + one.progress.pending + under_way
        ),
        visible(updated).into_owned(),
        phase,
    ]
}
