//! `milepost begin`

use clap::Args;

use crate::cli::answer::Answer;
use crate::cli::call::Call;
use crate::cli::which::Named;
use crate::error::{Error, Target};
use crate::operation::command::begin::{Begun, begin};
use crate::text::visible;

const HELP: &str = "\
The phases become one revision. Those that the checkpoint has stay as they are, so that beginning
again goes on with it; the others are added as pending, in order.";

/// Begin a command with the phases of its plan
#[derive(Args, Debug)]
#[command(after_help = HELP)]
pub(in crate::cli) struct Arguments {
    #[command(flatten)]
    which: Named,
    /// The phases to do, in order
    #[arg(required = true, value_name = "PHASE")]
    phases: Vec<String>,
    /// The task that is being worked on, such as T002
    #[arg(long, value_name = "ID")]
    task: Option<String>,
}

pub(super) async fn run(call: &Call, arguments: Arguments) -> Result<Answer, Error> {
    let target = arguments.which.target(call).await?;
    let phases: Vec<&str> = arguments.phases.iter().map(String::as_str).collect();
    let task = arguments.task.as_deref();
    let reply = begin(call.io(), &call.settings, &target, &phases, task).await;
    Ok(page(&target, call.settle(reply).await?))
}

fn page(target: &Target, begun: Begun) -> Answer {
    let title = target.title();
    let revision = begun.revision;
    let text = match begun.point.phase.as_deref() {
        Some(phase) => format!(
            "{title}: saved revision {revision}; go on with {}\n",
            visible(phase)
        ),
        None => format!("{title}: saved revision {revision}; nothing is left to do\n"),
    };
    Answer::confirmation(text, begun)
}
