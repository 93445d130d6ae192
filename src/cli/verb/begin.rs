//! `milepost begin`

use clap::Args;

use crate::checkpoint::command::additions::Creation;
use crate::cli::answer::CliAnswer;
use crate::cli::call::CliCall;
use crate::cli::news::News;
use crate::cli::target_arg::NamedTarget;
use crate::error::{Error, Target};
use crate::operation::command::begin::{BegunRun, begin};
use crate::text::visible;

const HELP: &str = "\
The phases become one revision. Those that the run has stay as they are, so that beginning again goes
on with it; the others are added as pending, in order.";

/// Begin a run with the phases of its plan
#[derive(Args, Debug)]
#[command(after_help = HELP)]
pub(in crate::cli) struct Arguments {
    #[command(flatten)]
    target_arg: NamedTarget,
    /// The phases to do, in order
    #[arg(required = true, value_name = "PHASE")]
    phases: Vec<String>,
    /// The task that is being worked on, such as T002
    #[arg(long, value_name = "ID")]
    task: Option<String>,
    /// Change only what is there: refuse to make a run or a phase
    #[arg(long)]
    existing: bool,
}

pub(super) async fn run(call: &CliCall, arguments: Arguments) -> Result<CliAnswer, Error> {
    let is_feature_named = arguments.target_arg.is_feature_named();
    let target = arguments.target_arg.target(call).await?;
    let creation = Creation::of_option(arguments.existing);
    let phases: Vec<&str> = arguments.phases.iter().map(String::as_str).collect();
    let task = arguments.task.as_deref();
    let reply = begin(call.io(), &call.settings, &target, &phases, task, creation).await;
    let begun = call.settle(reply).await?;
    let news = News::of(call, &target, begun.created.clone(), is_feature_named).await;
    let line = line(&target, &begun, &news.words());
    Ok(news.answer(&line, begun))
}

fn line(target: &Target, begun: &BegunRun, news: &str) -> String {
    let title = target.title();
    let revision = begun.revision;
    let next = match begun.point.phase.as_deref() {
        Some(phase) => format!("go on with {}", visible(phase)),
        None => "nothing is left to do".to_owned(),
    };
    format!("{title}: saved revision {revision}{news}; {next}")
}
